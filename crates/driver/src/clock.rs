//! The time since a game began, without the times in which this program was suspended.

use std::time::{Duration, Instant};

use crate::runtime::Runtime;
use linesman_referee::GameTime;

/// How often at least a game looks at the clock.
pub(super) const BEAT: Duration = Duration::from_millis(100);

/// A look that comes later than this after it was due was no waiting, whatever
/// the margin is: the whole program or machine was stopped, or starved.
const LEAST_GAP: Duration = Duration::from_millis(50);

/// A game's clock. It runs by the monotonic clock, which stands still while
/// the machine sleeps, and it leaves out the times in which nobody looked at it
/// though it was time to: bots answer to nobody while the referee is stopped.
pub(super) struct GameClock<'w, W> {
    runtime: &'w W,
    zero: Instant,
    last: Instant,
    /// When it is looked at next, at the latest.
    expected: Instant,
    /// How much later a look may come.
    tolerance: Duration,
    /// How long this program had been stopped together with its bots at the last look.
    suspended: Duration,
    /// How much of the time that was charged since this was last taken may have
    /// been no bot's: a gap began somewhere in it.
    doubtful: Duration,
}

impl<'w, W: Runtime> GameClock<'w, W> {
    /// A clock that starts now, for a game with this margin.
    pub(super) fn start(runtime: &'w W, margin: Duration) -> GameClock<'w, W> {
        let now = runtime.now();
        GameClock {
            runtime,
            zero: now,
            last: now,
            expected: now + BEAT,
            tolerance: margin.max(LEAST_GAP),
            suspended: runtime.suspended(),
            doubtful: Duration::ZERO,
        }
    }

    /// A stamp for what happens now.
    pub(super) fn stamp(&mut self) -> GameTime {
        let mut before = self.runtime.suspended();
        loop {
            let (now, after) = (self.runtime.now(), self.runtime.suspended());
            if before == after {
                return self.stamp_of(now, after);
            }
            // All was stopped in between: nobody knows on which side `now` is.
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
        // Who has looked later than was expected has looked: no stamp comes before an earlier one.
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

    /// Says when it will be looked at next, at the latest.
    pub(super) fn expect(&mut self, next: Instant) {
        self.expected = next.max(self.last);
    }

    /// The last stamp.
    pub(super) fn last_stamp(&self) -> GameTime {
        GameTime(self.last.saturating_duration_since(self.zero))
    }

    /// The moment of the last stamp.
    pub(super) fn last(&self) -> Instant {
        self.last
    }

    /// The moment with this stamp.
    pub(super) fn moment(&self, time: GameTime) -> Instant {
        self.zero.checked_add(time.0).unwrap_or(self.last + Duration::from_secs(86_400))
    }

    /// How much of the time that was charged since [`GameClock::trust`] may have been no bot's.
    pub(super) fn doubtful(&self) -> Duration {
        self.doubtful
    }

    /// Begins a new account of what is doubtful.
    pub(super) fn trust(&mut self) {
        self.doubtful = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::ThreadRuntime;

    const NO: Duration = Duration::ZERO;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_look_that_comes_much_too_late_was_no_waiting() {
        let machine = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&machine, ms(50));
        let start = clock.zero;
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(30), NO), GameTime(ms(30)));
        // A little late, as on a busy machine.
        assert_eq!(clock.stamp_of(start + ms(140), NO), GameTime(ms(140)));
        assert_eq!(clock.doubtful(), NO);
        clock.expect(start + ms(240));
        assert_eq!(clock.stamp_of(start + ms(180), NO), GameTime(ms(180)));
        // Ten seconds of sleep: what was to be waited for is charged, and is doubtful.
        assert_eq!(clock.stamp_of(start + ms(10_240), NO), GameTime(ms(240)));
        assert_eq!(clock.doubtful(), ms(60));
        assert_eq!(clock.stamp_of(start + ms(10_250), NO), GameTime(ms(250)));
        assert_eq!(clock.moment(GameTime(ms(250))), start + ms(10_250));
        clock.trust();
        assert_eq!(clock.doubtful(), NO);
    }

    #[test]
    fn no_stamp_comes_before_an_earlier_one() {
        let machine = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&machine, ms(50));
        let start = clock.zero;
        clock.expect(start + ms(100));
        // Twice late on a busy machine: the first time little, then much.
        assert_eq!(clock.stamp_of(start + ms(140), NO), GameTime(ms(140)));
        assert_eq!(clock.stamp_of(start + ms(1_000), NO), GameTime(ms(140)));
        assert_eq!(clock.stamp_of(start + ms(1_001), NO), GameTime(ms(141)));
    }

    #[test]
    fn a_margin_is_tolerated() {
        let machine = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&machine, ms(500));
        let start = clock.zero;
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(600), NO), GameTime(ms(600)));
        clock.expect(start + ms(700));
        assert_eq!(clock.stamp_of(start + ms(1_201), NO), GameTime(ms(700)));
    }

    #[test]
    fn the_time_in_which_all_was_stopped_is_left_out_to_the_moment() {
        let machine = ThreadRuntime::for_this_thread();
        let mut clock = GameClock::start(&machine, ms(50));
        let start = clock.zero;
        // Other tests may have stopped something before.
        let (before, after) = (clock.suspended, clock.suspended + ms(10_000));
        clock.expect(start + ms(100));
        assert_eq!(clock.stamp_of(start + ms(30), before), GameTime(ms(30)));
        // Ctrl-Z after 40 ms, for ten seconds; seen 5 ms after the end.
        assert_eq!(clock.stamp_of(start + ms(10_045), after), GameTime(ms(45)));
        assert_eq!(clock.doubtful(), NO);
        assert_eq!(clock.stamp_of(start + ms(10_060), after), GameTime(ms(60)));
    }
}
