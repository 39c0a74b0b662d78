//! How good a position looks, without search.

use crate::games::trexo::board::{STEPS, Squares};
use crate::games::trexo::{Position, Trexo};
use crate::seat::{BySeat, Seat};

/// What a position is worth to its winner.
const WON: i32 = 100_000;

/// What a window is worth that lacks so many symbols, from 1 on.
const LACKING: [i32; 4] = [1000, 160, 30, 6];

/// What it is worth to be on turn when one symbol makes a line.
const FINISHES: i32 = 20_000;

/// The position's worth for each seat: its open windows, each by how few
/// symbols it lacks, the opponent's alike taken off.
///
/// A window is as many squares in a row as make a line. It is open if each of
/// its squares shows the seat's symbol or can be covered now; the opponent's
/// symbols in it do no harm while they can be covered.
pub(super) fn evaluate(rules: &Trexo, position: &Position) -> BySeat<i32> {
    let first = match rules.winner(position) {
        Some(Seat::FIRST) => WON,
        Some(_) => -WON,
        None if rules.is_stock_empty(position) || position.is_blocked() => 0,
        None => worth(rules, position, Seat::FIRST) - worth(rules, position, Seat::SECOND),
    };
    BySeat::from_fn(2, |seat| if seat == Seat::FIRST { first } else { -first })
}

fn worth(rules: &Trexo, position: &Position, seat: Seat) -> i32 {
    let lacking = lacking(rules, position, seat);
    let worth: i32 = lacking.iter().zip(LACKING).map(|(windows, each)| *windows as i32 * each).sum();
    let finishes = lacking[0] > 0 && position.to_move() == seat;
    worth + if finishes { FINISHES } else { 0 }
}

/// The number of open windows that lack 1, 2, 3 and 4 symbols of a seat.
fn lacking(rules: &Trexo, position: &Position, seat: Seat) -> [u32; 4] {
    let shown = position.shown(seat);
    let coverable = position.coverable() & !shown;
    let mut windows = [0; 4];
    for (starts, step) in rules.board.windows.into_iter().zip(STEPS) {
        let mut open = starts;
        let (mut ones, mut twos, mut fours) = (Squares::NONE, Squares::NONE, Squares::NONE);
        let (mut own, mut lacks) = (shown, coverable);
        for _ in 0..rules.line() {
            open = open & (own | lacks);
            // A number of three digits for each window, which never falls back
            // below 4 once it was there: windows that lack more drop out.
            let to_twos = ones & lacks;
            let to_fours = twos & to_twos;
            open = open & !(fours & lacks);
            ones = ones ^ lacks;
            twos = twos ^ to_twos;
            fours = fours | to_fours;
            own = own.down(step);
            lacks = lacks.down(step);
        }
        let few = open & !fours;
        windows[0] += (few & ones & !twos).count();
        windows[1] += (few & twos & !ones).count();
        windows[2] += (few & ones & twos).count();
        windows[3] += (open & fours).count();
    }
    windows
}
