//! The covariance of strengths.

use super::clusters::{Cluster, Dependency};
use super::dataset::{Duel, Seating};
use super::game_key::{self, GameKind};
use super::matrix::Matrix;
use super::model::{GameDerivatives, LikelihoodModel};
use super::score::Score;

/// Number of a bot's pairs at which the observed and the expected variance have equal weight.
///
/// Only pairs that can show how results vary count: if a bot won all of its pairs, the observed variance
/// would be 0. See [`TellingPairs::telling`].
const PAIRS_BELIEVED: f64 = 10.0;

/// Games that are not independent, among the rated entrants.
#[derive(Clone, Debug)]
pub(super) struct Dependence<'f> {
    pub clusters: &'f [(Cluster, u64)],
    pub sheets: &'f [Option<Seating>],
    /// The number of each entrant among the rated.
    pub rated: &'f [Option<u32>],
}

/// The covariance of all parameters.
///
/// The inverse `H^-1` of the curvature if all games are independent. Where they are
/// not it is `H^-1 B H^-1`, `B` the variance of the slope: P. J. Huber, "The behavior of maximum
/// likelihood estimates under nonstandard conditions", Fifth Berkeley Symposium (1967);
/// H. White, "Maximum likelihood estimation of misspecified models", Econometrica 50
/// (1982); by clusters K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using generalized
/// linear models", Biometrika 73 (1986).
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
        match cluster.tie {
            Dependency::Repeat => add_repeats(&parts, *times as f64, &mut variance),
            Dependency::Pair => {
                let together = GameDerivatives::of_pair(&parts);
                let fewest = together.of.iter().filter(|of| **of < model.bots).map(|bot| pairs[*bot]);
                let fewest = fewest.fold(f64::INFINITY, f64::min);
                let believed = fewest / (fewest + PAIRS_BELIEVED);
                together.add_pair(&mut variance, &inverse, *times as f64 * believed);
                add_repeats(&parts, *times as f64 * (1.0 - believed), &mut variance);
            }
        }
    }
    &(&inverse * &variance) * &inverse
}

/// A game that was played `k` times in the same way has `k^2` times the variance of one, not `k` times.
fn add_repeats(parts: &[(GameDerivatives, f64)], times: f64, variance: &mut Matrix) {
    for (part, played) in parts {
        part.add_curvature(variance, times * (played * played - played));
    }
}

impl GameDerivatives {
    /// The derivatives of all games of a pair together.
    fn of_pair(parts: &[(GameDerivatives, f64)]) -> GameDerivatives {
        let mut of: Vec<usize> = parts.iter().flat_map(|(part, _)| part.of.iter().copied()).collect();
        of.sort_unstable();
        of.dedup();
        let size = of.len();
        let (mut slope, mut curvature) = (vec![0.0; size], vec![0.0; size * size]);
        for (part, played) in parts {
            let at: Vec<usize> = (part.of.iter())
                .map(|own| of.binary_search(own).expect("the parameters of all parts are there"))
                .collect();
            for (index, row) in at.iter().enumerate() {
                slope[*row] += played * part.slope[index];
                for (other, column) in at.iter().enumerate() {
                    curvature[row * size + column] += played * part.curvature[index * at.len() + other];
                }
            }
        }
        GameDerivatives { of, slope, curvature }
    }

    /// Replaces the model's expectation for the games of a pair, as if they were independent, by the pair's
    /// observed values.
    ///
    /// The square of the slope underestimates the variance: the estimate has moved towards these games, which takes
    /// `H_c V H_c` away. That is added again, so that without any dependence the expectation is the model's `H_c`.
    fn add_pair(&self, variance: &mut Matrix, inverse: &Matrix, times: f64) {
        let GameDerivatives { of, slope, curvature } = self;
        let size = of.len();
        let mut turned = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..size {
                turned[row * size + column] = (0..size)
                    .map(|inner| curvature[row * size + inner] * inverse[(of[inner], of[column])])
                    .sum();
            }
        }
        for row in 0..size {
            for column in 0..size {
                let taken: f64 = (0..size)
                    .map(|inner| turned[row * size + inner] * curvature[inner * size + column])
                    .sum();
                let shown = slope[row] * slope[column] + taken;
                variance[(of[row], of[column])] += times * (shown - curvature[row * size + column]);
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
        let part = |own: u64| match game_key::decode(own) {
            GameKind::Duel(first, second, score) => {
                let [first, second] = [self.rated[first as usize]?, self.rated[second as usize]?];
                let one = |of: Score| f64::from(u8::from(score == of));
                let [wins, draws, losses] = [Score::Win, Score::Draw, Score::Loss].map(one);
                Some(model.derivatives_of_duel(&Duel { first, second, wins, draws, losses }, at))
            }
            GameKind::Sheet(number) => {
                Some(model.derivatives_of_table(self.sheets[number as usize].as_ref()?, at))
            }
        };
        cluster.games.iter().map(|(own, played)| Some((part(*own)?, *played as f64))).collect()
    }

    /// The number of pairs of each bot that show how its results vary.
    fn pairs_of_bots(&self, bots: usize) -> Vec<f64> {
        let mut pairs = vec![TellingPairs::default(); bots];
        for (cluster, times) in self.clusters.iter().filter(|(cluster, _)| cluster.tie == Dependency::Pair) {
            // The players, and a win, a loss or anything in between.
            let mut of: Vec<(u32, Score)> = Vec::new();
            for (own, _) in &cluster.games {
                match game_key::decode(*own) {
                    GameKind::Duel(first, second, score) => {
                        let seats = [(first, score), (second, score.reversed())];
                        let rated = |(bot, score): (u32, Score)| Some((self.rated[bot as usize]?, score));
                        of.extend(seats.into_iter().filter_map(rated));
                    }
                    GameKind::Sheet(number) => of.extend(
                        (self.sheets[number as usize].iter().flat_map(Seating::bots))
                            .map(|bot| (bot as u32, Score::Draw)),
                    ),
                }
            }
            of.sort_unstable_by_key(|(bot, _)| *bot);
            for results in of.chunk_by(|one, other| one.0 == other.0) {
                let all = |score: Score| results.iter().all(|(_, own)| *own == score);
                pairs[results[0].0 as usize].count(all(Score::Win), all(Score::Loss), *times as f64);
            }
        }
        pairs.iter().map(TellingPairs::telling).collect()
    }
}

/// The pairs that a bot played.
#[derive(Copy, Clone, Debug, Default)]
struct TellingPairs {
    all: f64,
    /// Number of pairs in which it won every game.
    won: f64,
    /// Number of pairs in which it lost every game.
    lost: f64,
}

impl TellingPairs {
    fn count(&mut self, is_won: bool, is_lost: bool, times: f64) {
        self.all += times;
        self.won += if is_won { times } else { 0.0 };
        self.lost += if is_lost { times } else { 0.0 };
    }

    /// The number of pairs that show how its results vary. It is all of them for a bot that wins some and
    /// loses some, and none for one whose pairs were all won, or all lost.
    fn telling(&self) -> f64 {
        self.all.min(2.0 * (self.all - self.won)).min(2.0 * (self.all - self.lost))
    }
}
