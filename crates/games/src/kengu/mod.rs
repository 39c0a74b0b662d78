//! Kengu: noughts and crosses with cards that the opponent turns over.
//!
//! Two players with eight cards each fill a board of four by four. A card has
//! the same symbol on both sides, on red on one side and on yellow on the other.
//! A turn has two steps. The first is a flip: one of the opponent's cards is
//! turned over one of its edges onto an empty square and so shows its other
//! colour; it is left out only if no card can be flipped. Then an own card is
//! placed on an empty square with either colour up.
//!
//! A line is three cards of one player in a row, column or diagonal, next to each other and of one colour. A
//! player whose flip leaves the opponent with a line has lost at once and places nothing. A player who has a
//! line after placing a card has won, unless the opponent has a flip that breaks it; then play continues. If all
//! cards are placed without a winner, the game is drawn.
//!
//! A position is two words, each the red and the yellow cards of one seat as
//! sets of squares, and the ply. Every ply except possibly the last places a card, so the cards determine the ply and no
//! position recurs.

mod board;
mod ending;
mod evaluate;
mod explain;
mod keyed;
mod moves;
mod notation;
mod position;
mod scene;
mod symmetry;
#[cfg(test)]
mod tests;
mod turns;

use crate::ending::{Ending, LINE};
use crate::notation::{Illegal, NotAMove, NotAPosition};
use crate::options::{OptionError, OptionValues};
use crate::rules::Rules;
use crate::scene::{PieceProperty, Scene};
use crate::solvable::{Solvable, Unsolvable};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::Reason;

use symmetry::{SYMMETRIES, Symmetry};

/// The reason if the mover's flip gave the opponent a line.
pub const FLIP: Reason = Reason::new("flip", "by a line that the opponent's flip made");
/// The reason if all cards are placed.
pub const ALL_CARDS: Reason = Reason::new("cards", "with all cards placed");

pub use board::Colour;
pub use moves::Move;
pub use position::Position;

/// The rules of Kengu.
#[derive(Copy, Clone, Debug, Default)]
pub struct Kengu;

impl Rules for Kengu {
    const ID: &'static str = "kengu";
    const TITLE: &'static str = "Kengu";
    const ABOUT: &'static str =
        "flip the opponent's cards and line up three of one color that the opponent can't break";
    const REASONS: &'static [Reason] = &[LINE, FLIP, ALL_CARDS];

    const BREAKABLE: &'static [&'static str] = &[
        "must-flip",
        "no-card",
        "own-card",
        "not-beside",
        "flip-onto-card",
        "must-place",
        "losing-flip",
        "occupied",
    ];

    type Position = Position;
    type Move = Move;

    fn with_options(_: &OptionValues) -> Result<Kengu, OptionError> {
        Ok(Kengu)
    }

    fn start(&self) -> Position {
        Position::start()
    }

    fn to_move(&self, position: &Position) -> Seat {
        position.to_move()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if !position.is_over() {
            turns::generate(position, moves);
        }
    }

    fn count_legal_moves(&self, position: &Position, _: &mut Vec<Move>) -> u64 {
        if position.is_over() { 0 } else { turns::count(position) }
    }

    fn is_legal(&self, position: &Position, mv: Move, _: &mut Vec<Move>) -> bool {
        turns::is_legal(position, mv) && !position.is_over()
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.make(mv);
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        ending::ending(position)
    }

    fn is_over(&self, position: &Position) -> bool {
        position.is_over()
    }

    fn evaluate(&self, position: &Position) -> BySeat<i32> {
        evaluate::evaluate(position)
    }

    fn explain(&self, position: &Position, mv: Move) -> Illegal {
        explain::broken_rule(position, mv)
    }

    fn write_move(&self, mv: Move, text: &mut String) {
        notation::write_move(mv, text);
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotAMove> {
        notation::parse_move(text)
    }

    fn write_position(&self, position: &Position, text: &mut String) {
        notation::write_position(position, text);
    }

    fn parse_position(&self, token: &str) -> Result<Position, NotAPosition> {
        notation::parse_position(token)
    }

    fn scene(&self, position: &Position, last: Option<Move>) -> Scene {
        scene::draw(position, last)
    }

    fn actions(&self) -> Vec<String> {
        Move::all().map(|mv| self.text_of(mv)).collect()
    }

    fn piece_properties(&self) -> Vec<PieceProperty> {
        Colour::ALL.map(|colour| PieceProperty::Tint(scene::tint(colour))).into()
    }

    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        Symmetry::new(symmetry).position(position)
    }

    fn transformed_move(&self, position: &Position, mv: Move, symmetry: usize) -> Move {
        Symmetry::new(symmetry).mv(position.to_move(), mv)
    }

    fn solvable(&self) -> Result<Solvable<Position>, Unsolvable> {
        Ok(Solvable::Keyed(Box::new(keyed::KenguKeys::new())))
    }
}
