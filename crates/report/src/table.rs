//! Data in rows and columns, and its three forms: a table for people, CSV for spreadsheets, JSON for
//! programs.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::io;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableStyle};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use crate::data::{ESTIMATE_DIGITS, decimal, rounded_to};
use crate::truncate;
use linesman_record::text::printable;

/// Minimum width of a column of texts, and of one of names.
const LEAST_TEXT: usize = 12;

/// Inverse of the fraction of the window that names may take before they are cut.
const NAMES: usize = 3;

/// Number of blanks between two columns.
pub(crate) const COLUMN_GAP: usize = 2;

/// Maximum length of a text, in bytes.
const MOST_TEXT: usize = 400;

/// Rows of cells under columns with names.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    key: String,
    title: String,
    align: Align,
    holds: Holds,
    about: Option<String>,
    unique: Unique,
}

/// The names of a column that are unique within its table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Unique {
    /// The key and the title.
    Both,
    /// The key.
    Key,
    /// Neither: users or bots chose them.
    Neither,
}

/// A column with its cells: a function of the row.
pub struct ColumnOf<'c, R: ?Sized> {
    column: Column,
    shown: Shown,
    cell: Box<dyn Fn(&R) -> Cell + 'c>,
}

/// The condition under which a table has a column.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    /// Always.
    Always,
    /// If a cell is neither empty nor zero.
    IfFilled,
    /// Never.
    Never,
}

impl<'c, R: ?Sized> ColumnOf<'c, R> {
    /// The same under a condition.
    #[must_use]
    pub fn shown(self, shown: Shown) -> Self {
        ColumnOf { shown, ..self }
    }

    /// The same if `wanted` is true.
    #[must_use]
    pub fn only_if(self, wanted: bool) -> Self {
        if wanted { self } else { self.shown(Shown::Never) }
    }
}

/// The origin of a column's words.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holds {
    /// Numbers and our own words.
    Data,
    /// Names that users or bots chose. They are cut if there is no room for them.
    Names,
    /// Texts that users or bots chose. They are wrapped if there is no room for them.
    Texts,
}

/// Alignment of the cells of a column.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

impl Column {
    /// A column of texts; `key` is its name in all three forms.
    pub fn text(key: impl Into<String>) -> Column {
        let key = key.into();
        Column {
            title: key.clone(),
            key,
            align: Align::Left,
            holds: Holds::Data,
            about: None,
            unique: Unique::Both,
        }
    }

    /// A column of foreign names; `key` is its name in all three forms.
    pub fn name(key: impl Into<String>) -> Column {
        Column { holds: Holds::Names, ..Column::text(key) }
    }

    /// A column of foreign texts; `key` is its name in all three forms.
    pub fn words_of_others(key: impl Into<String>) -> Column {
        Column { holds: Holds::Texts, ..Column::text(key) }
    }

    /// A column of numbers; `key` is its name in all three forms.
    pub fn number(key: impl Into<String>) -> Column {
        Column { align: Align::Right, ..Column::text(key) }
    }

    /// The same with another title for people.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Column {
        Column { title: title.into(), ..self }
    }

    /// The same with a title for people that another column of the table has, too.
    #[must_use]
    pub fn titled_alike(self, title: impl Into<String>) -> Column {
        Column { unique: Unique::Key, ..self.titled(title) }
    }

    /// The same with a foreign name, which another column may have, too.
    #[must_use]
    pub(crate) fn named_by_others(self) -> Column {
        Column { unique: Unique::Neither, ..self }
    }

    /// The column with its cells.
    pub fn of<'c, R: ?Sized>(self, cell: impl Fn(&R) -> Cell + 'c) -> ColumnOf<'c, R> {
        ColumnOf { column: self, shown: Shown::Always, cell: Box::new(cell) }
    }

    /// The same with a longer description.
    #[must_use]
    pub fn about(self, about: &str) -> Column {
        Column { about: Some(printable(about, MOST_TEXT)), ..self }
    }

    /// Its title for people, printable.
    pub(crate) fn shown_title(&self) -> String {
        printable(&self.title, MOST_TEXT)
    }

    /// Its name in data.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Alignment of its cells.
    pub(crate) fn align(&self) -> Align {
        self.align
    }

    /// Returns true if its cells hold foreign text.
    pub(crate) fn is_of_others(&self) -> bool {
        matches!(self.holds, Holds::Names | Holds::Texts)
    }

    /// The longer description, printable.
    pub(crate) fn more(&self) -> Option<&str> {
        self.about.as_deref()
    }
}

