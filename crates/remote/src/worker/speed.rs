//! The speed of a worker's machine. It is measured before the first game and from time to time, while a slot is free.

use std::num::NonZeroU64;
use std::time::Duration;

use linesman_driver::MeasuredSpeed;

/// Time between two measurements, and time from a measurement that found an overload to the next one.
const BETWEEN_MEASUREMENTS: Duration = Duration::from_secs(300);
const AFTER_OVERLOAD: Duration = Duration::from_secs(30);

/// Maximum share of its time that a measurement waits for a CPU, in percent. A slot is free, so more is an overload.
const MAX_WAITED_PERCENT: u8 = 30;

/// Minimum speed of a machine that is not overloaded, in percent of the best measured speed.
const MIN_PERCENT: u64 = 70;

#[derive(Default)]
pub(super) struct SpeedWatch {
    latest: Option<NonZeroU64>,
    best: Option<NonZeroU64>,
    /// True if something other than the worker's games keeps the machine busy.
    is_overloaded: bool,
    has_measured: bool,
    stage: MeasuringStage,
    next: Duration,
}

#[derive(Copy, Clone, Eq, PartialEq, Default)]
enum MeasuringStage {
    #[default]
    Idle,
    /// A measurement waits for a free slot.
    Due,
    Measuring,
}

impl SpeedWatch {
    pub(super) fn speed(&self) -> Option<NonZeroU64> {
        self.latest
    }

    /// True if a measurement was made or has failed.
    pub(super) fn has_measured(&self) -> bool {
        self.has_measured
    }

    /// True if something other than the worker's games keeps the machine busy.
    pub(super) fn is_overloaded(&self) -> bool {
        self.is_overloaded
    }

    /// Returns the number of slots for games: one is kept free while a measurement is due or running.
    pub(super) fn usable(&self, slots: usize) -> usize {
        if self.stage == MeasuringStage::Idle { slots } else { slots.saturating_sub(1) }
    }

    /// Starts a measurement if one is due and fewer games run than there are slots. Returns true if it starts.
    pub(super) fn begin(&mut self, at: Duration, running: usize, slots: usize) -> bool {
        if self.stage == MeasuringStage::Idle && at >= self.next {
            self.stage = MeasuringStage::Due;
        }
        let starts = self.stage == MeasuringStage::Due && running < slots;
        if starts {
            self.stage = MeasuringStage::Measuring;
        }
        starts
    }

    /// Takes a measurement; `None` if it failed. Returns the reason for an overload that did not exist before.
    pub(super) fn measured(&mut self, at: Duration, measured: Option<MeasuredSpeed>) -> Option<String> {
        self.stage = MeasuringStage::Idle;
        self.has_measured = true;
        let overload = measured.and_then(|measured| self.take(measured));
        let was_overloaded = std::mem::replace(&mut self.is_overloaded, overload.is_some());
        self.next = at + if self.is_overloaded { AFTER_OVERLOAD } else { BETWEEN_MEASUREMENTS };
        overload.filter(|_| !was_overloaded)
    }

    fn take(&mut self, measured: MeasuredSpeed) -> Option<String> {
        let MeasuredSpeed { positions_per_second: speed, waited_percent } = measured;
        self.latest = Some(speed);
        self.best = self.best.max(self.latest);
        let best = self.best.unwrap_or(speed).get();
        if waited_percent > MAX_WAITED_PERCENT {
            return Some(format!(
                "the machine is overloaded: with a slot free, a measurement waited {waited_percent} % of its time \
                 for a CPU"
            ));
        }
        let percent = u128::from(speed.get()) * 100 / u128::from(best);
        (percent < u128::from(MIN_PERCENT))
            .then(|| format!("the machine has {percent} % of the speed that it had before"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(speed: u64, waited_percent: u8) -> Option<MeasuredSpeed> {
        Some(MeasuredSpeed { positions_per_second: NonZeroU64::new(speed)?, waited_percent })
    }

    #[test]
    fn a_slot_is_kept_free_for_a_measurement() {
        let mut watch = SpeedWatch::default();
        assert!(watch.begin(Duration::ZERO, 0, 2), "the first one comes before the first game");
        assert!(!watch.begin(Duration::ZERO, 0, 2) && watch.usable(2) == 1);
        assert_eq!(watch.measured(Duration::ZERO, measured(100, 0)), None);
        assert_eq!((watch.usable(2), watch.speed().map(NonZeroU64::get)), (2, Some(100)));
        assert!(!watch.begin(BETWEEN_MEASUREMENTS - Duration::from_secs(1), 0, 2));
        assert!(
            !watch.begin(BETWEEN_MEASUREMENTS, 2, 2) && watch.usable(2) == 1,
            "it waits for a game to end"
        );
        assert!(watch.begin(BETWEEN_MEASUREMENTS, 1, 2));
    }

    #[test]
    fn a_machine_that_others_keep_busy_is_overloaded() {
        let mut watch = SpeedWatch::default();
        watch.measured(Duration::ZERO, measured(100, 10));
        assert!(
            watch.measured(BETWEEN_MEASUREMENTS, measured(100, 50)).is_some_and(|why| why.contains("50 %"))
        );
        assert!(watch.is_overloaded() && watch.begin(BETWEEN_MEASUREMENTS + AFTER_OVERLOAD, 0, 1));
        assert_eq!(watch.measured(BETWEEN_MEASUREMENTS, measured(69, 0)), None, "it is said once");
        assert!(watch.is_overloaded());
        watch.measured(BETWEEN_MEASUREMENTS, measured(71, 0));
        assert!(!watch.is_overloaded());
        watch.measured(BETWEEN_MEASUREMENTS, None);
        assert_eq!(watch.speed().map(NonZeroU64::get), Some(71), "what can't be measured changes nothing");
    }
}
