//! The geometry of a board: sets of squares, neighbours, and possible lines.
//!
//! The square in file `f` and rank `r` has the number `16 * r + f`, on a board
//! of any size.

use std::ops::{BitAnd, BitOr, Not};

use crate::grid::squares;
use crate::notation::Square;
use crate::scene::Direction;

/// Difference between the number of a square and that of the square above it.
pub(super) const RANK: u8 = 16;
/// Maximum number of rows and columns.
pub(super) const MAX_ROWS: usize = 16;
/// Number of squares of the largest board.
pub(super) const SQUARES: usize = MAX_ROWS * MAX_ROWS;

/// Differences between the numbers of neighbouring squares of a line: to the east, the
/// north, the north-east and the north-west.
pub(super) const STEPS: [u32; 4] = [1, 16, 17, 15];

/// The number of a square within `a1` to `p16`.
pub(super) fn number(square: Square) -> u8 {
    square.rank() as u8 * RANK + square.file() as u8
}

pub(super) fn square(number: u8) -> Square {
    Square::new(usize::from(number % RANK), usize::from(number / RANK))
}

/// Returns the number of the neighbour in a direction; beyond the edge of the largest board, the number of some other
/// square.
pub(super) fn neighbour(number: u8, direction: Direction) -> u8 {
    match direction {
        Direction::North => number.wrapping_add(RANK),
        Direction::East => number.wrapping_add(1),
        Direction::South => number.wrapping_sub(RANK),
        Direction::West => number.wrapping_sub(1),
    }
}

/// A set of squares: four ranks in each word, the lowest first.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Squares(pub(super) [u64; 4]);

impl Squares {
    pub(super) const NONE: Squares = Squares([0; 4]);

    pub(super) fn contains(self, number: u8) -> bool {
        self.0[usize::from(number / 64)] >> (number % 64) & 1 != 0
    }

    pub(super) fn insert(&mut self, number: u8) {
        self.0[usize::from(number / 64)] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: u8) {
        self.0[usize::from(number / 64)] &= !(1 << (number % 64));
    }

    /// Adds a square or removes it.
    pub(super) fn set(&mut self, number: u8, inside: bool) {
        let word = &mut self.0[usize::from(number / 64)];
        *word = *word & !(1 << (number % 64)) | u64::from(inside) << (number % 64);
    }

    pub(super) fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Subtracts 1 to 63 from the number of each square; squares below 0 are lost.
    pub(super) fn down(self, by: u32) -> Squares {
        let [a, b, c, d] = self.0;
        let up = 64 - by;
        Squares([a >> by | b << up, b >> by | c << up, c >> by | d << up, d >> by])
    }

    /// Adds 1 to 63 to the number of each square; squares beyond 255 are lost.
    pub(super) fn up(self, by: u32) -> Squares {
        let [a, b, c, d] = self.0;
        let down = 64 - by;
        Squares([a << by, b << by | a >> down, c << by | b >> down, d << by | c >> down])
    }

    /// Returns the numbers of the squares, lowest first.
    pub(super) fn numbers(self) -> impl Iterator<Item = u8> {
        (0..4u8).zip(self.0).flat_map(|(place, word)| squares(word).map(move |bit| place * 64 + bit as u8))
    }

    /// Returns the ranks as words, file by file, with the same number of empty ranks above them.
    pub(super) fn ranks(self) -> [u16; 2 * MAX_ROWS] {
        let rank = |rank: usize| (self.0[rank / 4] >> (rank % 4 * MAX_ROWS)) as u16;
        std::array::from_fn(|index| if index < MAX_ROWS { rank(index) } else { 0 })
    }

    /// Returns the rank of a square as a word, file by file.
    fn rank_of(self, number: u8) -> u16 {
        (self.0[usize::from(number / 64)] >> (number % 64 / RANK * RANK)) as u16
    }

    /// Returns the file of a square as a word, rank by rank.
    fn file_of(self, number: u8) -> u16 {
        // In each word the file is four bits, 16 apart. The multiplication moves them together to the top, no two
        // to the same place.
        const ONE_FILE: u64 = 1 << 48 | 1 << 32 | 1 << 16 | 1;
        const GATHER: u64 = 1 << 60 | 1 << 45 | 1 << 30 | 1 << 15;
        let file = number % RANK;
        let four = |word: u64| ((word >> file & ONE_FILE).wrapping_mul(GATHER) >> 60) as u16;
        let [a, b, c, d] = self.0.map(four);
        a | b << 4 | c << 8 | d << 12
    }

