//! How good a position looks, without search.

use crate::games::tandem::{Position, Tandem};
use crate::seat::{BySeat, Seat};

/// What a position is worth to its winner.
const WON: i32 = 100_000;
/// What a point is worth.
const POINT: i32 = 2_000;
/// What the whole way to a full window is worth.
const WINDOW: i32 = 600;

/// The position's worth for each seat: its own worth, less the best of the
/// others' that are still in.
pub(super) fn evaluate(rules: &Tandem, position: &Position) -> BySeat<i32> {
    let seats = rules.seats;
    let winner = rules.winner(position);
    let worth = BySeat::from_fn(seats, |seat| worth(rules, position, seat));
    BySeat::from_fn(seats, |seat| {
        if winner.is_some() || !position.is_in(seat) {
            return if winner == Some(seat) { WON } else { -WON };
        }
        let others = worth.iter().filter(|(other, _)| *other != seat && position.is_in(*other));
        worth[seat] - others.map(|(_, worth)| *worth).max().unwrap_or(0)
    })
}

/// Points, and each window that nobody else stands in by the square of the share
/// of it that is held: tiles of other seats seldom leave.
fn worth(rules: &Tandem, position: &Position, seat: Seat) -> i32 {
    let full = (rules.line * rules.line) as i32;
    let mut windows = 0;
    for board in 0..2 {
        let own = position.tiles[seat.index()][board];
        let others = !position.empty(board) & !own;
        let open = rules.windows.iter().filter(|window| *window & others == 0);
        windows += open.map(|window| ((window & own).count_ones() as i32).pow(2)).sum::<i32>();
    }
    i32::from(position.points(seat)) * POINT + windows * WINDOW / full
}
