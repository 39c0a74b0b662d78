//! The board mirrored and turned.

use crate::notation::Square;
use crate::symmetry::GridSymmetry;
use crate::trexo::board::{self, SQUARES};
use crate::trexo::position::TopHalf;
use crate::trexo::{Move, Position, Trexo};
use linesman_types::seat::Seat;

impl Trexo {
    pub(super) fn transformed_position(&self, position: &Position, sight: GridSymmetry) -> Position {
        let seen = |number| board::number(self.square_seen(board::square(number), sight));
        let shown = [Seat::FIRST, Seat::SECOND].map(|seat| position.shown(seat));
        let mut cells = [TopHalf::EMPTY; SQUARES];
        for number in (shown[0] | shown[1]).numbers() {
            let cell = position.cell(number);
            cells[usize::from(seen(number))] = TopHalf::new(cell.level(), sight.direction(cell.joint()));
        }
        let shown = shown.map(|set| set.numbers().map(seen).collect());
        let ply =
            u16::try_from(position.ply()).expect("no more than the tiles, of which there are 512 at most");
        Position::new(&self.board, shown, cells, ply)
    }

    pub(super) fn transformed_move(&self, mv: Move, sight: GridSymmetry) -> Move {
        let [cross, nought] = [mv.cross(), mv.nought()].map(|square| self.square_seen(square, sight));
        Move::new(cross, nought).expect("squares of the board are seen on it")
    }

    fn square_seen(&self, square: Square, sight: GridSymmetry) -> Square {
        sight.square(square, self.board.size, self.board.size)
    }
}
