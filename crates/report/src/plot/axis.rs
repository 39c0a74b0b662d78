//! Conversion of values to positions on a sheet, and the round numbers at an axis.

/// An axis: it maps values to positions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Creates an axis with its ends at these values and positions, from low to high. A range without any
    /// width is widened.
    pub(super) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Axis {
        if high > low {
            Axis { low, high, from, to }
        } else {
            Axis { low: low - 0.5, high: low + 0.5, from, to }
        }
    }

    /// Returns the position of a value. Values beyond an end are placed at that end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// Returns the distance between round numbers that divide a range into at most `max_steps` steps: 1, 2 or 5 times a
/// power of ten, and at least `min_step`.
pub(super) fn step(low: f64, high: f64, max_steps: usize, min_step: f64) -> f64 {
    let rough = ((high - low) / max_steps.max(1) as f64).max(min_step);
    let power = 10_f64.powf(rough.log10().floor());
    // With a small tolerance, since a power of ten is not exact.
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// Returns the round numbers in a range.
pub(super) fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Returns the smallest range with round numbers as ends that contains the given range.
pub(super) fn rounded_out(low: f64, high: f64, step: f64) -> (f64, f64) {
    ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(low: f64, high: f64, max_steps: usize, expected: &[f64]) {
        assert_eq!(ticks(low, high, step(low, high, max_steps, 1.0)), expected);
    }

    #[test]
    fn ticks_are_round_numbers() {
        check(1_003.0, 1_780.0, 5, &[1_200.0, 1_400.0, 1_600.0]);
        check(0.0, 10.0, 5, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        check(-70.0, 70.0, 4, &[-50.0, 0.0, 50.0]);
        check(0.0, 1_000_000.0, 5, &[0.0, 200_000.0, 400_000.0, 600_000.0, 800_000.0, 1_000_000.0]);
        check(3.0, 4.0, 5, &[3.0, 4.0]);
        assert_eq!(rounded_out(1_003.0, 1_780.0, 200.0), (1_000.0, 1_800.0));
        assert_eq!(rounded_out(1_000.0, 1_800.0, 200.0), (1_000.0, 1_800.0));
    }

    #[test]
    fn values_lie_between_the_ends() {
        let axis = Axis::new((100.0, 200.0), (10.0, 20.0));
        assert_eq!([100.0, 150.0, 200.0].map(|value| axis.at(value)), [10.0, 15.0, 20.0]);
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(|value| axis.at(value)), [10.0, 20.0]);
        assert_eq!(Axis::new((5.0, 5.0), (10.0, 20.0)).at(5.0), 15.0, "also where all values are the same");
    }
}
