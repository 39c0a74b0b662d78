//! Strengths of highest likelihood, and how sure they are.
//!
//! The model is that of R. A. Bradley and M. E. Terry, "Rank analysis of incomplete
//! block designs", Biometrika 39 (1952), found before by E. Zermelo, "Die Berechnung
//! der Turnier-Ergebnisse als ein Maximumproblem der Wahrscheinlichkeitsrechnung",
//! Mathematische Zeitschrift 29 (1929): bots have strengths `t`, and the score that
//! one can expect against another is `p = 1 / (1 + e^-x)` with `x` the
//! difference of their strengths. A draw counts as half a win and half a loss.
//!
//! With `s` points in `n` games the log-likelihood of a pair is `s ln p + (n - s) ln (1 - p)`,
//! its slope in `x` is `s - n p` and its curvature `-n p (1 - p)`. Their sum is concave, so Newton's
//! method, shortened where a full step would overshoot, finds the one maximum.

use faer::linalg::solvers::{DenseSolveCore, Llt, Solve};
use faer::{Mat, Side};

use super::results::Meeting;

/// Steps stop when none changes a strength by more than this.
const TOLERANCE: f64 = 1e-11;
const MOST_STEPS: usize = 200;

/// `1 / (1 + e^-x)`.
pub(super) fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let odds = x.exp();
        odds / (1.0 + odds)
    }
}

/// `ln (1 / (1 + e^-x))`, exact also where the fraction itself would be 0.
pub(super) fn log_logistic(x: f64) -> f64 {
    if x >= 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}

/// Whether each bot also has half a win and half a loss against a phantom.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Phantom {
    /// Results only.
    Absent,
    /// With a phantom as strong as the mean of all.
    AtMean,
}

/// The search for the maximum did not end.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct NotConverged;

/// Strengths in natural units, their mean 0, and their covariance.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub strengths: Vec<f64>,
    pub covariance: Mat<f64>,
}

/// Finds the strengths of `bots` bots that make the results most likely.
///
/// There must be a finite maximum: a phantom, or only one
/// [comparable set](super::connection::comparable_sets).
pub(super) fn fit(bots: usize, meetings: &[Meeting], phantom: Phantom) -> Result<Fit, NotConverged> {
    let model = Model { bots, meetings, phantom };
    let mut strengths = vec![0.0; bots];
    for _ in 0..MOST_STEPS {
        let slope = model.slope(&strengths);
        let curvature = model.factor(&model.curvature(&strengths))?;
        let right = Mat::from_fn(bots, 1, |bot, _| slope[bot]);
        let solved = curvature.solve(&right);
        let step: Vec<f64> = (0..bots).map(|bot| solved[(bot, 0)]).collect();
        let largest = step.iter().fold(0.0, |largest: f64, change| largest.max(change.abs()));
        if !largest.is_finite() {
            return Err(NotConverged);
        }
        strengths = model.walk(&strengths, &step, &slope);
        if largest < TOLERANCE {
            let covariance = model.covariance(&strengths)?;
            return Ok(Fit { strengths, covariance });
        }
    }
    Err(NotConverged)
}

struct Model<'a> {
    bots: usize,
    meetings: &'a [Meeting],
    phantom: Phantom,
}

