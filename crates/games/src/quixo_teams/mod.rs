//! Quixo for two teams of two: each cube's dot determines which of the two teammates may take it.
//!
//! The players sit around a board of 5x5 cubes, clockwise from the south; opposite players are a team: seats 1
//! and 3 play X, seats 2 and 4 play O. Pushes, wins and losses are those of [`quixo`](crate::quixo), by team.
//! The differences are:
//!
//! - A cube that shows a symbol also shows a dot, which points at the one member
//!   of the symbol's team who may take it. A player who puts a cube back points
//!   its dot at one of the team. Pushed cubes keep their dots.
//! - In the first round, the first four plies, only blank cubes may be taken.
//! - Only a player who has no cube to take passes.
//!
//! A position is three sets of squares (crosses, noughts, dots) and the ply.

mod explain;
mod moves;
mod notation;
mod position;
mod scene;
#[cfg(test)]
mod tests;

use crate::consultation::consultation;
use crate::ending::{Ending, LINE};
use crate::grid::two_sided;
use crate::limits;
use crate::notation::{Illegal, NotAMove, NotAPosition};
use crate::options::{Bound, OptionError, OptionSpec, OptionValues};
use crate::quixo::board::Geometry;
use crate::quixo::listing::Listing;
use crate::quixo::moves::Slides;
use crate::rules::Rules;
use crate::scene::{PieceProperty, Scene};
use crate::solvable::{Solvable, Unsolvable};
use crate::symmetry::{GridSymmetry, OF_A_SQUARE};
use linesman_types::seat::{BySeat, Seat, Side, Teams};
use linesman_types::verdict::Reason;

use moves::MAX_MOVES;
use position::{SEATS, SIZE};

pub use moves::{Move, Push};
pub use position::{Dot, Position};

/// The value of a border cube for the seat at which its dot points.
const OWN_CUBE: i32 = 4;

/// The rules of Quixo for teams.
#[derive(Clone, Debug)]
pub struct QuixoTeams {
    board: Geometry,
    slides: Slides,
    /// By side.
    listings: [Listing<Move, MAX_MOVES>; 2],
}

impl QuixoTeams {
    /// Makes the rules. The referee handles talk between teammates.
    pub(crate) fn new() -> QuixoTeams {
        let board = Geometry::new(SIZE);
        let slides = Slides::new(&board);
        let listings = [0, 1].map(|side| moves::listing(&board, &slides, Side::from_index(side)));
        QuixoTeams { board, slides, listings }
    }

    fn winner(&self, position: &Position) -> Option<Side> {
        // Only the last mover can have made the current lines, and a move that makes the opponents' line
        // loses for the mover's team, even if it also makes one of the mover's own.
        let waiting = position.side_to_move();
        let movers = position::opponents(waiting);
        [waiting, movers].into_iter().find(|side| self.board.has_line(position.cubes(*side)))
    }

    /// The pushes of the side to move.
    fn listing(&self, position: &Position) -> &Listing<Move, MAX_MOVES> {
        &self.listings[position.side_to_move().index()]
    }

    /// Returns the border cubes that the seat to move may take; none if it must pass.
    fn takeable(&self, position: &Position) -> u64 {
        self.board.border & (position.blank() | position.own_to_take())
    }
}

