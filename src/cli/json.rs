//! Data as JSON on stdout: serializable forms of types that don't depend on JSON.

use std::io::Write;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::error::Failure;
use super::ui::Ui;
pub(crate) use crate::report::data::{Options, option_value, rounded, rounded_to};

/// Prints a value as one line.
pub(crate) fn print(ui: &Ui, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).expect("what is printed has only text for keys");
    text.push('\n');
    Ok(ui.data().write_all(text.as_bytes())?)
}

/// Names and values as an object, in this order.
pub(crate) struct Object<K = &'static str, V = Box<RawValue>>(pub(crate) Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Object<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The text of a value, so that values of different types are in one object.
pub(crate) fn value(value: impl Serialize) -> Box<RawValue> {
    to_raw_value(&value).expect("what is printed has only text for keys")
}

/// The text of several values, as an array.
pub(crate) fn array(values: impl IntoIterator<Item: Serialize>) -> Box<RawValue> {
    value(values.into_iter().collect::<Vec<_>>())
}
