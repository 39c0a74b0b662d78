//! Moves and positions as text.

use std::fmt::Write;

use crate::notation::{NotAMove, NotAPosition, Square, bad_position, counted, plain_number};
use crate::quixo::board;
use crate::quixo::{Move, Position};
use linesman_types::seat::Seat;

/// The symbols of the seats, in seat order.
pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];
const BLANK: char = '.';

pub(super) fn write_move(mv: Move, text: &mut String) {
    write!(text, "{}{}", mv.from(), mv.to()).expect("writing to a string can't fail");
}

pub(super) fn parse_move(size: usize, text: &str) -> Result<Move, NotAMove> {
    read_move(text).ok_or_else(|| {
        let [first, above, last] = [(0, 0), (0, size - 1), (size - 1, size - 1)].map(|(file, rank)| Square::new(file, rank));
        NotAMove {
            why: format!(
                "a move is two squares from `{first}` to `{last}`, where a cube is taken and where it is put back, \
                 such as `{first}{above}`"
            ),
        }
    })
}

fn read_move(text: &str) -> Option<Move> {
    let (from, rest) = Square::parse_prefix(text)?;
    let (to, rest) = Square::parse_prefix(rest)?;
    rest.is_empty().then(|| Move::new(from, to))?
}

pub(super) fn write_position(size: usize, position: &Position, text: &mut String) {
    let symbol_at = |square| symbol_at(position, square);
    write_token(size, symbol_at, position.to_move(), position.ply(), text);
}

/// Appends a token: the rows from the top, the seat to move and the ply.
pub(crate) fn write_token(
    size: usize,
    symbol_at: impl Fn(Square) -> Option<char>,
    to_move: Seat,
    ply: u32,
    text: &mut String,
) {
    for rank in (0..size).rev() {
        for file in 0..size {
            text.push(symbol_at(Square::new(file, rank)).unwrap_or(BLANK));
        }
        text.push(if rank == 0 { ':' } else { '/' });
    }
    write!(text, "{to_move}:{ply}").expect("writing to a string can't fail");
}

/// The symbol that a cube shows, if it is not blank.
pub(super) fn symbol_at(position: &Position, square: Square) -> Option<char> {
    let seat = Seat::all(2).find(|seat| position.cubes(*seat) & board::bit(square) != 0)?;
    Some(SYMBOLS[seat.index()])
}

pub(super) fn parse_position(size: usize, token: &str) -> Result<Position, NotAPosition> {
    let (cubes, ply) = read_token(size, SYMBOLS, 2, token)?;
    let position = Position::new(cubes, ply);
    check_counts(&position)?;
    Ok(position)
}

/// Reads a token of a board of cubes: the squares of each symbol, and the ply,
/// which tells the seat to move at a table of `seats` seats.
pub(crate) fn read_token<const SYMBOLS: usize>(
    size: usize,
    symbols: [char; SYMBOLS],
    seats: usize,
    token: &str,
) -> Result<([u64; SYMBOLS], u32), NotAPosition> {
    let fields: Vec<&str> = token.split(':').collect();
    let [rows, to_move, ply] = fields[..] else {
        return Err(bad_position(
            format!("{} of 3 fields", fields.len()),
            "a position consists of the rows, the seat to move and the ply, joined by `:`",
        ));
    };
    let cubes = read_rows(size, symbols, rows)?;
    let to_move = Seat::all(seats).find(|seat| seat.to_string() == to_move).ok_or_else(|| {
        let known = one_of(Seat::all(seats).map(|seat| seat.to_string()));
        bad_position("field 2", format!("the seat to move must be {known}, not {to_move:?}"))
    })?;
    let ply = plain_number(ply).ok_or_else(|| {
        bad_position(
            "field 3",
            format!(
                "the ply must be a number from 0 to {} without a sign or leading zeros, not {ply:?}",
                u32::MAX
            ),
        )
    })?;
    let turn = Seat::from_index(ply as usize % seats);
    if turn != to_move {
        let why = format!("at ply {ply} it is seat {turn}'s turn, not seat {to_move}'s");
        return Err(bad_position("fields 2 and 3", why));
    }
    Ok((cubes, ply))
}

fn read_rows<const SYMBOLS: usize>(
    size: usize,
    symbols: [char; SYMBOLS],
    text: &str,
) -> Result<[u64; SYMBOLS], NotAPosition> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != size {
        return Err(bad_position("field 1", format!("there are {} rows, not {size}", rows.len())));
    }
    let mut cubes = [0; SYMBOLS];
    for (index, row) in rows.iter().enumerate() {
        let place = format!("row {} from the top", index + 1);
        let columns = row.chars().count();
        if columns != size {
            return Err(bad_position(place, format!("the row has {columns} cubes, not {size}")));
        }
        for (file, symbol) in row.chars().enumerate() {
            if let Some(number) = symbols.iter().position(|known| *known == symbol) {
                cubes[number] |= board::bit(Square::new(file, size - 1 - index));
            } else if symbol != BLANK {
                let known = one_of([BLANK].into_iter().chain(symbols).map(|known| format!("`{known}`")));
                return Err(bad_position(
                    format!("{place}, column {}", file + 1),
                    format!("a cube must be {known}, not {symbol:?}"),
                ));
            }
        }
    }
    Ok(cubes)
}

/// Things of which it is one, in words: `a, b or c`.
fn one_of(things: impl Iterator<Item = String>) -> String {
    let things: Vec<String> = things.collect();
    match things.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => things.concat(),
    }
}

/// Each move adds at most one cube of the mover's symbol and takes none away.
fn check_counts(position: &Position) -> Result<(), NotAPosition> {
    let ply = position.ply();
    for seat in Seat::all(2) {
        let symbol = SYMBOLS[seat.index()];
        let cubes = position.cubes(seat).count_ones();
        let moves = if seat == Seat::FIRST { ply.div_ceil(2) } else { ply / 2 };
        if cubes > moves {
            let (cubes, moves) =
                (counted(cubes, "cube shows", "cubes show"), counted(moves, "move", "moves"));
            let why = format!("{cubes} `{symbol}`, but at ply {ply} its seat has made {moves}");
            return Err(bad_position("fields 1 and 3", why));
        }
        if cubes == 0 && moves > 0 {
            let why = format!("no cube shows `{symbol}`, but at ply {ply} its seat has moved");
            return Err(bad_position("fields 1 and 3", why));
        }
    }
    Ok(())
}
