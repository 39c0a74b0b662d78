//! Data as JSON on stdout: twins of inner types, which know nothing of JSON.

use std::io::Write;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::Failure;
use super::ui::Ui;
use crate::games::options::{Flag, OptionValue, OptionValues};

/// Prints a value as one line.
pub(crate) fn print(ui: &Ui, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).expect("what is printed has only text for keys");
    text.push('\n');
    Ok(ui.data().write_all(text.as_bytes())?)
}

/// The options of a game as an object, in their own order.
pub(crate) struct Options<'o>(pub(crate) &'o OptionValues);

impl Serialize for Options<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, value) in self.0.iter() {
            object.serialize_entry(name, &option_value(value))?;
        }
        object.end()
    }
}

/// The value of one option.
pub(crate) fn option_value(value: &OptionValue) -> serde_json::Value {
    match value {
        OptionValue::Integer(number) => (*number).into(),
        OptionValue::Flag(flag) => (*flag == Flag::On).into(),
        OptionValue::Text(text) => text.as_str().into(),
    }
}

/// Rows of names and counts as an object, in their own order.
pub(crate) struct Counts<'c>(pub(crate) &'c [(String, u64)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}
