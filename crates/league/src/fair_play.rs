//! Keeps the timing of a run's games fair: decides which bots are paused out of turn, when a spoiled game is played
//! again, and how many games are played at once. Pure except for [`HostSample::read`]: samples are passed in as values.

use std::time::{Duration, Instant};

use crate::file::{OverloadPolicy, Pause};

use linesman_driver::Played;
use linesman_referee::{Fairness, HARMLESS_OFF_MOVE, LateMoves, Pausing};
use linesman_sandbox::HostLoad;
use linesman_types::seat::BySeat;
use linesman_types::verdict::{Verdict, Void};

/// Maximum number of attempts at a game in one run, if an overloaded host spoils it.
pub const TRIES_PER_RUN: u32 = 6;

/// Maximum number of those attempts while other games are still to be played. The others are reserved for the end, when
/// the run can wait for a quieter host.
const EARLY_TRIES: u32 = 3;

/// Share of the time in which some process waits for a CPU, from which on the host is busy.
pub const BUSY: f64 = 0.25;

/// Interval over which the pressure on the CPUs is measured while a run waits.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum wait for a quieter host before spoiled games are played again: the first, the second, and each later time.
const MAX_WAITS: [Duration; 3] = [Duration::from_secs(10), Duration::from_secs(30), Duration::from_secs(60)];

/// Credit for a game that was not spoiled on a quiet host.
const QUIET_GAME: u64 = 4;
/// Credit for a game that was not spoiled on a busy host.
const BUSY_GAME: u64 = 1;

/// Credit per slot at which the run trusts the host again.
const TRUST: u64 = 2 * QUIET_GAME;

/// Maximum number of doublings of the credit needed for one more game at once. Each overload doubles it.
const MAX_DOUBLINGS: u32 = 5;

/// The pressure on a host at one moment.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct HostSample {
    /// The moment.
    pub at: Instant,
    /// Total time in which some process has waited for a CPU since some moment in the past; `None` if the kernel does
    /// not count it.
    pub pressure: Option<Duration>,
}

impl HostSample {
    /// Takes a sample of this host now.
    pub fn read() -> HostSample {
        HostSample { at: linesman_driver::now(), pressure: HostLoad::read().pressure }
    }
}

/// A change of the number of games that are played at once.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum AtOnce {
    /// The new, smaller number: the host is overloaded.
    Fewer(usize),
    /// The new, larger number: the host is no longer overloaded.
    More(usize),
}

/// The decision whether spoiled games are played again now.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Retry {
    /// They are played again.
    Now,
    /// The run waits for a quieter host.
    Waiting {
        /// Maximum duration of the whole wait.
        at_most: Duration,
        /// True if the wait starts now.
        began: bool,
    },
}

/// The relevant facts about the games so far, and the decisions that follow from them.
#[derive(Clone, Debug)]
pub struct FairPlay {
    pause: Pause,
    overload: OverloadPolicy,
    /// For each bot, true if it has used too much CPU time out of turn.
    uses_off_move: Vec<bool>,
    slots: Slots,
    /// The current wait: its start, and the last sample.
    wait: Option<(Instant, HostSample)>,
    waits: usize,
}

/// The number of games at once, and the trust in the host.
#[derive(Clone, Debug)]
struct Slots {
    now: usize,
    max: usize,
    /// Increases with each overload. Spoiled games from earlier periods don't count as another overload.
    period: u64,
    doublings: u32,
    /// Credit since the last change.
    credit: u64,
    credit_since_overload: u64,
}

impl FairPlay {
    /// Makes the state at the start of a run with `bots` bots that plays at most `slots` games at once.
    pub fn new(pause: Pause, overload: OverloadPolicy, bots: usize, slots: usize) -> FairPlay {
        let max = slots.max(1);
        FairPlay {
            pause,
            overload,
            uses_off_move: vec![false; bots],
            slots: Slots { now: max, max, period: 0, doublings: 0, credit: 0, credit_since_overload: 0 },
            wait: None,
            waits: 0,
        }
    }

