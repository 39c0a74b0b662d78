//! Code shared by games on boards of squares: sets of squares, lines, rows of tokens, and evaluations for two
//! sides.

use std::fmt::Write;

use crate::notation::{NotAPosition, Square, bad_position, plain_number};
use linesman_types::seat::{BySeat, Seat};

/// A machine word with a bit for each square.
pub(crate) trait Bits: Copy {
    /// Removes the lowest bit and returns its index.
    fn pop(&mut self) -> Option<u32>;
}

macro_rules! bits {
    ($($word:ty),*) => {
        $(impl Bits for $word {
            #[inline]
            fn pop(&mut self) -> Option<u32> {
                let index = (*self != 0).then(|| self.trailing_zeros())?;
                *self &= *self - 1;
                Some(index)
            }
        })*
    };
}

bits!(u16, u64, u128);

/// Iterates over the indices of the bits of a set, lowest first.
#[inline]
pub(crate) fn squares(mut set: impl Bits) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || set.pop())
}

/// Iterates over every line of `length` squares on a board: to the east, north, north-east and north-west,
/// in each direction from the lowest rank and file on. The squares of a line are in the order of its
/// direction.
pub(crate) fn lines(width: usize, height: usize, length: usize) -> impl Iterator<Item = Vec<Square>> {
    let directions = [(1_isize, 0_isize), (0, 1), (1, 1), (-1, 1)];
    directions.into_iter().flat_map(move |(east, north)| {
        let starts = (0..height).flat_map(move |rank| (0..width).map(move |file| (file, rank)));
        starts.filter_map(move |(file, rank)| {
            (0..length)
                .map(|step| {
                    let file = file.checked_add_signed(east * step as isize)?;
                    let rank = rank.checked_add_signed(north * step as isize)?;
                    (file < width && rank < height).then(|| Square::new(file, rank))
                })
                .collect()
        })
    })
}

/// The value of a finished game for its winner.
pub(crate) const WON: i32 = 100_000;

/// Returns the evaluation for each seat if two sides take turns: by the index of the side that has won, or else by the
/// worth of each side, of which the other side's is subtracted.
#[inline]
pub(crate) fn two_sided(seats: usize, winner: Option<usize>, worth: impl Fn(usize) -> i32) -> BySeat<i32> {
    let first = match winner {
        Some(0) => WON,
        Some(_) => -WON,
        None => worth(0) - worth(1),
    };
    BySeat::from_fn(seats, |seat| if seat.index() % 2 == 0 { first } else { -first })
}

/// The symbol of a square without a piece.
pub(crate) const EMPTY: char = '.';

/// A token of three fields, `rows:seat:ply`.
pub(crate) struct Token<'t> {
    rows: &'t str,
    to_move: &'t str,
    ply: &'t str,
}

