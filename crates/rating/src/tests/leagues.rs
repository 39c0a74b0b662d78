//! Made-up leagues of bots whose strengths are known.

use super::fraction;
use crate::{ELO_PER_NATURAL, LikelihoodOptions, RatedGame, Ratings, Results, rate};
use linesman_types::random::SplitMix64;
use linesman_types::seat::{Place, Teams};

/// The probabilities of results in games of two seats.
#[derive(Copy, Clone, Debug)]
pub(super) struct TwoSeats {
    /// Davidson's parameter of draws.
    pub nu: f64,
    /// The advantage of the first seat, in natural units.
    pub advantage: f64,
    /// The variation of that advantage between openings, as a standard deviation in natural units.
    pub openings: f64,
    /// True if each opening is played from both seats.
    pub paired: bool,
    /// The number of times that each game is played, move for move.
    pub repeats: usize,
}

/// The kind of games in a league.
#[derive(Copy, Clone, Debug)]
pub(super) enum Kind {
    /// Each bot against each other, with this number of games (with pairs: of pairs) from either seat.
    TwoSeats(TwoSeats, usize),
    /// This number of games of four bots each, picked at random; the parameters of shared places, and the
    /// advantages of seats 2 to 4 in natural units. If openings change the seats, with this standard
    /// deviation, each is played from all four seats of each bot.
    FourSeats { games: usize, ties: [f64; 3], worths: [f64; 3], openings: f64 },
    /// This number of games of two against two, picked at random; the parameter of draws, the advantage of
    /// the first side, and its standard deviation between openings: if it is above 0, each opening is played
    /// from both sides.
    Teams { games: usize, nu: f64, advantage: f64, openings: f64 },
}

/// A league that can be played again and again.
#[derive(Clone, Debug)]
pub(super) struct League {
    /// Strengths in natural units, as in the model.
    pub strengths: Vec<f64>,
    pub kind: Kind,
}

pub(super) fn name(bot: usize) -> String {
    format!("bot{bot}")
}

fn place(number: usize) -> Place {
    Place::new(number).expect("there is such a place")
}

/// The places of a game of two sides.
const PLACES: [[usize; 2]; 3] = [[1, 2], [1, 1], [2, 1]];

impl TwoSeats {
    /// The probabilities of win, draw and loss for the first seat.
    fn probabilities(&self, lead: f64) -> [f64; 3] {
        let weights = [(lead / 2.0).exp(), self.nu, (-lead / 2.0).exp()];
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    }

    /// The same over all openings.
    fn mean_probabilities(&self, lead: f64) -> [f64; 3] {
        const STEPS: i32 = 400;
        let mut mean = [0.0; 3];
        let mut sum = 0.0;
        for step in -STEPS..=STEPS {
            let deviation = 8.0 * f64::from(step) / f64::from(STEPS);
            let weight = (-deviation * deviation / 2.0).exp();
            let here = self.probabilities(lead + self.openings * deviation);
            for (mean, probability) in mean.iter_mut().zip(here) {
                *mean += weight * probability;
            }
            sum += weight;
        }
        mean.map(|value| value / sum)
    }
}

/// The marking of the games of an opening as a pair.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum PairsGiven {
    Pairs,
    NoPairs,
}

fn pick<const N: usize>(chance: &mut SplitMix64, weights: [f64; N]) -> usize {
    let mut throw = fraction(chance) * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        throw -= weight;
        if throw < 0.0 {
            return index;
        }
    }
    N - 1
}

/// A number of the standard normal distribution (Box and Muller 1958).
fn normal(chance: &mut SplitMix64) -> f64 {
    let radius = (-2.0 * (1.0 - fraction(chance)).ln()).sqrt();
    radius * (std::f64::consts::TAU * fraction(chance)).cos()
}

/// Draws this number of different bots.
fn draw_bots(chance: &mut SplitMix64, of: usize, count: usize) -> Vec<usize> {
    let mut bots: Vec<usize> = (0..of).collect();
    (0..count).map(|_| bots.swap_remove(chance.below(bots.len() as u64) as usize)).collect()
}

