//! The evaluation of a position, without search.

use crate::grid::{WON, zero_sum};
use crate::quixo::evaluate::potential;
use crate::quixo_teams::position::SEATS;
use crate::quixo_teams::{Dot, Position, QuixoTeams};
use linesman_types::seat::{BySeat, Seat, Side};

/// The value of a border cube for the seat at which its dot points.
const OWN_CUBE: i32 = 4;

/// Evaluates the position for each seat: its team's lines and available cubes, minus those of the opponents.
pub(super) fn evaluate(rules: &QuixoTeams, position: &Position) -> BySeat<i32> {
    let first = match rules.winner(position) {
        Some(side) if side.index() == 0 => WON,
        Some(_) => -WON,
        None => worth(rules, position, Side::from_index(0)) - worth(rules, position, Side::from_index(1)),
    };
    zero_sum(SEATS, first)
}

/// Evaluates a side: how nearly full its lines are, and the available cubes of the member with fewer of them.
/// A member without cubes depends on the blanks.
fn worth(rules: &QuixoTeams, position: &Position, side: Side) -> i32 {
    let available = |seat| (position.dotted(Dot::at(seat)) & rules.board.border).count_ones() as i32;
    let members = [Seat::from_index(side.index()), Seat::from_index(side.index() + 2)];
    let [one, other] = members.map(available);
    potential(&rules.board, position.cubes(side)) + OWN_CUBE * one.min(other)
}
