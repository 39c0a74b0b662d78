//! The bot that is checked, and the extent of the check.

use std::sync::Arc;
use std::time::Duration;

use linesman_driver::{BotSpec, StopSwitch};
use linesman_games::Game;
use linesman_referee::SeatLimits;

use super::item::CheckItem;

/// A bot that is to be checked.
#[derive(Clone)]
pub struct BotCheck {
    /// The way in which it is started.
    pub spec: Arc<BotSpec>,
    /// The same without the sandbox; none if there is none.
    pub unconfined: Option<Arc<BotSpec>>,
    /// Its command as records name it.
    pub command: String,
    /// The limits of its seat.
    pub limits: SeatLimits,
    /// The games that are tried.
    pub games: Vec<&'static dyn Game>,
    /// True if the bot is to play all of them.
    pub are_named: bool,
    /// The items that are tried.
    pub items: Vec<CheckItem>,
    /// The length of the check.
    pub extent: Extent,
    /// Ends the check before it is done.
    pub stop: StopSwitch,
}

/// The length of a check.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Extent {
    /// A minute or two.
    Full,
    /// Some seconds.
    Quick,
}

impl Extent {
    /// The limit of a move where nothing else is tried.
    pub(super) fn limit(self) -> Duration {
        match self {
            Extent::Full => Duration::from_millis(200),
            Extent::Quick => Duration::from_millis(100),
        }
    }

    /// Number of turns in a game that is played from its start.
    pub(super) fn turns(self) -> u32 {
        match self {
            Extent::Full => 12,
            Extent::Quick => 3,
        }
    }

    /// Number of games that one process plays.
    pub(super) fn games(self) -> usize {
        match self {
            Extent::Full => 200,
            Extent::Quick => 30,
        }
    }
}

/// The reason why a check has no result.
#[derive(Clone, PartialEq, Debug)]
pub enum CantCheck {
    /// The command can't be executed, with the system's reason.
    NotStarted(String),
    /// The check was stopped.
    Stopped,
}

/// The check was stopped.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stopped;

impl From<Stopped> for CantCheck {
    fn from(_: Stopped) -> CantCheck {
        CantCheck::Stopped
    }
}
