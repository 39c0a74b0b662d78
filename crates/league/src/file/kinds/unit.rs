//! Durations, clocks and sizes: numbers with a unit.

use std::ops::Range;
use std::time::Duration;

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::Kind;
use crate::file::diagnostics::Diagnostic;
use crate::file::reader::Reader;
use crate::file::size::{Size, SizeError, likely_size, parse_size};
use linesman_types::time_control::{
    DURATION_EXAMPLES, Span, TimeControl, TimeError, ZERO_PATTERN, duration_pattern, parse_duration,
};

/// A duration with its unit.
pub(in crate::file) struct Time {
    min: Duration,
}

impl Time {
    pub(in crate::file) const ANY: Time = Time { min: Duration::ZERO };
    pub(in crate::file) const SOME: Time = Time { min: Duration::from_millis(1) };
}

impl Kind for Time {
    type Value = Duration;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Duration> {
        let minimum = if self.min.is_zero() { None } else { Some("the minimum is `1ms`") };
        let text = with_unit(reader, key, value, ("a duration", minimum), ["ms", "s"])?;
        let error = match parse_duration(text) {
            Ok(duration) if duration >= self.min => return Some(duration),
            Ok(_) => TimeError::TooShort(text.to_owned()),
            Err(TimeError::NoUnit(text)) if is_zero(&text) && !self.min.is_zero() => {
                TimeError::TooShort(text)
            }
            Err(error) => error,
        };
        reader.push(bad_duration(key, &error, value.span()));
        None
    }

    fn text(&self, value: &Duration) -> String {
        Span(*value).to_string()
    }

    fn schema(&self) -> Json {
        if self.min.is_zero() {
            json!({"type": "string", "pattern": duration_pattern()})
        } else {
            json!({"type": "string", "pattern": duration_pattern(), "not": {"pattern": ZERO_PATTERN}})
        }
    }

    fn takes(&self) -> String {
        "a time, such as `\"200ms\"` or `\"1.5s\"`".to_owned()
    }
}

/// Returns the mistake of a duration that can't be used.
fn bad_duration(key: &str, error: &TimeError, span: Range<usize>) -> Diagnostic {
    match error {
        TimeError::NoUnit(text) => Diagnostic::new(format!("`{key}` has no unit"))
            .at(span, "a duration needs a unit")
            .hint(format!("write `{text}ms` or `{text}s`")),
        TimeError::Unreadable { .. } => Diagnostic::new(format!("`{key}` is not a valid duration"))
            .at(span, format!("must be a number and a unit, such as {DURATION_EXAMPLES}")),
        TimeError::NoSession { .. } => {
            Diagnostic::new(format!("`{key}` needs a number of moves before the `/`"))
                .at(span, "must be from 1 to 9999 moves")
                .hint("write `40/60s` for 60 s per 40 moves, or `60s` for the whole game")
        }
        TimeError::NoAmount { .. } => {
            Diagnostic::new(format!("`{key}` is not valid")).at(span, "must be a whole number of at least 1")
        }
        TimeError::TooShort { .. } => {
            Diagnostic::new(format!("`{key}` is too short")).at(span, "the minimum is `1ms`")
        }
    }
}

/// Returns the mistake of a zero where the value must be positive.
fn zero(key: &str) -> Diagnostic {
    Diagnostic::new(format!("`{key}` can't be zero"))
}

fn is_zero(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|digit| digit == b'0')
}

/// Reads the text of a key whose value is a number with a unit.
fn with_unit<'t>(
    reader: &mut Reader,
    key: &str,
    value: &'t Spanned<DeValue<'_>>,
    (what, minimum): (&str, Option<&str>),
    units: [&str; 2],
) -> Option<&'t str> {
    if let DeValue::Integer(digits) = value.get_ref() {
        if let Some(minimum) = minimum.filter(|_| is_zero(digits.as_str())) {
            reader.push(zero(key).at(value.span(), minimum));
            return None;
        }
        let mistake = Diagnostic::new(format!("`{key}` has no unit"));
        let label = format!("{what} must be a string with a unit");
        let [small, large] = units.map(|unit| format!("`\"{digits}{unit}\"`"));
        reader.push(mistake.at(value.span(), label).hint(format!("write {small} or {large}")));
        return None;
    }
    reader.text(key, value)
}

/// A clock for the whole game.
pub(in crate::file) struct GameClock;

impl Kind for GameClock {
    type Value = TimeControl;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<TimeControl> {
        if value.get_ref().is_integer() {
            let mistake = Diagnostic::new(format!("`{key}` has no unit"));
            let hint = format!("write `{key} = \"60s+500ms\"`: the initial time and the increment per move");
            reader.push(mistake.at(value.span(), "a clock must be a string with units").hint(hint));
            return None;
        }
        let error = match TimeControl::clock(reader.text(key, value)?) {
            Ok(clock) => return Some(clock),
            Err(error) => error,
        };
        let mut mistake = bad_duration(key, &error, value.span());
        let usual = || "write the initial time and the increment per move: `60s+500ms`".to_owned();
        mistake.hint.get_or_insert_with(usual);
        reader.push(mistake);
        None
    }

    fn text(&self, value: &TimeControl) -> String {
        value.to_string()
    }

    fn schema(&self) -> Json {
        json!({"type": "string", "pattern": TimeControl::clock_pattern(), "not": {"pattern": ZERO_PATTERN}})
    }

    fn takes(&self) -> String {
        "a clock, such as `\"60s+500ms\"`".to_owned()
    }
}

/// A positive number of bytes, with its unit.
pub(in crate::file) struct Bytes;

impl Kind for Bytes {
    type Value = u64;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let minimum = "the minimum is `1B`";
        let text = with_unit(reader, key, value, ("a size", Some(minimum)), ["KiB", "MiB"])?;
        let mistake = match parse_size(text) {
            Ok(0) => zero(key).at(value.span(), minimum),
            Ok(bytes) => return Some(bytes),
            Err(SizeError::NoUnit(text)) if is_zero(&text) => zero(key).at(value.span(), minimum),
            Err(SizeError::NoUnit(text)) => Diagnostic::new(format!("`{key}` has no unit"))
                .at(value.span(), "a size needs a unit")
                .hint(format!("write `{text}KiB` or `{text}MiB`")),
            Err(SizeError::TooLarge(_)) => {
                Diagnostic::new(format!("`{key}` is too large")).at(value.span(), "the maximum is `1024GiB`")
            }
            Err(SizeError::Unreadable(text)) => Diagnostic::new(format!("`{key}` is not a valid size"))
                .at(value.span(), "must be a whole number and a unit: `B`, `KiB`, `MiB` or `GiB`")
                .maybe_hint(likely_size(&text).map(|size| format!("write `{size}`"))),
        };
        reader.push(mistake);
        None
    }

    fn text(&self, value: &u64) -> String {
        Size(*value).to_string()
    }

    fn schema(&self) -> Json {
        json!({"type": "string", "pattern": r"^0*[1-9][0-9]*(B|KiB|MiB|GiB)$"})
    }

    fn takes(&self) -> String {
        "a size, such as `\"64MiB\"`".to_owned()
    }
}