/// The content of a row under a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Unknown, which is not zero.
    Empty,
    /// A text. Foreign text has been made printable.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with decimals.
    Decimal {
        /// The number.
        value: f64,
        /// Number of decimals for people.
        digits: usize,
        /// Number of decimals in data.
        exact: usize,
    },
}

impl Cell {
    /// A foreign text, made printable.
    pub fn text(text: &str) -> Cell {
        Cell::Text(printable(text, MOST_TEXT))
    }

    /// A count.
    pub fn count(number: impl TryInto<i64>) -> Cell {
        Cell::Integer(number.try_into().unwrap_or(i64::MAX))
    }

    /// A number with this number of decimals; empty if it is not finite.
    pub fn decimal(value: f64, digits: usize) -> Cell {
        if value.is_finite() { Cell::Decimal { value, digits, exact: digits } } else { Cell::Empty }
    }

    /// An estimate or a share with this number of decimals for people, and the common number of decimals in
    /// data; empty if it is not finite.
    pub fn estimate(value: f64, digits: usize) -> Cell {
        Cell::decimal(value, ESTIMATE_DIGITS).shown_with(digits)
    }

    /// The same with another number of decimals for people.
    #[must_use]
    pub fn shown_with(self, shown: usize) -> Cell {
        match self {
            Cell::Decimal { value, exact, .. } => Cell::Decimal { value, digits: shown, exact },
            Cell::Empty | Cell::Text(_) | Cell::Integer(_) => self,
        }
    }

    /// True if it is neither empty nor zero.
    fn is_filled(&self) -> bool {
        !matches!(self, Cell::Empty | Cell::Integer(0))
    }

    /// A cell of an optional value; empty without one.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
        value.map_or(Cell::Empty, cell)
    }

    /// The cell as plain text; empty if it is unknown.
    pub fn plain(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Integer(number) => number.to_string(),
            Cell::Decimal { value, digits, .. } => decimal(*value, *digits),
        }
    }

    /// The cell in a CSV file: a text that a spreadsheet would take for a formula gets a leading apostrophe.
    fn inert(&self) -> String {
        match self {
            Cell::Text(text) => inert(text),
            Cell::Decimal { value, exact, .. } => decimal(*value, *exact),
            Cell::Empty | Cell::Integer(_) => self.plain(),
        }
    }
}

/// A foreign text for a CSV file: printable, uncut, and not a formula.
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

impl Table {
    /// The table of these columns for these rows.
    pub fn of<'c, R: ?Sized + 'c, B: Borrow<R>>(
        columns: impl IntoIterator<Item = ColumnOf<'c, R>>,
        rows: impl IntoIterator<Item = B>,
    ) -> Table {
        let columns: Vec<ColumnOf<'c, R>> =
            columns.into_iter().filter(|own| own.shown != Shown::Never).collect();
        let rows: Vec<Vec<Cell>> = (rows.into_iter())
            .map(|row| columns.iter().map(|own| (own.cell)(row.borrow())).collect())
            .collect();
        let kept: Vec<bool> = (columns.iter().enumerate())
            .map(|(index, own)| own.shown == Shown::Always || rows.iter().any(|row| row[index].is_filled()))
            .collect();
        let table = Table { columns: columns.into_iter().map(|own| own.column).collect(), rows };
        let table = table.only(|index, _| kept[index]);
        table.check_names();
        table
    }

    /// Looks for columns that programs or people could not tell apart, which is an error in the program.
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

