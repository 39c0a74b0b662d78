//! The outcome of a run.

use crate::stop_rule;

/// The outcome of a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum RunOutcome {
    /// All games have been played.
    Complete,
    /// The run was stopped.
    Stopped,
    /// All games have been played, except for some of withdrawn bots.
    Withdrawn,
    /// All games have been played, except for some that an overloaded host spoiled.
    Open,
    /// The test is decided.
    Decided,
    /// The games of the test only repeat earlier ones.
    Repeating,
}

impl RunOutcome {
    /// Returns the word for the outcome in events.
    pub fn word(self) -> &'static str {
        match self {
            RunOutcome::Complete => "complete",
            RunOutcome::Stopped => "stopped",
            RunOutcome::Withdrawn => "withdrawn",
            RunOutcome::Open => "open",
            RunOutcome::Decided => "decided",
            RunOutcome::Repeating => "repeating",
        }
    }

    /// Returns the outcome of a test that needs no more games.
    pub(super) fn of_test(end: stop_rule::End) -> RunOutcome {
        match end {
            stop_rule::End::Decided => RunOutcome::Decided,
            stop_rule::End::Repeating => RunOutcome::Repeating,
        }
    }
}
