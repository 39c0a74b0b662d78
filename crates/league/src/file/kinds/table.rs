//! Tables in tables.

use serde_json::{Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::Kind;
use crate::file::key::KeyTable;
use crate::file::reader::Reader;

/// A table with keys of its own.
pub(in crate::file) struct SubTable(pub(in crate::file) &'static KeyTable);

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
pub(in crate::file) struct SubTables {
    pub(in crate::file) table: &'static KeyTable,
    /// The minimum number of tables in the schema.
    pub(in crate::file) min: usize,
}

impl SubTables {
    /// Describes the type of the value, for messages.
    pub(in crate::file) fn expected(&self) -> String {
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
        json!({"type": "array", "items": self.table.reference(), "minItems": self.min})
    }

    fn takes(&self) -> String {
        format!("an array of [{path}](#{path})", path = self.table.path)
    }
}
