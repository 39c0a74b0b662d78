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
    /// The same with at most this number of rows. A note below counts those left out.
    pub(super) fn of_most(mut self, rows: usize) -> Shown {
        let all = self.table.rows().len();
        if all > rows {
            self.table = self.table.first(rows);
            self.below
                .push(format!("The first {rows} of {all} rows are shown; HTML, CSV and JSON have all."));
        }
        self
    }
}
