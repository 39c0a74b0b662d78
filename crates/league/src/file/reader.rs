//! Typed reading of a parsed file, table by table: what can't be used becomes a
//! mistake with its place, and reading goes on.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::{Diagnostic, Source};
use super::size::{SizeError, meant, parse_size};
use super::spans::Spans;
use super::suggestion::{did_you_mean, suggestion};
use super::tournament::ReadFromFile;
use linesman_types::time_control::{TimeError, parse_duration};

/// What a key may be, and where it belongs.
pub(super) struct Keys {
    /// How the table is written: `[limits]`; empty for the top of the file.
    pub(super) heading: &'static str,
    /// The keys that it takes.
    pub(super) keys: &'static [&'static str],
}

/// All tables of the file with their keys.
pub(super) const TABLES: [&Keys; 8] =
    [&TOP, &LIMITS, &RATING, &TEST, &OPENINGS, &ADJUDICATION, &BOTS, &TEAMS];

/// The keys at the top of the file.
pub(super) const TOP: Keys = Keys {
    heading: "",
    keys: &[
        "version",
        "name",
        "game",
        "options",
        "schedule",
        "rounds",
        "games",
        "challengers",
        "single_games",
        "best_of",
        "sudden_death",
        "seed",
        "concurrency",
        "oversubscribe",
        "affinity",
        "ponder",
        "pause",
        "overload",
        "sandbox",
        "movetime",
        "tc",
        "clock",
        "wall_bound",
        "margin",
        "limits",
        "rating",
        "test",
        "openings",
        "adjudication",
        "bots",
        "teams",
    ],
};

/// The keys of `[limits]`, and of a bot's own limits.
pub(super) const LIMITS: Keys = Keys {
    heading: "[limits]",
    keys: &[
        "start",
        "ready",
        "move",
        "quit",
        "line",
        "output_on_move",
        "output_off_move",
        "memory",
        "processes",
        "open_files",
        "file_size",
        "cpu",
        "crashes",
    ],
};

/// The keys of `[rating]`.
pub(super) const RATING: Keys = Keys { heading: "[rating]", keys: &["method", "mean", "anchor", "k"] };

/// The keys of `[test]`.
pub(super) const TEST: Keys = Keys { heading: "[test]", keys: &["elo0", "elo1", "alpha", "beta", "model"] };

/// The keys of `[openings]`.
pub(super) const OPENINGS: Keys = Keys { heading: "[openings]", keys: &["file", "list", "order"] };

/// The keys of `[adjudication]`.
pub(super) const ADJUDICATION: Keys = Keys {
    heading: "[adjudication]",
    keys: &["win_score", "win_moves", "draw_score", "draw_moves", "draw_from", "table", "table_from"],
};

/// The keys of a bot.
pub(super) const BOTS: Keys = Keys {
    heading: "[[bots]]",
    keys: &["name", "was", "command", "dir", "read", "scratch", "env", "options", "limits", "threads", "elo"],
};

/// The keys of a team.
pub(super) const TEAMS: Keys = Keys { heading: "[[teams]]", keys: &["name", "bots", "elo"] };

/// A table of the file.
#[derive(Copy, Clone)]
pub(super) struct Section<'t> {
    /// What it takes.
    pub(super) keys: &'static Keys,
    /// Its values.
    pub(super) table: &'t DeTable<'t>,
}

impl<'t> Section<'t> {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }
}

/// Collects what is read and what is wrong.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) spans: Spans,
    /// Other files that mistakes refer to.
    pub(super) sources: Vec<Source>,
    /// What stands in other files.
    pub(super) read_from_files: Vec<ReadFromFile>,
    /// Keys that were probably meant by unknown ones: no need to say that they are missing.
    meant: Vec<&'static str>,
}

impl Reader {
    pub(super) fn push(&mut self, mistake: Diagnostic) {
        self.mistakes.push(mistake);
    }

