//! The board mirrored and turned.

use crate::quixo::board::{self, Geometry};
use crate::quixo::{Move, Position, Quixo};
use crate::symmetry::GridSymmetry;
use linesman_types::seat::Seat;

impl Geometry {
    /// A set of squares under the symmetry.
    pub(crate) fn transformed(&self, set: u64, sight: GridSymmetry) -> u64 {
        let seen = |index| board::bit(sight.square(board::square(index), self.size, self.size));
        board::squares(set).map(seen).fold(0, |all, one| all | one)
    }

    /// A move of this board under the symmetry.
    pub(crate) fn transformed_move(&self, mv: Move, sight: GridSymmetry) -> Move {
        let [from, to] = [mv.from(), mv.to()].map(|square| sight.square(square, self.size, self.size));
        Move::new(from, to).expect("squares of the board are seen on it")
    }
}

impl Quixo {
    pub(super) fn transformed_position(&self, position: &Position, sight: GridSymmetry) -> Position {
        let cubes =
            [Seat::FIRST, Seat::SECOND].map(|seat| self.board.transformed(position.cubes(seat), sight));
        Position::new(cubes, position.ply())
    }
}
