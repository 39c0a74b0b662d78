//! What a position is worth when nobody errs.

use std::fmt;

use linesman_games::solvable::Outcome;

/// What a position is worth to the seat to move when nobody errs.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) enum Worth {
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

impl Worth {
    /// The same without how long it takes.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Worth::Win { .. } => Outcome::Win,
            Worth::Draw => Outcome::Draw,
            Worth::Loss { .. } => Outcome::Loss,
        }
    }

    /// The plies to the end, where there is one to come.
    pub(super) fn plies(self) -> Option<u32> {
        match self {
            Worth::Win { plies } | Worth::Loss { plies } => Some(plies),
            Worth::Draw => None,
        }
    }

    /// What it is worth to the seat that moved here.
    pub(super) fn before(self) -> Worth {
        match self {
            Worth::Win { plies } => Worth::Loss { plies: plies + 1 },
            Worth::Draw => Worth::Draw,
            Worth::Loss { plies } => Worth::Win { plies: plies + 1 },
        }
    }

    /// The same where a draw is declared after so many plies.
    pub(super) fn within(self, limit: Option<u32>) -> Worth {
        let too_late = |plies: u32| limit.is_some_and(|limit| plies > limit);
        if self.plies().is_some_and(too_late) { Worth::Draw } else { self }
    }

    /// A rank by which more is better: wins by their haste, then draws, then
    /// losses by their delay.
    pub(super) fn rank(self) -> i64 {
        match self {
            Worth::Win { plies } => i64::from(u32::MAX) - i64::from(plies),
            Worth::Draw => 0,
            Worth::Loss { plies } => i64::from(plies) - i64::from(u32::MAX),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies} plies", self.outcome().word()),
            None => f.write_str(self.outcome().word()),
        }
    }
}

/// How far a solver has come.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Progress {
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
    /// The greatest distance that can be noted.
    pub most: u32,
}
