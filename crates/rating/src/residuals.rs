//! Tests of the agreement between a group of games, such as those that one machine has played, and all others.
//!
//! The residual of a bot in a game is its score minus its expected score by the ratings. Ratings are never
//! exact, so a bot's mean residual in the games of a group is compared with that in all other games: `z` is
//! the difference divided by its standard error, which comes from the residuals themselves. Over the `k` bots
//! of a group, `(k - 1) / k` times the sum of `z^2` is compared with the chi-square distribution with `k - 1`
//! degrees of freedom, since the residuals of a game cancel each other. This is exact if all bots of the
//! group meet equally often, and close otherwise.

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF, DiscreteCDF, Hypergeometric};

use crate::{Ratings, expected_score};

/// The minimum number of games of a group that is tested, and of all other games.
const MIN_GAMES: u64 = 20;

/// Games of the same bots in the same seats with the same places.
#[derive(Copy, Clone, Debug)]
pub struct SameGames<'a> {
    /// The bots in seat order.
    pub names: &'a [String],
    /// The place of each of them.
    pub places: &'a [u8],
    /// The number of games.
    pub games: u64,
}

/// The result of testing a group of games.
#[derive(Clone, PartialEq, Debug)]
pub struct ResidualTest {
    /// The statistic.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub freedom: u32,
    /// The probability that the statistic of any tested group is at least this high if all groups agree: that
    /// of a single group times their number.
    pub p_value: f64,
    /// The bot that contributes most to the statistic.
    pub bot: String,
    /// Its mean residual in the group minus that in the other games.
    pub excess: f64,
}

/// Residuals of a bot.
#[derive(Copy, Clone, Default)]
struct Residuals {
    games: f64,
    sum: f64,
    squares: f64,
}

impl Residuals {
    fn add(&mut self, residual: f64, games: f64) {
        self.games += games;
        self.sum += games * residual;
        self.squares += games * residual * residual;
    }

    /// Subtracts the residuals of a part of the games.
    fn without(self, part: Residuals) -> Residuals {
        Residuals {
            games: self.games - part.games,
            sum: self.sum - part.sum,
            squares: self.squares - part.squares,
        }
    }

    fn mean(self) -> f64 {
        self.sum / self.games
    }

    /// The variance of the mean.
    fn variance(self) -> f64 {
        self.squares / (self.games * self.games)
    }
}

/// Tests each group of games against all others; `None` for a group of too few games.
pub fn residual_tests(ratings: &Ratings, groups: &[Vec<SameGames<'_>>]) -> Vec<Option<ResidualTest>> {
    let of_groups: Vec<BTreeMap<&str, Residuals>> =
        groups.iter().map(|group| residuals(ratings, group)).collect();
    let mut of_all: BTreeMap<&str, Residuals> = BTreeMap::new();
    for (bot, group) in of_groups.iter().flatten() {
        let all = of_all.entry(bot).or_default();
        all.games += group.games;
        all.sum += group.sum;
        all.squares += group.squares;
    }
    let games: Vec<u64> = groups.iter().map(|group| group.iter().map(|same| same.games).sum()).collect();
    let all_games: u64 = games.iter().sum();
    let mut tests: Vec<Option<ResidualTest>> = of_groups
        .iter()
        .zip(&games)
        .map(|(group, games)| {
            let is_enough = *games >= MIN_GAMES && all_games - games >= MIN_GAMES;
            is_enough.then(|| test(group, &of_all)).flatten()
        })
        .collect();
    let tested = tests.iter().flatten().count() as f64;
    for test in tests.iter_mut().flatten() {
        test.p_value = (test.p_value * tested).min(1.0);
    }
    tests
}

fn test(group: &BTreeMap<&str, Residuals>, all: &BTreeMap<&str, Residuals>) -> Option<ResidualTest> {
    let (mut bots, mut sum) = (0_u32, 0.0);
    let mut largest: Option<(f64, &str, f64)> = None;
    for (bot, in_group) in group {
        let elsewhere = all.get(bot)?.without(*in_group);
        let variance = in_group.variance() + elsewhere.variance();
        if elsewhere.games < 1.0 || variance <= f64::EPSILON {
            continue;
        }
        let excess = in_group.mean() - elsewhere.mean();
        let square = excess * excess / variance;
        bots += 1;
        sum += square;
        if largest.is_none_or(|(before, ..)| square > before) {
            largest = Some((square, bot, excess));
        }
    }
    let freedom = bots.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let chi_square = sum * f64::from(freedom) / f64::from(bots);
    let p_value = ChiSquared::new(f64::from(freedom)).ok()?.sf(chi_square);
    let (_, bot, excess) = largest?;
    Some(ResidualTest { chi_square, freedom, p_value, bot: bot.to_owned(), excess })
}

fn residuals<'g>(ratings: &Ratings, group: &[SameGames<'g>]) -> BTreeMap<&'g str, Residuals> {
    let mut residuals: BTreeMap<&str, Residuals> = BTreeMap::new();
    for same in group {
        let elos: Option<Vec<f64>> = same.names.iter().map(|name| ratings.of(name)?.elo).collect();
        let Some(elos) = elos.filter(|elos| elos.len() == same.places.len() && elos.len() > 1) else {
            continue;
        };
        let opponents = (elos.len() - 1) as f64;
        for (index, name) in same.names.iter().enumerate() {
            let others = (0..elos.len()).filter(|other| *other != index);
            let residual: f64 = others
                .map(|other| {
                    let score = match same.places[index].cmp(&same.places[other]) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    score - expected_score(elos[index] - elos[other])
                })
                .sum();
            residuals.entry(name).or_default().add(residual / opponents, same.games as f64);
        }
    }
    residuals
}

