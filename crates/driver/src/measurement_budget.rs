//! The cost of measuring what bots use, and its limit.

use std::num::NonZeroU32;
use std::time::Duration;

/// Inverse of the share of time that measurements may take.
const SHARE: u32 = 50;

/// Budget at the beginning, before any time has been played.
const START: Duration = Duration::from_millis(10);

/// Number of samples of which one is timed; the others are assumed to cost as much.
const TIMED: u32 = 8;

/// The cost of a slot's measurements that only serve the record.
///
/// Long moves are measured, and measuring takes time: with many games on one thread each measurement
/// lengthens the moves of the others, until all moves are long enough to be measured. A move goes unmeasured
/// if its measurement would exceed the budget. Measurements that decide a game are always taken, and so are
/// those of a bot that has come near its limit. The cost is CPU time.
#[derive(Debug)]
pub(super) struct MeasurementBudget {
    games: u32,
    spent: Duration,
    /// Total length of the games.
    played: Duration,
    looks: u32,
    /// The cost of the last timed sample.
    look: Duration,
}

impl MeasurementBudget {
    /// Creates the budget of a slot that shares its thread with others; nothing is spent.
    pub(super) fn new(games_at_once: NonZeroU32) -> MeasurementBudget {
        MeasurementBudget {
            games: games_at_once.get(),
            spent: Duration::ZERO,
            played: Duration::ZERO,
            looks: 0,
            look: Duration::ZERO,
        }
    }

    /// Returns true if more may be spent. `game` is the length so far of the game in progress.
    pub(super) fn allow(&self, game: Duration) -> bool {
        let time = self.played.saturating_add(game);
        self.spent.saturating_mul(self.games) <= START.saturating_add(time / SHARE)
    }

    /// True if the next sample is to be timed. Reading the clock has a cost, too.
    pub(super) fn is_timed(&self) -> bool {
        self.looks.is_multiple_of(TIMED)
    }

    /// Adds a sample, with its cost if it was timed.
    pub(super) fn spend(&mut self, cost: Option<Duration>) {
        self.looks = self.looks.wrapping_add(1);
        self.look = cost.unwrap_or(self.look);
        self.spent = self.spent.saturating_add(self.look);
    }

    /// Adds the length of a game that is over.
    pub(super) fn close_game(&mut self, game: Duration) {
        self.played = self.played.saturating_add(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn for_games(games: u32) -> MeasurementBudget {
        MeasurementBudget::new(NonZeroU32::new(games).expect("not zero"))
    }

    #[test]
    fn no_more_than_its_share_is_spent_whoever_else_plays_on_the_thread() {
        let spent_by = |games: u32, cost: Duration| {
            let mut budget = for_games(games);
            let (mut now, mut spent) = (Duration::ZERO, Duration::ZERO);
            while now < Duration::from_secs(10) {
                now += ms(6);
                if budget.allow(now) {
                    budget.spend(Some(cost));
                    spent += cost;
                }
            }
            spent
        };
        let cheap = Duration::from_micros(60);
        // Alone, the cost of a long move is always within the budget.
        assert_eq!(spent_by(1, cheap), cheap * 1667);
        for games in [2, 16, 64] {
            let all = spent_by(games, cheap * games) * games;
            assert!(all <= START + ms(200) + cheap * games * games, "{games}: {all:?}");
            assert!(all >= ms(190), "{games}: {all:?}");
        }
    }

    #[test]
    fn a_look_that_is_not_timed_costs_what_the_last_one_did() {
        let mut budget = for_games(1);
        let timed: Vec<bool> = (0..17)
            .map(|_| {
                let is_timed = budget.is_timed();
                budget.spend(is_timed.then_some(Duration::from_micros(10)));
                is_timed
            })
            .collect();
        assert_eq!(timed.iter().filter(|is_timed| **is_timed).count(), 3);
        assert_eq!(budget.spent, Duration::from_micros(170));
    }
}