    /// Returns how a bot is paused while it is not on move.
    pub fn pausing(&self, bot: usize) -> Pausing {
        match self.pause {
            Pause::Always => Pausing::On,
            Pause::Never => Pausing::Off,
            Pause::Auto if self.uses_off_move.get(bot).is_some_and(|uses| *uses) => Pausing::On,
            Pause::Auto => Pausing::OnSuspicion,
        }
    }

    /// Returns how bots are paused while they wait for their next game. CPU time that they use then slows down others
    /// and is counted in no game.
    pub fn pausing_between_games(&self) -> Pausing {
        match self.pause {
            Pause::Auto | Pause::Always => Pausing::On,
            Pause::Never => Pausing::Off,
        }
    }

    /// Returns the consequence of a late move that host overload explains, in this attempt at a game in this run.
    pub fn late_moves(&self, try_of_run: u32) -> LateMoves {
        match self.overload {
            OverloadPolicy::Loss if try_of_run >= TRIES_PER_RUN => LateMoves::Lost,
            OverloadPolicy::Loss | OverloadPolicy::Open => LateMoves::Void,
        }
    }

    /// True if a slot, counted from 0, may play now.
    pub fn may_play(&self, slot: usize) -> bool {
        slot < self.slots.now
    }

    /// Returns the current period, which is passed to [`FairPlay::ended`] at the end of a game that starts now.
    pub fn period(&self) -> u64 {
        self.slots.period
    }

    /// Adds the CPU time that a bot used in a game. Returns true if the bot is paused from now on. A bot that was
    /// paused during the game had used much before, even if its average over the game is small.
    pub fn used(&mut self, bot: usize, moves: u32, off_move_cpu: Option<Duration>, was_paused: bool) -> bool {
        let Some(uses_off_move) = self.uses_off_move.get_mut(bot) else { return false };
        let is_much = (was_paused && self.pause == Pause::Auto)
            || off_move_cpu.is_some_and(|cpu| cpu > HARMLESS_OFF_MOVE.saturating_mul(moves.max(1)));
        if !is_much || *uses_off_move {
            return false;
        }
        *uses_off_move = true;
        self.pause == Pause::Auto
    }

    /// Returns the fairness settings of a bot in this attempt at a game in this run.
    pub fn fairness(&self, bot: usize, try_of_run: u32) -> Fairness {
        Fairness {
            late: self.late_moves(try_of_run),
            pausing: self.pausing(bot),
            pausing_between_games: self.pausing_between_games(),
            ..Fairness::default()
        }
    }

    /// Adds a game of these bots that started in this period. Returns the bots that are paused from now on, and the
    /// change of the number of games at once, if there is one.
    pub fn played(
        &mut self,
        bots: &BySeat<usize>,
        played: &Played,
        period: u64,
    ) -> (Vec<usize>, Option<AtOnce>) {
        let used = bots.values().zip(played.usage.values());
        let paused = used
            .filter(|(bot, usage)| self.used(**bot, usage.moves, usage.off_move_cpu, usage.is_paused))
            .map(|(bot, _)| *bot)
            .collect();
        let is_spoiled = matches!(&played.finished.verdict, Verdict::Void { void: Void::Overload(_), .. });
        let pressure = played.load.and_then(|load| {
            let span = load.span.as_secs_f64();
            load.counted.pressure.filter(|_| span > 0.0).map(|pressure| pressure.as_secs_f64() / span)
        });
        (paused, self.ended(period, is_spoiled, pressure))
    }

