//! The referee's core: one game as a state machine that takes events and returns actions.
//!
//! ```
//! use std::time::Duration;
//!
//! use linesman_games::find;
//! use linesman_referee::{
//!     Action, Adjudication, BotState, Core, Event, Fairness, GameSetup, GameTime, Input, Pondering, SeatLimits,
//!     SeatSetup,
//! };
//! use linesman_types::seat::{BySeat, Seat};
//! use linesman_types::time_control::ClockKind;
//!
//! let table = find("quixo").ok_or("there is no such game")?.configure(&[])?.start();
//! let seat = |_| SeatSetup {
//!     bot: BotState::Cold,
//!     options: Vec::new(),
//!     limits: SeatLimits::default(),
//!     fairness: Fairness::default(),
//!     time_control: None,
//! };
//! let setup = GameSetup {
//!     game: "quixo".to_owned(),
//!     options: "size=5".to_owned(),
//!     consultation: linesman_games::Consultation::Off,
//!     id: "ada~bob~1".to_owned(),
//!     opening_token: None,
//!     opening_moves: Vec::new(),
//!     time_control: "movetime=1s".parse()?,
//!     clock: ClockKind::Wall,
//!     margin: Duration::from_millis(50),
//!     pondering: Pondering::Off,
//!     adjudication: Adjudication::default(),
//!     seats: BySeat::from_fn(2, seat),
//! };
//! let mut core = Core::new(setup, table);
//!
//! let mut actions = Vec::new();
//! core.start(&mut actions);
//! assert!(actions.contains(&Action::Start { seat: Seat::FIRST }));
//!
//! // Both bots answer, and seat 1 is asked for its move.
//! let at = |milliseconds| GameTime(Duration::from_millis(milliseconds));
//! for line in ["ugiok", "readyok"] {
//!     for seat in Seat::all(2) {
//!         core.line(at(20), seat, line.as_bytes(), &mut actions);
//!     }
//! }
//! core.handle(Input { at: at(30), event: Event::Sent { seat: Seat::FIRST } }, &mut actions);
//!
//! // The cube in the middle may not be taken: seat 1 has lost.
//! core.line(at(40), Seat::FIRST, b"bestmove c3c1", &mut actions);
//! let Some(Action::Finish(finished)) = actions.pop() else { return Err("the game goes on".into()) };
//! assert_eq!(finished.verdict.faults()[0].seat, Seat::FIRST);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The core never reads a clock, a pipe or a random source. Each event carries its time. Tests can therefore
//! generate, replay and shrink any sequence of events without a process, and the transcript of a game always
//! leads to the same verdict.
//!
//! # What a driver has to do
//!
//! - Call [`Core::start`] and perform the actions in their order. Do the same after each [`Core::handle`],
//!   until [`Action::Finish`].
//! - For a [`SendKind::Turn`], first take all that the bot has printed, stamped with a time before the write;
//!   then write and hand over [`Event::Sent`]. Lines that a bot printed before it was asked are recognised by
//!   their stamps.
//! - Stamp a line when the read that completed it returns. A line that was read
//!   before the deadline has to be handed over before the [`Event::Tick`].
//! - If [`Core::is_charged_by`] holds for a line, hand over [`Event::Evidence`] for [`About::Answer`] just
//!   before it, with the same stamp.
//! - While [`Core::is_pondering`], listen to all bots and not only to the one on move.
//! - Hand over [`Event::Tick`] once [`Core::deadline`] is reached.
//!
//! # Modules
//!
//! All modules are private, and their types are exported here:
//!
//! - `state_machine`: [`Core`], and which part of it handles which event.
//! - `handshake`: what a bot says before `ugiok`; the preflight check of a league listens to it, too.
//! - `preparing`: from the start of the bots to the first turn. `turn`: a turn and its answer. `ending`: the verdict.
//! - `late_moves`: the judgement of late moves. `cpu_clock`: the same if CPU time is counted.
//! - `pondering`: bots that think on the others' time.
//! - `adjudicating`: games that are decided before their rules end them.
//! - `seat_state` and `turn_state`: the state of a seat and of the current turn.
//! - `fairness` and `ready_extension`: the host's effect on a bot's time, in a move and before the game.
//! - `status`: the public status of a running game.

