//! Explanations of the rules that moves break. `notation` explains why a text is not a move.

use crate::notation::{Illegal, Square};
use crate::trexo::{Move, Position, Trexo};

impl Trexo {
    /// Returns the rule that an illegal move breaks: the first that a player needs to know.
    pub(super) fn broken_rule(&self, position: &Position, mv: Move) -> Illegal {
        let (cross, nought) = (mv.cross(), mv.nought());
        let outside = [cross, nought].into_iter().find(|square| !square.is_within(self.board.size));
        let [below_cross, below_nought] = [mv.cross, mv.nought].map(|number| position.cell(number));
        let (rule, why) = if let Some(outside) = outside {
            let last = Square::new(self.board.size - 1, self.board.size - 1);
            let why = format!(
                "there is no square `{outside}`: a tile must lie on the board, which goes from `a1` to `{last}`"
            );
            ("off-board", why)
        } else if cross == nought {
            (
                "same-square",
                format!("both halves of the tile are on `{cross}`: a tile must cover two squares"),
            )
        } else if cross.file().abs_diff(nought.file()) + cross.rank().abs_diff(nought.rank()) != 1 {
            let why = format!(
                "`{cross}` and `{nought}` have no side in common: a tile must cover two neighbors in a row or a column"
            );
            ("not-beside", why)
        } else if below_cross.level() != below_nought.level() {
            let why = format!(
                "`{cross}` {} and `{nought}` {}: both halves of a tile must rest at the same level",
                height(below_cross.level()),
                height(below_nought.level())
            );
            ("levels", why)
        } else {
            let why = format!(
                "`{cross}` and `{nought}` are the two halves of one tile: a tile must rest on two different tiles"
            );
            ("one-tile", why)
        };
        Illegal::new(rule, why)
    }
}

fn height(level: u16) -> String {
    match level {
        0 => "is empty".to_owned(),
        level => format!("is at level {level}"),
    }
}
