//! The search of a bot that thinks on the others' time.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::GameTime;
use linesman_protocol::Said;
use linesman_types::seat::MAX_SEATS;

/// The ponder search of a seat's bot.
#[derive(Debug)]
pub(super) enum PonderState {
    None,
    /// It thinks and has been sent neither `ponderhit` nor `stop`.
    Searching(PonderSearch),
    /// It was sent `stop` at this time and has not answered.
    Stopping(GameTime),
}

impl PonderState {
    /// Returns true if the bot may think out of turn.
    pub(super) fn is_active(&self) -> bool {
        !matches!(self, PonderState::None)
    }
}

/// A search for a position that the bot expects.
#[derive(Debug)]
pub(super) struct PonderSearch {
    /// The moves that lead there.
    pub expected: ArrayVec<SmolStr, { MAX_SEATS - 1 }>,
    /// Number of those that have been played.
    pub played: usize,
    /// Its reports on the position.
    pub said: Said,
}
