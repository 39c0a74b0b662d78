//! Positions: the cards of each seat and a ply.

use crate::kengu::board::{self, Cards, SQUARES};
use crate::kengu::moves::{Flip, Move};
use linesman_types::seat::Seat;

/// A position of Kengu.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Position {
    cards: [Cards; 2],
    /// Number of plies since the start. Its parity determines the seat to move.
    ply: u8,
}

impl Position {
    pub(super) fn new(cards: [Cards; 2], ply: u8) -> Position {
        Position { cards, ply }
    }

    /// Makes the start position: no card on the board.
    pub(super) fn start() -> Position {
        Position::new([Cards::default(); 2], 0)
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Seat {
        Seat::from_index(self.mover())
    }

    pub(crate) fn ply(&self) -> u32 {
        u32::from(self.ply)
    }

    pub(super) fn cards(&self, seat: Seat) -> Cards {
        self.cards[seat.index()]
    }

    /// The cards of the seat whose turn it is.
    pub(super) fn own(&self) -> Cards {
        self.cards[self.mover()]
    }

    /// The cards of the other seat, one of which must be flipped if any can be.
    pub(super) fn theirs(&self) -> Cards {
        self.cards[1 - self.mover()]
    }

    /// Returns the squares without a card.
    pub(super) fn empty(&self) -> u16 {
        !(self.cards[0].squares() | self.cards[1].squares())
    }

    /// Returns the opponent's cards that have an empty neighbour.
    pub(super) fn flippable(&self) -> u16 {
        self.theirs().squares() & board::neighbours(self.empty())
    }

    /// Lists every flip of the seat to move.
    pub(super) fn flips(&self) -> impl Iterator<Item = Flip> {
        let empty = self.empty();
        board::squares(self.flippable()).flat_map(move |from| {
            board::squares(board::NEIGHBOURS[from as usize] & empty).map(move |to| Flip { from, to })
        })
    }

    /// Returns true if a flip leaves the opponent with a line.
    pub(super) fn loses(&self, flip: Flip) -> bool {
        self.theirs().flipped(flip.from, flip.to).has_line()
    }

    /// Returns true if the other seat has a line that the seat to move can't break.
    pub(super) fn is_won_by_line(&self) -> bool {
        self.theirs().has_line() && self.flips().all(|flip| self.loses(flip))
    }

    /// Returns true if the seat to move has a line, so the other seat has lost.
    pub(super) fn is_lost_by_flip(&self) -> bool {
        self.own().has_line()
    }

    /// Returns true if all cards are placed.
    pub(super) fn is_full(&self) -> bool {
        usize::from(self.ply) >= SQUARES
    }

    pub(super) fn winner(&self) -> Option<Seat> {
        if self.is_lost_by_flip() {
            return Some(self.to_move());
        }
        self.is_won_by_line().then(|| self.to_move().next(2))
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_lost_by_flip() || self.is_won_by_line() || self.is_full()
    }

    /// Plays a legal move of the seat to move.
    pub(super) fn make(&mut self, mv: Move) {
        let mover = self.mover();
        if let Some(flip) = mv.flip_numbers() {
            self.cards[1 - mover] = self.cards[1 - mover].flipped(flip.from, flip.to);
        }
        if let Some((on, colour)) = mv.placed_number() {
            self.cards[mover] = self.cards[mover].with(on, colour);
        }
        self.ply += 1;
    }

    fn mover(&self) -> usize {
        usize::from(self.ply & 1)
    }
}
