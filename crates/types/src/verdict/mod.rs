//! The end of a game: by its rules, by a bot's failure, or without a result.

pub mod adjudication;
mod kind;

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::seat::{BySeat, Place, Seat};

pub use kind::FaultKind;

/// The end of a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The game has a result.
    Finished {
        /// The place of every seat.
        places: BySeat<Place>,
        /// The cause of the end.
        cause: Cause,
        /// The failures, in the order in which they happened.
        faults: Vec<SeatFault>,
    },
    /// The game has no result: nobody wins or loses.
    Void {
        /// The reason why it has no result.
        void: Void,
        /// The failures, in the order in which they happened.
        faults: Vec<SeatFault>,
    },
}

impl Verdict {
    /// The failures, in the order in which they happened.
    pub fn faults(&self) -> &[SeatFault] {
        match self {
            Verdict::Finished { faults, .. } | Verdict::Void { faults, .. } => faults,
        }
    }
}

/// The rule that ended a game. Each game declares its own.
///
/// ```
/// use linesman_types::verdict::Reason;
///
/// const STALEMATE: Reason = Reason::new("stalemate", "by stalemate");
/// assert_eq!(STALEMATE.to_string(), "stalemate");
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Reason {
    word: &'static str,
    phrase: &'static str,
}

impl Reason {
    /// Makes a reason from its word in protocol, records and tables, and the phrase
    /// that follows "won" or "drew" in a sentence.
    pub const fn new(word: &'static str, phrase: &'static str) -> Reason {
        Reason { word, phrase }
    }

    /// The word in protocol, records and tables.
    pub const fn word(self) -> &'static str {
        self.word
    }

    /// The phrase that follows "won" or "drew": `by a line`.
    pub const fn phrase(self) -> &'static str {
        self.phrase
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

/// The cause of the end of a game that has a result.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Cause {
    /// The game's rules.
    Rules(Reason),
    /// A resignation left one side.
    Resignation,
    /// The referee decided a game in progress.
    Adjudication(String),
    /// Bots failed until one side was left.
    Failure,
}

impl Cause {
    /// The kind, which is all that a word says.
    pub fn kind(&self) -> CauseKind<'static> {
        match self {
            Cause::Rules(reason) => CauseKind::Rules(reason.word()),
            Cause::Resignation => CauseKind::Resignation,
            Cause::Adjudication(_) => CauseKind::Adjudication,
            Cause::Failure => CauseKind::Failure,
        }
    }
}

/// The kind of a [`Cause`], as its word in protocol, records and tables (`reason` there) tells it.
///
/// ```
/// use linesman_types::verdict::CauseKind;
///
/// assert_eq!(CauseKind::from_word("failure"), CauseKind::Failure);
/// assert_eq!(CauseKind::from_word("stalemate"), CauseKind::Rules("stalemate"));
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum CauseKind<'w> {
    /// A resignation left one side.
    Resignation,
    /// The referee decided a game in progress.
    Adjudication,
    /// Bots failed until one side was left.
    Failure,
    /// The game's rules, by the word of the rule. The game may not have such a rule.
    Rules(&'w str),
}

impl<'w> CauseKind<'w> {
    /// The word.
    pub fn word(self) -> &'w str {
        match self {
            CauseKind::Resignation => "resignation",
            CauseKind::Adjudication => "adjudication",
            CauseKind::Failure => "failure",
            CauseKind::Rules(word) => word,
        }
    }

    /// Finds the kind with this word.
    pub fn from_word(word: &'w str) -> CauseKind<'w> {
        [CauseKind::Resignation, CauseKind::Adjudication, CauseKind::Failure]
            .into_iter()
            .find(|kind| kind.word() == word)
            .unwrap_or(CauseKind::Rules(word))
    }
}

/// A failure and the seat whose bot failed.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatFault {
    /// The seat whose bot failed.
    pub seat: Seat,
    /// The failure.
    pub fault: Fault,
    /// The bot's last few lines that the referee did not understand, such as a traceback
    /// instead of an answer.
    pub stray_lines: Vec<String>,
    /// True if it failed on its turn and had never asked for the list of legal moves.
    pub without_legal: bool,
}

