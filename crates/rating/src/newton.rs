//! The search for the maximum of the likelihood: Newton's method, with shorter steps if a full step would
//! overshoot.

use super::anchoring::AnchoredStrengths;
use super::constraints::NullSpace;
use super::matrix::{Cholesky, Matrix, NotConverged, factor};
use super::model::LikelihoodModel;

/// The maximum change of a parameter in the last step, relative to the largest parameter.
const TOLERANCE: f64 = 1e-11;
const MAX_STEPS: usize = 200;
/// The distance, in natural units, beyond which the effect of a seat or the parameter of a tie counts as
/// diverging: 2,100 Elo, and odds of 1 to 160,000. Much further out, rounding hides the remaining slope.
const FAR: f64 = 12.0;
/// The same for strengths, if they are not known to be finite.
pub(super) const FAR_STRENGTH: f64 = 10.0;

#[derive(Clone, Debug)]
pub(super) struct Maximum {
    pub at: Vec<f64>,
    /// The negative second derivatives there.
    pub curvature: Matrix,
    /// The covariance of the parameters: the inverse of the curvature, in which constrained parameters have
    /// no variance.
    pub inverse: Matrix,
}

/// Finds the maximum. The likelihood must be flat along `null_space`; bots in `anchored` keep their
/// strengths.
pub(super) fn maximize(
    model: &LikelihoodModel<'_>,
    null_space: &NullSpace,
    anchored: &AnchoredStrengths,
) -> Result<Maximum, NotConverged> {
    let mut at = vec![0.0; model.parameters()];
    anchored.place(model, &mut at);
    // Known once a step has computed it.
    let mut log_likelihood = None;
    for _ in 0..MAX_STEPS {
        let (mut slope, curvature) = model.derivatives(&at);
        let mut free = curvature.clone();
        anchored.absorb(model, &at, &mut slope, &mut free);
        null_space.flatten(&mut slope);
        let constraint = null_space.hold(&mut free, model.bots);
        // A ridge would stop a strength on its way to infinity as if it had converged.
        let factored = if model.far.is_finite() {
            Cholesky::of(&free).ok_or_else(NotConverged::default)?
        } else {
            factor(&free)?
        };
        drop(free);
        let step = factored.solve(&slope);
        let largest = step.iter().fold(0.0, |largest: f64, change| largest.max(change.abs()));
        if !largest.is_finite() {
            return Err(NotConverged::default());
        }
        let size = at.iter().fold(1.0, |size: f64, value| size.max(value.abs()));
        let search = LineSearch { model, null_space, anchored };
        (at, log_likelihood) = search.from(&at, log_likelihood, &step, &slope);
        if largest < TOLERANCE * size {
            let mut inverse = factored.inverse();
            null_space.release(&mut inverse, constraint);
            anchored.expand(model, &at, &mut inverse);
            return Ok(Maximum { at, curvature, inverse });
        }
        if at[..model.bots].iter().any(|strength| strength.abs() > model.far) {
            return Err(NotConverged::default());
        }
        let diverged = NotConverged {
            seats: at[model.bots..model.first_tie()].iter().any(|effect| effect.abs() > FAR),
            // Ties of each of these sizes occurred, so they may be rare but not impossible.
            ties: at[model.first_tie()..].iter().any(|tie| *tie > FAR),
        };
        if diverged != NotConverged::default() {
            return Err(diverged);
        }
    }
    Err(NotConverged::default())
}

struct LineSearch<'a, 't> {
    model: &'a LikelihoodModel<'t>,
    null_space: &'a NullSpace,
    anchored: &'a AnchoredStrengths,
}

impl LineSearch<'_, '_> {
    /// Returns the parameters after the longest step (the full one, its half, its quarter ...) that gains
    /// enough likelihood, with their log-likelihood if it was computed.
    fn from(
        &self,
        at: &[f64],
        log_likelihood: Option<f64>,
        step: &[f64],
        slope: &[f64],
    ) -> (Vec<f64>, Option<f64>) {
        let after = |share: f64| -> Vec<f64> {
            let mut moved: Vec<f64> = at.iter().zip(step).map(|(at, change)| at + share * change).collect();
            self.null_space.flatten(&mut moved);
            self.anchored.place(self.model, &mut moved);
            moved
        };
        let expected_gain: f64 = step.iter().zip(slope).map(|(change, slope)| change * slope).sum();
        // This close to the maximum the gain is lost in rounding, and a full step is right.
        if expected_gain < 1e-9 {
            return (after(1.0), None);
        }
        let before = log_likelihood.unwrap_or_else(|| self.model.log_likelihood(at));
        if expected_gain < 1e-7 * (1.0 + before.abs()) {
            return (after(1.0), None);
        }
        let mut share = 1.0;
        for _ in 0..60 {
            let moved = after(share);
            let now = self.model.log_likelihood(&moved);
            if now >= before + 1e-4 * share * expected_gain {
                return (moved, Some(now));
            }
            share /= 2.0;
        }
        (after(share), None)
    }
}
