//! Layouts: the colour of each square of the two boards.

use std::fmt;

use crate::options::{BadText, NamedText, TextForm};
use crate::scene::Tint;
use crate::tandem::board::{self, BITS, MAX_SIZE};

pub(super) const DEFAULT: &str = "latin6";

/// The named layouts and their files.
const FILES: &[(&str, &str)] = &[
    ("latin6", include_str!("layouts/latin6.txt")),
    ("quick5", include_str!("layouts/quick5.txt")),
    ("pairs7", include_str!("layouts/pairs7.txt")),
    ("blocks8", include_str!("layouts/blocks8.txt")),
];

/// The values of the option `layout`.
pub(super) const FORM: TextForm = TextForm {
    takes: "a name, `rows|rows` or `@FILE`",
    named: &[
        NamedText {
            name: "latin6",
            about: "6x6, six colors, each once in every row and column; no square has the same color on both boards",
        },
        NamedText {
            name: "quick5",
            about: "5x5, five colors, each once in every row and column: a short game, best with `line=4`",
        },
        NamedText {
            name: "pairs7",
            about: "7x7, seven colors; each pair of colors, one per board, occurs on exactly one square",
        },
        NamedText {
            name: "blocks8",
            about: "8x8, four colors: board 1 has blocks of one color, board 2 all four colors in each such block",
        },
    ],
    check: |text| Layout::of(text).map(|_| ()).map_err(|error| error.to_string()),
    of_file: Some(write_out),
};

/// The colours of two boards.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The squares of each colour on either board, in alphabetical order of the colours.
    pub(super) colours: Vec<(Tint, [u128; 2])>,
    /// The index in `colours` of each square's colour, by board and bit.
    pub(super) colour_of: [[u8; BITS]; 2],
}

/// A mistake in a layout, and its place.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct LayoutError {
    why: String,
    /// The board, the row from the top and the column, all from 0. A missing row is the row after the last.
    place: Option<(usize, usize, usize)>,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            None => f.write_str(&self.why),
            Some((board, row, column)) => {
                write!(f, "{} (board {}, row {}, column {})", self.why, board + 1, row + 1, column + 1)
            }
        }
    }
}

fn error_at(place: (usize, usize, usize), why: impl Into<String>) -> LayoutError {
    LayoutError { why: why.into(), place: Some(place) }
}

impl Layout {
    /// Reads the name of a layout, or a layout written out: both boards joined by `|`, their rows from the top
    /// joined by `/`.
    pub(super) fn of(text: &str) -> Result<Layout, LayoutError> {
        if text.contains(['/', '|']) {
            return Layout::of_rows(
                &text.split('|').map(|board| board.split('/').collect()).collect::<Vec<_>>(),
            );
        }
        match FILES.iter().find(|(name, _)| *name == text) {
            Some((_, file)) => Layout::of_rows(&boards_of_file(file).rows),
            None => {
                let names: Vec<String> = FILES.iter().map(|(name, _)| format!("`{name}`")).collect();
                let names = names.join(", ");
                let why =
                    format!("there is no such layout; use {names}, or write the layout out as `rows|rows`");
                Err(LayoutError { why, place: None })
            }
        }
    }

    fn of_rows(boards: &[Vec<&str>]) -> Result<Layout, LayoutError> {
        let [first, second] = boards else {
            let place = (boards.len().min(2), 0, 0);
            return Err(error_at(place, format!("a layout must have two boards, not {}", boards.len())));
        };
        let (height, width) = (first.len(), first[0].chars().count());
        for (number, board) in boards.iter().enumerate() {
            check_size(number, board, width, height)?;
        }
        let letters = |board: &[&str]| board.iter().flat_map(|row| row.bytes()).collect::<Vec<u8>>();
        for (number, rows, other) in [(0, first, letters(second)), (1, second, letters(first))] {
            let cells = rows.iter().enumerate().flat_map(|(row, text)| {
                text.bytes().enumerate().map(move |(column, letter)| (row, column, letter))
            });
            for (row, column, letter) in cells {
                if !other.contains(&letter) {
                    let colour = char::from(letter);
                    let why = format!("the color `{colour}` is missing on board {}", 2 - number);
                    return Err(error_at((number, row, column), why));
                }
            }
        }
        Ok(Layout::of_checked_rows(width, height, [first, second]))
    }

