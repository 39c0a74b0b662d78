//! The kinds of values that keys take: each is read, compared, and described for the schema and the reference.

use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::bot::LONGEST_NAME;
use super::command::{self, CommandError};
use super::diagnostics::Diagnostic;
use super::key::KeyTable;
use super::reader::{OneOf, Reader};
use super::size::{Size, SizeError, meant, parse_size};
use super::suggestion::did_you_mean;
use super::tournament::Concurrency;
use linesman_types::time_control::{
    DURATION_EXAMPLES, Span, TimeControl, TimeError, duration_pattern, parse_duration,
};

/// A kind of value.
pub(super) trait Kind: Sync + 'static {
    /// The value as the program holds it.
    type Value: Clone + Sync;

    /// Reads the value of a key. None if it can't be used, which has been reported then.
    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Self::Value>;

    /// The value as a comparison of two files shows it. Tables have none: their keys are compared.
    fn text(&self, _value: &Self::Value) -> String {
        String::new()
    }

    /// The value in the schema.
    fn json(&self, value: &Self::Value) -> Json {
        Json::from(self.text(value))
    }

    /// The JSON schema of the values, without a description.
    fn schema(&self) -> Json;

    /// The values in words, for the reference.
    fn takes(&self) -> String;

    /// True if values are whole numbers without a unit.
    fn is_integer(&self) -> bool {
        false
    }
}

/// A text.
pub(super) struct Text {
    /// The pattern of a name.
    name: Option<&'static str>,
}

impl Text {
    /// Any text.
    pub(super) const ANY: Text = Text { name: None };
    /// The names that bots and teams can have.
    pub(super) const NAME: Text =
        Text { name: Some(r"^([._+][A-Za-z0-9._+-]*)?[A-Za-z0-9][A-Za-z0-9._+-]*$") };
    /// The names that bots could have in earlier versions.
    pub(super) const FORMER_NAME: Text =
        Text { name: Some(r"^[A-Za-z0-9._+-]*[A-Za-z0-9][A-Za-z0-9._+-]*$") };
}

impl Kind for Text {
    type Value = String;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        reader.text(key, value).map(str::to_owned)
    }

    fn text(&self, value: &String) -> String {
        value.clone()
    }

    fn schema(&self) -> Json {
        match self.name {
            Some(pattern) => json!({"type": "string", "pattern": pattern, "maxLength": LONGEST_NAME}),
            None => json!({"type": "string"}),
        }
    }

    fn takes(&self) -> String {
        if self.name.is_some() { "a name" } else { "text" }.to_owned()
    }
}

/// `true` or `false`.
pub(super) struct Flag;

impl Kind for Flag {
    type Value = bool;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            reader.wrong_type(key, "`true` or `false`", value);
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

/// A type of whole numbers.
pub(super) trait Whole: Copy + Sync + std::fmt::Display + 'static {
    /// Its name in JSON schemas.
    const FORMAT: &str;

    /// The number, if it is one of the type.
    fn from_integer(number: i64) -> Option<Self>;
}

macro_rules! whole {
    ($($type:ty = $format:literal),+) => { $(
        impl Whole for $type {
            const FORMAT: &str = $format;

            fn from_integer(number: i64) -> Option<$type> {
                number.try_into().ok()
            }
        }
    )+ };
}

whole!(i32 = "int32", u32 = "uint32", u64 = "uint64");

/// A whole number in a range.
pub(super) struct Integer<N> {
    least: i64,
    most: i64,
    of: std::marker::PhantomData<fn() -> N>,
}

impl<N> Integer<N> {
    /// The numbers from `least` to `most`.
    pub(super) const fn between(least: i64, most: i64) -> Integer<N> {
        Integer { least, most, of: std::marker::PhantomData }
    }

    /// The numbers from `least`, as far as TOML has them.
    pub(super) const fn at_least(least: i64) -> Integer<N> {
        Integer::between(least, i64::MAX)
    }
}

impl<N: Whole> Kind for Integer<N> {
    type Value = N;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<N> {
        integer(reader, key, value, self.least..=self.most).and_then(N::from_integer)
    }

    fn text(&self, value: &N) -> String {
        value.to_string()
    }

