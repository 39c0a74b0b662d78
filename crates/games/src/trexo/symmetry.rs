//! The board mirrored and rotated.

use crate::notation::Square;
use crate::symmetry::GridSymmetry;
use crate::trexo::board::{self, SQUARES};
use crate::trexo::position::TopHalf;
use crate::trexo::{Move, Position, Trexo};
use linesman_types::seat::Seat;

impl Trexo {
    pub(super) fn transformed_position(&self, position: &Position, symmetry: GridSymmetry) -> Position {
        let image = |number| board::number(self.square_image(board::square(number), symmetry));
        let shown = [Seat::FIRST, Seat::SECOND].map(|seat| position.shown(seat));
        let mut cells = [TopHalf::EMPTY; SQUARES];
        for number in (shown[0] | shown[1]).numbers() {
            let cell = position.cell(number);
            cells[usize::from(image(number))] = TopHalf::new(cell.level(), symmetry.direction(cell.joint()));
        }
        let shown = shown.map(|set| set.numbers().map(image).collect());
        let ply =
            u16::try_from(position.ply()).expect("no more than the tiles, of which there are 512 at most");
        Position::new(&self.board, shown, cells, ply)
    }

    pub(super) fn transformed_move(&self, mv: Move, symmetry: GridSymmetry) -> Move {
        let [cross, nought] = [mv.cross(), mv.nought()].map(|square| self.square_image(square, symmetry));
        Move::new(cross, nought).expect("squares of the board are seen on it")
    }

    fn square_image(&self, square: Square, symmetry: GridSymmetry) -> Square {
        symmetry.square(square, self.board.size, self.board.size)
    }
}