    /// Adds a file that a mistake refers to, and returns its number in the
    /// list of sources, in which the tournament file comes first.
    pub(super) fn add_source(&mut self, source: Source) -> usize {
        self.sources.push(source);
        self.sources.len()
    }

    /// Reports that a key is missing, unless an unknown one looks like it.
    pub(super) fn missing(&mut self, keys: &[&str], mistake: Diagnostic) {
        if !keys.iter().any(|key| self.meant.contains(key)) {
            self.push(mistake);
        }
    }

    /// Reports the keys that a table does not take.
    pub(super) fn check_keys(&mut self, section: Section<'_>) {
        for key in section.table.keys() {
            let name: &str = key.get_ref();
            if section.keys.keys.contains(&name) {
                continue;
            }
            let heading = section.keys.heading;
            let message = match heading {
                "" => format!("there is no key `{name}`"),
                _ => format!("there is no key `{name}` in `{heading}`"),
            };
            let near = suggestion(name, section.keys.keys.iter().copied());
            self.meant.extend(section.keys.keys.iter().find(|key| Some(**key) == near));
            let hint = TABLES
                .into_iter()
                .find(|table| table.keys.contains(&name))
                .map(|table| match table.heading {
                    "" => format!("move `{name}` to the top of the file, before the first `[` heading"),
                    home => format!("move `{name}` to `{home}`"),
                })
                .or_else(|| near.map(|near| format!("did you mean `{near}`?")))
                .unwrap_or_else(|| format!("use one of these keys: {}", Listed(section.keys.keys)));
            self.push(Diagnostic::new(message).at(key.span(), "unknown").hint(hint));
        }
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(&mut self, key: &str, expected: &str, value: &Spanned<DeValue<'_>>) {
        let found = kind(value.get_ref());
        let mistake = Diagnostic::new(format!("`{key}` must be {expected}"));
        let hint = match value.get_ref() {
            DeValue::String(text) if expected.contains("number") && text.parse::<f64>().is_ok() => {
                Some(format!("write `{key} = {text}`, without quotes"))
            }
            DeValue::String(text) if expected.contains("`true`") && (text == "true" || text == "false") => {
                Some(format!("write `{key} = {text}`, without quotes"))
            }
            _ => None,
        };
        self.push(mistake.at(value.span(), format!("this is {found}")).maybe_hint(hint));
    }

    /// The text of a key.
    pub(super) fn string<'t>(&mut self, section: Section<'t>, key: &str) -> Option<Spanned<&'t str>> {
        let value = section.get(key)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, "a string", value);
        }
        Some(Spanned::new(value.span(), text?))
    }

    /// The whole number of a key.
    pub(super) fn integer(
        &mut self,
        section: Section<'_>,
        key: &str,
        range: RangeInclusive<i64>,
    ) -> Option<Spanned<i64>> {
        let value = section.get(key)?;
        let DeValue::Integer(digits) = value.get_ref() else {
            self.wrong_type(key, "a whole number", value);
            return None;
        };
        let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
        let Some(number) = number.filter(|number| range.contains(number)) else {
            let label = match *range.end() {
                i64::MAX => format!("must be {} or more", range.start()),
                _ => format!("must be from {} to {}", range.start(), range.end()),
            };
            self.push(Diagnostic::new(format!("`{key}` can't be `{digits}`")).at(value.span(), label));
            return None;
        };
        Some(Spanned::new(value.span(), number))
    }

    /// The number of a key, whole or not.
    pub(super) fn number(&mut self, section: Section<'_>, key: &str) -> Option<Spanned<f64>> {
        let value = section.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().parse().ok(),
            DeValue::Float(digits) => digits.as_str().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number: &f64| number.is_finite());
        if number.is_none() {
            self.wrong_type(key, "a number", value);
        }
        Some(Spanned::new(value.span(), number?))
    }

    /// The yes or no of a key.
    pub(super) fn flag(&mut self, section: Section<'_>, key: &str) -> Option<Spanned<bool>> {
        let value = section.get(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, "`true` or `false`", value);
        }
        Some(Spanned::new(value.span(), flag?))
    }

    /// One of several words.
    pub(super) fn word<T: Copy>(
        &mut self,
        section: Section<'_>,
        key: &str,
        all: &[T],
        spelling: fn(T) -> &'static str,
    ) -> Option<T> {
        let given = self.string(section, key)?;
        let found = all.iter().copied().find(|word| spelling(*word) == *given.get_ref());
        if found.is_none() {
            let words: Vec<&str> = all.iter().map(|word| spelling(*word)).collect();
            let mistake = Diagnostic::new(format!("`{key}` can't be `{}`", given.get_ref()));
            let hint = did_you_mean(given.get_ref(), words.iter().copied());
            self.push(mistake.at(given.span(), format!("must be {}", OneOf(&words))).maybe_hint(hint));
        }
        found
    }

    /// The duration of a key.
    pub(super) fn duration(
        &mut self,
        section: Section<'_>,
        key: &str,
        shortest: Duration,
    ) -> Option<Spanned<Duration>> {
        let least = if shortest.is_zero() { None } else { Some("the minimum is `1ms`") };
        let given = self.with_unit(section, key, ("a duration", least), ["ms", "s"])?;
        let text = *given.get_ref();
        let error = match parse_duration(text) {
            Ok(duration) if duration >= shortest => return Some(Spanned::new(given.span(), duration)),
            Ok(_) => TimeError::TooShort { text: text.to_owned() },
            Err(TimeError::NoUnit { text }) if is_zero(&text) && !shortest.is_zero() => {
                TimeError::TooShort { text }
            }
            Err(error) => error,
        };
        self.push(bad_duration(key, &error, given.span()));
        None
    }

    /// The number of bytes of a key.
    pub(super) fn size(&mut self, section: Section<'_>, key: &str) -> Option<Spanned<u64>> {
        let least = "the minimum is `1B`";
        let given = self.with_unit(section, key, ("a size", Some(least)), ["KiB", "MiB"])?;
        let error = match parse_size(given.get_ref()) {
            Ok(0) => {
                self.push(nothing(key).at(given.span(), least));
                return None;
            }
            Err(SizeError::NoUnit { text }) if is_zero(&text) => {
                self.push(nothing(key).at(given.span(), least));
                return None;
            }
            Ok(bytes) => return Some(Spanned::new(given.span(), bytes)),
            Err(error) => error,
        };
        let mistake = match &error {
            SizeError::NoUnit { text } => Diagnostic::new(format!("`{key}` has no unit"))
                .at(given.span(), "a size needs a unit")
                .hint(format!("write `{text}KiB` or `{text}MiB`")),
            SizeError::TooLarge { .. } => {
                Diagnostic::new(format!("`{key}` is too large")).at(given.span(), "the maximum is `1024GiB`")
            }
            SizeError::Unreadable { text } => Diagnostic::new(format!("`{key}` is not a valid size"))
                .at(given.span(), "must be a whole number and a unit: `B`, `KiB`, `MiB` or `GiB`")
                .maybe_hint(meant(text).map(|meant| format!("write `{meant}`"))),
        };
        self.push(mistake);
        None
    }

    /// The text of a key that is a number with a unit.
    fn with_unit<'t>(
        &mut self,
        section: Section<'t>,
        key: &str,
        (what, least): (&str, Option<&str>),
        units: [&str; 2],
    ) -> Option<Spanned<&'t str>> {
        let value = section.get(key)?;
        if let DeValue::Integer(digits) = value.get_ref() {
            if let Some(least) = least.filter(|_| is_zero(digits.as_str())) {
                self.push(nothing(key).at(value.span(), least));
                return None;
            }
            let mistake = Diagnostic::new(format!("`{key}` has no unit"));
            let label = format!("{what} must be a string with a unit");
            let [small, large] = units.map(|unit| format!("`\"{digits}{unit}\"`"));
            self.push(mistake.at(value.span(), label).hint(format!("write {small} or {large}")));
            return None;
        }
        self.string(section, key)
    }

    /// The texts of a key.
    pub(super) fn strings(&mut self, section: Section<'_>, key: &str) -> Vec<String> {
        let Some(value) = section.get(key) else { return Vec::new() };
        let entries = value.get_ref().as_array();
        let texts = entries.map(|entries| {
            entries
                .iter()
                .map(|entry| entry.get_ref().as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
        });
        match texts {
            Some(Some(texts)) if texts.iter().all(|text| !text.is_empty() && !text.contains('\0')) => texts,
            Some(Some(_)) => {
                let mistake = Diagnostic::new(format!("`{key}` contains an empty or invalid path"));
                self.push(mistake.at(value.span(), "each must be a file or a folder"));
                Vec::new()
            }
            _ => {
                self.wrong_type(key, "an array of strings", value);
                Vec::new()
            }
        }
    }

    /// The table of a key.
    pub(super) fn table<'t>(
        &mut self,
        section: Section<'t>,
        key: &str,
        keys: &'static Keys,
    ) -> Option<Section<'t>> {
        let value = section.get(key)?;
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, "a table", value);
        }
        Some(Section { keys, table: table? })
    }

    /// The names and values of a table whose keys are free: numbers, flags and
    /// strings, each as text.
    pub(super) fn texts<'t>(&mut self, section: Section<'t>, key: &str) -> Vec<Text<'t>> {
        const FREE: Keys = Keys { heading: "", keys: &[] };
        let Some(free) = self.table(section, key, &FREE) else { return Vec::new() };
        let mut texts = Vec::new();
        for (name, value) in free.table {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Boolean(flag) => flag.to_string(),
                DeValue::Integer(digits) if digits.radix() == 10 => digits.as_str().to_owned(),
                _ => {
                    self.wrong_type(name.get_ref(), "a whole number, a string, `true` or `false`", value);
                    continue;
                }
            };
            if text.contains(char::is_control) || name.get_ref().contains(char::is_control) {
                let mistake = Diagnostic::new(format!("`{}` contains a control character", name.get_ref()));
                self.push(mistake.at(value.span(), "remove line breaks and other control characters"));
                continue;
            }
            texts.push(Text { name: name.get_ref(), name_span: name.span(), text, span: value.span() });
        }
        texts
    }
}

