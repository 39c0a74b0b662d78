//! The time of moves beyond what the bots reported: transfer to the referee and back, and delays of the host.

use std::collections::BTreeMap;

/// Size in microseconds of the steps in which differences are counted. Bots report whole milliseconds.
const STEP_US: i64 = 100;

/// The excess of the referee's clock over a bot's own, for its moves with `info time`.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Overhead {
    /// The number of moves by difference, in steps.
    moves: BTreeMap<i64, u64>,
}

impl Overhead {
    /// Counts a move with the time that was charged and the time that the bot reported.
    pub(crate) fn add(&mut self, charged_us: u64, reported_ms: u64) {
        let reported_us = i64::try_from(reported_ms.saturating_mul(1_000)).unwrap_or(i64::MAX);
        let difference = i64::try_from(charged_us).unwrap_or(i64::MAX).saturating_sub(reported_us);
        *self.moves.entry(difference.div_euclid(STEP_US)).or_default() += 1;
    }

    /// Returns the median, in milliseconds.
    pub(crate) fn median_ms(&self) -> Option<f64> {
        let half = self.moves.values().sum::<u64>().div_ceil(2);
        let mut seen = 0;
        let median = self.moves.iter().find(|(_, moves)| {
            seen += **moves;
            seen >= half
        });
        median.map(|(steps, _)| milliseconds(*steps))
    }

    /// Returns the maximum, in milliseconds.
    pub(crate) fn maximum_ms(&self) -> Option<f64> {
        self.moves.last_key_value().map(|(steps, _)| milliseconds(*steps))
    }
}

fn milliseconds(steps: i64) -> f64 {
    (steps * STEP_US) as f64 / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_maximum_are_those_of_the_moves() {
        let mut overhead = Overhead::default();
        assert_eq!((overhead.median_ms(), overhead.maximum_ms()), (None, None));
        for (charged_us, reported_ms) in [(12_300, 12), (5_150, 5), (40_000, 10), (9_000, 9), (7_400, 8)] {
            overhead.add(charged_us, reported_ms);
        }
        // A bot may round up its time.
        assert_eq!((overhead.median_ms(), overhead.maximum_ms()), (Some(0.1), Some(30.0)));
        overhead.add(u64::MAX, 0);
        overhead.add(0, u64::MAX);
        assert_eq!(overhead.median_ms(), Some(0.1));
    }
}
