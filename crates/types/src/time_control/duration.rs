//! The grammar of durations: the parser, the printer and the pattern share one table of units.

use std::fmt;
use std::time::Duration;

use super::error::TimeError;

/// The units with their lengths in milliseconds, smallest first.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000)];

/// Maximum number of digits before the point.
const MAX_DIGITS: usize = 12;

/// Maximum number of digits after the point. Milliseconds have none.
const MAX_DECIMALS: usize = 3;

/// Maximum duration: a year, in milliseconds.
const MAX_MILLISECONDS: u64 = 366 * 24 * 3_600_000;

/// Reads a duration with its unit: `500ms`, `2s`, `1.5s`, `3min`, `1h`.
/// Fractions of a millisecond are dropped; the maximum is a year.
pub fn parse_duration(text: &str) -> Result<Duration, TimeError> {
    let unreadable = || TimeError::Unreadable(text.to_owned());
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return Err(unreadable()),
        None => (number, ""),
    };
    if whole.is_empty() || whole.len() > MAX_DIGITS || fraction.len() > MAX_DECIMALS || fraction.contains('.')
    {
        return Err(unreadable());
    }
    if unit.is_empty() {
        return Err(TimeError::NoUnit(text.to_owned()));
    }
    let is_given_unit =
        |(name, milliseconds): &&(&str, u64)| *name == unit && (fraction.is_empty() || *milliseconds > 1);
    let (_, unit_milliseconds) = UNITS.iter().find(is_given_unit).ok_or_else(unreadable)?;
    let whole: u64 = whole.parse().map_err(|_| unreadable())?;
    let thousandths: u64 = format!("{fraction:0<3}").parse().map_err(|_| unreadable())?;
    let milliseconds = whole
        .checked_mul(*unit_milliseconds)
        .and_then(|sum| sum.checked_add(thousandths * unit_milliseconds / 1_000))
        .filter(|sum| *sum <= MAX_MILLISECONDS)
        .ok_or_else(unreadable)?;
    Ok(Duration::from_millis(milliseconds))
}

/// Returns a regular expression (ECMA 262) for the texts that [`parse_duration`] reads. It checks no maximum.
pub fn duration_pattern() -> String {
    format!("^{}$", unanchored_pattern())
}

/// A regular expression (ECMA 262) that finds a duration of zero in the texts of [`duration_pattern`], and a base time
/// of zero in those of [`TimeControl::clock_pattern`](super::TimeControl::clock_pattern).
pub const ZERO_PATTERN: &str = "(^|/)[0.]+[a-z]";

pub(super) const DIGIT: &str = "[0-9]";

/// Returns the pattern of a duration, without anchors.
pub(super) fn unanchored_pattern() -> String {
    let (whole, decimal): (Vec<_>, Vec<_>) = UNITS.iter().partition(|(_, milliseconds)| *milliseconds == 1);
    let [whole, decimal] =
        [whole, decimal].map(|units| units.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("|"));
    let digits = format!("{DIGIT}{{1,{MAX_DIGITS}}}");
    format!("({digits}{whole}|{digits}(\\.{DIGIT}{{1,{MAX_DECIMALS}}})?({decimal}))")
}

/// Prints a duration as [`parse_duration`] reads it, in the largest unit that
/// keeps it whole: `500ms`, `2s`, `3min`. Fractions of a millisecond are dropped.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Span(pub Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = self.0.as_millis();
        // One minute is `60s`, as clocks are usually written.
        let fits = |(name, unit): &&(&str, u64)| {
            let unit = u128::from(*unit);
            milliseconds != 0 && milliseconds.is_multiple_of(unit) && (*name != "min" || milliseconds > unit)
        };
        let (name, unit) = UNITS.iter().rev().find(fits).unwrap_or(&UNITS[0]);
        write!(f, "{}{name}", milliseconds / u128::from(*unit))
    }
}
