//! Errors for texts that are not valid durations or time controls.

/// Examples of durations, for messages.
pub const DURATION_EXAMPLES: &str = "`500ms`, `2s`, `1.5s`, `3min` or `1h`";

/// The reason why a duration or time control can't be read, with the text that was read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum TimeError {
    /// A number without a unit.
    #[error("`{0}` has no unit (write `{0}ms` or `{0}s`)")]
    NoUnit(String),
    /// Not a duration, or not a time control.
    #[error("`{0}` is not a duration (write a number and a unit, such as {DURATION_EXAMPLES})")]
    Unreadable(String),
    /// A session whose number of moves, the text before the `/`, is not from 1 to 9999.
    #[error("`{0}` is not a number of moves (write 1 to 9999 before the `/`, as in `40/60s`)")]
    NoSession(String),
    /// Not an amount of work.
    #[error("`{0}` is not a whole number of at least 1")]
    NoAmount(String),
    /// Less than the minimum.
    #[error("`{0}` is too short (the minimum is `1ms`)")]
    TooShort(String),
}
