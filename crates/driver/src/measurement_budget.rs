//! The cost of finding out what bots use, and how much it may be.

use std::num::NonZeroU32;
use std::time::Duration;

/// A share of the time, one in so many.
const SHARE: u32 = 50;

/// What may be spent at the beginning, before there was time to have a share of.
const START: Duration = Duration::from_millis(10);

/// One sample in this many is timed; the others are taken to cost as much.
const TIMED: u32 = 8;

/// What a slot has spent on figures that are only kept for the record.
///
/// Long moves are measured, and measuring takes time: with many games on one
/// thread each measurement makes the others' moves longer, until all of them are
/// measured because all of them are. Where it would cost more than its share
/// of the time a move goes unmeasured; what decides a game is always measured,
/// and so are the moves of a bot that has come near its limit.
/// What is spent is CPU time.
#[derive(Debug)]
pub(super) struct MeasurementBudget {
    games: u32,
    spent: Duration,
    /// How long games took in all.
    played: Duration,
    looks: u32,
    /// The cost of the last timed sample.
    look: Duration,
}

impl MeasurementBudget {
    /// Nothing yet, for a slot that shares its thread with others.
    pub(super) fn new(games_at_once: NonZeroU32) -> MeasurementBudget {
        MeasurementBudget {
            games: games_at_once.get(),
            spent: Duration::ZERO,
            played: Duration::ZERO,
            looks: 0,
            look: Duration::ZERO,
        }
    }

    /// Returns true if more may be spent when the game that is being played has taken so long.
    pub(super) fn allow(&self, game: Duration) -> bool {
        let time = self.played.saturating_add(game);
        self.spent.saturating_mul(self.games) <= START.saturating_add(time / SHARE)
    }

    /// True if the next sample is to be timed. Reading the clock costs something, too.
    pub(super) fn is_timed(&self) -> bool {
        self.looks.is_multiple_of(TIMED)
    }

    /// A sample was taken; with what it cost if it was timed.
    pub(super) fn spend(&mut self, cost: Option<Duration>) {
        self.looks = self.looks.wrapping_add(1);
        self.look = cost.unwrap_or(self.look);
        self.spent = self.spent.saturating_add(self.look);
    }

    /// A game is over that took so long.
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
        // Alone, what a long move costs is always within its share.
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
