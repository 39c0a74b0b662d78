//! The distributions under which the results are most likely, given their mean or their normalized mean.

use super::counts::{ClassWeights, Observed};
use super::secular;

/// Below this a normalized score counts as 0: it makes no difference to any test.
const NEGLIGIBLE: f64 = 1e-12;

/// The number of parts into which the range of standard deviations is divided for the search.
const PARTS: usize = 64;

/// The maximum number of steps to one solution.
const MAX_STEPS: usize = 200;

/// The maximum error of a solution.
const TOLERANCE: f64 = 1e-9;

/// The divisors of the observed shares under the likeliest distribution with this mean score. The score's
/// complement to 1 is given separately, so that scores close to 1 keep their precision.
pub(super) fn with_mean(observed: &Observed, score: f64, complement: f64) -> Option<ClassWeights> {
    let offset = |value: &f64| value * complement - (1.0 - value) * score;
    secular::divisors(&observed.values.iter().map(offset).collect(), &observed.shares())
}

/// The divisors of the observed shares under the likeliest distribution whose mean lies `t` standard
/// deviations above 1/2.
///
/// With `mu - 1/2 = t sigma` the likeliest shares are `p_i / (1 + theta h_i)`, where
/// `h_i = a_i - 1/2 - t sigma (1 + ((mu - a_i) / sigma)^2) / 2` and `sum p_i h_i / (1 + theta h_i) = 0` (M.
/// Van den Bergh, "Comments on normalized Elo", section 4.1). The paper iterates from the uniform
/// distribution, which need not converge, or not to the likeliest one. Here `mu` follows from `sigma`, which
/// leaves one unknown. For each `sigma` the secular equation gives a distribution, and `F(sigma)`, its mean
/// minus `1/2 + t sigma`, must be 0. A distribution exists only where some class above 1/2 has `h > 0`: for
/// `sigma` between `r / y+` and `r / y-`, with `r` the class's distance from 1/2 and `y- = w t / (w + 1)`,
/// `y+ = w (w + 1) / t`, `w^2 = 1 + t^2`; F is above 0 at the lower end and below 0 at the upper one. All
/// changes of sign are searched for, and of several solutions the likeliest counts.
pub(super) fn with_t_value(observed: &Observed, t: f64) -> Option<ClassWeights> {
    if !t.is_finite() {
        return None;
    }
    if t.abs() < NEGLIGIBLE {
        return with_mean(observed, 0.5, 0.5);
    }
    if t < 0.0 {
        let mut divisors = with_t_value(&observed.swapped(), -t)?;
        divisors.reverse();
        return Some(divisors);
    }
    let search = RootSearch { observed, shares: observed.shares(), t };
    let best = |one: ClassWeights, other: ClassWeights| {
        if observed.fall(&other) < observed.fall(&one) { other } else { one }
    };
    search.solutions().into_iter().reduce(best)
}

/// The search for a standard deviation that fits.
struct RootSearch<'o> {
    observed: &'o Observed,
    shares: ClassWeights,
    t: f64,
}

