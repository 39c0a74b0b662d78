//! The game-theoretic value of a position.

use std::fmt;

use linesman_games::solvable::Outcome;

/// The value of a position for the seat to move under perfect play.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) enum Value {
    Win {
        /// Number of plies to the end, if the winner plays for the shortest game and the loser for the longest.
        plies: u32,
    },
    /// Neither seat can force a win. This includes endless play.
    Draw,
    /// The seat loses.
    Loss {
        /// Number of plies to the end, if the winner plays for the shortest game and the loser for the longest.
        plies: u32,
    },
}

impl Value {
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Value::Win { .. } => Outcome::Win,
            Value::Draw => Outcome::Draw,
            Value::Loss { .. } => Outcome::Loss,
        }
    }

    /// The number of plies to the end, unless the value is a draw.
    pub(super) fn plies(self) -> Option<u32> {
        match self {
            Value::Win { plies } | Value::Loss { plies } => Some(plies),
            Value::Draw => None,
        }
    }

    /// The value of the move to a position with this value, for the seat that makes the move.
    pub(super) fn before(self) -> Value {
        match self {
            Value::Win { plies } => Value::Loss { plies: plies + 1 },
            Value::Draw => Value::Draw,
            Value::Loss { plies } => Value::Win { plies: plies + 1 },
        }
    }

    /// The same value if the game is a draw after `limit` plies.
    pub(super) fn within(self, limit: Option<u32>) -> Value {
        let too_late = |plies: u32| limit.is_some_and(|limit| plies > limit);
        if self.plies().is_some_and(too_late) { Value::Draw } else { self }
    }

    /// A rank, of which higher is better: wins, the quickest being the best, then draws, then losses, the slowest being
    /// the best.
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

/// The phase of a solver, and how far it is.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum SolveProgress {
    /// The solver settles all positions, backwards from the ends of the game.
    Settling {
        /// The distance from the end of the positions that are being settled, in plies.
        plies: u32,
        /// The number of positions that are settled.
        settled: u64,
        /// The number of all positions. Draws are never settled.
        positions: u64,
    },
    /// The solver searches for a proof.
    Proving {
        /// The number of positions visited.
        visited: u64,
    },
}

/// The error that a game has wins that are too long for the solver.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("some wins take more than {most} plies")]
pub struct TooDeep {
    /// The maximum distance from the end, in plies.
    pub most: u32,
}
