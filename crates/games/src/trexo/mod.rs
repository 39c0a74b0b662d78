//! Trexo: lay tiles with a cross and a nought, make a line seen from above.
//!
//! Every tile has an X half and an O half and covers two neighbouring squares. Both seats lay from one stock;
//! tiles are never moved. A tile lies on the board, or flat on halves of two different tiles at one level, at
//! any height. Only the symbols visible from above count, at any level: a line of crosses wins for seat 1, a line
//! of noughts for seat 2, and if a tile makes both, the seat that did not lay it wins. An option sets the minimum
//! length of a line. Without a line the game is a draw when the stock is empty or there is no room for a tile.
//!
//! # How high tiles can lie
//!
//! Under the top tile of a pile, each level holds halves of two different tiles. So level `n` takes at least
//! `2 * n - 1` tiles, and this number is enough: two tiles side by side, two across them, and so on. With `t`
//! tiles the highest level is `(t + 1) / 2`: 30 of the usual 60, 256 of 512. A token can contain levels up to
//! `t`, since its checks examine two levels at a time.
//!
//! # Positions
//!
//! The levels add up to twice the ply, so no position recurs.
//! A position holds the squares that show each symbol, the level and the joint of each square, and the pairs
//! of neighbours on which a tile can lie. A tile changes only the pairs around its two squares, so legal
//! moves are listed without examining the board, and counted by counting bits.

mod board;
mod evaluate;
mod explain;
mod moves;
mod notation;
mod position;
mod scene;
#[cfg(test)]
mod tests;

use crate::ending::{Ending, LINE};
use crate::notation::{Illegal, NotAMove, NotAPosition};
use crate::options::{Bound, OptionError, OptionSpec, OptionValues};
use crate::rules::Rules;
use crate::scene::{PieceProperty, Scene};
use crate::solvable::{Solvable, Unsolvable};
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::Reason;

use board::{Geometry, SQUARES};
use position::TopHalf;

/// The reason if no tile is left.
pub const STOCK: Reason = Reason::new("stock", "with no tile left");
/// The reason if there is no room for a tile.
pub const BLOCKED: Reason = Reason::new("blocked", "with no room for a tile");

pub use moves::Move;
pub use position::Position;

/// The rules of Trexo on a board of one size, with one stock of tiles.
#[derive(Clone, Debug)]
pub struct Trexo {
    board: Geometry,
    tiles: u32,
    start: Position,
}

const MAX_TILES: u32 = 512;

impl Trexo {
    /// Makes the rules for a board of `size` rows and columns and `tiles` tiles; `line` equal symbols in a row
    /// make a line.
    pub(crate) fn new(size: usize, tiles: u32, line: usize) -> Trexo {
        let board = Geometry::new(size, line);
        Trexo { start: Position::start(&board), board, tiles }
    }

    fn winner(&self, position: &Position) -> Option<Seat> {
        // A move that makes the opponent's line loses, even if it also makes one of the mover's own.
        let waiting = position.to_move();
        [waiting, waiting.next(2)].into_iter().find(|seat| position.is_lined(*seat))
    }

    fn is_stock_empty(&self, position: &Position) -> bool {
        position.ply() >= self.tiles
    }
}

