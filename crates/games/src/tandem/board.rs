//! The geometry of a board: squares as bits, and rows of tiles.
//!
//! A set of squares is a `u128`: the square in file `f` and rank `r` is bit `10 * r + f` on a board of any
//! size up to 9 by 9. No tile ever lies in the tenth file, so no row of tiles continues across an edge.

use arrayvec::ArrayVec;

use crate::grid;
use crate::notation::Square;

/// Difference between the bit of a square and that of the square above it.
const RANK: usize = 10;
/// Maximum number of files and ranks.
pub(super) const MAX_SIZE: usize = 9;
/// Number of bits of a board.
pub(super) const BITS: usize = RANK * MAX_SIZE;
/// Differences between neighbouring squares: to the east, north, north-east and north-west.
const STEPS: [u32; 4] = [1, RANK as u32, RANK as u32 + 1, RANK as u32 - 1];
/// Maximum number of windows that contain one square.
pub(super) const MAX_WINDOWS: usize = STEPS.len() * MAX_SIZE;

pub(super) fn index(square: Square) -> u8 {
    (square.rank() * RANK + square.file()) as u8
}

pub(super) fn square(index: u8) -> Square {
    Square::new(usize::from(index) % RANK, usize::from(index) / RANK)
}

/// The set of one square, by its bit's index.
pub(super) fn bit(index: u8) -> u128 {
    1 << index
}

/// The indices of the bits of a set, lowest first.
pub(super) fn squares(set: u128) -> impl Iterator<Item = u8> {
    grid::squares(set).map(|index| index as u8)
}

/// Returns all squares of a board.
pub(super) fn area(width: usize, height: usize) -> u128 {
    let rank = (1_u128 << width) - 1;
    (0..height).fold(0, |area, number| area | rank << (number * RANK))
}

/// Consecutive squares in a row, column or diagonal, by their ends: first the end in
/// the lower file or, in a column, in the lower rank.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) struct Window {
    pub(super) first: u8,
    pub(super) last: u8,
}

impl Window {
    /// Makes the window between two squares, if they are its ends in this order.
    pub(super) fn between(first: Square, last: Square) -> Option<Window> {
        let files = last.file().checked_sub(first.file())?;
        let ranks = last.rank().abs_diff(first.rank());
        let straight = match (files, ranks) {
            (0, 0) => false,
            (0, _) => first.rank() < last.rank(),
            (_, 0) => true,
            _ => files == ranks,
        };
        straight.then(|| Window { first: index(first), last: index(last) })
    }

    /// The number of squares.
    pub(super) fn length(self) -> usize {
        let (first, last) = (square(self.first), square(self.last));
        1 + (last.file() - first.file()).max(last.rank().abs_diff(first.rank()))
    }

    /// The squares, in order.
    pub(super) fn squares(self) -> impl Iterator<Item = Square> {
        let (first, last) = (square(self.first), square(self.last));
        let files = usize::from(last.file() > first.file());
        (0..self.length()).map(move |step| {
            let rank = match first.rank().cmp(&last.rank()) {
                std::cmp::Ordering::Less => first.rank() + step,
                std::cmp::Ordering::Equal => first.rank(),
                std::cmp::Ordering::Greater => first.rank() - step,
            };
            Square::new(first.file() + step * files, rank)
        })
    }

    /// The squares, as a set.
    pub(super) fn set(self) -> u128 {
        let (low, high) = (self.first.min(self.last), self.first.max(self.last));
        let step = (high - low) / (self.length() as u8 - 1);
        (low..=high).step_by(usize::from(step)).fold(0, |set, index| set | bit(index))
    }
}

/// Returns the squares of the largest board on which one more tile completes `line` tiles in a row, including
/// squares of `tiles` that are in such a row already.
pub(super) fn completing(tiles: u128, line: usize) -> u128 {
    let mut all = 0;
    for step in STEPS {
        // For each number, the squares with at least this many tiles directly before and after them.
        let mut before = [u128::MAX; MAX_SIZE];
        let mut after = [u128::MAX; MAX_SIZE];
        for number in 1..line {
            let shift = step * number as u32;
            before[number] = before[number - 1] & (tiles << shift);
            after[number] = after[number - 1] & (tiles >> shift);
        }
        for number in 0..line {
            all |= before[number] & after[line - 1 - number];
        }
    }
    all
}

/// Returns the windows of `line` tiles that contain a square.
pub(super) fn windows_through(tiles: u128, at: u8, line: usize) -> ArrayVec<Window, MAX_WINDOWS> {
    let mut windows = ArrayVec::new();
    for step in STEPS {
        let mut row = tiles >> at;
        let after = (1..line as u32).take_while(|_| {
            row >>= step;
            row & 1 != 0
        });
        let after = after.count() as u8;
        let mut row = tiles << (u128::BITS - 1 - u32::from(at));
        let before = (1..line as u32).take_while(|_| {
            row <<= step;
            row >> (u128::BITS - 1) != 0
        });
        let before = before.count() as u8;
        let (line, step) = (line as u8, step as u8);
        // `back` is the number of steps from the given square to the lowest one of a window.
        for back in (line - 1).saturating_sub(after)..=before {
            let low = at - back * step;
            let high = low + (line - 1) * step;
            // To the north-west, files go down.
            let (first, last) = if usize::from(step) == RANK - 1 { (high, low) } else { (low, high) };
            windows.push(Window { first, last });
        }
    }
    windows
}

/// Lists every window of a board, ordered by first square.
pub(super) fn all_windows(width: usize, height: usize, line: usize) -> Vec<Window> {
    let window = |squares: Vec<Square>| {
        let (one, other) = (*squares.first()?, *squares.last()?);
        Window::between(one, other).or_else(|| Window::between(other, one))
    };
    let mut all: Vec<Window> = grid::lines(width, height, line).filter_map(window).collect();
    all.sort_by_key(|window| window.first);
    all
}