    /// Adds the end of a game that started in this period. `pressure` is the share of its time in which some process
    /// waited for a CPU, if known. Returns the change of the number of games at once, if there is one.
    pub fn ended(&mut self, period: u64, is_spoiled: bool, pressure: Option<f64>) -> Option<AtOnce> {
        let slots = &mut self.slots;
        if is_spoiled {
            slots.credit_since_overload = 0;
            slots.credit = 0;
            if period < slots.period {
                return None;
            }
            slots.period += 1;
            slots.doublings = (slots.doublings + 1).min(MAX_DOUBLINGS);
            if slots.now == 1 {
                return None;
            }
            slots.now -= 1;
            return Some(AtOnce::Fewer(slots.now));
        }
        let is_quiet = pressure.is_none_or(|share| share < BUSY);
        let credit = if is_quiet { QUIET_GAME } else { BUSY_GAME };
        slots.credit_since_overload += credit;
        slots.credit += credit;
        if slots.now == slots.max || slots.credit < (TRUST * slots.now as u64) << slots.doublings {
            return None;
        }
        slots.credit = 0;
        slots.doublings = slots.doublings.saturating_sub(1);
        slots.now += 1;
        Some(AtOnce::More(slots.now))
    }

    /// True if a spoiled game with this number of attempts in this run may be played again before all others have been.
    pub fn may_retry_early(&self, tries: u32) -> bool {
        tries < EARLY_TRIES && self.slots.credit_since_overload >= TRUST * self.slots.now as u64
    }

