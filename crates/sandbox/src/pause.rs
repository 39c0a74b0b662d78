//! Stopping a bot with all that it started while it is not on move, and letting
//! it go on.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use rustix::process::{Signal, kill_process};

use super::isolation::Leaf;
use super::process_tree::ProcessTree;
use super::suspension::{self, Stoppable};

/// How often new processes are looked for; who forks faster than that is
/// stopped the next time.
const MOST_ROUNDS: usize = 10;

impl Stoppable {
    /// Stops its processes unless it is paused.
    pub(super) fn pause(&self, cgroup: Option<&Leaf>) {
        let _whole = suspension::keep_away();
        if self.is_paused.swap(true, Ordering::AcqRel) {
            return;
        }
        // A cgroup stops at once whatever is in it.
        let is_frozen = cgroup.is_some_and(Leaf::freeze);
        self.is_frozen.store(is_frozen, Ordering::Release);
        if !is_frozen {
            stop(&self.tree);
        }
    }

    /// Lets its processes go on if it is paused.
    pub(super) fn resume(&self, cgroup: Option<&Leaf>) {
        let _whole = suspension::keep_away();
        if !self.is_paused.swap(false, Ordering::AcqRel) {
            return;
        }
        let is_thawed = cgroup.is_some_and(Leaf::thaw);
        // Who was stopped by signals needs one to go on, whatever its cgroup can do by now.
        if !(self.is_frozen.swap(false, Ordering::AcqRel) && is_thawed) {
            go_on(&self.tree);
        }
    }
}

/// Stops all processes, until a look finds none that is new: a process that was
/// running may have forked before the signal came to it.
pub(super) fn stop(tree: &ProcessTree) {
    let mut stopped = HashSet::new();
    for _ in 0..MOST_ROUNDS {
        let mut is_new = false;
        for pid in tree.processes() {
            if stopped.insert(pid) {
                is_new = true;
                // One that is gone needs no signal.
                let _ = kill_process(pid, Signal::STOP);
            }
        }
        if !is_new {
            return;
        }
    }
}

/// Lets all processes go on.
pub(super) fn go_on(tree: &ProcessTree) {
    for pid in tree.processes() {
        // One that is gone needs no signal.
        let _ = kill_process(pid, Signal::CONT);
    }
}