mod adjudicating;
mod cpu_clock;
mod ending;
mod fairness;
mod handshake;
mod late_moves;
mod ponder_state;
mod pondering;
mod preparing;
mod ready_extension;
mod seat_state;
mod state_machine;
mod status;
mod turn;
mod turn_state;

#[cfg(test)]
#[path = "../../../tests/support/kept.rs"]
mod kept;
#[cfg(test)]
mod tests;

pub use fairness::{About, Fairness, HARMLESS_OFF_MOVE, LateMoves, Pausing};
pub use handshake::{HandshakeStep, Introduction, ended_before};
pub use pondering::{MAX_STOPPING, Pondering};
pub use ready_extension::ReadyExtension;
pub use state_machine::Core;
pub use status::{Doing, Readiness, Status, Wait};

pub use linesman_types::reading::Reading;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use smol_str::SmolStr;

use linesman_games::Consultation;
use linesman_games::solvable::Oracle;
use linesman_protocol::{Said, Variation};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{ClockKind, TimeControl, TimeScale};
use linesman_types::verdict::adjudication::ScoreRule;
use linesman_types::verdict::{Evidence, ExitStatus, Limit, Verdict};

/// Time since this game started.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub struct GameTime(pub Duration);

impl GameTime {
    pub(crate) fn after(self, duration: Duration) -> GameTime {
        GameTime(self.0.saturating_add(duration))
    }
}

/// An event and its time.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The time of the event.
    pub at: GameTime,
    /// The event.
    pub event: Event,
}

/// An event of a game.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A bot printed a line: its bytes without the `\n`.
    Line {
        /// The bot's seat.
        seat: Seat,
        /// The bytes.
        line: Vec<u8>,
    },
    /// A bot's line was longer than its maximum.
    LineTooLong {
        /// The bot's seat.
        seat: Seat,
        /// Number of bytes that arrived without a `\n`.
        bytes: u64,
    },
    /// A bot printed this text without a `\n`. It may be handed over before `Exited`, `OutputClosed` or a
    /// `Tick`, as evidence; it is never an answer. Until a line arrives, each of these events replaces the
    /// last one: after a `Tick` the referee may still wait for the bot, which can finish the line.
    Unfinished {
        /// The bot's seat.
        seat: Seat,
        /// The bytes.
        text: Vec<u8>,
    },
    /// A bot closed its output, and its process has not ended.
    OutputClosed {
        /// The bot's seat.
        seat: Seat,
        /// The end of its stderr.
        stderr_tail: String,
    },
    /// A bot's process ended and all that it had printed has been handed over.
    Exited {
        /// The bot's seat.
        seat: Seat,
        /// The end of the process.
        status: ExitStatus,
        /// The end of its stderr.
        stderr_tail: String,
    },
    /// A bot could not be started.
    StartFailed {
        /// The bot's seat.
        seat: Seat,
        /// The step that failed and why.
        error: String,
    },
    /// The bot's turn begins: `at` is the stamp taken just before the first write that held bytes of the `go`
    /// line, or of the turn's message if that could not be written at once. It must follow each
    /// [`SendKind::Turn`], even when the bot does not read or has closed its input: its clock runs anyway.
    Sent {
        /// The bot's seat.
        seat: Seat,
    },
    /// A bot used more of a resource than it may; the core itself checks lines.
    LimitExceeded {
        /// The bot's seat.
        seat: Seat,
        /// The resource.
        which: Limit,
        /// The amount that it may use.
        limit: u64,
        /// The amount that it used.
        used: u64,
    },
    /// The answer to [`Action::AskEvidence`].
    Evidence {
        /// The bot's seat.
        seat: Seat,
        /// The subject of the question.
        about: About,
        /// The time that the bot has used until now, if the host reports it.
        reading: Option<Reading>,
        /// The time for which the referee itself had to wait for a CPU since the turn began, if that may have
        /// kept it from seeing the bot's answer.
        lag: Duration,
    },
    /// Nothing happened, but a deadline may have passed.
    Tick,
    /// The referee can't go on, because of this failure of the host: the game is void.
    Stop(String),
}

