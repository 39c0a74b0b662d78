//! The time that a bot has used, and the means by which it is charged for its own delay only.

use std::num::NonZeroU32;
use std::time::Duration;

use linesman_types::reading::Reading;
use linesman_types::verdict::Evidence;

/// Maximum wait for evidence.
pub(super) const MOST_WAITING: Duration = Duration::from_secs(1);

/// The subject of a question for evidence.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum About {
    /// The turn that is about to begin.
    Turn,
    /// The move of this index, which took long.
    Move(usize),
    /// The move that is late.
    Late,
    /// The CPU time that the bot on move has used, where that is counted.
    Clock,
    /// The same just before its answer is handed over: nobody asks for it.
    Answer,
    /// The ponder search that is about to begin.
    PonderBegins,
    /// The ponder search that has ended without a hit.
    PonderEnds,
    /// That it is not ready in its time.
    Readiness,
}

/// The means by which a bot is charged for its own delay only.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Fairness {
    /// The time that it had used at some moment before this game; without it that is
    /// asked before its first turn.
    pub earlier: Option<Reading>,
    /// The result of a late move that the host explains.
    pub late: LateMoves,
    /// The pause while it is not on move.
    pub pausing: Pausing,
    /// The pause while it waits for its next game and others play.
    pub pausing_between_games: Pausing,
    /// Number of CPUs that it may use.
    pub cpus: NonZeroU32,
}

impl Default for Fairness {
    fn default() -> Fairness {
        Fairness {
            earlier: None,
            late: LateMoves::Void,
            pausing: Pausing::Off,
            pausing_between_games: Pausing::Off,
            cpus: NonZeroU32::MIN,
        }
    }
}

/// The result of a late move that the host explains.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum LateMoves {
    /// The game is void, to be played again.
    #[default]
    Void,
    /// It is lost on time, marked as overload.
    Lost,
}

/// The setting by which a bot is paused while it is not on move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Pausing {
    /// It may do as it likes.
    #[default]
    Off,
    /// From when it is found to have used CPU time out of turn it is stopped after each of its moves.
    OnSuspicion,
    /// It is stopped after its move until its next turn.
    On,
}

/// The time of a seat's bot, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The time that it had used when it was last looked at.
    pub last: Option<Reading>,
    /// True if its last move took long.
    pub takes_long: bool,
    /// True if its last move took more than half of what it might.
    pub is_near_limit: bool,
    /// True if the host says nothing of it.
    pub is_unknown: bool,
    /// Maximum CPU time of its own moves since it was last looked at.
    pub unmeasured: Duration,
    /// CPU time that it has used out of turn, at least.
    pub off_move: Duration,
    /// Number of turns before which that was looked at.
    pub looks: u32,
}

/// CPU time out of turn that is no reason to pause a bot: in all, and a turn. Runtimes collect garbage and
/// compile.
const HARMLESS_OFF_MOVE: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(1));

impl Measured {
    /// Takes note of what it had used before a turn; true if it uses much CPU time out of turn.
    pub(super) fn note_turn(&mut self, reading: &Reading) -> bool {
        let Some(last) = &self.last else { return false };
        let used = reading.cpu.saturating_sub(last.cpu).saturating_sub(self.unmeasured);
        self.off_move = self.off_move.saturating_add(used);
        self.looks += 1;
        let (in_all, a_turn) = HARMLESS_OFF_MOVE;
        self.off_move > in_all.max(a_turn.saturating_mul(self.looks))
    }

    /// The time that it has used since it was last looked at.
    pub(super) fn evidence(&self, reading: Option<&Reading>, lag: Duration) -> Evidence {
        let since = |earlier: &Reading| reading.map(|reading| reading.since(earlier));
        let (cpu, wait) = self.last.as_ref().and_then(since).unwrap_or_default();
        Evidence { cpu, wait, lag }
    }
}
