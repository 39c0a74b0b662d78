//! Stopping this program together with all bots, on Ctrl-Z.
//!
//! The bots have sessions of their own, so the terminal stops only the referee. Without this module the bots
//! would keep thinking for nothing.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::isolation::Leaf;
use super::process_tree::ProcessTree;
use super::stoppable::{Stoppable, Stoppables};

static BOTS: LazyLock<Stoppables<ProcessTree>> = LazyLock::new(Stoppables::default);

impl Stoppable<ProcessTree> {
    /// The entry of a bot, which counts as living until this is dropped.
    pub(super) fn of(tree: ProcessTree) -> Arc<Stoppable<ProcessTree>> {
        BOTS.add(tree)
    }

    /// Stops its processes and everything that they started, unless it is paused already.
    pub(super) fn pause(&self, cgroup: Option<&Leaf>) {
        // A cgroup stops at once, whatever is in it.
        BOTS.pause(self, || cgroup.is_some_and(Leaf::freeze));
    }

    /// Lets its processes go on, if it is paused.
    pub(super) fn resume(&self, cgroup: Option<&Leaf>) {
        BOTS.resume(self, || cgroup.is_some_and(Leaf::thaw));
    }
}

/// Total time for which this program has been stopped together with its bots. During a suspension it waits
/// for the end.
///
/// A time that was read between two equal results is not affected by a suspension.
pub fn suspended() -> Duration {
    BOTS.suspended()
}

/// Stops all bots and then this program. Returns once the program has been continued (SIGCONT), and with it
/// the bots.
pub fn suspend() {
    suspend_during(stop_here);
}

fn suspend_during(stop: impl FnOnce()) {
    BOTS.suspend(now, stop);
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
    fn waiting_bot() -> (Child, Arc<Stoppable<ProcessTree>>, Pid) {
        let child = shell("exec 3<&0; sh -c 'echo; read x' <&3 & wait");
        let bot = Stoppable::of(ProcessTree::below(Pid::from_child(&child), 1));
        let [pid] = bot.processes.processes()[..] else { panic!("the bot is one process") };
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
        suspend_during(|| {});
        assert!(is_stopped(pid));
        bot.resume(None);
        wait_until(|| !is_stopped(pid));
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }
}
