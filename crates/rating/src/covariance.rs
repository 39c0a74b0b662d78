//! The covariance of strengths.

use super::clusters::{Cluster, Dependency};
use super::dataset::{Duel, Seating};
use super::game_key::{self, GameKind};
use super::matrix::Matrix;
use super::model::{GameDerivatives, LikelihoodModel};
use super::score::Score;

/// The number of a bot's pairs at which the observed and the expected variance have equal weight.
///
/// Only pairs that can show how results vary count: if a bot won all of its pairs, the observed variance
/// would be 0. See [`PairCounts::informative`].
const EQUAL_WEIGHT_PAIRS: f64 = 10.0;

/// Games that are not independent, among the rated entrants.
#[derive(Clone, Debug)]
pub(super) struct Dependence<'f> {
    pub clusters: &'f [(Cluster, u64)],
    pub sheets: &'f [Option<Seating>],
    /// The number of each entrant among the rated ones.
    pub rated: &'f [Option<u32>],
}

/// The covariance of all parameters.
///
/// It is the inverse `H^-1` of the curvature if all games are independent, and otherwise `H^-1 B H^-1`, where
/// `B` is the variance of the slope: P. J. Huber, "The behavior of maximum likelihood estimates under
/// nonstandard conditions", Fifth Berkeley Symposium (1967); H. White, "Maximum likelihood estimation of
/// misspecified models", Econometrica 50 (1982); for clusters, K.-Y. Liang and S. L. Zeger, "Longitudinal
/// data analysis using generalized linear models", Biometrika 73 (1986).
pub(super) fn covariance(
    model: &LikelihoodModel<'_>,
    at: &[f64],
    curvature: Matrix,
    inverse: Matrix,
    dependence: &Dependence<'_>,
) -> Matrix {
    if dependence.clusters.is_empty() {
        return inverse;
    }
    let mut variance = curvature;
    let pairs = dependence.pairs_of_bots(model.bots);
    for (cluster, times) in dependence.clusters {
        let Some(parts) = dependence.parts(model, at, cluster) else { continue };
        match cluster.dependency {
            Dependency::Repeat => add_repeats(&parts, *times as f64, &mut variance),
            Dependency::Pair => {
                let together = GameDerivatives::of_pair(&parts);
                let fewest =
                    together.indices.iter().filter(|index| **index < model.bots).map(|bot| pairs[*bot]);
                let fewest = fewest.fold(f64::INFINITY, f64::min);
                let weight = fewest / (fewest + EQUAL_WEIGHT_PAIRS);
                together.add_pair(&mut variance, &inverse, *times as f64 * weight);
                add_repeats(&parts, *times as f64 * (1.0 - weight), &mut variance);
            }
        }
    }
    &(&inverse * &variance) * &inverse
}

/// Adds the excess variance of repeats: a game played `k` times alike has `k^2` times its variance, not `k`.
fn add_repeats(parts: &[(GameDerivatives, f64)], times: f64, variance: &mut Matrix) {
    for (part, played) in parts {
        part.add_curvature(variance, times * (played * played - played));
    }
}

impl GameDerivatives {
    /// Adds up the derivatives of all games of a pair.
    fn of_pair(parts: &[(GameDerivatives, f64)]) -> GameDerivatives {
        let mut indices: Vec<usize> =
            parts.iter().flat_map(|(part, _)| part.indices.iter().copied()).collect();
        indices.sort_unstable();
        indices.dedup();
        let size = indices.len();
        let (mut slope, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
        for (part, played) in parts {
            let at: Vec<usize> = (part.indices.iter())
                .map(|index| indices.binary_search(index).expect("the parameters of all parts are there"))
                .collect();
            for (index, row) in at.iter().enumerate() {
                slope[*row] += played * part.slope[index];
                for (other, column) in at.iter().enumerate() {
                    curvature[row * size + column] += played * part.curvature[index * at.len() + other];
                }
            }
        }
        GameDerivatives { indices, slope, curvature }
    }

    /// Replaces the model's expectation for the games of a pair, as if they were independent, by the pair's
    /// observed values.
    ///
    /// The square of the slope underestimates the variance: the estimate has moved towards these games, which
    /// removes `H_c V H_c`. That is added back, so that the expectation without dependence is the model's `H_c`.
    fn add_pair(&self, variance: &mut Matrix, inverse: &Matrix, times: f64) {
        let GameDerivatives { indices, slope, curvature } = self;
        let size = indices.len();
        let mut product = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..size {
                product[row * size + column] = (0..size)
                    .map(|inner| curvature[row * size + inner] * inverse[(indices[inner], indices[column])])
                    .sum();
            }
        }
        for row in 0..size {
            for column in 0..size {
                let removed: f64 = (0..size)
                    .map(|inner| product[row * size + inner] * curvature[inner * size + column])
                    .sum();
                let observed = slope[row] * slope[column] + removed;
                variance[(indices[row], indices[column])] +=
                    times * (observed - curvature[row * size + column]);
            }
        }
    }
}

