//! A cell of a table.

use serde::ser::{Serialize, Serializer};

use crate::data::{ESTIMATE_DIGITS, decimal, rounded_to};
use linesman_record::text::printable;

/// Maximum length of a text, in bytes.
pub(super) const MAX_TEXT: usize = 400;

/// The content of a row under a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Unknown, which is not zero.
    Empty,
    /// A text. Foreign text has been made printable.
    Text(String),
    Integer(i64),
    Decimal {
        value: f64,
        /// Number of decimals for people.
        digits: usize,
        /// Number of decimals in data.
        exact: usize,
    },
}

impl Cell {
    /// Makes a cell of a foreign text, which it makes printable.
    pub fn text(text: &str) -> Cell {
        Cell::Text(printable(text, MAX_TEXT))
    }

    pub fn count(number: impl TryInto<i64>) -> Cell {
        Cell::Integer(number.try_into().unwrap_or(i64::MAX))
    }

    /// Makes a cell of a number with this number of decimals; empty if it is not finite.
    pub fn decimal(value: f64, digits: usize) -> Cell {
        if value.is_finite() { Cell::Decimal { value, digits, exact: digits } } else { Cell::Empty }
    }

    /// Makes a cell of an estimate or a share with this number of decimals for people, and the common number of
    /// decimals in data; empty if it is not finite.
    pub fn estimate(value: f64, digits: usize) -> Cell {
        Cell::decimal(value, ESTIMATE_DIGITS).shown_with(digits)
    }

    /// Sets another number of decimals for people.
    #[must_use]
    pub fn shown_with(self, shown: usize) -> Cell {
        match self {
            Cell::Decimal { value, exact, .. } => Cell::Decimal { value, digits: shown, exact },
            Cell::Empty | Cell::Text(_) | Cell::Integer(_) => self,
        }
    }

    /// True if it is neither empty nor zero.
    pub(super) fn is_filled(&self) -> bool {
        !matches!(self, Cell::Empty | Cell::Integer(0))
    }

    /// Makes a cell of an optional value; empty without one.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
        value.map_or(Cell::Empty, cell)
    }

    /// Returns the cell as plain text; empty if it is unknown.
    pub fn plain(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Decimal { value, digits, .. } => decimal(*value, *digits),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Empty => serializer.serialize_none(),
            // As in CSV, where an empty text and an unknown value look alike.
            Cell::Text(text) if text.is_empty() => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Integer(number) => serializer.serialize_i64(*number),
            // As precise as in CSV, so that the forms agree.
            Cell::Decimal { value, exact, .. } => rounded_to(*value, *exact).serialize(serializer),
        }
    }
}
