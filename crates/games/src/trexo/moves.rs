//! Moves: the two halves of a tile.

use crate::notation::Square;
use crate::scene::Direction;
use crate::trexo::board::{self, RANK};

/// A move: the squares of the X half and of the O half of the tile.
///
/// Holds any two squares from `a1` to `p16`; the rules decide if the move is legal.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Move {
    pub(super) cross: u8,
    pub(super) nought: u8,
}

impl Move {
    /// Makes the move that lays an X half and an O half, each within `a1` to `p16`.
    pub(crate) fn new(cross: Square, nought: Square) -> Option<Move> {
        let number = |square: Square| square.is_within(board::MAX_ROWS).then(|| board::number(square));
        Some(Move { cross: number(cross)?, nought: number(nought)? })
    }

    /// The square of the X half.
    pub(crate) fn cross(self) -> Square {
        board::square(self.cross)
    }

    /// The square of the O half.
    pub(crate) fn nought(self) -> Square {
        board::square(self.nought)
    }

    /// Returns the directions from the X half to the O half of a tile on two neighbours, and back.
    pub(super) fn joints(self) -> [Direction; 2] {
        use Direction::{East, North, South, West};
        match (self.nought > self.cross, self.cross.abs_diff(self.nought) == RANK) {
            (true, true) => [North, South],
            (true, false) => [East, West],
            (false, true) => [South, North],
            (false, false) => [West, East],
        }
    }
}