    fn json(&self, value: &N) -> Json {
        number(&value.to_string())
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"type": "integer", "format": N::FORMAT, "minimum": self.least});
        if self.most != i64::MAX {
            schema["maximum"] = Json::from(self.most);
        }
        schema
    }

    fn takes(&self) -> String {
        match self.most {
            i64::MAX => format!("a whole number from {}", self.least),
            most => format!("a whole number from {} to {most}", self.least),
        }
    }

    fn is_integer(&self) -> bool {
        true
    }
}

/// Reads a whole number in a range.
pub(super) fn integer(
    reader: &mut Reader,
    key: &str,
    value: &Spanned<DeValue<'_>>,
    range: RangeInclusive<i64>,
) -> Option<i64> {
    let DeValue::Integer(digits) = value.get_ref() else {
        reader.wrong_type(key, "a whole number", value);
        return None;
    };
    let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
    let number = number.filter(|number| range.contains(number));
    if number.is_none() {
        let label = match *range.end() {
            i64::MAX => format!("must be {} or more", range.start()),
            most => format!("must be from {} to {most}", range.start()),
        };
        reader.push(Diagnostic::new(format!("`{key}` can't be `{digits}`")).at(value.span(), label));
    }
    number
}

/// A number, whole or not.
pub(super) struct Number {
    /// The limits that the schema names; what reads the whole table checks them.
    range: Option<(i64, i64)>,
}

impl Number {
    /// Any number.
    pub(super) const ANY: Number = Number { range: None };
    /// A probability.
    pub(super) const SHARE: Number = Number { range: Some((0, 1)) };
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
            reader.wrong_type(key, "a number", value);
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
        if let Some((least, most)) = self.range {
            (schema["minimum"], schema["maximum"]) = (Json::from(least), Json::from(most));
        }
        schema
    }

    fn takes(&self) -> String {
        "a number".to_owned()
    }
}

/// The number as JSON, in as few digits as it prints with.
fn number(digits: &str) -> Json {
    digits.parse().map_or(Json::Null, Json::Number)
}

/// One of several words. A word that is not listed can't be read.
pub(super) struct Word<T: 'static> {
    /// The values, each with a sentence about it.
    pub(super) words: &'static [(T, &'static str)],
    /// The word for a value.
    pub(super) spelling: fn(T) -> &'static str,
}

impl<T: Copy + Sync> Word<T> {
    /// The words with the sentences about them.
    fn described(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.words.iter().map(|(value, about)| ((self.spelling)(*value), *about))
    }
}

impl<T: Copy + Sync> Kind for Word<T> {
    type Value = T;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<T> {
        let given = reader.text(key, value)?;
        let found = self.words.iter().map(|(word, _)| *word).find(|word| (self.spelling)(*word) == given);
        if found.is_none() {
            let words: Vec<&str> = self.described().map(|(word, _)| word).collect();
            let mistake = Diagnostic::new(format!("`{key}` can't be `{given}`"));
            let hint = did_you_mean(given, words.iter().copied());
            reader.push(mistake.at(value.span(), format!("must be {}", OneOf(&words))).maybe_hint(hint));
        }
        found
    }

    fn text(&self, value: &T) -> String {
        (self.spelling)(*value).to_owned()
    }

    fn schema(&self) -> Json {
        let words: Vec<Json> = self
            .described()
            .map(|(word, about)| json!({"const": word, "description": about, "type": "string"}))
            .collect();
        json!({"anyOf": [{"oneOf": words}]})
    }

    fn takes(&self) -> String {
        let word = |(word, about): (&str, &str)| format!("`\"{word}\"` ({})", about.trim_end_matches('.'));
        self.described().map(word).collect::<Vec<_>>().join("; ")
    }
}

/// The number of games at once.
pub(super) struct GamesAtOnce;

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
                reader.wrong_type(key, "`\"auto\"` or a whole number of games", value);
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

/// A duration, with its unit.
pub(super) struct Time {
    /// The minimum.
    least: Duration,
}

impl Time {
    /// Any duration, and none.
    pub(super) const ANY: Time = Time { least: Duration::ZERO };
    /// A millisecond or more.
    pub(super) const SOME: Time = Time { least: Duration::from_millis(1) };
}

