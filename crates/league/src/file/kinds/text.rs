//! Texts: names, words, lists of texts, commands, and tables with arbitrary keys.

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::Kind;
use crate::file::command::{self, CommandError};
use crate::file::diagnostics::Diagnostic;
use crate::file::reader::{Reader, one_of};
use crate::file::suggestion::did_you_mean;

/// The maximum length of the name of a bot or a team, in characters.
pub const MAX_NAME_LENGTH: usize = 40;

pub(in crate::file) struct Text {
    /// The pattern of a name; `None` for arbitrary text.
    name: Option<&'static str>,
}

impl Text {
    pub(in crate::file) const ANY: Text = Text { name: None };
    /// The names that bots and teams may have.
    pub(in crate::file) const NAME: Text =
        Text { name: Some(r"^([._+][A-Za-z0-9._+-]*)?[A-Za-z0-9][A-Za-z0-9._+-]*$") };
    /// The names that bots could have in earlier versions.
    pub(in crate::file) const FORMER_NAME: Text =
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
            Some(pattern) => json!({"type": "string", "pattern": pattern, "maxLength": MAX_NAME_LENGTH}),
            None => json!({"type": "string"}),
        }
    }

    fn takes(&self) -> String {
        if self.name.is_some() { "a name" } else { "text" }.to_owned()
    }
}

/// One of several words.
pub(in crate::file) struct Word<T: 'static> {
    /// The values, each with a sentence about it.
    pub(in crate::file) words: &'static [(T, &'static str)],
    pub(in crate::file) spelling: fn(T) -> &'static str,
}

impl<T: Copy + Sync> Word<T> {
    /// Returns the words with the sentences about them.
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
            reader.push(mistake.at(value.span(), format!("must be {}", one_of(&words))).maybe_hint(hint));
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

/// A list of texts: names, or openings.
pub(in crate::file) struct Texts {
    /// The minimum number of texts in the schema.
    pub(in crate::file) min: Option<usize>,
    /// The maximum number of texts in the schema.
    pub(in crate::file) max: Option<usize>,
}

impl Texts {
    pub(in crate::file) const ANY: Texts = Texts { min: None, max: None };
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
        for (limit, number) in [("minItems", self.min), ("maxItems", self.max)] {
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

/// A command: a line, or a list of words.
pub(in crate::file) struct Command;

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
        json!({"anyOf": [Text::ANY.schema(), Texts { min: Some(1), max: None }.schema()]})
    }

    fn takes(&self) -> String {
        format!("{} or {}", Text::ANY.takes(), Texts::ANY.takes())
    }
}

/// A table with arbitrary keys.
pub(in crate::file) struct Pairs;

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
