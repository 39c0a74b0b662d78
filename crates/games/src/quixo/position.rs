//! Positions: two sets of squares and a ply.

use crate::quixo::moves::Slide;
use linesman_types::seat::Seat;

/// A position of Quixo. The rules hold the size of the board.
///
/// The two sets are not adjacent in memory: otherwise the processor would load both at once, soon after
/// storing each separately, which takes longer than all other operations on them.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
#[repr(C)]
pub struct Position {
    /// The cubes of the first seat's symbol.
    first: u64,
    /// Number of plies since the start. Its parity determines the seat to move.
    ply: u32,
    /// The cubes of the second seat's symbol.
    second: u64,
}

impl Position {
    /// All cubes blank.
    pub(super) const START: Position = Position { first: 0, ply: 0, second: 0 };

    pub(super) fn new([first, second]: [u64; 2], ply: u32) -> Position {
        Position { first, ply, second }
    }

    /// The seat whose turn it is.
    #[inline]
    pub fn to_move(&self) -> Seat {
        if self.ply & 1 == 0 { Seat::FIRST } else { Seat::SECOND }
    }

    pub(crate) fn ply(&self) -> u32 {
        self.ply
    }

    /// The squares that show a seat's symbol.
    #[inline]
    pub(super) fn cubes(&self, seat: Seat) -> u64 {
        if seat == Seat::FIRST { self.first } else { self.second }
    }

    /// Returns the squares that show the symbol of the seat that is not to move.
    #[inline]
    pub(super) fn opponents_cubes(&self) -> u64 {
        if self.ply & 1 == 0 { self.second } else { self.first }
    }

    /// Returns the same cubes with the same seat to move, at the lowest possible ply.
    pub(super) fn repetition_key(&self) -> Position {
        Position { ply: self.ply & 1, ..*self }
    }

    /// Plays a move of the seat to move.
    #[inline]
    pub(super) fn push(&mut self, slide: &Slide) {
        let placed = if self.ply & 1 == 0 { [slide.placed, 0] } else { [0, slide.placed] };
        self.first = slide.apply(self.first) | placed[0];
        self.second = slide.apply(self.second) | placed[1];
        // A token can contain the maximum ply. Decrementing it gives the same seat to move as incrementing.
        self.ply = self.ply.checked_add(1).unwrap_or(u32::MAX - 1);
    }
}
