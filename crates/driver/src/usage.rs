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
    /// Number of moves that it made.
    pub moves: u32,
    /// Number of moves that were measured.
    pub measured: u32,
    /// The time charged for those.
    pub wall: Duration,
    /// The CPU time of those.
    pub cpu: Duration,
    /// Time in those for which it was ready to run and waited for a CPU.
    pub wait: Duration,
    /// Time in those for which the referee waited for a CPU.
    pub lag: Duration,
    /// The CPU time from its first turn to the end of the game; unknown after very short games.
    pub total_cpu: Option<Duration>,
    /// Minimum part of it outside its turns and outside searches that it was told to make then.
    pub off_move_cpu: Option<Duration>,
    /// The part of it that was used to ponder on request; none if the bot was never told to ponder.
    pub ponder_cpu: Option<Duration>,
    /// Peak memory since it was started, in KiB, as
    /// [`Process::peak_kib`](linesman_sandbox::Process::peak_kib) counts it.
    pub peak_kib: Option<u64>,
    /// True if it was paused while it was not on move.
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
    /// The usage according to the moves, with the CPU time of the whole game if that is known.
    ///
    /// `unanswered` is the time for which it was on move at the end without having moved.
    pub(super) fn of(
        moves: &[PlayedMove],
        seat: Seat,
        (total_cpu, ponder_cpu): (Option<Duration>, Option<Duration>),
        unanswered: Duration,
        cpus: NonZeroU32,
    ) -> Usage {
        let mut usage = Usage { total_cpu, ponder_cpu, ..Usage::default() };
        let most = |wall: Duration| wall.saturating_mul(cpus.get());
        let mut on_move = most(unanswered);
        for played in moves.iter().filter(|played| played.seat == seat && !played.is_elimination) {
            usage.moves += 1;
            let wall = played.wall.unwrap_or(played.used);
            // CPU time beyond what it can have used in its turn was used before.
            let cpu = played.evidence.map_or(most(wall), |own| own.cpu.min(most(wall)));
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

/// The samples of a bot's CPU time during a game.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// The sample before its first turn.
    first: Option<Reading>,
    /// The last sample.
    last: Option<Reading>,
    /// The reading when it was last told to ponder, as long as it does.
    ponders_since: Option<Duration>,
    /// CPU time that it has used to ponder.
    pondered: Option<Duration>,
    /// At its end, or at the end of the game.
    total: Option<Duration>,
    peak_kib: Option<u64>,
}

impl Account {
    /// Creates the account of a bot with an earlier sample.
    pub(super) fn new(earlier: Option<Reading>) -> Account {
        Account { last: earlier, ..Account::default() }
    }

    /// Adds a sample before a turn, which ends a search that it was told to make.
    pub(super) fn begin(&mut self, reading: &Reading) {
        self.pause_pondering(reading.cpu);
        self.first.get_or_insert_with(|| reading.clone());
        self.note(reading);
    }

    /// Adds a sample.
    pub(super) fn note(&mut self, reading: &Reading) {
        self.last = Some(reading.clone());
    }

    /// Adds a sample before a search that it is told to make out of turn.
    pub(super) fn begin_pondering(&mut self, reading: &Reading) {
        self.ponders_since = Some(reading.cpu);
        self.note(reading);
    }

    /// Adds a sample after such a search.
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

    /// Returns true if the whole game can be accounted for.
    pub(super) fn has_begun(&self) -> bool {
        self.first.is_some()
    }

    /// Adds the total since its start, once it has ended or is about to be ended, or when the game is over.
    pub(super) fn close(&mut self, cpu: Option<Duration>, peak_kib: Option<u64>) {
        if let (Some(first), Some(cpu), None) = (&self.first, cpu, self.total) {
            self.total = Some(cpu.saturating_sub(first.cpu));
            self.pause_pondering(cpu);
        }
        self.peak_kib = self.peak_kib.or(peak_kib);
    }

    /// The last sample.
    pub(super) fn into_last(self) -> Option<Reading> {
        self.last
    }

    /// The usage. `since_asked` is the time since its last turn began.
    pub(super) fn usage(
        &self,
        seat: Seat,
        finished: &Finished,
        since_asked: Option<Duration>,
        cpus: NonZeroU32,
    ) -> Usage {
        let has_failed = || finished.verdict.faults().iter().any(|fault| fault.seat == seat);
        let is_unanswered = match &finished.verdict {
            // A bot that was not on move has no turn that explains its CPU time.
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
    fn what_was_used_out_of_turn_is_what_no_turn_explains() {
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
}
