//! The form of values in data for programs.

use serde::ser::{Serialize, SerializeMap, Serializer};

use linesman_games::options::OptionValues;
use linesman_record::option_value;

/// Maximum number of decimals of estimates and shares, so that they are the same on every machine.
pub const ESTIMATE_DIGITS: usize = 6;

/// Formats a number with this number of decimals, and never as `-0`.
pub(crate) fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    // -0.04 with one decimal is 0.0.
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        _ => text,
    }
}

/// Rounds a number to this number of decimals. Returns `None` if it is not finite, since JSON can't represent that.
pub fn rounded_to(value: f64, digits: usize) -> Option<f64> {
    value.is_finite().then(|| decimal(value, digits).parse().unwrap_or(value))
}

/// Rounds an estimate or a share in the same way.
pub fn rounded(value: f64) -> Option<f64> {
    rounded_to(value, ESTIMATE_DIGITS)
}

/// The options of a game as an object, in their order.
pub struct Options<'o>(pub &'o OptionValues);

impl Serialize for Options<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, value) in self.0.iter() {
            object.serialize_entry(name, &option_value(value))?;
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_have_six_digits_and_nothing_is_minus_zero_or_infinite() {
        assert_eq!((rounded(2.0 / 3.0), rounded(1500.0)), (Some(0.666667), Some(1500.0)));
        assert_eq!((rounded(f64::INFINITY), rounded(f64::NAN)), (None, None));
        assert!(rounded(-1e-9).is_some_and(|zero| zero == 0.0 && zero.is_sign_positive()));
        assert_eq!(rounded(1e300), Some(1e300));
    }
}
