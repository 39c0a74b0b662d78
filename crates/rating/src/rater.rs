//! A rater by any of the methods, chosen at run time.

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
#[derive(Clone, Debug)]
pub struct Rater(Calculation);

#[derive(Clone, Debug)]
enum Calculation {
    AtTheEnd(LikelihoodOptions, Results),
    Running(IncrementalElo),
    Online(OnlineRatings),
}

impl Rater {
    /// A rater before its first game.
    ///
    /// # Errors
    /// If one of the method's options is not a finite number.
    pub fn new(method: Method) -> Result<Rater, RatingError> {
        Ok(Rater(match method {
            Method::Likelihood(options) => Calculation::AtTheEnd(options, Results::new()),
            Method::Incremental(options) => Calculation::Running(IncrementalElo::new(options)?),
            Method::Online(options) => Calculation::Online(OnlineRatings::new(options)?),
        }))
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
        match &mut self.0 {
            Calculation::AtTheEnd(_, results) => results.count(game),
            Calculation::Running(running) => running.count(game),
            Calculation::Online(online) => online.count(game),
        }
    }

    /// Registers a bot that may have no games at all, so that it is listed.
    pub fn add_bot(&mut self, name: &str) {
        match &mut self.0 {
            Calculation::AtTheEnd(_, results) => results.add_bot(name),
            Calculation::Running(running) => running.add_bot(name),
            Calculation::Online(online) => online.add_bot(name),
        }
    }

    /// The results of the games so far.
    pub fn results(&self) -> &Results {
        match &self.0 {
            Calculation::AtTheEnd(_, results) => results,
            Calculation::Running(running) => running.results(),
            Calculation::Online(online) => online.results(),
        }
    }

    /// The ratings by the games so far.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        match &self.0 {
            Calculation::AtTheEnd(options, results) => rate(results, options),
            Calculation::Running(running) => Ok(running.ratings()),
            Calculation::Online(online) => Ok(online.ratings()),
        }
    }

    /// The same, in less memory: the games are dropped before the search begins.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn into_ratings(self) -> Result<Ratings, RatingError> {
        match self.0 {
            Calculation::AtTheEnd(options, results) => rate_all(results, &options),
            running => Rater(running).ratings(),
        }
    }
}
