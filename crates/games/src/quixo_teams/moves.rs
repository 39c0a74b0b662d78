//! Moves, and what is said against those that are not legal.

use crate::notation::Illegal;
use crate::quixo;
use crate::quixo::board::{self, Board};
use crate::quixo::listing::Listing;
use crate::quixo::moves::{NOT_BORDER, NOT_END, OPPONENTS, SAME_SQUARE, Slides, off_border, wrong_end};
use crate::quixo_teams::notation::letter;
use crate::quixo_teams::scene::symbol;
use crate::quixo_teams::{Dot, Position, QuixoTeams};
use linesman_types::seat::Side;

/// A move: a push, or a pass.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Move {
    /// A cube is taken and put back.
    Push(Push),
    /// There is no cube to take.
    Pass,
}

/// A cube taken and put back with its dot in some direction.
///
/// Any two squares of the board; whether the push is legal is the rules' to say.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Push {
    /// The squares at which the cube is taken and put back.
    pub cube: quixo::Move,
    /// The direction of its dot then.
    pub dot: Dot,
}

/// Maximum number of moves that the cubes of one side of the border have: three each,
/// in the corners two, and each with two dots.
pub(super) const MOST_MOVES: usize = 26;

/// The moves of a side, by the squares of the border on which the cubes lie.
pub(super) fn listing(board: &Board, slides: &Slides, side: Side) -> Listing<Move, MOST_MOVES> {
    let dots = Dot::ALL.into_iter().filter(move |dot| dot.side() == side);
    let with_dots = |cube: &quixo::Move| {
        let cube = *cube;
        dots.clone().map(move |dot| Move::Push(Push { cube, dot }))
    };
    Listing::new(board, Move::Pass, |from| slides.from(from).iter().flat_map(with_dots).collect())
}

/// Codes of the rules that Quixo for two players does not have.
const PASS: &str = "pass";
const FIRST_ROUND_BLANK: &str = "first-round";
const TEAMMATES: &str = "teammates";
const WRONG_DOT: &str = "wrong-dot";

/// All codes.
pub(super) const BREAKABLE: &[&str] =
    &[NOT_BORDER, OPPONENTS, SAME_SQUARE, NOT_END, PASS, FIRST_ROUND_BLANK, TEAMMATES, WRONG_DOT];

impl QuixoTeams {
    /// The rule that an illegal move breaks: the one that a player would be told first.
    pub(super) fn which_rule_is_broken(&self, position: &Position, mv: Move) -> Illegal {
        let takeable = self.takeable(position);
        let mover = position.to_move();
        match mv {
            Move::Pass => {
                let first = board::squares(takeable).next().map(board::square);
                let first = first.map_or_else(|| "one".to_owned(), |square| format!("the one at `{square}`"));
                let why = format!(
                    "seat {mover} may pass only when it has no cube to take, but it can take {first}"
                );
                Illegal::new(PASS, why)
            }
            Move::Push(push) => {
                let mut illegal = self.wrong_push(position, push);
                if takeable == 0 {
                    illegal.why += &format!("; seat {mover} has no cube to take, so `pass` is its only move");
                }
                illegal
            }
        }
    }

    fn wrong_push(&self, position: &Position, push: Push) -> Illegal {
        let from = push.cube.from();
        let side = position.side_to_move();
        let mover = position.to_move();
        if let Some(illegal) = off_border(&self.board, from) {
            illegal
        } else if let Some(dot) = self.dot_that_forbids(position, push) {
            let shown = symbol(dot.side());
            if position.is_first_round() {
                let why = format!(
                    "the cube at `{from}` shows `{shown}`; in the first round only blank cubes may be taken"
                );
                Illegal::new(FIRST_ROUND_BLANK, why)
            } else if dot.side() == side {
                let (owner, word) = (dot.seat(), dot.word());
                let why = format!(
                    "the dot of the cube at `{from}` points {word}, at seat {owner}, so seat {mover} may not take it; only its teammate may"
                );
                Illegal::new(TEAMMATES, why)
            } else {
                let own = symbol(side);
                let why = format!(
                    "the cube at `{from}` shows the opponents' `{shown}`; only blank cubes and the team's own (`{own}`) may be taken"
                );
                Illegal::new(OPPONENTS, why)
            }
        } else if self.slides.get(push.cube).is_none() {
            wrong_end(&self.slides, push.cube)
        } else {
            let ways: Vec<String> = Dot::ALL
                .into_iter()
                .filter(|dot| dot.side() == side)
                .map(|dot| format!("{} (`{}`)", dot.word(), letter(dot)))
                .collect();
            let why = format!(
                "the dot must point at the mover or its teammate, so seat {mover} must turn it {}, not {}",
                ways.join(" or "),
                push.dot.word()
            );
            Illegal::new(WRONG_DOT, why)
        }
    }

    /// The dot on the cube of a push that may not be taken.
    fn dot_that_forbids(&self, position: &Position, push: Push) -> Option<Dot> {
        if push.cube.taken() & self.takeable(position) != 0 {
            return None;
        }
        Dot::ALL.into_iter().find(|dot| position.dotted(*dot) & push.cube.taken() != 0)
    }
}
