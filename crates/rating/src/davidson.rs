//! A game of two seats: win, draw or loss.
//!
//! R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
//! comparison experiments", Journal of the American Statistical Association 65 (1970),
//! with the order effect of R. R. Davidson and R. J. Beaver, "On extending the Bradley-Terry
//! model to incorporate within-pair order effects", Biometrics 33 (1977): the
//! first seat's win, a draw and its loss have the weights `e^(x/2)`, `nu` and `e^(-x/2)`, where `x` is
//! the difference in strength between the bots of the first and the second seat, including the effects of the
//! seats.

use super::dataset::Duel;

/// The log-likelihood of some games of two seats, and its derivatives with respect to `x` and `ln nu`.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub(super) struct Contribution {
    pub log_likelihood: f64,
    pub slope: f64,
    pub slope_by_draws: f64,
    /// The negative second derivatives.
    pub curvature: f64,
    pub curvature_by_draws: f64,
    pub mixed: f64,
}

/// The weights of win, draw and loss relative to the weight of a win by the stronger side, and the logarithm of
/// that weight.
fn weights(x: f64, nu: f64) -> ([f64; 3], f64) {
    let half = (-x.abs() / 2.0).exp();
    let (strong, draw, weak) = (1.0, nu * half, half * half);
    if x >= 0.0 { ([strong, draw, weak], x / 2.0) } else { ([weak, draw, strong], -x / 2.0) }
}

/// The probabilities of win, draw and loss.
pub(super) fn probabilities(x: f64, nu: f64) -> [f64; 3] {
    let (weights, _) = weights(x, nu);
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The log-likelihood of some games; `nu` is 0 if there are no draws.
pub(super) fn log_likelihood(duel: &Duel, x: f64, nu: f64) -> f64 {
    let (weights, log_unit) = weights(x, nu);
    let sum: f64 = weights.iter().sum();
    let of_draws = if duel.draws > 0.0 { duel.draws * nu.ln() } else { 0.0 };
    (duel.wins - duel.losses) * x / 2.0 + of_draws - duel.games() * (log_unit + sum.ln())
}

/// The derivatives for some games. The log-likelihood is left at 0.
pub(super) fn derivatives(duel: &Duel, x: f64, nu: f64) -> Contribution {
    let [win, draw, loss] = probabilities(x, nu);
    let games = duel.games();
    let lead = win - loss;
    Contribution {
        log_likelihood: 0.0,
        slope: (duel.wins - duel.losses - games * lead) / 2.0,
        slope_by_draws: duel.draws - games * draw,
        // This form avoids a difference that would be rounded away if one side is sure to win.
        curvature: games * (4.0 * win * loss + draw * (win + loss)) / 4.0,
        curvature_by_draws: games * draw * (win + loss),
        mixed: -games * lead * draw / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{value} instead of {expected}");
    }

    const DUEL: Duel = Duel { first: 0, second: 1, wins: 5.0, draws: 3.0, losses: 2.0 };

    #[test]
    fn the_derivatives_are_those_of_the_likelihood() {
        const STEP: f64 = 1e-5;
        for x in [-7.0, -0.4, 0.0, 0.3, 6.0] {
            for nu in [0.05, 1.0, 20.0_f64] {
                let here = derivatives(&DUEL, x, nu);
                let value = |x: f64, log_nu: f64| log_likelihood(&DUEL, x, log_nu.exp());
                let log_nu = nu.ln();
                near(here.slope, (value(x + STEP, log_nu) - value(x - STEP, log_nu)) / (2.0 * STEP));
                near(here.slope_by_draws, (value(x, log_nu + STEP) - value(x, log_nu - STEP)) / (2.0 * STEP));
                let [ahead, behind] = [STEP, -STEP].map(|by| derivatives(&DUEL, x + by, nu));
                near(-here.curvature, (ahead.slope - behind.slope) / (2.0 * STEP));
                near(-here.mixed, (ahead.slope_by_draws - behind.slope_by_draws) / (2.0 * STEP));
                let [ahead, behind] = [STEP, -STEP].map(|by| derivatives(&DUEL, x, (log_nu + by).exp()));
                near(-here.curvature_by_draws, (ahead.slope_by_draws - behind.slope_by_draws) / (2.0 * STEP));
            }
        }
    }

    #[test]
    fn without_draws_the_model_is_bradley_and_terry_s() {
        let duel = Duel { draws: 0.0, ..DUEL };
        let p = 1.0 / (1.0 + (-0.7_f64).exp());
        near(log_likelihood(&duel, 0.7, 0.0), 5.0 * p.ln() + 2.0 * (1.0 - p).ln());
        near(derivatives(&duel, 0.7, 0.0).curvature, 7.0 * p * (1.0 - p));
    }

    #[test]
    fn one_sided_games_keep_their_precision() {
        let contribution = derivatives(&DUEL, 80.0, 0.0);
        near(contribution.curvature * 80.0_f64.exp(), 10.0);
        assert!(log_likelihood(&DUEL, 2000.0, 1.0).is_finite());
    }
}
