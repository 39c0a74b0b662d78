//! The games that were taken last.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::wire::GameKey;
use linesman_record::identity_hasher::{IdentityHasher, digest};

/// Minimum number of games that are remembered, once that many have been taken.
const MIN_REMEMBERED: usize = 50_000;

type Digests = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// The digests of the games that were taken last. A duplicate result is nearly always that of one of them. A duplicate
/// result of an older game is held for a while, like a result whose game may still be taken from the source.
#[derive(Default)]
pub(super) struct TakenLately {
    /// At most [`MIN_REMEMBERED`] games. When full, it becomes `older`, and the games in `older` are forgotten.
    latest: Digests,
    older: Digests,
}

impl TakenLately {
    pub(super) fn insert(&mut self, key: &GameKey) {
        if self.latest.len() == MIN_REMEMBERED {
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
