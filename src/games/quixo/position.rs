//! Positions: two sets of squares and a ply.

use crate::games::quixo::moves::Slide;
use crate::seat::Seat;

/// A position of Quixo; the size of its board is the rules'.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Position {
    /// The cubes of each seat's symbol.
    cubes: [u64; 2],
    /// The plies since the start. Its parity says whose turn it is.
    ply: u32,
}

impl Position {
    /// All cubes blank.
    pub(super) const START: Position = Position { cubes: [0, 0], ply: 0 };

    pub(super) fn new(cubes: [u64; 2], ply: u32) -> Position {
        Position { cubes, ply }
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Seat {
        Seat::from_index(self.mover())
    }

    /// The number of plies since the start.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The squares that show a seat's symbol.
    pub(super) fn cubes(&self, seat: Seat) -> u64 {
        self.cubes[seat.index()]
    }

    /// The same cubes with the same seat to move, as early as can be.
    pub(super) fn timeless(&self) -> Position {
        Position { ply: self.ply & 1, ..*self }
    }

    /// Makes a move of the seat whose turn it is.
    pub(super) fn push(&mut self, slide: &Slide) {
        self.cubes = self.cubes.map(|cubes| slide.apply(cubes));
        self.cubes[self.mover()] |= slide.placed;
        // A token may name the last number there is; one before it, the same
        // seat is to move.
        self.ply = self.ply.checked_add(1).unwrap_or(u32::MAX - 1);
    }

    fn mover(&self) -> usize {
        (self.ply & 1) as usize
    }
}
