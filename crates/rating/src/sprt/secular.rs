//! The secular equation of multinomial likelihood under a linear constraint.

use super::counts::ClassWeights;

/// The maximum number of steps. Bisection alone would need about seventy.
const MAX_STEPS: usize = 200;

/// The length of the last step, relative to the solution.
const PRECISION: f64 = 1e-14;

/// The divisors `d_i = 1 + theta b_i` with `sum p_i b_i / d_i = 0`, all above 0.
///
/// `p_i / d_i` is then the distribution with mean offset 0 under which observations in the shares `p_i` are
/// most likely (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
/// distribution", Proposition 1.1; also A. Owen, "Empirical likelihood", 2001). There is exactly one if there
/// are offsets on both sides of 0, otherwise there is none.
///
/// The divisors are not computed from theta, near whose poles all precision would be lost, but as a straight
/// line through (0, 1) that is above 0 from the least offset to the greatest:
/// `d = x (M - b) / M + (1 - x) (b - m) / -m`, with `m` the least, `M` the greatest offset and `0 < x < 1`, a
/// sum of numbers above 0. The equation is solved in `z = ln(x / (1 - x))`, by Newton's method on the
/// logarithm of the quotient of its two halves, which rises with `z` and is nearly straight; where a step
/// leaves the range known to contain the solution, the range is halved.
pub(super) fn divisors(offsets: &ClassWeights, shares: &ClassWeights) -> Option<ClassWeights> {
    let (least, greatest) = extremes(offsets, shares)?;
    let line = Divisors { least: least.offset, greatest: greatest.offset };
    // No share of the solution is above 1, which bounds `z`.
    let range = greatest.offset - least.offset;
    let mut low = (least.share * greatest.offset / range).ln() - 1.0;
    let mut high = -(greatest.share * -least.offset / range).ln() + 1.0;
    let mut at = (greatest.offset / -least.offset).ln().clamp(low, high);
    for _ in 0..MAX_STEPS {
        let (value, slope) = line.quotient(offsets, shares, at);
        if value == 0.0 {
            break;
        }
        if value < 0.0 {
            low = at;
        } else {
            high = at;
        }
        let newton = at - value / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        let step = (next - at).abs();
        at = next;
        if step <= PRECISION * at.abs().max(1.0) {
            break;
        }
    }
    let divisors = line.divisors(offsets, at);
    let mean: f64 = rows(offsets, shares, &divisors).map(|(b, p, d)| p * b / d).sum();
    let is_solved = mean.abs() <= 1e-10 * range && divisors.iter().all(|d| d.is_finite() && *d > 0.0);
    is_solved.then_some(divisors)
}

/// The least or the greatest offset, with the share of its class.
#[derive(Copy, Clone)]
struct ExtremeOffset {
    offset: f64,
    share: f64,
}

/// The least and the greatest offset, if 0 lies between them.
fn extremes(offsets: &ClassWeights, shares: &ClassWeights) -> Option<(ExtremeOffset, ExtremeOffset)> {
    let ends =
        || offsets.iter().zip(shares).map(|(offset, share)| ExtremeOffset { offset: *offset, share: *share });
    let least = ends().min_by(|one, other| one.offset.total_cmp(&other.offset))?;
    let greatest = ends().max_by(|one, other| one.offset.total_cmp(&other.offset))?;
    let holds = least.offset < 0.0 && greatest.offset > 0.0;
    (holds && least.offset.is_finite() && greatest.offset.is_finite()).then_some((least, greatest))
}

fn rows<'r>(
    offsets: &'r ClassWeights,
    shares: &'r ClassWeights,
    divisors: &'r ClassWeights,
) -> impl Iterator<Item = (f64, f64, f64)> + 'r {
    offsets.iter().zip(shares).zip(divisors).map(|((b, p), d)| (*b, *p, *d))
}

/// The line of divisors, given by the least and the greatest offset.
struct Divisors {
    least: f64,
    greatest: f64,
}

impl Divisors {
    /// `x` and `1 - x`, each to its full precision.
    fn parts(at: f64) -> (f64, f64) {
        (1.0 / (1.0 + (-at).exp()), 1.0 / (1.0 + at.exp()))
    }

    fn divisors(&self, offsets: &ClassWeights, at: f64) -> ClassWeights {
        let (x, rest) = Divisors::parts(at);
        let divisor = |offset: &f64| {
            x * ((self.greatest - offset) / self.greatest) + rest * ((self.least - offset) / self.least)
        };
        offsets.iter().map(divisor).collect()
    }

    /// The logarithm of the quotient of the positive and the negative part of the sum, and its slope.
    fn quotient(&self, offsets: &ClassWeights, shares: &ClassWeights, at: f64) -> (f64, f64) {
        let (x, rest) = Divisors::parts(at);
        let divisors = self.divisors(offsets, at);
        let [mut above, mut below, mut above_squared, mut below_squared] = [0.0; 4];
        for (b, p, d) in rows(offsets, shares, &divisors) {
            let (term, square) = (p * b.abs() / d, p * (b / d).powi(2));
            if b > 0.0 {
                above += term;
                above_squared += square;
            } else {
                below += term;
                below_squared += square;
            }
        }
        let inner = x * rest * (1.0 / self.greatest - 1.0 / self.least);
        ((above / below).ln(), inner * (above_squared / above + below_squared / below))
    }
}
