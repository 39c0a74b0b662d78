//! Random numbers for what only has to differ between processes.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A random number, different at each call.
pub(super) fn salt() -> u64 {
    RandomState::new().build_hasher().finish()
}
