//! More time to get ready for a bot that the host kept from its CPUs.
//!
//! The limits themselves are `start` and `ready` of [`SeatLimits`](crate::SeatLimits). No clock runs before a
//! game, so a bot that had to wait for the host gets that time in addition. A late move instead makes the game void.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::GameTime;
use linesman_types::reading::Reading;
use linesman_types::verdict::Evidence;

/// The time after which a bot that was ready to run is sampled again, to see if it has run.
const RESAMPLE_AFTER: Duration = Duration::from_millis(10);

/// The extensions of the time that one bot has to get ready.
#[derive(Debug, Default)]
pub struct ReadyExtension {
    granted: Duration,
    /// The time of the last reading that found the bot ready to run, and the reading.
    last_ready: Option<(GameTime, Reading)>,
}

impl ReadyExtension {
    /// Returns the time that the bot was given beyond its limit.
    pub fn granted(&self) -> Duration {
        self.granted
    }

    /// Extends the time of a bot that is not ready at this time after its start, and returns the extension;
    /// `None` if the host did not keep the bot from its CPUs, or if the bot would get more than `max_total` in total.
    ///
    /// `evidence` is the time that the bot used and waited since its start, on `cpus` CPUs.
    pub fn extend(
        &mut self,
        at: GameTime,
        reading: &Reading,
        evidence: Evidence,
        cpus: NonZeroU32,
        max_total: Duration,
    ) -> Option<Duration> {
        let more = self.more(at, reading, evidence, evidence.excuse(at.0, cpus));
        let granted = self.granted.saturating_add(more);
        if more.is_zero() || granted > max_total {
            return None;
        }
        self.granted = granted;
        Some(more)
    }

    fn more(&mut self, at: GameTime, reading: &Reading, evidence: Evidence, excuse: Duration) -> Duration {
        let left = excuse.saturating_sub(self.granted);
        if !left.is_zero() {
            self.last_ready = None;
            return left.saturating_add(RESAMPLE_AFTER);
        }
        // The kernel adds a wait to its account only when the wait is over.
        let last_ready = self.last_ready.take().filter(|_| reading.is_ready);
        self.last_ready = reading.is_ready.then(|| (at, reading.clone()));
        match last_ready {
            None if reading.is_ready => RESAMPLE_AFTER,
            None => Duration::ZERO,
            Some((then, earlier)) => {
                let passed = Duration::saturating_sub(at.0, then.0);
                let (cpu, wait) = reading.since(&earlier);
                let waits = wait.is_zero() && cpu <= passed / 2 && evidence.cpu <= at.0 / 2;
                if waits { passed.saturating_mul(2) } else { Duration::ZERO }
            }
        }
    }
}
