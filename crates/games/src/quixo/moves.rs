//! Moves, and the effect of each on a set of squares.

use arrayvec::ArrayVec;

use crate::notation::Square;
use crate::quixo::board::{self, Geometry, RANK};
use crate::symmetry::GridSymmetry;

/// A move: the square from which a cube is taken and the square where it is put back.
///
/// Holds any two squares from `a1` to `h8`; the rules decide if the move is legal.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

/// Maximum number of moves of the cubes on one side of the border: three each, and two in
/// the corners, on a board of eight by eight.
pub(super) const MAX_MOVES: usize = 22;

impl Move {
    /// A move that exists on no board.
    pub(super) const NONE: Move = Move { from: 0, to: 0 };

    /// Makes the move between two squares, each within `a1` to `h8`.
    pub(crate) fn new(from: Square, to: Square) -> Option<Move> {
        let index = |square: Square| square.is_within(8).then(|| board::index(square) as u8);
        Some(Move { from: index(from)?, to: index(to)? })
    }

    /// The square from which the cube is taken.
    pub(crate) fn from(self) -> Square {
        board::square(u32::from(self.from))
    }

    /// The square where the cube is put back.
    pub(crate) fn to(self) -> Square {
        board::square(u32::from(self.to))
    }

    pub(crate) fn taken(self) -> u64 {
        1 << self.from
    }

    /// Transforms a move on a board of this size.
    pub(crate) fn transformed(self, size: usize, symmetry: GridSymmetry) -> Move {
        let [from, to] = [self.from(), self.to()].map(|square| symmetry.square(square, size, size));
        Move::new(from, to).expect("squares of the board are seen on it")
    }
}

/// The effect of a move on the cubes, for any mover.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Slide {
    /// The cubes that stay where they are.
    keep: u64,
    /// The cubes that are pushed.
    pushed: u64,
    /// The square that receives the mover's symbol.
    pub(crate) placed: u64,
    /// The step towards the gap, as a rotation to the right.
    towards_gap: u32,
}

impl Slide {
    const NONE: Slide = Slide { keep: !0, pushed: 0, placed: 0, towards_gap: 0 };

    fn new(from: u32, to: u32) -> Slide {
        let (step, towards_gap) = match (from / RANK == to / RANK, from < to) {
            (true, true) => (1, 1),
            (true, false) => (1, 64 - 1),
            (false, true) => (RANK, RANK),
            (false, false) => (RANK, 64 - RANK),
        };
        let between = (from.min(to)..=from.max(to)).step_by(step as usize);
        let touched = between.fold(0, |set, index| set | 1 << index);
        Slide { keep: !touched, pushed: touched & !(1 << from), placed: 1 << to, towards_gap }
    }

    /// Returns the set after the push, without the cube that was taken.
    #[inline]
    pub(crate) fn apply(&self, cubes: u64) -> u64 {
        (cubes & self.keep) | (cubes & self.pushed).rotate_right(self.towards_gap)
    }

    /// Returns the set before the push, without the cube that was taken.
    pub(super) fn undo(&self, cubes: u64) -> u64 {
        (cubes & self.keep) | (cubes.rotate_left(self.towards_gap) & self.pushed)
    }
}

/// Every move of a board and its effect.
#[derive(Clone, Debug)]
pub(crate) struct Slides {
    /// One for each pair of squares; pairs that are not a move on this board have no effect.
    slides: Box<[Slide; PAIRS]>,
    from: Vec<ArrayVec<Move, 3>>,
}

const PAIRS: usize = 64 * 64;

impl Slides {
    pub(crate) fn new(board: &Geometry) -> Slides {
        let mut all = Slides { slides: Box::new([Slide::NONE; PAIRS]), from: vec![ArrayVec::new(); 64] };
        for from in board::squares(board.border) {
            for to in ends(board, board::square(from)) {
                let to = board::index(to);
                let mv = Move { from: from as u8, to: to as u8 };
                all.slides[pair(mv)] = Slide::new(from, to);
                all.from[from as usize].push(mv);
            }
        }
        all
    }

    /// Returns the effect of a move, if it exists on this board.
    #[inline]
    pub(crate) fn get(&self, mv: Move) -> Option<&Slide> {
        let slide = &self.slides[pair(mv)];
        (slide.placed != 0).then_some(slide)
    }

    /// The moves of the cube on a square.
    pub(crate) fn from(&self, square: u32) -> &[Move] {
        &self.from[square as usize]
    }
}

fn pair(mv: Move) -> usize {
    // Both are below 64, but the compiler does not know that.
    (usize::from(mv.from) * 64 + usize::from(mv.to)) % PAIRS
}

/// Returns the ends of a border square's row and column, without the square itself.
fn ends(board: &Geometry, from: Square) -> ArrayVec<Square, 4> {
    let last = board.size - 1;
    [
        Square::new(0, from.rank()),
        Square::new(last, from.rank()),
        Square::new(from.file(), 0),
        Square::new(from.file(), last),
    ]
    .into_iter()
    .filter(|to| *to != from)
    .collect()
}
