//! The bots that meet at each place of a round with three or four seats, and the bot with seat 1, computed in both
//! directions without a list.
//!
//! The `n` bots form a circle. The bots of a game follow from the bot with seat 1 and the gaps between the bots, one
//! gap per seat, which add up to `n`. All games with the same gaps, counted from seat 1, form a *pass*: in it every
//! bot has seat 1 once. The passes whose gaps are rotations of each other form a *block*: in it each combination of
//! bots meets once with each of its members at seat 1, so every bot has every seat equally often, whatever the order
//! of the others.

use arrayvec::ArrayVec;

use super::arrangement::SeatNumbers;
use linesman_types::seat::MAX_SEATS;

/// The bots that meet at every place of a round, and the bot with seat 1.
#[derive(Clone, Debug)]
pub(super) struct Rotations {
    bots: usize,
    seats: usize,
    /// Number of blocks with one pass per seat. If the gaps are periodic, a block has fewer.
    whole_blocks: u64,
    /// Step between consecutive whole blocks, which mixes games of bots close together and far apart on the circle.
    stride: u64,
}

impl Rotations {
    pub(super) fn new(bots: usize, seats: usize) -> Rotations {
        debug_assert!((3..=4).contains(&seats) && bots >= seats);
        let whole_blocks = (1..=bots / seats).map(|gap| blocks_with_min_gap(bots, seats, gap)).sum();
        Rotations { bots, seats, whole_blocks, stride: stride(whole_blocks) }
    }

    /// Number of games in a whole block. After each whole block, seats are balanced.
    pub(super) fn games_per_block(&self) -> u64 {
        (self.seats * self.bots) as u64
    }

    /// Returns the bots of the game at a place of the round, with seat 1 first.
    pub(super) fn bots_at(&self, place: u64) -> SeatNumbers {
        let whole = self.whole_blocks * self.games_per_block();
        let (gaps, within) = if place < whole {
            let block = u128::from(place / self.games_per_block()) * u128::from(self.stride);
            let block = (block % u128::from(self.whole_blocks)) as u64;
            (self.whole_block(block), place % self.games_per_block())
        } else {
            self.short_block(place - whole)
        };
        let (pass, first) = ((within as usize) / self.bots, (within as usize) % self.bots);
        let mut bot = first;
        let mut bots = SeatNumbers::new();
        for index in 0..self.seats {
            bots.push(bot);
            bot = (bot + gaps[(pass + index) % self.seats]) % self.bots;
        }
        bots
    }

    /// Returns the place of the game of these bots with the first of them at seat 1; the order of the others makes no
    /// difference. The bots must be distinct.
    pub(super) fn place(&self, bots: &[usize]) -> u64 {
        let first = bots[0];
        let mut shifts: SeatNumbers = bots.iter().map(|bot| (bot + self.bots - first) % self.bots).collect();
        shifts.sort_unstable();
        let gaps: SeatNumbers = (0..shifts.len())
            .map(|index| shifts.get(index + 1).unwrap_or(&self.bots) - shifts[index])
            .collect();
        let whole = self.whole_blocks * self.games_per_block();
        let (before, pass) = match period(&gaps) {
            passes if passes == self.seats => {
                let (block, pass) = self.number_of_block(&gaps);
                let step = inverse(self.stride, self.whole_blocks);
                let step = u128::from(block) * u128::from(step) % u128::from(self.whole_blocks);
                (step as u64 * self.games_per_block(), pass)
            }
            1 => (whole + self.games_with_alternating_gaps(), 0),
            // Two alternating gaps, the smaller one first.
            _ => {
                let min_gap = gaps[0].min(gaps[1]);
                (whole + (min_gap as u64 - 1) * 2 * self.bots as u64, usize::from(gaps[0] != min_gap))
            }
        };
        before + (pass * self.bots + first) as u64
    }

    /// Returns the gaps of the first pass of a whole block.
    fn whole_block(&self, mut number: u64) -> SeatNumbers {
        let mut min_gap = 1;
        while number >= blocks_with_min_gap(self.bots, self.seats, min_gap) {
            number -= blocks_with_min_gap(self.bots, self.seats, min_gap);
            min_gap += 1;
        }
        let rest = (self.bots - self.seats * min_gap) as u64;
        let excesses = if self.seats == 3 { three(rest, number) } else { four(rest, number) };
        excesses.into_iter().map(|excess| min_gap + excess as usize).collect()
    }

    /// Returns the number of the whole block that these gaps belong to, and the number of the pass in it.
    fn number_of_block(&self, gaps: &SeatNumbers) -> (u64, usize) {
        let min_gap = gaps.iter().copied().min().unwrap_or(1);
        let before: u64 = (1..min_gap).map(|gap| blocks_with_min_gap(self.bots, self.seats, gap)).sum();
        let rest = (self.bots - self.seats * min_gap) as u64;
        let excesses: ArrayVec<u64, MAX_SEATS> = gaps.iter().map(|gap| (gap - min_gap) as u64).collect();
        let rotated = |start: usize| -> ArrayVec<u64, MAX_SEATS> {
            (0..self.seats).map(|index| excesses[(start + index) % self.seats]).collect()
        };
        let found = (0..self.seats).find_map(|start| {
            let rotated = rotated(start);
            let number = if self.seats == 3 {
                number_of_three(rest, &rotated)
            } else {
                number_of_four(rest, &rotated)
            };
            Some((number?, start))
        });
        let (number, start) = found.expect("gaps that are not periodic are counted in one of their turns");
        (before + number, (self.seats - start) % self.seats)
    }

