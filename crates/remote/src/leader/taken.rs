//! The games that were taken last.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::wire::GameKey;
use linesman_record::identity_hasher::IdentityHasher;

/// Minimum number of games that are remembered, once that many have been taken.
const LEAST: usize = 50_000;

type Digests = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// The games that were taken last, as digests. What comes twice is nearly always one of them. A result of an older
/// one is held for a while, as one whose game may still be asked for, and dropped then.
#[derive(Default)]
pub(super) struct TakenLately {
    /// At most [`LEAST`]. When they are that many, `older` is forgotten.
    latest: Digests,
    older: Digests,
}

impl TakenLately {
    pub(super) fn insert(&mut self, key: &GameKey) {
        if self.latest.len() == LEAST {
            std::mem::swap(&mut self.latest, &mut self.older);
            self.latest.clear();
        }
        self.latest.insert(digest(key));
    }

    pub(super) fn contains(&self, key: &GameKey) -> bool {
        let digest = digest(key);
        self.latest.contains(&digest) || self.older.contains(&digest)
    }
}

fn digest(key: &GameKey) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