/// A name with its value as text.
pub(super) struct Text<'t> {
    pub(super) name: &'t str,
    pub(super) name_span: Range<usize>,
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// A duration that can't be used.
pub(super) fn bad_duration(key: &str, error: &TimeError, span: Range<usize>) -> Diagnostic {
    match error {
        TimeError::NoUnit { text } => Diagnostic::new(format!("`{key}` has no unit"))
            .at(span, "a duration needs a unit")
            .hint(format!("write `{text}ms` or `{text}s`")),
        TimeError::Unreadable { .. } => Diagnostic::new(format!("`{key}` is not a valid duration"))
            .at(span, "must be a number and a unit, such as `500ms`, `2s`, `1.5s`, `3min` or `1h`"),
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

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "`true` or `false`",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

/// Names in a row: `` `a`, `b`, `c` ``.
pub(super) struct Listed<'n>(pub(super) &'n [&'n str]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}`{name}`")?;
        }
        Ok(())
    }
}

/// Names to choose from: `` `a`, `b` or `c` ``.
pub(super) struct OneOf<'n>(pub(super) &'n [&'n str]);

impl fmt::Display for OneOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [all @ .., one, last] => {
                let before: Vec<&str> = all.iter().chain([one]).copied().collect();
                write!(f, "{} or `{last}`", Listed(&before))
            }
            few => Listed(few).fmt(f),
        }
    }
}
