//! What it costs to find out what bots use, and how much it may.

use std::num::NonZeroU32;
use std::time::Duration;

/// A share of the time, one in so many.
const SHARE: u32 = 50;

/// What may be spent at the beginning, before there was time to have a share of.
const START: Duration = Duration::from_millis(10);

/// What a slot has spent on figures that are only kept for the record.
///
/// Long moves are measured, and measuring takes time: with many games on one
/// thread each measurement makes the others' moves longer, until all of them are
/// measured because all of them are. Where it would cost more than its share
/// of the time a move goes unmeasured; what decides a game is always measured.
/// What is spent is CPU time.
#[derive(Debug)]
pub(super) struct Expenses {
    games: u32,
    spent: Duration,
    /// How long games took in all.
    played: Duration,
}

impl Expenses {
    /// Nothing yet, for a slot that shares its thread with others.
    pub(super) fn new(games_at_once: NonZeroU32) -> Expenses {
        Expenses { games: games_at_once.get(), spent: Duration::ZERO, played: Duration::ZERO }
    }

    /// Whether more may be spent when the game that is being played has taken so long.
    pub(super) fn allow_more(&self, game: Duration) -> bool {
        let time = self.played.saturating_add(game);
        self.spent.saturating_mul(self.games) <= START.saturating_add(time / SHARE)
    }

    /// So much was spent.
    pub(super) fn spend(&mut self, cost: Duration) {
        self.spent = self.spent.saturating_add(cost);
    }

    /// A game is over that took so long.
    pub(super) fn close_game(&mut self, game: Duration) {
        self.played = self.played.saturating_add(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_its_share_is_spent_whoever_else_plays_on_the_thread() {
        let spent_by = |games: u32, cost: Duration| {
            let mut expenses = Expenses::new(NonZeroU32::new(games).expect("not zero"));
            let (mut now, mut spent) = (Duration::ZERO, Duration::ZERO);
            while now < Duration::from_secs(10) {
                now += Duration::from_millis(6);
                if expenses.allow_more(now) {
                    expenses.spend(cost);
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
            assert!(all <= START + Duration::from_millis(200) + cheap * games * games, "{games}: {all:?}");
            assert!(all >= Duration::from_millis(190), "{games}: {all:?}");
        }
    }
}