    /// Makes the layout from rows that have been checked.
    fn of_checked_rows(width: usize, height: usize, boards: [&Vec<&str>; 2]) -> Layout {
        let mut letters: Vec<u8> = boards[0].iter().flat_map(|row| row.bytes()).collect();
        letters.sort_unstable();
        letters.dedup();
        let colours = letters.iter().map(|letter| (Tint(char::from(*letter)), [0; 2])).collect();
        let mut layout = Layout { width, height, colours, colour_of: [[0; BITS]; 2] };
        for (number, rows) in boards.iter().enumerate() {
            for (square, letter) in
                board::squares(board::area(width, height)).zip(rows.iter().rev().flat_map(|row| row.bytes()))
            {
                let colour = letters.binary_search(&letter).expect("both boards have the same colours");
                layout.colours[colour].1[number] |= board::bit(square);
                layout.colour_of[number][usize::from(square)] = colour as u8;
            }
        }
        layout
    }

    /// Returns the colour of a square of a board, both given by index.
    pub(super) fn tint(&self, board: usize, square: u8) -> Tint {
        self.colours[usize::from(self.colour_of[board][usize::from(square)])].0
    }
}

/// Checks the size of a board and the letters of its squares.
fn check_size(number: usize, rows: &[&str], width: usize, height: usize) -> Result<(), LayoutError> {
    for (index, row) in rows.iter().enumerate() {
        for (column, symbol) in row.chars().enumerate() {
            if !symbol.is_ascii_lowercase() {
                return Err(error_at(
                    (number, index, column),
                    format!("a color must be a letter from `a` to `z`, not {symbol:?}"),
                ));
            }
        }
        let columns = row.chars().count();
        if !(2..=MAX_SIZE).contains(&columns) {
            let why = format!("a row must have 2 to {MAX_SIZE} squares, not {columns}");
            return Err(error_at((number, index, columns.min(MAX_SIZE)), why));
        }
        if columns != width {
            let why = format!("the row has {columns} squares, but the first row of board 1 has {width}");
            return Err(error_at((number, index, columns.min(width)), why));
        }
    }
    if !(2..=MAX_SIZE).contains(&rows.len()) {
        let why = format!("a board must have 2 to {MAX_SIZE} rows, not {}", rows.len());
        return Err(error_at((number, rows.len().min(MAX_SIZE), 0), why));
    }
    if rows.len() != height {
        let why = format!("the board has {} rows, but board 1 has {height}", rows.len());
        return Err(error_at((number, rows.len().min(height), 0), why));
    }
    Ok(())
}

/// The boards of a layout file, and the line in which each starts, from 1.
struct BoardsOfFile<'t> {
    rows: Vec<Vec<&'t str>>,
    starts: Vec<usize>,
}

/// Splits a file into boards at its empty lines. Empty lines at its end don't count.
fn boards_of_file(text: &str) -> BoardsOfFile<'_> {
    let mut boards = BoardsOfFile { rows: vec![Vec::new()], starts: vec![1] };
    for (index, line) in text.trim_end_matches(['\n', '\r']).lines().enumerate() {
        if line.is_empty() {
            boards.rows.push(Vec::new());
            boards.starts.push(index + 2);
        } else if let Some(rows) = boards.rows.last_mut() {
            rows.push(line);
        }
    }
    boards
}

/// Writes out the layout of a file.
fn write_out(text: &str) -> Result<String, BadText> {
    let boards = boards_of_file(text);
    if let Some(empty) = boards.rows.iter().position(Vec::is_empty) {
        let why = "a board is missing: a layout has two boards, separated by one empty line".to_owned();
        return Err(BadText { line: boards.starts[empty], column: 1, why });
    }
    match Layout::of_rows(&boards.rows) {
        Ok(_) => Ok(boards.rows.iter().map(|rows| rows.join("/")).collect::<Vec<_>>().join("|")),
        Err(error) => {
            let (board, row, column) = error.place.unwrap_or_default();
            // A missing board is reported at the line after the last one.
            let start = boards.starts.get(board).copied().unwrap_or_else(|| text.lines().count() + 1);
            Err(BadText { line: start + row, column: column + 1, why: error.why })
        }
    }
}
