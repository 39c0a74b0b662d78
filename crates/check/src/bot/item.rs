//! The items of a check, and their results as values.

use std::time::Duration;

use linesman_games::Refusal;
use linesman_protocol::ToBot;
use linesman_record::{FaultRecord, GameRecord, TranscriptRecord};
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;
use linesman_types::verdict::Fault;

/// Declares the items, each with its word and a sentence.
macro_rules! items {
    ($($name:ident = $word:literal, $about:literal;)+) => {
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum CheckItem {
            $(#[doc = $about] $name,)+
        }

        impl CheckItem {
            /// All items, in the order in which they are tried.
            pub const ALL: &'static [CheckItem] = &[$(CheckItem::$name),+];

            /// The word for the item on the command line and in reports.
            pub fn word(self) -> &'static str {
                match self { $(CheckItem::$name => $word,)+ }
            }

            /// A sentence about the item: the behaviour that it expects, or the figure that it measures.
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
    Elimination = "drop-out", "The bot plays on after one of three or four seats has been eliminated, and after a teammate has resigned.";
    Clock = "clock", "The bot plays with clocks and an increment.";
    Sessions = "sessions", "The bot plays with clocks and `movestogo`.";
    MoveLimit = "move-limit", "The bot plays with clocks and a limit for each move (`movetime`).";
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

/// The result of an item. An item about games has a result for each game.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemResult {
    pub item: CheckItem,
    /// The game, if the item is about games.
    pub game: Option<&'static str>,
    /// The judgement.
    pub outcome: ItemOutcome,
    /// Facts that are reported and not judged.
    pub observed: Vec<Observation>,
    pub took: Duration,
}

/// The judgement of an item.
#[derive(Clone, PartialEq, Debug)]
pub enum ItemOutcome {
    /// The bot behaved as expected.
    Passed,
    /// The bot did not behave as expected.
    Failed(Box<ItemFailure>),
    /// The item was not tried, or its result proves nothing.
    Skipped(SkipReason),
}

impl ItemOutcome {
    pub(super) fn of(failure: ItemFailure) -> ItemOutcome {
        ItemOutcome::Failed(Box::new(failure))
    }

    /// The word for the outcome in reports.
    pub fn word(&self) -> &'static str {
        match self {
            ItemOutcome::Passed => "passed",
            ItemOutcome::Failed(_) => "failed",
            ItemOutcome::Skipped(_) => "skipped",
        }
    }

    /// The failure, if the item failed.
    pub fn failure(&self) -> Option<&ItemFailure> {
        match self {
            ItemOutcome::Failed(failure) => Some(failure),
            ItemOutcome::Passed | ItemOutcome::Skipped(_) => None,
        }
    }
}

/// The reason why an item neither passed nor failed.
#[derive(Clone, PartialEq, Debug)]
pub enum SkipReason {
    /// The bot did not complete the handshake.
    NoHandshake,
    /// The bot was not ready for an earlier game.
    NotReady,
    /// The bot plays none of the games.
    NothingPlayed,
    /// The bot does not play this game: it resigned or exited at once.
    NotPlayed,
    /// The games that the bot plays have no position of the kind that the item needs.
    NoSuchPosition,
    /// The conditions for a measurement were not met, for example because an earlier step failed.
    NotMeasured,
    /// The bot does not announce the feature.
    NotAnnounced,
    /// Bots run without a sandbox.
    NoSandbox,
    /// The host was too busy to judge late moves.
    HostBusy(String),
}

/// A failed item, with the evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemFailure {
    /// The problem, which together with the item determines the advice.
    pub problem: ItemProblem,
    /// The game in which the problem occurred, and the bot's seat in it.
    pub game: Option<(Box<GameRecord>, Seat)>,
    /// The last lines between the referee and the bot.
    pub dialogue: Vec<TranscriptRecord>,
    /// The last part of the bot's stderr.
    pub stderr: String,
    /// Findings from playing the game again with one thing changed.
    pub circumstances: Vec<Circumstance>,
}

/// A finding from playing a failed game again with one thing changed.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Circumstance {
    /// The bot plays the game if each move has a limit and there are no clocks.
    OnlyWithClocks,
    /// The bot plays the game if the position is given by moves instead of its token.
    OnlyByToken,
    /// The bot plays the game in a new process, and fails again after the same preceding game.
    OnlyAfterOthers,
    /// The bot plays the game without the sandbox.
    FailsOnlyInSandbox,
}

impl ItemFailure {
    /// Creates a failure that occurred outside a game.
    pub(super) fn outside_games(problem: ItemProblem) -> ItemFailure {
        let (dialogue, stderr) = (Vec::new(), String::new());
        ItemFailure { problem, game: None, dialogue, stderr, circumstances: Vec::new() }
    }

