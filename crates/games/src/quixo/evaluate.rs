//! The evaluation of a position, without search.

use crate::grid::{WON, zero_sum};
use crate::quixo::board::Geometry;
use crate::quixo::{Position, Quixo};
use linesman_types::seat::{BySeat, Seat};

/// Evaluates the position for each seat: how nearly full its lines are, minus the same for the opponent.
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

/// Adds up the lines, each as the fourth power of its number of own cubes: one nearly full line is worth more
/// than several half-full ones. The opponent's cubes count only as missing, since they can be pushed out.
pub(crate) fn potential(board: &Geometry, cubes: u64) -> i32 {
    let counts = board.lines.iter().map(|line| (cubes & line).count_ones() as i32);
    counts.map(|count: i32| count.pow(4)).sum()
}
