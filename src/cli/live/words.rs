//! Names and times in the live view.

use std::time::Duration;

/// Maximum length of a name, in bytes.
pub(super) const NAME_BYTES: usize = 60;

/// A time in its most significant unit: `48s`, `5m`, `3h`, `2d`.
pub(super) fn in_short(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds}s"),
        seconds @ 100..=5_999 => format!("{}m", seconds / 60),
        seconds @ 6_000..=172_799 => format!("{}h{:02}m", seconds / 3_600, seconds / 60 % 60),
        seconds => format!("{}d{}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}