    /// The rows.
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The same with an additional last column that repeats `key` under another name.
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

    /// The same with only the first rows.
    #[must_use]
    pub(crate) fn first(&self, rows: usize) -> Table {
        Table { columns: self.columns.clone(), rows: self.rows.iter().take(rows).cloned().collect() }
    }

    /// The same with only the wanted columns, by their number.
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

    /// Widths of the columns of [`Table::to_text`] without a limit.
    pub(crate) fn widths(&self) -> Vec<usize> {
        self.arranged(None).column_max_content_widths().into_iter().map(usize::from).collect()
    }

    /// Minimum width of each column: numbers are never broken, names are cut to a fraction of the window,
    /// other texts are broken.
    pub(crate) fn least_widths(&self, width: usize) -> Vec<usize> {
        let columns = self.columns.iter().zip(self.widths());
        let least = columns.map(|(column, own)| match (column.align, column.holds) {
            (Align::Right, _) => own,
            (Align::Left, Holds::Names) => own.min(LEAST_TEXT.max(width / NAMES)),
            (Align::Left, Holds::Data | Holds::Texts) => own.min(LEAST_TEXT),
        });
        least.collect()
    }

    /// Maximum length of names in each column of names, if they must be cut.
    fn room_for_names(&self, width: usize) -> Vec<Option<usize>> {
        let widths = self.widths();
        let mut given = self.least_widths(width);
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

    /// Plain text: a line of titles and a line for each row, each with its `\n`. At most `width` columns wide
    /// if that is given and possible: names are cut, other texts wrapped, numbers stay whole.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let mut text = match width {
            Some(width) => self.with_short_names(width).arranged(Some(width)).trim_fmt(),
            None => self.arranged(None).trim_fmt(),
        };
        text.push('\n');
        text
    }

    /// The same with names that fit.
    fn with_short_names(&self, width: usize) -> Table {
        let mut short = self.clone();
        for (index, room) in self.room_for_names(width).into_iter().enumerate() {
            let Some(room) = room else { continue };
            let names: Vec<String> = self.rows.iter().map(|row| row[index].plain()).collect();
            for (row, name) in short.rows.iter_mut().zip(truncate::names(&names, room)) {
                if let Cell::Text(own) = &mut row[index] {
                    *own = name;
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
        table.set_header(self.columns.iter().map(|column| printable(&column.title, MOST_TEXT)));
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

    /// CSV: a header, then a line for each row, quoted as in RFC 4180, with lines ended by `\n`.
    ///
    /// # Errors
    /// Any error of the output.
    pub fn write_csv(&self, output: impl io::Write) -> io::Result<()> {
        let mut rows = CsvRows::new(output, &self.columns)?;
        self.rows.iter().try_for_each(|row| rows.push(row))?;
        rows.finish()
    }
}

/// An array with an object for each row.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in &self.rows {
            rows.serialize_element(&RowObject { columns: &self.columns, row })?;
        }
        rows.end()
    }
}

/// A row as an object, in the order of the columns.
struct RowObject<'t> {
    columns: &'t [Column],
    row: &'t [Cell],
}

