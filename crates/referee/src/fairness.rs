//! The time that a bot has used, and the means of charging it only for its own delay.

use std::num::NonZeroU32;
use std::time::Duration;

use linesman_types::reading::Reading;
use linesman_types::verdict::Evidence;

pub(super) const MAX_EVIDENCE_WAIT: Duration = Duration::from_secs(1);

/// The subject of a question for evidence.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum About {
    /// The turn that is about to begin.
    Turn,
    /// The move of this index, which took long.
    Move(usize),
    /// The move that is late.
    Late,
    /// The CPU time of the bot on move, if that is counted.
    Clock,
    /// The same, immediately before its answer is handed over; the core does not ask for it.
    Answer,
    /// The ponder search that is about to begin.
    PonderBegins,
    /// The ponder search that has ended without a hit.
    PonderEnds,
    /// The bot's failure to be ready in time.
    Readiness,
}

/// The means of charging a bot only for its own delay.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Fairness {
    /// An earlier sample of its time, from before this game; without one it is sampled before its first turn.
    pub earlier: Option<Reading>,
    /// The consequence of a late move that the host explains.
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

/// The consequence of a late move that the host explains.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum LateMoves {
    /// The game is void and will be played again.
    #[default]
    Void,
    /// It is lost on time, marked as overload.
    Lost,
}

/// The setting by which a bot is paused while it is not on move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Pausing {
    /// It is not paused.
    #[default]
    Off,
    /// Once it has been found to use CPU time out of turn, it is stopped after each of its moves.
    OnSuspicion,
    /// It is stopped after its move until its next turn.
    On,
}

/// The known times of a seat's bot.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The last sample.
    pub last: Option<Reading>,
    /// True if that sample is of this game.
    pub is_last_of_game: bool,
    /// True if its last move took long.
    pub takes_long: bool,
    /// True if the host has no figures on it.
    pub is_unknown: bool,
    /// Maximum CPU time of its own moves since the last sample.
    pub unmeasured: Duration,
    /// Minimum CPU time that it has used out of turn.
    pub off_move: Duration,
    /// Number of samples of that time, one before each turn.
    pub samples: u32,
}

/// Maximum CPU time out of turn, for each turn, for which a bot is not paused: runtimes collect garbage and compile.
pub const HARMLESS_OFF_MOVE: Duration = Duration::from_millis(1);

/// Maximum CPU time out of turn in a whole game for which a bot is not paused, if it had few turns.
const HARMLESS_OFF_MOVE_IN_ALL: Duration = Duration::from_millis(5);

impl Measured {
    /// Adds a sample before a turn. Returns true if the bot uses much CPU time out of turn. Between a sample of an
    /// earlier game and this one, the bot has got ready and has perhaps made many moves, which is no ground for suspicion.
    pub(super) fn note_turn(&mut self, reading: &Reading) -> bool {
        let Some(last) = self.last.as_ref().filter(|_| self.is_last_of_game) else { return false };
        let used = reading.cpu.saturating_sub(last.cpu).saturating_sub(self.unmeasured);
        self.off_move = self.off_move.saturating_add(used);
        self.samples += 1;
        self.off_move > HARMLESS_OFF_MOVE_IN_ALL.max(HARMLESS_OFF_MOVE.saturating_mul(self.samples))
    }

    /// Returns the time that it has used since the last sample.
    pub(super) fn evidence(&self, reading: Option<&Reading>, lag: Duration) -> Evidence {
        let since = |earlier: &Reading| reading.map(|reading| reading.since(earlier));
        let (cpu, wait) = self.last.as_ref().and_then(since).unwrap_or_default();
        Evidence { cpu, wait, lag }
    }
}
