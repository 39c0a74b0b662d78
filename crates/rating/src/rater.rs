//! A rater whose method is chosen at run time.

use super::RatingError;
use super::game::{GameError, RatedGame};
use super::incremental::IncrementalElo;
use super::likelihood_ratings::{rate, rate_all};
use super::online::OnlineRatings;
use super::options::{LikelihoodOptions, Method};
use super::ratings::Ratings;
use super::results::Results;
use linesman_types::seat::Place;

/// Takes games one by one and rates them by a method chosen at run time.
///
/// ```
/// use linesman_rating::{IncrementalOptions, Method, Rater};
/// use linesman_types::seat::Place;
///
/// let options = IncrementalOptions { k: 32.0, start: 1500.0 };
/// let mut running = Rater::new(Method::Incremental(options))?;
/// let second = Place::new(2).ok_or("no such place")?;
/// running.add(&["Ada", "Bob"], &[Place::FIRST, second])?;
/// assert_eq!(running.ratings()?.of("Ada").and_then(|row| row.elo), Some(1516.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rater {
    results: Results,
    calculation: Calculation,
}

#[derive(Clone, Debug)]
enum Calculation {
    AtTheEnd(LikelihoodOptions),
    Running(IncrementalElo),
    Online(OnlineRatings),
}

impl Rater {
    /// A rater before its first game.
    ///
    /// # Errors
    /// If one of the method's options is not a finite number.
    pub fn new(method: Method) -> Result<Rater, RatingError> {
        let calculation = match method {
            Method::Likelihood(options) => Calculation::AtTheEnd(options),
            Method::Incremental(options) => Calculation::Running(IncrementalElo::new(options)?),
            Method::Online(options) => Calculation::Online(OnlineRatings::new(options)?),
        };
        Ok(Rater { results: Results::new(), calculation })
    }

    /// Counts the next game: the bots in seat order and the place of each.
    ///
    /// # Errors
    /// If no game has this number of seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        self.count(&RatedGame::new(names, places))
    }

    /// Counts the next game with its teams, its pair and its moves.
    ///
    /// # Errors
    /// If no game has this number of seats, or places and seats differ in number.
    pub fn count(&mut self, game: &RatedGame<'_>) -> Result<(), GameError> {
        match &mut self.calculation {
            Calculation::AtTheEnd(_) => self.results.count(game),
            Calculation::Running(running) => running.count(game, &mut self.results),
            Calculation::Online(online) => online.count(game, &mut self.results),
        }
    }

    /// Registers a bot, so that it is listed even without games.
    pub fn add_bot(&mut self, name: &str) {
        self.results.add_bot(name);
    }

    /// The results of the games so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Computes the ratings from the games so far.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        match &self.calculation {
            Calculation::AtTheEnd(options) => rate(&self.results, options),
            Calculation::Running(running) => Ok(running.ratings(&self.results)),
            Calculation::Online(online) => Ok(online.ratings(&self.results)),
        }
    }

    /// Does the same in less memory: the games are dropped before the search begins.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn into_ratings(self) -> Result<Ratings, RatingError> {
        match self.calculation {
            Calculation::AtTheEnd(options) => rate_all(self.results, &options),
            Calculation::Running(_) | Calculation::Online(_) => self.ratings(),
        }
    }
}
