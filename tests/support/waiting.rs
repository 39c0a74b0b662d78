//! Waiting for what will happen soon, and not for ever.

use std::time::{Duration, Instant};

/// How long anything may take: far more than it needs, so that only what never
/// comes is missed.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// How often something is looked at that can't be waited for otherwise.
const LOOK: Duration = Duration::from_millis(2);

/// Waits until something holds; fails if it takes longer than [`PATIENCE`].
#[track_caller]
pub fn wait_until(what: &str, holds: impl FnMut() -> bool) {
    assert!(holds_within(PATIENCE, holds), "waited in vain until {what}");
}

/// Whether something holds at some moment within a time.
pub fn holds_within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = now() + limit;
    loop {
        // Asked once more after the end: the machine may have been busy with others.
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

/// Lets a time go by.
#[expect(clippy::disallowed_methods, reason = "files and processes of others can't all be waited for")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

#[expect(clippy::disallowed_methods, reason = "what hangs is found by the clock alone")]
fn now() -> Instant {
    Instant::now()
}
