//! Time controls for machines of a different speed.

use std::num::NonZeroU64;
use std::time::Duration;

use super::TimeControl;

/// Maximum scaled time: the longest duration that [`parse_duration`](super::parse_duration) reads.
const MAX_TIME: Duration = Duration::from_hours(366 * 24);

/// The factor by which a machine's times are longer than those of the tournament file.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct TimeScale {
    /// The speed for which the times were chosen.
    pub reference: NonZeroU64,
    /// The speed of the machine, in the same unit.
    pub own: NonZeroU64,
}

impl TimeScale {
    /// Scales a time for this machine, in whole milliseconds, rounded up.
    #[must_use]
    pub fn time(self, time: Duration) -> Duration {
        let scaled = (time.as_millis() * u128::from(self.reference.get())).div_ceil(self.own.get().into());
        u64::try_from(scaled).map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME)
    }
}

impl TimeControl {
    /// Scales the time control for a machine of a different speed. Work is not scaled.
    #[must_use]
    pub fn scaled(self, scale: TimeScale) -> TimeControl {
        match self {
            TimeControl::MoveTime(limit) => TimeControl::MoveTime(scale.time(limit)),
            TimeControl::Clock { base, increment, session } => {
                TimeControl::Clock { base: scale.time(base), increment: scale.time(increment), session }
            }
            TimeControl::Work(_) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_machine_has_more_time_and_the_same_work() {
        let speed = |speed| NonZeroU64::new(speed).expect("it is not 0");
        let scaled = |text: &str, reference, own| {
            let control: TimeControl = text.parse().expect("it is one");
            let scaled =
                control.scaled(TimeScale { reference: speed(reference), own: speed(own) }).to_string();
            // It can be read again.
            assert_eq!(scaled.parse::<TimeControl>().map(|read| read.to_string()), Ok(scaled.clone()));
            scaled
        };
        assert_eq!(scaled("movetime=200ms", 3_000, 2_000), "movetime=300ms");
        assert_eq!(scaled("movetime=1s", 1, 3), "movetime=334ms");
        assert_eq!(scaled("tc=40/60s+500ms", 2, 1), "tc=40/2min+1s");
        assert_eq!(scaled("tc=10s+0ms", 1, 4), "tc=2500ms+0ms");
        assert_eq!(scaled("nodes=1000", 2, 1), "nodes=1000");
        assert_eq!(scaled("movetime=1h", u64::MAX, 1), "movetime=8784h");
    }
}
