//! The evaluation of a position, without search.

use crate::grid::two_sided;
use crate::trexo::board::MAX_ROWS;
use crate::trexo::{Position, Trexo};
use linesman_types::seat::{BySeat, Seat};

/// The value of a window, by the number of symbols that it lacks, 1 to 4.
const LACKING: [i32; 4] = [1000, 160, 30, 6];

/// The value of having the turn when one symbol completes a line.
const FINISHES: i32 = 20_000;

/// Evaluates the position for each seat: its open windows, each by the number of symbols that it lacks, minus
/// the same for the opponent.
///
/// A window consists of as many squares in a row as make a line. It is open if each of its squares shows the
/// seat's symbol or can be covered now; the opponent's symbols in it do no harm while they can be covered.
pub(super) fn evaluate(rules: &Trexo, position: &Position) -> BySeat<i32> {
    let is_drawn = rules.is_stock_empty(position) || position.is_blocked();
    two_sided(2, rules.winner(position).map(Seat::index), |side| {
        if is_drawn { 0 } else { worth(rules, position, Seat::from_index(side)) }
    })
}

fn worth(rules: &Trexo, position: &Position, seat: Seat) -> i32 {
    let lacking = lacking(rules, position, seat);
    let worth: i32 = lacking.iter().zip(LACKING).map(|(windows, each)| *windows as i32 * each).sum();
    let finishes = lacking[0] > 0 && position.to_move() == seat;
    worth + if finishes { FINISHES } else { 0 }
}

/// Counts the open windows that lack 1, 2, 3 and 4 symbols of a seat.
fn lacking(rules: &Trexo, position: &Position, seat: Seat) -> [u32; 4] {
    let shown = position.shown(seat);
    let coverable = position.coverable();
    let lacks = (coverable & !shown).ranks();
    let usable = (coverable | shown).ranks();
    let mut windows = [0; 4];
    for (starts, step) in rules.board.windows.into_iter().zip(LINE_STEPS) {
        let counts = LackCounts::count(starts.ranks(), &lacks, &usable, step, rules.board.line);
        windows.iter_mut().zip(counts.windows()).for_each(|(sum, count)| *sum += count);
    }
    windows
}

/// The ranks of a board as words, with the same number of empty ranks above them.
type Ranks = [u16; 2 * MAX_ROWS];

/// The direction of a line: its step in files to the east and in ranks to the north.
#[derive(Copy, Clone)]
struct LineStep {
    east: i32,
    north: usize,
}

const LINE_STEPS: [LineStep; 4] = [
    LineStep { east: 1, north: 0 },
    LineStep { east: 0, north: 1 },
    LineStep { east: 1, north: 1 },
    LineStep { east: -1, north: 1 },
];

/// The number of symbols that each window of one direction lacks, by its first square: a binary number with a set
/// of squares for each digit. Windows that lack more than 4 are not open.
struct LackCounts {
    open: [u16; MAX_ROWS],
    ones: [u16; MAX_ROWS],
    twos: [u16; MAX_ROWS],
    fours: [u16; MAX_ROWS],
}

impl LackCounts {
    fn count(starts: Ranks, lacks: &Ranks, usable: &Ranks, step: LineStep, line: usize) -> LackCounts {
        let none = [0; MAX_ROWS];
        let mut counts = LackCounts { open: none, ones: none, twos: none, fours: none };
        counts.open.copy_from_slice(&starts[..MAX_ROWS]);
        for place in 0..line {
            let above = place * step.north;
            let lacks = &lacks[above..above + MAX_ROWS];
            let usable = &usable[above..above + MAX_ROWS];
            match step.east {
                -1 => counts.add(lacks, usable, |rank| rank << place),
                0 => counts.add(lacks, usable, |rank| rank),
                _ => counts.add(lacks, usable, |rank| rank >> place),
            }
        }
        counts
    }

    fn add(&mut self, lacks: &[u16], usable: &[u16], back: impl Fn(u16) -> u16) {
        for rank in 0..MAX_ROWS {
            let (lacks, usable) = (back(lacks[rank]), back(usable[rank]));
            let (ones, twos, fours) = (self.ones[rank], self.twos[rank], self.fours[rank]);
            self.open[rank] &= usable & !(fours & lacks);
            self.ones[rank] = ones ^ lacks;
            self.twos[rank] = twos ^ (ones & lacks);
            self.fours[rank] = fours | (twos & ones & lacks);
        }
    }

    /// Counts the windows that lack 1, 2, 3 and 4 symbols.
    fn windows(&self) -> [u32; 4] {
        let count = |lacking: fn(u16, u16, u16) -> u16| {
            let digits = |rank| lacking(self.ones[rank], self.twos[rank], self.fours[rank]);
            let windows: [u16; MAX_ROWS] = std::array::from_fn(|rank| self.open[rank] & digits(rank));
            // There are usually none, and counting takes longer than this check.
            if windows == [0; MAX_ROWS] { 0 } else { windows.iter().map(|rank| rank.count_ones()).sum() }
        };
        [
            count(|ones, twos, _| ones & !twos),
            count(|ones, twos, _| twos & !ones),
            count(|ones, twos, _| ones & twos),
            count(|_, _, fours| fours),
        ]
    }
}
