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

/// The settings with which a slot runs its bots.
#[derive(Clone, Debug)]
pub struct SlotSettings {
    /// The CPUs to which bots are bound; empty for no binding.
    pub cpus: Vec<usize>,
    /// Maximum number of bots that wait for their next game. The one that has waited longest is dismissed first.
    pub idle_bots: usize,
    /// Number of concurrent games of the thread, including this slot's. Each lengthens the moves of the others. If
    /// there are several, their bots run under the batch policy.
    pub games_at_once: NonZeroU32,
}

impl Default for SlotSettings {
    fn default() -> SlotSettings {
        SlotSettings { cpus: Vec::new(), idle_bots: 8, games_at_once: NonZeroU32::MIN }
    }
}

impl SlotSettings {
    /// The CPUs to which a bot is bound, which are the first ones of the slot.
    pub(super) fn cpus_of(&self, spec: &BotSpec) -> &[usize] {
        let count = usize::try_from(spec.cpus.get()).unwrap_or(usize::MAX);
        &self.cpus[..count.min(self.cpus.len())]
    }

    /// The command that starts a bot in this slot.
    pub(super) fn command_of(&self, spec: &BotSpec) -> Command {
        let shares_cpus = self.games_at_once > NonZeroU32::MIN;
        Command { cpus: self.cpus_of(spec).to_vec(), shares_cpus, ..spec.command.clone() }
    }
}

/// A bot that plays: its command, and the identity by which running bots are reused.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BotSpec {
    /// Running bots of the same identity are interchangeable: they have the same command, environment and options.
    pub identity: String,
    /// The command that starts the bot; the slot chooses the CPUs.
    pub command: Command,
    /// Maximum number of the slot's CPUs that the bot may use, if bots are bound.
    pub cpus: NonZeroU32,
    /// Maximum time to end after `quit`, before the bot is killed.
    pub quit: Duration,
    /// Number of times that the bot took longer.
    pub overruns: QuitOverruns,
}

impl BotSpec {
    /// Creates a bot that may use one CPU, and has half a second to end.
    pub fn new(identity: impl Into<String>, command: Command) -> BotSpec {
        BotSpec {
            identity: identity.into(),
            command,
            cpus: NonZeroU32::MIN,
            quit: Duration::from_millis(500),
            overruns: QuitOverruns::default(),
        }
    }
}

/// A move of a game that is being played, or the elimination of a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveMade {
    /// The game's id, as in its record.
    pub id: String,
    /// The number of the move among those of the record, from 1.
    pub number: usize,
    /// The move or the elimination, with its time.
    pub played: PlayedMove,
    /// The limit of the seat's next move: what is left on its clock, or the time for each move.
    pub clock: Duration,
}

/// A listener to moves. It is called in the thread that plays, and must return quickly.
pub type MoveListener = Arc<dyn Fn(MoveMade) + Send + Sync>;

/// A listener to everything between the referee and the bots of a game. It is called in the thread that
/// plays, and must return quickly. Each line is reported after it has been written or stamped.
pub trait DialogueListener: Send {
    /// A game begins; its bots are cold or warm.
    fn begins(&mut self, setup: &GameSetup);

    /// A bot printed a line: its bytes without the `\n`.
    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]);

    /// A bot wrote to stderr.
    fn stderr(&mut self, at: GameTime, seat: Seat, bytes: &[u8]);

    /// An event that is not a line.
    fn happened(&mut self, at: GameTime, event: &Event);

    /// An action of the core is carried out.
    fn ordered(&mut self, at: GameTime, action: &Action);
}

/// A game to be played.
pub struct Game {
    /// The game. The slot fills in which bots are cold or warm.
    pub setup: GameSetup,
    /// The table with the opening on it.
    pub table: Box<dyn Table>,
    /// The players.
    pub bots: BySeat<Arc<BotSpec>>,
    /// Called after each move and each elimination.
    pub on_move: Option<MoveListener>,
    /// Hears every line to and from the bots.
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
    /// The verdict, and the course of the game.
    pub finished: Finished,
    /// The resources that each bot used.
    pub usage: BySeat<Usage>,
    /// The load of the host; unknown after very short games.
    pub load: Option<Load>,
    /// Length of the game, including the start of its bots.
    pub duration: Duration,
    /// Remarkable events.
    pub notes: Vec<GameNote>,
    /// The last lines between referee and bots.
    pub transcript: Transcript,
    /// Leftovers of the bots that were killed.
    pub leaked: Leaked,
}