impl Dependence<'_> {
    /// The derivatives for one game of each key in a cluster, with its number of games; `None` if some of the
    /// cluster's bots are not rated.
    fn parts(
        &self,
        model: &LikelihoodModel<'_>,
        at: &[f64],
        cluster: &Cluster,
    ) -> Option<Vec<(GameDerivatives, f64)>> {
        let part = |key: u64| match game_key::decode(key) {
            GameKind::Duel(first, second, score) => {
                let [first, second] = [self.rated[first as usize]?, self.rated[second as usize]?];
                let indicator = |of: Score| f64::from(u8::from(score == of));
                let [wins, draws, losses] = [Score::Win, Score::Draw, Score::Loss].map(indicator);
                Some(model.derivatives_of_duel(&Duel { first, second, wins, draws, losses }, at))
            }
            GameKind::Sheet(number) => {
                Some(model.derivatives_of_table(self.sheets[number as usize].as_ref()?, at))
            }
        };
        cluster.games.iter().map(|(key, played)| Some((part(*key)?, *played as f64))).collect()
    }

    /// For each bot, the number of pairs that show how its results vary.
    fn pairs_of_bots(&self, bots: usize) -> Vec<f64> {
        let mut pairs = vec![PairCounts::default(); bots];
        for (cluster, times) in
            self.clusters.iter().filter(|(cluster, _)| cluster.dependency == Dependency::Pair)
        {
            // Rated players with their scores; a game of more than two seats counts as a draw.
            let mut scores: Vec<(u32, Score)> = Vec::new();
            for (key, _) in &cluster.games {
                match game_key::decode(*key) {
                    GameKind::Duel(first, second, score) => {
                        let seats = [(first, score), (second, score.reversed())];
                        let rated = |(bot, score): (u32, Score)| Some((self.rated[bot as usize]?, score));
                        scores.extend(seats.into_iter().filter_map(rated));
                    }
                    GameKind::Sheet(number) => scores.extend(
                        (self.sheets[number as usize].iter().flat_map(Seating::bots))
                            .map(|bot| (bot as u32, Score::Draw)),
                    ),
                }
            }
            scores.sort_unstable_by_key(|(bot, _)| *bot);
            for results in scores.chunk_by(|one, other| one.0 == other.0) {
                let all = |score: Score| results.iter().all(|(_, other)| *other == score);
                pairs[results[0].0 as usize].count(all(Score::Win), all(Score::Loss), *times as f64);
            }
        }
        pairs.iter().map(PairCounts::informative).collect()
    }
}

/// The pairs that a bot played.
#[derive(Copy, Clone, Debug, Default)]
struct PairCounts {
    all: f64,
    /// Number of pairs in which it won every game.
    won: f64,
    /// Number of pairs in which it lost every game.
    lost: f64,
}

impl PairCounts {
    fn count(&mut self, is_won: bool, is_lost: bool, times: f64) {
        self.all += times;
        self.won += if is_won { times } else { 0.0 };
        self.lost += if is_lost { times } else { 0.0 };
    }

    /// The number of pairs that show how its results vary: all of them for a bot that won at most half and
    /// lost at most half of them, fewer for others, and none if all were won, or all lost.
    fn informative(&self) -> f64 {
        self.all.min(2.0 * (self.all - self.won)).min(2.0 * (self.all - self.lost))
    }
}
