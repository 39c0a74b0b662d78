//! The bot that is checked, and the extent of the check.

use std::sync::Arc;
use std::time::Duration;

use linesman_driver::{BotSpec, StopSwitch};
use linesman_games::{Game, Setup};
use linesman_referee::SeatLimits;

use super::item::CheckItem;

/// A bot to check, and what to try.
#[derive(Clone)]
pub struct BotCheck {
    /// The bot's command and identity.
    pub spec: Arc<BotSpec>,
    /// The same bot without the sandbox; `None` if there is no sandbox.
    pub unconfined: Option<Arc<BotSpec>>,
    /// The bot's command as it appears in records.
    pub command: String,
    /// The limits of the bot's seat.
    pub limits: SeatLimits,
    /// The games to try; each accepts [the options](BotCheck::options).
    pub games: Vec<&'static Game>,
    /// Options of the games, which all of them accept.
    pub options: Vec<(String, String)>,
    /// The seed of the moves of the bot's partners.
    pub seed: u64,
    /// True if the bot must play all of the games.
    pub are_named: bool,
    /// The items to try.
    pub items: Vec<CheckItem>,
    /// The length of the check.
    pub extent: Extent,
    /// Stops the check early.
    pub stop: StopSwitch,
}

/// The options of a check, with their values.
pub(super) type GivenOptions = [(String, String)];

impl BotCheck {
    /// Configures a game with the options of the check; `None` if the game refuses them.
    pub(super) fn setup(&self, game: &Game) -> Option<Arc<dyn Setup>> {
        game.configure(&pairs(&self.options)).ok()
    }
}

fn pairs(given: &GivenOptions) -> Vec<(&str, &str)> {
    given.iter().map(|(name, value)| (&**name, &**value)).collect()
}

/// Configures a game with one option in addition to the given ones. Returns `None` if that option is among them, or
/// if the game refuses the options.
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
pub(super) const MAX_GAMES: usize = 200;

/// The length of a check.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Extent {
    /// A minute or two.
    Full,
    /// Some seconds.
    Quick,
}

impl Extent {
    /// The limit of a move, except in items about limits.
    pub(super) fn limit(self) -> Duration {
        match self {
            Extent::Full => Duration::from_millis(200),
            Extent::Quick => Duration::from_millis(100),
        }
    }

    /// The turn on which the partners resign in a game that is played from its start.
    pub(super) fn resignation_turn(self) -> u32 {
        match self {
            Extent::Full => 12,
            Extent::Quick => 3,
        }
    }

    /// Minimum number of games that one process plays, unless they take too long.
    pub(super) fn min_games(self) -> usize {
        match self {
            Extent::Full => MAX_GAMES,
            Extent::Quick => 30,
        }
    }
}

/// The reason why a check has no result.
#[derive(Clone, PartialEq, Debug)]
pub enum CantCheck {
    /// The command can't be executed, with the system's reason.
    NotStarted(String),
    Stopped,
}

/// The error that the check was stopped.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stopped;

impl From<Stopped> for CantCheck {
    fn from(_: Stopped) -> CantCheck {
        CantCheck::Stopped
    }
}
