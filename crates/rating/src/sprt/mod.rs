//! Sequential tests: is a new bot stronger than its base by a given amount, or not?
//!
//! A [`Design`] names the two strengths to distinguish and the error rates of the test. [`Counts`] hold the
//! results so far, as games or as pairs of games. [`Design::llr`] compares the two hypotheses by them, a
//! [`Sequence`] does so after every two games until one of them is accepted, and [`Estimate`] holds the other
//! conclusions from the results.
//!
//! It is a generalized sequential probability ratio test (GSPRT): the nuisance parameters, above all the draw
//! rates, are not assumed but fitted under each hypothesis by multinomial likelihood. The formulas and their
//! sources are given at the functions and, all together, in `docs/explanation/sprt.md`.

mod brownian;
mod constrained;
mod counts;
mod design;
mod estimate;
mod secular;
mod sequence;

#[cfg(test)]
mod error_rate_tests;
#[cfg(test)]
mod tests;

pub use counts::Counts;
pub use design::{Design, DesignError, Model, NoLlr, Probability, Status};
pub use estimate::{EloEstimate, Estimate, NotCorrected};
pub use sequence::{Observation, Sequence};
