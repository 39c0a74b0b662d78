//! Sequential tests: is a new bot stronger than its base by so much, or not?
//!
//! A [`Design`] says which two strengths are told apart and how often the test
//! may err. [`Counts`] hold what the games brought so far, game by game or by
//! pairs of games. [`Design::llr`] weighs the two hypotheses against each other
//! by them, a [`Sequence`] does so game after game until one of them is
//! decided for, and [`Estimate`] says what else the results tell.
//!
//! It is a generalized sequential probability ratio test (GSPRT): the nuisance
//! parameters, the shares of draws before all, are not assumed but fitted
//! under each hypothesis by multinomial likelihood. Formulas and sources stand
//! at the functions and, put together, in `docs/explanation/sprt.md`.

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