    /// Returns true if playing the game again led to this finding.
    pub fn is_so(&self, circumstance: Circumstance) -> bool {
        self.circumstances.contains(&circumstance)
    }

    /// The messages to the bot in the dialogue.
    pub fn sent(&self) -> impl Iterator<Item = ToBot> + '_ {
        let to_bot = self.dialogue.iter().filter(|line| line.direction == Ok(Direction::ToBot));
        to_bot.filter_map(|line| ToBot::parse(&line.text).ok()?)
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

#[derive(Clone, PartialEq, Debug)]
pub enum ItemProblem {
    /// The bot committed the fault that is in the game's record.
    Fault,
    /// The bot resigned at once in a game that it must play.
    Resigned,
    /// The bot plays none of the games.
    PlaysNothing,
    /// The bot could not play another game in the same process, and was restarted.
    Restarted {
        why: String,
        /// The number of the game, from 1.
        game: usize,
    },
    /// The bot did not answer in a dialogue that the check conducts itself, without the referee.
    NotReady {
        /// The awaited answer.
        awaited: &'static str,
        /// The time limit of the answer.
        limit: Duration,
    },
    /// The process did not exit when asked.
    StillRunning {
        /// The time limit of the exit.
        limit: Duration,
        /// True if the process had made a move. One that had made none exited in time.
        has_moved: bool,
    },
    /// The bot read a long line in pieces.
    CutLines {
        /// The length of the line in bytes.
        length: usize,
        /// The number of answers to words within the line.
        answers: usize,
    },
    /// The bot wrote lines that are not part of the protocol.
    StrayLines {
        number: u64,
        /// The first of these lines, made printable.
        first: Vec<String>,
    },
    /// Memory grew from game to game.
    MemoryGrowth(Growth<u64>),
    /// CPU time grew from game to game.
    CpuGrowth(Growth<Duration>),
    /// The bot was busy while it was not on move.
    BusyOffMove {
        /// The time for which the bot used a CPU or waited for one.
        busy: Duration,
        /// The time for which its opponents thought.
        wall: Duration,
    },
    /// The bot named a move to ponder on that can't be played.
    CantPonderOn { text: String, why: Box<Refusal> },
    /// The bot answered while it was told to ponder.
    AnsweredEarly,
    /// The bot did not name a move after the end of its ponder search.
    NoMove {
        /// The line that ended the search.
        to: &'static str,
        /// The time limit of the answer.
        limit: Duration,
    },
    /// After its ponder search, the bot named a move that can't be played.
    RefusedMove { text: String, why: Box<Refusal> },
    /// The bot plays without the sandbox. Inside it, it commits the fault that the record contains.
    FailsOnlyInSandbox,
}

/// A quantity in the first and in the last of many games.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Growth<T> {
    /// The quantity in the first games.
    pub early: T,
    /// The quantity in the last games.
    pub late: T,
}

/// A fact that is reported and not judged.
#[derive(Clone, PartialEq, Debug)]
pub enum Observation {
    /// The introduction of the bot.
    Introduced {
        name: Option<String>,
        author: Option<String>,
        /// The kinds of lines that the bot asked for.
        features: Vec<&'static str>,
        /// The number of the bot's options.
        options: usize,
    },
    /// Number of moves that the bot made.
    Moves(usize),
    /// Number of positions in which the bot moved.
    Positions(usize),
    Games(usize),
    /// Number of seats, if it is not the usual one.
    Seats(usize),
    /// Number of games that the busy host spoiled in every attempt.
    Spoiled(usize),
    /// Length of the longest line in bytes.
    LineLength(usize),
    /// The time of the longest move.
    Longest(Duration),
    /// The time of the longest move, and its limit.
    LongestOf {
        limit: Duration,
        /// The time of the longest move.
        used: Duration,
    },
    /// Peak memory in KiB.
    Memory(Growth<u64>),
    /// The CPU time of a game.
    Cpu(Growth<Duration>),
    /// The load that the bot caused while it was not on move.
    OffMove {
        /// The time for which the bot used a CPU or waited for one.
        busy: Duration,
        /// The time for which its opponents thought.
        wall: Duration,
    },
    /// The time from the start of the process to `ugiok`.
    Start(Duration),
    /// The time from `isready` to `readyok` in a new process.
    Ready(Duration),
    /// The time of the first move of a game.
    FirstMove {
        /// The time in a new process.
        cold: Duration,
        /// The time in a process that has played before.
        warm: Duration,
    },
    /// True if two games with the same `game` line had the same moves.
    Repeats(bool),
    /// The time from `quit`, or from the end of the input, to the exit of the process.
    Ended(Duration),
    /// The bot does not play the game: it resigned at once (`None`), or committed this fault.
    GivenUp(Option<&'static str>),
    /// The bot fails without the sandbox as well.
    FailsAlike,
}