impl Kind for Time {
    type Value = Duration;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Duration> {
        let least = if self.least.is_zero() { None } else { Some("the minimum is `1ms`") };
        let text = with_unit(reader, key, value, ("a duration", least), ["ms", "s"])?;
        let error = match parse_duration(text) {
            Ok(duration) if duration >= self.least => return Some(duration),
            Ok(_) => TimeError::TooShort { text: text.to_owned() },
            Err(TimeError::NoUnit { text }) if is_zero(&text) && !self.least.is_zero() => {
                TimeError::TooShort { text }
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
        let pattern =
            if self.least.is_zero() { duration_pattern() } else { TimeControl::move_time_pattern() };
        json!({"type": "string", "pattern": pattern})
    }

    fn takes(&self) -> String {
        "a time, such as `\"200ms\"` or `\"1.5s\"`".to_owned()
    }
}

/// A duration that can't be used.
fn bad_duration(key: &str, error: &TimeError, span: Range<usize>) -> Diagnostic {
    match error {
        TimeError::NoUnit { text } => Diagnostic::new(format!("`{key}` has no unit"))
            .at(span, "a duration needs a unit")
            .hint(format!("write `{text}ms` or `{text}s`")),
        TimeError::Unreadable { .. } => Diagnostic::new(format!("`{key}` is not a valid duration"))
            .at(span, format!("must be a number and a unit, such as {DURATION_EXAMPLES}")),
        TimeError::NoSession { .. } => {
            Diagnostic::new(format!("`{key}` needs a number of moves before the `/`"))
                .at(span, "must be from 1 to 9999 moves")
                .hint("write `40/60s` for 60 s per 40 moves, or `60s` for the whole game")
        }
        TimeError::TooShort { .. } => {
            Diagnostic::new(format!("`{key}` is too short")).at(span, "the minimum is `1ms`")
        }
    }
}

/// Nothing, where that makes no sense.
fn nothing(key: &str) -> Diagnostic {
    Diagnostic::new(format!("`{key}` can't be zero"))
}

fn is_zero(digits: &str) -> bool {
    !digits.is_empty() && digits.bytes().all(|digit| digit == b'0')
}

/// Reads the text of a key that is a number with a unit.
fn with_unit<'t>(
    reader: &mut Reader,
    key: &str,
    value: &'t Spanned<DeValue<'_>>,
    (what, least): (&str, Option<&str>),
    units: [&str; 2],
) -> Option<&'t str> {
    if let DeValue::Integer(digits) = value.get_ref() {
        if let Some(least) = least.filter(|_| is_zero(digits.as_str())) {
            reader.push(nothing(key).at(value.span(), least));
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
pub(super) struct GameClock;

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
        json!({"type": "string", "pattern": TimeControl::clock_pattern()})
    }

    fn takes(&self) -> String {
        "a clock, such as `\"60s+500ms\"`".to_owned()
    }
}

/// A number of bytes above 0, with its unit.
pub(super) struct Bytes;

impl Kind for Bytes {
    type Value = u64;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<u64> {
        let least = "the minimum is `1B`";
        let text = with_unit(reader, key, value, ("a size", Some(least)), ["KiB", "MiB"])?;
        let mistake = match parse_size(text) {
            Ok(0) => nothing(key).at(value.span(), least),
            Ok(bytes) => return Some(bytes),
            Err(SizeError::NoUnit { text }) if is_zero(&text) => nothing(key).at(value.span(), least),
            Err(SizeError::NoUnit { text }) => Diagnostic::new(format!("`{key}` has no unit"))
                .at(value.span(), "a size needs a unit")
                .hint(format!("write `{text}KiB` or `{text}MiB`")),
            Err(SizeError::TooLarge { .. }) => {
                Diagnostic::new(format!("`{key}` is too large")).at(value.span(), "the maximum is `1024GiB`")
            }
            Err(SizeError::Unreadable { text }) => Diagnostic::new(format!("`{key}` is not a valid size"))
                .at(value.span(), "must be a whole number and a unit: `B`, `KiB`, `MiB` or `GiB`")
                .maybe_hint(meant(&text).map(|meant| format!("write `{meant}`"))),
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

/// Several texts: names, or openings.
pub(super) struct Texts {
    /// The schema's limits of their number.
    pub(super) least: Option<usize>,
    pub(super) most: Option<usize>,
}

impl Texts {
    /// Any number of texts.
    pub(super) const ANY: Texts = Texts { least: None, most: None };
}

impl Kind for Texts {
    type Value = Vec<String>;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
        let text = |entry: &Spanned<DeValue<'_>>| entry.get_ref().as_str().map(str::to_owned);
        let texts = value.get_ref().as_array().and_then(|entries| entries.iter().map(text).collect());
        if texts.is_none() {
            reader.wrong_type(key, "an array of strings", value);
        }
        texts
    }

    fn text(&self, value: &Vec<String>) -> String {
        shell_words::join(value)
    }

    fn schema(&self) -> Json {
        let mut schema = json!({"type": "array", "items": Text::ANY.schema()});
        for (limit, number) in [("minItems", self.least), ("maxItems", self.most)] {
            if let Some(number) = number {
                schema[limit] = Json::from(number);
            }
        }
        schema
    }

    fn takes(&self) -> String {
        "an array of texts".to_owned()
    }
}

/// A command: a line, or its words.
pub(super) struct Command;

impl Kind for Command {
    type Value = Vec<String>;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Vec<String>> {
        let mut wrong_type = |value| reader.wrong_type(key, "a string or an array of strings", value);
        let words = match value.get_ref() {
            DeValue::String(text) => command::split_command(text),
            DeValue::Array(entries) => {
                if let Some(other) = entries.iter().find(|entry| !entry.get_ref().is_str()) {
                    wrong_type(other);
                    return None;
                }
                let words = entries.iter().filter_map(|entry| entry.get_ref().as_str());
                command::check_words(words.map(str::to_owned).collect())
            }
            _ => {
                wrong_type(value);
                return None;
            }
        };
        let mistake = |error: CommandError| {
            Diagnostic::new(error.to_string()).at(value.span(), error.label()).maybe_hint(error.hint())
        };
        words.map_err(|error| reader.push(mistake(error))).ok()
    }

    fn text(&self, value: &Vec<String>) -> String {
        shell_words::join(value)
    }

    fn schema(&self) -> Json {
        json!({"anyOf": [Text::ANY.schema(), Texts { least: Some(1), most: None }.schema()]})
    }

    fn takes(&self) -> String {
        format!("{} or {}", Text::ANY.takes(), Texts::ANY.takes())
    }
}

/// A table whose keys are free.
pub(super) struct Pairs;

impl Kind for Pairs {
    type Value = Vec<(String, String)>;

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Self::Value> {
        let pairs = reader.pairs(key, value);
        Some(pairs.into_iter().map(|pair| (pair.name.to_owned(), pair.text)).collect())
    }

    fn text(&self, value: &Vec<(String, String)>) -> String {
        value.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    fn schema(&self) -> Json {
        json!({
            "type": "object",
            "additionalProperties": {
                "anyOf": [{"format": "int64", "type": "integer"}, {"type": "boolean"}, {"type": "string"}],
                "description": "A whole number, a string, `true` or `false`.",
            },
        })
    }

    fn takes(&self) -> String {
        "a table of names and values".to_owned()
    }
}

/// A table with keys of its own.
pub(super) struct SubTable(pub(super) &'static KeyTable);

impl Kind for SubTable {
    type Value = ();

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<()> {
        if value.get_ref().as_table().is_none() {
            reader.wrong_type(key, "a table", value);
        }
        value.get_ref().as_table().map(drop)
    }

    fn schema(&self) -> Json {
        json!({"anyOf": [self.0.reference()]})
    }

    fn takes(&self) -> String {
        format!("[a table](#{})", self.0.path)
    }
}

/// Several tables, each under a heading in double brackets.
pub(super) struct SubTables {
    pub(super) table: &'static KeyTable,
    /// The schema's minimum of their number.
    pub(super) least: usize,
}

impl SubTables {
    /// The type of the value, for messages.
    pub(super) fn expected(&self) -> String {
        format!("an array of tables, each under a `{}` heading", self.table.heading)
    }
}

impl Kind for SubTables {
    type Value = ();

    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<()> {
        if value.get_ref().as_array().is_none() {
            reader.wrong_type(key, &self.expected(), value);
        }
        value.get_ref().as_array().map(drop)
    }

    fn schema(&self) -> Json {
        json!({"type": "array", "items": self.table.reference(), "minItems": self.least})
    }

    fn takes(&self) -> String {
        format!("an array of [{path}](#{path})", path = self.table.path)
    }
}