/// A failure of a bot, with the evidence.
#[derive(Clone, PartialEq, Debug)]
pub enum Fault {
    /// It could not be started, or ended before its first `readyok`.
    NotStarted {
        /// The error, for people: the step and the path, or how it ended.
        error: String,
        /// The end of its process, if it was started; none if the record does not say.
        status: Option<ExitStatus>,
        /// The end of what it wrote to stderr.
        stderr_tail: String,
    },
    /// It did not answer in time before its first move.
    NotReady {
        /// The awaited answer.
        stage: Stage,
        /// The limit for that answer.
        limit: Duration,
        /// The time granted beyond that, because the host kept the bot waiting.
        granted: Duration,
    },
    /// Its move was late or missing.
    Time {
        /// The time that it was allowed to use.
        limit: Duration,
        /// The time that it used until it moved, or until the referee stopped waiting.
        used: Duration,
        /// The delay that would have been forgiven.
        margin: Duration,
        /// The host's measurements for that time, if any.
        evidence: Option<Evidence>,
        /// The part of that time that the host took from the bot.
        excuse: Duration,
        /// True if the move was late only because the host was overloaded.
        overload: bool,
        /// True if it moved in the end; none if the record does not say.
        moved: Option<bool>,
    },
    /// Its clock counts CPU time, and it used more than it was allowed to, or exceeded the bound
    /// on its wall time.
    CpuClock {
        /// The CPU time that it was allowed to use.
        limit: Duration,
        /// The delay that would have been forgiven.
        margin: Duration,
        /// The host's measurements, including the CPU time used.
        evidence: Evidence,
        /// The wall time from its `go` until it was judged.
        wall: Duration,
        /// The wall time that it was allowed to take.
        wall_bound: Duration,
    },
    /// Its process ended during the game.
    Crash {
        /// The end of the process.
        status: ExitStatus,
        /// The end of what it wrote to stderr.
        stderr_tail: String,
    },
    /// It closed its output but kept running.
    ClosedOutput {
        /// The end of what it wrote to stderr.
        stderr_tail: String,
    },
    /// It played a move that the rules forbid.
    IllegalMove {
        /// The move.
        text: String,
        /// The rule that it breaks.
        why: String,
    },
    /// Its answer is not a move.
    NotAMove {
        /// The answer.
        text: String,
        /// The reason why it is not a move.
        why: String,
    },
    /// It broke the protocol.
    Protocol {
        /// The line, made printable.
        line: String,
        /// A description of a correct line.
        expected: String,
    },
    /// It exceeded a limit.
    Limit {
        /// The limit.
        which: Limit,
        /// The amount that it may use, in the limit's [unit](Limit::unit).
        limit: u64,
        /// The amount that it had used when it was stopped.
        used: u64,
    },
}

impl Fault {
    /// The kind, as tables count it.
    pub fn kind(&self) -> FaultKind {
        match self {
            Fault::NotStarted { .. } => FaultKind::NotStarted,
            Fault::NotReady { .. } => FaultKind::NotReady,
            Fault::Time { overload: true, .. } => FaultKind::Overload,
            Fault::Time { .. } | Fault::CpuClock { .. } => FaultKind::Time,
            Fault::Crash { .. } => FaultKind::Crash,
            Fault::ClosedOutput { .. } => FaultKind::ClosedOutput,
            Fault::IllegalMove { .. } => FaultKind::IllegalMove,
            Fault::NotAMove { .. } => FaultKind::NotAMove,
            Fault::Protocol { .. } => FaultKind::Protocol,
            Fault::Limit { .. } => FaultKind::Limit,
        }
    }

    /// The word in records. A late move is `time` there even if the host explains it.
    pub fn word(&self) -> &'static str {
        // An overload has no word of its own.
        self.kind().own_index().map_or("time", |index| FaultKind::WORDS[index])
    }

    /// Returns true if a move was late only because the host was overloaded.
    pub fn is_overload(&self) -> bool {
        self.kind() == FaultKind::Overload
    }

    /// Returns the answer expected from a bot that failed before its first turn; `None` for a later fault.
    pub fn before_play(&self) -> Option<Stage> {
        match self {
            Fault::NotReady { stage, .. } => Some(*stage),
            Fault::NotStarted { .. } => Some(Stage::Handshake),
            Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => None,
        }
    }

    /// Returns the answer that was refused as a move.
    pub fn refused_move(&self) -> Option<&str> {
        match self {
            Fault::NotAMove { text, .. } | Fault::IllegalMove { text, .. } => Some(text),
            Fault::NotStarted { .. }
            | Fault::NotReady { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::Crash { .. }
            | Fault::ClosedOutput { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => None,
        }
    }
}

/// The host's measurements for the time that a bot took for a move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Evidence {
    /// The CPU time that all its processes used.
    pub cpu: Duration,
    /// The longest time that one of its threads was ready to run but had to wait for a CPU.
    pub wait: Duration,
    /// The time that the referee itself was ready to run but had to wait; if the move is missing, only
    /// the part in which the bot may have waited for the referee.
    pub lag: Duration,
}

impl Evidence {
    /// Returns the part of the time `wall` that the host took from a bot that may use
    /// `cpus` CPUs.
    ///
    /// CPU time that the bot used was not taken from it: a bot that makes its own
    /// threads, or the referee, wait for each other is not excused.
    pub fn excuse(&self, wall: Duration, cpus: NonZeroU32) -> Duration {
        let not_used = wall.saturating_sub(self.cpu / cpus.get());
        self.wait.saturating_add(self.lag).min(not_used)
    }
}

/// A move that was late because the host was overloaded.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Overload {
    /// The seat whose move it was.
    pub seat: Seat,
    /// The time that it was allowed to use.
    pub limit: Duration,
    /// The time that it used until it moved, or until the referee stopped waiting.
    pub used: Duration,
    /// The delay that would have been forgiven.
    pub margin: Duration,
    /// The host's measurements for that time.
    pub evidence: Evidence,
    /// The part of that time that the host took.
    pub excuse: Duration,
    /// True if it moved in the end.
    pub moved: bool,
    /// The bot's last few lines that the referee did not understand.
    pub stray_lines: Vec<String>,
}

