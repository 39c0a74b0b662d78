//! Notices about a run that is played on other machines, for people and programs that watch it.

use std::num::NonZeroU64;
use std::time::Duration;

/// The last known state of a worker.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct WorkerSeen {
    pub name: String,
    /// A number that distinguishes it from other workers of the same name.
    pub instance: u64,
    pub presence: Presence,
    /// The number of games that it plays at once.
    pub slots: u32,
    /// The number of games that it is playing.
    pub running: u32,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of its aborted games, plus the number of packs that it could not read.
    pub faults: u64,
    /// The speed of one core of its machine, in positions per second; `None` if unknown.
    pub speed: Option<NonZeroU64>,
    /// The time since its last status message.
    pub silent: Duration,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Presence {
    /// It has joined.
    New,
    /// It is present.
    There,
    /// It has left, or has been silent for too long.
    Gone,
}

/// The reason why nothing is played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Stall {
    /// The broker can't be reached.
    NoBroker,
    /// No worker is present.
    NoWorker,
    /// Workers are present, but can't play.
    CantPlay {
        workers: usize,
        /// Some of them, each with the reason.
        reasons: Vec<(String, String)>,
    },
    /// This number of workers is present, but they play no games and give no reason.
    Idle(usize),
}

/// A notice about a run that is played on other machines.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum LeaderNotice {
    /// The streams were lost, and this number of packs is published again.
    StoreLost(usize),
    /// The state of a worker. Reported when it joins or leaves, and from time to time.
    Worker(WorkerSeen),
    /// The files of bots can't be sent to the workers, for this reason. The leader tries again.
    CantSendBots(String),
    /// A worker returns games that it can't play, or can't play any games.
    CantPlay { worker: String, why: String },
    /// A worker's machine is overloaded: others play the games that it has not started.
    Overloaded { worker: String, why: String },
    /// A worker's clock is wrong, and so are the start times of its games.
    WrongClock {
        worker: String,
        /// The difference from the leader's clock.
        off_by: Duration,
        /// True if the worker's clock is ahead.
        is_ahead: bool,
    },
    /// A worker announces another speed than it recorded in a game.
    OtherSpeed {
        worker: String,
        /// The announced speed, in positions per second.
        announced: NonZeroU64,
        /// The recorded speed, in positions per second.
        recorded: NonZeroU64,
    },
    /// A worker sent a false result: its results are refused from now on.
    Refused {
        worker: String,
        /// The game.
        id: String,
        why: String,
    },
    /// A worker annulled several games in a row: it plays no more games until it is started again.
    SetAside {
        worker: String,
        /// The number of annulled games.
        voids: u32,
    },
    /// Games wait, but none has been played for some time.
    Stalled {
        /// An upper bound on the number of games that wait.
        games: u64,
        cause: Stall,
    },
    /// Workers played a game differently although its bots are deterministic.
    Disagreed {
        /// The game.
        id: String,
        /// The workers, in the order in which they played it.
        workers: Vec<String>,
        /// The worker that differs from the others, if the others agree.
        odd: Option<String>,
    },
    /// Repeats of games can no longer be kept, for this reason. The league continues.
    RepeatsLost(String),
    /// A duplicate result, or one of a game that is no longer needed, was received.
    Duplicate {
        worker: String,
        /// The game.
        id: String,
    },
    /// Several workers failed to finish a game: it is not published again in this run.
    GivenUp {
        /// The game.
        id: String,
        deliveries: u64,
    },
}

impl LeaderNotice {
    /// The state of a worker, if the notice is about that alone.
    pub fn worker(&self) -> Option<&WorkerSeen> {
        match self {
            LeaderNotice::Worker(seen) => Some(seen),
            LeaderNotice::StoreLost(_)
            | LeaderNotice::CantSendBots(_)
            | LeaderNotice::CantPlay { .. }
            | LeaderNotice::Overloaded { .. }
            | LeaderNotice::WrongClock { .. }
            | LeaderNotice::OtherSpeed { .. }
            | LeaderNotice::Refused { .. }
            | LeaderNotice::SetAside { .. }
            | LeaderNotice::Stalled { .. }
            | LeaderNotice::Disagreed { .. }
            | LeaderNotice::RepeatsLost(_)
            | LeaderNotice::Duplicate { .. }
            | LeaderNotice::GivenUp { .. } => None,
        }
    }
}