    /// Decides whether spoiled games may be played again when no other games are left: once the host is quieter, or
    /// after a maximum wait.
    pub fn may_retry(&mut self, sample: HostSample) -> Retry {
        let at_most = MAX_WAITS[self.waits.min(MAX_WAITS.len() - 1)];
        let Some((began, last)) = &mut self.wait else {
            self.wait = Some((sample.at, sample));
            return Retry::Waiting { at_most, began: true };
        };
        let passed = sample.at.saturating_duration_since(last.at);
        let mut is_quiet = false;
        if passed >= SAMPLE_INTERVAL {
            let waited = sample.pressure.zip(last.pressure).map(|(now, then)| now.saturating_sub(then));
            is_quiet = waited.is_some_and(|waited| waited.as_secs_f64() < BUSY * passed.as_secs_f64());
            *last = sample;
        }
        if !is_quiet && sample.at.saturating_duration_since(*began) < at_most {
            return Retry::Waiting { at_most, began: false };
        }
        self.wait = None;
        self.waits += 1;
        Retry::Now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fair_play(pause: Pause, slots: usize) -> FairPlay {
        FairPlay::new(pause, OverloadPolicy::Open, 2, slots)
    }

    #[test]
    fn a_bot_that_uses_cpu_time_out_of_turn_is_paused() {
        let ms = |milliseconds| Some(Duration::from_millis(milliseconds));
        let mut auto = fair_play(Pause::Auto, 1);
        assert!(!auto.used(0, 30, None, false));
        assert!(!auto.used(0, 30, ms(30), false));
        assert_eq!(auto.pausing(0), Pausing::OnSuspicion);
        assert!(auto.used(0, 30, ms(31), false));
        assert!(!auto.used(0, 30, ms(31), false), "it is said once");
        assert_eq!((auto.pausing(0), auto.pausing(1)), (Pausing::On, Pausing::OnSuspicion));
        assert!(auto.used(1, 30, ms(12), true), "what it used before it was paused was much");
        assert_eq!(auto.pausing(1), Pausing::On);
        let mut never = fair_play(Pause::Never, 1);
        assert!(!never.used(0, 1, ms(1_000), false));
        assert_eq!(never.pausing(0), Pausing::Off);
        assert_eq!(fair_play(Pause::Always, 1).pausing(1), Pausing::On);
    }

    #[test]
    fn an_explained_late_move_loses_only_in_the_last_attempt_and_if_set() {
        let open = fair_play(Pause::Auto, 1);
        let loss = FairPlay::new(Pause::Auto, OverloadPolicy::Loss, 2, 1);
        for attempt in 1..TRIES_PER_RUN {
            assert_eq!(
                (open.late_moves(attempt), loss.late_moves(attempt)),
                (LateMoves::Void, LateMoves::Void)
            );
        }
        assert_eq!(open.late_moves(TRIES_PER_RUN), LateMoves::Void);
        assert_eq!(loss.late_moves(TRIES_PER_RUN), LateMoves::Lost);
    }

    #[test]
    fn overload_lowers_the_number_of_games_and_quiet_games_raise_it() {
        let mut fair = fair_play(Pause::Auto, 3);
        let period = fair.period();
        assert_eq!(fair.ended(period, true, Some(0.9)), Some(AtOnce::Fewer(2)));
        assert!(fair.may_play(1) && !fair.may_play(2));
        // Games that were played at the same time are no further evidence.
        assert_eq!(fair.ended(period, true, Some(0.9)), None);
        let quiet = |fair: &mut FairPlay| fair.ended(fair.period(), false, Some(0.01));
        // Four quiet games per slot after one overload: the credit that is needed has doubled.
        let changes: Vec<_> = (0..8).filter_map(|_| quiet(&mut fair)).collect();
        assert_eq!(changes, [AtOnce::More(3)]);
        assert!(fair.may_play(2));
        assert_eq!((0..100).find_map(|_| quiet(&mut fair)), None, "never more than were asked for");
        // After repeated overload it takes longer. At least one game is always played.
        for _ in 0..4 {
            fair.ended(fair.period(), true, None);
        }
        assert!(fair.may_play(0) && !fair.may_play(1));
        let games = (1..).find(|_| quiet(&mut fair).is_some());
        assert_eq!(games, Some(32));
    }

    #[test]
    fn games_on_a_busy_host_earn_less_credit() {
        let mut fair = fair_play(Pause::Auto, 2);
        fair.ended(0, true, Some(0.9));
        let games = (1..).find(|_| fair.ended(fair.period(), false, Some(0.9)).is_some());
        assert_eq!(games, Some(16));
    }

    #[test]
    fn spoiled_games_are_retried_early_only_if_the_host_is_trusted() {
        let mut fair = fair_play(Pause::Auto, 2);
        fair.ended(0, true, Some(0.9));
        assert!(!fair.may_retry_early(1));
        fair.ended(fair.period(), false, Some(0.0));
        assert!(!fair.may_retry_early(1));
        fair.ended(fair.period(), false, Some(0.0));
        assert!(fair.may_retry_early(1) && fair.may_retry_early(2));
        assert!(!fair.may_retry_early(3), "the last tries are kept for the end");
        fair.ended(fair.period(), true, None);
        assert!(!fair.may_retry_early(1));
    }

    /// Returns the duration of a wait on a host with this pressure, sampled every 100 ms.
    fn waited(fair: &mut FairPlay, start: Instant, pressure: Option<f64>) -> Duration {
        let sample = |waited: Duration| HostSample {
            at: start + waited,
            pressure: pressure.map(|share| waited.mul_f64(share)),
        };
        let mut waited = Duration::ZERO;
        while fair.may_retry(sample(waited)) != Retry::Now {
            waited += Duration::from_millis(100);
        }
        waited
    }

    #[test]
    fn a_run_waits_for_a_quieter_host_up_to_a_maximum() {
        let start = linesman_driver::now();
        let seconds = Duration::from_secs;
        let mut fair = fair_play(Pause::Auto, 2);
        assert_eq!(waited(&mut fair, start, Some(0.9)), seconds(10));
        assert_eq!(waited(&mut fair, start, Some(0.9)), seconds(30));
        assert_eq!(waited(&mut fair, start, Some(0.9)), seconds(60));
        assert_eq!(waited(&mut fair, start, Some(0.9)), seconds(60));
        assert_eq!(waited(&mut fair, start, Some(0.1)), SAMPLE_INTERVAL);
        assert_eq!(waited(&mut fair, start, None), seconds(60));
    }
}
