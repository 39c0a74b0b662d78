//! The evaluation of a position, without search.

use crate::grid::{WON, zero_sum};
use crate::quixo::board::Geometry;
use crate::quixo::{Position, Quixo};
use linesman_types::seat::{BySeat, Seat};

/// The value of the position for each seat: how near each of its lines is to full, minus the same for the
/// opponent.
pub(super) fn evaluate(rules: &Quixo, position: &Position) -> BySeat<i32> {
    let first = match rules.winner(position) {
        Some(Seat::FIRST) => WON,
        Some(_) => -WON,
        None => {
            let [first, second] =
                [Seat::FIRST, Seat::SECOND].map(|seat| potential(&rules.board, position.cubes(seat)));
            first - second
        }
    };
    zero_sum(2, first)
}

/// A line counts the fourth power of its number of cubes with the symbol: one nearly full line is worth more
/// than several half full ones. The opponent's cubes in it count only as missing, since they can be pushed out.
pub(crate) fn potential(board: &Geometry, cubes: u64) -> i32 {
    let full = board.lines.iter().map(|line| (cubes & line).count_ones() as i32);
    full.map(|shown: i32| shown.pow(4)).sum()
}
