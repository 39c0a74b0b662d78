//! Stopping this program together with all bots, on Ctrl-Z.
//!
//! The bots have sessions of their own, so the terminal stops only the referee. Without this module the bots
//! would keep thinking for nothing.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::time::{Duration, Instant};

use super::process_tree::ProcessTree;

/// The facts about a living bot that are needed to stop it.
#[derive(Debug)]
pub(super) struct Stoppable {
    pub(super) tree: ProcessTree,
    /// True if its game has paused it.
    pub(super) is_paused: AtomicBool,
    /// True if its cgroup is frozen then, instead of a signal to each process.
    pub(super) is_frozen: AtomicBool,
}

static LIVING: Mutex<Vec<Weak<Stoppable>>> = Mutex::new(Vec::new());
static SUSPENDED_NANOSECONDS: AtomicU64 = AtomicU64::new(0);
/// True during a suspension, which holds the lock exclusively from its beginning to its end.
static IS_GOING_ON: AtomicBool = AtomicBool::new(false);
static GOING_ON: RwLock<()> = RwLock::new(());

impl Stoppable {
    /// The entry of a bot, which counts as living until this is dropped.
    pub(super) fn of(tree: ProcessTree) -> Arc<Stoppable> {
        let [is_paused, is_frozen] = [(); 2].map(|()| AtomicBool::new(false));
        let own = Arc::new(Stoppable { tree, is_paused, is_frozen });
        let mut living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        living.retain(|other| other.strong_count() > 0);
        living.push(Arc::downgrade(&own));
        own
    }
}

/// Keeps suspensions away as long as the guard lives; during one it waits for its end. A thread that holds a
/// guard must not ask for another.
///
/// Pausing or resuming a bot requires it: a bot that is resumed during a suspension would run throughout, and
/// one that is paused during a suspension would go on at its end.
pub(super) fn keep_away() -> RwLockReadGuard<'static, ()> {
    GOING_ON.read().unwrap_or_else(PoisonError::into_inner)
}

/// Total time for which this program has been stopped together with its bots. During a suspension it waits
/// for the end.
///
/// A time that was read between two equal results is not affected by a suspension.
pub fn suspended() -> Duration {
    if IS_GOING_ON.load(Ordering::Acquire) {
        drop(keep_away());
    }
    Duration::from_nanos(SUSPENDED_NANOSECONDS.load(Ordering::Relaxed))
}

/// Stops all bots and then this program. Returns once the program has been continued (SIGCONT), and with it
/// the bots.
pub fn suspend() {
    suspend_during(stop_here);
}

fn suspend_during(stop: impl FnOnce()) {
    let _going_on = GOING_ON.write().unwrap_or_else(PoisonError::into_inner);
    IS_GOING_ON.store(true, Ordering::SeqCst);
    let begun = now();
    let living: Vec<Arc<Stoppable>> = {
        let living = LIVING.lock().unwrap_or_else(PoisonError::into_inner);
        living.iter().filter_map(Weak::upgrade).collect()
    };
    // Paused bots stay paused.
    let running: Vec<_> = living.iter().filter(|bot| !bot.is_paused.load(Ordering::Acquire)).collect();
    running.iter().for_each(|bot| bot.tree.stop());
    stop();
    running.iter().for_each(|bot| bot.tree.go_on());
    let nanoseconds = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
    SUSPENDED_NANOSECONDS.fetch_add(nanoseconds, Ordering::Relaxed);
    IS_GOING_ON.store(false, Ordering::Release);
}

/// Stops this program. Returns when it goes on.
///
/// The signal is sent to this very thread, which therefore can't run past it. A signal to the whole program
/// might be taken by another thread a moment later, and the bots would have been continued by then.
fn stop_here() {
    // If it fails nothing is stopped, and everything goes on.
    let _ = nix::sys::signal::raise(nix::sys::signal::Signal::SIGSTOP);
}

#[expect(clippy::disallowed_methods, reason = "only this module measures the time of a suspension")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procfs::Process;
    use crate::testing::shell;
    use rustix::process::Pid;
    use std::process::Child;
    use std::sync::mpsc::channel;

    /// A bot that waits for input, below a shell in place of its supervisor.
    fn waiting_bot() -> (Child, Arc<Stoppable>, Pid) {
        let child = shell("exec 3<&0; sh -c 'echo; read x' <&3 & wait");
        let bot = Stoppable::of(ProcessTree::below(Pid::from_child(&child), 1));
        let [pid] = bot.tree.processes()[..] else { panic!("the bot is one process") };
        (child, bot, pid)
    }

    fn is_stopped(pid: Pid) -> bool {
        Process::of(pid).stat().expect("it lives").is_stopped()
    }

    /// Signals take a moment; the timeout of the tests ends this if nothing arrives.
    fn wait_until(holds: impl Fn() -> bool) {
        while !holds() {
            std::thread::yield_now();
        }
    }

    /// Suspends, and meanwhile runs `deed` on another thread. `look` also runs during the suspension, after
    /// `deed` had time to act.
    fn suspend_and_try(deed: impl FnOnce() + Send, look: impl FnOnce()) {
        std::thread::scope(|scope| {
            suspend_during(|| {
                let (begin, begun) = channel();
                scope.spawn(move || {
                    begin.send(()).expect("somebody listens");
                    deed();
                });
                begun.recv().expect("it begins");
                std::thread::park_timeout(Duration::from_millis(30));
                look();
            });
        });
    }

    #[test]
    fn a_paused_bot_that_is_to_go_on_waits_for_the_end_of_a_suspension() {
        let (mut child, bot, pid) = waiting_bot();
        bot.pause(None);
        wait_until(|| is_stopped(pid));
        let before = suspended();
        suspend_and_try(|| bot.resume(None), || assert!(is_stopped(pid), "it goes on too early"));
        wait_until(|| !is_stopped(pid));
        assert!(suspended() > before);
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }

    #[test]
    fn a_bot_that_is_to_be_paused_in_a_suspension_is_so_at_its_end() {
        let (mut child, bot, pid) = waiting_bot();
        suspend_and_try(|| bot.pause(None), || wait_until(|| is_stopped(pid)));
        wait_until(|| is_stopped(pid));
        // The end of a suspension does not end the bot's pause.
        assert!(bot.is_paused.load(Ordering::Acquire));
        suspend_during(|| {});
        assert!(is_stopped(pid));
        bot.resume(None);
        wait_until(|| !is_stopped(pid));
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }
}
