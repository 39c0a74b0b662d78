//! Reads the values of a file. Mistakes are collected, and reading continues after each.

use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::DeValue;

use super::diagnostics::{Diagnostic, Source};
use super::spans::Spans;
use super::tournament::ReadFromFile;

#[derive(Default)]
pub(super) struct Reader {
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) spans: Spans,
    /// Other files that mistakes refer to.
    pub(super) sources: Vec<Source>,
    /// The values from other files.
    pub(super) read_from_files: Vec<ReadFromFile>,
    /// The keys that were suggested for unknown ones, and need not be reported as missing.
    pub(super) suggested: Vec<&'static str>,
}

impl Reader {
    pub(super) fn push(&mut self, mistake: Diagnostic) {
        self.mistakes.push(mistake);
    }

    /// Adds a file that a mistake refers to. Returns its index among all sources, of which the tournament file is the
    /// first.
    pub(super) fn add_source(&mut self, source: Source) -> usize {
        self.sources.push(source);
        self.sources.len()
    }

    /// Reports that one of these keys is missing, unless one was suggested for an unknown key.
    pub(super) fn missing(&mut self, keys: &[&str], mistake: Diagnostic) {
        if !keys.iter().any(|key| self.suggested.contains(key)) {
            self.push(mistake);
        }
    }

    pub(super) fn wrong_type(&mut self, key: &str, expected: &str, value: &Spanned<DeValue<'_>>) {
        self.push(wrong_type(key, expected, value));
    }

    /// Reports a value that is not a `T`, which needs no quotes. A `T` in quotes gets a hint.
    pub(super) fn not_of_type<T: FromStr>(
        &mut self,
        key: &str,
        expected: &str,
        value: &Spanned<DeValue<'_>>,
    ) {
        let quoted = value.get_ref().as_str().filter(|text| text.parse::<T>().is_ok());
        let hint = quoted.map(|text| format!("write `{key} = {text}`, without quotes"));
        self.push(wrong_type(key, expected, value).maybe_hint(hint));
    }

    /// Reads a table with arbitrary keys whose values are numbers, flags and strings. Returns each value as text.
    pub(super) fn pairs<'t>(&mut self, key: &str, value: &'t Spanned<DeValue<'_>>) -> Vec<Pair<'t>> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(key, "a table", value);
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for (name, value) in table {
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
            pairs.push(Pair { name: name.get_ref(), name_span: name.span(), text, span: value.span() });
        }
        pairs
    }

    pub(super) fn text<'t>(&mut self, key: &str, value: &'t Spanned<DeValue<'_>>) -> Option<&'t str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, "a string", value);
        }
        text
    }
}

pub(super) struct Pair<'t> {
    pub(super) name: &'t str,
    pub(super) name_span: Range<usize>,
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

fn wrong_type(key: &str, expected: &str, value: &Spanned<DeValue<'_>>) -> Diagnostic {
    let found = kind(value.get_ref());
    Diagnostic::new(format!("`{key}` must be {expected}")).at(value.span(), format!("this is {found}"))
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

/// Lists names: `` `a`, `b`, `c` ``.
pub(super) fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Lists alternative names: `` `a`, `b` or `c` ``.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [before @ .., last] if !before.is_empty() => format!("{} or `{last}`", listed(before)),
        few => listed(few),
    }
}
