//! The run as a whole: is anything being played, and does a worker annul its games?

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use super::Leader;
use super::event::LeaderAction;
use super::game_source::GameSource;
use crate::wire::LeaderOrder;
use linesman_league::leader_notice::{LeaderNotice, Stall};

/// Time in which nothing is played after which people are told so.
const STALLED_AFTER: Duration = Duration::from_secs(5);

/// Time between two such notices.
const BETWEEN_NOTICES: Duration = Duration::from_secs(60);

/// Maximum number of workers whose reasons not to play are told when nothing is played.
const MOST_REASONS: usize = 3;

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

impl<G: GameSource> Leader<G> {
    /// Tells people if games wait and nobody plays.
    pub(super) fn tell_if_stalled(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let is_waiting = self.is_ready && self.order == LeaderOrder::Play && !self.out.is_empty();
        let Some(notices) = is_waiting.then(|| self.health.stalled(at)).flatten() else { return };
        if !self.workers.are_idle() {
            return self.health.plays(at);
        }
        let workers = self.workers.number();
        let cause = match self.workers.reasons(MOST_REASONS) {
            _ if workers == 0 => Stall::NoWorker,
            reasons if reasons.is_empty() => Stall::Idle { workers },
            reasons => Stall::CantPlay { workers, reasons },
        };
        let games = self.games.left().saturating_add(self.out.len() as u64);
        actions.push(LeaderAction::Tell(LeaderNotice::Stalled { games, cause }));
        // Before the second notice they may still be starting.
        if self.has_own_workers && workers == 0 && (self.workers.have_spoken() || notices > 1) {
            self.stop(at, LeaderOrder::Abort, actions);
        }
    }
}
