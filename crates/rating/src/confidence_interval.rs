//! 95 % confidence intervals, and the difference of two ratings with its standard error.

use std::cmp::Ordering;

use super::ELO_PER_NATURAL;
use super::maths::{normal, normal_quantile};
use super::matrix::Matrix;

/// The quantiles at which rating intervals end. The headings of tables and pages say 95 % as text.
pub(super) const ENDS: [f64; 2] = [0.025, 0.975];

/// The number of standard deviations from the mean to either end of a 95 % interval of a normal distribution.
pub const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// A range of ratings, in Elo; infinite if there is no bound.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The 95 % interval of a normally distributed estimate.
    pub(super) fn around(elo: f64, standard_error: f64) -> Interval {
        let half_width = normal_quantile(ENDS[1]) * standard_error;
        Interval { low: elo - half_width, high: elo + half_width }
    }
}

/// The difference of two ratings.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Difference {
    /// The first rating minus the second, in Elo.
    pub elo: f64,
    /// The standard error of the difference, in Elo.
    pub standard_error: f64,
    /// The difference of the raw strengths in standard errors, which does not depend on the printed scale.
    pub z_score: f64,
}

impl Difference {
    /// The 95 % interval of the difference.
    pub fn interval(self) -> Interval {
        Interval::around(self.elo, self.standard_error)
    }

    /// The order of the two with 95 % confidence; `None` if it is undecided.
    pub fn significant_order(self) -> Option<Ordering> {
        let is_significant = self.z_score.abs() > normal_quantile(ENDS[1]);
        is_significant.then(|| self.z_score.total_cmp(&0.0))
    }

    /// The likelihood of superiority (LOS): that the first is stronger than the second, 0 to 1.
    pub fn superiority(self) -> f64 {
        normal(self.z_score)
    }
}

/// The standard error of a difference of strengths, converted to Elo.
pub(super) fn error_of_difference(covariance: &Matrix, one: usize, other: usize) -> f64 {
    let variance = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
    variance.max(0.0).sqrt() * ELO_PER_NATURAL
}
