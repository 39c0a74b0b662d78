//! A table as plain text that fits a window.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableStyle};

use super::{Align, COLUMN_GAP, Cell, Column, Holds, Table};
use crate::truncate;

/// Minimum width of a column of texts or names, unless it is narrower anyway.
const MIN_TEXT: usize = 12;

/// Inverse of the fraction of the window that names may take before they are cut.
const NAMES_DIVISOR: usize = 3;

impl Table {
    /// Returns the widths of the columns of [`Table::to_text`] without a limit.
    pub(crate) fn widths(&self) -> Vec<usize> {
        self.arranged(None).column_max_content_widths().into_iter().map(usize::from).collect()
    }

    /// Returns the minimum width of each column: numbers are never broken, names are cut to a fraction of the window,
    /// other texts are broken.
    pub(crate) fn min_widths(&self, width: usize) -> Vec<usize> {
        let columns = self.columns.iter().zip(self.widths());
        let min_widths = columns.map(|(column, full)| match (column.align, column.holds) {
            (Align::Right, _) => full,
            (Align::Left, Holds::Names) => full.min(MIN_TEXT.max(width / NAMES_DIVISOR)),
            (Align::Left, Holds::Data | Holds::Texts) => full.min(MIN_TEXT),
        });
        min_widths.collect()
    }

    /// Returns the maximum length of names in each column of names, if they must be cut.
    fn room_for_names(&self, width: usize) -> Vec<Option<usize>> {
        let widths = self.widths();
        let mut given = self.min_widths(width);
        let gaps = COLUMN_GAP * given.len().saturating_sub(1);
        let mut left = width.saturating_sub(given.iter().sum::<usize>() + gaps);
        let mut room = vec![None; given.len()];
        let is_of_names = |column: &Column| column.align == Align::Left && column.holds == Holds::Names;
        for (index, _) in self.columns.iter().enumerate().filter(|(_, column)| is_of_names(column)) {
            let more = left.min(widths[index] - given[index]);
            given[index] += more;
            left -= more;
            room[index] = (given[index] < widths[index]).then_some(given[index]);
        }
        room
    }

    /// Formats the table as plain text: a line of titles and a line for each row, each with its `\n`. It is at most
    /// `width` columns wide if that is given and possible: names are cut, other texts are wrapped, and numbers stay
    /// whole.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let mut text = match width {
            Some(width) => self.with_short_names(width).arranged(Some(width)).trim_fmt(),
            None => self.arranged(None).trim_fmt(),
        };
        text.push('\n');
        text
    }

    /// Returns the table with names that fit.
    fn with_short_names(&self, width: usize) -> Table {
        let mut short = self.clone();
        for (index, room) in self.room_for_names(width).into_iter().enumerate() {
            let Some(room) = room else { continue };
            let names: Vec<String> = self.rows.iter().map(|row| row[index].plain()).collect();
            for (row, name) in short.rows.iter_mut().zip(truncate::names(&names, room)) {
                if let Cell::Text(text) = &mut row[index] {
                    *text = name;
                }
            }
        }
        short
    }

    fn arranged(&self, width: Option<usize>) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        table.load_style(TableStyle::new());
        if let Some(width) = width {
            // The padding of the last column is cut off below.
            table.set_width(u16::try_from(width.saturating_add(2)).unwrap_or(u16::MAX));
            table.set_content_arrangement(ContentArrangement::Dynamic);
        }
        table.set_header(self.columns.iter().map(Column::shown_title));
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| match cell {
                Cell::Empty => "-".to_owned(),
                other => other.plain(),
            }));
        }
        for (index, column) in self.columns.iter().enumerate() {
            if let Some(shown) = table.column_mut(index) {
                shown.set_padding((0, 2));
                if column.align == Align::Right || column.holds == Holds::Names {
                    // A number in two pieces would look like two numbers, and a name like two names.
                    shown.set_constraint(ColumnConstraint::ContentWidth);
                }
                shown.set_cell_alignment(match column.align {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        table
    }
}
