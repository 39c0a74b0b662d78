//! The board mirrored and turned, and the two colours of a player's cards
//! exchanged: lines are of one player's cards alone.

use crate::kengu::board::{self, Cards, Colour, SIZE};
use crate::kengu::{Move, Position};
use crate::notation::Square;
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use linesman_types::seat::Seat;

/// Number of symmetries: each view of the board, with the colours of no, one or both
/// players exchanged.
pub(super) const SYMMETRIES: usize = 4 * OF_A_SQUARE;

/// One of them.
#[derive(Copy, Clone)]
pub(super) struct Symmetry {
    sight: GridSymmetry,
    /// By seat, whether colours are exchanged.
    exchanged: [bool; 2],
}

impl Symmetry {
    pub(super) fn new(number: usize) -> Symmetry {
        let exchanges = number / OF_A_SQUARE;
        Symmetry {
            sight: GridSymmetry::new(number % OF_A_SQUARE),
            exchanged: [exchanges & 1 != 0, exchanges & 2 != 0],
        }
    }

    pub(super) fn position(self, position: &Position) -> Position {
        let cards = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let own = position.cards(seat);
            board::squares(own.squares()).fold(Cards::default(), |seen, index| {
                let colour = own.colour_at(index).expect("a card lies there");
                seen.with(board::index(self.square(board::square(index))), self.colour(colour, seat))
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
        self.sight.square(square, SIZE, SIZE)
    }

    fn colour(self, colour: Colour, seat: Seat) -> Colour {
        match colour {
            Colour::Red if self.exchanged[seat.index()] => Colour::Yellow,
            Colour::Yellow if self.exchanged[seat.index()] => Colour::Red,
            same => same,
        }
    }
}
