//! Errors for texts that are not valid durations or time controls.

/// Examples of durations, for messages.
pub const DURATION_EXAMPLES: &str = "`500ms`, `2s`, `1.5s`, `3min` or `1h`";

/// The reason why a duration or time control can't be read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum TimeError {
    /// A number without a unit.
    #[error("`{text}` has no unit (write `{text}ms` or `{text}s`)")]
    NoUnit {
        /// The text that was read.
        text: String,
    },
    /// Not a duration, or not a time control.
    #[error("`{text}` is not a duration (write a number and a unit, such as {DURATION_EXAMPLES})")]
    Unreadable {
        /// The text that was read.
        text: String,
    },
    /// A session whose number of moves is not from 1 to 9999.
    #[error("`{text}` is not a number of moves (write 1 to 9999 before the `/`, as in `40/60s`)")]
    NoSession {
        /// The text before the `/`.
        text: String,
    },
    /// Not an amount of work.
    #[error("`{text}` is not a whole number of at least 1")]
    NoAmount {
        /// The text that was read.
        text: String,
    },
    /// Less than the minimum.
    #[error("`{text}` is too short (the minimum is `1ms`)")]
    TooShort {
        /// The text that was read.
        text: String,
    },
}
