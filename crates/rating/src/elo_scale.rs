//! The scale on which strengths are printed: that of expected scores.
//!
//! A difference of `d` natural units means an expected score of `1 / (1 + e^-d)`. Without ties this is the
//! model's own scale. With ties, expected scores are a different function of strengths, and no single factor
//! makes all of them right: this factor makes them right for the games that were played.

use super::davidson;
use super::maths::logistic;
use super::matrix::Matrix;
use super::model::LikelihoodModel;
use super::plackett_luce::{self, TIES};
use linesman_types::seat::MAX_SEATS;

/// The factor from the model's scale to the printed one, and its gradient.
#[derive(Clone, Debug)]
pub(super) struct EloScale {
    pub value: f64,
    pub slope: Vec<f64>,
}

/// Computes the factor and its gradient.
///
/// It is the `s` with `sum x (E(x) - 1 / (1 + e^(-s x))) = 0`, summed over the pairs of sides of all games,
/// those of one game together with the weight 1: `x` is the difference in strength between the bots of one side
/// and the other, and `E` the expected score by the model in a game without seat effects. This is the maximum
/// quasi-likelihood fit of the usual curve to the expected scores, weighted by games (R. W. M. Wedderburn,
/// "Quasi-likelihood functions, generalized linear models, and the Gauss-Newton method", Biometrika 61, 1974).
/// For two bots it is exact. For bots of nearly equal strength it is the slope of the expected score between
/// equals, divided by 1/4, its value without ties; with two seats that is `2 / (2 + nu)`.
pub(super) fn scale(model: &LikelihoodModel<'_>, at: &[f64]) -> EloScale {
    let flat = || vec![0.0; model.parameters()];
    if model.ties.is_empty() {
        return EloScale { value: 1.0, slope: flat() };
    }
    let ties = model.log_ties(at);
    let curves = ScoreCurves::of(model, &ties);
    let Some(value) = value_among(model, at, &curves) else {
        return EloScale { value: curves.tangent(model), slope: tangent_slope(model, &ties) };
    };
    const STEP: f64 = 1e-4;
    let moved = |tied: &usize| {
        [STEP, -STEP].map(|by| {
            let mut moved = ties;
            moved[tied - 2] += by;
            ScoreCurves::of(model, &moved)
        })
    };
    let by_tie: Vec<[ScoreCurves; 2]> = model.ties.iter().map(moved).collect();
    let (mut slope, mut denominator) = (flat(), 0.0);
    let first_tie = model.first_tie();
    model.each_pair_of_sides(at, |pair, weight| {
        let curve = curves.curve(pair.seats);
        let (score, rise) = curve.at(pair.x);
        let usual = logistic(value * pair.x);
        let usual_rise = usual * (1.0 - usual);
        denominator += weight * pair.x * pair.x * usual_rise;
        let by_x = weight * ((score - usual) + pair.x * (rise - value * usual_rise));
        pair.bots(|bot, times| slope[bot] += times * by_x);
        if let ScoreCurve::TwoSeats(nu) = curve {
            if let Some(tie) = model.ties.iter().position(|tied| *tied == 2) {
                let [win, draw, loss] = davidson::probabilities(pair.x, *nu);
                slope[first_tie + tie] -= weight * pair.x * draw * (win - loss) / 2.0;
            }
            return;
        }
        for (tie, [above, below]) in by_tie.iter().enumerate() {
            let by = above.curve(pair.seats).at(pair.x).0 - below.curve(pair.seats).at(pair.x).0;
            slope[first_tie + tie] += weight * pair.x * by / (2.0 * STEP);
        }
    });
    slope.iter_mut().for_each(|entry| *entry /= denominator);
    EloScale { value, slope }
}

/// The factor alone.
pub(super) fn value(model: &LikelihoodModel<'_>, at: &[f64]) -> f64 {
    if model.ties.is_empty() {
        return 1.0;
    }
    let curves = ScoreCurves::of(model, &model.log_ties(at));
    value_among(model, at, &curves).unwrap_or_else(|| curves.tangent(model))
}