/// Something the driver has to do.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// Start the seat's bot; answered by its lines, or by `StartFailed`. Texts to the bot follow at once.
    Start {
        /// The bot's seat.
        seat: Seat,
    },
    /// Write this text (whole lines) to a bot.
    Send {
        /// The bot's seat.
        seat: Seat,
        /// The lines, each with its `\n`.
        text: String,
        /// The kind, which determines whether [`Event::Sent`] must follow.
        kind: SendKind,
    },
    /// Measure the resources that a bot has used until now; answered by [`Event::Evidence`], if possible at
    /// once. It precedes turns and follows long moves, but never concerns moves that are answered at once.
    AskEvidence {
        /// The bot's seat.
        seat: Seat,
        /// The subject of the question.
        about: About,
    },
    /// Stop a bot that is not on move, with all that it started.
    Pause {
        /// The bot's seat.
        seat: Seat,
    },
    /// Resume a paused bot.
    Resume {
        /// The bot's seat.
        seat: Seat,
    },
    /// End a bot and all that it started; it can't be used again.
    Kill {
        /// The bot's seat.
        seat: Seat,
    },
    /// Something for the log, about a seat or the game.
    Note {
        /// The seat that it is about, if any.
        seat: Option<Seat>,
        /// The note.
        text: String,
    },
    /// The game is over; nothing follows.
    Finish(Box<Finished>),
}

/// The kind of a text to a bot.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum SendKind {
    /// It announces the game and asks whether the bot is ready.
    GetReady,
    /// It begins the bot's turn: its clock starts with it.
    Turn,
    /// It lets the bot ponder.
    Ponder,
    /// It begins with `stop`, which ends the pondering; if the game is over, the result follows.
    Stop,
    /// Anything else.
    Other,
}

/// A finished game, with all that a record needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The end of the game.
    pub verdict: Verdict,
    /// The squares that decided it.
    pub marks: Vec<linesman_games::scene::Mark>,
    /// The moves in the form of the protocol, with `!3` for a seat that was eliminated.
    pub moves: Vec<PlayedMove>,
    /// Each bot's introduction, if it got as far as `ugiok`.
    pub introductions: BySeat<Option<Introduction>>,
    /// For each bot, true if it could ponder: it announced that, and the game allows it.
    pub ponders: BySeat<bool>,
    /// For each bot, true if it has said `readyok`, in this game or in an earlier one of the same process.
    pub were_ready: BySeat<bool>,
    /// The state of each bot after the game.
    pub bots: BySeat<BotAfter>,
    /// The ignored lines of each bot.
    pub ignored: BySeat<IgnoredLines>,
}

/// Lines of a bot with an unknown verb.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct IgnoredLines {
    /// The number of lines.
    pub number: u64,
    /// The first of them, made printable.
    pub first: String,
}

/// The state of a bot when its game is over.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum BotAfter {
    /// It waits for the next game: [`BotState::Warm`] with its introduction.
    Waiting,
    /// It was stopped in the middle of an answer, which might arrive in the next game: it did nothing wrong,
    /// but has to be ended.
    Busy,
    /// It was killed, or has ended by itself.
    Gone,
}

/// One move of a game, or the elimination of a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// The seat that moved or was eliminated.
    pub seat: Seat,
    /// True if the seat was eliminated: nobody moved.
    pub is_elimination: bool,
    /// The move's text; `!3` if seat 3 was eliminated. All moves of hundreds of games are kept, and nearly
    /// all are short: those need no further memory.
    pub text: SmolStr,
    /// The charged time: CPU time if the clock counts that.
    pub used: Duration,
    /// The wall time, if another time is charged.
    pub wall: Option<Duration>,
    /// The bot's report on its search, if any: bots of quick games send none, and all moves of hundreds of
    /// games are kept until the games end.
    pub said: Option<Box<Said>>,
    /// The host's figures on the time, if they were requested: for moves of more than 5 ms, and for all moves
    /// if CPU time is counted.
    pub evidence: Option<Evidence>,
    /// The moves that the bot expected next, if it pondered on them.
    pub ponder: Option<Box<Variation>>,
}

