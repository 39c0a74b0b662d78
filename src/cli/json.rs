//! Data as JSON on stdout: twins of inner types, which know nothing of JSON.

use std::io::Write;

use schemars::JsonSchema;
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

/// An estimate with its 95 % confidence interval: the two ends together, and each by its name in tables.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct EloEnds {
    /// Where `elo` is with 95 % confidence: its lower and its upper end; null where there is no bound.
    interval: Option<[Option<f64>; 2]>,
    /// The lower end.
    elo_low: Option<f64>,
    /// The upper end.
    elo_high: Option<f64>,
}

impl EloEnds {
    /// The ends of an interval, infinite where there is no bound.
    pub(crate) fn of(ends: Option<[f64; 2]>) -> EloEnds {
        let interval = ends.map(|ends| ends.map(rounded));
        let [elo_low, elo_high] = interval.unwrap_or_default();
        EloEnds { interval, elo_low, elo_high }
    }
}

/// Rows of names and counts as an object, in their own order.
pub(crate) struct Counts<'c>(pub(crate) &'c [(String, u64)]);

impl Serialize for Counts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}
