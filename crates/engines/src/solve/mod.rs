//! Solves games: determines the values of positions under perfect play.
//!
//! [`Rules::solvable`] determines how the positions of a game can be visited. If all of them can be numbered,
//! [`retrograde`] settles each. If no position can be repeated, [`proof`] searches from the start. The result is a
//! [`SolvedTable`], which can be saved, and from which [`player`] plays.

mod oracle;
mod player;
mod position_byte;
mod proof;
mod proven;
mod retrograde;
mod strategy;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::num::NonZero;
// `tests/interleavings` includes `position_byte` and `proven` next to another module of this name.
use std::sync;

use linesman_games::options::OptionValues;
use linesman_games::solvable::{Keyed, Numbered, Outcome, PositionStatus, Solvable, Unsolvable};
use linesman_games::{OptionError, Rules, RulesVisitor, with_rules};
use proven::Proven;
pub(super) use table::KnownValues;
use value::Value;

pub use crate::cant_follow::WrongTable;
pub use oracle::oracle;
pub(super) use player::{OPTIONS, Perfect};
pub use table::{BadTable, SolvedTable};
pub use value::{SolveProgress, TooDeep};

/// A solved game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Solved {
    /// The value of the start for the seat to move.
    pub start: Outcome,
    /// The number of positions, including those that no game reaches.
    pub boards: u64,
    /// The values of the positions, if all of them were settled.
    pub all: Option<ValueCounts>,
    /// The solution.
    pub table: SolvedTable,
}

/// The numbers of positions by their value for the seat to move.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct ValueCounts {
    /// The positions in which the game is over.
    pub finished: u64,
    /// The other positions that are won.
    pub win: u64,
    /// The other positions that are lost.
    pub loss: u64,
    /// The other positions that are draws.
    pub draw: u64,
    /// The number of plies from the start to the end of the game, unless the start is a draw.
    pub start_plies: Option<u32>,
    /// The number of plies of the longest win.
    pub longest: u32,
}

/// The reason why a game can't be solved.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CantSolve {
    /// There is no such game.
    #[error("there is no game `{0}`")]
    Game(String),
    /// The game refuses the options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The solver can't visit the game's positions.
    #[error("{game} can't be solved: {error}")]
    Unsolvable {
        /// The game's id.
        game: String,
        /// The reason.
        error: Unsolvable,
    },
    /// The game is too long for the solver.
    #[error(transparent)]
    TooDeep(#[from] TooDeep),
}

/// Solves a game with this number of threads.
///
/// # Errors
/// See [`CantSolve`].
pub fn solve(
    game: &str,
    options: &OptionValues,
    threads: NonZero<usize>,
    progress: &mut dyn FnMut(SolveProgress),
) -> Result<Solved, CantSolve> {
    with_rules(game, Solver { options, threads, progress })
        .unwrap_or_else(|| Err(CantSolve::Game(game.to_owned())))
}

struct Solver<'s> {
    options: &'s OptionValues,
    threads: NonZero<usize>,
    progress: &'s mut dyn FnMut(SolveProgress),
}

impl RulesVisitor for Solver<'_> {
    type Output = Result<Solved, CantSolve>;

    fn visit<R: Rules>(self) -> Self::Output {
        let rules = R::with_options(self.options)?;
        let solvable =
            rules.solvable().map_err(|error| CantSolve::Unsolvable { game: R::ID.to_owned(), error })?;
        match solvable {
            Solvable::Numbered(numbered) => self.settle(&rules, &*numbered),
            Solvable::Keyed(keyed) => Ok(self.prove(&rules, &*keyed)),
        }
    }
}

impl Solver<'_> {
    fn settle<R: Rules>(self, rules: &R, numbered: &dyn Numbered<R::Position>) -> Result<Solved, CantSolve> {
        let bytes = retrograde::settle(numbered, self.threads, &mut |(plies, settled)| {
            let positions = u64::from(numbered.positions());
            (self.progress)(SolveProgress::Settling { plies, settled, positions });
        })?;
        let start = retrograde::value(bytes[numbered.number(&rules.start()) as usize]);
        let mut all = count(numbered, &bytes);
        all.start_plies = start.plies();
        Ok(Solved {
            start: start.outcome(),
            boards: u64::from(numbered.positions()),
            all: Some(all),
            table: SolvedTable::new::<R>(self.options, KnownValues::Numbered(bytes)),
        })
    }

    fn prove<R: Rules>(self, rules: &R, keyed: &dyn Keyed<R::Position>) -> Solved {
        let proven = Proven::new(PROVEN_BITS);
        let progress = &mut |visited| (self.progress)(SolveProgress::Proving { visited });
        let start = proof::prove(rules, keyed, &proven, self.threads, progress);
        let known = strategy::of_start(rules, keyed, &proven, start, progress);
        Solved {
            start,
            boards: keyed.positions(),
            all: None,
            table: SolvedTable::new::<R>(self.options, KnownValues::Keyed(known)),
        }
    }
}

/// Binary logarithm of the number of words for proven bounds. 2^26 words are 512 MiB.
const PROVEN_BITS: u32 = 26;

fn count<P>(numbered: &dyn Numbered<P>, bytes: &[u8]) -> ValueCounts {
    let mut counts = ValueCounts::default();
    for (number, byte) in (0..).zip(bytes) {
        let value = retrograde::value(*byte);
        counts.longest = counts.longest.max(value.plies().unwrap_or(0));
        let kind = match (numbered.status(number), value) {
            (PositionStatus::Won | PositionStatus::Lost, _) => &mut counts.finished,
            (_, Value::Win { .. }) => &mut counts.win,
            (_, Value::Loss { .. }) => &mut counts.loss,
            (_, Value::Draw) => &mut counts.draw,
        };
        *kind += 1;
    }
    counts
}
