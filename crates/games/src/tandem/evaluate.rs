//! The evaluation of a position, without search.

use crate::grid::WON;
use crate::rules::Rules;
use crate::tandem::{Position, Tandem};
use linesman_types::seat::{BySeat, MAX_SEATS, Seat};

/// The value of a point.
const POINT: i32 = 2_000;
/// The value of an open window, by the number of tiles that it lacks, from 1 on.
const LACKING: [i32; 4] = [240, 80, 20, 4];
/// The value of having the turn when one tile scores.
const FINISHES: i32 = 1_200;
/// The value of having the turn when that wins.
const WINS: i32 = 10_000;
/// The value of a threat that the next seat can't stop in one turn.
const FORK: i32 = 700;

/// The value of the position for each seat: its own value, minus the best one of the others that are still
/// in.
pub(super) fn evaluate(rules: &Tandem, position: &Position) -> BySeat<i32> {
    let seats = rules.seats;
    let winner = rules.winner(position);
    if winner.is_none() && rules.all_have_passed(position) {
        let scores = rules.tie_break_scores(position);
        return over_others(&BySeat::from_fn(seats, |seat| POINT * scores[seat]), |_| true);
    }
    let promises = promises::<false>(rules, position);
    let worth = BySeat::from_fn(seats, |seat| {
        i32::from(position.points(seat)) * POINT + promises[seat.index()].worth(rules, position, seat)
    });
    let lead = over_others(&worth, |seat| position.is_in(seat));
    BySeat::from_fn(seats, |seat| {
        if winner.is_some() || !position.is_in(seat) {
            return if winner == Some(seat) { WON } else { -WON };
        }
        lead[seat]
    })
}

/// The value of each seat, minus the best one of the others that count.
fn over_others(worth: &BySeat<i32>, counts: impl Fn(Seat) -> bool) -> BySeat<i32> {
    worth.map(|seat, own| {
        let others = worth.iter().filter(|(other, _)| *other != seat && counts(*other));
        own - others.map(|(_, worth)| *worth).max().unwrap_or(0)
    })
}

/// The prospects of a seat's tiles.
#[derive(Copy, Clone, Default)]
pub(super) struct Promise {
    /// The value of the windows that contain only its own tiles: tiles of other seats seldom leave.
    pub(super) windows: i32,
    /// Number of them by the tiles that they lack, from 1 on.
    pub(super) lacking: [u8; 3],
    /// The windows in which only one tile of another seat is in the way, and those that lack another tile
    /// besides.
    pub(super) pinned: [u8; 2],
    /// On each board, the squares on which one more tile scores.
    pub(super) scoring: [u128; 2],
}

/// The prospects of each seat's tiles; pinned tiles are counted only on request.
pub(super) fn promises<const PINS: bool>(rules: &Tandem, position: &Position) -> [Promise; MAX_SEATS] {
    let mut promises = [Promise::default(); MAX_SEATS];
    for board in 0..2 {
        let taken = !position.empty(board);
        for window in &rules.windows {
            let held = window & taken;
            if held == 0 {
                continue;
            }
            let Some(seat) = position.tiles.iter().position(|tiles| held & !tiles[board] == 0) else {
                if PINS {
                    note_pin(rules, position, board, *window, held, &mut promises);
                }
                continue;
            };
            let lacking = window & !taken;
            let number = count(lacking);
            promises[seat].windows += LACKING.get(number.wrapping_sub(1)).unwrap_or(&0);
            if let Some(lacking) = promises[seat].lacking.get_mut(number.wrapping_sub(1)) {
                *lacking = lacking.saturating_add(1);
            }
            if number == 1 {
                promises[seat].scoring[board] |= lacking;
            }
        }
    }
    promises
}

/// Counts a window in which all tiles except one belong to a single seat.
fn note_pin(
    rules: &Tandem,
    position: &Position,
    board: usize,
    window: u128,
    held: u128,
    promises: &mut [Promise; MAX_SEATS],
) {
    let lacking = count(window & !held);
    // With two tiles it is unknown which one is in the way.
    if lacking > 1 || rules.line < 3 + lacking {
        return;
    }
    let is_one = |set: u128| set & set.wrapping_sub(1) == 0;
    let seat = position.tiles.iter().position(|tiles| is_one(held & !tiles[board]));
    if let Some(seat) = seat {
        let pinned = &mut promises[seat].pinned[lacking];
        *pinned = pinned.saturating_add(1);
    }
}

/// Number of squares in a small set. A program for every processor can't use the instruction that counts bits;
/// without it, clearing them one by one is faster than `count_ones`.
fn count(set: u128) -> usize {
    let ones = |half: u64| {
        let (mut half, mut number) = (half, 0);
        while half != 0 {
            half &= half - 1;
            number += 1;
        }
        number
    };
    ones(set as u64) + ones((set >> 64) as u64)
}

impl Promise {
    /// The value of the tiles besides points. The seat on turn is about to take the squares on which a tile
    /// scores; another seat needs more of them than can be stopped at once.
    fn worth(&self, rules: &Tandem, position: &Position, seat: Seat) -> i32 {
        if self.scoring == [0, 0] {
            return self.windows;
        }
        if seat == position.to_move() {
            let scores = if self.scores_twice(rules) { 2 } else { 1 };
            let wins = position.points(seat) + scores >= rules.points;
            return self.windows + if wins { WINS } else { FINISHES * i32::from(scores) };
        }
        let is_fork = self.is_fork(self.scores_twice(rules));
        let opponents = position.seats_in() as i32 - 1;
        self.windows + if is_fork { FORK / opponents.max(1) } else { 0 }
    }

    /// Returns true if one turn can score on both boards: both squares that it reaches are of one colour.
    pub(super) fn scores_twice(&self, rules: &Tandem) -> bool {
        let reaches = |squares: &[u128; 2]| (0..2).all(|board| self.scoring[board] & squares[board] != 0);
        rules.layout.colours.iter().any(|(_, squares)| reaches(squares))
    }

    /// Returns true if there are more squares to score on than another's turn can take,
    /// given whether one turn reaches two of them.
    pub(super) fn is_fork(&self, scores_twice: bool) -> bool {
        self.scoring.iter().any(|squares| squares.count_ones() > 1)
            || (self.scoring.iter().all(|squares| *squares != 0) && !scores_twice)
    }
}
