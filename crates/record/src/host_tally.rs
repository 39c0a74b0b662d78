//! The CPU time that the host gave the bots, and the CPU time that they took out of turn.

use crate::{LateMove, UsageRecord};

/// The minimum percentage of long moves with which a bot counts as one that uses its clock.
const CLOCK_USER_PERCENT: u64 = 50;

/// The maximum off-move CPU time of a move that is not worth mentioning, in milliseconds.
const HARMLESS_OFF_MOVE_MS: f64 = 1.0;

/// The maximum off-move CPU time of a game that is not worth mentioning, in microseconds.
const HARMLESS_OFF_MOVE_GAME_US: u64 = 20_000;

/// The maximum off-move CPU time of a move without a warning, if bots are not paused, in milliseconds.
const MUCH_OFF_MOVE_MS: f64 = 200.0;

/// Measurements of one bot's time over its games.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct HostTally {
    /// The number of games that were void because one of its moves was late on an overloaded host.
    pub voids: u64,
    /// The number of its moves that came late on an overloaded host and counted anyway.
    pub overload: u64,
    /// The number of games in which it was paused out of turn.
    pub paused_games: u64,
    /// The number of games in which it used more than a little CPU out of turn.
    pub off_move_games: u64,
    moves: u64,
    measured: u64,
    wall_us: u64,
    cpu_us: u64,
    wait_us: u64,
    total_cpu_us: Option<u64>,
    off_move_cpu_us: u64,
    /// The number of moves in the games whose off-move CPU time is known.
    off_move_moves: u64,
    peak_kib: Option<u64>,
}

impl HostTally {
    /// Adds the bot's use of the machine in a game.
    pub fn add(&mut self, usage: &UsageRecord) {
        self.add_moves(usage);
        let sum = |to: &mut u64, amount: u64| *to = to.saturating_add(amount);
        if let Some(total) = usage.total_cpu_us {
            sum(self.total_cpu_us.get_or_insert_default(), total);
        }
        if let Some(off_move) = usage.off_move_cpu_us {
            sum(&mut self.off_move_cpu_us, off_move);
            sum(&mut self.off_move_moves, usage.moves.into());
            self.off_move_games += u64::from(off_move > HARMLESS_OFF_MOVE_GAME_US);
        }
        self.peak_kib = self.peak_kib.max(usage.peak_kib);
        self.paused_games += u64::from(usage.paused);
    }

    /// Adds only the time of its moves in a game.
    pub fn add_moves(&mut self, usage: &UsageRecord) {
        let [moves, measured] = [usage.moves, usage.measured].map(u64::from);
        self.add_measured([moves, measured, usage.wall_us, usage.cpu_us, usage.wait_us]);
    }

    /// Adds a late move, which no usage contains since it was not played.
    pub fn add_late(&mut self, late: &LateMove) {
        self.add_measured([1, 1, late.wall_us, late.cpu_us, late.wait_us]);
    }

    fn add_measured(&mut self, amounts: [u64; 5]) {
        let to =
            [&mut self.moves, &mut self.measured, &mut self.wall_us, &mut self.cpu_us, &mut self.wait_us];
        to.into_iter().zip(amounts).for_each(|(to, amount)| *to = to.saturating_add(amount));
    }

    /// The CPU time of its long moves as a fraction of the time charged for them, above 1 with several
    /// threads; `None` if its moves rarely take long.
    pub fn cpu_share(&self) -> Option<f64> {
        let uses_clock = self.measured * 100 >= self.moves * CLOCK_USER_PERCENT && self.wall_us > 0;
        uses_clock.then(|| self.cpu_us as f64 / self.wall_us as f64)
    }

    /// The fraction of the time of its long moves in which it was ready to run and waited for a CPU. Unlike a
    /// low CPU time this blames the host: a bot that sleeps, or waits for something else, uses no CPU either.
    fn waited_share(&self) -> Option<f64> {
        self.cpu_share().map(|_| self.wait_us as f64 / self.wall_us as f64)
    }

    /// The off-move CPU time per move, in milliseconds.
    pub fn off_move_ms(&self) -> Option<f64> {
        let is_known = self.off_move_moves > 0;
        is_known.then(|| self.off_move_cpu_us as f64 / 1_000.0 / self.off_move_moves as f64)
    }

    /// The same if it is worth mentioning.
    pub fn notable_off_move_ms(&self) -> Option<f64> {
        self.off_move_ms().filter(|ms| *ms > HARMLESS_OFF_MOVE_MS || self.off_move_games > 0)
    }

    /// The same if it deserves a warning.
    pub fn much_off_move_ms(&self) -> Option<f64> {
        self.off_move_ms().filter(|ms| *ms > MUCH_OFF_MOVE_MS)
    }

    /// The CPU time over all its games, in seconds.
    pub fn total_cpu_s(&self) -> Option<f64> {
        self.total_cpu_us.map(|total| total as f64 / 1_000_000.0)
    }

    /// The peak memory, in KiB.
    pub fn peak_kib(&self) -> Option<u64> {
        self.peak_kib
    }
}

/// The fraction of their time that bots waited for a CPU: the median over the bots whose moves take long.
pub fn median_waited_share<'t>(bots: impl Iterator<Item = &'t HostTally>) -> Option<f64> {
    let mut waited: Vec<f64> = bots.filter_map(HostTally::waited_share).collect();
    waited.sort_by(f64::total_cmp);
    let upper = *waited.get(waited.len() / 2)?;
    let lower = waited[waited.len().saturating_sub(1) / 2];
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(moves: u32, measured: u32, wall_us: u64, cpu_us: u64, wait_us: u64) -> HostTally {
        let mut tally = HostTally::default();
        tally.add(&UsageRecord { moves, measured, wall_us, cpu_us, wait_us, ..UsageRecord::default() });
        tally
    }

    #[test]
    fn shares_need_moves_that_took_long() {
        assert_eq!(tally(10, 5, 1_000, 250, 0).cpu_share(), Some(0.25));
        assert_eq!(tally(10, 4, 1_000, 250, 0).cpu_share(), None);
        assert_eq!(HostTally::default().cpu_share(), None);
    }

    #[test]
    fn cpu_time_out_of_turn_is_averaged_over_moves() {
        let mut tally = HostTally::default();
        let game = |off_move_cpu_us| UsageRecord { moves: 10, off_move_cpu_us, ..UsageRecord::default() };
        tally.add(&game(None));
        assert_eq!(tally.off_move_ms(), None);
        tally.add(&game(Some(40_000)));
        tally.add(&game(Some(0)));
        assert_eq!((tally.off_move_ms(), tally.notable_off_move_ms()), (Some(2.0), Some(2.0)));
        assert_eq!((tally.off_move_games, tally.much_off_move_ms()), (1, None));
        tally.add(&game(Some(8_000_000)));
        assert_eq!(tally.much_off_move_ms(), Some(268.0));
    }

    #[test]
    fn cpu_time_out_of_turn_in_one_game_of_many_is_notable() {
        let mut tally = HostTally::default();
        let game = |off_move_cpu_us| UsageRecord { moves: 10, off_move_cpu_us, ..UsageRecord::default() };
        (0..9).for_each(|_| tally.add(&game(Some(0))));
        tally.add(&game(Some(20_000)));
        assert_eq!((tally.off_move_games, tally.notable_off_move_ms()), (0, None));
        tally.add(&game(Some(20_001)));
        assert_eq!(tally.off_move_games, 1);
        assert!(tally.notable_off_move_ms().is_some_and(|ms| ms < 1.0));
    }
}
