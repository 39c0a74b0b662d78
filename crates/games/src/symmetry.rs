//! Symmetries of boards: mirrored and rotated squares.

use crate::notation::Square;
use crate::rules::Rules;
use crate::scene::Direction;

/// Number of symmetries of a square board.
pub const OF_A_SQUARE: usize = 8;

/// A symmetry of a board: rows and columns swapped or not, then files mirrored or not, then ranks. Number
/// 0 changes nothing; the first four do not swap rows and columns.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct GridSymmetry(usize);

impl GridSymmetry {
    /// Makes the symmetry of this number, below [`OF_A_SQUARE`].
    ///
    /// # Panics
    /// If the number is too large.
    pub fn new(number: usize) -> GridSymmetry {
        assert!(number < OF_A_SQUARE, "a board is seen in {OF_A_SQUARE} ways, and {number} is none of them");
        GridSymmetry(number)
    }

    /// Returns true if rows become columns, which only a square board allows.
    pub fn turns_rows(self) -> bool {
        self.0 & 4 != 0
    }

    /// Returns the image of a square, on a board whose image has this number of files and ranks.
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

    /// Returns the image of a direction.
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

/// Returns the first, in byte order, of the tokens of this position and of all that are symmetric to it.
pub fn canonical_token<R: Rules>(rules: &R, position: &R::Position) -> String {
    let token = |symmetry| rules.token_of(&rules.transformed(position, symmetry));
    (1..rules.symmetries()).map(token).fold(token(0), String::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_different_and_keep_every_square() {
        let squares = || (0..12).map(|number| Square::new(number % 4, number / 4));
        let image = |symmetry: GridSymmetry, files: usize, ranks: usize| -> Vec<Square> {
            squares().map(|square| symmetry.square(square, files, ranks)).collect()
        };
        let mut images: Vec<Vec<Square>> =
            (0..4).map(|number| image(GridSymmetry::new(number), 4, 3)).collect();
        assert_eq!(images[0], squares().collect::<Vec<_>>());
        // With rows and columns swapped, the board has four ranks of three files.
        images.extend((4..8).map(|number| image(GridSymmetry::new(number), 3, 4)));
        for (index, image) in images.iter().enumerate() {
            assert!(!images[..index].contains(image), "{index}");
            let mut all = image.clone();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), 12);
        }
    }

    #[test]
    fn directions_are_transformed_like_squares() {
        use Direction::{East, North, South, West};
        let neighbour = |square: Square, direction: Direction| match direction {
            North => Square::new(square.file(), square.rank() + 1),
            East => Square::new(square.file() + 1, square.rank()),
            South => Square::new(square.file(), square.rank() - 1),
            West => Square::new(square.file() - 1, square.rank()),
        };
        let middle = Square::new(2, 2);
        for symmetry in (0..OF_A_SQUARE).map(GridSymmetry::new) {
            for direction in [North, East, South, West] {
                assert_eq!(
                    symmetry.square(neighbour(middle, direction), 5, 5),
                    neighbour(middle, symmetry.direction(direction)),
                );
            }
        }
    }
}
