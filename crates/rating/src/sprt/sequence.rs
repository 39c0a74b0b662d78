//! A test in progress: it takes results until it is decided.

use super::counts::Counts;
use super::design::{Design, NoLlr, Status};
use crate::Score;

/// The unit that counts as one observation.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Observation {
    /// A game.
    Game,
    /// Two games from the same opening with seats exchanged.
    Pair,
}

impl Observation {
    /// The counts before the first game.
    pub fn nothing(self) -> Counts {
        match self {
            Observation::Game => Counts::Games([0; 3]),
            Observation::Pair => Counts::Pairs([0; 5]),
        }
    }
}

/// A test that takes the results of two games at a time, of which each bot began one.
///
/// A decision is final: later results change neither the counts nor the ratio.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Sequence {
    /// The design of the test.
    pub design: Design,
    /// The results that count.
    pub counts: Counts,
    /// The log-likelihood ratio of the results that count, or the reason why there is none.
    pub llr: Result<f64, NoLlr>,
    /// The state of the test.
    pub status: Status,
    /// The number of pairs of games after the decision.
    pub late: u64,
}

impl Sequence {
    /// A test before its first game.
    pub fn new(design: Design, unit: Observation) -> Sequence {
        Sequence { design, counts: unit.nothing(), llr: Ok(0.0), status: Status::Undecided, late: 0 }
    }

    /// Takes the results of the next two games, seen by the new bot, and checks if the test is decided.
    pub fn add(&mut self, games: [Score; 2]) -> Status {
        if self.status != Status::Undecided {
            self.late += 1;
            return self.status;
        }
        self.counts.count(games);
        self.llr = self.design.llr(&self.counts);
        self.status = self.llr.as_ref().map_or(Status::Undecided, |llr| self.design.status(*llr));
        self.status
    }
}
