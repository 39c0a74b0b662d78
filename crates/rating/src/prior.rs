//! The prior: half a win and half a loss that keep a parameter finite if the results alone don't.

use super::maths::{log_logistic, logistic};
use super::matrix::Matrix;

/// The weight of every prior: the number of wins, and of losses, that it adds.
const WINS: f64 = 0.5;

/// The prior of the strengths in a group of bots.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum GroupPrior {
    /// Results only.
    None,
    /// Half a win and half a loss of each bot against a phantom as strong as the mean of the group.
    DrawAgainstMean,
}

/// A group of bots connected by games.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    /// The rated bots, sorted.
    pub members: Vec<usize>,
    pub prior: GroupPrior,
}

/// The other parameters that have a prior, half a win and half a loss each.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct HeldParameters {
    /// The effects of seats: a seat may have won all its games.
    pub seats: bool,
    /// The parameters of ties: all games may be ties.
    pub ties: bool,
}

/// The log-density of a parameter with a prior, at a distance from its centre.
pub(super) fn log_prior(x: f64) -> f64 {
    WINS * (log_logistic(x) + log_logistic(-x))
}

/// The slope of [`log_prior`], and its negative second derivative.
pub(super) fn prior_derivatives(x: f64) -> (f64, f64) {
    (WINS * (1.0 - 2.0 * logistic(x)), 2.0 * WINS * logistic(x) * logistic(-x))
}

impl Group {
    /// The log-density of the strengths under the group's prior.
    pub fn log_prior(&self, at: &[f64]) -> f64 {
        match self.prior {
            GroupPrior::None => 0.0,
            GroupPrior::DrawAgainstMean => {
                let mean = self.mean(at);
                self.members.iter().map(|bot| log_prior(at[*bot] - mean)).sum()
            }
        }
    }

    fn mean(&self, at: &[f64]) -> f64 {
        self.members.iter().map(|bot| at[*bot]).sum::<f64>() / self.members.len() as f64
    }

    /// Adds the derivatives of the group's prior.
    ///
    /// The phantom moves with the mean, so that a common shift changes nothing. With `M` the matrix that subtracts the
    /// mean and `D` the variances of the games, the curvature is `M D M`.
    pub fn add_prior(&self, at: &[f64], slope: &mut [f64], curvature: &mut Matrix) {
        if self.prior == GroupPrior::None {
            return;
        }
        let (bots, centre) = (self.members.len() as f64, self.mean(at));
        let (surplus, variance): (Vec<f64>, Vec<f64>) =
            self.members.iter().map(|bot| prior_derivatives(at[*bot] - centre)).unzip();
        let mean_surplus = surplus.iter().sum::<f64>() / bots;
        let mean_variance = variance.iter().sum::<f64>() / bots;
        for (index, row) in self.members.iter().enumerate() {
            slope[*row] += surplus[index] - mean_surplus;
            curvature[(*row, *row)] += variance[index];
            for (other, column) in self.members.iter().enumerate() {
                curvature[(*row, *column)] += (mean_variance - variance[index] - variance[other]) / bots;
            }
        }
    }
}
