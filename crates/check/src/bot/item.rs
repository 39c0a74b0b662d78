//! The items of a check, and their results as values.

use std::time::Duration;

use linesman_games::Refusal;
use linesman_record::{FaultRecord, GameRecord, TranscriptRecord};
use linesman_types::seat::Seat;
use linesman_types::verdict::Fault;

/// Declares the items with their words and a sentence about each.
macro_rules! items {
    ($($name:ident = $word:literal, $about:literal;)+) => {
        /// An item of a check.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum CheckItem {
            $(#[doc = $about] $name,)+
        }

        impl CheckItem {
            /// All items, in the order in which they are tried.
            pub const ALL: &'static [CheckItem] = &[$(CheckItem::$name),+];

            /// The word for it on the command line and in reports.
            pub fn word(self) -> &'static str {
                match self { $(CheckItem::$name => $word,)+ }
            }

            /// The behaviour that is expected, in a sentence.
            pub fn about(self) -> &'static str {
                match self { $(CheckItem::$name => $about,)+ }
            }
        }
    };
}

items! {
    Handshake = "handshake", "The bot answers `ugi` with well-formed lines and `ugiok` in time.";
    Game = "game", "The bot plays a game from its start.";
    Positions = "positions", "The bot moves in early, middle, late and rare positions, given by moves and by token.";
    Pass = "pass", "The bot passes where it has no other move.";
    FullBoard = "full-board", "The bot moves shortly before the end of a long game.";
    DropOut = "drop-out", "The bot plays on after one of three or four seats has gone out, and after a teammate has resigned.";
    Clock = "clock", "The bot plays with clocks and an increment.";
    Sessions = "sessions", "The bot plays with clocks and `movestogo`.";
    MoveLimit = "move-limit", "The bot plays with clocks and a limit for the single move (`movetime`).";
    OwnClock = "own-clock", "The bot reads its own clock as the second seat, where the others have far more time.";
    ShortTime = "short-time", "The bot answers in time with 20 ms for a move, and with 1 ms on its clock.";
    Whitespace = "whitespace", "The bot reads words that several blanks or tabs separate.";
    UnknownWords = "unknown-words", "The bot ignores unknown lines and unknown words after known ones.";
    LineEnds = "line-ends", "The bot reads lines that end with `\\r\\n`.";
    LongLines = "long-lines", "The bot reads long lines in one piece.";
    ManyGames = "many-games", "One process plays many games.";
    Growth = "growth", "Memory and CPU time do not grow from game to game.";
    Idle = "idle", "The bot uses no CPU time while it is not on move.";
    Ponder = "ponder", "The bot thinks on its opponents' time, and answers after `ponderhit` and `stop` only.";
    FirstMove = "first-move", "The time from the start of the process to the first move.";
    Determinism = "determinism", "Two games with the same `game` line have the same moves.";
    Restart = "restart", "The bot plays in a second process after its first has ended.";
    TwoAtOnce = "two-at-once", "The bot plays in two processes that run at the same time.";
    Quit = "quit", "The bot exits after `quit`.";
    EndOfInput = "end-of-input", "The bot exits when its standard input ends.";
    Stdout = "stdout", "The bot writes only lines of the protocol to standard output.";
    Sandbox = "sandbox", "The bot plays in the sandbox as it does without it.";
}

/// The result of an item, for one game where it is about a game.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemResult {
    /// The item.
    pub item: CheckItem,
    /// The game that it is about.
    pub game: Option<&'static str>,
    /// The judgement.
    pub outcome: ItemOutcome,
    /// The figures that are reported and not judged.
    pub observed: Vec<Observation>,
    /// The time that it took.
    pub took: Duration,
}

/// The judgement of an item.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemOutcome {
    /// Nothing was wrong.
    Passed,
    /// Something was wrong.
    Failed(Box<ItemFailure>),
    /// It was not tried, or proves nothing.
    Skipped(SkipReason),
}

impl ItemOutcome {
    /// The outcome of a failure.
    pub(super) fn of(failure: ItemFailure) -> ItemOutcome {
        ItemOutcome::Failed(Box::new(failure))
    }

    /// The word for it in reports.
    pub fn word(&self) -> &'static str {
        match self {
            ItemOutcome::Passed => "passed",
            ItemOutcome::Failed(_) => "failed",
            ItemOutcome::Skipped(_) => "skipped",
        }
    }

    /// The failure, if it is one.
    pub fn failure(&self) -> Option<&ItemFailure> {
        match self {
            ItemOutcome::Failed(failure) => Some(failure),
            ItemOutcome::Passed | ItemOutcome::Skipped(_) => None,
        }
    }
}

/// The reason why an item is neither passed nor failed.
#[derive(Clone, PartialEq, Debug)]
pub enum SkipReason {
    /// The bot never got as far as a game.
    NoHandshake,
    /// The bot was not ready for a game that was tried before.
    NotReady,
    /// The bot plays none of the games.
    NothingPlayed,
    /// The bot does not play this game: it resigned or exited at once.
    NotPlayed,
    /// No such position was found in the games that the bot plays.
    NoSuchPosition,
    /// The item that it follows from failed or was not tried.
    NotMeasured,
    /// The bot does not announce that it understands this.
    NotAnnounced,
    /// Bots are not confined.
    NoSandbox,
    /// The host was too busy for a judgement of late moves.
    HostBusy(String),
}

/// Something that was wrong, with the evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemFailure {
    /// The problem. Together with the item it determines the advice.
    pub problem: ItemProblem,
    /// The game in which it showed, and the bot's seat there.
    pub game: Option<(Box<GameRecord>, Seat)>,
    /// The last lines between the referee and the bot.
    pub dialogue: Vec<TranscriptRecord>,
    /// The end of what the bot wrote to stderr.
    pub stderr: String,
    /// The findings of games that were played again with one thing changed.
    pub circumstances: Vec<Circumstance>,
}

