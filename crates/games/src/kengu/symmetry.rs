//! The board mirrored and rotated, and the two colours of a player's cards
//! swapped, since a line consists of one player's cards.

use crate::kengu::board::{self, Cards, Colour, SIZE};
use crate::kengu::{Move, Position};
use crate::notation::Square;
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use linesman_types::seat::Seat;

/// Number of symmetries: each symmetry of the board, with the colours of no, one or both
/// players swapped.
pub(super) const SYMMETRIES: usize = 4 * OF_A_SQUARE;

#[derive(Copy, Clone)]
pub(super) struct Symmetry {
    grid: GridSymmetry,
    /// For each seat, true if its colours are swapped.
    swapped: [bool; 2],
}

impl Symmetry {
    pub(super) fn new(number: usize) -> Symmetry {
        let swaps = number / OF_A_SQUARE;
        Symmetry { grid: GridSymmetry::new(number % OF_A_SQUARE), swapped: [swaps & 1 != 0, swaps & 2 != 0] }
    }

    pub(super) fn position(self, position: &Position) -> Position {
        let cards = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let cards = position.cards(seat);
            board::squares(cards.squares()).fold(Cards::default(), |image, index| {
                let colour = cards.colour_at(index).expect("a card lies there");
                image.with(board::index(self.square(board::square(index))), self.colour(colour, seat))
            })
        });
        let ply = u8::try_from(position.ply()).expect("a position keeps its ply as a byte");
        Position::new(cards, ply)
    }

    pub(super) fn mv(self, mover: Seat, mv: Move) -> Move {
        let flip = mv.flip().map(|(from, to)| (self.square(from), self.square(to)));
        let place = mv.placed().map(|(on, colour)| (self.square(on), self.colour(colour, mover)));
        Move::new(flip, place).expect("squares of the board are seen on it")
    }

    fn square(self, square: Square) -> Square {
        self.grid.square(square, SIZE, SIZE)
    }

    fn colour(self, colour: Colour, seat: Seat) -> Colour {
        match colour {
            Colour::Red if self.swapped[seat.index()] => Colour::Yellow,
            Colour::Yellow if self.swapped[seat.index()] => Colour::Red,
            same => same,
        }
    }
}
