//! The evaluation of a position, without search.

use crate::grid::WON;
use crate::rules::Rules;
use crate::tandem::{Position, Tandem};
use linesman_types::seat::{BySeat, MAX_SEATS, Seat};

/// The value of a point.
const POINT: i32 = 2_000;
/// The value of an open window, by the number of tiles that it lacks, 1 to 4.
const LACKING: [i32; 4] = [240, 80, 20, 4];
/// The value of having the turn when one tile scores.
const FINISHES: i32 = 1_200;
/// The value of having the turn when one tile scores and wins.
const WINS: i32 = 10_000;
/// The value of a threat that the next seat can't block in one turn.
const FORK: i32 = 700;

/// Evaluates the position for each seat: its own value, minus the best value of the other remaining seats.
pub(super) fn evaluate(rules: &Tandem, position: &Position) -> BySeat<i32> {
    let seats = rules.seats;
    let winner = rules.winner(position);
    if winner.is_none() && rules.all_have_passed(position) {
        let scores = rules.tie_break_scores(position);
        return over_others(&BySeat::from_fn(seats, |seat| POINT * scores[seat]), |_| true);
    }
    let prospects = prospects::<false>(rules, position);
    let worth = BySeat::from_fn(seats, |seat| {
        i32::from(position.points(seat)) * POINT + prospects[seat.index()].worth(rules, position, seat)
    });
    let lead = over_others(&worth, |seat| position.is_in(seat));
    BySeat::from_fn(seats, |seat| {
        if winner.is_some() || !position.is_in(seat) {
            return if winner == Some(seat) { WON } else { -WON };
        }
        lead[seat]
    })
}

/// Returns the value of each seat, minus the best value of the others that count.
fn over_others(worth: &BySeat<i32>, counts: impl Fn(Seat) -> bool) -> BySeat<i32> {
    worth.map(|seat, value| {
        let others = worth.iter().filter(|(other, _)| *other != seat && counts(*other));
        value - others.map(|(_, worth)| *worth).max().unwrap_or(0)
    })
}

/// The prospects of a seat's tiles.
#[derive(Copy, Clone, Default)]
pub(super) struct Prospects {
    /// The value of the windows that contain only own tiles, since tiles of other seats rarely leave.
    pub(super) windows: i32,
    /// The number of these windows, by the number of tiles that they lack, 1 to 3.
    pub(super) lacking: [u8; 3],
    /// The number of windows with a single tile of another seat in the way: full windows, and windows that also
    /// lack a tile.
    pub(super) pinned: [u8; 2],
    /// The squares on which one more tile scores, by board.
    pub(super) scoring: [u128; 2],
}

/// Finds the prospects of each seat's tiles. Pinned windows are counted only if `PINS` is true.
pub(super) fn prospects<const PINS: bool>(rules: &Tandem, position: &Position) -> [Prospects; MAX_SEATS] {
    let mut prospects = [Prospects::default(); MAX_SEATS];
    for board in 0..2 {
        let taken = !position.empty(board);
        for window in &rules.windows {
            let held = window & taken;
            if held == 0 {
                continue;
            }
            let Some(seat) = position.tiles.iter().position(|tiles| held & !tiles[board] == 0) else {
                if PINS {
                    note_pin(rules, position, board, *window, held, &mut prospects);
                }
                continue;
            };
            let lacking = window & !taken;
            let number = count(lacking);
            prospects[seat].windows += LACKING.get(number.wrapping_sub(1)).unwrap_or(&0);
            if let Some(lacking) = prospects[seat].lacking.get_mut(number.wrapping_sub(1)) {
                *lacking = lacking.saturating_add(1);
            }
            if number == 1 {
                prospects[seat].scoring[board] |= lacking;
            }
        }
    }
    prospects
}

/// Counts a window in which all tiles except one belong to a single seat.
fn note_pin(
    rules: &Tandem,
    position: &Position,
    board: usize,
    window: u128,
    held: u128,
    prospects: &mut [Prospects; MAX_SEATS],
) {
    let lacking = count(window & !held);
    // With two tiles it is unknown which of them is in the way.
    if lacking > 1 || rules.line < 3 + lacking {
        return;
    }
    let is_at_most_one = |set: u128| set & set.wrapping_sub(1) == 0;
    let seat = position.tiles.iter().position(|tiles| is_at_most_one(held & !tiles[board]));
    if let Some(seat) = seat {
        let pinned = &mut prospects[seat].pinned[lacking];
        *pinned = pinned.saturating_add(1);
    }
}

/// Counts the squares in a small set. Portable code can't use the processor's instruction that counts bits; without
/// it, clearing bits one by one is faster than `count_ones`.
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

impl Prospects {
    /// Returns the value of the tiles, without points. The seat to move is about to take a square on which a tile
    /// scores; another seat needs more of these squares than one turn can block.
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

    /// Returns true if one turn can score on both boards: both squares that it reaches must have one colour.
    pub(super) fn scores_twice(&self, rules: &Tandem) -> bool {
        let reaches = |squares: &[u128; 2]| (0..2).all(|board| self.scoring[board] & squares[board] != 0);
        rules.layout.colours.iter().any(|(_, squares)| reaches(squares))
    }

    /// Returns true if there are more squares to score on than one turn of another seat can
    /// block. `scores_twice` is true if one turn reaches two of them.
    pub(super) fn is_fork(&self, scores_twice: bool) -> bool {
        self.scoring.iter().any(|squares| squares.count_ones() > 1)
            || (self.scoring.iter().all(|squares| *squares != 0) && !scores_twice)
    }
}
