//! The kinds of values that keys take: each is read, compared, and described for the schema and the
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
pub use text::LONGEST_NAME;
pub(super) use text::{Command, Pairs, Text, Texts, Word};
pub(super) use unit::{Bytes, GameClock, Time};

/// A kind of value.
pub(super) trait Kind: Sync + 'static {
    /// The value as the program holds it.
    type Value: Clone + Sync;

    /// Reads the value of a key. Reports a value that can't be used, and returns `None`.
    fn read(&self, reader: &mut Reader, key: &str, value: &Spanned<DeValue<'_>>) -> Option<Self::Value>;

    /// The value as shown in a comparison of two files. Tables have no text: their keys are compared.
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
