//! The time since a game began, without the times in which this program was suspended.

use std::time::{Duration, Instant};

use crate::referee::core::GameTime;
use crate::referee::driver::world::World;

/// How often at least a game looks at the clock.
pub(super) const BEAT: Duration = Duration::from_millis(100);

/// A gap between two looks that is longer than this was no waiting: the whole
/// program was stopped (Ctrl-Z), or starved of its CPU.
const SUSPENDED: Duration = Duration::from_millis(250);

/// A game's clock. It runs by the monotonic clock, which stands still while
/// the machine sleeps, and it leaves out gaps between looks at it: bots answer
/// to nobody while the referee is stopped.
pub(super) struct GameClock<'w, W> {
    world: &'w W,
    zero: Instant,
    last: Instant,
}

impl<'w, W: World> GameClock<'w, W> {
    /// A clock that starts now.
    pub(super) fn start(world: &'w W) -> GameClock<'w, W> {
        let now = world.now();
        GameClock { world, zero: now, last: now }
    }

    /// A stamp for what happens now.
    pub(super) fn stamp(&mut self) -> GameTime {
        self.stamp_of(self.world.now())
    }

    fn stamp_of(&mut self, now: Instant) -> GameTime {
        let gap = now.saturating_duration_since(self.last);
        if gap > SUSPENDED {
            self.zero += gap - BEAT;
        }
        self.last = now;
        self.last_stamp()
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
}

#[expect(clippy::disallowed_methods, reason = "the driver's only look at the clock")]
pub(super) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::driver::world::Machine;

    #[test]
    fn a_game_waits_but_is_not_suspended() {
        let machine = Machine::for_this_thread();
        let mut clock = GameClock::start(&machine);
        let start = clock.zero;
        let milliseconds = Duration::from_millis;
        assert_eq!(clock.stamp_of(start + milliseconds(100)), GameTime(milliseconds(100)));
        assert_eq!(clock.stamp_of(start + milliseconds(300)), GameTime(milliseconds(300)));
        // Ten seconds of Ctrl-Z count as one beat, and what comes after counts in full.
        assert_eq!(clock.stamp_of(start + milliseconds(10_300)), GameTime(milliseconds(400)));
        assert_eq!(clock.stamp_of(start + milliseconds(10_350)), GameTime(milliseconds(450)));
        assert_eq!(clock.moment(GameTime(milliseconds(450))), start + milliseconds(10_350));
    }
}
