//! Rows as CSV.

use std::io;

use super::cell::{Cell, MAX_TEXT};
use super::column::Column;
use crate::data::decimal;
use linesman_record::text::printable;

/// Writes rows as CSV, one after the other.
pub struct CsvRows<W: io::Write> {
    writer: csv::Writer<W>,
}

impl<W: io::Write> CsvRows<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Any error of the output.
    pub fn new(output: W, columns: &[Column]) -> io::Result<CsvRows<W>> {
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(columns.iter().map(|column| inert(&printable(&column.key, MAX_TEXT))))?;
        Ok(CsvRows { writer })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Any error of the output, and a row with another number of cells.
    pub fn push(&mut self, row: &[Cell]) -> io::Result<()> {
        Ok(self.writer.write_record(row.iter().map(Cell::inert))?)
    }

    /// Writes buffered rows.
    ///
    /// # Errors
    /// Any error of the output.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Cell {
    /// Returns the cell for a CSV file: a text that a spreadsheet would take for a formula gets a leading apostrophe.
    pub(super) fn inert(&self) -> String {
        match self {
            Cell::Text(text) => inert(text),
            Cell::Decimal { value, exact, .. } => decimal(*value, *exact),
            Cell::Empty | Cell::Integer(_) => self.plain(),
        }
    }
}

/// Converts a foreign text for a CSV file: printable, uncut, and not a formula.
pub fn csv_text(text: &str) -> String {
    inert(&printable(text, usize::MAX))
}

fn inert(text: &str) -> String {
    match text.trim_start().chars().next() {
        // Some spreadsheets treat the full-width forms alike.
        Some('=' | '+' | '-' | '@' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}') => format!("'{text}"),
        _ if text.starts_with(['\t', '\r', '\n']) => format!("'{text}"),
        _ => text.to_owned(),
    }
}
