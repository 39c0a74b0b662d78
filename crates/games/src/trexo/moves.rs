//! Moves, which of them are legal, and what is said against the others.

use crate::notation::{Illegal, Square};
use crate::scene::Direction;
use crate::trexo::board::{self, RANK};
use crate::trexo::{Position, Trexo};

/// A move: where the X half of the tile comes to lie, and where the O half.
///
/// Any two squares of `a1` to `p16`; whether the move is legal is the rules' to say.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Move {
    cross: u8,
    nought: u8,
}

impl Move {
    /// The move that lays an X half and an O half, each within `a1` to `p16`.
    pub fn new(cross: Square, nought: Square) -> Option<Move> {
        let number = |square: Square| {
            let inside = square.file() < board::MOST_ROWS && square.rank() < board::MOST_ROWS;
            inside.then(|| board::number(square))
        };
        Some(Move { cross: number(cross)?, nought: number(nought)? })
    }

    /// The square of the X half.
    pub fn cross(self) -> Square {
        board::square(self.cross)
    }

    /// The square of the O half.
    pub fn nought(self) -> Square {
        board::square(self.nought)
    }

    pub(super) fn cross_number(self) -> u8 {
        self.cross
    }

    pub(super) fn nought_number(self) -> u8 {
        self.nought
    }

    /// From the X half to the O half of a tile on two neighbours, and back.
    pub(super) fn joints(self) -> [Direction; 2] {
        use Direction::{East, North, South, West};
        match (self.nought > self.cross, self.cross.abs_diff(self.nought) == RANK) {
            (true, true) => [North, South],
            (true, false) => [East, West],
            (false, true) => [South, North],
            (false, false) => [West, East],
        }
    }
}

/// Codes of the rules that a move can break.
const OFF_BOARD: &str = "off-board";
const SAME_SQUARE: &str = "same-square";
const NOT_BESIDE: &str = "not-beside";
const LEVELS: &str = "levels";
const ONE_TILE: &str = "one-tile";

/// All codes.
pub(super) const BREAKABLE: &[&str] = &[OFF_BOARD, SAME_SQUARE, NOT_BESIDE, LEVELS, ONE_TILE];

impl Trexo {
    /// Returns true if the two halves come to lie where a tile can.
    pub(super) fn has_room(&self, position: &Position, mv: Move) -> bool {
        let [east_open, north_open] = position.open();
        let first = mv.cross.min(mv.nought);
        match mv.cross.abs_diff(mv.nought) {
            1 => east_open.contains(first),
            RANK => north_open.contains(first),
            _ => false,
        }
    }

    /// Appends both moves of each two squares that a tile can cover.
    pub(super) fn every_move(position: &Position, moves: &mut Vec<Move>) {
        let [east_open, north_open] = position.open();
        let before = moves.len();
        let all = 2 * (east_open.count() + north_open.count()) as usize;
        moves.resize(before + all, Move { cross: 0, nought: 0 });
        let mut places = moves[before..].chunks_exact_mut(2);
        for (open, step) in [(east_open, 1), (north_open, RANK)] {
            for (one, pair) in open.numbers().zip(&mut places) {
                pair[0] = Move { cross: one, nought: one + step };
                pair[1] = Move { cross: one + step, nought: one };
            }
        }
    }

    /// The rule that an illegal move breaks: the one that a player would be told first.
    pub(super) fn which_rule_is_broken(&self, position: &Position, mv: Move) -> Illegal {
        let (cross, nought) = (mv.cross(), mv.nought());
        let outside = [cross, nought].into_iter().find(|square| !self.board.contains(*square));
        let [below_cross, below_nought] = [mv.cross, mv.nought].map(|number| position.cell(number));
        let (rule, why) = if let Some(outside) = outside {
            let why = format!(
                "there is no square `{outside}`: a tile must lie on the board, which goes from `a1` to `{}`",
                self.board.last()
            );
            (OFF_BOARD, why)
        } else if cross == nought {
            (SAME_SQUARE, format!("both halves of the tile are on `{cross}`: a tile must cover two squares"))
        } else if cross.file().abs_diff(nought.file()) + cross.rank().abs_diff(nought.rank()) != 1 {
            let why = format!(
                "`{cross}` and `{nought}` have no side in common: a tile must cover two neighbors in a row or a column"
            );
            (NOT_BESIDE, why)
        } else if below_cross.level() != below_nought.level() {
            let why = format!(
                "`{cross}` {} and `{nought}` {}: both halves of a tile must rest at the same level",
                height(below_cross.level()),
                height(below_nought.level())
            );
            (LEVELS, why)
        } else {
            let why = format!(
                "`{cross}` and `{nought}` are the two halves of one tile: a tile must rest on two different tiles"
            );
            (ONE_TILE, why)
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
