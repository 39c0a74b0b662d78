//! The geometry of a board: which squares there are and which lines they make.
//!
//! A set of squares is a `u64`: the square in file `f` and rank `r` is bit
//! `8 * r + f`, on a board of any size.

use crate::games::notation::Square;
use crate::games::scene::{Mark, MarkKind};
use crate::seat::Side;

/// How many bits lie between a square and the one above it.
pub(in crate::games) const RANK: u32 = 8;

/// The bit of a square.
pub(in crate::games) fn bit(square: Square) -> u64 {
    1 << index(square)
}

/// The number of a square's bit.
pub(in crate::games) fn index(square: Square) -> u32 {
    square.rank() as u32 * RANK + square.file() as u32
}

/// The square of a bit's number.
pub(in crate::games) fn square(index: u32) -> Square {
    Square::new((index % RANK) as usize, (index / RANK) as usize)
}

/// The numbers of the bits of a set, the lowest first.
pub(in crate::games) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let index = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(index)
    })
}

/// The squares of a board of one size.
#[derive(Clone, Debug)]
pub(in crate::games) struct Board {
    pub(in crate::games) size: usize,
    pub(in crate::games) border: u64,
    pub(in crate::games) corners: u64,
    /// Every row, column and long diagonal.
    pub(in crate::games) lines: Vec<u64>,
    outside: u64,
    first_file: u64,
    first_rank: u64,
    diagonals: [u64; 2],
}

impl Board {
    pub(in crate::games) fn new(size: usize) -> Board {
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
        let ranks = (0..size).map(|own| set(&|_, rank| rank == own));
        let files = (0..size).map(|own| set(&|file, _| file == own));
        Board {
            size,
            border: set(&|file, rank| is_edge(file) || is_edge(rank)),
            corners: set(&|file, rank| is_edge(file) && is_edge(rank)),
            lines: ranks.chain(files).chain(diagonals).collect(),
            outside: !set(&|_, _| true),
            first_file: set(&|file, _| file == 0),
            first_rank: set(&|_, rank| rank == 0),
            diagonals,
        }
    }

    /// Whether the square lies on the board.
    pub(in crate::games) fn contains(&self, square: Square) -> bool {
        square.file() < self.size && square.rank() < self.size
    }

    /// The full lines of a set of squares, as marks of the side whose they are.
    pub(in crate::games) fn full_lines(&self, cubes: u64, side: Side) -> Vec<Mark> {
        let full = self.lines.iter().filter(|line| cubes & **line == **line);
        full.map(|line| Mark {
            kind: MarkKind::Line(side),
            board: 0,
            squares: squares(*line).map(square).collect(),
        })
        .collect()
    }

    /// Whether a set of squares holds a full line.
    pub(in crate::games) fn has_line(&self, cubes: u64) -> bool {
        // With the squares outside taken as full, every board is one of 8 by 8,
        // on which three folds tell of all ranks at once, and of all files.
        let full = cubes | self.outside;
        let ranks = full & (full >> 4);
        let ranks = ranks & (ranks >> 2);
        let ranks = ranks & (ranks >> 1) & self.first_file;
        let files = full & (full >> (4 * RANK));
        let files = files & (files >> (2 * RANK));
        let files = files & (files >> RANK) & self.first_rank;
        let [rising, falling] = self.diagonals;
        (ranks | files) != 0 || cubes & rising == rising || cubes & falling == falling
    }
}
