//! Ratings by whichever method was chosen.

use super::RatingError;
use super::game::Game;
use super::incremental::IncrementalElo;
use super::online::OnlineRatings;
use super::options::LikelihoodOptions;
use super::rate::{rate, rate_all};
use super::ratings::{Method, Ratings};
use super::results::{GameError, Results};
use linesman_types::seat::Place;

/// Takes games one by one and rates them by a method chosen at run time.
#[derive(Clone, Debug)]
pub struct Rater(Kind);

#[derive(Clone, Debug)]
enum Kind {
    AtTheEnd(LikelihoodOptions, Results),
    Running(IncrementalElo),
    Online(OnlineRatings),
}

impl Rater {
    /// Nobody has played yet.
    ///
    /// # Errors
    /// If one of the method's options is not a finite number.
    pub fn new(method: Method) -> Result<Rater, RatingError> {
        Ok(Rater(match method {
            Method::Likelihood(options) => Kind::AtTheEnd(options, Results::new()),
            Method::Incremental(options) => Kind::Running(IncrementalElo::new(options)?),
            Method::Online(options) => Kind::Online(OnlineRatings::new(options)?),
        }))
    }

    /// Counts the next game: the bots in seat order and the place of each.
    ///
    /// # Errors
    /// If no game has so many seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        self.count(&Game::new(names, places))
    }

    /// Counts the next game, of which more is known.
    ///
    /// # Errors
    /// If no game has so many seats, or places and seats differ in number.
    pub fn count(&mut self, game: &Game<'_>) -> Result<(), GameError> {
        match &mut self.0 {
            Kind::AtTheEnd(_, results) => results.count(game),
            Kind::Running(running) => running.count(game),
            Kind::Online(online) => online.count(game),
        }
    }

    /// Makes a bot known that may have no game at all, so that it is listed.
    pub fn add_bot(&mut self, name: &str) {
        match &mut self.0 {
            Kind::AtTheEnd(_, results) => results.add_bot(name),
            Kind::Running(running) => running.add_bot(name),
            Kind::Online(online) => online.add_bot(name),
        }
    }

    /// The results of the games so far.
    pub fn results(&self) -> &Results {
        match &self.0 {
            Kind::AtTheEnd(_, results) => results,
            Kind::Running(running) => running.results(),
            Kind::Online(online) => online.results(),
        }
    }

    /// The ratings by the games so far.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        match &self.0 {
            Kind::AtTheEnd(options, results) => rate(results, options),
            Kind::Running(running) => Ok(running.ratings()),
            Kind::Online(online) => Ok(online.ratings()),
        }
    }

    /// The same, in less memory: the games are gone before the search begins.
    ///
    /// # Errors
    /// Those of [`rate`].
    pub fn into_ratings(self) -> Result<Ratings, RatingError> {
        match self.0 {
            Kind::AtTheEnd(options, results) => rate_all(results, &options),
            running => Rater(running).ratings(),
        }
    }
}
