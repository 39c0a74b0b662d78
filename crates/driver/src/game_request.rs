//! A request to play a game, and its result.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use crate::transcript::Transcript;
use crate::usage::{Load, Usage};
use linesman_games::Table;
use linesman_referee::{Action, Event, Finished, GameSetup, GameTime, PlayedMove};
use linesman_sandbox::{Command, Leaked, QuitOverruns};
use linesman_types::seat::{BySeat, Seat};

/// The settings of a slot.
#[derive(Clone, Debug)]
pub struct SlotSettings {
    /// The CPUs to which bots are bound; none = wherever the system puts them.
    pub cpus: Vec<usize>,
    /// Number of bots that may wait for their next game; the longest waiting goes first.
    pub idle_bots: usize,
    /// Number of games that the thread plays at once, this slot's included: what is
    /// only measured to have it on record must not slow the others down.
    pub games_at_once: NonZeroU32,
}

impl Default for SlotSettings {
    fn default() -> SlotSettings {
        SlotSettings { cpus: Vec::new(), idle_bots: 8, games_at_once: NonZeroU32::MIN }
    }
}

impl SlotSettings {
    /// The CPUs to which a bot is bound: the first ones of the slot's.
    pub(super) fn cpus_of(&self, spec: &BotSpec) -> &[usize] {
        let own = usize::try_from(spec.cpus.get()).unwrap_or(usize::MAX);
        &self.cpus[..own.min(self.cpus.len())]
    }

    /// How a bot is started here.
    pub(super) fn command_of(&self, spec: &BotSpec) -> Command {
        let shares_cpus = self.games_at_once > NonZeroU32::MIN;
        Command { cpus: self.cpus_of(spec).to_vec(), shares_cpus, ..spec.command.clone() }
    }
}

/// A bot that plays: how it is started, and which running one will do as well.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BotSpec {
    /// Running bots of the same identity are interchangeable: the same command,
    /// surroundings and options.
    pub identity: String,
    /// How it is started; the slot decides on the CPUs.
    pub command: Command,
    /// How many of the slot's CPUs it may use, if its bots are bound.
    pub cpus: NonZeroU32,
    /// How long it may take to end after `quit`, before it is killed.
    pub quit: Duration,
    /// How often it took longer.
    pub overruns: QuitOverruns,
}

/// A move of a game that is being played, or the elimination of a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveMade {
    /// The id of the game.
    pub id: String,
    /// The number of the move among those of the record, from 1.
    pub number: usize,
    /// The move.
    pub played: PlayedMove,
    /// The limit of the seat's next move: what is left on its clock, or the time for each move.
    pub clock: Duration,
}

/// Somebody who is told of moves, in the thread that plays: it must return quickly.
pub type MoveListener = Arc<dyn Fn(MoveMade) + Send + Sync>;

/// Somebody who is told all that goes between the referee and the bots of a game, in the thread that plays:
/// it must return quickly. Nothing is told before a line has been written or stamped.
pub trait DialogueListener: Send {
    /// A game begins; its bots are cold or warm.
    fn begins(&mut self, setup: &GameSetup);

    /// A bot printed a line: its bytes without the `\n`.
    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]);

    /// A bot wrote to stderr.
    fn stderr(&mut self, at: GameTime, seat: Seat, bytes: &[u8]);

    /// Something happened that is no line.
    fn happened(&mut self, at: GameTime, event: &Event);

    /// An order of the core is carried out.
    fn ordered(&mut self, at: GameTime, action: &Action);
}

/// A game to be played.
pub struct Game {
    /// The game; whether bots are cold or warm is filled in by the slot.
    pub setup: GameSetup,
    /// The table with the opening on it.
    pub table: Box<dyn Table>,
    /// Who plays.
    pub bots: BySeat<Arc<BotSpec>>,
    /// The listener that is told of its moves.
    pub on_move: Option<MoveListener>,
    /// The listener that is told of its dialogue.
    pub dialogue: Option<Box<dyn DialogueListener>>,
}

/// A remark on the course of a game, for its log.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum GameNote {
    /// The bot of an earlier game could not play this one, so another process was started.
    Restarted {
        /// The seat of the bot.
        seat: Seat,
        /// The reason.
        why: String,
    },
    /// A remark of the referee.
    Remark(String),
}

impl fmt::Display for GameNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameNote::Restarted { why, .. } => write!(f, "restarted: {why}"),
            GameNote::Remark(text) => f.write_str(text),
        }
    }
}

/// A game that was played to its verdict.
#[derive(Debug)]
pub struct Played {
    /// How it ended, and its course.
    pub finished: Finished,
    /// What each bot has used.
    pub usage: BySeat<Usage>,
    /// How busy the host was; unknown after games that took a moment only.
    pub load: Option<Load>,
    /// How long it took, the start of bots included.
    pub duration: Duration,
    /// What was noticed.
    pub notes: Vec<GameNote>,
    /// The last lines between referee and bots.
    pub transcript: Transcript,
    /// What could not be ended of the bots that were killed.
    pub leaked: Leaked,
}
