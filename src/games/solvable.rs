//! What a solver has to know of a game: its positions by number.
//!
//! A game that is small enough to be solved says so in
//! [`Rules::solvable`](crate::games::Rules::solvable); the solver itself knows
//! no game.

/// How a solver can go about a game.
pub enum Solvable<P> {
    /// All positions can be looked at, each by its number.
    Numbered(Box<dyn Numbered<P>>),
}

/// Why a solver can't solve a game.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Unsolvable {
    /// The reason, for people: how many positions there are.
    pub why: String,
}

impl Default for Unsolvable {
    fn default() -> Unsolvable {
        Unsolvable { why: "it has too many positions to look at each".to_owned() }
    }
}

/// The positions of a game of two seats, numbered from 0, each as the seat to
/// move sees it: who of the two it is makes no difference, nor does the ply.
/// The numbers may include positions that no game comes to.
pub trait Numbered<P>: Send + Sync {
    /// How many positions have a number.
    fn positions(&self) -> u32;

    /// The number of a position.
    fn number(&self, position: &P) -> u32;

    /// What the rules say of a position without looking ahead.
    fn standing(&self, number: u32) -> Standing;

    /// Appends the numbers of the positions from which a move leads here, once
    /// for each such move. Positions that are over may be among them.
    fn before(&self, number: u32, numbers: &mut Vec<u32>);
}

/// What the rules say of a position, by the seat to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Standing {
    /// The game is over, and the seat to move has won.
    Won,
    /// The game is over, and the seat to move has lost.
    Lost,
    /// The game goes on.
    Open {
        /// The number of legal moves.
        moves: u32,
    },
}
