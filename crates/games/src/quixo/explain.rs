//! Explanations of the rules that moves break. `notation` explains why a text is not a move.

use crate::grid::one_of;
use crate::notation::{Illegal, Square};
use crate::quixo::board::{self, Geometry};
use crate::quixo::moves::Slides;
use crate::quixo::notation::symbol;
use crate::quixo::{Move, Position, Quixo};

/// Returns the rule that forbids taking a cube from a square, whatever its symbol.
pub(crate) fn off_border(board: &Geometry, from: Square) -> Option<Illegal> {
    if !from.is_within(board.size) {
        let last = Square::new(board.size - 1, board.size - 1);
        let why = format!("there is no cube at `{from}`: the board goes from `a1` to `{last}`");
        Some(Illegal::new("off-board", why))
    } else if board::bit(from) & board.border == 0 {
        let why = format!("`{from}` is not on the border; only cubes on the border may be taken");
        Some(Illegal::new("not-border", why))
    } else {
        None
    }
}

/// Returns the rule that forbids putting a border cube back on the move's square.
pub(crate) fn wrong_end(slides: &Slides, mv: Move) -> Illegal {
    let (from, to) = (mv.from(), mv.to());
    if from == to {
        let why = format!("the cube may not be put back at `{from}`, where it was taken");
        return Illegal::new("same-square", why);
    }
    let ends = one_of(slides.from(board::index(from)).iter().map(|mv| format!("`{}`", mv.to())));
    let why = format!("`{to}` is not an end of the row or column of `{from}`: the cube may go to {ends}");
    Illegal::new("not-end", why)
}

impl Quixo {
    /// Returns the rule that an illegal move breaks: the first that a player needs to know.
    pub(super) fn broken_rule(&self, position: &Position, mv: Move) -> Illegal {
        let from = mv.from();
        if let Some(illegal) = off_border(&self.board, from) {
            illegal
        } else if mv.taken() & self.takeable(position) == 0 {
            let [own, opponents] = [position.to_move(), position.to_move().next(2)].map(symbol);
            let why = format!(
                "the cube at `{from}` shows the opponent's `{opponents}`; only blank cubes and the mover's own (`{own}`) may be taken"
            );
            Illegal::new("opponents", why)
        } else {
            wrong_end(&self.slides, mv)
        }
    }
}
