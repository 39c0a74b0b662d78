//! Quixo: push a row or column of cubes, make a line of your symbol.
//!
//! On a square board of cubes, a turn takes a blank or own cube from the
//! border, turns it to the mover's symbol and puts it back at another end of
//! its row or column, which pushes the cubes in between towards the gap.
//! A full row, column or long diagonal of one symbol ends the game: its owner
//! wins; if both symbols have one, the seat that did not move wins.
//!
//! A position is two sets of squares, one for each symbol, and the ply. The effect of a move on a set is
//! looked up in a table of the rules.

pub(crate) mod board;
pub(crate) mod explain;
pub(crate) mod listing;
pub(crate) mod moves;
pub(crate) mod notation;
mod numbered;
mod position;
pub(crate) mod scene;
#[cfg(test)]
mod tests;

use crate::ending::{Ending, LINE};
use crate::grid::two_sided;
use crate::limits;
use crate::notation::{Illegal, NotAMove, NotAPosition};
use crate::options::{Bound, OptionError, OptionSpec, OptionValues};
use crate::rules::Rules;
use crate::scene::Scene;
use crate::solvable::{Solvable, Unsolvable};
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::verdict::Reason;

use board::Geometry;
use listing::Listing;
use moves::{MAX_MOVES, Slides};

pub use moves::Move;
pub use position::Position;

/// The rules of Quixo on a board of one size.
#[derive(Clone, Debug)]
pub struct Quixo {
    board: Geometry,
    slides: Slides,
    listing: Listing<Move, MAX_MOVES>,
}

impl Quixo {
    /// Makes the rules on a board of `size` rows and columns.
    ///
    /// # Panics
    /// If `size` is not 3 to 8, the range of the option.
    pub fn new(size: usize) -> Quixo {
        assert!((3..=8).contains(&size), "a Quixo board has 3 to 8 rows, not {size}");
        let board = Geometry::new(size);
        let slides = Slides::new(&board);
        let listing = Listing::new(&board, Move::NONE, |from| slides.from(from).to_vec());
        Quixo { board, slides, listing }
    }

    fn winner(&self, position: &Position) -> Option<Seat> {
        // Only the last mover can have made the current lines, and a move that makes the opponent's line
        // loses, even if it also makes one of the mover's own.
        let waiting = position.to_move();
        let mover = waiting.next(2);
        [waiting, mover].into_iter().find(|seat| self.board.has_line(position.cubes(*seat)))
    }

    /// Returns the border cubes that the seat to move may take.
    fn takeable(&self, position: &Position) -> u64 {
        self.board.border & !position.opponents_cubes()
    }
}

impl Rules for Quixo {
    const ID: &'static str = "quixo";
    const TITLE: &'static str = "Quixo";
    const ABOUT: &'static str = "push rows of cubes until a full line shows your symbol";
    const REASONS: &'static [Reason] = &[LINE];
    const BREAKABLE: &'static [&'static str] =
        &["off-board", "not-border", "opponents", "same-square", "not-end"];
    const OPTIONS: &'static [OptionSpec] =
        &[OptionSpec::size(5, 3, 8), limits::max_plies(Bound::Fixed(200)), limits::repetition()];

    type Position = Position;
    type Move = Move;

    fn with_options(values: &OptionValues) -> Result<Quixo, OptionError> {
        Ok(Quixo::new(values.count("size")))
    }

    fn start(&self) -> Position {
        Position::START
    }

    #[inline]
    fn to_move(&self, position: &Position) -> Seat {
        position.to_move()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn repetition_key(&self, position: &Position) -> Position {
        position.repetition_key()
    }

    #[inline]
    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.is_over(position) {
            return;
        }
        self.listing.append(self.takeable(position), moves);
    }

    #[inline]
    fn random_move(
        &self,
        position: &Position,
        _: &mut Vec<Move>,
        below: impl FnMut(usize) -> usize,
    ) -> Option<Move> {
        if self.is_over(position) {
            return None;
        }
        // There is always a move before the end: a player who can't take any cube has lost.
        Some(self.listing.draw(self.takeable(position), below))
    }

    #[inline]
    fn count_legal_moves(&self, position: &Position, _: &mut Vec<Move>) -> u64 {
        if self.is_over(position) {
            return 0;
        }
        self.listing.count(self.takeable(position)) as u64
    }

    #[inline]
    fn is_legal(&self, position: &Position, mv: Move, _: &mut Vec<Move>) -> bool {
        self.slides.get(mv).is_some() && mv.taken() & self.takeable(position) != 0 && !self.is_over(position)
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        let slide = self.slides.get(mv).expect("a legal move goes to another end of its row or column");
        position.push(slide);
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        let winner = self.winner(position)?;
        let marks = self.winning_lines(position, winner);
        let why = self.why_won(position, winner, &marks);
        Some(Ending::won_by(winner, &self.teams(), LINE, marks, why))
    }

    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        let [first, second] =
            [Seat::FIRST, Seat::SECOND].map(|seat| self.board.has_line(position.cubes(seat)));
        first | second
    }

    fn evaluate(&self, position: &Position) -> BySeat<i32> {
        let winner = self.winner(position).map(Seat::index);
        two_sided(2, winner, |side| self.board.potential(position.cubes(Seat::from_index(side))))
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
        notation::parse_position(self.board.size, token)
    }

    fn scene(&self, position: &Position, last: Option<Move>) -> Scene {
        self.draw(position, last)
    }

    fn symmetries(&self) -> usize {
        OF_A_SQUARE
    }

    fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        let image = |seat| self.board.transformed(position.cubes(seat), GridSymmetry::new(symmetry));
        Position::new([Seat::FIRST, Seat::SECOND].map(image), position.ply())
    }

    fn transformed_move(&self, _: &Position, mv: Move, symmetry: usize) -> Move {
        mv.transformed(self.board.size, GridSymmetry::new(symmetry))
    }

    fn solvable(&self) -> Result<Solvable<Position>, Unsolvable> {
        Ok(Solvable::Numbered(Box::new(numbered::Boards::new(self)?)))
    }
}
