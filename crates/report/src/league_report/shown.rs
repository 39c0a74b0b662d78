//! A table of a report for people.

use crate::layout::Layout;
use crate::table::Table;

/// The column of bars, which only a terminal needs.
pub(super) const BARS: &str = "bar";

/// A table for people.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shown {
    pub(super) table: Table,
    pub(super) layout: Layout,
    /// The notes below it.
    pub(super) below: Vec<String>,
}

impl Shown {
    /// Keeps at most this number of rows. If it leaves out rows, it adds a note.
    pub(super) fn first(mut self, rows: usize) -> Shown {
        let all = self.table.rows().len();
        if all > rows {
            self.table = self.table.first(rows);
            self.below
                .push(format!("The first {rows} of {all} rows are shown; HTML, CSV and JSON have all."));
        }
        self
    }
}
