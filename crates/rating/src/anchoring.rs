//! Anchoring: bots whose ratings are given keep them while the others are estimated.

use super::elo_scale::{self, EloScale};
use super::matrix::Matrix;
use super::model::LikelihoodModel;

/// Bots whose positions on the printed scale are fixed, in natural units.
///
/// That scale depends on all strengths and on the frequency of ties, so raw strengths of anchored bots change
/// with the other parameters: `t = given / scale`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct AnchoredStrengths(pub Vec<(usize, f64)>);

impl AnchoredStrengths {
    /// Moves anchored bots to their positions.
    pub fn place(&self, model: &LikelihoodModel<'_>, at: &mut [f64]) {
        if self.0.is_empty() {
            return;
        }
        // The scale that places the bots must equal the one that their positions give.
        let mut deviation = |log_scale: f64| {
            for (bot, given) in &self.0 {
                at[*bot] = given / log_scale.exp();
            }
            elo_scale::value(model, at).ln() - log_scale
        };
        let mut before = (0.0, deviation(0.0));
        let mut log_scale = before.1 / 2.0;
        for _ in 0..100 {
            let now = deviation(log_scale);
            if now.abs() < 1e-14 {
                break;
            }
            // The secant step or, if the slope is too flat, half the deviation, which can't oscillate.
            let slope = (now - before.1) / (log_scale - before.0);
            before = (log_scale, now);
            let step = if slope < -0.1 { -now / slope } else { now / 2.0 };
            if step.abs() < 1e-15 {
                break;
            }
            log_scale += step;
        }
    }

    /// The derivatives of each anchored bot's raw strength with respect to the free parameters.
    fn derivatives(&self, model: &LikelihoodModel<'_>, at: &[f64]) -> Vec<(usize, Vec<(usize, f64)>)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let EloScale { value, mut slope } = elo_scale::scale(model, at);
        // Anchored bots change the scale, and the scale moves them.
        let feedback: f64 = self.0.iter().map(|(bot, given)| slope[*bot] * given / value.powi(2)).sum();
        self.0.iter().for_each(|(bot, _)| slope[*bot] = 0.0);
        let moving: Vec<(usize, f64)> =
            slope.into_iter().enumerate().filter(|(_, slope)| *slope != 0.0).collect();
        let shares = |given: f64| -> Vec<(usize, f64)> {
            let factor = -given / value.powi(2) / (1.0 + feedback);
            moving
                .iter()
                .map(|(free, slope)| (*free, factor * slope))
                .filter(|(_, share)| *share != 0.0)
                .collect()
        };
        self.0.iter().map(|(bot, given)| (*bot, shares(*given))).collect()
    }

    /// Transfers the derivatives with respect to anchored bots to the parameters that move them.
    pub fn absorb(&self, model: &LikelihoodModel<'_>, at: &[f64], slope: &mut [f64], curvature: &mut Matrix) {
        let size = curvature.rows();
        for (bot, shares) in self.derivatives(model, at) {
            for (free, share) in shares {
                slope[free] += share * slope[bot];
                for column in 0..size {
                    curvature[(free, column)] += share * curvature[(bot, column)];
                }
                for row in 0..size {
                    curvature[(row, free)] += share * curvature[(row, bot)];
                }
            }
            slope[bot] = 0.0;
            for other in 0..size {
                curvature[(bot, other)] = 0.0;
                curvature[(other, bot)] = 0.0;
            }
            curvature[(bot, bot)] = 1.0;
        }
    }

    /// Fills in the covariance of anchored bots, which follows from the parameters that move them.
    pub fn expand(&self, model: &LikelihoodModel<'_>, at: &[f64], inverse: &mut Matrix) {
        let size = inverse.rows();
        for (bot, shares) in self.derivatives(model, at) {
            for other in 0..size {
                inverse[(bot, other)] = 0.0;
                inverse[(other, bot)] = 0.0;
            }
            for (free, share) in shares {
                for column in 0..size {
                    let part = share * inverse[(free, column)];
                    inverse[(bot, column)] += part;
                }
                for row in 0..size {
                    let part = share * inverse[(row, free)];
                    inverse[(row, bot)] += part;
                }
            }
        }
    }
}
