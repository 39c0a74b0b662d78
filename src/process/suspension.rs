//! Stopping this program together with all bots, as Ctrl-Z asks for it.
//!
//! The bots have sessions of their own, so the terminal stops the referee only:
//! without this they would think on for nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::family::Family;
use super::pause;

/// What is known of a living bot by whoever wants to stop all of them.
#[derive(Debug)]
pub(super) struct Stoppable {
    pub(super) family: Family,
    /// Whether it is paused, by its game.
    pub(super) is_paused: AtomicBool,
}

static LIVING: Mutex<Vec<Weak<Stoppable>>> = Mutex::new(Vec::new());
static SUSPENDED_NANOSECONDS: AtomicU64 = AtomicU64::new(0);
/// Whether a suspension is going on; it holds the lock from its begin to its end.
static IS_GOING_ON: AtomicBool = AtomicBool::new(false);
static GOING_ON: Mutex<()> = Mutex::new(());

impl Stoppable {
    /// Of a bot that lives until this is dropped.
    pub(super) fn of(family: Family) -> Arc<Stoppable> {
        let own = Arc::new(Stoppable { family, is_paused: AtomicBool::new(false) });
        let mut living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        living.retain(|other| other.strong_count() > 0);
        living.push(Arc::downgrade(&own));
        own
    }
}

/// How long this program has been stopped together with its bots, in all. In
/// the middle of a suspension it waits for its end.
///
/// A time that was read between two equal answers is not of a suspension.
pub fn suspended() -> Duration {
    if IS_GOING_ON.load(Ordering::Acquire) {
        drop(GOING_ON.lock());
    }
    Duration::from_nanos(SUSPENDED_NANOSECONDS.load(Ordering::Relaxed))
}

/// Stops all bots and then this program; returns when somebody has let it go
/// on (SIGCONT), and the bots too.
pub fn suspend() {
    let _going_on = GOING_ON.lock().unwrap_or_else(PoisonError::into_inner);
    IS_GOING_ON.store(true, Ordering::SeqCst);
    let begun = now();
    let living: Vec<Arc<Stoppable>> = {
        let living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        living.iter().filter_map(Weak::upgrade).collect()
    };
    // Those that are paused stay so.
    let running: Vec<_> = living.iter().filter(|bot| !bot.is_paused.load(Ordering::Acquire)).collect();
    running.iter().for_each(|bot| pause::stop(&bot.family));
    stop_here();
    running.iter().for_each(|bot| pause::go_on(&bot.family));
    let nanoseconds = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
    SUSPENDED_NANOSECONDS.fetch_add(nanoseconds, Ordering::Relaxed);
    IS_GOING_ON.store(false, Ordering::Release);
}

/// Stops this program; returns when it goes on.
///
/// The signal is for this very thread, which therefore can't go past it. One for
/// the whole program may be taken by another thread a moment later, and the bots
/// would have been let go by then.
#[expect(unsafe_code, reason = "raising a signal has no safe face")]
fn stop_here() {
    // SAFETY: it takes a number and touches no memory. Where it fails nothing is
    // stopped, and all goes on.
    unsafe {
        libc::raise(libc::SIGSTOP);
    }
}

#[expect(clippy::disallowed_methods, reason = "how long all was stopped is nobody else's to know")]
fn now() -> Instant {
    Instant::now()
}