impl<'t> Token<'t> {
    /// Splits a text at its colons.
    pub(crate) fn split(text: &'t str) -> Result<Token<'t>, NotAPosition> {
        let fields: Vec<&str> = text.split(':').collect();
        let [rows, to_move, ply] = fields[..] else {
            return Err(bad_position(
                format!("{} of 3 fields", fields.len()),
                "a position consists of the rows, the seat to move and the ply, joined by `:`",
            ));
        };
        Ok(Token { rows, to_move, ply })
    }

    /// Reads each cell of a square board. The cells of a row are side by side or separated by commas; `noun`
    /// names them.
    pub(crate) fn cells(
        &self,
        size: usize,
        cells: Cells,
        noun: &str,
        mut read: impl FnMut(Square, &'t str) -> Result<(), String>,
    ) -> Result<(), NotAPosition> {
        let rows: Vec<&str> = self.rows.split('/').collect();
        if rows.len() != size {
            return Err(bad_position("field 1", format!("there are {} rows, not {size}", rows.len())));
        }
        for (index, row) in rows.into_iter().enumerate() {
            let place = format!("row {} from the top", index + 1);
            let columns: Vec<&str> = match cells {
                Cells::Symbols => row.split_inclusive(|_| true).collect(),
                Cells::Commas => row.split(',').collect(),
            };
            if columns.len() != size {
                let why = format!("the row has {} {noun}, not {size}", columns.len());
                return Err(bad_position(place, why));
            }
            for (file, cell) in columns.into_iter().enumerate() {
                read(Square::new(file, size - 1 - index), cell)
                    .map_err(|why| bad_position(format!("{place}, column {}", file + 1), why))?;
            }
        }
        Ok(())
    }

    /// Reads the squares of a square board that do not show [`EMPTY`] but one of `symbols`, given by its index. `noun`
    /// names a square.
    pub(crate) fn symbols(
        &self,
        size: usize,
        noun: &str,
        symbols: &[char],
        mut read: impl FnMut(Square, usize),
    ) -> Result<(), NotAPosition> {
        self.cells(size, Cells::Symbols, &format!("{noun}s"), |square, cell| {
            let found = cell.chars().next().unwrap_or(EMPTY);
            if let Some(number) = symbols.iter().position(|known| *known == found) {
                read(square, number);
            } else if found != EMPTY {
                let known = one_of([EMPTY].iter().chain(symbols).map(|known| format!("`{known}`")));
                return Err(format!("a {noun} must be {known}, not {found:?}"));
            }
            Ok(())
        })
    }

    /// Reads the ply and checks that the seat to move, one of `seats` in turn, has its turn then. `must`
    /// describes the required ply.
    pub(crate) fn ply(&self, seats: usize, max: u32, must: &str) -> Result<u32, NotAPosition> {
        let to_move = Seat::all(seats).find(|seat| seat.to_string() == self.to_move).ok_or_else(|| {
            let known = one_of(Seat::all(seats).map(|seat| seat.to_string()));
            bad_position("field 2", format!("the seat to move must be {known}, not {:?}", self.to_move))
        })?;
        let ply = plain_number::<u32>(self.ply).filter(|ply| *ply <= max).ok_or_else(|| {
            let why = format!("the ply {must} without a sign or leading zeros, not {:?}", self.ply);
            bad_position("field 3", why)
        })?;
        let turn = Seat::from_index(ply as usize % seats);
        if turn != to_move {
            let why = format!("at ply {ply} it is seat {turn}'s turn, not seat {to_move}'s");
            return Err(bad_position("fields 2 and 3", why));
        }
        Ok(ply)
    }
}

/// The notation of the cells of a row.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(crate) enum Cells {
    /// One symbol each.
    Symbols,
    /// Separated by commas.
    Commas,
}

/// Appends a token: the rows of a square board from the top, the seat to move and the ply.
pub(crate) fn write_token(
    size: usize,
    cells: Cells,
    mut write_cell: impl FnMut(Square, &mut String),
    to_move: Seat,
    ply: u32,
    text: &mut String,
) {
    for rank in (0..size).rev() {
        for file in 0..size {
            if cells == Cells::Commas && file > 0 {
                text.push(',');
            }
            write_cell(Square::new(file, rank), text);
        }
        text.push(if rank == 0 { ':' } else { '/' });
    }
    write!(text, "{to_move}:{ply}").expect("writing to a string can't fail");
}

/// Appends a token with one symbol for each square, [`EMPTY`] where `symbol_at` has none.
pub(crate) fn write_symbols(
    size: usize,
    symbol_at: impl Fn(Square) -> Option<char>,
    to_move: Seat,
    ply: u32,
    text: &mut String,
) {
    let write = |square, text: &mut String| text.push(symbol_at(square).unwrap_or(EMPTY));
    write_token(size, Cells::Symbols, write, to_move, ply, text);
}

/// Lists alternatives in words: `a, b or c`.
pub(crate) fn one_of(things: impl Iterator<Item = String>) -> String {
    let things: Vec<String> = things.collect();
    match things.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => things.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lie_in_four_directions() {
        let lines = |width, height, length| {
            let text = |line: Vec<Square>| line.iter().map(Square::to_string).collect::<String>();
            super::lines(width, height, length).map(text).collect::<Vec<String>>()
        };
        assert_eq!(lines(2, 2, 2), ["a1b1", "a2b2", "a1a2", "b1b2", "a1b2", "b1a2"]);
        assert_eq!(lines(3, 1, 3), ["a1b1c1"]);
        assert_eq!(lines(4, 4, 3).len(), 24);
    }

    #[test]
    fn squares_of_a_set_are_in_order() {
        assert_eq!(squares(0b1011_u16).collect::<Vec<u32>>(), [0, 1, 3]);
        assert_eq!(squares(1_u128 << 127 | 1).collect::<Vec<u32>>(), [0, 127]);
        assert_eq!(squares(0_u64).next(), None);
    }
}
