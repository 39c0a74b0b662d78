//! Estimates from the results of a test, besides its decision.

use super::brownian::Walk;
use super::constrained;
use super::counts::{Counts, Observed};
use super::design::{Design, Model, NORMALIZED_PER_DEVIATION, Status};
use crate::confidence_interval::{DEVIATIONS, ENDS};
use crate::maths::normal;
use crate::{ELO_PER_NATURAL, Interval, expected_score};

/// The decrease of the log-likelihood at the limits of a 95 % interval.
const FALL: f64 = DEVIATIONS * DEVIATIONS / 2.0;

/// The number of times that a range containing a limit is halved.
const HALVINGS: usize = 50;

/// The odds, as a logarithm, beyond which there is no limit.
const MAX_LOG_ODDS: f64 = 200.0;

/// Elo with its interval, on the scale of the field or function that returns it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct EloEstimate {
    /// The estimate.
    pub elo: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

/// The estimate of the difference in strength.
///
/// It assumes that the number of games was fixed in advance. After a test that stopped by itself it is, on
/// average, further from the two hypotheses than the truth: [`Estimate::after_stop`] allows for that.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The mean score, from 0 to 1.
    pub score: f64,
    /// The Elo at which this is the expected score; infinite if all games were won or lost.
    pub elo: f64,
    /// The 95 % interval of the Elo; an end is infinite if there is no limit.
    pub interval: Interval,
    /// The same as normalized Elo; `None` if all games, or all pairs, had the same result.
    pub normalized: Option<EloEstimate>,
    /// The likelihood of superiority, from 0 to 1.
    pub los: f64,
    /// The share of games that were drawn, or of pairs in which both scored one point.
    pub even: f64,
}

impl Estimate {
    /// Estimates from these results; `None` without games.
    ///
    /// The limits of the interval are the scores at which twice the log-likelihood, all else fitted, has
    /// fallen by 3.84 (S. S. Wilks 1938; A. Owen 1988). With many games they approach the mean plus or minus
    /// 1.96 standard errors, but they never leave the range from 0 to 1. The likelihood of superiority is the
    /// normal distribution function at the signed root of twice the decrease at a score of 1/2, with many
    /// games the mean's distance from 1/2 in standard errors.
    pub fn of(counts: &Counts) -> Option<Estimate> {
        let observed = Observed::of(counts)?;
        let score = counts.score()?;
        let [won, lost] = counts.points();
        let middle = counts.classes()[counts.classes().len() / 2];
        let fall = |score: f64| {
            constrained::with_mean(&observed, score, 1.0 - score).map_or(f64::INFINITY, |d| observed.fall(&d))
        };
        let side = if won == lost { 0.0 } else { (won - lost).signum() };
        Some(Estimate {
            score,
            elo: ELO_PER_NATURAL * (won / lost).ln(),
            interval: Interval {
                low: if won == 0.0 { f64::NEG_INFINITY } else { limit(&observed, -1.0) },
                high: if lost == 0.0 { f64::INFINITY } else { limit(&observed, 1.0) },
            },
            normalized: (!counts.is_uniform()).then(|| normalized(&observed, counts.games_each())),
            los: normal(side * (2.0 * fall(0.5).max(0.0)).sqrt()),
            even: middle as f64 / counts.total() as f64,
        })
    }

    /// The median-unbiased Elo, with its 95 % interval, of a test that was examined after each pair of games
    /// and is decided or still goes on.
    ///
    /// # Errors
    /// If it would not be sound: without variation, if the test would have stopped earlier with these
    /// results, or if an observation moves the log-likelihood ratio by more than [`FINE_STEP`] on average.
    pub fn after_stop(design: &Design, counts: &Counts) -> Result<EloEstimate, NotCorrected> {
        let llr = design.llr(counts).map_err(|_| NotCorrected::NoRatio)?;
        let observed = Observed::of(counts).filter(|_| !counts.is_uniform());
        let observed = observed.ok_or(NotCorrected::NoVariation)?;
        let drift = Drift::of(design, &observed, counts.games_each());
        if drift.width * drift.width > FINE_STEP * FINE_STEP * drift.variance {
            return Err(NotCorrected::Coarse);
        }
        if !may_stop_at(design, counts, llr) {
            return Err(NotCorrected::StoppedBefore);
        }
        Ok(drift.estimate(design, llr))
    }
}

/// The reason why no estimate can allow for the early stop of a test.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum NotCorrected {
    /// There is no log-likelihood ratio.
    #[error("there is no log-likelihood ratio")]
    NoRatio,
    /// All results are the same.
    #[error("all results are the same")]
    NoVariation,
    /// An observation moves the log-likelihood ratio by more than [`FINE_STEP`] on average.
    #[error("a single result moves the LLR by more than {} on average", FINE_STEP)]
    Coarse,
    /// A test would have stopped earlier.
    #[error("a test with these bounds would have stopped before it reached these results")]
    StoppedBefore,
}

/// The maximum average change of the log-likelihood ratio by an observation for which the ratio can be
/// treated as a Brownian motion. The bounds of usual tests are 5.9 apart.
const FINE_STEP: f64 = 0.25;

