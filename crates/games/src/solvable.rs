//! The interface of games for a solver: positions by number or by key.
//!
//! A game that can be solved declares it in [`Rules::solvable`](crate::Rules::solvable); the solver itself
//! does not depend on any game.

use std::fmt;

/// The methods by which a solver can treat a game.
pub enum Solvable<P> {
    /// All positions can be examined, each by its number.
    Numbered(Box<dyn Numbered<P>>),
    /// No position recurs, and few enough positions matter for a search to prove the value of the start.
    Keyed(Box<dyn Keyed<P>>),
}

/// The reason why a solver can't solve a game.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Unsolvable {
    /// The reason, for people, such as the number of positions.
    pub why: String,
}

impl Unsolvable {
    /// Makes the reason from these words.
    pub fn because(why: impl fmt::Display) -> Unsolvable {
        Unsolvable { why: why.to_string() }
    }
}

/// The positions of a game of two seats, numbered from 0, each as the seat to move sees it: the number does not
/// depend on that seat or on the ply. The numbers may include positions that occur in no game.
pub trait Numbered<P>: Send + Sync {
    /// Number of numbered positions.
    fn positions(&self) -> u32;

    /// The number of a position, below [`positions`](Numbered::positions).
    fn number(&self, position: &P) -> u32;

    /// Returns the status of a position by the rules, without search.
    fn status(&self, number: u32) -> PositionStatus;

    /// Appends the number of the position before each move that leads here. Some of these
    /// positions may be over.
    fn before(&self, number: u32, numbers: &mut Vec<u32>);
}

/// Status of a position for the seat to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum PositionStatus {
    /// The game is over, and the seat to move has won.
    Won,
    /// The game is over, and the seat to move has lost.
    Lost,
    /// The game is not over.
    Open {
        /// The number of legal moves.
        moves: u32,
    },
}

/// The positions of a game of two seats in which no position recurs.
pub trait Keyed<P>: Send + Sync {
    /// Number of positions, including those that occur in no game.
    fn positions(&self) -> u64;

    /// Returns a number below 2^60 that is equal only for positions of equal value to the seat to move, such as
    /// mirror images; `None` if a look-up is not worthwhile.
    fn key(&self, position: &P) -> Option<u64>;

    /// Returns the value of a position without search.
    fn quick_check(&self, position: &P) -> QuickCheck;
}

/// The value of a position without search, for the seat to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum QuickCheck {
    /// Its value is known: the game is over, or the end can't be averted.
    Decided(Outcome),
    /// Its value is not known.
    Open {
        /// Higher if the seat to move has better prospects; only affects the order of the search.
        promise: i32,
    },
}

/// A source of the values of positions of a solved game.
pub trait Oracle: Send + Sync {
    /// Returns the outcome of a position for the seat to move with perfect play, by its token; `None` if it is
    /// unknown. Called only for positions before the end of the game.
    fn outcome(&self, token: &str) -> Option<Outcome>;
}

/// The outcome of a game for one seat.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Outcome {
    /// It loses.
    Loss,
    /// Neither wins.
    Draw,
    /// It wins.
    Win,
}

impl Outcome {
    /// The word in data.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }

    /// Returns the outcome for the other seat.
    #[must_use]
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}
