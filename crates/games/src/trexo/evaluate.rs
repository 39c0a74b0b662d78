//! The evaluation of a position, without search.

use crate::grid::{WON, zero_sum};
use crate::trexo::board::MOST_ROWS;
use crate::trexo::{Position, Trexo};
use linesman_types::seat::{BySeat, Seat};

/// The value of a window, by the number of symbols that it lacks, from 1 on.
const LACKING: [i32; 4] = [1000, 160, 30, 6];

/// The value of having the turn when one symbol makes a line.
const FINISHES: i32 = 20_000;

/// The value of the position for each seat: its open windows, each by the number of symbols that it lacks,
/// minus the same for the opponent.
///
/// A window is the number of squares in a row that make a line. It is open if each of its squares shows the
/// seat's symbol or can be covered now; the opponent's symbols in it do no harm while they can be covered.
pub(super) fn evaluate(rules: &Trexo, position: &Position) -> BySeat<i32> {
    let first = match rules.winner(position) {
        Some(Seat::FIRST) => WON,
        Some(_) => -WON,
        None if rules.is_stock_empty(position) || position.is_blocked() => 0,
        None => worth(rules, position, Seat::FIRST) - worth(rules, position, Seat::SECOND),
    };
    zero_sum(2, first)
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
    let coverable = position.coverable();
    let lacks = (coverable & !shown).ranks();
    let usable = (coverable | shown).ranks();
    let mut windows = [0; 4];
    for (starts, lean) in rules.board.windows.into_iter().zip(LEANS) {
        let few = Few::count(starts.ranks(), &lacks, &usable, lean, rules.line());
        windows.iter_mut().zip(few.windows()).for_each(|(sum, few)| *sum += few);
    }
    windows
}

/// The ranks of a board as words, with as many empty ones above it.
type Ranks = [u16; 2 * MOST_ROWS];

/// The directions of lines: number of files to the east and of ranks to the north.
#[derive(Copy, Clone)]
struct Lean {
    east: i32,
    north: usize,
}

const LEANS: [Lean; 4] = [
    Lean { east: 1, north: 0 },
    Lean { east: 0, north: 1 },
    Lean { east: 1, north: 1 },
    Lean { east: -1, north: 1 },
];

/// For each window of one direction, by its first square, the number of symbols that it lacks: a number of
/// three digits. Windows that lack more than 4 drop out.
struct Few {
    open: [u16; MOST_ROWS],
    ones: [u16; MOST_ROWS],
    twos: [u16; MOST_ROWS],
    fours: [u16; MOST_ROWS],
}

impl Few {
    fn count(starts: Ranks, lacks: &Ranks, usable: &Ranks, lean: Lean, line: usize) -> Few {
        let none = [0; MOST_ROWS];
        let mut few = Few { open: none, ones: none, twos: none, fours: none };
        few.open.copy_from_slice(&starts[..MOST_ROWS]);
        for place in 0..line {
            let above = place * lean.north;
            let lacks = &lacks[above..above + MOST_ROWS];
            let usable = &usable[above..above + MOST_ROWS];
            match lean.east {
                -1 => few.add(lacks, usable, |rank| rank << place),
                0 => few.add(lacks, usable, |rank| rank),
                _ => few.add(lacks, usable, |rank| rank >> place),
            }
        }
        few
    }

    fn add(&mut self, lacks: &[u16], usable: &[u16], back: impl Fn(u16) -> u16) {
        for rank in 0..MOST_ROWS {
            let (lacks, usable) = (back(lacks[rank]), back(usable[rank]));
            let (ones, twos, fours) = (self.ones[rank], self.twos[rank], self.fours[rank]);
            self.open[rank] &= usable & !(fours & lacks);
            self.ones[rank] = ones ^ lacks;
            self.twos[rank] = twos ^ (ones & lacks);
            self.fours[rank] = fours | (twos & ones & lacks);
        }
    }

    /// Number of windows that lack 1, 2, 3 and 4.
    fn windows(&self) -> [u32; 4] {
        let count = |lacking: fn(u16, u16, u16) -> u16| {
            let digits = |rank| lacking(self.ones[rank], self.twos[rank], self.fours[rank]);
            let windows: [u16; MOST_ROWS] = std::array::from_fn(|rank| self.open[rank] & digits(rank));
            // Usually there are none, and counting takes longer than this check.
            if windows == [0; MOST_ROWS] { 0 } else { windows.iter().map(|rank| rank.count_ones()).sum() }
        };
        [
            count(|ones, twos, _| ones & !twos),
            count(|ones, twos, _| twos & !ones),
            count(|ones, twos, _| ones & twos),
            count(|_, _, fours| fours),
        ]
    }
}
