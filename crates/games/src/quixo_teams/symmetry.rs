//! The board mirrored and turned. Dots go on pointing at the same seats: the places of the seats round the
//! board don't matter to the rules.

use crate::quixo_teams::{Dot, Move, Position, Push, QuixoTeams};
use crate::symmetry::GridSymmetry;

impl QuixoTeams {
    pub(super) fn transformed_position(&self, position: &Position, sight: GridSymmetry) -> Position {
        Position::new(Dot::ALL.map(|dot| self.board.transformed(position.dotted(dot), sight)), position.ply())
    }

    pub(super) fn transformed_move(&self, mv: Move, sight: GridSymmetry) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Push(push) => {
                Move::Push(Push { cube: self.board.transformed_move(push.cube, sight), dot: push.dot })
            }
        }
    }
}
