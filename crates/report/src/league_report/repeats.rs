//! Counts, by players, of games that repeat earlier ones move by move.

use std::collections::HashMap;

use linesman_record::{GameRecord, Outcome, SeenGames};
use linesman_types::seat::BySeat;

/// Counts games that repeat earlier ones, by the bots in seat order.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    seen: SeenGames,
    games: u64,
    /// Number of repeating games by the bots in seat order.
    by_bots: HashMap<Vec<usize>, u64>,
}

impl Repeats {
    /// Returns true if this game repeats an earlier one. Games without a move repeat nothing.
    pub(super) fn is_repeated(&mut self, record: &GameRecord, outcome: &Outcome<'_>) -> bool {
        self.seen.is_repeated(record, outcome) == Some(true)
    }

    /// Counts a game that does.
    pub(super) fn count(&mut self, bots: &BySeat<usize>) {
        self.games += 1;
        *self.by_bots.entry(bots.as_slice().to_vec()).or_default() += 1;
    }

    /// Number of repeating games.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// The bots with most repeating games, in seat order, and the number of those; of equals the first by
    /// their names.
    pub(super) fn most<'n>(&self, name: impl Fn(usize) -> &'n str) -> Option<(&[usize], u64)> {
        let names = |bots: &[usize]| bots.iter().map(|bot| name(*bot)).collect::<Vec<_>>();
        self.by_bots
            .iter()
            .max_by(|one, other| one.1.cmp(other.1).then_with(|| names(other.0).cmp(&names(one.0))))
            .map(|(bots, games)| (bots.as_slice(), *games))
    }
}