    /// Flattens a set with at most one square in each file to a word, file by file.
    fn flattened(self) -> u16 {
        let [a, b, c, d] = self.0;
        let four_ranks = a | b | c | d;
        let two_ranks = four_ranks | four_ranks >> 32;
        (two_ranks | two_ranks >> 16) as u16
    }
}

impl BitAnd for Squares {
    type Output = Squares;
    fn bitand(self, other: Squares) -> Squares {
        Squares(std::array::from_fn(|place| self.0[place] & other.0[place]))
    }
}

impl BitOr for Squares {
    type Output = Squares;
    fn bitor(self, other: Squares) -> Squares {
        Squares(std::array::from_fn(|place| self.0[place] | other.0[place]))
    }
}

impl Not for Squares {
    type Output = Squares;
    fn not(self) -> Squares {
        Squares(self.0.map(|word| !word))
    }
}

impl FromIterator<u8> for Squares {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Squares {
        let mut set = Squares::NONE;
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

/// A board of one size, and the lines of one length on it.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) size: usize,
    /// Number of equal symbols in a row that make a line.
    pub(super) line: usize,
    /// The squares that have a neighbour to the east.
    pub(super) with_east: Squares,
    /// The squares that have a neighbour to the north.
    pub(super) with_north: Squares,
    /// The squares where a window as long as a line can start, for each of [`STEPS`].
    pub(super) windows: [Squares; 4],
    /// The diagonal to the north-east through each square, by `15 + file - rank`.
    rising: [Squares; 31],
    /// The diagonal to the north-west through each square, by `file + rank`.
    falling: [Squares; 31],
    /// Shifts that combine a word with itself until one bit is left for each line.
    folds: [u32; 4],
}

impl Geometry {
    pub(super) fn new(size: usize, line: usize) -> Geometry {
        let set = |contains: &dyn Fn(usize, usize) -> bool| {
            let numbers = (0..size).flat_map(|rank| (0..size).map(move |file| (file, rank)));
            let inside = numbers.filter(|(file, rank)| contains(*file, *rank));
            inside.map(|(file, rank)| number(Square::new(file, rank))).collect::<Squares>()
        };
        let room = size - line;
        let mut folds = [0; 4];
        let mut folded = 1;
        for fold in &mut folds {
            *fold = folded.min(line - folded) as u32;
            folded += *fold as usize;
        }
        Geometry {
            size,
            line,
            with_east: set(&|file, _| file + 1 < size),
            with_north: set(&|_, rank| rank + 1 < size),
            windows: [
                set(&|file, _| file <= room),
                set(&|_, rank| rank <= room),
                set(&|file, rank| file <= room && rank <= room),
                set(&|file, rank| file + 1 >= line && rank <= room),
            ],
            rising: std::array::from_fn(|index| set(&|file, rank| 15 + file - rank == index)),
            falling: std::array::from_fn(|index| set(&|file, rank| file + rank == index)),
            folds,
        }
    }

    /// Returns true if a set holds a line in the rank, the file or a diagonal of a square.
    pub(super) fn has_line_at(&self, set: Squares, number: u8) -> bool {
        let (file, rank) = (usize::from(number % RANK), usize::from(number / RANK));
        let rows = [
            set.rank_of(number),
            set.file_of(number),
            (set & self.rising[15 + file - rank]).flattened(),
            (set & self.falling[file + rank]).flattened(),
        ];
        rows.into_iter().fold(0, |lines, row| lines | self.folded(row)) != 0
    }

    /// Returns the bits at which a line starts in a word.
    fn folded(&self, row: u16) -> u16 {
        self.folds.iter().fold(row, |row, fold| row & row >> fold)
    }

    /// Returns the squares at which a line of a set starts, for each of [`STEPS`].
    pub(super) fn lines(&self, set: Squares) -> [Squares; 4] {
        let mut lines = self.windows;
        for (starts, step) in lines.iter_mut().zip(STEPS) {
            let mut shifted = set;
            for _ in 0..self.line {
                *starts = *starts & shifted;
                shifted = shifted.down(step);
            }
        }
        lines
    }

    /// Returns the lines of a set, each in its full length.
    pub(super) fn full_lines(&self, set: Squares) -> Vec<Vec<Square>> {
        let mut full = Vec::new();
        for (starts, step) in self.lines(set).into_iter().zip(STEPS) {
            // A line longer than necessary also starts at its next squares.
            let again = starts.up(step);
            for first in (starts & !again).numbers() {
                let place = |number: usize| square(first + (number as u32 * step) as u8);
                let windows = (0..).take_while(|window| starts.contains(number(place(*window)))).count();
                full.push((0..windows + self.line - 1).map(place).collect());
            }
        }
        full
    }
}
