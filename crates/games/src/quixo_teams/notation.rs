//! Moves and positions as text, and why a text is not a move.

use std::fmt::Write;

use crate::grid::write_symbols;
use crate::notation::{NotAMove, NotAPosition, Square, bad_position, counted};
use crate::quixo;
use crate::quixo::board;
use crate::quixo::notation::read_token;
use crate::quixo_teams::position::{FIRST_ROUND, SEATS, SIZE};
use crate::quixo_teams::{Dot, Move, Position, Push};
use linesman_types::seat::Side;

const PASS: &str = "pass";
/// The letters of the dots, in the order of [`Dot::ALL`].
const LETTERS: [char; SEATS] = ['s', 'w', 'n', 'e'];

pub(super) fn symbol(side: Side) -> char {
    if side.index() == 0 { 'x' } else { 'o' }
}

pub(super) fn letter(dot: Dot) -> char {
    LETTERS[dot.seat().index()]
}

pub(super) fn write_move(mv: Move, text: &mut String) {
    match mv {
        Move::Pass => text.push_str(PASS),
        Move::Push(Push { cube, dot }) => write!(text, "{}{}{}", cube.from(), cube.to(), letter(dot))
            .expect("writing to a string can't fail"),
    }
}

pub(super) fn parse_move(text: &str) -> Result<Move, NotAMove> {
    if text == PASS {
        return Ok(Move::Pass);
    }
    read_push(text).map(Move::Push).ok_or_else(|| NotAMove {
        why: "a move is two squares from `a1` to `e5`, where a cube is taken and where it is put back, and the \
              direction of its dot, `n`, `e`, `s` or `w`, such as `c1c5n`; or it is `pass`"
            .to_owned(),
    })
}

fn read_push(text: &str) -> Option<Push> {
    let square = |text| Square::parse_prefix(text).filter(|(square, _)| square.is_within(SIZE));
    let (from, rest) = square(text)?;
    let (to, rest) = square(rest)?;
    let dot = Dot::ALL.into_iter().find(|dot| rest.chars().eq([letter(*dot)]))?;
    Some(Push { cube: quixo::Move::new(from, to)?, dot })
}

pub(super) fn write_position(position: &Position, text: &mut String) {
    let symbol_at = |square| dot_at(position, square).map(letter);
    write_symbols(SIZE, symbol_at, position.to_move(), position.ply(), text);
}

/// Returns the dot of a cube, if the cube is not blank.
pub(super) fn dot_at(position: &Position, square: Square) -> Option<Dot> {
    Dot::ALL.into_iter().find(|dot| position.dotted(*dot) & board::bit(square) != 0)
}

pub(super) fn parse_position(token: &str) -> Result<Position, NotAPosition> {
    let (cubes, ply) = read_token(SIZE, LETTERS, SEATS, token)?;
    let position = Position::new(cubes, ply);
    check_counts(&position)?;
    Ok(position)
}

/// Checks the numbers of cubes: each move adds at most one of the mover's symbol and removes none. In the first
/// round, in which only blank cubes may be taken, each move adds exactly one.
fn check_counts(position: &Position) -> Result<(), NotAPosition> {
    let place = "fields 1 and 3";
    let ply = position.ply();
    let cubes = position.both().map(u64::count_ones);
    for (side, cubes) in [0, 1].map(Side::from_index).into_iter().zip(cubes) {
        let (moves, seats) =
            if side.index() == 0 { (ply.div_ceil(2), "1 and 3") } else { (ply / 2, "2 and 4") };
        if cubes > moves {
            let shown = symbol(side);
            let (cubes, moves) =
                (counted(cubes, "cube shows", "cubes show"), counted(moves, "move", "moves"));
            let why = format!("{cubes} `{shown}`, but at ply {ply} seats {seats} have made {moves}");
            return Err(bad_position(place, why));
        }
    }
    let marked: u32 = cubes.iter().sum();
    if ply <= FIRST_ROUND && marked != ply {
        let why = format!(
            "{} a symbol, but at ply {ply} there must be {ply}: in the first round each move marks a blank cube",
            counted(marked, "cube shows", "cubes show")
        );
        return Err(bad_position(place, why));
    }
    Ok(())
}
