//! Stopping this program together with all bots, on Ctrl-Z.
//!
//! The bots have their own sessions, so the terminal stops only the referee. Without this module the bots
//! would keep thinking in vain.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::isolation::Leaf;
use super::process_tree::ProcessTree;
use super::stoppable::{Stoppable, Stoppables};

static BOTS: LazyLock<Stoppables<ProcessTree>> = LazyLock::new(Stoppables::default);

impl Stoppable<ProcessTree> {
    /// Registers a bot, which counts as living until the entry is dropped.
    pub(super) fn of(tree: ProcessTree) -> Arc<Stoppable<ProcessTree>> {
        BOTS.add(tree)
    }

    /// Stops all its processes, unless it is paused already.
    pub(super) fn pause(&self, cgroup: Option<&Leaf>) {
        // A cgroup stops at once, whatever it contains.
        BOTS.pause(self, || cgroup.is_some_and(Leaf::freeze));
    }

    /// Resumes its processes if it is paused.
    pub(super) fn resume(&self, cgroup: Option<&Leaf>) {
        BOTS.resume(self, || cgroup.is_some_and(Leaf::thaw));
    }
}

/// Returns the total time for which this program has been stopped together with its bots. During a
/// suspension, waits for its end.
///
/// A time that was read between two equal results is not affected by a suspension.
pub fn suspended() -> Duration {
    BOTS.suspended()
}

/// Stops all bots and then this program. Returns once the program and the bots have been resumed (SIGCONT).
pub fn suspend() {
    suspend_during(stop_here);
}

fn suspend_during(stop: impl FnOnce()) {
    BOTS.suspend(now, stop);
}

/// Stops this program. Returns when it is resumed.
///
/// The signal is sent to this thread, which therefore can't run past it. Another thread might receive a
/// signal to the whole program a moment later, when the bots would have been resumed.
fn stop_here() {
    // If this fails, nothing is stopped and everything goes on.
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

    /// Starts a bot that waits for input, below a shell as its supervisor.
    fn waiting_bot() -> (Child, Arc<Stoppable<ProcessTree>>, Pid) {
        let child = shell("exec 3<&0; sh -c 'echo; read x' <&3 & wait");
        let bot = Stoppable::of(ProcessTree::below(Pid::from_child(&child), 1));
        let [pid] = bot.processes.processes()[..] else { panic!("the bot is one process") };
        (child, bot, pid)
    }

    fn is_stopped(pid: Pid) -> bool {
        Process::of(pid).stat().expect("it lives").is_stopped()
    }

    /// Signals take a moment; the tests' timeout ends this if none arrives.
    fn wait_until(holds: impl Fn() -> bool) {
        while !holds() {
            std::thread::yield_now();
        }
    }

    /// Suspends, and meanwhile runs `action` on another thread. `check` also runs during the suspension,
    /// after `action` had time to act.
    fn suspend_and_try(action: impl FnOnce() + Send, check: impl FnOnce()) {
        std::thread::scope(|scope| {
            suspend_during(|| {
                let (begin, begun) = channel();
                scope.spawn(move || {
                    begin.send(()).expect("somebody listens");
                    action();
                });
                begun.recv().expect("it begins");
                std::thread::park_timeout(Duration::from_millis(30));
                check();
            });
        });
    }

    #[test]
    fn a_bot_that_is_resumed_in_a_suspension_waits_for_its_end() {
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
    fn a_bot_that_is_paused_in_a_suspension_stays_paused_at_its_end() {
        let (mut child, bot, pid) = waiting_bot();
        suspend_and_try(|| bot.pause(None), || wait_until(|| is_stopped(pid)));
        wait_until(|| is_stopped(pid));
        // The end of a suspension does not end the bot's pause.
        suspend_during(|| {});
        assert!(is_stopped(pid));
        bot.resume(None);
        wait_until(|| !is_stopped(pid));
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }
}
