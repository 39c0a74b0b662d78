//! Pictures of positions: a [`Scene`](linesman_games::scene::Scene) as text for a terminal and as SVG.
//!
//! Both are complete without colour: the symbol of a piece shows its owner, and brackets or strokes show the last move
//! and finished lines.

use linesman_games::notation::Square;
use linesman_games::scene::{Board, Direction};

pub mod framed;
mod marks;
pub mod svg;
pub mod terminal;

/// The side from which boards are seen.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Facing {
    /// The usual one: `a1` is bottom left.
    #[default]
    FirstRankBelow,
    /// The opposite one: `a1` is top right.
    FirstRankAbove,
}

impl Facing {
    /// Returns the opposite side.
    #[must_use]
    pub fn turned(self) -> Facing {
        match self {
            Facing::FirstRankBelow => Facing::FirstRankAbove,
            Facing::FirstRankAbove => Facing::FirstRankBelow,
        }
    }

    /// Returns the direction in which a direction on the board is seen: `North` is up.
    fn seen(self, direction: Direction) -> Direction {
        match (self, direction) {
            (Facing::FirstRankBelow, direction) => direction,
            (Facing::FirstRankAbove, Direction::North) => Direction::South,
            (Facing::FirstRankAbove, Direction::East) => Direction::West,
            (Facing::FirstRankAbove, Direction::South) => Direction::North,
            (Facing::FirstRankAbove, Direction::West) => Direction::East,
        }
    }

    /// Returns a board's ranks as they are seen, from the top.
    fn ranks(self, board: &Board) -> impl Iterator<Item = usize> + use<> {
        let height = board.height;
        (0..height).map(move |row| match self {
            Facing::FirstRankBelow => height - 1 - row,
            Facing::FirstRankAbove => row,
        })
    }

    /// Returns a board's files as they are seen, from the left.
    fn files(self, board: &Board) -> impl Iterator<Item = usize> + use<> {
        let width = board.width;
        (0..width).map(move |column| match self {
            Facing::FirstRankBelow => column,
            Facing::FirstRankAbove => width - 1 - column,
        })
    }
}

/// The squares that are highlighted for a person, with the index of their board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Highlights {
    /// The squares that can be chosen.
    pub targets: Vec<(usize, Square)>,
    pub chosen: Vec<(usize, Square)>,
    /// The square under the cursor.
    pub cursor: Option<(usize, Square)>,
}

#[cfg(test)]
mod tests;
