//! The results that waited at the broker when the leader started.
//!
//! The leader learns their games only when they arrive. Until then it takes games from the source but publishes none,
//! since workers would play finished games again.

use std::time::Duration;

use super::packs::MAX_OUT;

/// Time without a result after which the leader stops waiting for the others.
const RESULT_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Backlog {
    /// Number of results that have not arrived yet.
    results: u64,
    /// Maximum number of further games to take from the source meanwhile. An earlier leader took nearly all games of
    /// these results, and the games in the packs that it left.
    pub(super) games: usize,
    /// Time until which the leader waits for the next result.
    until: Duration,
}

impl Backlog {
    /// Creates the backlog for `results` at the broker, where packs with `packed` games are left, too.
    pub(super) fn new(at: Duration, results: u64, packed: usize) -> Backlog {
        let games = usize::try_from(results).unwrap_or(usize::MAX).saturating_add(packed).min(MAX_OUT);
        Backlog { results, games, until: at + RESULT_TIMEOUT }
    }

    /// Notes that a result has arrived.
    pub(super) fn arrived(&mut self, at: Duration) {
        self.results = self.results.saturating_sub(1);
        self.until = at + RESULT_TIMEOUT;
    }

    /// True if the leader still waits for some of the results.
    pub(super) fn is_awaited(&self, at: Duration) -> bool {
        self.results > 0 && at < self.until
    }
}
