//! The state that a runtime shares with the arena whose games it runs.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use linesman_types::seat::Seat;

use super::manner::Manner;

/// The behaviour of the other players in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Conduct {
    /// The turn on which they resign.
    pub(super) resignation_turn: u32,
    /// The time that they take for a move.
    pub(super) delay: Duration,
    /// The seed of their moves.
    pub(super) seed: u64,
    /// The seat that resigns on its second turn, if that is earlier.
    pub(super) early_resigner: Option<Seat>,
}

/// The settings of the current game, and the figures that the runtime measures.
#[derive(Debug, Default)]
pub(super) struct ArenaState {
    pub(super) manner: Cell<Manner>,
    pub(super) conduct: Cell<Conduct>,
    /// The time for which the bot was busy while it was not on move; `None` if that is not measured, or if the host
    /// does not report it.
    pub(super) off_move: Cell<Option<Duration>>,
    /// A sample at the end of each game, in the order of the games.
    pub(super) samples: RefCell<Vec<Sample>>,
}

/// The resources that a bot's process has used since its start.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) cpu: Duration,
    pub(super) peak_kib: u64,
}
