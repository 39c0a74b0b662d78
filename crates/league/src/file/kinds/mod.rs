//! The kinds of values that keys take. Each kind reads values, compares them, and describes them for the schema and the
//! reference.

mod number;
mod table;
mod text;
mod unit;

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::DeValue;

use super::reader::Reader;
pub(super) use number::{Flag, GamesAtOnce, Integer, Number, integer};
pub(super) use table::{SubTable, SubTables};
pub use text::MAX_NAME_LENGTH;
pub(super) use text::{Command, Pairs, Text, Texts, Word};
pub(super) use unit::{Bytes, GameClock, Time};

/// A kind of value.
pub(super) trait Kind: Sync + 'static {
    /// The value as the program holds it.
    type Value: Clone + Sync;

    /// Reads the value of a key. If the value can't be used, reports it and returns `None`.
    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Self::Value>;

    /// Returns the value as shown in a comparison of two files. Tables have no text, because their keys are compared.
    fn text(&self, _value: &Self::Value) -> String {
        String::new()
    }

    /// Returns the value as it is written in the schema.
    fn json(&self, value: &Self::Value) -> Json {
        Json::from(self.text(value))
    }

    /// Returns the JSON schema of the values, without a description.
    fn schema(&self) -> Json;

    /// Describes the values for the reference.
    fn takes(&self) -> String;

    /// True if the values are whole numbers without a unit.
    fn is_integer(&self) -> bool {
        false
    }
}