/// The state of a seat's bot before the game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum BotState {
    /// It has to be started and introduced.
    Cold,
    /// It has been running since an earlier game, and introduced itself in this way.
    Warm(Introduction),
}

/// The limits of a bot before and during a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct SeatLimits {
    /// Maximum time until `ugiok`, the start included.
    pub start: Duration,
    /// Maximum time until `readyok`.
    pub ready: Duration,
    /// Maximum time for a move, whatever the clock shows; none = the clock alone. The margin is added.
    pub max_move_time: Option<Duration>,
    /// Maximum length of a line in bytes; the driver stops reading at it.
    pub line: u64,
    /// Maximum output while on move in bytes, for each move separately.
    pub output_on_move: u64,
    /// Maximum output in a game while not on move, in bytes.
    pub output_off_move: u64,
}

/// Default for the delay of a move that is forgiven.
pub const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

impl Default for SeatLimits {
    fn default() -> SeatLimits {
        SeatLimits {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            max_move_time: None,
            line: 64 << 10,
            output_on_move: 8 << 20,
            output_off_move: 1 << 20,
        }
    }
}

/// One seat of a game that is about to start.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct SeatSetup {
    /// The state of its bot.
    pub bot: BotState,
    /// The bot's own options, sent once after its handshake.
    pub options: Vec<(String, String)>,
    /// The limits of its seat.
    pub limits: SeatLimits,
    /// The settings by which it is charged for its own delay only.
    pub fairness: Fairness,
    /// Its own time control; none = that of the game.
    pub time_control: Option<TimeControl>,
}

/// A game that is about to start. The table is separate, and the opening moves have already been played
/// there: the ones here are for the messages to the bots.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSetup {
    /// The game's name.
    pub game: String,
    /// Every option with its value, as text.
    pub options: String,
    /// The permission for team mates to send each other messages.
    pub consultation: Consultation,
    /// The game's id in the records.
    pub id: String,
    /// The token of the position from which it starts, if that is not the usual start.
    pub opening_token: Option<String>,
    /// Moves that were played before the bots are asked.
    pub opening_moves: Vec<String>,
    /// The time control of all seats without one of their own.
    pub time_control: TimeControl,
    /// The kind of time that the time control counts.
    pub clock: ClockKind,
    /// The delay of a move that is forgiven.
    pub margin: Duration,
    /// The permission to let bots ponder.
    pub pondering: Pondering,
    /// The rules by which the referee decides the game early.
    pub adjudication: Adjudication,
    /// The seats.
    pub seats: BySeat<SeatSetup>,
}

impl GameSetup {
    /// Returns the time control of each seat.
    pub fn time_controls(&self) -> BySeat<TimeControl> {
        self.seats.map(|_, seat| seat.time_control.unwrap_or(self.time_control))
    }

    /// Scales the bots' times for a machine of another speed.
    pub fn scale_times(&mut self, scale: TimeScale) {
        self.time_control = self.time_control.scaled(scale);
        for (_, seat) in self.seats.iter_mut() {
            seat.time_control = seat.time_control.map(|control| control.scaled(scale));
            seat.limits.max_move_time = seat.limits.max_move_time.map(|limit| scale.time(limit));
        }
    }
}

/// The rules by which the referee decides a game of two sides early.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Adjudication {
    /// By the bots' scores.
    pub scores: ScoreRule,
    /// By a solved game; none = never.
    pub table: Option<TableRule>,
}

/// A game is decided once the value of its position is known.
#[derive(Clone)]
pub struct TableRule {
    /// The table of the solved game.
    pub oracle: Arc<dyn Oracle>,
    /// The minimum number of plies before that.
    pub from: u32,
}

impl PartialEq for TableRule {
    fn eq(&self, other: &TableRule) -> bool {
        Arc::ptr_eq(&self.oracle, &other.oracle) && self.from == other.from
    }
}

impl fmt::Debug for TableRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableRule").field("from", &self.from).finish_non_exhaustive()
    }
}
