//! The resources that each bot used in a game.

use std::num::NonZeroU32;
use std::time::Duration;

use linesman_referee::{Finished, PlayedMove, Reading};
use linesman_sandbox::HostLoad;
use linesman_types::seat::Seat;
use linesman_types::verdict::{Cause, Verdict, Void};

/// The resources that a bot used in a game.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Usage {
    /// Number of moves that the bot made.
    pub moves: u32,
    /// Number of moves that were measured.
    pub measured: u32,
    /// The wall time of the measured moves.
    pub wall: Duration,
    /// The CPU time of the measured moves.
    pub cpu: Duration,
    /// Time in the measured moves for which the bot was ready to run and waited for a CPU.
    pub wait: Duration,
    /// Time in the measured moves for which the referee waited for a CPU.
    pub lag: Duration,
    /// The CPU time from the bot's first turn to the end of the game; unknown after very short games.
    pub total_cpu: Option<Duration>,
    /// Minimum part of the total that was used neither in the bot's turns nor to ponder on request.
    pub off_move_cpu: Option<Duration>,
    /// The part of the total that was used to ponder on request; `None` if the bot was never told to ponder.
    pub ponder_cpu: Option<Duration>,
    /// Peak memory since the bot was started, in KiB, as [`Process::peak_kib`](linesman_sandbox::Process::peak_kib)
    /// counts it.
    pub peak_kib: Option<u64>,
    /// True if the bot was paused while it was not on move.
    pub is_paused: bool,
}

/// The load of the host in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Load {
    /// The length of the observation: from the first sample of a bot's CPU time to the end of the game.
    pub span: Duration,
    /// The counts of that time.
    pub counted: HostLoad,
}

impl Usage {
    /// Computes the usage from the moves, and from the CPU time of the whole game if that is known.
    ///
    /// `unanswered` is the time for which the bot was on move at the end without having moved.
    pub(super) fn of(
        moves: &[PlayedMove],
        seat: Seat,
        (total_cpu, ponder_cpu): (Option<Duration>, Option<Duration>),
        unanswered: Duration,
        cpus: NonZeroU32,
    ) -> Usage {
        let mut usage = Usage { total_cpu, ponder_cpu, ..Usage::default() };
        let max_cpu = |wall: Duration| wall.saturating_mul(cpus.get());
        let mut on_move = max_cpu(unanswered);
        for played in moves.iter().filter(|played| played.seat == seat && !played.is_elimination) {
            usage.moves += 1;
            let wall = played.wall.unwrap_or(played.used);
            // CPU time that exceeds the maximum for the turn was used before it.
            let cpu = played.evidence.map_or(max_cpu(wall), |evidence| evidence.cpu.min(max_cpu(wall)));
            on_move = on_move.saturating_add(cpu);
            if let Some(evidence) = played.evidence {
                usage.measured += 1;
                usage.wall = usage.wall.saturating_add(wall);
                usage.cpu = usage.cpu.saturating_add(cpu);
                usage.wait = usage.wait.saturating_add(evidence.wait);
                usage.lag = usage.lag.saturating_add(evidence.lag);
            }
        }
        let explained = on_move.saturating_add(ponder_cpu.unwrap_or_default());
        usage.off_move_cpu = total_cpu.map(|total| total.saturating_sub(explained));
        usage
    }
}

/// A sample of a bot's CPU time from an earlier game.
#[derive(Clone, Debug)]
pub(super) struct EarlierSample {
    pub(super) reading: Reading,
    /// Maximum CPU time of the bot's moves since then.
    pub(super) moves: Duration,
}

/// The samples of a bot's CPU time during a game.
#[derive(Debug, Default)]
pub(super) struct UsageSamples {
    /// The sample before the bot's first turn.
    first: Option<Reading>,
    last: Option<Reading>,
    /// Maximum CPU time of the bot's moves between the last sample and the beginning of the game, if the sample is older.
    earlier_moves: Duration,
    /// The CPU time when the bot was told to ponder, while it ponders.
    ponders_since: Option<Duration>,
    /// CPU time that the bot has used to ponder.
    pondered: Option<Duration>,
    /// CPU time from the first turn to the end of the bot or of the game.
    total: Option<Duration>,
    peak_kib: Option<u64>,
}

impl UsageSamples {
    pub(super) fn new(earlier: Option<EarlierSample>) -> UsageSamples {
        let (last, earlier_moves) = earlier.map(|earlier| (earlier.reading, earlier.moves)).unzip();
        UsageSamples { last, earlier_moves: earlier_moves.unwrap_or_default(), ..UsageSamples::default() }
    }

    /// Adds a sample before a turn. If the bot ponders, that ends.
    pub(super) fn begin(&mut self, reading: &Reading) {
        self.pause_pondering(reading.cpu);
        self.first.get_or_insert_with(|| reading.clone());
        self.note(reading);
    }

    pub(super) fn note(&mut self, reading: &Reading) {
        self.last = Some(reading.clone());
        self.earlier_moves = Duration::ZERO;
    }

    /// Adds a sample before the bot is told to ponder.
    pub(super) fn begin_pondering(&mut self, reading: &Reading) {
        self.ponders_since = Some(reading.cpu);
        self.note(reading);
    }

