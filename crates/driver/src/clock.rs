//! The time since a game began, without the time for which this program was suspended.

use std::time::{Duration, Instant};

use crate::runtime::Runtime;
use linesman_referee::GameTime;

/// Maximum interval at which a game reads the clock.
pub(super) const BEAT: Duration = Duration::from_millis(100);

/// Minimum delay of a reading that counts as a gap at any margin: the whole program or machine was stopped, or starved.
const MIN_GAP: Duration = Duration::from_millis(50);

/// A game's clock. It follows the monotonic clock, which stops while the machine sleeps. It leaves out the
/// times in which a due reading did not happen: while the referee is stopped, no bot can reach it.
pub(super) struct GameClock<'w, W> {
    runtime: &'w W,
    zero: Instant,
    last: Instant,
    /// Latest moment of the next reading.
    expected: Instant,
    /// Maximum delay of a reading that is not a gap.
    tolerance: Duration,
    /// Total time for which this program had been stopped together with its bots, at the last reading.
    suspended: Duration,
    /// Charged time, since this was last reset, that may not be the bots': a gap began somewhere in it.
    doubtful: Duration,
}

impl<'w, W: Runtime> GameClock<'w, W> {
    /// Starts a clock now, for a game with this margin.
    pub(super) fn start(runtime: &'w W, margin: Duration) -> GameClock<'w, W> {
        let now = runtime.now();
        GameClock {
            runtime,
            zero: now,
            last: now,
            expected: now + BEAT,
            tolerance: margin.max(MIN_GAP),
            suspended: runtime.suspended(),
            doubtful: Duration::ZERO,
        }
    }

    /// The stamp for an event that happens now.
    pub(super) fn stamp(&mut self) -> GameTime {
        let mut before = self.runtime.suspended();
        loop {
            let (now, after) = (self.runtime.now(), self.runtime.suspended());
            if before == after {
                return self.stamp_of(now, after);
            }
            // Everything was stopped in between: `now` may be before or after the stop.
            before = after;
        }
    }

    fn stamp_of(&mut self, now: Instant, suspended: Duration) -> GameTime {
        let known = suspended.saturating_sub(self.suspended);
        if known > Duration::ZERO {
            self.suspended = suspended;
            self.zero += known;
            self.last = (self.last + known).min(now);
            self.expected += known;
        }
        // A reading later than expected is still a reading: no stamp is earlier than a previous one.
        let gap = now.saturating_duration_since(self.expected.max(self.last));
        if gap > self.tolerance {
            self.zero += gap;
            self.doubtful += self.expected.saturating_duration_since(self.last);
            // One gap is left out once.
            self.expected = now;
        }
        self.last = now;
        self.last_stamp()
    }

    /// Announces the latest moment of the next reading.
    pub(super) fn expect(&mut self, next: Instant) {
        self.expected = next.max(self.last);
    }

    pub(super) fn last_stamp(&self) -> GameTime {
        GameTime(self.last.saturating_duration_since(self.zero))
    }

    pub(super) fn last(&self) -> Instant {
        self.last
    }

    pub(super) fn moment(&self, time: GameTime) -> Instant {
        self.zero.checked_add(time.0).unwrap_or(self.last + Duration::from_secs(86_400))
    }

    /// Charged time since [`GameClock::trust`] that may not be the bots'.
    pub(super) fn doubtful(&self) -> Duration {
        self.doubtful
    }

    pub(super) fn trust(&mut self) {
        self.doubtful = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::ThreadRuntime;

    const ZERO: Duration = Duration::ZERO;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_much_delayed_reading_is_a_gap() {
        let runtime = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&runtime, ms(50));
        let start = clock.zero;
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(30), ZERO), GameTime(ms(30)));
        // A little late, as on a busy machine.
        assert_eq!(clock.stamp_of(start + ms(140), ZERO), GameTime(ms(140)));
        assert_eq!(clock.doubtful(), ZERO);
        clock.expect(start + ms(240));
        assert_eq!(clock.stamp_of(start + ms(180), ZERO), GameTime(ms(180)));
        // Ten seconds of sleep: only the expected wait is charged, and it is doubtful.
        assert_eq!(clock.stamp_of(start + ms(10_240), ZERO), GameTime(ms(240)));
        assert_eq!(clock.doubtful(), ms(60));
        assert_eq!(clock.stamp_of(start + ms(10_250), ZERO), GameTime(ms(250)));
        assert_eq!(clock.moment(GameTime(ms(250))), start + ms(10_250));
        clock.trust();
        assert_eq!(clock.doubtful(), ZERO);
    }

    #[test]
    fn stamps_never_go_back() {
        let runtime = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&runtime, ms(50));
        let start = clock.zero;
        clock.expect(start + ms(100));
        // Late twice on a busy machine: first a little, then much.
        assert_eq!(clock.stamp_of(start + ms(140), ZERO), GameTime(ms(140)));
        assert_eq!(clock.stamp_of(start + ms(1_000), ZERO), GameTime(ms(140)));
        assert_eq!(clock.stamp_of(start + ms(1_001), ZERO), GameTime(ms(141)));
    }

    #[test]
    fn a_delay_within_the_margin_is_no_gap() {
        let runtime = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&runtime, ms(500));
        let start = clock.zero;
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(600), ZERO), GameTime(ms(600)));
        clock.expect(start + ms(700));
        assert_eq!(clock.stamp_of(start + ms(1_201), ZERO), GameTime(ms(700)));
    }

    #[test]
    fn suspended_time_is_left_out_exactly() {
        let runtime = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&runtime, ms(50));
        let start = clock.zero;
        // Other tests may have suspended the program before.
        let (before, after) = (clock.suspended, clock.suspended + ms(10_000));
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(30), before), GameTime(ms(30)));
        // Ctrl-Z after 40 ms, for ten seconds; noticed 5 ms after its end.
        assert_eq!(clock.stamp_of(start + ms(10_045), after), GameTime(ms(45)));
        assert_eq!(clock.doubtful(), ZERO);
        assert_eq!(clock.stamp_of(start + ms(10_060), after), GameTime(ms(60)));
    }
}
