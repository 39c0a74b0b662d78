//! Things that happen in a run that is played elsewhere, for people and programs that look on.

use std::num::NonZeroU64;
use std::time::Duration;

/// A worker that plays games of a run elsewhere.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct WorkerSeen {
    /// Its name.
    pub name: String,
    /// A number that tells it from others of the same name.
    pub instance: u64,
    /// Its fate.
    pub presence: Presence,
    /// The number of games that it plays at once.
    pub slots: u32,
    /// The number of games that it is playing.
    pub running: u32,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of games that were broken off, and of packs that could not be read.
    pub faults: u64,
    /// The speed of one core of its machine, in positions a second; none = it is not known.
    pub speed: Option<NonZeroU64>,
    /// The time since its last word.
    pub silent: Duration,
}

/// The fate of a worker.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Presence {
    /// It has joined.
    New,
    /// It is there.
    There,
    /// It has left, or was not heard for long.
    Gone,
}

/// The cause why nothing is played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Stall {
    /// The broker can't be reached.
    NoBroker,
    /// No worker is there.
    NoWorker,
    /// Workers are there, and give games back.
    CantPlay {
        /// The number of workers.
        workers: usize,
        /// Some of them, and why.
        reasons: Vec<(String, String)>,
    },
    /// Workers are there, and do not say why they play nothing.
    Idle {
        /// The number of workers.
        workers: usize,
    },
}

/// Something of a run that is played elsewhere, for people.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum LeaderNotice {
    /// The streams were lost, and the packs are published again.
    StoreLost {
        /// The number of packs.
        packs: usize,
    },
    /// A worker joined, left, or is told of from time to time.
    Worker(WorkerSeen),
    /// The files of bots can't be sent to the workers. It is tried again.
    CantSendBots {
        /// The reason.
        why: String,
    },
    /// A worker gives games back that it can't play, or can't play at all.
    CantPlay {
        /// The worker.
        worker: String,
        /// The reason.
        why: String,
    },
    /// A worker's machine is overloaded: others play what it has not begun.
    Overloaded {
        /// The worker.
        worker: String,
        /// The reason.
        why: String,
    },
    /// A worker's clock is wrong, and with it the times at which its games began.
    WrongClock {
        /// The worker.
        worker: String,
        /// The difference from the leader's clock.
        off_by: Duration,
        /// True if it is ahead.
        is_ahead: bool,
    },
    /// A game of a worker was played with the times of another speed than the worker announces.
    OtherSpeed {
        /// The worker.
        worker: String,
        /// The speed that it announces, in positions a second.
        announced: NonZeroU64,
        /// The speed in the game's record.
        recorded: NonZeroU64,
    },
    /// A worker sent a result that can't be true: its results are refused from now on.
    Refused {
        /// The worker.
        worker: String,
        /// The game.
        id: String,
        /// The reason.
        why: String,
    },
    /// A worker annulled several games in a row: it plays no more until it is started again.
    SetAside {
        /// The worker.
        worker: String,
        /// The number of games.
        voids: u32,
    },
    /// Games wait, and for some time nothing has been played.
    Stalled {
        /// Maximum number of games that wait.
        games: u64,
        /// The cause.
        cause: Stall,
    },
    /// Workers came to different games although the bots are deterministic.
    Disagreed {
        /// The game.
        id: String,
        /// The workers, in the order in which they played it.
        workers: Vec<String>,
        /// The one that differs from the others, if several agree.
        odd: Option<String>,
    },
    /// Repeats of games can't be kept any more. The league goes on.
    RepeatsLost {
        /// The reason.
        why: String,
    },
    /// A result came of a game that has one.
    Double {
        /// The worker.
        worker: String,
        /// The game.
        id: String,
    },
    /// Several workers did not come to the end of a game: nobody is asked to play it any more.
    GivenUp {
        /// The game.
        id: String,
        /// The number of deliveries.
        deliveries: u64,
    },
}