/// The factor for these strengths; `None` if they are almost equal.
fn value_among(model: &LikelihoodModel<'_>, at: &[f64], curves: &ScoreCurves) -> Option<f64> {
    // Below this difference rounding would hide the slope.
    const ALIKE: f64 = 1e-4;
    // Newton's method: after a step this small, rounding would hide the next one.
    const SMALL: f64 = 1e-8;
    // Decreases from above 0 to below 0 as the factor grows.
    let excess_and_fall = |factor: f64| -> (f64, f64) {
        let (mut excess, mut fall) = (0.0, 0.0);
        model.each_pair_of_sides(at, |pair, weight| {
            let usual = logistic(factor * pair.x);
            let weighted = weight * pair.x;
            excess += weighted * (curves.curve(pair.seats).at(pair.x).0 - usual);
            fall += weighted * pair.x * usual * (1.0 - usual);
        });
        (excess, fall)
    };
    let (mut squares, mut weights) = (0.0, 0.0);
    model.each_pair_of_sides(at, |pair, weight| {
        squares += weight * pair.x * pair.x;
        weights += weight;
    });
    if squares <= weights * ALIKE * ALIKE {
        return None;
    }
    let (mut low, mut high) = (0.0_f64, f64::INFINITY);
    let mut factor = curves.tangent(model);
    for _ in 0..100 {
        let (excess, fall) = excess_and_fall(factor);
        if excess > 0.0 {
            low = factor;
        } else {
            high = factor;
        }
        let newton = factor + excess / fall;
        let next = match newton >= low && newton <= high {
            true => newton,
            false if high.is_finite() => f64::midpoint(low, high),
            false => 2.0 * factor,
        };
        let moved = (next - factor).abs();
        factor = next;
        if moved <= SMALL * factor {
            break;
        }
    }
    Some(factor)
}

/// The gradient of [`ScoreCurves::tangent`].
fn tangent_slope(model: &LikelihoodModel<'_>, ties: &[f64; TIES]) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    let mut slope = vec![0.0; model.parameters()];
    for (tie, tied) in model.ties.iter().enumerate() {
        let moved = |by: f64| {
            let mut moved = *ties;
            moved[tied - 2] += by;
            ScoreCurves::of(model, &moved).tangent(model)
        };
        slope[model.first_tie() + tie] = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
    }
    slope
}

/// The expected score as a function of the difference in strength, for each number of seats.
struct ScoreCurves([Option<ScoreCurve>; MAX_SEATS + 1]);

enum ScoreCurve {
    /// Davidson's, with this parameter of ties.
    TwoSeats(f64),
    /// The expected score and its slope at multiples of [`ScoreCurve::STEP`].
    Steps(Vec<(f64, f64)>),
}

impl ScoreCurves {
    fn of(model: &LikelihoodModel<'_>, ties: &[f64; TIES]) -> ScoreCurves {
        let games = model.games_by_seats();
        let curve = |seats: usize| (games[seats] > 0.0).then(|| ScoreCurve::of(seats, ties));
        ScoreCurves(std::array::from_fn(curve))
    }

    fn curve(&self, seats: usize) -> &ScoreCurve {
        self.0[seats].as_ref().expect("there is one for each number of seats of which there are games")
    }

    /// The factor among equals: the slope of the expected score, divided by its value without ties, 1/4. If games
    /// have several numbers of seats, it is the mean over the games.
    fn tangent(&self, model: &LikelihoodModel<'_>) -> f64 {
        let games = model.games_by_seats();
        let sum: f64 = (self.0.iter().zip(games))
            .filter_map(|(curve, games)| Some(games * 4.0 * curve.as_ref()?.at(0.0).1))
            .sum();
        sum / games.iter().sum::<f64>()
    }
}

impl ScoreCurve {
    /// With this distance between steps, a cubic is within 1e-8 of the curve.
    const STEP: f64 = 1.0 / 16.0;
    /// The number of steps, after which the stronger side is almost sure to win.
    const STEPS: usize = 40 * 16;

    fn of(seats: usize, ties: &[f64; TIES]) -> ScoreCurve {
        if seats == 2 {
            return ScoreCurve::TwoSeats(ties[0].exp());
        }
        const STEP: f64 = 1e-4;
        let score = |x: f64| plackett_luce::expected_pair_score(x, seats, ties);
        let at = |step: usize| {
            let x = step as f64 * ScoreCurve::STEP;
            (score(x), (score(x + STEP) - score(x - STEP)) / (2.0 * STEP))
        };
        ScoreCurve::Steps((0..=ScoreCurve::STEPS).map(at).collect())
    }

    /// The expected score, and its slope.
    fn at(&self, x: f64) -> (f64, f64) {
        let steps = match self {
            ScoreCurve::TwoSeats(nu) => {
                let [win, draw, loss] = davidson::probabilities(x, *nu);
                // The slope is the variance of the score.
                return (win + draw / 2.0, (4.0 * win * loss + draw * (win + loss)) / 4.0);
            }
            ScoreCurve::Steps(steps) => steps,
        };
        let away = x.abs() / ScoreCurve::STEP;
        let index = away as usize;
        let (score, slope) = match steps.get(index..index + 2) {
            Some([(from, from_slope), (to, to_slope)]) => {
                let (u, up, down) =
                    (away - index as f64, from_slope * ScoreCurve::STEP, to_slope * ScoreCurve::STEP);
                // The cubic with these ends and slopes.
                let (second, third) = (3.0 * (to - from) - 2.0 * up - down, 2.0 * (from - to) + up + down);
                let score = from + u * (up + u * (second + u * third));
                (score, (up + u * (2.0 * second + 3.0 * u * third)) / ScoreCurve::STEP)
            }
            _ => (1.0, 0.0),
        };
        (if x < 0.0 { 1.0 - score } else { score }, slope)
    }
}

