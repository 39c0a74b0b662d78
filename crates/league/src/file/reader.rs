//! Reading of a parsed file, table by table: what can't be used becomes a diagnostic with its span, and
//! reading goes on.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::{Diagnostic, Source};
use super::key::{Key, KeyTable};
use super::keys::TABLES;
use super::kinds::{Kind, Pairs, SubTable, SubTables};
use super::spans::Spans;
use super::suggestion::suggestion;
use super::tournament::ReadFromFile;

/// A table of the file.
#[derive(Copy, Clone)]
pub(super) struct Section<'t> {
    /// The keys that it takes.
    pub(super) keys: &'static KeyTable,
    /// Its values.
    pub(super) table: &'t DeTable<'t>,
}

impl<'t> Section<'t> {
    /// The value of a key.
    pub(super) fn get<K: Kind>(&self, key: &Key<K>) -> Option<&'t Spanned<DeValue<'t>>> {
        self.named(key.name)
    }

    /// The value of the key of this name.
    pub(super) fn named(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
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
    /// The values that stand in other files.
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

    /// Takes what stands in other files, in the order of its spans.
    pub(super) fn take_read_from_files(&mut self) -> Vec<ReadFromFile> {
        let mut values = std::mem::take(&mut self.read_from_files);
        values.sort_by_key(|value| value.span.start);
        values
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
            if section.keys.names().any(|known| known == name) {
                continue;
            }
            let heading = section.keys.heading;
            let message = match heading {
                "" => format!("there is no key `{name}`"),
                _ => format!("there is no key `{name}` in `{heading}`"),
            };
            let near = suggestion(name, section.keys.names());
            self.meant.extend(near);
            let hint = TABLES
                .into_iter()
                .find(|table| table.names().any(|known| known == name))
                .map(|table| match table.heading {
                    "" => format!("move `{name}` to the top of the file, before the first `[` heading"),
                    home => format!("move `{name}` to `{home}`"),
                })
                .or_else(|| near.map(|near| format!("did you mean `{near}`?")))
                .unwrap_or_else(|| {
                    format!("use one of these keys: {}", Listed(&section.keys.names().collect::<Vec<_>>()))
                });
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

    /// Notes the spans of a table's keys, under its path in the file.
    pub(super) fn note_spans(&mut self, section: Section<'_>, path: &str) {
        for key in section.keys.names() {
            if let Some(value) = section.named(key) {
                let dot = if path.is_empty() { "" } else { "." };
                self.spans.insert(format!("{path}{dot}{key}"), value.span());
            }
        }
    }

    /// The value of a key with its span. None if it is not given or can't be used.
    pub(super) fn spanned<K: Kind>(
        &mut self,
        section: Section<'_>,
        key: &Key<K>,
    ) -> Option<Spanned<K::Value>> {
        let value = section.get(key)?;
        Some(Spanned::new(value.span(), key.kind.read(self, key.name, value)?))
    }

    /// The value of a key. None if it is not given or can't be used.
    pub(super) fn value<K: Kind>(&mut self, section: Section<'_>, key: &Key<K>) -> Option<K::Value> {
        self.spanned(section, key).map(Spanned::into_inner)
    }

    /// The value of a key, its default if it is not given. None if it can't be used.
    pub(super) fn given_or_default<K: Kind>(
        &mut self,
        section: Section<'_>,
        key: &Key<K>,
    ) -> Option<K::Value> {
        if section.get(key).is_some() { self.value(section, key) } else { key.default_value() }
    }

    /// The value of a key, its default if it is not given or can't be used.
    pub(super) fn or_default<K: Kind>(&mut self, section: Section<'_>, key: &Key<K>) -> K::Value {
        let default = || key.default_value().expect("the key has a default in its table");
        self.value(section, key).unwrap_or_else(default)
    }

    /// The table of a key, its keys checked and their spans noted.
    pub(super) fn table<'t>(
        &mut self,
        section: Section<'t>,
        key: &Key<SubTable>,
        path: &str,
    ) -> Option<Section<'t>> {
        self.value(section, key)?;
        let section = key.kind.0.section(section.get(key)?.get_ref().as_table()?);
        self.check_keys(section);
        self.note_spans(section, path);
        Some(section)
    }

    /// The tables of a key, each with its span.
    pub(super) fn tables<'t>(
        &mut self,
        section: Section<'t>,
        key: &Key<SubTables>,
    ) -> Option<Vec<(Section<'t>, Range<usize>)>> {
        self.value(section, key)?;
        let mut tables = Vec::new();
        for entry in section.get(key)?.get_ref().as_array()? {
            match entry.get_ref().as_table() {
                Some(table) => tables.push((key.kind.table.section(table), entry.span())),
                None => self.wrong_type(key.name, &key.kind.expected(), entry),
            }
        }
        Some(tables)
    }

    /// The names and values of a table whose keys are free: numbers, flags and strings, each as text.
    pub(super) fn pairs_of<'t>(&mut self, section: Section<'t>, key: &Key<Pairs>) -> Vec<Pair<'t>> {
        section.get(key).map_or_else(Vec::new, |value| self.pairs(key.name, value))
    }

    /// As [`Reader::pairs_of`], from the value of the key.
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

    /// The text of a value that must be one.
    pub(super) fn text<'t>(&mut self, key: &str, value: &'t Spanned<DeValue<'_>>) -> Option<&'t str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, "a string", value);
        }
        text
    }
}

/// A name with its value as text.
pub(super) struct Pair<'t> {
    pub(super) name: &'t str,
    pub(super) name_span: Range<usize>,
    pub(super) text: String,
    pub(super) span: Range<usize>,
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
