//! Moves and positions as text, and why a text is not a move.

use std::fmt::Write;

use crate::grid::{self, Cells, Token};
use crate::notation::{NotAMove, NotAPosition, Square, bad_position, plain_number};
use crate::scene::Direction;
use crate::trexo::board::{self, SQUARES, Squares};
use crate::trexo::position::TopHalf;
use crate::trexo::{MAX_TILES, Move, Position, Trexo};
use linesman_types::seat::Seat;

/// The symbols of the seats, in seat order.
pub(super) const SYMBOLS: [char; 2] = ['x', 'o'];
const EMPTY: &str = ".";

pub(super) fn write_move(mv: Move, text: &mut String) {
    write!(text, "{}{}", mv.cross(), mv.nought()).expect("writing to a string can't fail");
}

pub(super) fn parse_move(size: usize, text: &str) -> Result<Move, NotAMove> {
    let squares = Square::parse_pair(text);
    squares.and_then(|(cross, nought)| Move::new(cross, nought)).ok_or_else(|| {
        let [first, beside, last] = [(0, 0), (1, 0), (size - 1, size - 1)].map(|(file, rank)| Square::new(file, rank));
        NotAMove {
            why: format!(
                "a move is two squares from `{first}` to `{last}`, first that of the tile's X half, then that of its O \
                 half, such as `{first}{beside}`"
            ),
        }
    })
}

pub(super) fn write_position(size: usize, position: &Position, text: &mut String) {
    let write = |square, text: &mut String| write_cell(position, board::number(square), text);
    grid::write_token(size, Cells::Commas, write, position.to_move(), position.ply(), text);
}

fn write_cell(position: &Position, number: u8, text: &mut String) {
    let Some(seat) = seat_at(position, number) else { return text.push_str(EMPTY) };
    let cell = position.cell(number);
    write!(text, "{}{}{}", SYMBOLS[seat.index()], letter(cell.joint()), cell.level())
        .expect("writing to a string can't fail");
}

/// Returns the seat whose symbol a square shows, if a tile lies on it.
pub(super) fn seat_at(position: &Position, number: u8) -> Option<Seat> {
    Seat::all(2).find(|seat| position.shown(*seat).contains(number))
}

fn letter(direction: Direction) -> char {
    match direction {
        Direction::North => 'n',
        Direction::East => 'e',
        Direction::South => 's',
        Direction::West => 'w',
    }
}

pub(super) fn parse_position(rules: &Trexo, token: &str) -> Result<Position, NotAPosition> {
    let size = rules.board.size;
    let token = Token::split(token)?;
    let mut board = TokenBoard { size, shown: [Squares::NONE; 2], cells: [TopHalf::EMPTY; SQUARES] };
    token.cells(size, Cells::Commas, "cells (separated by `,`)", |square, cell| board.read(square, cell))?;
    let must = format!("(the number of tiles laid) must be 0 to {},", rules.tiles);
    let ply = token.ply(2, rules.tiles, &must)?;
    let levels = board.levels();
    if levels != 2 * ply {
        let why = format!("the levels add up to {levels}, but at ply {ply} they must add up to {}", 2 * ply);
        return Err(bad_position("fields 1 and 3", why));
    }
    board.check_joints()?;
    Ok(Position::new(&rules.board, board.shown, board.cells, ply))
}

/// The board that a token describes.
struct TokenBoard {
    size: usize,
    shown: [Squares; 2],
    cells: [TopHalf; SQUARES],
}

impl TokenBoard {
    /// The place of a square in the token.
    fn place(&self, square: Square) -> String {
        format!("row {} from the top, column {}", self.size - square.rank(), square.file() + 1)
    }

    fn read(&mut self, square: Square, text: &str) -> Result<(), String> {
        if text == EMPTY {
            return Ok(());
        }
        let no_cell = || {
            format!(
                "{text:?} is not a cell: write `.`, or `x` or `o`, the side of the tile's other half (`n`, `e`, `s` or `w`) and the level, such as `xe1`"
            )
        };
        let mut symbols = text.chars();
        let symbol = symbols.next();
        let seat = SYMBOLS.iter().position(|known| Some(*known) == symbol).ok_or_else(no_cell)?;
        let side = symbols.next();
        let joint =
            Direction::ALL.into_iter().find(|joint| Some(letter(*joint)) == side).ok_or_else(no_cell)?;
        // At least two squares are at this level, so no level exceeds the number of tiles.
        let level = plain_number::<u32>(symbols.as_str()).filter(|level| (1..=MAX_TILES).contains(level));
        let level = level.ok_or_else(|| {
            format!(
                "the level in {text:?} must be a number from 1 to {MAX_TILES} without a sign or leading zeros"
            )
        })?;
        let number = board::number(square);
        self.shown[seat].insert(number);
        self.cells[usize::from(number)] = TopHalf::new(level as u16, joint);
        Ok(())
    }

    fn cell(&self, square: Square) -> TopHalf {
        self.cells[usize::from(board::number(square))]
    }

    fn levels(&self) -> u32 {
        self.cells.iter().map(|cell| u32::from(cell.level())).sum()
    }

    /// Checks that the other half of each visible half is next to it or covered.
    fn check_joints(&self) -> Result<(), NotAPosition> {
        for rank in (0..self.size).rev() {
            for square in (0..self.size).map(|file| Square::new(file, rank)) {
                if self.cell(square) != TopHalf::EMPTY {
                    self.check_joint(square).map_err(|why| bad_position(self.place(square), why))?;
                }
            }
        }
        Ok(())
    }

    fn check_joint(&self, square: Square) -> Result<(), String> {
        let cell = self.cell(square);
        let Some(other) = self.towards(square, cell.joint()) else {
            return Err(format!("the half on `{square}` points off the board"));
        };
        let (level, over) = (cell.level(), self.cell(other).level());
        if over == 0 {
            return Err(format!("the half on `{square}` points at `{other}`, which is empty"));
        }
        if over < level {
            return Err(format!(
                "the half on `{square}` at level {level} points at `{other}`, which is only at level {over}"
            ));
        }
        if over > level {
            return Ok(());
        }
        if self.towards(other, self.cell(other).joint()) != Some(square) {
            return Err(format!(
                "the half on `{square}` points at `{other}` at the same level, but that half does not point back"
            ));
        }
        if self.shown.iter().any(|set| [square, other].iter().all(|at| set.contains(board::number(*at)))) {
            return Err(format!("`{square}` and `{other}` are halves of one tile but show the same symbol"));
        }
        Ok(())
    }

    fn towards(&self, square: Square, direction: Direction) -> Option<Square> {
        let (file, rank) = (square.file(), square.rank());
        let (file, rank) = match direction {
            Direction::North => (file, rank + 1),
            Direction::East => (file + 1, rank),
            Direction::South => (file, rank.checked_sub(1)?),
            Direction::West => (file.checked_sub(1)?, rank),
        };
        (file < self.size && rank < self.size).then(|| Square::new(file, rank))
    }
}
