//! The switch that stops all games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const ABORT: u8 = 2;
const FINISH: u8 = 1;

/// Stops slots and workers. Clones share the switch, which can't be reset.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch {
    own: Arc<AtomicU8>,
    /// A switch that also stops the games of this one.
    main: Option<Arc<AtomicU8>>,
}

impl StopSwitch {
    /// Creates a switch in its initial state.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Creates a switch for some of the games, which this switch stops as well.
    #[must_use]
    pub fn branch(&self) -> StopSwitch {
        StopSwitch { own: Arc::default(), main: Some(Arc::clone(&self.own)) }
    }

    fn state(&self) -> u8 {
        let main = self.main.as_ref().map_or(0, |main| main.load(Ordering::Relaxed));
        self.own.load(Ordering::Relaxed).max(main)
    }

    /// Lets running games finish, and lets no new ones begin.
    pub fn finish_running(&self) {
        self.own.fetch_max(FINISH, Ordering::Relaxed);
    }

    /// Aborts running games within a moment, without a result.
    pub fn abort_running(&self) {
        self.own.fetch_max(ABORT, Ordering::Relaxed);
    }

    /// Returns true if new games may begin.
    pub fn may_begin(&self) -> bool {
        self.state() < FINISH
    }

    /// Returns true if running games are to be aborted.
    pub fn must_abort(&self) -> bool {
        self.state() >= ABORT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_stops_alone_and_with_its_main_switch() {
        let main = StopSwitch::new();
        let (one, other) = (main.branch(), main.branch());
        one.abort_running();
        assert!(one.must_abort() && !other.must_abort() && main.may_begin());
        main.finish_running();
        assert!(!other.may_begin() && !other.must_abort());
        main.abort_running();
        assert!(other.must_abort());
    }
}
