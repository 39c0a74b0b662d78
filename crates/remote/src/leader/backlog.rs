//! The results that waited at the broker when the leader started.
//!
//! The leader learns their games only when they arrive. Until then it asks for games but publishes none, since workers
//! would play finished games again.

use std::time::Duration;

use super::packs::MOST_OUT;

/// Maximum time between two results; after it the leader stops waiting for the others.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Backlog {
    /// Number of results that have not arrived yet.
    results: u64,
    /// Number of games that may still be asked for meanwhile. An earlier leader asked for nearly all games of these
    /// results, and for the games in the packs that it left.
    pub(super) games: usize,
    /// Time until which the leader waits for the next result.
    until: Duration,
}

impl Backlog {
    /// `results` wait at the broker, beside packs with `packed` games.
    pub(super) fn new(at: Duration, results: u64, packed: usize) -> Backlog {
        let games = usize::try_from(results).unwrap_or(usize::MAX).saturating_add(packed).min(MOST_OUT);
        Backlog { results, games, until: at + PATIENCE }
    }

    /// Notes that a result has arrived.
    pub(super) fn came(&mut self, at: Duration) {
        self.results = self.results.saturating_sub(1);
        self.until = at + PATIENCE;
    }

    /// True if the leader still waits for some of them.
    pub(super) fn is_awaited(&self, at: Duration) -> bool {
        self.results > 0 && at < self.until
    }
}