/// The probability that at least `own.0` of `own.1` comparisons show a difference, if differences are as
/// frequent as in the others: Fisher's exact test (R. A. Fisher, "On the Interpretation of chi-square from
/// Contingency Tables, and the Calculation of P", 1922), one-sided. `None` without other comparisons.
pub fn differs_more_often(own: (u64, u64), others: (u64, u64)) -> Option<f64> {
    if own.1 == 0 || others.1 == 0 {
        return None;
    }
    let Some(less) = own.0.checked_sub(1) else { return Some(1.0) };
    let differing = Hypergeometric::new(own.1 + others.1, own.0 + others.0, own.1).ok()?;
    Some(differing.sf(less))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LikelihoodOptions, Results, rate};
    use linesman_types::random::SplitMix64;
    use linesman_types::seat::Place;

    const BOTS: [&str; 4] = ["ada", "bob", "cleo", "dan"];

    /// The number of games by their bots and places.
    type Games = BTreeMap<(Vec<String>, Vec<u8>), u64>;

    /// Random games of some workers. The last one lets `bob` win a given percentage of its games.
    struct Club {
        random: SplitMix64,
        results: Results,
        workers: Vec<Games>,
    }

    impl Club {
        fn new(seed: u64, workers: usize) -> Club {
            Club {
                random: SplitMix64(seed),
                results: Results::new(),
                workers: vec![BTreeMap::new(); workers],
            }
        }

        fn play(&mut self, games: u64, falsified: u64) {
            for game in 0..games {
                let worker = self.random.below(self.workers.len() as u64) as usize;
                let one = (game % 4) as usize;
                let other = (one + 1 + (game / 4 % 3) as usize) % 4;
                let wins = 500 + 60 * (other as u64) - 60 * (one as u64);
                let mut first_wins = self.random.below(1_000) < wins;
                let is_falsified = worker + 1 == self.workers.len() && self.random.below(100) < falsified;
                if is_falsified && (one == 1 || other == 1) {
                    first_wins = one == 1;
                }
                let places = if first_wins { [1, 2] } else { [2, 1] };
                let names = [BOTS[one], BOTS[other]];
                let of_seats = places.map(|place| Place::new(place).expect("it is one"));
                self.results.add(&names, &of_seats).expect("it can be rated");
                let key = (names.map(str::to_owned).to_vec(), places.map(|place| place as u8).to_vec());
                *self.workers[worker].entry(key).or_default() += 1;
            }
        }

        fn tests(&self) -> Vec<Option<ResidualTest>> {
            let ratings = rate(&self.results, &LikelihoodOptions::default()).expect("they can be rated");
            let groups: Vec<Vec<SameGames<'_>>> = (self.workers.iter())
                .map(|worker| {
                    let same = worker.iter().map(|((names, places), games)| SameGames {
                        names,
                        places,
                        games: *games,
                    });
                    same.collect()
                })
                .collect();
            residual_tests(&ratings, &groups)
        }
    }

    #[test]
    fn honest_workers_are_seldom_suspected() {
        let (mut suspected, mut sum) = (0, 0.0);
        for seed in 0..200 {
            let mut club = Club::new(seed, 4);
            club.play(600, 0);
            let tests = club.tests();
            let smallest = tests.iter().flatten().map(|test| test.p_value).fold(1.0, f64::min);
            suspected += usize::from(smallest < 0.05);
            sum += tests.iter().flatten().map(|test| test.chi_square / f64::from(test.freedom)).sum::<f64>()
                / 4.0;
        }
        // 5 % of 200 leagues are expected.
        assert!((2..=20).contains(&suspected), "{suspected} of 200");
        assert!((0.85..1.15).contains(&(sum / 200.0)), "{}", sum / 200.0);
    }

    #[test]
    fn a_worker_whose_results_are_shifted_is_found() {
        let mut named = 0;
        for seed in 0..20 {
            let mut club = Club::new(1_000 + seed, 4);
            club.play(1_600, 50);
            let tests = club.tests();
            let liar = tests[3].clone().expect("it has enough games");
            assert!(liar.p_value < 0.01, "{seed}: {liar:?}");
            let smallest = tests[..3].iter().flatten().map(|test| test.p_value).fold(1.0, f64::min);
            assert!(liar.p_value < smallest, "{seed}: {tests:?}");
            // A bot that lost to it may differ more by chance.
            named += u32::from(liar.bot == "bob" && liar.excess > 0.0);
        }
        assert!(named >= 15, "{named} of 20");
    }

    #[test]
    fn few_games_are_not_tested() {
        let mut club = Club::new(1, 1);
        club.play(400, 0);
        assert_eq!(club.tests(), [None], "there are no others");
        let mut club = Club::new(1, 2);
        club.play(30, 0);
        assert_eq!(club.tests(), [None, None]);
    }

    #[test]
    fn differences_are_compared_by_fishers_test() {
        // The lady who tasted tea: 3 of 4 right.
        let p = differs_more_often((3, 4), (1, 4)).expect("there are others");
        assert!((p - 17.0 / 70.0).abs() < 1e-9, "{p}");
        assert_eq!(differs_more_often((0, 5), (3, 9)), Some(1.0));
        assert_eq!(differs_more_often((1, 5), (0, 0)), None);
    }
}
