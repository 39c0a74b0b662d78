//! Data as JSON on stdout: serializable forms of types that don't depend on JSON.

use std::io::Write;

use serde::{Serialize, Serializer};

use super::error::Failure;
use super::ui::Ui;
pub(crate) use crate::report::data::{Options, option_value, rounded, rounded_to};

/// Prints a value as one line.
pub(crate) fn print(ui: &Ui, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).expect("what is printed has only text for keys");
    text.push('\n');
    Ok(ui.data().write_all(text.as_bytes())?)
}

/// Names and counts as an object, in this order.
pub(crate) struct CountRows<'c>(pub(crate) &'c [(String, u64)]);

impl Serialize for CountRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}
