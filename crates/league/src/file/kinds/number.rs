//! Numbers without a unit, and flags.

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::{Kind, Word};
use crate::file::diagnostics::Diagnostic;
use crate::file::reader::Reader;
use crate::file::tournament::Concurrency;

pub(in crate::file) struct Flag;

impl Kind for Flag {
    type Value = bool;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            reader.not_of_type::<bool>(key, "`true` or `false`", value);
        }
        flag
    }

    fn text(&self, value: &bool) -> String {
        value.to_string()
    }

    fn json(&self, value: &bool) -> Json {
        Json::from(*value)
    }

    fn schema(&self) -> Json {
        json!({"type": "boolean"})
    }

    fn takes(&self) -> String {
        "`true` or `false`".to_owned()
    }
}

pub(in crate::file) trait Whole:
    Copy + Sync + std::fmt::Display + TryFrom<i64> + 'static
{
    /// Its name in JSON schemas.
    const FORMAT: &str;
}

impl Whole for i32 {
    const FORMAT: &str = "int32";
}

impl Whole for u32 {
    const FORMAT: &str = "uint32";
}

impl Whole for u64 {
    const FORMAT: &str = "uint64";
}

/// A whole number in a range.
pub(in crate::file) struct Integer<N> {
    min: i64,
    max: i64,
    of: std::marker::PhantomData<fn() -> N>,
}

impl<N> Integer<N> {
    pub(in crate::file) const fn between(min: i64, max: i64) -> Integer<N> {
        Integer { min, max, of: std::marker::PhantomData }
    }

    /// Allows the numbers from `min` up to TOML's maximum.
    pub(in crate::file) const fn at_least(min: i64) -> Integer<N> {
        Integer::between(min, i64::MAX)
    }
}

impl<N: Whole> Kind for Integer<N> {
    type Value = N;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<N> {
        integer(reader, key, value, self.min..=self.max)?.try_into().ok()
    }

    fn text(&self, value: &N) -> String {
        value.to_string()
    }

    fn json(&self, value: &N) -> Json {
        number(&value.to_string())
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"type": "integer", "format": N::FORMAT, "minimum": self.min});
        if self.max != i64::MAX {
            schema["maximum"] = Json::from(self.max);
        }
        schema
    }

    fn takes(&self) -> String {
        match self.max {
            i64::MAX => format!("a whole number from {}", self.min),
            max => format!("a whole number from {} to {max}", self.min),
        }
    }

    fn is_integer(&self) -> bool {
        true
    }
}

pub(in crate::file) fn integer(
    reader: &mut Reader,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    range: RangeInclusive<i64>,
) -> Option<i64> {
    let DeValue::Integer(digits) = value.get_ref() else {
        reader.not_of_type::<f64>(key, "a whole number", value);
        return None;
    };
    let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
    let number = number.filter(|number| range.contains(number));
    if number.is_none() {
        let label = match *range.end() {
            i64::MAX => format!("must be {} or more", range.start()),
            max => format!("must be from {} to {max}", range.start()),
        };
        reader.push(Diagnostic::new(format!("`{key}` can't be `{digits}`")).at(value.span(), label));
    }
    number
}

/// A number, whole or not.
pub(in crate::file) struct Number {
    /// The minimum and the maximum in the schema. The reader of the table checks them.
    range: Option<(i64, i64)>,
}

impl Number {
    pub(in crate::file) const ANY: Number = Number { range: None };
    /// A probability.
    pub(in crate::file) const SHARE: Number = Number { range: Some((0, 1)) };
}

impl Kind for Number {
    type Value = f64;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<f64> {
        let number = match value.get_ref() {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse().ok(),
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        if number.is_none() {
            reader.not_of_type::<f64>(key, "a number", value);
        }
        number
    }

    fn text(&self, value: &f64) -> String {
        value.to_string()
    }

    fn json(&self, value: &f64) -> Json {
        number(&value.to_string())
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"type": "number", "format": "double"});
        if let Some((min, max)) = self.range {
            (schema["minimum"], schema["maximum"]) = (Json::from(min), Json::from(max));
        }
        schema
    }

    fn takes(&self) -> String {
        "a number".to_owned()
    }
}

/// Converts a printed number to JSON with the same digits.
fn number(digits: &str) -> Json {
    digits.parse().map_or(Json::Null, Json::Number)
}

/// The number of games that are played at once, or `auto`.
pub(in crate::file) struct GamesAtOnce;

impl GamesAtOnce {
    const AUTO: Word<Concurrency> =
        Word { words: &[(Concurrency::Auto, "As many as the machine has cores for.")], spelling: |_| "auto" };
    const NUMBER: Integer<u32> = Integer::between(1, 100_000);
}

impl Kind for GamesAtOnce {
    type Value = Concurrency;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Concurrency> {
        match value.get_ref() {
            DeValue::String(text) if text == "auto" => Some(Concurrency::Auto),
            DeValue::Integer(_) => {
                let games = GamesAtOnce::NUMBER.read(reader, key, value)?;
                games.try_into().ok().map(Concurrency::Games)
            }
            _ => {
                reader.not_of_type::<f64>(key, "`\"auto\"` or a whole number of games", value);
                None
            }
        }
    }

    fn text(&self, value: &Concurrency) -> String {
        match value {
            Concurrency::Auto => "auto".to_owned(),
            Concurrency::Games(games) => games.to_string(),
        }
    }

    fn schema(&self) -> Json {
        let mut choices = GamesAtOnce::AUTO.schema();
        if let Json::Array(choices) = &mut choices["anyOf"] {
            choices.push(GamesAtOnce::NUMBER.schema());
        }
        json!({"anyOf": [choices]})
    }

    fn takes(&self) -> String {
        format!("{}; {}", GamesAtOnce::AUTO.takes(), GamesAtOnce::NUMBER.takes())
    }
}