impl Serialize for RowObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.columns.len()))?;
        for (column, cell) in self.columns.iter().zip(self.row) {
            object.serialize_entry(&column.key, cell)?;
        }
        object.end()
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
        writer.write_record(columns.iter().map(|column| inert(&printable(&column.key, MOST_TEXT))))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        Table::of(
            [
                Column::text("bot").of(|row: &[Cell; 3]| row[0].clone()),
                Column::number("elo").titled("Elo").of(|row: &[Cell; 3]| row[1].clone()),
                Column::text("note").of(|row: &[Cell; 3]| row[2].clone()),
            ],
            [
                [Cell::text("greedy"), Cell::decimal(1512.345, 1), Cell::text("")],
                [Cell::text("=1+1"), Cell::decimal(-3.0, 1), Cell::text("say \"hi\", twice")],
                [Cell::text("\x1b[2J\u{202e}x"), Cell::decimal(f64::INFINITY, 1), Cell::Empty],
            ],
        )
    }

    #[test]
    fn a_column_is_left_out_where_it_says_nothing() {
        let number = |key| Column::number(key).of(|row: &u64| Cell::count(*row));
        let keys = |rows: &[u64]| {
            let columns = [
                number("always"),
                number("filled").shown(Shown::IfFilled),
                number("never").shown(Shown::Never),
                number("filled").only_if(false),
            ];
            Table::of(columns, rows).columns.into_iter().map(|column| column.key).collect::<Vec<_>>()
        };
        assert_eq!(keys(&[0, 1]), ["always", "filled"]);
        assert_eq!((keys(&[0]), keys(&[])), (vec!["always".to_owned()], vec!["always".to_owned()]));
    }

    #[test]
    fn columns_that_nobody_could_tell_apart_are_refused() {
        let refused = |columns: [Column; 2]| {
            let table = || Table::of(columns.map(|column| column.of(|row: &u64| Cell::count(*row))), [1]);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(table)).is_err()
        };
        let [time, other] = ["time_ms", "mean_ms"].map(|key| Column::number(key).titled("ms/move"));
        assert!(refused([time.clone(), other.clone()]) && refused([time.clone(), time.clone()]));
        assert!(refused([time.clone(), time.clone().titled("ms")]));
        assert!(!refused([time.clone(), other.titled_alike("ms/move")]));
        assert!(!refused([time.clone(), time.named_by_others()]));
    }

    #[test]
    fn a_table_for_people_is_plain_text() {
        insta::assert_snapshot!(example().to_text(None), @r#"
        bot                    Elo  note
        greedy              1512.3
        =1+1                  -3.0  say "hi", twice
        \u{1b}[2J\u{202e}x       -  -
        "#);
    }

    #[test]
    fn a_table_fits_the_width_given() {
        for width in [30, 40, 60] {
            let text = example().to_text(Some(width));
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
        }
    }

    #[test]
    fn csv_is_quoted_and_nothing_in_it_is_a_formula() {
        let mut bytes = Vec::new();
        example().write_csv(&mut bytes).unwrap();
        insta::assert_snapshot!(String::from_utf8(bytes).unwrap(), @r#"
        bot,elo,note
        greedy,1512.3,
        '=1+1,-3.0,"say ""hi"", twice"
        \u{1b}[2J\u{202e}x,,
        "#);
        for text in ["=A1", "+1", "-1", "@x", "\tx", "\r=x", " =x", "\u{ff1d}A1"] {
            assert!(Cell::Text(text.to_owned()).inert().starts_with('\''), "{text:?}");
        }
        assert_eq!(Cell::Integer(-1).inert(), "-1");
    }

    #[test]
    fn json_is_an_array_of_objects_in_the_order_of_the_columns() {
        assert_eq!(
            serde_json::to_string(&example()).unwrap(),
            r#"[{"bot":"greedy","elo":1512.3,"note":null},{"bot":"=1+1","elo":-3.0,"note":"say \"hi\", twice"},"#
                .to_owned()
                + r#"{"bot":"\\u{1b}[2J\\u{202e}x","elo":null,"note":null}]"#
        );
    }

    #[test]
    fn estimates_are_short_for_people_and_have_six_digits_in_data() {
        let estimate = Cell::estimate(2.0 / 3.0, 1);
        assert_eq!((estimate.plain(), estimate.inert()), ("0.7".to_owned(), "0.666667".to_owned()));
        assert_eq!(serde_json::to_string(&estimate).unwrap(), "0.666667");
        assert_eq!(serde_json::to_string(&Cell::estimate(1500.0, 0)).unwrap(), "1500.0");
        assert_eq!(Cell::estimate(f64::NAN, 1), Cell::Empty);
    }

    #[test]
    fn nothing_is_minus_zero() {
        assert_eq!(Cell::decimal(-0.04, 1).plain(), "0.0");
        assert_eq!(Cell::decimal(-0.05, 1).plain(), "-0.1");
    }
}
