//! Data as JSON on stdout: serializable forms of types that don't depend on JSON.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

pub(crate) use crate::record::option_value;
pub(crate) use crate::report::data::{Options, rounded, rounded_to};

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
