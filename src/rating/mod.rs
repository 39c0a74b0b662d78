//! How strong the bots are, from the results of their games.
//!
//! The way through it: [`Results`] counts games one by one (who met whom on
//! which seat, and how it ended), [`rate()`] finds the ratings that make these
//! results most likely, and [`Ratings`] holds one [`Rating`] a bot with its
//! 95 % interval, together with the covariance from which any difference can
//! be judged. [`IncrementalElo`] is the classical running rating beside it, and
//! [`Rater`] either of the two, chosen at run time.
//!
//! Whether one bot is stronger than another by so much or not is what
//! sequential tests find out: [`sprt`].
//!
//! Everything here is a pure function of counts: the order of games, of files
//! and of names changes nothing (but for [`IncrementalElo`], whose nature it
//! is to depend on the order). Formulas and their sources stand at the functions
//! and, put together, in `docs/ratings.md`.

mod choice;
mod connection;
mod incremental;
mod likelihood;
mod options;
mod rate;
mod rater;
mod ratings;
mod results;
pub mod sprt;
mod tables;

#[cfg(test)]
mod coverage_tests;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;

pub use incremental::IncrementalElo;
pub use options::{Anchor, IncrementalOptions, LikelihoodOptions, Prior};
pub use rate::{RatingError, rate};
pub use rater::Rater;
pub use ratings::{Difference, FieldNote, Interval, Method, Note, Rating, Ratings, SeatAdvantage};
pub use results::{GameError, Results, Score, Tally};

/// Elo points in one natural unit of strength, `400 / ln 10`.
pub const ELO_PER_NATURAL: f64 = 400.0 / std::f64::consts::LN_10;

/// The rating from which a field's mean is counted if nobody says otherwise.
pub const DEFAULT_MEAN: f64 = 1500.0;

/// The score to be expected of somebody rated `difference` Elo above the opponent.
///
/// `1 / (1 + 10^(-difference / 400))`, A. Elo, "The Rating of Chessplayers" (1978),
/// in its logistic form.
pub fn expected_score(difference: f64) -> f64 {
    likelihood::logistic(difference / ELO_PER_NATURAL)
}