/// Strengths and effects of seats on the printed scale, and their covariance, which includes the uncertainty
/// of that scale.
#[derive(Clone, Debug)]
pub(super) struct ScaledEstimate {
    /// The factor from the model's scale to the printed one.
    pub scale: f64,
    /// Bots, then seats.
    pub values: Vec<f64>,
    pub covariance: Matrix,
}

/// Converts the estimates to the printed scale.
///
/// With the scale `s` a number is `s t`, and its differential `s dt + t ds`.
pub(super) fn scaled(model: &LikelihoodModel<'_>, at: &[f64], covariance: &Matrix) -> ScaledEstimate {
    let shown = model.first_tie();
    let EloScale { value, slope } = scale(model, at);
    let moving: Vec<usize> = (0..slope.len()).filter(|index| slope[*index] != 0.0).collect();
    let with_scale =
        |row: usize| -> f64 { moving.iter().map(|index| slope[*index] * covariance[(row, *index)]).sum() };
    let crossed: Vec<f64> = (0..shown).map(with_scale).collect();
    let of_scale: f64 = moving.iter().map(|index| slope[*index] * with_scale(*index)).sum();
    ScaledEstimate {
        scale: value,
        values: at[..shown].iter().map(|parameter| value * parameter).collect(),
        covariance: Matrix::from_fn(shown, shown, |row, column| {
            value * value * covariance[(row, column)]
                + value * (at[row] * crossed[column] + at[column] * crossed[row])
                + at[row] * at[column] * of_scale
        }),
    }
}

#[cfg(test)]
mod tests {
    use arrayvec::ArrayVec;

    use super::*;
    use crate::dataset::{Duel, SeatedSide, Seating};
    use linesman_types::seat::Place;

    /// A table with a bot at each seat, in this order; the first two tied.
    fn table(bots: &[u32]) -> Seating {
        let place = |index: usize| Place::new(index.max(1)).expect("there is such a place");
        let seated = bots.iter().enumerate().map(|(index, bot)| SeatedSide {
            members: ArrayVec::from_iter([(*bot, 1)]),
            seat: index as u8,
            place: place(if index < 2 { 1 } else { index + 1 }),
        });
        Seating { seats: bots.len() as u8, seated: seated.collect() }
    }

    #[track_caller]
    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6, "{value} instead of {expected}");
    }

    #[test]
    fn the_slope_is_the_derivative_of_the_scale() {
        let duel = |first, second| Duel { first, second, wins: 3.0, draws: 4.0, losses: 2.0 };
        let duels = [duel(0, 1), duel(1, 2), duel(3, 0)];
        let tables = [(table(&[0, 1, 2]), 5.0), (table(&[3, 2, 1, 0]), 2.0)];
        for model in
            [LikelihoodModel::new(4, &duels, &[], &[]), LikelihoodModel::new(4, &duels, &tables, &[])]
        {
            let mut at = vec![0.7, -0.4, -1.9, 1.6];
            at.resize(model.first_tie(), 0.3);
            at.extend([0.8, -0.5, 0.2].iter().take(model.ties.len()));
            let scale = scale(&model, &at);
            near(scale.value, value(&model, &at));
            assert_eq!(scale.slope.len(), model.parameters());
            for (index, slope) in scale.slope.iter().enumerate() {
                let moved = |by: f64| {
                    let mut moved = at.clone();
                    moved[index] += by;
                    value(&model, &moved)
                };
                near(*slope, (moved(1e-4) - moved(-1e-4)) / 2e-4);
            }
        }
    }

    #[test]
    fn interpolated_curves_are_exact_between_steps() {
        let ties = [0.3, -0.4, 0.1];
        for seats in 2..=4 {
            let curve = ScoreCurve::of(seats, &ties);
            for x in [-45.0, -3.3, -0.01, 0.0, 0.02, 0.77, 5.31, 60.0] {
                near(curve.at(x).0, plackett_luce::expected_pair_score(x, seats, &ties));
            }
        }
    }

    #[test]
    fn without_ties_the_scale_is_the_model_s_own() {
        let duel = Duel { first: 0, second: 1, wins: 3.0, draws: 0.0, losses: 2.0 };
        assert_eq!(
            value(&LikelihoodModel::new(2, &[duel], &[], &[]), &[1.0, -1.0, 0.1]).to_bits(),
            1.0_f64.to_bits()
        );
    }
}
