//! Positions: sets of squares for the symbols and the dots, and a ply.

use crate::quixo::moves::Slide;
use crate::scene::Direction;
use linesman_types::seat::{Seat, Side};

/// The number of rows and of columns.
pub(super) const SIZE: usize = 5;
pub(super) const SEATS: usize = 4;
/// The number of plies in which only blank cubes may be taken.
pub(super) const FIRST_ROUND: u32 = 4;

/// The direction of a cube's dot: one of the four seats.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Dot {
    /// At seat 1, of the team with the crosses.
    South,
    /// At seat 2, of the team with the noughts.
    West,
    /// At seat 3, of the team with the crosses.
    North,
    /// At seat 4, of the team with the noughts.
    East,
}

impl Dot {
    /// All dots, in the order of the seats that they point at.
    pub const ALL: [Dot; SEATS] = [Dot::South, Dot::West, Dot::North, Dot::East];

    /// The seat that it points at.
    pub(crate) fn seat(self) -> Seat {
        Seat::from_index(self as usize)
    }

    /// The dot that points at a seat.
    pub(crate) fn at(seat: Seat) -> Dot {
        Dot::ALL[seat.index()]
    }

    /// The side whose symbol a cube with this dot shows.
    pub(crate) fn side(self) -> Side {
        Side::from_index(self as usize % 2)
    }

    /// Returns the direction on the board.
    pub(crate) fn direction(self) -> Direction {
        match self {
            Dot::South => Direction::South,
            Dot::West => Direction::West,
            Dot::North => Direction::North,
            Dot::East => Direction::East,
        }
    }

    /// Returns true if it points at the second member of a team, seat 3 or seat 4.
    fn is_second(self) -> bool {
        matches!(self, Dot::North | Dot::East)
    }
}

pub(super) fn opponents(side: Side) -> Side {
    Side::from_index(1 - side.index())
}

/// A position of Quixo for teams.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Position {
    /// The cubes of each side's symbol.
    cubes: [u64; 2],
    /// The cubes whose dots point at the second member of a team, seat 3 or seat 4.
    second: u64,
    /// Number of plies since the start. It determines the seat to move.
    ply: u32,
}

impl Position {
    /// All cubes blank.
    pub(super) const START: Position = Position { cubes: [0, 0], second: 0, ply: 0 };

    /// Makes the position with these cubes for each dot, in the order of [`Dot::ALL`].
    pub(super) fn new([south, west, north, east]: [u64; SEATS], ply: u32) -> Position {
        Position { cubes: [south | north, west | east], second: north | east, ply }
    }

    /// The seat whose turn it is.
    pub fn to_move(&self) -> Seat {
        Seat::from_index(self.ply as usize % SEATS)
    }

    pub(super) fn side_to_move(&self) -> Side {
        Side::from_index(self.mover())
    }

    pub(crate) fn ply(&self) -> u32 {
        self.ply
    }

    pub(super) fn is_first_round(&self) -> bool {
        self.ply < FIRST_ROUND
    }

    /// The squares that show a side's symbol.
    pub(super) fn cubes(&self, side: Side) -> u64 {
        self.cubes[side.index()]
    }

    /// The squares of each symbol.
    pub(super) fn both(&self) -> [u64; 2] {
        self.cubes
    }

    /// Returns the squares that show no symbol, including those outside the board.
    pub(super) fn blank(&self) -> u64 {
        !(self.cubes[0] | self.cubes[1])
    }

    /// Returns the squares that show a symbol with this dot.
    pub(super) fn dotted(&self, dot: Dot) -> u64 {
        self.cubes(dot.side()) & if dot.is_second() { self.second } else { !self.second }
    }

    /// Returns the squares with cubes of the mover's team that the mover may take if they are on the border.
    pub(super) fn own_to_take(&self) -> u64 {
        if self.is_first_round() { 0 } else { self.dotted(Dot::at(self.to_move())) }
    }

    /// Returns the same cubes with the same seat to move, at the lowest possible ply.
    pub(super) fn repetition_key(&self) -> Position {
        // The restriction of the first round depends on the ply, but keys without the ply confuse no positions:
        // in that round the number of marked cubes equals the ply, and later it is larger.
        Position { ply: self.ply % SEATS as u32, ..*self }
    }

    /// Plays a push of the seat to move.
    pub(super) fn push(&mut self, slide: &Slide, dot: Dot) {
        self.cubes = self.cubes.map(|cubes| slide.apply(cubes));
        self.cubes[self.mover()] |= slide.placed;
        self.second = slide.apply(self.second) | if dot.is_second() { slide.placed } else { 0 };
        self.pass();
    }

    /// Plays a pass of the seat to move.
    pub(super) fn pass(&mut self) {
        // A token can contain the maximum ply; three before it, the same seat is to move as after it.
        self.ply = self.ply.checked_add(1).unwrap_or(u32::MAX - 3);
    }

    fn mover(&self) -> usize {
        (self.ply & 1) as usize
    }
}