impl fmt::Display for Overload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1_000.0);
        let Overload { seat, limit, used, margin, evidence, excuse, moved, stray_lines: _ } = self;
        let moved = if *moved { "moved after" } else { "had not moved after" };
        write!(
            f,
            "the machine was overloaded: seat {seat} {moved} {} of {} + {}, of which the machine took {} (waiting for a \
             CPU {}, referee delay {}, CPU time used {})",
            ms(*used),
            ms(*limit),
            ms(*margin),
            ms(*excuse),
            ms(evidence.wait),
            ms(evidence.lag),
            ms(evidence.cpu),
        )
    }
}

/// The answer that the referee awaits before a bot's first move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Stage {
    /// `ugiok` after `ugi`.
    Handshake,
    /// `readyok` after `isready`.
    Ready,
}

impl Stage {
    /// The text of the answer.
    pub fn answer(self) -> &'static str {
        match self {
            Stage::Handshake => "ugiok",
            Stage::Ready => "readyok",
        }
    }
}

/// The end of a process.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ExitStatus {
    /// It exited with this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
    /// The status could not be determined.
    Unknown,
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitStatus::Code(code) => write!(f, "exit status {code}"),
            ExitStatus::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            ExitStatus::Unknown => f.write_str("an unknown status"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

/// Declares the limits, each with its word in records and its unit.
macro_rules! limits {
    ($($(#[$doc:meta])* $limit:ident = $word:literal, $unit:ident;)+) => {
        /// A limited resource of a bot.
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum Limit {
            $($(#[$doc])* $limit,)+
        }

        impl Limit {
            /// All limits.
            pub const ALL: [Limit; [$($word),+].len()] = [$(Limit::$limit),+];

            /// The limit's word in records.
            pub fn word(self) -> &'static str {
                match self { $(Limit::$limit => $word,)+ }
            }

            /// The unit in which it is counted.
            pub fn unit(self) -> Unit {
                match self { $(Limit::$limit => Unit::$unit,)+ }
            }
        }
    };
}

limits! {
    /// The bytes of one line of its output.
    Line = "line", Bytes;
    /// The bytes of output while it is on move.
    OutputOnMove = "output_on_move", Bytes;
    /// The bytes of output in a game while it is not on move.
    OutputOffMove = "output_off_move", Bytes;
    /// The bytes of stderr in a game.
    Stderr = "stderr", Bytes;
    /// The bytes of memory of all its processes.
    Memory = "memory", Bytes;
    /// The number of processes and threads.
    Processes = "processes", Number;
    /// The bytes in its scratch folder.
    Scratch = "scratch", Bytes;
    /// The depth of nested folders in its scratch folder.
    ScratchDepth = "scratch_depth", Number;
    /// Folders and processes that it has hidden from its supervisor. None are allowed.
    Hidden = "hidden", Number;
    /// CPU time, in microseconds.
    CpuTime = "cpu", Microseconds;
}

/// The unit of a [`Limit`].
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// A count.
    Number,
    /// Microseconds.
    Microseconds,
}

/// The reason why a game has no result.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Void {
    /// The host failed in this way. The game is played again under the same id.
    Host(String),
    /// A move was late because the host was overloaded. The game is played again under the same id.
    Overload(Box<Overload>),
    /// Every side failed before the first move was requested.
    NoBotPlayed,
    /// A human player had help.
    Assisted(Assistance),
}

/// The help that a human player had in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Assistance {
    /// The number of times that the player took moves back.
    pub undos: u32,
    /// The number of moves suggested to the player.
    pub hints: u32,
}

impl Assistance {
    /// Returns true if there was no help.
    pub fn is_none(self) -> bool {
        self == Assistance::default()
    }
}

/// The help in words: `moves were taken back 2 times, and one hint was given`.
impl fmt::Display for Assistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.undos == 1 { "once".to_owned() } else { format!("{} times", self.undos) };
        let hints =
            if self.hints == 1 { "one hint was".to_owned() } else { format!("{} hints were", self.hints) };
        match (self.undos, self.hints) {
            (0, 0) => f.write_str("there was no help"),
            (_, 0) => write!(f, "moves were taken back {times}"),
            (0, _) => write!(f, "{hints} given"),
            _ => write!(f, "moves were taken back {times}, and {hints} given"),
        }
    }
}

impl Void {
    /// The word in records and tables if the host was at fault.
    pub const HOST: &'static str = "host";
    /// The word if every side failed before the first move was requested.
    pub const NO_BOT_PLAYED: &'static str = "no_bot_played";
    /// The word if a human player had help.
    pub const ASSISTED: &'static str = "assisted";

    /// The word in records and tables.
    pub fn word(&self) -> &'static str {
        match self {
            Void::Host(_) | Void::Overload(_) => Void::HOST,
            Void::NoBotPlayed => Void::NO_BOT_PLAYED,
            Void::Assisted(_) => Void::ASSISTED,
        }
    }
}

#[cfg(test)]
mod tests;
