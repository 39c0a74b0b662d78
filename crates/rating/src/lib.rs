//! How strong the bots are, from the results of their games.
//!
//! The way through it: [`Results`] counts games one by one (who met whom on
//! which seat, and how it ended), [`rate()`] finds the ratings that make these
//! results most likely, and [`Ratings`] holds one [`Rating`] a bot with its
//! 95 % interval, together with the covariance from which any difference can
//! be judged. [`IncrementalElo`] is the classical running rating beside it, [`OnlineRatings`]
//! one that knows how uncertain it is, and [`Rater`] any of them, chosen at run time.
//!
//! Whether one bot is stronger than another by so much or not is what
//! sequential tests find out: [`sprt`].
//!
//! Everything here is a pure function of counts: the order of games, of files
//! and of names changes nothing (but for the running ratings, whose nature it
//! is to depend on the order). Formulas and their sources stand at the functions
//! and, put together, in `docs/explanation/ratings.md`.

mod bootstrap;
mod bounds;
mod bundles;
mod choice;
mod climb;
mod code;
mod connection;
mod counts;
mod duel;
mod entrants;
mod field;
mod fit;
mod game;
mod gauge;
mod incremental;
mod maths;
mod model;
mod notes;
mod online;
mod options;
mod rate;
mod rater;
mod ratings;
mod results;
mod scale;
mod spread;
pub mod sprt;

#[cfg(test)]
pub(crate) mod tests;

pub use game::{Game, digest};
pub use incremental::IncrementalElo;
pub use notes::{FieldNote, Note};
pub use online::OnlineRatings;
pub use options::{Anchor, IncrementalOptions, Intervals, LikelihoodOptions, OnlineOptions, Prior};
pub use rate::rate;
pub use rater::Rater;
pub use ratings::{Difference, Interval, Method, Rating, Ratings, SeatAdvantage};
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
    maths::logistic(difference / ELO_PER_NATURAL)
}

/// Why there are no ratings.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// An anchor plays in no game.
    #[error("the anchor `{name}` has no games")]
    AnchorWithoutGames {
        /// The anchor.
        name: String,
    },
    /// An anchor's results give no finite rating, and there is no prior.
    #[error("the results of the anchor `{name}` give no finite distance to the other bots")]
    AnchorUnplaced {
        /// The anchor.
        name: String,
    },
    /// The same bot is an anchor twice.
    #[error("`{name}` is given as an anchor twice")]
    AnchorTwice {
        /// The bot.
        name: String,
    },
    /// Games of teams can't have several anchors.
    #[error("games of teams can have only one anchor")]
    AnchorsOfTeams,
    /// A number that must be finite is not.
    #[error("{what} must be a finite number, not `{value}`")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// The search for the maximum did not end.
    #[error("the ratings of {bots} bots did not converge")]
    NotConverged {
        /// How many bots were being rated together.
        bots: usize,
    },
}
