//! The run as a whole: is anything being played, and does a worker annul its games?

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Time in which nothing is played after which people are told so.
const STALLED_AFTER: Duration = Duration::from_secs(5);

/// Time between two such notices.
const BETWEEN_NOTICES: Duration = Duration::from_secs(60);

/// Number of games in a row that a worker may annul.
pub(super) const MOST_VOIDS: u32 = 3;

#[derive(Default)]
pub(super) struct Health {
    next_notice: Duration,
    /// Number of notices since something was played.
    notices: u32,
    /// Number of games in a row that each worker has annulled, if there are any.
    voids: HashMap<String, u32>,
    /// The processes that play no more.
    pub(super) set_aside: BTreeSet<u64>,
}

impl Health {
    /// Something is being played.
    pub(super) fn plays(&mut self, at: Duration) {
        self.next_notice = at + STALLED_AFTER;
        self.notices = 0;
    }

    /// The number of this notice that nothing is played, if one is due.
    pub(super) fn stalled(&mut self, at: Duration) -> Option<u32> {
        if at < self.next_notice {
            return None;
        }
        self.next_notice = at + BETWEEN_NOTICES;
        self.notices += 1;
        Some(self.notices)
    }

    /// A worker played a game, which it annulled or not. Says if it has annulled too many.
    pub(super) fn played(&mut self, worker: &str, is_void: bool) -> bool {
        if !is_void {
            self.voids.remove(worker);
            return false;
        }
        let voids = self.voids.entry(worker.to_owned()).or_default();
        *voids += 1;
        let is_too_many = *voids >= MOST_VOIDS;
        if is_too_many {
            self.voids.remove(worker);
        }
        is_too_many
    }
}
