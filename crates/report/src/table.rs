//! Data in rows and columns, and its three forms: a table for people, CSV for spreadsheets, JSON for
//! programs.

mod cell;
mod column;
mod csv;
mod text;

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::io;

use serde::ser::{Serialize, Serializer};

pub use cell::Cell;
pub(crate) use column::Holds;
use column::Unique;
pub use column::{Align, Column, ColumnOf, Shown};
pub use csv::{CsvRows, csv_text};

/// Number of blanks between two columns.
pub(crate) const COLUMN_GAP: usize = 2;

/// Rows of cells under columns with names.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Makes a table of these columns for these rows.
    pub fn of<'c, R: ?Sized + 'c, B: Borrow<R>>(
        columns: impl IntoIterator<Item = ColumnOf<'c, R>>,
        rows: impl IntoIterator<Item = B>,
    ) -> Table {
        let columns: Vec<ColumnOf<'c, R>> =
            columns.into_iter().filter(|column| column.shown != Shown::Never).collect();
        let rows: Vec<Vec<Cell>> = (rows.into_iter())
            .map(|row| columns.iter().map(|column| (column.cell)(row.borrow())).collect())
            .collect();
        let kept: Vec<bool> = (columns.iter().enumerate())
            .map(|(index, column)| {
                column.shown == Shown::Always || rows.iter().any(|row| row[index].is_filled())
            })
            .collect();
        let table = Table { columns: columns.into_iter().map(|column| column.column).collect(), rows };
        let table = table.only(|index, _| kept[index]);
        table.check_names();
        table
    }

    /// Checks in debug builds that programs and people can distinguish the columns.
    fn check_names(&self) {
        let names = |of: fn(&Column) -> &str, unique: &[Unique]| {
            let mut known = BTreeSet::new();
            let mut names = self.columns.iter().filter(|column| unique.contains(&column.unique)).map(of);
            names.find(|name| !known.insert(*name)).map(str::to_owned)
        };
        let keys = names(|column| &column.key, &[Unique::Both, Unique::Key]);
        let titles = names(|column| &column.title, &[Unique::Both]);
        debug_assert_eq!((keys, titles), (None, None), "keys and titles of columns are unique");
    }

    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Adds a last column that repeats the column `key` under another name.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn with_copy(mut self, key: &str, name: &str) -> Table {
        let index = self.columns.iter().position(|column| column.key == key).expect("there is that column");
        let copy = Column { key: name.to_owned(), title: name.to_owned(), ..self.columns[index].clone() };
        self.columns.push(copy);
        self.rows.iter_mut().for_each(|row| row.push(row[index].clone()));
        self.check_names();
        self
    }

    /// Returns the table with only the first rows.
    #[must_use]
    pub(crate) fn first(&self, rows: usize) -> Table {
        Table { columns: self.columns.clone(), rows: self.rows.iter().take(rows).cloned().collect() }
    }

    /// Returns the table with only the wanted columns, by their number.
    #[must_use]
    pub(crate) fn only(&self, wanted: impl Fn(usize, &Column) -> bool) -> Table {
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|index| wanted(*index, &self.columns[*index])).collect();
        Table {
            columns: kept.iter().map(|index| self.columns[*index].clone()).collect(),
            rows: self
                .rows
                .iter()
                .map(|row| kept.iter().map(|index| row[*index].clone()).collect())
                .collect(),
        }
    }

    /// Writes CSV: a header, then a line for each row, quoted as in RFC 4180, with lines ended by `\n`.
    ///
    /// # Errors
    /// Any error of the output.
    pub fn write_csv(&self, output: impl io::Write) -> io::Result<()> {
        let mut rows = CsvRows::new(output, &self.columns)?;
        self.rows.iter().try_for_each(|row| rows.push(row))?;
        rows.finish()
    }
}

/// An array with an object for each row, in the order of the columns.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(|row| RowObject { columns: &self.columns, row }))
    }
}

struct RowObject<'t> {
    columns: &'t [Column],
    row: &'t [Cell],
}

impl Serialize for RowObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.columns.iter().map(|column| &column.key).zip(self.row))
    }
}

#[cfg(test)]
mod tests;