    /// Number of games in the blocks with two alternating gaps.
    fn games_with_alternating_gaps(&self) -> u64 {
        if self.seats == 4 && self.bots.is_multiple_of(2) {
            ((self.bots / 2 - 1) / 2 * 2 * self.bots) as u64
        } else {
            0
        }
    }

    /// Returns the gaps of one of the blocks with fewer passes, and the place in the block.
    fn short_block(&self, place: u64) -> (SeatNumbers, u64) {
        if place < self.games_with_alternating_gaps() {
            let min_gap = (place / (2 * self.bots as u64)) as usize + 1;
            let other = self.bots / 2 - min_gap;
            ([min_gap, other, min_gap, other].into_iter().collect(), place % (2 * self.bots as u64))
        } else {
            let gap = self.bots / self.seats;
            (std::iter::repeat_n(gap, self.seats).collect(), place - self.games_with_alternating_gaps())
        }
    }
}

/// Returns the smallest rotation of the gaps that leaves them the same.
fn period(gaps: &[usize]) -> usize {
    let length = gaps.len();
    let repeats = |shift: &usize| (0..length).all(|index| gaps[index] == gaps[(index + shift) % length]);
    (1..length).filter(|shift| length.is_multiple_of(*shift)).find(repeats).unwrap_or(length)
}

/// Returns the number of whole blocks whose smallest gap is `min_gap`.
fn blocks_with_min_gap(bots: usize, seats: usize, min_gap: usize) -> u64 {
    let rest = (bots - seats * min_gap) as u64;
    match (seats, rest) {
        (_, 0) => 0,
        (3, _) => rest,
        _ => ones(rest) + (rest - 1) + opposites(rest) + 1,
    }
}

/// Returns the excesses of three gaps over the smallest of them, which is the first and not the last: `0, y, rest - y`.
fn three(rest: u64, number: u64) -> ArrayVec<u64, MAX_SEATS> {
    [0, number, rest - number].into_iter().collect()
}

fn number_of_three(rest: u64, excesses: &[u64]) -> Option<u64> {
    (excesses[0] == 0 && excesses[2] > 0 && excesses[1] < rest).then_some(excesses[1])
}

/// Number of quadruples of gaps in which only the first is the smallest: `0, a, b, c`.
fn ones(rest: u64) -> u64 {
    (rest - 1) * rest.saturating_sub(2) / 2
}

/// Number of quadruples of gaps in which the first and the third are the smallest, and the second is smaller
/// than the fourth: `0, a, 0, c`.
fn opposites(rest: u64) -> u64 {
    (rest - 1) / 2
}

/// Returns the excesses of four gaps over the smallest of them.
fn four(rest: u64, mut number: u64) -> ArrayVec<u64, MAX_SEATS> {
    if number < ones(rest) {
        // `a` starts at 1; for each `a`, there are `rest - 1 - a` values of `b`.
        let mut a = 1;
        while number >= rest - 1 - a {
            number -= rest - 1 - a;
            a += 1;
        }
        let b = number + 1;
        return [0, a, b, rest - a - b].into_iter().collect();
    }
    number -= ones(rest);
    if number < rest - 1 {
        return [0, 0, number + 1, rest - number - 1].into_iter().collect();
    }
    number -= rest - 1;
    if number < opposites(rest) {
        return [0, number + 1, 0, rest - number - 1].into_iter().collect();
    }
    [0, 0, 0, rest].into_iter().collect()
}

fn number_of_four(rest: u64, excesses: &[u64]) -> Option<u64> {
    match *excesses {
        [0, 0, 0, _] => Some(ones(rest) + (rest - 1) + opposites(rest)),
        [0, 0, b, c] if b > 0 && c > 0 => Some(ones(rest) + b - 1),
        [0, a, 0, c] if 0 < a && a < c => Some(ones(rest) + (rest - 1) + a - 1),
        [0, a, b, c] if a > 0 && b > 0 && c > 0 => {
            // Smaller values of `a` have rest - 2, rest - 3, ... values of `b`.
            Some((a - 1) * (rest - 1) - a * (a - 1) / 2 + b - 1)
        }
        _ => None,
    }
}

/// Returns a step near the golden section of `length` and coprime to it. Its first multiples are spread evenly.
pub(super) fn stride(length: u64) -> u64 {
    let golden = (length as f64 * 0.618_033_988_75) as u64;
    (golden.max(1)..length.max(2)).find(|step| greatest_common_divisor(*step, length) == 1).unwrap_or(1)
}

pub(super) fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

/// Returns the multiplicative inverse of a step modulo this length.
pub(super) fn inverse(step: u64, length: u64) -> u64 {
    let (mut old, mut new) = ((i128::from(step), 1), (i128::from(length), 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(i128::from(length.max(1))) as u64
}
