//! Waiting for conditions, with a timeout.

use std::time::{Duration, Instant};

/// The timeout of all waits, far longer than they need, so that only what never
/// happens fails.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The polling interval.
const LOOK: Duration = Duration::from_millis(2);

/// Waits for a condition; fails after [`PATIENCE`].
#[track_caller]
pub fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    assert!(holds_within(PATIENCE, holds), "waited in vain until {what}");
}

/// Returns true if a condition holds at some moment within a time.
pub fn holds_within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = now() + limit;
    loop {
        // Check once more after the end, since this thread may have had no CPU.
        let is_last = now() >= end;
        if holds() {
            return true;
        }
        if is_last {
            return false;
        }
        pause(LOOK);
    }
}

/// Sleeps for a time.
#[expect(clippy::disallowed_methods, reason = "files and other processes can't all be waited for")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

#[expect(clippy::disallowed_methods, reason = "only the clock shows a hang")]
fn now() -> Instant {
    Instant::now()
}
