//! The game-theoretic value of a position.

use std::fmt;

use linesman_games::solvable::Outcome;

/// The value of a position for the seat to move under perfect play.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) enum Value {
    /// It wins.
    Win {
        /// Plies to the end, if the winner hurries and the loser holds out.
        plies: u32,
    },
    /// Neither can force anything; endless play included.
    Draw,
    /// It loses.
    Loss {
        /// Plies to the end, if the winner hurries and the loser holds out.
        plies: u32,
    },
}

impl Value {
    /// The same without the number of plies.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Value::Win { .. } => Outcome::Win,
            Value::Draw => Outcome::Draw,
            Value::Loss { .. } => Outcome::Loss,
        }
    }

    /// The plies to the end, unless it is a draw.
    pub(super) fn plies(self) -> Option<u32> {
        match self {
            Value::Win { plies } | Value::Loss { plies } => Some(plies),
            Value::Draw => None,
        }
    }

    /// The value for the seat that moved here.
    pub(super) fn before(self) -> Value {
        match self {
            Value::Win { plies } => Value::Loss { plies: plies + 1 },
            Value::Draw => Value::Draw,
            Value::Loss { plies } => Value::Win { plies: plies + 1 },
        }
    }

    /// The same where a draw is declared after `limit` plies.
    pub(super) fn within(self, limit: Option<u32>) -> Value {
        let too_late = |plies: u32| limit.is_some_and(|limit| plies > limit);
        if self.plies().is_some_and(too_late) { Value::Draw } else { self }
    }

    /// A rank; higher is better: wins, the quickest first, then draws, then losses,
    /// the slowest first.
    pub(super) fn rank(self) -> i64 {
        match self {
            Value::Win { plies } => i64::from(u32::MAX) - i64::from(plies),
            Value::Draw => 0,
            Value::Loss { plies } => i64::from(plies) - i64::from(u32::MAX),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies} plies", self.outcome().word()),
            None => f.write_str(self.outcome().word()),
        }
    }
}

/// The progress of a solver.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum SolveProgress {
    /// It settles all positions, from the ends of the game backwards.
    Settling {
        /// The plies to the end of the positions that are being settled.
        plies: u32,
        /// The positions that are settled.
        settled: u64,
        /// All positions; draws are never settled one by one.
        positions: u64,
    },
    /// It searches for a proof.
    Proving {
        /// The positions visited.
        visited: u64,
    },
}

/// A game with ends too far away for the solver.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("some wins take more than {most} plies")]
pub struct TooDeep {
    /// Maximum distance from the end that can be noted, in plies.
    pub most: u32,
}
