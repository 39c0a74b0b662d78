//! Pausing a bot with everything that it started while it is not on move, and resuming it.

use std::sync::atomic::Ordering;

use super::isolation::Leaf;
use super::suspension::{self, Stoppable};

impl Stoppable {
    /// Stops its processes, unless it is paused already.
    pub(super) fn pause(&self, cgroup: Option<&Leaf>) {
        let _whole = suspension::keep_away();
        if self.is_paused.swap(true, Ordering::AcqRel) {
            return;
        }
        // A cgroup stops at once, whatever is in it.
        let is_frozen = cgroup.is_some_and(Leaf::freeze);
        self.is_frozen.store(is_frozen, Ordering::Release);
        if !is_frozen {
            self.tree.stop();
        }
    }

    /// Lets its processes go on, if it is paused.
    pub(super) fn resume(&self, cgroup: Option<&Leaf>) {
        let _whole = suspension::keep_away();
        if !self.is_paused.swap(false, Ordering::AcqRel) {
            return;
        }
        let is_thawed = cgroup.is_some_and(Leaf::thaw);
        // Processes that were stopped by signals need one to go on, even if their cgroup can thaw by now.
        if !(self.is_frozen.swap(false, Ordering::AcqRel) && is_thawed) {
            self.tree.go_on();
        }
    }
}
