//! What can be said of bots that won or lost all their games against the rated ones.

use std::collections::BTreeMap;

use super::choice::TIES;
use super::duel;
use super::field::{Duel, Seating};
use super::fit::Fit;
use super::maths::normal_quantile;
use super::results::Score;

/// A side on which a strength, in the model's natural units, is bounded; with games of more
/// than two seats, whose pairs are not independent, there is no number.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Bound {
    /// It won everything: it is hardly below that.
    Above(Option<f64>),
    /// It lost everything: it is hardly above that.
    Below(Option<f64>),
}

/// The games between those who are rated and those who are not.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds(BTreeMap<usize, Games>);

#[derive(Clone, Debug, Default)]
struct Games {
    against: Vec<Against>,
    won: bool,
    lost: bool,
    /// Some of them are of more than two seats.
    of_more_seats: bool,
}

/// Games against one of the rated.
#[derive(Copy, Clone, Debug)]
struct Against {
    opponent: u32,
    /// Which of the two sat on the first seat.
    first: bool,
    games: f64,
}

impl Bounds {
    /// Takes the games that count for bounds: those against the rated.
    pub fn new<'f>(
        duels: &[Duel],
        tables: impl Iterator<Item = &'f Seating>,
        rated: &[Option<u32>],
    ) -> Bounds {
        let mut bounds = Bounds::default();
        if rated.iter().all(Option::is_some) {
            return bounds;
        }
        for duel in duels {
            let (bot, opponent, first, won) = match (rated[duel.first as usize], rated[duel.second as usize])
            {
                (None, Some(opponent)) => (duel.first, opponent, true, duel.wins > 0.0),
                (Some(opponent), None) => (duel.second, opponent, false, duel.losses > 0.0),
                _ => continue,
            };
            let games = bounds.0.entry(bot as usize).or_default();
            games.against.push(Against { opponent, first, games: duel.games() });
            games.won |= won;
            games.lost |= !won;
        }
        for (one, other, score) in tables.flat_map(Seating::pairs) {
            let single = |index: u32| rated[index as usize];
            let [one, other] = [one, other].map(|seated| seated.members[0].0);
            let (bot, won) = match (single(one), single(other)) {
                (None, Some(_)) => (one, score == Score::Win),
                (Some(_), None) => (other, score == Score::Loss),
                _ => continue,
            };
            let games = bounds.0.entry(bot as usize).or_default();
            games.won |= won;
            games.lost |= !won;
            games.of_more_seats = true;
        }
        bounds
    }

    /// The bound of a bot, if it met anybody who is rated.
    ///
    /// All its games against them are won, or all lost. The bound is where their likelihood has
    /// fallen to what a one-sided 95 % limit allows, half the square of the normal quantile
    /// (S. S. Wilks, "The large-sample distribution of the likelihood ratio",
    /// Annals of Mathematical Statistics 9, 1938), with the others' ratings taken as they are.
    pub fn of(&self, bot: usize, fit: &Fit) -> Option<Bound> {
        let games = self.0.get(&bot)?;
        let bound = (!games.of_more_seats).then(|| games.bound(fit));
        match (games.won, games.lost) {
            (true, false) => Some(Bound::Above(bound)),
            (false, true) => Some(Bound::Below(bound.map(|bound| -bound))),
            // It would be among the rated.
            _ => None,
        }
    }
}

impl Games {
    /// How strong (weak, if all is lost) a bot is at least.
    fn bound(&self, fit: &Fit) -> f64 {
        let allowed = -normal_quantile(0.95).powi(2) / 2.0;
        let nu = tie_parameter(&fit.log_ties);
        let second = fit.effects.iter().position(|effect| *effect == (2, 1));
        let worth = second.map_or(0.0, |index| fit.scaled.values[fit.raw.len() + index] / fit.scaled.scale);
        // Seen from above a loss is a win, and strengths change their sign.
        let sign = if self.won { 1.0 } else { -1.0 };
        let log_likelihood = |strength: f64| -> f64 {
            let one = |against: &Against| {
                let seat = if against.first { -worth } else { worth };
                let x = strength - sign * (fit.raw[against.opponent as usize] - seat);
                against.games * duel::probabilities(x, nu)[0].ln()
            };
            self.against.iter().map(one).sum()
        };
        // At the one end not even one of the games is likely enough, at the other all are.
        let (mut low, mut high) = (-1.0, 1.0);
        while log_likelihood(low) > allowed {
            low *= 2.0;
        }
        while log_likelihood(high) < allowed {
            high *= 2.0;
        }
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if log_likelihood(middle) < allowed { low = middle } else { high = middle }
        }
        high
    }
}

fn tie_parameter(log_ties: &[f64; TIES]) -> f64 {
    log_ties[0].exp()
}
