//! The settings that a machine shares with the arena that orders its games.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use linesman_types::seat::Seat;

use super::manner::Manner;

/// The conduct of the partners in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Conduct {
    /// Number of turns after which they resign.
    pub(super) turns: u32,
    /// The time that they take for each move.
    pub(super) delay: Duration,
    /// The seed of their moves.
    pub(super) seed: u64,
    /// The seat that resigns on its second turn, earlier than the others.
    pub(super) leaver: Option<Seat>,
}

/// The settings of a machine, and the figures that it collects.
#[derive(Debug, Default)]
pub(super) struct ArenaSettings {
    /// The manner in which the bot is written to.
    pub(super) manner: Cell<Manner>,
    /// The conduct of its partners.
    pub(super) conduct: Cell<Conduct>,
    /// The time that the bot was busy between its answers and its next turns; none if that is not measured, or if
    /// the host does not report it.
    pub(super) off_move: Cell<Option<Duration>>,
    /// The figures after each game, in their order.
    pub(super) samples: RefCell<Vec<Sample>>,
}

/// The resources that a bot has used since its start, at the end of a game.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) cpu: Duration,
    pub(super) peak_kib: u64,
}
