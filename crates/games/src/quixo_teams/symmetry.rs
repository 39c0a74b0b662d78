//! The board mirrored and turned. Dots go on pointing at the same seats: where
//! these sit round the board is of no concern to the rules.

use crate::quixo_teams::{Dot, Move, Position, Push, QuixoTeams};
use crate::symmetry::Sight;

impl QuixoTeams {
    pub(super) fn position_seen(&self, position: &Position, sight: Sight) -> Position {
        Position::new(Dot::ALL.map(|dot| self.board.seen(position.dotted(dot), sight)), position.ply())
    }

    pub(super) fn how_move_is_seen(&self, mv: Move, sight: Sight) -> Move {
        match mv {
            Move::Pass => Move::Pass,
            Move::Push(push) => {
                Move::Push(Push { cube: self.board.move_seen(push.cube, sight), dot: push.dot })
            }
        }
    }
}
