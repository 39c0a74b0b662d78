//! Random numbers that only have to differ between processes.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a random number, different at each call.
pub(super) fn salt() -> u64 {
    RandomState::new().build_hasher().finish()
}
