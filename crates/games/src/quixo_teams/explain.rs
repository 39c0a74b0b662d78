//! Explanations of the rules that moves break. `notation` explains why a text is not a move.

use crate::notation::Illegal;
use crate::quixo::board;
use crate::quixo::explain::{off_border, wrong_end};
use crate::quixo_teams::notation::{letter, symbol};
use crate::quixo_teams::{Dot, Move, Position, Push, QuixoTeams};

impl QuixoTeams {
    /// Returns the rule that an illegal move breaks: the first that a player needs to know.
    pub(super) fn broken_rule(&self, position: &Position, mv: Move) -> Illegal {
        let takeable = self.takeable(position);
        let mover = position.to_move();
        match mv {
            Move::Pass => {
                let first = board::squares(takeable).next().map(board::square);
                let first = first.map_or_else(|| "one".to_owned(), |square| format!("the one at `{square}`"));
                let why = format!(
                    "seat {mover} may pass only when it has no cube to take, but it can take {first}"
                );
                Illegal::new("pass", why)
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
                Illegal::new("first-round", why)
            } else if dot.side() == side {
                let (owner, word) = (dot.seat(), dot.direction().word());
                let why = format!(
                    "the dot of the cube at `{from}` points {word}, at seat {owner}, so seat {mover} may not take it; only its teammate may"
                );
                Illegal::new("teammates", why)
            } else {
                let own = symbol(side);
                let why = format!(
                    "the cube at `{from}` shows the opponents' `{shown}`; only blank cubes and the team's own (`{own}`) may be taken"
                );
                Illegal::new("opponents", why)
            }
        } else if self.slides.get(push.cube).is_none() {
            wrong_end(&self.slides, push.cube)
        } else {
            let ways: Vec<String> = Dot::ALL
                .into_iter()
                .filter(|dot| dot.side() == side)
                .map(|dot| format!("{} (`{}`)", dot.direction().word(), letter(dot)))
                .collect();
            let why = format!(
                "the dot must point at the mover or its teammate, so seat {mover} must turn it {}, not {}",
                ways.join(" or "),
                push.dot.direction().word()
            );
            Illegal::new("wrong-dot", why)
        }
    }

    /// Returns the dot on the cube of a forbidden push.
    fn dot_that_forbids(&self, position: &Position, push: Push) -> Option<Dot> {
        if push.cube.taken() & self.takeable(position) != 0 {
            return None;
        }
        Dot::ALL.into_iter().find(|dot| position.dotted(*dot) & push.cube.taken() != 0)
    }
}