    /// Adds a sample after the bot was told to ponder.
    pub(super) fn end_pondering(&mut self, reading: &Reading) {
        self.pause_pondering(reading.cpu);
        self.note(reading);
    }

    fn pause_pondering(&mut self, cpu: Duration) {
        if let Some(since) = self.ponders_since.take() {
            let used = cpu.saturating_sub(since);
            self.pondered = Some(self.pondered.unwrap_or_default().saturating_add(used));
        }
    }

    /// Returns true if the bot has had a turn that was sampled.
    pub(super) fn has_begun(&self) -> bool {
        self.first.is_some()
    }

    /// Adds the CPU time and the peak memory since the start of the bot, at its end or at the end of the game.
    pub(super) fn add_last(&mut self, cpu: Option<Duration>, peak_kib: Option<u64>) {
        if let (Some(first), Some(cpu), None) = (&self.first, cpu, self.total) {
            self.total = Some(cpu.saturating_sub(first.cpu));
            self.pause_pondering(cpu);
        }
        self.peak_kib = self.peak_kib.or(peak_kib);
    }

    /// Returns the last sample for the next game. `moves` is the maximum CPU time of the bot's moves in this game.
    pub(super) fn into_earlier(self, moves: Duration) -> Option<EarlierSample> {
        let moves = self.earlier_moves.saturating_add(moves);
        self.last.map(|reading| EarlierSample { reading, moves })
    }

    /// The usage. `since_asked` is the time since the bot's last turn began.
    pub(super) fn usage(
        &self,
        seat: Seat,
        finished: &Finished,
        since_asked: Option<Duration>,
        cpus: NonZeroU32,
    ) -> Usage {
        let has_failed = || finished.verdict.faults().iter().any(|fault| fault.seat == seat);
        let is_unanswered = match &finished.verdict {
            // If the bot was not on move, no turn explains its CPU time.
            Verdict::Void { void: Void::Overload(late), .. } => late.seat == seat || has_failed(),
            Verdict::Void { void: Void::Host(_) | Void::NoBotPlayed | Void::Assisted(_), .. }
            | Verdict::Finished { cause: Cause::Resignation, .. } => true,
            Verdict::Finished {
                cause: Cause::Rules(_) | Cause::Adjudication(_) | Cause::Failure, ..
            } => has_failed(),
        };
        let unanswered = since_asked.filter(|_| is_unanswered).unwrap_or_default();
        let usage = Usage::of(
            &finished.moves,
            seat,
            (self.total, self.pondered.filter(|_| self.total.is_some())),
            unanswered,
            cpus,
        );
        Usage { peak_kib: self.peak_kib, ..usage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_types::verdict::Evidence;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn cpu_time_that_no_turn_explains_was_used_off_move() {
        let played = |seat, used, cpu: Option<u64>| PlayedMove {
            seat,
            is_elimination: false,
            text: "a1a2".into(),
            used: ms(used),
            wall: None,
            said: None,
            evidence: cpu.map(|cpu| Evidence { cpu: ms(cpu), wait: ms(3), lag: ms(1) }),
            ponder: None,
        };
        let moves = [
            played(Seat::FIRST, 100, Some(90)),
            played(Seat::SECOND, 50, Some(50)),
            played(Seat::FIRST, 2, None),
            // Some of this was used before the turn.
            played(Seat::FIRST, 10, Some(400)),
        ];
        let one = NonZeroU32::MIN;
        let usage = Usage::of(&moves, Seat::FIRST, (Some(ms(500)), None), ms(20), one);
        assert_eq!((usage.moves, usage.measured), (3, 2));
        assert_eq!((usage.wall, usage.cpu, usage.wait, usage.lag), (ms(110), ms(100), ms(6), ms(2)));
        assert_eq!(usage.off_move_cpu, Some(ms(500 - 90 - 2 - 10 - 20)));
        let pondered = Usage::of(&moves, Seat::FIRST, (Some(ms(500)), Some(ms(200))), ms(20), one);
        assert_eq!(pondered.off_move_cpu, Some(ms(500 - 90 - 2 - 10 - 20 - 200)));
        let usage = Usage::of(&moves, Seat::SECOND, (None, None), Duration::ZERO, one);
        assert_eq!((usage.moves, usage.off_move_cpu), (1, None));
    }

    #[test]
    fn moves_since_the_last_sample_add_up_over_games() {
        let reading = Reading { cpu: ms(7), ..Reading::default() };
        assert!(UsageSamples::new(None).into_earlier(ms(3)).is_none());
        let mut samples = UsageSamples::new(None);
        samples.begin(&reading);
        let earlier = samples.into_earlier(ms(3)).expect("the bot was sampled");
        let earlier = UsageSamples::new(Some(earlier)).into_earlier(ms(4)).expect("the sample is kept");
        assert_eq!((earlier.reading.cpu, earlier.moves), (ms(7), ms(7)));
        let mut samples = UsageSamples::new(Some(earlier));
        samples.note(&reading);
        assert_eq!(samples.into_earlier(ms(1)).map(|earlier| earlier.moves), Some(ms(1)));
    }
}