impl Rules for Trexo {
    const ID: &'static str = "trexo";
    const TITLE: &'static str = "Trexo";
    const ABOUT: &'static str =
        "lay tiles of a cross and a nought, flat or stacked, until a line of your symbol shows";
    const REASONS: &'static [Reason] = &[LINE, STOCK, BLOCKED];
    const BREAKABLE: &'static [&'static str] =
        &["off-board", "same-square", "not-beside", "levels", "one-tile"];
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::size(10, 6, board::MAX_ROWS as i64),
        OptionSpec::fixed("tiles", "the number of tiles in the shared stock", 60, (1, MAX_TILES as i64)),
        OptionSpec::number(
            "line",
            "the number of equal symbols in a row that make a line",
            Bound::Fixed(5),
            (Bound::Fixed(3), Bound::By(|before| before.integer("size"))),
        ),
    ];

    type Position = Position;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Trexo, OptionError> {
        Ok(Trexo::new(values.count("size"), values.count("tiles") as u32, values.count("line")))
    }

    fn start(&self) -> Position {
        self.start
    }

    fn to_move(&self, position: &Position) -> Seat {
        position.to_move()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if !self.is_over(position) {
            position.every_move(moves);
        }
    }

    fn count_legal_moves(&self, position: &Position, _: &mut Vec<Move>) -> u64 {
        if self.is_over(position) {
            return 0;
        }
        let [east_open, north_open] = position.open();
        u64::from(2 * (east_open.count() + north_open.count()))
    }

    fn is_legal(&self, position: &Position, mv: Move, _: &mut Vec<Move>) -> bool {
        position.has_room(mv) && !self.is_over(position)
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.lay(&self.board, mv);
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        if let Some(winner) = self.winner(position) {
            let marks = self.lines(position, winner);
            let why = self.why_won(position, winner, &marks);
            Some(Ending::won_by(winner, &self.teams(), LINE, marks, why))
        } else if self.is_stock_empty(position) {
            Some(Ending::drawn(&self.teams(), STOCK, self.why_out_of_stock()))
        } else if position.is_blocked() {
            Some(Ending::drawn(&self.teams(), BLOCKED, self.why_blocked(position)))
        } else {
            None
        }
    }

    fn is_over(&self, position: &Position) -> bool {
        position.is_any_lined() || self.is_stock_empty(position) || position.is_blocked()
    }

    fn evaluate(&self, position: &Position) -> BySeat<i32> {
        evaluate::evaluate(self, position)
    }

    fn explain(&self, position: &Position, mv: Move) -> Illegal {
        self.broken_rule(position, mv)
    }

    fn write_move(&self, mv: Move, text: &mut String) {
        notation::write_move(mv, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        notation::parse_move(self.board.size, text)
    }

    fn write_position(&self, position: &Position, text: &mut String) {
        notation::write_position(self.board.size, position, text);
    }

    fn parse_position(&self, token: &str) -> Result<Position, NotAPosition> {
        notation::parse_position(self, token)
    }

    fn scene(&self, position: &Position, last: Option<Move>) -> Scene {
        self.draw(position, last)
    }

    fn piece_properties(&self) -> Vec<PieceProperty> {
        // A tile lies on two others, so no level exceeds the number of tiles.
        let highest = i16::try_from(self.tiles).expect("there are few tiles");
        vec![PieceProperty::Pointer, PieceProperty::Level(highest)]
    }

    fn symmetries(&self) -> usize {
        OF_A_SQUARE
    }

    fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        let symmetry = GridSymmetry::new(symmetry);
        let size = self.board.size;
        let image = |number| board::number(symmetry.square(board::square(number), size, size));
        let shown = [Seat::FIRST, Seat::SECOND].map(|seat| position.shown(seat));
        let mut cells = [TopHalf::EMPTY; SQUARES];
        for number in (shown[0] | shown[1]).numbers() {
            let cell = position.cell(number);
            cells[usize::from(image(number))] = TopHalf::new(cell.level(), symmetry.direction(cell.joint()));
        }
        let shown = shown.map(|set| set.numbers().map(image).collect());
        Position::new(&self.board, shown, cells, position.ply())
    }

    fn transformed_move(&self, _: &Position, mv: Move, symmetry: usize) -> Move {
        let (symmetry, size) = (GridSymmetry::new(symmetry), self.board.size);
        let [cross, nought] = [mv.cross(), mv.nought()].map(|square| symmetry.square(square, size, size));
        Move::new(cross, nought).expect("squares of the board are seen on it")
    }

    fn solvable(&self) -> Result<Solvable<Position>, Unsolvable> {
        Err(Unsolvable::because("tiles can be stacked to any height, so its positions can't be numbered"))
    }
}
