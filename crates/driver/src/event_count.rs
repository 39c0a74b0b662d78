//! Tells threads that have no game of games that ended.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// How long is listened at most: then the stop switch is looked at, and the
/// source of games asked again.
const LOOK: Duration = Duration::from_millis(100);

/// Rung when a game has ended.
#[derive(Debug, Default)]
pub struct EventCount {
    times: Mutex<u64>,
    heard: Condvar,
    heard_on_runtimes: Notify,
}

impl EventCount {
    /// How often it has been rung.
    pub fn value(&self) -> u64 {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings it.
    pub fn increment(&self) {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
        self.heard_on_runtimes.notify_waiters();
    }

    /// Waits in place until it has been rung since, or for a while.
    pub fn wait(&self, since: u64) {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.wait_timeout_while(times, LOOK, |times| *times == since);
        drop(waited);
    }

    /// Waits on a runtime until it has been rung since, or for a while.
    pub async fn heard(&self, since: u64) {
        let heard = self.heard_on_runtimes.notified();
        // Looked at after listening began, so that no ring is missed in between.
        if self.value() == since {
            let _ = timeout(LOOK, heard).await;
        }
    }
}