impl Model<'_> {
    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let mut sum = 0.0;
        for meeting in self.meetings {
            let x = strengths[meeting.first] - strengths[meeting.second];
            let points = meeting.tally.points();
            sum += points * log_logistic(x) + (meeting.tally.games() as f64 - points) * log_logistic(-x);
        }
        if self.phantom == Phantom::AtMean {
            for strength in strengths {
                sum += 0.5 * (log_logistic(*strength) + log_logistic(-strength));
            }
        }
        sum
    }

    /// The first derivatives of the log-likelihood.
    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.bots];
        for meeting in self.meetings {
            let expected = logistic(strengths[meeting.first] - strengths[meeting.second]);
            let surplus = meeting.tally.points() - meeting.tally.games() as f64 * expected;
            slope[meeting.first] += surplus;
            slope[meeting.second] -= surplus;
        }
        if self.phantom == Phantom::AtMean {
            let surplus: Vec<f64> = strengths.iter().map(|strength| 0.5 - logistic(*strength)).collect();
            // The phantom moves with the mean, so that a common shift changes nothing.
            let mean = surplus.iter().sum::<f64>() / self.bots as f64;
            for (slope, surplus) in slope.iter_mut().zip(surplus) {
                *slope += surplus - mean;
            }
        }
        slope
    }

    /// The negative second derivatives of the log-likelihood.
    fn curvature(&self, strengths: &[f64]) -> Mat<f64> {
        let mut matrix = Mat::zeros(self.bots, self.bots);
        for meeting in self.meetings {
            let expected = logistic(strengths[meeting.first] - strengths[meeting.second]);
            let weight = meeting.tally.games() as f64 * expected * (1.0 - expected);
            add_difference(&mut matrix, meeting.first, meeting.second, weight);
        }
        self.add_phantom(&mut matrix, strengths);
        matrix
    }

    /// Adds the phantom's part, `M D M` with `M` taking off the mean and `D`
    /// the variances of the games against it.
    fn add_phantom(&self, matrix: &mut Mat<f64>, strengths: &[f64]) {
        if self.phantom == Phantom::Absent {
            return;
        }
        let variances: Vec<f64> =
            strengths.iter().map(|strength| logistic(*strength) * logistic(-strength)).collect();
        let bots = self.bots as f64;
        let mean = variances.iter().sum::<f64>() / bots;
        for (column, in_column) in variances.iter().enumerate() {
            for (row, in_row) in variances.iter().enumerate() {
                matrix[(row, column)] += (mean - in_row - in_column) / bots;
            }
            matrix[(column, column)] += in_column;
        }
    }

    /// Factors a matrix that is singular along "all stronger by the same", after
    /// holding the mean in place.
    fn factor(&self, matrix: &Mat<f64>) -> Result<Llt<f64>, NotConverged> {
        let bots = self.bots as f64;
        let size = (0..self.bots).map(|bot| matrix[(bot, bot)]).sum::<f64>() / bots;
        let hold = size / bots;
        // In a field stretched very far rounding can make the matrix indefinite:
        // a ridge shortens the step there, and the next step is better placed.
        for ridge in [0.0, 1e-13, 1e-10, 1e-7] {
            let held = Mat::from_fn(self.bots, self.bots, |row, column| {
                let diagonal = if row == column { size * ridge } else { 0.0 };
                matrix[(row, column)] + hold + diagonal
            });
            if let Ok(factored) = held.llt(Side::Lower) {
                return Ok(factored);
            }
        }
        Err(NotConverged)
    }

    /// The strengths after the longest of the step, its half, its quarter ... that
    /// gains enough likelihood, with the mean back at 0.
    fn walk(&self, strengths: &[f64], step: &[f64], slope: &[f64]) -> Vec<f64> {
        let after = |share: f64| -> Vec<f64> {
            let moved: Vec<f64> =
                strengths.iter().zip(step).map(|(at, change)| at + share * change).collect();
            let mean = moved.iter().sum::<f64>() / moved.len() as f64;
            moved.into_iter().map(|strength| strength - mean).collect()
        };
        let promised: f64 = step.iter().zip(slope).map(|(change, slope)| change * slope).sum();
        let before = self.log_likelihood(strengths);
        // So near the top the gain drowns in rounding, and a full step is right.
        if promised < 1e-7 * (1.0 + before.abs()) {
            return after(1.0);
        }
        let mut share = 1.0;
        for _ in 0..60 {
            let moved = after(share);
            if self.log_likelihood(&moved) >= before + 1e-4 * share * promised {
                return moved;
            }
            share /= 2.0;
        }
        after(share)
    }

    /// The covariance of the strengths around their mean.
    ///
    /// With `H` the curvature and `B` the variance of the slope it is
    /// `H^-1 B H^-1`: P. J. Huber, "The behavior of maximum likelihood estimates under
    /// nonstandard conditions", Fifth Berkeley Symposium (1967); H. White, "Maximum
    /// likelihood estimation of misspecified models", Econometrica 50 (1982). The
    /// familiar `H^-1` supposes `B = H`, which is true without draws only: it
    /// takes every draw for as uncertain as a coin, and makes the intervals
    /// of drawish fields about twice too wide.
    fn covariance(&self, strengths: &[f64]) -> Result<Mat<f64>, NotConverged> {
        let curvature = self.curvature(strengths);
        let inverse = self.factor(&curvature)?.inverse();
        let slope_variance = self.slope_variance(strengths);
        if self.meetings.iter().all(|meeting| meeting.tally.draws == 0) {
            // Here B = H, and only the hold on the mean has to come off again.
            let bots = self.bots as f64;
            let held: f64 = (0..self.bots).map(|bot| inverse[(bot, 0)]).sum::<f64>() / bots;
            return Ok(Mat::from_fn(self.bots, self.bots, |row, column| inverse[(row, column)] - held));
        }
        Ok(&inverse * slope_variance * &inverse)
    }

    /// The variance of the slope, `B` of [`Model::covariance`].
    ///
    /// A game with win, draw and loss of probabilities `w`, `d`, `l` scores
    /// `p = w + d/2` with variance `w + d/4 - p^2 = p (1 - p) - d/4`. For `p`
    /// the model's expectation is taken, for `d` the share of draws of the pair.
    /// A share of 1 would make a bot that drew all its games rated without any doubt,
    /// so of a bot's draws as many are taken for decisive games as [`SUPPOSED_DECISIVE`]
    /// says.
    fn slope_variance(&self, strengths: &[f64]) -> Mat<f64> {
        let mut games = vec![0.0; self.bots];
        for meeting in self.meetings {
            games[meeting.first] += meeting.tally.games() as f64;
            games[meeting.second] += meeting.tally.games() as f64;
        }
        let mut matrix = Mat::zeros(self.bots, self.bots);
        for meeting in self.meetings {
            let expected = logistic(strengths[meeting.first] - strengths[meeting.second]);
            let decisive = expected * (1.0 - expected);
            let draws = meeting.tally.draws as f64;
            let observed = (meeting.tally.games() as f64 * decisive - draws / 4.0).max(0.0);
            let fewer = games[meeting.first].min(games[meeting.second]);
            let supposed = draws * decisive * SUPPOSED_DECISIVE / (fewer + SUPPOSED_DECISIVE);
            add_difference(&mut matrix, meeting.first, meeting.second, observed + supposed);
        }
        self.add_phantom(&mut matrix, strengths);
        matrix
    }
}

/// How many games of a bot that only drew are supposed to be decisive in truth.
const SUPPOSED_DECISIVE: f64 = 1.0;

/// Adds `weight (e_first - e_second) (e_first - e_second)^T`.
fn add_difference(matrix: &mut Mat<f64>, first: usize, second: usize, weight: f64) {
    matrix[(first, first)] += weight;
    matrix[(second, second)] += weight;
    matrix[(first, second)] -= weight;
    matrix[(second, first)] -= weight;
}
