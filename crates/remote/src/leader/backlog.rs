//! The results that waited at the broker when the leader came.
//!
//! Their games are known only when they arrive. Until then the leader asks for games and publishes none: workers would
//! play again what has been played.

use std::time::Duration;

use super::packs::MOST_OUT;

/// Maximum time between two results; after it the leader stops waiting for the others.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Backlog {
    /// Number of results that have not arrived.
    results: u64,
    /// Number of games that may be asked for meanwhile: an earlier leader asked for nearly all games of these results,
    /// and for those in the packs that it left.
    pub(super) games: usize,
    /// Time until which the next one is waited for.
    until: Duration,
}

impl Backlog {
    /// `results` wait at the broker, beside packs with `packed` games.
    pub(super) fn new(at: Duration, results: u64, packed: usize) -> Backlog {
        let games = usize::try_from(results).unwrap_or(usize::MAX).saturating_add(packed).min(MOST_OUT);
        Backlog { results, games, until: at + PATIENCE }
    }

    /// A result has come.
    pub(super) fn came(&mut self, at: Duration) {
        self.results = self.results.saturating_sub(1);
        self.until = at + PATIENCE;
    }

    /// True if some of them are still waited for.
    pub(super) fn is_awaited(&self, at: Duration) -> bool {
        self.results > 0 && at < self.until
    }
}