/// A finding of a failed game that was played again with one thing changed.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Circumstance {
    /// With a limit for each move in place of clocks, the bot plays it.
    OnlyWithClocks,
    /// From the same position, told by its moves in place of its token, the bot plays it.
    OnlyByToken,
    /// In a new process the bot plays it, and after the game before it the bot fails again.
    OnlyAfterOthers,
    /// Without the sandbox the bot plays it.
    OnlyInSandbox,
}

impl ItemFailure {
    /// A failure that showed outside a game.
    pub(super) fn outside_games(problem: ItemProblem) -> ItemFailure {
        let (dialogue, stderr) = (Vec::new(), String::new());
        ItemFailure { problem, game: None, dialogue, stderr, circumstances: Vec::new() }
    }

    /// True if games that were played again had this finding.
    pub fn is_so(&self, circumstance: Circumstance) -> bool {
        self.circumstances.contains(&circumstance)
    }

    /// The record of the bot's fault, if it committed one.
    pub fn fault_record(&self) -> Option<&FaultRecord> {
        let (record, seat) = self.game.as_ref()?;
        record.faults.iter().find(|fault| usize::from(fault.seat) == seat.number())
    }

    /// The bot's fault, if it committed one.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault_record()?.fault.as_ref().ok()
    }
}

/// The kind of a problem.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemProblem {
    /// The bot failed in the game: the record has the fault.
    Fault,
    /// The bot resigned at once in a game that it was asked to play.
    Resigned,
    /// The bot plays none of the games.
    PlaysNothing,
    /// The bot could not play a second game, and was restarted.
    Restarted {
        /// The reason, for people.
        why: String,
        /// The number of the game, from 1.
        game: usize,
    },
    /// The bot did not answer in a dialogue outside of games.
    NotReady {
        /// The awaited answer.
        awaited: &'static str,
        /// The time that it had.
        limit: Duration,
    },
    /// The process was still running.
    StillRunning {
        /// The time that it had.
        limit: Duration,
        /// True if it had made a move; one that has made none ends in time.
        has_moved: bool,
    },
    /// A long line was read in pieces.
    CutLines {
        /// The length of the line in bytes.
        length: usize,
        /// The number of answers to words within it.
        answers: usize,
    },
    /// Lines that are not of the protocol.
    StrayLines {
        /// The number of lines.
        number: u64,
        /// The first of them, made printable.
        first: Vec<String>,
    },
    /// Memory grew from game to game.
    MemoryGrowth(Growth<u64>),
    /// CPU time grew from game to game.
    CpuGrowth(Growth<Duration>),
    /// The bot was busy while it was not on move.
    BusyOffMove {
        /// The time that it used a CPU or waited for one.
        busy: Duration,
        /// The time in which its opponents thought.
        wall: Duration,
    },
    /// The bot named a move to ponder on that can't be played.
    CantPonderOn {
        /// The move.
        text: String,
        /// The reason.
        why: Box<Refusal>,
    },
    /// The bot answered while it was to ponder.
    AnsweredEarly,
    /// The bot did not name a move after the end of its ponder search.
    NoMove {
        /// The line that ended it.
        to: &'static str,
        /// The time that it had.
        limit: Duration,
    },
    /// The bot named a move that can't be played after its ponder search.
    RefusedMove {
        /// The move.
        text: String,
        /// The reason.
        why: Box<Refusal>,
    },
    /// The bot plays without the sandbox and fails in it, with the fault of the record.
    OnlyWithoutSandbox,
}

/// A quantity in the first and in the last of many games.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Growth<T> {
    /// In the first games.
    pub early: T,
    /// In the last games.
    pub late: T,
}

/// A figure that is reported and not judged.
#[derive(Clone, PartialEq, Debug)]
pub enum Observation {
    /// The introduction of the bot.
    Introduced {
        /// Its name.
        name: Option<String>,
        /// Its author.
        author: Option<String>,
        /// The lines that it asked for.
        features: Vec<&'static str>,
        /// The number of its options.
        options: usize,
    },
    /// The moves that the bot made.
    Moves(usize),
    /// Number of positions in which it moved.
    Positions(usize),
    /// Number of games.
    Games(usize),
    /// Number of seats, where it is not the usual one.
    Seats(usize),
    /// Number of games that the busy host spoiled in every try.
    Spoiled(usize),
    /// Length of the longest line in bytes.
    LineLength(usize),
    /// The longest time of a move.
    Longest(Duration),
    /// The longest time of a move with a limit.
    LongestOf {
        /// The limit.
        limit: Duration,
        /// The longest time.
        used: Duration,
    },
    /// Peak memory in KiB.
    Memory(Growth<u64>),
    /// The CPU time of a game.
    Cpu(Growth<Duration>),
    /// The time that the bot was busy while it was not on move, and the time in which opponents thought.
    OffMove {
        /// The time that it used a CPU or waited for one.
        busy: Duration,
        /// The wall time.
        wall: Duration,
    },
    /// The time from the start to `ugiok`.
    Start(Duration),
    /// The time from `isready` to `readyok` in a new process.
    Ready(Duration),
    /// The times of the first move in a new process and in one that has played.
    FirstMove {
        /// In a new process.
        cold: Duration,
        /// In one that has played.
        warm: Duration,
    },
    /// True if two games with the same `game` line had the same moves.
    Repeats(bool),
    /// The time from `quit`, or from the end of its input, to the end of the process.
    Ended(Duration),
    /// The game was given up: the bot resigned or exited at once, with this fault.
    GivenUp(Option<&'static str>),
    /// Without the sandbox the bot fails as well.
    FailsAlike,
}
