//! Processes that can be stopped for two reasons: their game pauses them, or everything is suspended.

use std::time::{Duration, Instant};

use super::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use super::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};

/// Processes that are stopped and go on by signals.
pub(super) trait Processes {
    fn stop(&self);
    fn go_on(&self);
}

/// The facts about a living bot that are needed to stop it.
#[derive(Debug)]
pub(super) struct Stoppable<P> {
    pub(super) processes: P,
    /// True if its game has paused it.
    is_paused: AtomicBool,
    /// True if its cgroup is frozen then, instead of a signal to each process.
    is_frozen: AtomicBool,
}

/// All that is stoppable, and the suspensions of all of it.
#[derive(Debug)]
pub(super) struct Stoppables<P> {
    living: Mutex<Vec<Weak<Stoppable<P>>>>,
    suspended_nanoseconds: AtomicU64,
    /// True during a suspension, which holds the lock exclusively from its beginning to its end.
    is_going_on: AtomicBool,
    going_on: RwLock<()>,
}

impl<P> Default for Stoppables<P> {
    fn default() -> Stoppables<P> {
        Stoppables {
            living: Mutex::new(Vec::new()),
            suspended_nanoseconds: AtomicU64::new(0),
            is_going_on: AtomicBool::new(false),
            going_on: RwLock::new(()),
        }
    }
}

impl<P: Processes> Stoppables<P> {
    /// The entry of a bot, which counts as living until this is dropped.
    pub(super) fn add(&self, processes: P) -> Arc<Stoppable<P>> {
        let [is_paused, is_frozen] = [(); 2].map(|()| AtomicBool::new(false));
        let own = Arc::new(Stoppable { processes, is_paused, is_frozen });
        let mut living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        living.retain(|other| other.strong_count() > 0);
        living.push(Arc::downgrade(&own));
        own
    }

    /// Stops the processes of a bot by `freeze` or, if that returns false, by signals, unless the bot is
    /// paused already.
    pub(super) fn pause(&self, bot: &Stoppable<P>, freeze: impl FnOnce() -> bool) {
        let _whole = self.keep_away();
        if bot.is_paused.swap(true, Ordering::AcqRel) {
            return;
        }
        let is_frozen = freeze();
        bot.is_frozen.store(is_frozen, Ordering::Release);
        if !is_frozen {
            bot.processes.stop();
        }
    }

    /// Lets the processes of a bot go on, if it is paused.
    pub(super) fn resume(&self, bot: &Stoppable<P>, thaw: impl FnOnce() -> bool) {
        let _whole = self.keep_away();
        if !bot.is_paused.swap(false, Ordering::AcqRel) {
            return;
        }
        let is_thawed = thaw();
        // Processes that were stopped by signals need one to go on, even if their cgroup can thaw by now.
        if !(bot.is_frozen.swap(false, Ordering::AcqRel) && is_thawed) {
            bot.processes.go_on();
        }
    }

    /// Keeps suspensions away as long as the guard lives; during one it waits for its end. A thread that holds
    /// a guard must not ask for another.
    ///
    /// Pausing or resuming a bot requires it: a bot that is resumed during a suspension would run throughout,
    /// and one that is paused during a suspension would go on at its end.
    fn keep_away(&self) -> RwLockReadGuard<'_, ()> {
        self.going_on.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Total time of all suspensions. During one it waits for the end.
    ///
    /// A time that was read between two equal results is not affected by a suspension.
    pub(super) fn suspended(&self) -> Duration {
        if self.is_going_on.load(Ordering::Acquire) {
            drop(self.keep_away());
        }
        Duration::from_nanos(self.suspended_nanoseconds.load(Ordering::Relaxed))
    }

    /// Stops all bots, then this program by `stop`, which returns once the program goes on, and lets the bots
    /// go on with it.
    pub(super) fn suspend(&self, now: impl Fn() -> Instant, stop: impl FnOnce()) {
        let _going_on = self.going_on.write().unwrap_or_else(PoisonError::into_inner);
        self.is_going_on.store(true, Ordering::SeqCst);
        let begun = now();
        let living: Vec<Arc<Stoppable<P>>> = {
            let living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
            living.iter().filter_map(Weak::upgrade).collect()
        };
        // Paused bots stay paused.
        let running: Vec<_> = living.iter().filter(|bot| !bot.is_paused.load(Ordering::Acquire)).collect();
        running.iter().for_each(|bot| bot.processes.stop());
        stop();
        running.iter().for_each(|bot| bot.processes.go_on());
        let nanoseconds = u64::try_from((now() - begun).as_nanos()).unwrap_or(u64::MAX);
        self.suspended_nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        self.is_going_on.store(false, Ordering::Release);
    }
}