impl RootSearch<'_> {
    /// All distributions that fit, by their divisors.
    fn solutions(&self) -> Vec<ClassWeights> {
        let brackets = self.ranges().into_iter().flat_map(|range| self.brackets(range));
        let found = brackets.filter_map(|bracket| self.refine(bracket));
        found.filter(|divisors| self.fits(divisors)).collect()
    }

    /// The ranges of the logarithm of sigma in which there are distributions.
    fn ranges(&self) -> Vec<[f64; 2]> {
        let w = self.t.hypot(1.0);
        let [least, greatest] = [w * self.t / (w + 1.0), w * (w + 1.0) / self.t].map(f64::ln);
        let mut ranges: Vec<[f64; 2]> = Vec::new();
        for distance in self.observed.values.iter().map(|value| value - 0.5).filter(|r| *r > 0.0) {
            // No distribution from 0 to 1 has a standard deviation above 1/2.
            let range = [distance.ln() - greatest, (distance.ln() - least).min(0.5_f64.ln())];
            match ranges.last_mut() {
                Some(last) if range[0] <= last[1] => last[1] = last[1].max(range[1]),
                _ => ranges.push(range),
            }
        }
        ranges
    }

    /// The intervals of a range in which F changes its sign, each with F at both ends.
    fn brackets(&self, [low, high]: [f64; 2]) -> Vec<[(f64, f64); 2]> {
        let at = |part: usize| low + (high - low) * part as f64 / PARTS as f64;
        let mut brackets = Vec::new();
        // Only the signs of the ends are known.
        let mut before = (low, f64::MIN_POSITIVE);
        for part in 1..=PARTS {
            let here = match part {
                PARTS => {
                    Some((high, self.miss(high).filter(|miss| *miss < 0.0).unwrap_or(-f64::MIN_POSITIVE)))
                }
                _ => self.miss(at(part)).map(|miss| (at(part), miss)),
            };
            let Some(here) = here else { continue };
            if (before.1 > 0.0) != (here.1 > 0.0) {
                brackets.push([before, here]);
            }
            before = here;
        }
        brackets
    }

    /// Finds the distribution at which F is 0 between these two, by regula falsi in its Illinois form, and by
    /// bisection where that is slow.
    fn refine(&self, [mut one, mut other]: [(f64, f64); 2]) -> Option<ClassWeights> {
        for step in 0..MAX_STEPS {
            let width = other.0 - one.0;
            if width.abs() <= 1e-14 * one.0.abs().max(1.0) {
                break;
            }
            let straight = one.0 + width * one.1 / (one.1 - other.1);
            let is_inside = (straight - one.0) * (straight - other.0) < 0.0;
            let at = if is_inside && step % 3 < 2 { straight } else { one.0 + width / 2.0 };
            if at == one.0 || at == other.0 {
                break;
            }
            let Some(miss) = self.miss(at) else { break };
            if (miss > 0.0) == (one.1 > 0.0) {
                one = (at, miss);
                other.1 /= 2.0;
            } else {
                other = (at, miss);
                one.1 /= 2.0;
            }
            if miss == 0.0 {
                return self.divisors(at);
            }
        }
        let middle = one.0 + (other.0 - one.0) / 2.0;
        [middle, one.0, other.0].into_iter().find_map(|at| self.divisors(at))
    }

    /// F at the logarithm of a standard deviation.
    fn miss(&self, log_sigma: f64) -> Option<f64> {
        let (mean, _) = self.moments(&self.divisors(log_sigma)?);
        Some(mean - self.t * log_sigma.exp())
    }

    fn divisors(&self, log_sigma: f64) -> Option<ClassWeights> {
        let (sigma, t) = (log_sigma.exp(), self.t);
        let offset = |value: &f64| {
            let distance = value - 0.5;
            distance - t * sigma * (1.0 + (t - distance / sigma).powi(2)) / 2.0
        };
        secular::divisors(&self.observed.values.iter().map(offset).collect(), &self.shares)
    }

    /// The mean minus 1/2, and the variance.
    fn moments(&self, divisors: &ClassWeights) -> (f64, f64) {
        let shares = || self.shares.iter().zip(divisors).map(|(share, divisor)| share / divisor);
        let mean: f64 = shares().zip(&self.observed.values).map(|(share, value)| share * (value - 0.5)).sum();
        let square = |value: f64| (value - 0.5 - mean).powi(2);
        let variance = shares().zip(&self.observed.values).map(|(share, value)| share * square(*value)).sum();
        (mean, variance)
    }

    fn fits(&self, divisors: &ClassWeights) -> bool {
        let (mean, variance) = self.moments(divisors);
        (mean - self.t * variance.sqrt()).abs() <= TOLERANCE
    }
}
