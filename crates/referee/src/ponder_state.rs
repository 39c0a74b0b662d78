//! The search of a bot that thinks on the others' time.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::GameTime;
use linesman_protocol::Said;
use linesman_types::seat::MAX_SEATS;

/// The ponder search of a seat's bot.
#[derive(Debug, Default)]
pub(super) enum PonderState {
    /// There is none.
    #[default]
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

    /// Ends the search of a bot whose turn begins, and returns it.
    pub(super) fn take_search(&mut self) -> Option<PonderSearch> {
        match std::mem::take(self) {
            PonderState::Searching(search) => Some(search),
            other @ (PonderState::None | PonderState::Stopping(_)) => {
                *self = other;
                None
            }
        }
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

impl PonderSearch {
    /// Returns true if all the expected moves have been played.
    pub(super) fn is_reached(&self) -> bool {
        self.played == self.expected.len()
    }
}
