//! The time between two attempts to connect to a broker.

use std::time::Duration;

use super::salt;

/// Maximum time between two attempts, before the random factor.
const MAX_DELAY: Duration = Duration::from_secs(8);

/// Returns the time before the next attempt. It grows, and is random, so that clients don't connect all at once.
pub(super) fn reconnect_delay(attempts: usize) -> Duration {
    if attempts <= 1 {
        return Duration::from_millis(salt() % 200);
    }
    let doubled = Duration::from_millis(100) * 2_u32.pow(attempts.min(10) as u32);
    doubled.min(MAX_DELAY).mul_f64(0.5 + (salt() % 1_000) as f64 / 1_000.0)
}
