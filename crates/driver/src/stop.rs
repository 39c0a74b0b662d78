//! The switch by which everything is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const ABORT: u8 = 2;
const FINISH: u8 = 1;

/// Tells slots and workers to stop. Copies are the same switch; it never goes back.
#[derive(Clone, Debug, Default)]
pub struct StopSwitch(Arc<AtomicU8>);

impl StopSwitch {
    /// A switch that nobody has touched.
    pub fn new() -> StopSwitch {
        StopSwitch::default()
    }

    /// Running games are finished, new ones are not begun.
    pub fn finish_running(&self) {
        self.0.fetch_max(FINISH, Ordering::Relaxed);
    }

    /// Running games are broken off within a moment, without a result.
    pub fn abort_running(&self) {
        self.0.fetch_max(ABORT, Ordering::Relaxed);
    }

    /// Returns true if new games may begin.
    pub fn may_begin(&self) -> bool {
        self.0.load(Ordering::Relaxed) < FINISH
    }

    /// Returns true if running games are to be broken off.
    pub fn must_abort(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= ABORT
    }
}
