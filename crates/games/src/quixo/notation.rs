//! Moves and positions as text, and why a text is not a move.

use std::fmt::Write;

use crate::grid::{self, Cells, Token, one_of};
use crate::notation::{NotAMove, NotAPosition, Square, bad_position, counted};
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
    let squares = Square::parse_pair(text);
    squares.and_then(|(from, to)| Move::new(from, to)).ok_or_else(|| {
        let [first, above, last] = [(0, 0), (0, size - 1), (size - 1, size - 1)].map(|(file, rank)| Square::new(file, rank));
        NotAMove {
            why: format!(
                "a move is two squares from `{first}` to `{last}`, where a cube is taken and where it is put back, \
                 such as `{first}{above}`"
            ),
        }
    })
}

pub(super) fn write_position(size: usize, position: &Position, text: &mut String) {
    let symbol_at = |square| symbol_at(position, square);
    write_token(size, symbol_at, position.to_move(), position.ply(), text);
}

/// Returns the symbol that a cube shows, if it is not blank.
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

/// Appends a token of a board of cubes.
pub(crate) fn write_token(
    size: usize,
    symbol_at: impl Fn(Square) -> Option<char>,
    to_move: Seat,
    ply: u32,
    text: &mut String,
) {
    let cube = |square, text: &mut String| text.push(symbol_at(square).unwrap_or(BLANK));
    grid::write_token(size, Cells::Symbols, cube, to_move, ply, text);
}

/// Reads a token of a board of cubes: the squares of each symbol, and the ply, which determines the seat to
/// move at a table of `seats` seats.
pub(crate) fn read_token<const SYMBOLS: usize>(
    size: usize,
    symbols: [char; SYMBOLS],
    seats: usize,
    token: &str,
) -> Result<([u64; SYMBOLS], u32), NotAPosition> {
    let token = Token::split(token)?;
    let mut cubes = [0; SYMBOLS];
    token.cells(size, Cells::Symbols, "cubes", |square, cube| {
        let symbol = cube.chars().next().unwrap_or(BLANK);
        if let Some(number) = symbols.iter().position(|known| *known == symbol) {
            cubes[number] |= board::bit(square);
        } else if symbol != BLANK {
            let known = one_of([BLANK].into_iter().chain(symbols).map(|known| format!("`{known}`")));
            return Err(format!("a cube must be {known}, not {symbol:?}"));
        }
        Ok(())
    })?;
    let ply = token.ply(seats, u32::MAX, &format!("must be a number from 0 to {}", u32::MAX))?;
    Ok((cubes, ply))
}

/// Checks the numbers of cubes: each move adds at most one of the mover's symbol and removes none.
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
