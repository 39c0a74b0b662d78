//! Moves and positions as text, and why a text is not a move.

use std::fmt::Write;

use crate::grid::{Token, write_symbols};
use crate::notation::{NotAMove, NotAPosition, Square, bad_position, counted};
use crate::quixo::board;
use crate::quixo::{Move, Position};
use linesman_types::seat::Seat;

/// The symbols of the seats, in seat order.
const SYMBOLS: [char; 2] = ['x', 'o'];

pub(super) fn symbol(seat: Seat) -> char {
    SYMBOLS[seat.index()]
}

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
    let shows = |seat: &Seat, square| position.cubes(*seat) & board::bit(square) != 0;
    let symbol_at = |square| Seat::all(2).find(|seat| shows(seat, square)).map(symbol);
    write_symbols(size, symbol_at, position.to_move(), position.ply(), text);
}

pub(super) fn parse_position(size: usize, token: &str) -> Result<Position, NotAPosition> {
    let (cubes, ply) = read_token(size, SYMBOLS, 2, token)?;
    let position = Position::new(cubes, ply);
    check_counts(&position)?;
    Ok(position)
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
    token.symbols(size, "cube", &symbols, |square, number| cubes[number] |= board::bit(square))?;
    let ply = token.ply(seats, u32::MAX, &format!("must be a number from 0 to {}", u32::MAX))?;
    Ok((cubes, ply))
}

/// Checks the numbers of cubes: each move adds at most one of the mover's symbol and removes none.
fn check_counts(position: &Position) -> Result<(), NotAPosition> {
    let ply = position.ply();
    for seat in Seat::all(2) {
        let symbol = symbol(seat);
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
