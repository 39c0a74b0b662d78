//! The strengths of bots, computed from the results of their games.
//!
//! ```
//! use linesman_rating::{LikelihoodOptions, Results, Score, rate};
//!
//! let mut results = Results::new();
//! for _ in 0..3 {
//!     results.add_score("Ada", "Bob", Score::Win);
//!     results.add_score("Bob", "Ada", Score::Win);
//!     results.add_score("Bob", "Ada", Score::Loss);
//! }
//! let ratings = rate(&results, &LikelihoodOptions::default())?;
//! assert_eq!(ratings.rows[0].name, "Ada");
//! let difference = ratings.difference(0, 1).ok_or("the two never met")?;
//! assert!(difference.elo > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Results`] counts games: which bots met in which seats, and how the game ended. [`rate()`] finds the
//! ratings that make these results most likely. [`Ratings`] has one [`Rating`] for each bot with its 95 %
//! interval, and the covariance that gives the standard error of any difference.
//!
//! The formulas and their sources are at the functions and, all together, in `docs/explanation/ratings.md`.
//!
//! # Modules
//!
//! - [`residuals`]: tests whether the games of a group, such as those of one worker, agree with all others.
//! - [`sprt`]: sequential tests of whether one bot is stronger than another by a given amount.
//!
//! The other modules are private, and their types are exported here:
//!
//! - Games: `results` counts them, each by its `game_key`. `clusters` finds games that repeat each other or
//!   share an opening. `dataset` holds all of these, with `entrants` instead of names.
//! - Maximum likelihood: `likelihood_ratings` computes ratings from results, by a `rating_plan` of the groups.
//!   - The likelihood: `model`, from `davidson` (a game of two seats: wins, draws, losses), `plackett_luce`
//!     (more seats) and `prior`.
//!   - Its maximum: `maximum_likelihood`, found by `newton` under `constraints` and `anchoring`.
//!   - Confidence intervals: `covariance` or `bootstrap`, and `one_sided_bounds` of bots that won or lost
//!     every game.
//!   - `elo_scale` finds the factor from the model's scale to the printed one, which differs from 1 only if games
//!     are drawn. `connection` finds the comparable bots.
//!   - `matrix` has the factorizations that these need.
//! - Running ratings: `incremental` and `online`.
//! - `options`: the methods and their options. `rater`: [`Rater`], which uses any of them, chosen at run
//!   time.
//! - `ratings`: a row for each bot, with `notes`.
//!
//! Every result is a pure function of counts: the order of games, files and names changes nothing. Only
//! running ratings depend on the order of games.

mod anchoring;
mod bootstrap;
mod clusters;
mod confidence_interval;
mod connection;
mod constraints;
mod counts;
mod covariance;
mod dataset;
mod davidson;
mod elo_scale;
mod entrants;
mod game;
mod game_key;
mod incremental;
mod likelihood_ratings;
mod maths;
mod matrix;
mod maximum_likelihood;
mod model;
mod newton;
mod notes;
mod one_sided_bounds;
mod online;
mod options;
mod plackett_luce;
mod prior;
mod rater;
mod rating_plan;
mod ratings;
pub mod residuals;
mod results;
mod score;
pub mod sprt;

#[cfg(test)]
pub(crate) mod tests;

pub use confidence_interval::{DEVIATIONS, Difference, Interval};
pub use game::{GameError, RatedGame};
pub use likelihood_ratings::rate;
pub use notes::{FieldNote, Note};
pub use options::{Anchor, IncrementalOptions, Intervals, LikelihoodOptions, Method, OnlineOptions, Prior};
pub use rater::Rater;
pub use ratings::{Rating, Ratings, SeatAdvantage};
pub use results::Results;
pub use score::{Score, Tally};

/// Elo points in one natural unit of strength, `400 / ln 10`.
pub const ELO_PER_NATURAL: f64 = 400.0 / std::f64::consts::LN_10;

/// The default mean of a group's ratings, and the default rating before the first game in running ratings.
pub const DEFAULT_MEAN: f64 = 1500.0;

/// The expected score of a bot rated `difference` Elo above the opponent.
///
/// `1 / (1 + 10^(-difference / 400))`, A. Elo, "The Rating of Chessplayers" (1978),
/// in its logistic form.
pub fn expected_score(difference: f64) -> f64 {
    maths::logistic(difference / ELO_PER_NATURAL)
}

/// The reason why results can't be rated.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// An anchor has no games.
    #[error("the anchor `{name}` has no games")]
    AnchorWithoutGames {
        /// The anchor.
        name: String,
    },
    /// An anchor's results give no finite rating, and there is no prior.
    #[error(
        "the results of the anchor `{name}` don't determine a finite rating difference to the other bots"
    )]
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
        /// The name of the number.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// The search for the maximum did not converge.
    #[error("the ratings of {bots} bots did not converge")]
    NotConverged {
        /// The number of bots that were rated together.
        bots: usize,
    },
}

fn check_finite(what: &'static str, value: f64) -> Result<(), RatingError> {
    if value.is_finite() { Ok(()) } else { Err(RatingError::NotFinite { what, value }) }
}
