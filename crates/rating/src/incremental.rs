//! The classical running rating.

use super::connection::groups;
use super::dataset::Dataset;
use super::game::{GameError, RatedGame};
use super::maths::logistic;
use super::options::{IncrementalOptions, Method};
use super::ratings::Ratings;
use super::results::Results;
use super::score::score_of;
use super::{ELO_PER_NATURAL, RatingError, check_finite};
use std::collections::HashMap;

/// Ratings that are corrected after every game, in the order of the games.
///
/// After each game both ratings change by `K (S - E)`: `S` is the score of the game (a draw is half a point),
/// `E` the score expected from the ratings before it, `K` a constant. A. Elo, "The Rating of Chessplayers"
/// (1978). One bot gains as much as the other loses. A game of more seats counts as one game against each
/// opponent, with `K` divided by their number. There are no intervals: the last games weigh most, and the
/// same games in another order give other numbers.
#[derive(Clone, Debug)]
pub(super) struct IncrementalElo {
    options: IncrementalOptions,
    elo: HashMap<String, f64>,
}

impl IncrementalElo {
    pub(super) fn new(options: IncrementalOptions) -> Result<IncrementalElo, RatingError> {
        check_finite("K", options.k)?;
        check_finite("the first rating", options.start)?;
        Ok(IncrementalElo { options, elo: HashMap::new() })
    }

    /// Counts the next game with its teams. A team is rated as a whole.
    pub(super) fn count(&mut self, game: &RatedGame<'_>, results: &mut Results) -> Result<(), GameError> {
        let (names, places) = game.by_sides()?;
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        results.count(&RatedGame { pair: game.pair, play: game.play, ..RatedGame::new(&names, &places) })?;
        let before: Vec<f64> = names.iter().map(|name| self.current(name)).collect();
        let share = self.options.k / (names.len() - 1) as f64;
        for (one, name) in names.iter().enumerate() {
            let others = (0..names.len()).filter(|other| names[*other] != *name);
            let surplus: f64 = others
                .map(|other| {
                    let expected = logistic((before[one] - before[other]) / ELO_PER_NATURAL);
                    score_of(places[one], places[other]).points() - expected
                })
                .sum();
            *self.elo.entry((*name).to_owned()).or_insert(self.options.start) += share * surplus;
        }
        Ok(())
    }

    /// The ratings after the games so far.
    pub(super) fn ratings(&self, results: &Results) -> Ratings {
        let dataset = Dataset::new(results);
        let method = Method::Incremental(self.options);
        let groups = groups(&dataset, &dataset.duels());
        let mut ratings = Ratings::unrated(&dataset, &dataset.totals(), &groups, method);
        for row in &mut ratings.rows {
            row.elo = row.group.map(|_| self.current(&row.name));
        }
        ratings.sort();
        ratings
    }

    fn current(&self, name: &str) -> f64 {
        self.elo.get(name).copied().unwrap_or(self.options.start)
    }
}
