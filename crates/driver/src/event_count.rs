//! Notifies threads without a game that games have ended.

use std::time::Duration;

use super::sync::{Condvar, Mutex, PoisonError};
use super::tokio_sync::Notify;
use super::tokio_time::timeout;

/// Maximum time of one wait, after which the stop switch is checked and the source of games is asked again.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// A count of ended games that threads can wait for.
#[derive(Debug, Default)]
pub struct EventCount {
    times: Mutex<u64>,
    heard: Condvar,
    heard_on_runtimes: Notify,
}

impl EventCount {
    /// Number of increments so far.
    pub fn value(&self) -> u64 {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Increments the count and wakes the waiting threads.
    pub fn increment(&self) {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.heard.notify_all();
        self.heard_on_runtimes.notify_waiters();
    }

    /// Blocks until the count differs from `since`, or for a short time.
    pub fn wait(&self, since: u64) {
        let times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.heard.wait_timeout_while(times, MAX_WAIT, |times| *times == since);
        drop(waited);
    }

    /// Waits on a runtime until the count differs from `since`, or for a short time.
    pub async fn heard(&self, since: u64) {
        let heard = self.heard_on_runtimes.notified();
        // Read after the registration, so that no increment is missed in between.
        if self.value() == since {
            let _ = timeout(MAX_WAIT, heard).await;
        }
    }
}
