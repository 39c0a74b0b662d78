//! What it costs to find out what bots use, how much it may, and where it is worth it.

use std::num::NonZeroU32;
use std::time::Duration;

/// A share of the time, one in so many.
const SHARE: u32 = 50;

/// What may be spent at the beginning, before there was time to have a share of.
const START: Duration = Duration::from_millis(10);

/// One sample in this many is timed; the others are taken to cost as much.
const TIMED: u32 = 8;

/// A move with less work than this was answered in a moment, whatever the clock
/// says: the rest of its time the bot waited, for the others of its thread as a rule.
const WORK: Duration = Duration::from_millis(1);

/// At most one in `2^6` long moves of a bot is looked at.
const MOST_QUIET: u32 = 6;

/// A move that takes so many times as long as those that were found quiet is another kind of move.
const MUCH_LONGER: u32 = 4;

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

    /// Returns true if a bot's next move is to be looked at when its last ones took
    /// long and the game that is being played has taken so long.
    pub(super) fn allow(&self, backoff: &mut SampleBackoff, game: Duration) -> bool {
        // Alone on its thread a bot waits for nobody's looks but its own.
        (self.games == 1 || backoff.is_due()) && self.allow_more(game)
    }

    /// Returns true if more may be spent when the game that is being played has taken so long.
    fn allow_more(&self, game: Duration) -> bool {
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

/// The usefulness of samples of a bot's long moves, kept with the bot from game to game.
///
/// Where many games share a thread every move takes long by the clock, because
/// all wait for one CPU. A bot whose samples show next to no work is looked at ever
/// more rarely, down to one of 64 long moves, and at each again when there is some,
/// or when its moves become much longer than those were.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct SampleBackoff {
    /// The number of samples in a row that showed nothing.
    quiet: u32,
    /// The number of long moves since the last sample.
    skipped: u32,
    /// The longest that a quiet move took.
    wall: Duration,
}

impl SampleBackoff {
    /// True if it is time for another sample; otherwise the move is counted.
    fn is_due(&mut self) -> bool {
        let is_due = self.skipped.saturating_add(1) >= 1 << self.quiet;
        self.skipped = if is_due { 0 } else { self.skipped + 1 };
        is_due
    }

    /// A long move was looked at: the time that it took, and how much of that was work.
    pub(super) fn saw(&mut self, wall: Duration, work: Duration) {
        if work >= WORK {
            *self = SampleBackoff::default();
        } else {
            self.wall = self.wall.max(wall);
            self.quiet = (self.quiet + 1).min(MOST_QUIET);
        }
    }

    /// A long move was not looked at.
    pub(super) fn missed(&mut self, wall: Duration) {
        if wall > self.wall.saturating_mul(MUCH_LONGER) {
            *self = SampleBackoff::default();
        }
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
                if budget.allow(&mut SampleBackoff::default(), now) {
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

    /// How many of so many long moves were looked at, each of which takes `wall` and is `work`.
    fn looks(backoff: &mut SampleBackoff, games: u32, moves: u32, wall: Duration, work: Duration) -> u32 {
        let budget = for_games(games);
        let mut looks = 0;
        for _ in 0..moves {
            if budget.allow(backoff, Duration::ZERO) {
                backoff.saw(wall, work);
                looks += 1;
            } else {
                backoff.missed(wall);
            }
        }
        looks
    }

    #[test]
    fn a_bot_that_only_waits_for_its_turn_at_the_cpu_is_looked_at_ever_more_rarely() {
        let (long, idle, work) = (ms(8), Duration::from_micros(20), ms(3));
        // 1 + 2 + 4 + ... + 64 moves for the first seven samples, then one of 64.
        let mut backoff = SampleBackoff::default();
        assert_eq!(looks(&mut backoff, 64, 127, long, idle), 7);
        assert_eq!(looks(&mut backoff, 64, 640, long, idle), 10);
        // Alone on its thread at each of them, and so where it works.
        assert_eq!(looks(&mut SampleBackoff::default(), 1, 100, long, idle), 100);
        assert_eq!(looks(&mut SampleBackoff::default(), 64, 100, long, work), 100);
    }

    #[test]
    fn a_bot_that_begins_to_work_is_looked_at_again() {
        let (long, idle) = (ms(8), Duration::from_micros(20));
        let mut backoff = SampleBackoff::default();
        looks(&mut backoff, 64, 640, long, idle);
        // Found at the latest at the next sample, and from then on at each move.
        assert!(looks(&mut backoff, 64, 64, long, ms(2)) >= 1);
        assert_eq!(looks(&mut backoff, 64, 10, long, ms(2)), 10);
        // Moves that are much longer are found at once.
        let mut backoff = SampleBackoff::default();
        looks(&mut backoff, 64, 640, long, idle);
        assert_eq!(looks(&mut backoff, 64, 10, ms(100), ms(50)), 9);
    }
}
