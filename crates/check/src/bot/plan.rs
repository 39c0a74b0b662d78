//! The bot that is checked, and the extent of the check.

use std::sync::Arc;
use std::time::Duration;

use linesman_driver::{BotSpec, StopSwitch};
use linesman_games::{Game, Setup};
use linesman_referee::SeatLimits;

use super::item::CheckItem;

/// A bot that is to be checked.
#[derive(Clone)]
pub struct BotCheck {
    /// Its command and its identity.
    pub spec: Arc<BotSpec>,
    /// The same without the sandbox; none if bots are not confined.
    pub unconfined: Option<Arc<BotSpec>>,
    /// Its command as records name it.
    pub command: String,
    /// The limits of its seat.
    pub limits: SeatLimits,
    /// The games that are tried; each takes [the options](BotCheck::options).
    pub games: Vec<&'static Game>,
    /// Options of the games, which all of them take.
    pub options: Vec<(String, String)>,
    /// The seed of the moves of the bot's partners.
    pub seed: u64,
    /// True if the bot must play all of the games.
    pub are_named: bool,
    /// The items that are tried.
    pub items: Vec<CheckItem>,
    /// The length of the check.
    pub extent: Extent,
    /// Ends the check before it is done.
    pub stop: StopSwitch,
}

/// Options that were given, with their values.
pub(super) type GivenOptions = [(String, String)];

impl BotCheck {
    /// A game with the options of the check.
    pub(super) fn setup(&self, game: &Game) -> Option<Arc<dyn Setup>> {
        game.configure(&pairs(&self.options)).ok()
    }
}

fn pairs(given: &GivenOptions) -> Vec<(&str, &str)> {
    given.iter().map(|(name, value)| (&**name, &**value)).collect()
}

/// A game with one option more than those that were given; `None` if that one is among them.
pub(super) fn setup_with(
    given: &GivenOptions,
    game: &Game,
    name: &str,
    value: i64,
) -> Option<Arc<dyn Setup>> {
    let value = value.to_string();
    let mut options = pairs(given);
    if options.iter().any(|(known, _)| *known == name) {
        return None;
    }
    options.push((name, &value));
    game.configure(&options).ok()
}

/// Maximum number of games that one process plays.
pub(super) const MOST_GAMES: usize = 200;

/// The length of a check.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Extent {
    /// A minute or two.
    Full,
    /// Some seconds.
    Quick,
}

impl Extent {
    /// The limit of a move in games that do not try limits.
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

    /// Number of games that one process plays, however long they take.
    pub(super) fn least_games(self) -> usize {
        match self {
            Extent::Full => MOST_GAMES,
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
