//! Numbers that differ from process to process.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A number that tells this process from others.
pub(super) fn salt() -> u64 {
    RandomState::new().build_hasher().finish()
}