impl League {
    /// Plays the league once.
    pub fn play(&self, chance: &mut SplitMix64) -> Results {
        self.play_marking(PairsGiven::Pairs, chance)
    }

    fn play_marking(&self, given: PairsGiven, chance: &mut SplitMix64) -> Results {
        let mut results = Results::new();
        (0..self.strengths.len()).for_each(|bot| results.add_bot(&name(bot)));
        match self.kind {
            Kind::TwoSeats(rules, times) => self.play_two_seats(&rules, times, chance, &mut results),
            Kind::FourSeats { games, ties, worths, openings } => {
                let each = if openings > 0.0 { 4 } else { 1 };
                for encounter in 0..games / each {
                    let mut bots = draw_bots(chance, self.strengths.len(), 4);
                    let worths = [0.0, worths[0], worths[1], worths[2]];
                    let worths = if openings > 0.0 {
                        worths.map(|worth| worth + openings * normal(chance))
                    } else {
                        worths
                    };
                    for _ in 0..each {
                        let places = self.four_seats(&bots, ties, worths, chance);
                        add(&mut results, &bots, &places, None, (given, each, encounter));
                        bots.rotate_left(1);
                    }
                }
            }
            Kind::Teams { games, nu, advantage, openings } => {
                let rules = TwoSeats { nu, advantage, openings, paired: false, repeats: 1 };
                let teams = Teams::opposite_pairs();
                let each = if openings > 0.0 { 2 } else { 1 };
                for encounter in 0..games / each {
                    let mut bots = draw_bots(chance, self.strengths.len(), 4);
                    let opening = if openings > 0.0 { openings * normal(chance) } else { 0.0 };
                    for _ in 0..each {
                        let of = |seat: usize| self.strengths[bots[seat]];
                        let lead = of(0) + of(2) - of(1) - of(3) + rules.advantage + opening;
                        let [first, second] = PLACES[pick(chance, rules.probabilities(lead))].map(place);
                        let places = [first, second, first, second];
                        add(&mut results, &bots, &places, Some(&teams), (given, each, encounter));
                        bots.rotate_left(1);
                    }
                }
            }
        }
        results
    }

    fn play_two_seats(&self, rules: &TwoSeats, times: usize, chance: &mut SplitMix64, results: &mut Results) {
        let mut number = 0_u64;
        for one in 0..self.strengths.len() {
            for other in 0..one {
                for _ in 0..times {
                    let mut opening = rules.openings * normal(chance);
                    number += 1;
                    let pair = number.to_string();
                    for [first, second] in [[one, other], [other, one]] {
                        if !rules.paired {
                            opening = rules.openings * normal(chance);
                        }
                        let lead = self.strengths[first] - self.strengths[second] + rules.advantage + opening;
                        let places = PLACES[pick(chance, rules.probabilities(lead))].map(place);
                        let names = [name(first), name(second)];
                        let names = [names[0].as_str(), names[1].as_str()];
                        let mut game = RatedGame::new(&names, &places);
                        if rules.paired {
                            game = game.in_pair("league", &pair);
                        }
                        let moves = chance.next_u64();
                        for _ in 0..rules.repeats {
                            results.count(&game.with_moves(moves)).expect("two seats");
                        }
                    }
                }
            }
        }
    }

    fn four_seats(
        &self,
        bots: &[usize],
        ties: [f64; 3],
        worths: [f64; 4],
        chance: &mut SplitMix64,
    ) -> [Place; 4] {
        let strength = |seat: usize| self.strengths[bots[seat]] + worths[seat];
        let mut places = [Place::FIRST; 4];
        let mut left: u8 = 0b1111;
        while left != 0 {
            let mut weights = [0.0; 16];
            for set in 1..16_u8 {
                if set & !left == 0 {
                    let members = (0..4).filter(|seat| set & (1 << seat) != 0);
                    let mean = members.map(strength).sum::<f64>() / f64::from(set.count_ones());
                    let tie = if set.count_ones() > 1 { ties[set.count_ones() as usize - 2] } else { 1.0 };
                    weights[usize::from(set)] = tie * mean.exp();
                }
            }
            let chosen = pick(chance, weights) as u8;
            let shared = place(5 - left.count_ones() as usize);
            (0..4).filter(|seat| chosen & (1 << seat) != 0).for_each(|seat| places[seat] = shared);
            left &= !chosen;
        }
        places
    }

