//! Reads the tables of a parsed file key by key. A value that can't be used becomes a diagnostic with its span, and
//! reading continues.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostics::Diagnostic;
use super::key::{Key, KeyTable};
use super::keys::TABLES;
use super::kinds::{Kind, Pairs, SubTable, SubTables};
use super::reader::{Pair, Reader, listed};
use super::suggestion::suggestion;

/// A table of the file.
#[derive(Copy, Clone)]
pub(super) struct Section<'t> {
    /// The keys that the table takes.
    pub(super) keys: &'static KeyTable,
    pub(super) table: &'t DeTable<'t>,
}

impl<'t> Section<'t> {
    pub(super) fn get<K: Kind>(&self, key: &Key<K>) -> Option<&'t Spanned<DeValue<'t>>> {
        self.named(key.name)
    }

    pub(super) fn named(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }
}

impl KeyTable {
    /// Makes a section from a table of a file that takes these keys.
    pub(super) fn section<'t>(&'static self, table: &'t DeTable<'t>) -> Section<'t> {
        Section { keys: self, table }
    }
}

impl Reader {
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
            self.suggested.extend(near);
            let hint = TABLES
                .into_iter()
                .find(|table| table.names().any(|known| known == name))
                .map(|table| match table.heading {
                    "" => format!("move `{name}` to the top of the file, before the first `[` heading"),
                    home => format!("move `{name}` to `{home}`"),
                })
                .or_else(|| near.map(|near| format!("did you mean `{near}`?")))
                .unwrap_or_else(|| {
                    format!("use one of these keys: {}", listed(&section.keys.names().collect::<Vec<_>>()))
                });
            self.push(Diagnostic::new(message).at(key.span(), "unknown").hint(hint));
        }
    }

    /// Stores the spans of a table's values under the table's path in the file.
    pub(super) fn note_spans(&mut self, section: Section<'_>, path: &[&str]) {
        for key in section.keys.names() {
            if let Some(value) = section.named(key) {
                self.spans.insert(&[path, &[key]].concat(), value.span());
            }
        }
    }

    /// Reads the value of a key, with its span. Returns `None` if it is not set or can't be used.
    pub(super) fn spanned<K: Kind>(
        &mut self,
        section: Section<'_>,
        key: &Key<K>,
    ) -> Option<Spanned<K::Value>> {
        let value = section.get(key)?;
        Some(Spanned::new(value.span(), key.kind.read(self, key.name, value)?))
    }

    /// Reads the value of a key. Returns `None` if it is not set or can't be used.
    pub(super) fn value<K: Kind>(&mut self, section: Section<'_>, key: &Key<K>) -> Option<K::Value> {
        self.spanned(section, key).map(Spanned::into_inner)
    }

    /// Reads the value of a key, or takes its default if it is not set. Returns `None` if it can't be used.
    pub(super) fn given_or_default<K: Kind>(
        &mut self,
        section: Section<'_>,
        key: &Key<K>,
    ) -> Option<K::Value> {
        if section.get(key).is_some() { self.value(section, key) } else { key.default_value() }
    }

    /// Reads the value of a key, or takes its default if it is not set or can't be used.
    pub(super) fn or_default<K: Kind>(&mut self, section: Section<'_>, key: &Key<K>) -> K::Value {
        let default = || key.default_value().expect("the key has a default in its table");
        self.value(section, key).unwrap_or_else(default)
    }

    /// Reads the table of a key, checks its keys and stores their spans.
    pub(super) fn table<'t>(
        &mut self,
        section: Section<'t>,
        key: &Key<SubTable>,
        path: &[&str],
    ) -> Option<Section<'t>> {
        self.value(section, key)?;
        let section = key.kind.0.section(section.get(key)?.get_ref().as_table()?);
        self.check_keys(section);
        self.note_spans(section, path);
        Some(section)
    }

    /// Reads the tables of a key. Returns each with its span.
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

    /// Reads a table with arbitrary keys whose values are numbers, flags and strings. Returns each value as text.
    pub(super) fn pairs_of<'t>(&mut self, section: Section<'t>, key: &Key<Pairs>) -> Vec<Pair<'t>> {
        section.get(key).map_or_else(Vec::new, |value| self.pairs(key.name, value))
    }
}
