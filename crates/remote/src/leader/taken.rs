//! The games that were taken last.

use std::collections::{HashSet, VecDeque};

use crate::wire::GameKey;

/// Maximum number of games that are remembered: the leader of a long league does not grow.
const MOST: usize = 50_000;

/// The games that were taken last. What comes twice is nearly always one of them. A result of an older one is held
/// for a while, as one whose game may still be asked for, and dropped then.
#[derive(Default)]
pub(super) struct TakenLately {
    keys: HashSet<GameKey>,
    order: VecDeque<GameKey>,
}

impl TakenLately {
    pub(super) fn insert(&mut self, key: GameKey) {
        if self.order.len() == MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.keys.remove(&oldest);
        }
        self.order.push_back(key.clone());
        self.keys.insert(key);
    }

    pub(super) fn contains(&self, key: &GameKey) -> bool {
        self.keys.contains(key)
    }
}