    /// The ratings, and the first seat's advantage, that endless games of this kind converge to.
    pub fn truth(&self) -> (Vec<f64>, f64) {
        let mean = self.strengths.iter().sum::<f64>() / self.strengths.len() as f64;
        let by = |scale: f64| -> Vec<f64> {
            self.strengths
                .iter()
                .map(|strength| 1500.0 + (strength - mean) * scale * ELO_PER_NATURAL)
                .collect()
        };
        match self.kind {
            Kind::TwoSeats(rules, _) if rules.openings == 0.0 && rules.nu == 0.0 => {
                (by(1.0), rules.advantage * ELO_PER_NATURAL)
            }
            Kind::TwoSeats(rules, _) => self.endless(&rules),
            Kind::FourSeats { ties, worths, openings, .. } if ties == [0.0; 3] && openings == 0.0 => {
                (by(1.0), -worths.iter().sum::<f64>() / 3.0 * ELO_PER_NATURAL)
            }
            Kind::Teams { nu, advantage, openings, .. } if nu == 0.0 && openings == 0.0 => {
                (by(1.0), advantage * ELO_PER_NATURAL)
            }
            Kind::FourSeats { .. } | Kind::Teams { .. } => self.very_many(),
        }
    }

    /// Estimates the same from games so numerous that chance hardly matters.
    fn very_many(&self) -> (Vec<f64>, f64) {
        let mut many = self.clone();
        match &mut many.kind {
            Kind::FourSeats { games, .. } | Kind::Teams { games, .. } => *games = 200_000,
            Kind::TwoSeats(..) => {}
        }
        let results = many.play_marking(PairsGiven::NoPairs, &mut SplitMix64(20_261_122));
        let ratings = rate(&results, &LikelihoodOptions::default()).expect("rated");
        let elos = (0..self.strengths.len()).map(|bot| elo(&ratings, &name(bot)));
        (elos.collect(), ratings.first_seat_advantage.expect("known").0)
    }

    /// Openings make results a mixture that the model can't represent: except for chance, its estimate from
    /// very many games is the same as from few.
    fn endless(&self, rules: &TwoSeats) -> (Vec<f64>, f64) {
        let mut results = Results::new();
        for one in 0..self.strengths.len() {
            for other in (0..self.strengths.len()).filter(|other| *other != one) {
                let lead = self.strengths[one] - self.strengths[other] + rules.advantage;
                let [wins, draws, losses] =
                    rules.mean_probabilities(lead).map(|share| (share * 1e9).round() as u64);
                results.add_tally(&name(one), &name(other), crate::Tally { wins, draws, losses });
            }
        }
        let ratings = rate(&results, &LikelihoodOptions::default()).expect("rated");
        let elos = (0..self.strengths.len()).map(|bot| elo(&ratings, &name(bot)));
        (elos.collect(), ratings.first_seat_advantage.expect("known").0)
    }
}

/// Counts a game of four, one of several from the opening of this encounter.
fn add(
    results: &mut Results,
    bots: &[usize],
    places: &[Place],
    teams: Option<&Teams>,
    (given, each, encounter): (PairsGiven, usize, usize),
) {
    let names: Vec<String> = bots.iter().map(|bot| name(*bot)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let pair = encounter.to_string();
    let mut game = RatedGame::new(&names, places);
    if let Some(teams) = teams {
        game = game.in_teams(teams, &[]);
    }
    if each > 1 && given == PairsGiven::Pairs {
        game = game.in_pair("league", &pair);
    }
    results.count(&game).expect("four seats");
}

#[track_caller]
pub(super) fn elo(ratings: &Ratings, name: &str) -> f64 {
    ratings.of(name).and_then(|row| row.elo).expect("the bot has a rating")
}