/// Returns true if a test with these results is undecided, or was decided by its latest games.
fn may_stop_at(design: &Design, counts: &Counts, llr: f64) -> bool {
    if design.status(llr) == Status::Undecided {
        return true;
    }
    let undecided =
        |before: &Counts| design.llr(before).is_ok_and(|llr| design.status(llr) == Status::Undecided);
    let before: Vec<Counts> = counts.each_less_one().collect();
    match counts {
        Counts::Pairs(_) => before.iter().any(undecided),
        // Two games are added at a time.
        Counts::Games(_) => before.iter().flat_map(Counts::each_less_one).any(|before| undecided(&before)),
    }
}

/// The drift and the variance of a test's log-likelihood ratio.
///
/// With the mean score s an observation moves it by `(s - (s0 + s1) / 2) (s1 - s0) / v` on average, with
/// a variance of `(s1 - s0)^2 / v` (M. Van den Bergh, "A practical introduction to the GSPRT", formula 2.1).
struct Drift {
    /// The mean score, and the number of observations.
    score: f64,
    observations: f64,
    /// The middle between the scores of the hypotheses, and their distance.
    middle: f64,
    width: f64,
    /// The variance of an observation.
    variance: f64,
}

impl Drift {
    fn of(design: &Design, observed: &Observed, games_each: u64) -> Drift {
        let variance = observed.moment(2);
        let [low, high] = [design.elo0, design.elo1].map(|elo| match design.model {
            Model::Logistic => expected_score(elo),
            Model::Normalized => 0.5 + elo / NORMALIZED_PER_DEVIATION * (variance * games_each as f64).sqrt(),
        });
        Drift {
            score: observed.mean(),
            observations: observed.total,
            middle: f64::midpoint(low, high),
            width: high - low,
            variance,
        }
    }

    /// The median-unbiased estimate with its interval.
    ///
    /// The outcomes of a test are ordered: rejected, the later the better; undecided, by the ratio; accepted,
    /// the earlier the better (D. Siegmund, "Sequential Analysis", 1985, section 3.4). The estimate is the
    /// strength at which a worse outcome has a probability of 1/2, the limits are those with 97.5 % and 2.5
    /// %. The ratio is treated as a Brownian motion from 0 that ends at the bounds; a shorter time allows for
    /// its jumps beyond a bound.
    fn estimate(&self, design: &Design, llr: f64) -> EloEstimate {
        let (at, time) = match design.status(llr) {
            Status::Accepted => (design.upper(), self.observations * design.upper() / llr),
            Status::Rejected => (design.lower(), self.observations * design.lower() / llr),
            Status::Undecided => (llr, self.observations),
        };
        let worse = |score: f64| {
            let drift = (score - self.middle) * self.width / self.variance;
            let variance = self.width * self.width / self.variance;
            Walk { drift, variance, low: design.lower(), high: design.upper() }.share_below(time, at)
        };
        // Far enough on either side that the outcome is certain.
        let reach = 40.0 * (self.variance / time).sqrt() + 40.0 * self.width;
        let solve = |share: f64| {
            let (mut low, mut high) = (self.score - reach, self.score + reach);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(low, high);
                if worse(middle) > share {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            elo_of(f64::midpoint(low, high).clamp(0.0, 1.0))
        };
        EloEstimate { elo: solve(0.5), interval: Interval { low: solve(ENDS[1]), high: solve(ENDS[0]) } }
    }
}

/// The Elo at which this score is expected.
fn elo_of(score: f64) -> f64 {
    ELO_PER_NATURAL * (score.ln() - (-score).ln_1p())
}

/// The Elo on this side of the mean (1 or -1) at which the log-likelihood has fallen by [`FALL`].
fn limit(observed: &Observed, side: f64) -> f64 {
    let fall = |odds: f64| {
        let [score, complement] = [-odds, odds].map(|odds| 1.0 / (1.0 + odds.exp()));
        constrained::with_mean(observed, score, complement).map_or(f64::INFINITY, |d| observed.fall(&d))
    };
    let mean = observed.mean();
    let mut inside = mean.ln() - (-mean).ln_1p();
    let mut outside = side * MAX_LOG_ODDS;
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        if fall(middle) > FALL {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    if outside.abs() >= MAX_LOG_ODDS { side * f64::INFINITY } else { ELO_PER_NATURAL * inside }
}

/// Normalized Elo: `800 / ln 10 (mu - 1/2) / sigma` with sigma the standard deviation of a game, of which a
/// pair has twice the variance (M. Van den Bergh, "Comments on normalized Elo"). Its variance is that of a
/// t-value, `1 - t g + t^2 (k + 2) / 4` over the number of observations, with skewness g and excess kurtosis
/// k.
fn normalized(observed: &Observed, games_each: u64) -> EloEstimate {
    let deviation = observed.moment(2).sqrt();
    let t = (observed.mean() - 0.5) / deviation;
    let skewness = observed.moment(3) / deviation.powi(3);
    let kurtosis = observed.moment(4) / deviation.powi(4) - 3.0;
    let variance = (1.0 - t * skewness + t * t * (kurtosis + 2.0) / 4.0).max(0.0);
    let error = DEVIATIONS * (variance / observed.total).sqrt();
    let [elo, low, high] =
        [t, t - error, t + error].map(|t| t * NORMALIZED_PER_DEVIATION / (games_each as f64).sqrt());
    EloEstimate { elo, interval: Interval { low, high } }
}
