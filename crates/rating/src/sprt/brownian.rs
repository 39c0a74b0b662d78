//! A Brownian motion between two bounds, which ends when it reaches one of them.

use std::f64::consts::PI;

/// The time, relative to that in which it spreads from bound to bound, below which images are summed, and
/// from which on waves are.
const SHORT: f64 = 0.3;

/// The number of images on either side; those left out are below 1e-20 of the first.
const IMAGES: i32 = 3;

/// The number of waves; those left out are below 1e-20 of the first.
const WAVES: i32 = 7;

/// The number of intervals of the integration, which must be even.
const PARTS: usize = 200;

/// The number of standard deviations beyond which the density is neglected.
const CUTOFF: f64 = 8.0;

/// A Brownian motion that starts at 0, with its drift and variance per unit of time.
#[derive(Copy, Clone, Debug)]
pub(super) struct Walk {
    pub drift: f64,
    pub variance: f64,
    /// The bound below 0.
    pub low: f64,
    /// The bound above 0.
    pub high: f64,
}

impl Walk {
    /// The probability that by this time it has ended at the lower bound, or is still going on below `at`.
    ///
    /// The paths that have ended there by this time are all that ever will, except those that have not ended
    /// yet.
    pub(super) fn share_below(&self, time: f64, at: f64) -> f64 {
        let going_on = |place: f64| {
            let later = self.ends_low(place);
            self.density(time, place) * (f64::from(u8::from(place <= at)) - later)
        };
        // Cut at the place itself, where the integrand jumps.
        let spread = CUTOFF * (self.variance * time).sqrt();
        let [first, last] = [self.drift * time - spread, self.drift * time + spread]
            .map(|end| end.clamp(self.low, self.high));
        let cut = at.clamp(first, last);
        let below = simpson(first, cut, going_on);
        let above = simpson(cut, last, |place| -self.density(time, place) * self.ends_low(place));
        (self.ends_low(0.0) + below + above).clamp(0.0, 1.0)
    }

    /// The probability that it ends at the lower bound if it is at this place.
    fn ends_low(&self, place: f64) -> f64 {
        let pull = 2.0 * self.drift / self.variance;
        let width = self.high - self.low;
        if (pull * width).abs() < 1e-9 {
            (self.high - place) / width
        } else if pull > 0.0 {
            ((-pull * (place - self.low)).exp() - (-pull * width).exp()) / -(-pull * width).exp_m1()
        } else {
            (pull * (self.high - place)).exp_m1() / (pull * width).exp_m1()
        }
    }

    /// The density, at this time and place, of paths that have not reached a bound.
    ///
    /// Two sums give it (e.g. W. Feller, "An Introduction to Probability Theory and Its Applications" II,
    /// section X.5): images of the start in both bounds, good for short times, and waves between the bounds,
    /// good for long ones. With drift, each gets the factor `exp(drift (place - drift time / 2) / variance)`.
    fn density(&self, time: f64, place: f64) -> f64 {
        let width = self.high - self.low;
        let spread = self.variance * time;
        let tilt = self.drift * (place - self.drift * time / 2.0) / self.variance;
        if spread < SHORT * width * width {
            let image = |at: f64| (tilt - (place - at).powi(2) / (2.0 * spread)).exp();
            let images = (-IMAGES..=IMAGES).map(|number| {
                let shift = 2.0 * width * f64::from(number);
                image(shift) - image(2.0 * self.high + shift)
            });
            images.sum::<f64>() / (2.0 * PI * spread).sqrt()
        } else {
            let waves = (1..=WAVES).map(|number| {
                let number = f64::from(number) * PI / width;
                let fading = (tilt - number * number * spread / 2.0).exp();
                fading * (number * -self.low).sin() * (number * (place - self.low)).sin()
            });
            waves.sum::<f64>() * 2.0 / width
        }
    }
}

/// The integral of a smooth function by Simpson's rule.
fn simpson(from: f64, to: f64, of: impl Fn(f64) -> f64) -> f64 {
    let width = (to - from) / PARTS as f64;
    if width <= 0.0 {
        return 0.0;
    }
    let weight = |part: usize| match part {
        0 | PARTS => 1.0,
        part if part % 2 == 1 => 4.0,
        _ => 2.0,
    };
    // Rounding must not lead beyond the end, where the function may jump.
    let sum: f64 = (0..=PARTS).map(|part| weight(part) * of((from + width * part as f64).min(to))).sum();
    sum * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-7, "{value} is not {expected}");
    }

    #[test]
    fn without_drift_the_probabilities_are_those_of_theory() {
        let walk = Walk { drift: 0.0, variance: 1.0, low: -1.0, high: 1.0 };
        // The probability of going on at time 1: 4 / pi sum of (-1)^k / (2 k + 1) e^(-(2 k + 1)^2 pi^2 / 8).
        let going_on = 4.0 / PI * ((-PI * PI / 8.0).exp() - (-9.0 * PI * PI / 8.0).exp() / 3.0);
        near(walk.share_below(1.0, 1.0) - walk.share_below(1.0, -1.0), going_on);
        near(walk.share_below(1.0, 0.0), 0.5);
        near(walk.share_below(1e6, 0.0), 0.5);
    }

    #[test]
    fn the_final_probabilities_are_those_of_gambler_s_ruin() {
        for (drift, low, high) in [(0.3, -1.0, 2.0), (-0.7, -2.0, 1.0), (1e-12, -3.0, 1.0), (5.0, -3.0, 3.0)]
        {
            let walk = Walk { drift, variance: 0.5, low, high };
            let pull = 2.0 * drift / 0.5;
            let ruin = match drift.abs() < 1e-9 {
                true => high / (high - low),
                false => (1.0 - (-pull * high).exp()) / ((-pull * low).exp() - (-pull * high).exp()),
            };
            near(walk.share_below(1e4, high), ruin);
            near(walk.share_below(1e4, low), ruin);
        }
    }

    #[test]
    fn images_and_waves_agree_where_they_meet() {
        for drift in [-2.0, -0.1, 0.0, 0.4, 3.0] {
            let walk = Walk { drift, variance: 2.0, low: -1.0, high: 1.5 };
            let meet = SHORT * 2.5 * 2.5 / 2.0;
            for at in [-1.0, -0.3, 0.6, 1.5] {
                let [before, after] =
                    [meet * (1.0 - 1e-9), meet * (1.0 + 1e-9)].map(|time| walk.share_below(time, at));
                near(before, after);
            }
        }
    }

    #[test]
    fn soon_after_the_start_nothing_has_ended_yet() {
        let walk = Walk { drift: 0.0, variance: 1.0, low: -5.0, high: 5.0 };
        near(walk.share_below(1e-3, 0.0), 0.5);
        near(walk.share_below(1e-3, 5.0), 1.0);
        near(walk.share_below(1e-3, -5.0), 0.0);
    }
}
