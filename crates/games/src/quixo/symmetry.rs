//! The board mirrored and rotated.

use crate::quixo::board::{self, Geometry};
use crate::quixo::{Move, Position, Quixo};
use crate::symmetry::GridSymmetry;
use linesman_types::seat::Seat;

impl Geometry {
    /// Transforms a set of squares.
    pub(crate) fn transformed(&self, set: u64, symmetry: GridSymmetry) -> u64 {
        let image = |index| board::bit(symmetry.square(board::square(index), self.size, self.size));
        board::squares(set).map(image).fold(0, |set, bit| set | bit)
    }

    /// Transforms a move on this board.
    pub(crate) fn transformed_move(&self, mv: Move, symmetry: GridSymmetry) -> Move {
        let [from, to] = [mv.from(), mv.to()].map(|square| symmetry.square(square, self.size, self.size));
        Move::new(from, to).expect("squares of the board are seen on it")
    }
}

impl Quixo {
    pub(super) fn transformed_position(&self, position: &Position, symmetry: GridSymmetry) -> Position {
        let cubes =
            [Seat::FIRST, Seat::SECOND].map(|seat| self.board.transformed(position.cubes(seat), symmetry));
        Position::new(cubes, position.ply())
    }
}
