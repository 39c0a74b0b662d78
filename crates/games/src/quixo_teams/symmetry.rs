//! The board mirrored and rotated. Dots keep pointing at the same seats: the places of the seats around the
//! board don't matter to the rules.

use crate::quixo_teams::{Dot, Move, Position, Push, QuixoTeams};
use crate::symmetry::GridSymmetry;

impl QuixoTeams {
    pub(super) fn transformed_position(&self, position: &Position, symmetry: GridSymmetry) -> Position {
        let cubes = Dot::ALL.map(|dot| self.board.transformed(position.dotted(dot), symmetry));
        Position::new(cubes, position.ply())
    }

    pub(super) fn transformed_move(&self, mv: Move, symmetry: GridSymmetry) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Push(push) => {
                Move::Push(Push { cube: self.board.transformed_move(push.cube, symmetry), dot: push.dot })
            }
        }
    }
}
