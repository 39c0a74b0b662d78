//! Sequential tests: is a new bot stronger than its base by a given amount, or not?
//!
//! A [`Design`] names the two strengths to distinguish and the error rates of the test. [`Counts`] hold the
//! results so far, by games or by pairs of games. [`Design::llr`] compares the two hypotheses by them, a
//! [`Sequence`] does so game after game until one of them is accepted, and [`Estimate`] has the other
//! conclusions from the results.
//!
//! It is a generalized sequential probability ratio test (GSPRT): the nuisance parameters, above all the
//! shares of draws, are not assumed but fitted under each hypothesis by multinomial likelihood. Formulas and
//! sources are at the functions and, all together, in `docs/explanation/sprt.md`.

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
pub use estimate::{Corrected, Estimate, Normalized, NotCorrected, Variation};
pub use sequence::{Observation, Sequence};
