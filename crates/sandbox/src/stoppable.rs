//! Processes that can be stopped for two reasons: their game pauses them, or everything is suspended.

use std::time::{Duration, Instant};

use super::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use super::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};

/// Processes that are stopped and resumed with signals.
pub(super) trait Processes {
    fn stop(&self);
    fn go_on(&self);
}

/// The means of stopping a living bot.
#[derive(Debug)]
pub(super) struct Stoppable<P> {
    pub(super) processes: P,
    /// True if its game has paused it.
    is_paused: AtomicBool,
    /// True if that froze its cgroup instead of signalling each process.
    is_frozen: AtomicBool,
}

/// All living bots, and their suspensions.
#[derive(Debug)]
pub(super) struct Stoppables<P> {
    living: Mutex<Vec<Weak<Stoppable<P>>>>,
    suspended_nanoseconds: AtomicU64,
    /// True during a suspension, which holds `suspension` exclusively from its beginning to its end.
    is_suspended: AtomicBool,
    suspension: RwLock<()>,
}

impl<P> Default for Stoppables<P> {
    fn default() -> Stoppables<P> {
        Stoppables {
            living: Mutex::new(Vec::new()),
            suspended_nanoseconds: AtomicU64::new(0),
            is_suspended: AtomicBool::new(false),
            suspension: RwLock::new(()),
        }
    }
}

impl<P: Processes> Stoppables<P> {
    /// Registers a bot, which counts as living until the entry is dropped.
    pub(super) fn add(&self, processes: P) -> Arc<Stoppable<P>> {
        let [is_paused, is_frozen] = [(); 2].map(|()| AtomicBool::new(false));
        let entry = Arc::new(Stoppable { processes, is_paused, is_frozen });
        let mut living = self.living.lock().unwrap_or_else(PoisonError::into_inner);
        living.retain(|other| other.strong_count() > 0);
        living.push(Arc::downgrade(&entry));
        entry
    }

    /// Stops the processes of a bot by `freeze` or, if that returns false, by signals, unless it is paused already.
    pub(super) fn pause(&self, bot: &Stoppable<P>, freeze: impl FnOnce() -> bool) {
        let _guard = self.block_suspension();
        if bot.is_paused.swap(true, Ordering::AcqRel) {
            return;
        }
        let is_frozen = freeze();
        bot.is_frozen.store(is_frozen, Ordering::Release);
        if !is_frozen {
            bot.processes.stop();
        }
    }

    /// Resumes the processes of a bot if it is paused.
    pub(super) fn resume(&self, bot: &Stoppable<P>, thaw: impl FnOnce() -> bool) {
        let _guard = self.block_suspension();
        if !bot.is_paused.swap(false, Ordering::AcqRel) {
            return;
        }
        let is_thawed = thaw();
        // Processes that were stopped by signals need one to resume, even if their cgroup can be thawed by now.
        if !(bot.is_frozen.swap(false, Ordering::AcqRel) && is_thawed) {
            bot.processes.go_on();
        }
    }

    /// Waits for the end of a suspension, and blocks others while the guard lives. A thread must not have two guards.
    ///
    /// Pausing or resuming a bot requires a guard: a bot that is resumed during a suspension would run
    /// throughout, and one that is paused during a suspension would be resumed at its end.
    fn block_suspension(&self) -> RwLockReadGuard<'_, ()> {
        self.suspension.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the total time of all suspensions. During one, waits for its end.
    ///
    /// A time that was read between two equal results is not affected by a suspension.
    pub(super) fn suspended(&self) -> Duration {
        if self.is_suspended.load(Ordering::Acquire) {
            drop(self.block_suspension());
        }
        Duration::from_nanos(self.suspended_nanoseconds.load(Ordering::Relaxed))
    }

    /// Stops all bots, then this program by `stop`, which returns once it is resumed, and then resumes the bots.
    pub(super) fn suspend(&self, now: impl Fn() -> Instant, stop: impl FnOnce()) {
        let _guard = self.suspension.write().unwrap_or_else(PoisonError::into_inner);
        self.is_suspended.store(true, Ordering::SeqCst);
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
        self.is_suspended.store(false, Ordering::Release);
    }
}
