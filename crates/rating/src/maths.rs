//! Functions that several formulas need.

use statrs::distribution::{ContinuousCDF, Normal};

/// `1 / (1 + e^-x)`.
pub(super) fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let odds = x.exp();
        odds / (1.0 + odds)
    }
}

/// `ln (1 / (1 + e^-x))`, exact even where the fraction rounds to 0.
pub(super) fn log_logistic(x: f64) -> f64 {
    if x >= 0.0 { -(-x).exp().ln_1p() } else { x - x.exp().ln_1p() }
}

/// The quantile of the standard normal distribution.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The standard normal distribution function.
pub(super) fn normal(x: f64) -> f64 {
    Normal::standard().cdf(x)
}
