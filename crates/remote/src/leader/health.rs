//! The health of a run: notices while nothing is being played, and workers that annul too many games.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use super::Leader;
use super::event::LeaderAction;
use super::game_source::GameSource;
use crate::wire::LeaderOrder;
use linesman_league::leader_notice::{LeaderNotice, Stall};

/// Time without a running game after which a notice is shown.
const STALLED_AFTER: Duration = Duration::from_secs(5);

/// Time between two such notices.
const BETWEEN_NOTICES: Duration = Duration::from_secs(60);

/// Maximum number of workers whose reasons a notice lists.
const MAX_REASONS: usize = 3;

/// Number of games annulled in a row after which a worker is set aside.
pub(super) const MAX_VOIDS: u32 = 3;

#[derive(Default)]
pub(super) struct Health {
    next_notice: Duration,
    /// Number of notices since a game was last seen running.
    notices: u32,
    /// Number of games that each worker has annulled in a row; only workers with at least one.
    voids: HashMap<String, u32>,
    /// The instances of workers that must play no more.
    pub(super) set_aside: BTreeSet<u64>,
}

impl Health {
    pub(super) fn note_playing(&mut self, at: Duration) {
        self.next_notice = at + STALLED_AFTER;
        self.notices = 0;
    }

    /// Counts a notice if one is due. Returns its number, from 1.
    pub(super) fn take_notice(&mut self, at: Duration) -> Option<u32> {
        if at < self.next_notice {
            return None;
        }
        self.next_notice = at + BETWEEN_NOTICES;
        self.notices += 1;
        Some(self.notices)
    }

    /// Notes whether a worker annulled its latest game. Returns true if it has now annulled too many in a row.
    pub(super) fn count_void(&mut self, worker: &str, is_void: bool) -> bool {
        if !is_void {
            self.voids.remove(worker);
            return false;
        }
        let voids = self.voids.entry(worker.to_owned()).or_default();
        *voids += 1;
        let is_too_many = *voids >= MAX_VOIDS;
        if is_too_many {
            self.voids.remove(worker);
        }
        is_too_many
    }
}

impl<G: GameSource> Leader<G> {
    /// Adds a notice if games are out and no worker plays. Stops a run whose own workers are all gone.
    pub(super) fn tell_if_stalled(&mut self, at: Duration) {
        let is_waiting = self.is_ready && self.order == LeaderOrder::Play && !self.out.is_empty();
        let Some(notices) = is_waiting.then(|| self.health.take_notice(at)).flatten() else { return };
        if !self.workers.are_idle() {
            return self.health.note_playing(at);
        }
        let workers = self.workers.number();
        let cause = match self.workers.reasons(MAX_REASONS) {
            _ if workers == 0 => Stall::NoWorker,
            reasons if reasons.is_empty() => Stall::Idle(workers),
            reasons => Stall::CantPlay { workers, reasons },
        };
        let games = self.games.left().saturating_add(self.out.len() as u64);
        self.actions.push(LeaderAction::Tell(LeaderNotice::Stalled { games, cause }));
        // At the first notice the workers may still be starting.
        if self.has_own_workers && workers == 0 && (self.workers.have_reported() || notices > 1) {
            self.stop(at, LeaderOrder::Abort);
        }
    }
}
