//! Checks of paused bots and of suspensions of everything.

#[path = "../../crates/sandbox/src/stoppable.rs"]
mod checked;

use std::sync::Arc;
use std::time::{Duration, Instant};

use checked::{Processes, Stoppables};

use super::sync::atomic::{AtomicBool, AtomicU64, Ordering::AcqRel};
use super::{check, sync, thread};

/// The kernel's state of a bot. It is read with read-modify-write operations, which see the last value, like the kernel.
struct World {
    is_stopped: AtomicBool,
    is_frozen: AtomicBool,
    /// The elapsed nanoseconds; time only passes while everything is suspended.
    clock: AtomicU64,
    begun: Instant,
}

#[derive(Clone)]
struct Bot(Arc<World>);

impl Bot {
    #[expect(clippy::disallowed_methods, reason = "this type has no other constructor")]
    fn new() -> Bot {
        let [is_stopped, is_frozen] = [(); 2].map(|()| AtomicBool::new(false));
        Bot(Arc::new(World { is_stopped, is_frozen, clock: AtomicU64::new(0), begun: Instant::now() }))
    }

    fn runs(&self) -> bool {
        !self.0.is_stopped.fetch_or(false, AcqRel) && !self.0.is_frozen.fetch_or(false, AcqRel)
    }

    fn freeze(&self, is_frozen: bool) -> bool {
        self.0.is_frozen.swap(is_frozen, AcqRel);
        true
    }

    fn clock(&self) -> Duration {
        Duration::from_nanos(self.0.clock.fetch_add(0, AcqRel))
    }

    fn pass(&self, nanoseconds: u64) {
        self.0.clock.fetch_add(nanoseconds, AcqRel);
    }
}

/// Signals take a moment, which is part of the suspension.
impl Processes for Bot {
    fn stop(&self) {
        self.0.is_stopped.swap(true, AcqRel);
        self.pass(1);
    }

    fn go_on(&self) {
        self.pass(1);
        self.0.is_stopped.swap(false, AcqRel);
    }
}

/// Suspends everything from another thread and checks that nothing runs meanwhile.
fn suspend(bots: &Arc<Stoppables<Bot>>, bot: &Bot) -> thread::JoinHandle<()> {
    let (bots, bot) = (Arc::clone(bots), bot.clone());
    thread::spawn(move || {
        let now = || bot.0.begun + bot.clock();
        bots.suspend(now, || {
            assert!(!bot.runs(), "it runs during a suspension");
            bot.pass(10);
            assert!(!bot.runs(), "it goes on during a suspension");
        });
    })
}

/// Pauses a bot, through its cgroup if that can be frozen, and resumes it, around and during a suspension.
fn stays_paused(can_freeze: bool) {
    check(move || {
        let (bots, bot) = (Arc::new(Stoppables::default()), Bot::new());
        let own = bots.add(bot.clone());
        let suspending = suspend(&bots, &bot);
        bots.pause(&own, || can_freeze && bot.freeze(true));
        assert!(!bot.runs(), "it runs though it is paused");
        suspending.join().expect("no thread panics");
        assert!(!bot.runs(), "the end of a suspension ended its pause");
        let suspending = suspend(&bots, &bot);
        bots.resume(&own, || can_freeze && bot.freeze(false));
        suspending.join().expect("no thread panics");
        assert!(bot.runs(), "it stays stopped");
    });
}

#[test]
fn a_bot_that_is_paused_by_signals_stays_paused_through_a_suspension() {
    stays_paused(false);
}

#[test]
fn a_bot_that_is_paused_by_its_cgroup_stays_paused_through_a_suspension() {
    stays_paused(true);
}

#[test]
fn nobody_is_charged_for_a_suspension() {
    check(|| {
        let (bots, bot) = (Arc::new(Stoppables::default()), Bot::new());
        let _own = bots.add(bot.clone());
        let suspending = suspend(&bots, &bot);
        // The order in which a game's clock reads the time.
        let (before, now, after) = (bots.suspended(), bot.clock(), bots.suspended());
        if before == after {
            assert_eq!(now, after, "time passed while everything was suspended");
        }
        suspending.join().expect("no thread panics");
        assert_eq!(bots.suspended(), bot.clock());
    });
}
