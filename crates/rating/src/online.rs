//! Online ratings by the method of Weng and Lin, each with its uncertainty.

use std::collections::HashMap;

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use super::confidence_interval::Interval;
use super::connection::groups;
use super::dataset::Dataset;
use super::game::{GameError, RatedGame};
use super::options::{Method, OnlineOptions};
use super::ratings::Ratings;
use super::results::Results;
use super::{ELO_PER_NATURAL, RatingError, check_finite};

/// Ratings that are corrected after every game, each with an uncertainty that shrinks with its games.
///
/// R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", Journal of Machine
/// Learning Research 12 (2011), their Bradley-Terry model with full pairs. Games may have any number of
/// seats, shared places and teams; a team is as strong as its members together. The class width is chosen so
/// that, with certain ratings, 100 points mean an expected score of 64 %, as elsewhere in this crate. The
/// same games in another order give other numbers.
#[derive(Clone, Debug)]
pub(super) struct OnlineRatings {
    options: OnlineOptions,
    config: WengLinConfig,
    bots: HashMap<String, WengLinRating>,
}

impl OnlineRatings {
    pub(super) fn new(options: OnlineOptions) -> Result<OnlineRatings, RatingError> {
        check_finite("the first rating", options.start)?;
        check_finite("the first uncertainty", options.uncertainty)?;
        let config =
            WengLinConfig { beta: ELO_PER_NATURAL / std::f64::consts::SQRT_2, ..WengLinConfig::new() };
        Ok(OnlineRatings { options, config, bots: HashMap::new() })
    }

    /// Counts the next game.
    pub(super) fn count(&mut self, game: &RatedGame<'_>, results: &mut Results) -> Result<(), GameError> {
        let before = results.games();
        results.count(game)?;
        // A game of a bot against itself gives no information.
        if results.games() == before {
            return Ok(());
        }
        let sides: Vec<(Vec<&str>, Vec<WengLinRating>, MultiTeamOutcome)> = (game.sides())
            .map(|side| {
                let seats: Vec<usize> = game.members(side).map(|seat| seat.index()).collect();
                let names: Vec<&str> = seats.iter().map(|seat| game.names[*seat]).collect();
                let ratings = names.iter().map(|name| self.current(name)).collect();
                let rank = seats.iter().map(|seat| game.places[*seat].number()).min().unwrap_or(1);
                (names, ratings, MultiTeamOutcome::new(rank))
            })
            .collect();
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> =
            sides.iter().map(|(_, ratings, outcome)| (ratings.as_slice(), *outcome)).collect();
        let after = weng_lin_multi_team(&ranked, &self.config);
        // A bot on several seats moves by the sum of their changes.
        for ((names, ratings, _), after) in sides.iter().zip(after) {
            for ((name, before), after) in names.iter().zip(ratings).zip(after) {
                let now = self.current(name);
                let shrunk =
                    if before.uncertainty > 0.0 { after.uncertainty / before.uncertainty } else { 1.0 };
                self.bots.insert(
                    (*name).to_owned(),
                    WengLinRating {
                        rating: now.rating + after.rating - before.rating,
                        uncertainty: now.uncertainty * shrunk,
                    },
                );
            }
        }
        Ok(())
    }

    /// The ratings after the games so far, with intervals of 1.96 standard deviations on either side.
    pub(super) fn ratings(&self, results: &Results) -> Ratings {
        let dataset = Dataset::of_bots(results);
        let groups = groups(&dataset, &dataset.duels());
        let method = Method::Online(self.options);
        let mut ratings = Ratings::unrated(&dataset, &dataset.totals(), &groups, method);
        for row in ratings.rows.iter_mut().filter(|row| row.group.is_some()) {
            let rating = self.current(&row.name);
            row.elo = Some(rating.rating);
            row.interval = Some(Interval::around(rating.rating, rating.uncertainty));
        }
        ratings.sort();
        ratings
    }

    fn current(&self, name: &str) -> WengLinRating {
        let first = WengLinRating { rating: self.options.start, uncertainty: self.options.uncertainty };
        self.bots.get(name).copied().unwrap_or(first)
    }
}
