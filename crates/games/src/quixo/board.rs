//! The geometry of a board: its squares and its lines.
//!
//! A set of squares is a `u64`: the square in file `f` and rank `r` is bit
//! `8 * r + f`, on a board of any size.

use crate::grid;
pub(crate) use crate::grid::squares;
use crate::notation::Square;
use crate::scene::Mark;
use crate::symmetry::GridSymmetry;
use linesman_types::seat::Side;

/// Difference between the bit of a square and that of the square above it.
pub(crate) const RANK: u32 = 8;

pub(crate) fn bit(square: Square) -> u64 {
    1 << index(square)
}

pub(crate) fn index(square: Square) -> u32 {
    square.rank() as u32 * RANK + square.file() as u32
}

pub(crate) fn square(index: u32) -> Square {
    Square::new((index % RANK) as usize, (index / RANK) as usize)
}

/// Returns the squares of a set in one rank: bit `f` is for file `f`.
pub(super) fn rank_of(set: u64, rank: u32) -> u8 {
    (set >> (rank * RANK)) as u8
}

/// Returns the squares of a set in one file: bit `r` is for rank `r`.
pub(super) fn file_of(set: u64, file: u32) -> u8 {
    const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
    // The multiplication moves the bit of each rank to its place in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    (((set >> file) & FIRST_FILE).wrapping_mul(GATHER) >> 56) as u8
}

/// The squares of a board of one size.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub(crate) size: usize,
    pub(crate) border: u64,
    /// Every row, column and long diagonal.
    pub(crate) lines: Vec<u64>,
    /// The squares of the board, and one in each rank outside it, so that none of these ranks is ever full.
    to_fill: u64,
    first_rank: u64,
    diagonals: [u64; 2],
}

impl Geometry {
    pub(crate) fn new(size: usize) -> Geometry {
        let set = |contains: &dyn Fn(usize, usize) -> bool| {
            let mut set = 0;
            for rank in 0..size {
                for file in (0..size).filter(|file| contains(*file, rank)) {
                    set |= bit(Square::new(file, rank));
                }
            }
            set
        };
        let last = size - 1;
        let is_edge = |number: usize| number == 0 || number == last;
        let diagonals = [set(&|file, rank| file == rank), set(&|file, rank| file + rank == last)];
        Geometry {
            size,
            border: set(&|file, rank| is_edge(file) || is_edge(rank)),
            lines: grid::lines(size, size, size)
                .map(|line| line.into_iter().fold(0, |set, square| set | bit(square)))
                .collect(),
            to_fill: set(&|_, _| true)
                | (size..8).map(|rank| bit(Square::new(7, rank))).fold(0, |set, bit| set | bit),
            first_rank: set(&|_, rank| rank == 0),
            diagonals,
        }
    }

    /// Transforms a set of squares.
    pub(crate) fn transformed(&self, set: u64, symmetry: GridSymmetry) -> u64 {
        let image = |index| bit(symmetry.square(square(index), self.size, self.size));
        squares(set).map(image).fold(0, |set, bit| set | bit)
    }

    /// Adds up the lines, each as the fourth power of its number of own cubes: one nearly full line is worth more
    /// than several half-full ones. The opponent's cubes count only as missing, since they can be pushed out.
    pub(crate) fn potential(&self, cubes: u64) -> i32 {
        let counts = self.lines.iter().map(|line| (cubes & line).count_ones() as i32);
        counts.map(|count: i32| count.pow(4)).sum()
    }

    /// Returns the full lines of a set of squares, as marks of the side that owns them.
    pub(crate) fn full_lines(&self, cubes: u64, side: Side) -> Vec<Mark> {
        let full = self.lines.iter().filter(|line| cubes & **line == **line);
        full.map(|line| Mark::line(side, squares(*line).map(square))).collect()
    }

    /// Returns true if a set of squares holds a full line.
    #[inline]
    pub(crate) fn has_line(&self, cubes: u64) -> bool {
        const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
        const LAST_FILE: u64 = FIRST_FILE << 7;
        let missing = cubes ^ self.to_fill;
        // A rank is a byte; this is the usual test for a zero byte.
        let ranks = missing.wrapping_sub(FIRST_FILE) & !missing & LAST_FILE;
        let files = missing | (missing >> (4 * RANK));
        let files = files | (files >> (2 * RANK));
        let files = !(files | (files >> RANK)) & self.first_rank;
        let [rising, falling] = self.diagonals;
        // There is nearly always none, so all directions are examined without branches.
        (ranks | files != 0) | (missing & rising == 0) | (missing & falling == 0)
    }
}
