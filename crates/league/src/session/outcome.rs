//! The end of a run.

use crate::stop_rule;

/// The end of a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Outcome {
    /// All games have been played.
    Complete,
    /// Somebody stopped it.
    Stopped,
    /// All games have been played but some of bots that were withdrawn.
    Withdrawn,
    /// All games have been played but some that an overloaded host spoiled in every try.
    Open,
    /// The test is decided.
    Decided,
    /// The games of the test only repeat earlier ones.
    Repeating,
}

impl Outcome {
    /// Its word in events.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Stopped => "stopped",
            Outcome::Withdrawn => "withdrawn",
            Outcome::Open => "open",
            Outcome::Decided => "decided",
            Outcome::Repeating => "repeating",
        }
    }

    /// The outcome of a test that needs no more games.
    pub(super) fn of_test(end: stop_rule::End) -> Outcome {
        match end {
            stop_rule::End::Decided => Outcome::Decided,
            stop_rule::End::Repeating => Outcome::Repeating,
        }
    }
}
