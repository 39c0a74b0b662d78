//! Symmetries of boards: squares mirrored and turned.

use crate::notation::Square;
use crate::rules::Rules;
use crate::scene::Direction;

/// Number of ways to view a square board.
pub const OF_A_SQUARE: usize = 8;

/// One way to view a board: rows and columns exchanged or not, then files mirrored or not, then ranks. Number
/// 0 changes nothing; the first four do not exchange rows and columns.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct GridSymmetry(usize);

impl GridSymmetry {
    /// The way of this number, of [`OF_A_SQUARE`].
    ///
    /// # Panics
    /// If there is no such number.
    pub fn new(number: usize) -> GridSymmetry {
        assert!(number < OF_A_SQUARE, "a board is seen in {OF_A_SQUARE} ways, and {number} is none of them");
        GridSymmetry(number)
    }

    /// Returns true if rows become columns, which only a square board allows.
    pub fn turns_rows(self) -> bool {
        self.0 & 4 != 0
    }

    /// The image of a square, on a board whose image has this number of files and ranks.
    pub fn square(self, square: Square, files: usize, ranks: usize) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.turns_rows() {
            (file, rank) = (rank, file);
        }
        if self.0 & 1 != 0 {
            file = files - 1 - file;
        }
        if self.0 & 2 != 0 {
            rank = ranks - 1 - rank;
        }
        Square::new(file, rank)
    }

    /// The image of a direction.
    pub fn direction(self, direction: Direction) -> Direction {
        use Direction::{East, North, South, West};
        let turned = match direction {
            other if !self.turns_rows() => other,
            North => East,
            East => North,
            South => West,
            West => South,
        };
        match turned {
            East if self.0 & 1 != 0 => West,
            West if self.0 & 1 != 0 => East,
            North if self.0 & 2 != 0 => South,
            South if self.0 & 2 != 0 => North,
            other => other,
        }
    }
}

/// The common token of all positions that are symmetric to this one: the first of theirs in byte order.
pub fn canonical_token<R: Rules>(rules: &R, position: &R::Position) -> String {
    let token = |symmetry| rules.token_of(&rules.transformed(position, symmetry));
    (1..rules.symmetries()).map(token).fold(token(0), String::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sight_shows_the_board_otherwise_and_all_of_it() {
        let squares = || (0..12).map(|number| Square::new(number % 4, number / 4));
        let seen = |sight: GridSymmetry, files: usize, ranks: usize| -> Vec<Square> {
            squares().map(|square| sight.square(square, files, ranks)).collect()
        };
        let mut sights: Vec<Vec<Square>> =
            (0..4).map(|number| seen(GridSymmetry::new(number), 4, 3)).collect();
        assert_eq!(sights[0], squares().collect::<Vec<_>>());
        // Turned, it has four ranks of three files.
        sights.extend((4..8).map(|number| seen(GridSymmetry::new(number), 3, 4)));
        for (index, sight) in sights.iter().enumerate() {
            assert!(!sights[..index].contains(sight), "{index}");
            let mut all = sight.clone();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 12);
        }
    }

    #[test]
    fn directions_are_seen_as_the_squares_are() {
        use Direction::{East, North, South, West};
        let beside = |square: Square, direction: Direction| match direction {
            North => Square::new(square.file(), square.rank() + 1),
            East => Square::new(square.file() + 1, square.rank()),
            South => Square::new(square.file(), square.rank() - 1),
            West => Square::new(square.file() - 1, square.rank()),
        };
        let middle = Square::new(2, 2);
        for sight in (0..OF_A_SQUARE).map(GridSymmetry::new) {
            for direction in [North, East, South, West] {
                assert_eq!(
                    sight.square(beside(middle, direction), 5, 5),
                    beside(middle, sight.direction(direction)),
                );
            }
        }
    }
}