impl Rules for QuixoTeams {
    const ID: &'static str = "quixo-teams";
    const TITLE: &'static str = "Quixo for teams";
    const ABOUT: &'static str = "Quixo for two teams of two: a cube's dot shows which teammate may take it";
    const REASONS: &'static [Reason] = &[LINE];
    const BREAKABLE: &'static [&'static str] = &[
        "not-border",
        "opponents",
        "same-square",
        "not-end",
        "pass",
        "first-round",
        "teammates",
        "wrong-dot",
    ];
    const OPTIONS: &'static [OptionSpec] =
        &[limits::max_plies(Bound::Fixed(200)), limits::repetition(), consultation()];

    type Position = Position;
    type Move = Move;

    fn with_options(_: &OptionValues) -> Result<QuixoTeams, OptionError> {
        Ok(QuixoTeams::new())
    }

    fn teams(&self) -> Teams {
        Teams::opposite_pairs()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn to_move(&self, position: &Position) -> Seat {
        position.to_move()
    }

    fn ply(&self, position: &Position) -> u32 {
        position.ply()
    }

    fn repetition_key(&self, position: &Position) -> Position {
        position.repetition_key()
    }

    fn legal_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if self.is_over(position) {
            return;
        }
        let takeable = self.takeable(position);
        if takeable == 0 {
            moves.push(Move::Pass);
        }
        self.listing(position).append(takeable, moves);
    }

    fn random_move(
        &self,
        position: &Position,
        _: &mut Vec<Move>,
        below: impl FnMut(usize) -> usize,
    ) -> Option<Move> {
        if self.is_over(position) {
            return None;
        }
        match self.takeable(position) {
            0 => Some(Move::Pass),
            takeable => Some(self.listing(position).draw(takeable, below)),
        }
    }

    fn count_legal_moves(&self, position: &Position, _: &mut Vec<Move>) -> u64 {
        if self.is_over(position) {
            return 0;
        }
        let pushes = self.listing(position).count(self.takeable(position));
        pushes.max(1) as u64
    }

    fn is_legal(&self, position: &Position, mv: Move, _: &mut Vec<Move>) -> bool {
        let takeable = self.takeable(position);
        let fits = match mv {
            Move::Pass => takeable == 0,
            Move::Push(push) => {
                self.slides.get(push.cube).is_some()
                    && push.cube.taken() & takeable != 0
                    && push.dot.side() == position.side_to_move()
            }
        };
        fits && !self.is_over(position)
    }

    fn play(&self, position: &mut Position, mv: Move) {
        match mv {
            Move::Pass => position.pass(),
            Move::Push(push) => {
                let slide = self
                    .slides
                    .get(push.cube)
                    .expect("a legal move goes to another end of its row or column");
                position.push(slide, push.dot);
            }
        }
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        let winner = self.winner(position)?;
        let marks = self.board.full_lines(position.cubes(winner), winner);
        let why = self.why_won(position, winner, &marks);
        // Seats 1 and 2 stand for their sides.
        Some(Ending::won_by(Seat::from_index(winner.index()), &self.teams(), LINE, marks, why))
    }

    fn is_over(&self, position: &Position) -> bool {
        position.both().into_iter().any(|cubes| self.board.has_line(cubes))
    }

    /// Evaluates a side: how nearly full its lines are, and the available cubes of the member with fewer of them. A
    /// member without cubes depends on the blanks.
    fn evaluate(&self, position: &Position) -> BySeat<i32> {
        let available =
            |seat| (position.dotted(Dot::at(Seat::from_index(seat))) & self.board.border).count_ones() as i32;
        two_sided(SEATS, self.winner(position).map(Side::index), |side| {
            let potential = self.board.potential(position.cubes(Side::from_index(side)));
            // The seats of a side are those with its index and two more.
            potential + OWN_CUBE * available(side).min(available(side + 2))
        })
    }

    fn explain(&self, position: &Position, mv: Move) -> Illegal {
        self.broken_rule(position, mv)
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
        self.draw(position, last)
    }

    fn actions(&self) -> Vec<String> {
        let mut moves = vec![Move::Pass];
        self.listings.iter().for_each(|listing| listing.append(self.board.border, &mut moves));
        moves.into_iter().map(|mv| self.text_of(mv)).collect()
    }

    fn piece_properties(&self) -> Vec<PieceProperty> {
        vec![PieceProperty::Pointer]
    }

    fn symmetries(&self) -> usize {
        OF_A_SQUARE
    }

    /// Dots keep pointing at the same seats: the places of the seats around the board don't matter to the rules.
    fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        let image = |dot| self.board.transformed(position.dotted(dot), GridSymmetry::new(symmetry));
        Position::new(Dot::ALL.map(image), position.ply())
    }

    fn transformed_move(&self, _: &Position, mv: Move, symmetry: usize) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Push(Push { cube, dot }) => {
                Move::Push(Push { cube: cube.transformed(SIZE, GridSymmetry::new(symmetry)), dot })
            }
        }
    }

    fn solvable(&self) -> Result<Solvable<Position>, Unsolvable> {
        Err(Unsolvable::because(
            "a cube can show 5 faces, which makes 5^25 positions (about 3e17), too many to examine",
        ))
    }
}
