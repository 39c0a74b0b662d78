//! Layout of tables in windows that are too narrow: columns are left out, tables are split, and names are
//! shortened.

use crate::table::{COLUMN_GAP, Table};
use crate::truncate;

/// The adaptation of a table to a window that is too narrow.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Columns are left out group by group, in this order.
    LeaveOut(&'static [&'static [&'static str]]),
    /// The table is split, with this number of its first columns repeated in each part.
    Part(usize),
}

/// Columns that standings can leave out. Those about games that were not decided by play are left out last.
pub const STANDINGS: Layout = Layout::LeaveOut(&[
    &["overhead_ms", "overhead_max_ms"],
    &["cpu_share"],
    &["off_move_ms"],
    &["depth"],
    &["mean_ms"],
    &["voids"],
    &["wins", "draws", "losses", "place_1", "place_2", "place_3", "place_4"],
    &["points"],
    &["interval"],
    &["games"],
    &["elo"],
    &["rank"],
    &["faults"],
    &["overload"],
]);

/// Columns that the standings of a Swiss by its own rules can leave out.
pub const TIE_BREAKS: Layout =
    Layout::LeaveOut(&[&["sonneborn_berger"], &["buchholz"], &["buchholz_cut_1"], &["rank"]]);

/// Formats a table as text, at most `width` columns wide if that is given and possible. A line below it names the
/// columns that were left out.
pub fn text(table: &Table, layout: Layout, width: Option<usize>) -> String {
    let (tables, left_out) = match (width, layout) {
        (None, _) => (vec![table.clone()], Vec::new()),
        (Some(width), Layout::LeaveOut(groups)) => {
            let (table, left_out) = narrowed(table, groups, width);
            (vec![table], left_out)
        }
        (Some(width), Layout::Part(repeated)) => (parted(table, repeated, width), Vec::new()),
    };
    let tables: Vec<String> = tables.iter().map(|table| table.to_text(width)).collect();
    let mut text = tables.join("\n");
    if let Some(width) = width.filter(|_| !left_out.is_empty()) {
        let words = format!("Left out for lack of space: {}.", left_out.join(", "));
        for line in truncate::wrapped(&words, width, 0) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Returns the minimum width of a table in a window of this width.
pub(crate) fn min_width(table: &Table, width: usize) -> usize {
    let widths = table.min_widths(width);
    widths.iter().sum::<usize>() + COLUMN_GAP * widths.len().saturating_sub(1)
}

/// Returns the table without the columns that do not fit, and the titles of these.
fn narrowed(table: &Table, groups: &[&[&str]], width: usize) -> (Table, Vec<String>) {
    let mut left_out = Vec::new();
    let mut narrow = table.clone();
    for group in groups {
        if min_width(&narrow, width) <= width {
            break;
        }
        let is_left_out = |key: &str| group.contains(&key);
        let titles = narrow.columns().iter().filter(|column| is_left_out(&column.key));
        left_out.extend(titles.map(|column| column.shown_title()).filter(|title| !title.is_empty()));
        narrow = narrow.only(|_, column| !is_left_out(&column.key));
    }
    (narrow, left_out)
}

/// Splits the table into parts that fit, each with the first columns. A single column stays whole even if it does not
/// fit.
fn parted(table: &Table, repeated: usize, width: usize) -> Vec<Table> {
    let widths = table.min_widths(width);
    let head: usize = widths.iter().take(repeated).map(|width| width + COLUMN_GAP).sum();
    let mut parts: Vec<std::ops::Range<usize>> = Vec::new();
    let mut used = usize::MAX;
    for (index, column_width) in widths.iter().enumerate().skip(repeated) {
        let more = column_width + COLUMN_GAP;
        // The last column of a part has no gap after it.
        if used.saturating_add(more) > width + COLUMN_GAP {
            parts.push(index..index);
            used = head;
        }
        used += more;
        if let Some(part) = parts.last_mut() {
            part.end = index + 1;
        }
    }
    if parts.is_empty() {
        return vec![table.clone()];
    }
    parts.iter().map(|part| table.only(|index, _| index < repeated || part.contains(&index))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Cell, Column};

    const NAMES_OF_BOTS: [&str; 4] = [
        "my-very-long-experimental-bot-v2.1-rc1",
        "my-very-long-experimental-bot-v2.1-rc2",
        "囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁囲碁",
        "ab",
    ];

    fn standings() -> Table {
        let numbers = ["games", "points", "score", "wins", "draws", "losses", "elo", "interval", "faults"];
        let cells = [16, 12, 1, 12, 0, 4, 1871].map(Cell::Integer);
        let cells = cells.into_iter().chain([Cell::Text("1585..2156".to_owned()), Cell::Integer(0)]);
        let named = [
            Column::number("rank").titled("#").of(|(rank, _): &(u64, &str)| Cell::count(*rank)),
            Column::name("bot").of(|(_, name): &(u64, &str)| Cell::text(name)),
        ];
        let numbers = numbers
            .into_iter()
            .zip(cells)
            .map(|(key, cell)| Column::number(key).of(move |_: &(u64, &str)| cell.clone()));
        Table::of(named.into_iter().chain(numbers), (1..).zip(NAMES_OF_BOTS))
    }

    #[test]
    fn names_stay_on_one_line_and_stay_distinct() {
        for width in 30..=140 {
            let text = text(&standings(), STANDINGS, Some(width));
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.iter().all(|line| truncate::columns(line) <= width), "{width}:\n{text}");
            for (rank, line) in lines[1..5].iter().enumerate() {
                assert!(line.starts_with(&format!("{}  ", rank + 1)), "{width}:\n{text}");
            }
            assert!(lines[1].contains("rc1") && lines[2].contains("rc2"), "{width}:\n{text}");
        }
    }

    #[test]
    fn columns_are_left_out_before_names_are_cut_below_a_third_of_the_window() {
        let eighty = text(&standings(), STANDINGS, Some(80));
        insta::assert_snapshot!(eighty, @r"
        #  bot                            games  points  score   elo    interval  faults
        1  my-very-long-e…l-bot-v2.1-rc1     16      12      1  1871  1585..2156       0
        2  my-very-long-e…l-bot-v2.1-rc2     16      12      1  1871  1585..2156       0
        3  囲碁囲碁囲碁囲…碁囲碁囲碁囲碁     16      12      1  1871  1585..2156       0
        4  ab                                16      12      1  1871  1585..2156       0
        Left out for lack of space: wins, draws, losses.
        ");
        let wide = text(&standings(), STANDINGS, Some(120));
        assert!(!wide.contains('…') && !wide.contains("Left out"), "{wide}");
        let narrow = text(&standings(), STANDINGS, Some(40));
        assert!(narrow.contains("score") && narrow.contains("…"), "{narrow}");
    }

    #[test]
    fn each_part_begins_with_the_repeated_columns() {
        let parts = text(&standings().only(|index, _| index > 0), Layout::Part(1), Some(50));
        assert!(parts.matches("bot ").count() > 1, "{parts}");
        assert_eq!(parts.matches("interval").count(), 1, "{parts}");
    }
}
