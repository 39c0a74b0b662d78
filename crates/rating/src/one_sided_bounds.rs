//! One-sided bounds of bots that won or lost all their games against the rated ones.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::dataset::{Duel, SeatedSide, Seating};
use super::davidson;
use super::maths::normal_quantile;
use super::maximum_likelihood::MaximumLikelihood;
use super::plackett_luce::{self, Extent};
use linesman_types::seat::MAX_SEATS;

/// A one-sided bound of a strength, in the model's natural units.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum OneSidedBound {
    /// The lower bound of a bot that won every game.
    Above(f64),
    /// The upper bound of a bot that lost every game.
    Below(f64),
}

/// The games between rated and unrated bots.
#[derive(Clone, Debug, Default)]
pub(super) struct OneSidedBounds(BTreeMap<usize, OneSidedGames>);

#[derive(Clone, Debug, Default)]
struct OneSidedGames {
    against: Vec<OneSidedOpponent>,
    won: bool,
    lost: bool,
    /// Games of more than two seats.
    tables: Vec<SeatedGames>,
}

/// Games at a table with rated bots.
#[derive(Clone, Debug)]
struct SeatedGames {
    /// The bot and the rated bots, with their numbers; the bot's is [`ITSELF`].
    seating: Seating,
    games: f64,
}

/// The number of the bot whose bound is computed.
const ITSELF: u32 = u32::MAX;

/// Games against a rated bot.
#[derive(Copy, Clone, Debug)]
struct OneSidedOpponent {
    opponent: u32,
    /// True if the bot, not the opponent, had the first seat.
    first: bool,
    games: f64,
}

impl OneSidedBounds {
    /// Collects the games that count for bounds: those against rated bots.
    pub fn new<'f>(
        duels: &[Duel],
        tables: impl Iterator<Item = (&'f Seating, u64)>,
        rated: &[Option<u32>],
    ) -> OneSidedBounds {
        let mut bounds = OneSidedBounds::default();
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
            games.against.push(OneSidedOpponent { opponent, first, games: duel.games() });
            games.won |= won;
            games.lost |= !won;
        }
        for (table, times) in tables {
            for (bot, won) in unrated_at(table, rated) {
                let number = |other: usize| if other == bot { Some(ITSELF) } else { rated[other] };
                let games = bounds.0.entry(bot).or_default();
                games.won |= won;
                games.lost |= !won;
                games.tables.extend(table.among(number).map(|mut seating| {
                    // A bot with several seats counts only at the first.
                    let mut seats = 0;
                    seating.seated.retain(|side| {
                        seats += u32::from(side.members[0].0 == ITSELF);
                        side.members[0].0 != ITSELF || seats == 1
                    });
                    SeatedGames { seating, games: times as f64 }
                }));
            }
        }
        bounds
    }

    /// The bound of a bot, if it met a rated bot.
    ///
    /// It won all its games against them, or lost all. The bound is the strength at which the likelihood of
    /// these games has fallen to the limit of a one-sided 95 % interval, half the square of the normal
    /// quantile (S. S. Wilks, "The large-sample distribution of the likelihood ratio", Annals of Mathematical
    /// Statistics 9, 1938), with the others' ratings taken as exact. At a table of more seats it is the
    /// likelihood of the bot's place, given the order of the rated bots; other unrated bots are left out.
    pub fn of(&self, bot: usize, estimate: &MaximumLikelihood) -> Option<OneSidedBound> {
        let games = self.0.get(&bot)?;
        match (games.won, games.lost) {
            (true, false) => Some(OneSidedBound::Above(games.bound(estimate))),
            (false, true) => Some(OneSidedBound::Below(-games.bound(estimate))),
            // A bot that both won and lost would be rated.
            _ => None,
        }
    }
}

impl OneSidedGames {
    /// Returns the bound for a bot that won every game, or minus the bound for one that lost every game.
    fn bound(&self, estimate: &MaximumLikelihood) -> f64 {
        let allowed = -normal_quantile(0.95).powi(2) / 2.0;
        let nu = estimate.log_ties[0].exp();
        let seat_effect = estimate.seat_effect(2, 1);
        // From the opponents' point of view a loss is a win, and strengths change their sign.
        let sign = if self.won { 1.0 } else { -1.0 };
        let log_likelihood = |strength: f64| -> f64 {
            let log_probability = |against: &OneSidedOpponent| {
                let seat = if against.first { -seat_effect } else { seat_effect };
                let x = strength - sign * (estimate.raw[against.opponent as usize] - seat);
                against.games * davidson::probabilities(x, nu)[0].ln()
            };
            let at_table =
                |table: &SeatedGames| table.games * table.log_likelihood(sign * strength, estimate);
            self.against.iter().map(log_probability).sum::<f64>()
                + self.tables.iter().map(at_table).sum::<f64>()
        };
        // Bracket the bound: too unlikely at the lower end, likely enough at the upper one.
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

impl SeatedGames {
    /// The log-likelihood of the bot's place, given the places of the rated bots.
    fn log_likelihood(&self, strength: f64, estimate: &MaximumLikelihood) -> f64 {
        let Seating { seats, seated } = &self.seating;
        let seat_effect = |seat: u8| estimate.seat_effect(usize::from(*seats), usize::from(seat));
        let contribution = |is_included: &dyn Fn(u32) -> bool| {
            let included = || seated.iter().filter(|side| is_included(side.members[0].0));
            let strengths: ArrayVec<f64, MAX_SEATS> = included()
                .map(|side| match side.members[0].0 {
                    ITSELF => strength + seat_effect(side.seat),
                    other => estimate.raw[other as usize] + seat_effect(side.seat),
                })
                .collect();
            let places: ArrayVec<u8, MAX_SEATS> = included().map(|side| side.place.number() as u8).collect();
            plackett_luce::contribution(&strengths, &estimate.log_ties, &places, Extent::Value).log_likelihood
        };
        contribution(&|_| true) - contribution(&|bot| bot != ITSELF)
    }
}

/// The unrated bots at a table with rated ones; true for those with better places than these.
fn unrated_at(table: &Seating, rated: &[Option<u32>]) -> BTreeMap<usize, bool> {
    let is_rated = |side: &&SeatedSide| rated[side.members[0].0 as usize].is_some();
    let Some(other) = table.seated.iter().find(is_rated) else { return BTreeMap::new() };
    let others = table.seated.iter().filter(|side| !is_rated(side));
    others.map(|side| (side.members[0].0 as usize, side.place < other.place)).collect()
}
