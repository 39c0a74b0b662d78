//! The geometry of a board: which squares there are and which lines they make.
//!
//! A set of squares is a `u64`: the square in file `f` and rank `r` is bit
//! `8 * r + f`, on a board of any size.

use crate::games::notation::Square;

/// How many bits lie between a square and the one above it.
pub(super) const RANK: u32 = 8;

/// The bit of a square.
pub(super) fn bit(square: Square) -> u64 {
    1 << index(square)
}

/// The number of a square's bit.
pub(super) fn index(square: Square) -> u32 {
    square.rank() as u32 * RANK + square.file() as u32
}

/// The square of a bit's number.
pub(super) fn square(index: u32) -> Square {
    Square::new((index % RANK) as usize, (index / RANK) as usize)
}

/// The numbers of the bits of a set, the lowest first.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let index = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(index)
    })
}

/// The squares of a board of one size.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) size: usize,
    pub(super) border: u64,
    pub(super) corners: u64,
    /// Every row, column and long diagonal.
    pub(super) lines: Vec<u64>,
    outside: u64,
    first_file: u64,
    first_rank: u64,
    diagonals: [u64; 2],
}

impl Board {
    pub(super) fn new(size: usize) -> Board {
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
    pub(super) fn contains(&self, square: Square) -> bool {
        square.file() < self.size && square.rank() < self.size
    }

    /// Whether a set of squares holds a full line.
    pub(super) fn has_line(&self, cubes: u64) -> bool {
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
