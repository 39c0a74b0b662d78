//! The design of a test: its hypotheses, its error rates and its model of results.

use std::fmt;

use super::constrained;
use super::counts::{ClassWeights, Counts, Observed};
use crate::expected_score;

/// Normalized Elo in one standard deviation of the score of a game, `800 / ln 10`.
pub(super) const NORMALIZED_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The scale on which the two hypotheses are given.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Model {
    /// Logistic Elo: 400 points mean odds of ten to one.
    Logistic,
    /// Normalized Elo: the distance of the mean score from 1/2 in standard deviations of a game's score,
    /// times 800 / ln 10. The number of games that a test takes depends on nothing else. Nearly equal bots
    /// that never draw have the same logistic Elo; otherwise it is lower, the more so the more draws.
    Normalized,
}

impl Model {
    /// All scales.
    pub const ALL: [Model; 2] = [Model::Logistic, Model::Normalized];

    /// The name of the scale.
    pub fn word(self) -> &'static str {
        match self {
            Model::Logistic => "logistic",
            Model::Normalized => "normalized",
        }
    }
}

/// The state of a test.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Status {
    /// The new bot is stronger than its base by `elo1`.
    Accepted,
    /// It is not stronger by more than `elo0`.
    Rejected,
    /// More games are needed.
    Undecided,
}

impl Status {
    /// The name of the state.
    pub fn word(self) -> &'static str {
        match self {
            Status::Accepted => "accepted",
            Status::Rejected => "rejected",
            Status::Undecided => "undecided",
        }
    }
}

/// One of the two probabilities of an error.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Probability {
    /// Accepting a bot that is `elo0` stronger.
    Alpha,
    /// Rejecting a bot that is `elo1` stronger.
    Beta,
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Probability::Alpha => "alpha",
            Probability::Beta => "beta",
        })
    }
}

/// The reason why a test can't be designed.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
pub enum DesignError {
    /// A strength that is not a finite number.
    #[error("`{0}` is not an Elo difference")]
    NotANumber(f64),
    /// The lower hypothesis is not below the upper one.
    #[error("`elo0` must be below `elo1`, but it is `{elo0}`, and `elo1` is `{elo1}`")]
    Order {
        /// The lower one, as given.
        elo0: f64,
        /// The upper one, as given.
        elo1: f64,
    },
    /// An error rate that is not between 0 and 1.
    #[error("`{which}` must be between 0 and 1, not `{value}`")]
    Probability {
        /// The error rate.
        which: Probability,
        /// Its value.
        value: f64,
    },
    /// The error rates are so high that a random decision would meet them.
    #[error("the sum of `alpha` and `beta` must be below 1, but they are `{alpha}` and `{beta}`")]
    Sum {
        /// The value of `alpha`.
        alpha: f64,
        /// The value of `beta`.
        beta: f64,
    },
}

/// The reason why the two hypotheses can't be compared.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
pub enum NoLlr {
    /// A hypothesis under which every game has the same result.
    #[error(
        "with an Elo of {elo}, every game would have the same result, so there is no distribution of results"
    )]
    NoDistribution {
        /// The hypothesis.
        elo: f64,
    },
    /// The numbers are beyond what can be computed.
    #[error("the most likely distribution of results for an Elo of {elo} could not be found")]
    NotConverged {
        /// The hypothesis.
        elo: f64,
    },
}

/// A test of `elo0` against `elo1` that errs with probabilities of `alpha`
/// (accepts at `elo0`) and `beta` (rejects at `elo1`).
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Design {
    /// The difference in strength that does not suffice.
    pub elo0: f64,
    /// The difference in strength that suffices.
    pub elo1: f64,
    /// The probability of accepting a bot that is only `elo0` stronger.
    pub alpha: f64,
    /// The probability of rejecting a bot that is `elo1` stronger.
    pub beta: f64,
    /// The scale of the two hypotheses.
    pub model: Model,
}

impl Design {
    /// A test of two hypotheses on a scale, with the probabilities of its two errors.
    ///
    /// # Errors
    /// `elo0` not below `elo1`; a probability not between 0 and 1, or both
    /// together not below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Design, DesignError> {
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| !elo.is_finite()) {
            return Err(DesignError::NotANumber(elo));
        }
        if elo0 >= elo1 {
            return Err(DesignError::Order { elo0, elo1 });
        }
        for (which, value) in [(Probability::Alpha, alpha), (Probability::Beta, beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(DesignError::Probability { which, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(DesignError::Sum { alpha, beta });
        }
        Ok(Design { elo0, elo1, alpha, beta, model })
    }

    /// The log-likelihood ratio at which the test rejects: `ln(beta / (1 - alpha))`.
    ///
    /// A. Wald, "Sequential Tests of Statistical Hypotheses" (1945).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which the test accepts: `ln((1 - beta) / alpha)`.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The state of a test with this log-likelihood ratio.
    pub fn status(&self, llr: f64) -> Status {
        if llr >= self.upper() {
            Status::Accepted
        } else if llr <= self.lower() {
            Status::Rejected
        } else {
            Status::Undecided
        }
    }

    /// The generalized log-likelihood ratio of `elo1` to `elo0`: the logarithm of the ratio of two
    /// likelihoods of the results, under the likeliest distribution with `elo1` and under the likeliest one
    /// with `elo0`.
    ///
    /// `sum n_i ln(q1_i / q0_i)`, where a class that has not occurred counts as a thousandth of an observation
    /// (X. Li, J. Liu, Z. Ying, "Generalized sequential probability ratio test for separate families of
    /// hypotheses", 2014; M. Van den Bergh, "Comments on normalized Elo"). Without games it is 0.
    ///
    /// # Errors
    /// Hypotheses so far off that there is no distribution, or none can be computed.
    pub fn llr(&self, counts: &Counts) -> Result<f64, NoLlr> {
        let Some(observed) = Observed::of(counts) else { return Ok(0.0) };
        let falls = [self.elo0, self.elo1].map(|elo| {
            let divisors = self.hypothesis(&observed, counts.games_each(), elo)?;
            Ok(observed.fall(&divisors))
        });
        let llr = falls[0]? - falls[1]?;
        if llr.is_finite() { Ok(llr) } else { Err(NoLlr::NotConverged { elo: self.elo1 }) }
    }

    /// The divisors of the observed shares under a hypothesis.
    fn hypothesis(&self, observed: &Observed, games_each: u64, elo: f64) -> Result<ClassWeights, NoLlr> {
        let divisors = match self.model {
            Model::Logistic => {
                let (score, complement) = (expected_score(elo), expected_score(-elo));
                if score <= 0.0 || complement <= 0.0 {
                    return Err(NoLlr::NoDistribution { elo });
                }
                constrained::with_mean(observed, score, complement)
            }
            Model::Normalized => {
                // The standard deviation of the mean score of n games is smaller by the root of n.
                let t = elo / NORMALIZED_PER_DEVIATION * (games_each as f64).sqrt();
                constrained::with_t_value(observed, t)
            }
        };
        divisors.ok_or(NoLlr::NotConverged { elo })
    }
}
