//! The results that waited at the broker when the leader came.
//!
//! Which games they are of is not known before they have come. As long as they come, games are asked for and none is
//! published: workers would play again what has been played.

use std::time::Duration;

use super::packs::MOST_OUT;

/// Time without a result after which the others are waited for no more.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Backlog {
    /// Number of results that are to come.
    results: u64,
    /// Number of games that may be asked for meanwhile: nearly each result is of a game that an earlier leader asked
    /// for, and the others are in the packs that it left.
    pub(super) games: usize,
    /// Time until which the next one is waited for.
    until: Duration,
}

impl Backlog {
    /// So many results wait, beside packs of so many games.
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
