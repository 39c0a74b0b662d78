//! The order of play of one round, as arithmetic: which seating comes at which
//! place, and back.
//!
//! Two seats go by the circle method: in each day everyone plays once, and
//! seats alternate; then the same days again with seats exchanged.
//!
//! More seats go by shifts: `(a, a + s1, a + s2)` for every bot `a`, then for
//! the next shifts. In each block of as many games as there are bots,
//! everyone sits once at every seat.

use arrayvec::ArrayVec;

use crate::seat::{BySeat, MAX_SEATS};

/// Bots by seat, as indices.
pub(super) type Slot = ArrayVec<usize, MAX_SEATS>;

/// The order of play of one round.
#[derive(Clone, Debug)]
pub(super) enum Order {
    /// Two seats.
    Circle(Circle),
    /// Three seats or more.
    Shifts(Shifts),
}

impl Order {
    pub(super) fn new(bots: usize, seats: usize) -> Order {
        match seats {
            2 => Order::Circle(Circle { bots }),
            _ => Order::Shifts(Shifts { bots, seats }),
        }
    }

    /// The seating at a place; it must be below the number of games of a round.
    pub(super) fn seating(&self, index: u64) -> BySeat<usize> {
        let slot = match self {
            Order::Circle(circle) => circle.seating(index as usize),
            Order::Shifts(shifts) => shifts.seating(index as usize),
        };
        BySeat::from_fn(slot.len(), |seat| slot[seat.index()])
    }

    /// The place of a seating of different bots; none if it has another number of seats.
    pub(super) fn index(&self, slot: &[usize]) -> Option<u64> {
        match (self, slot) {
            (Order::Circle(circle), [first, second]) => Some(circle.index(*first, *second) as u64),
            (Order::Shifts(shifts), slot) if slot.len() == shifts.seats => Some(shifts.index(slot) as u64),
            _ => None,
        }
    }
}

/// The circle method. All bots but the last stand on a circle of odd length;
/// on day `d` the bot at `d` plays the last one, and the bots `k` steps to
/// either side of it play each other. With an odd number of bots the last one
/// is missing and the bot at `d` has a day off.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    bots: usize,
}

impl Circle {
    /// The length of the circle, which is the number of days as well. Odd.
    fn days(&self) -> usize {
        if self.bots.is_multiple_of(2) { self.bots - 1 } else { self.bots }
    }

    fn games_a_day(&self) -> usize {
        self.bots / 2
    }

    /// The pair of a day whose bots are `k` steps from the day's own, with the
    /// seats of the first half of the round. `k` = 0 is the game against the last bot.
    ///
    /// As the day moves on by one, a bot's distance to it changes by one, so
    /// going by whether `k` is odd makes its seats alternate.
    fn pair(&self, day: usize, k: usize) -> (usize, usize) {
        let days = self.days();
        let (ahead, behind) = match k {
            0 => (self.bots - 1, day),
            _ => ((day + k) % days, (day + days - k) % days),
        };
        let ahead_first = if k == 0 { day.is_multiple_of(2) } else { !k.is_multiple_of(2) };
        if ahead_first { (ahead, behind) } else { (behind, ahead) }
    }

    /// The first `k` of a day: 0 has a game only if there is a last bot.
    fn first_step(&self) -> usize {
        self.bots % 2
    }

    fn seating(&self, index: usize) -> Slot {
        let half = self.days() * self.games_a_day();
        let (day, game) = (index % half / self.games_a_day(), index % self.games_a_day());
        let (first, second) = self.pair(day, game + self.first_step());
        if index < half { [first, second] } else { [second, first] }.into_iter().collect()
    }

    fn index(&self, first: usize, second: usize) -> usize {
        let days = self.days();
        let last = self.bots - 1;
        let (day, k) = if self.first_step() == 0 && (first == last || second == last) {
            (first.min(second), 0)
        } else {
            // The day lies in the middle between the two: half their sum on a
            // circle of odd length, where (days + 1) / 2 is a half.
            let day = (first + second) % days * days.div_ceil(2) % days;
            let ahead = (first + days - day) % days;
            (day, ahead.min(days - ahead))
        };
        let half = if self.pair(day, k) == (first, second) { 0 } else { days * self.games_a_day() };
        half + day * self.games_a_day() + k - self.first_step()
    }
}

/// The order by shifts.
#[derive(Clone, Debug)]
pub(super) struct Shifts {
    bots: usize,
    seats: usize,
}

impl Shifts {
    fn seating(&self, index: usize) -> Slot {
        let (mut rank, first) = (index / self.bots, index % self.bots);
        // The rank counts the tuples of different shifts in lexicographic
        // order: digit after digit says how many of the free ones are smaller.
        let mut digits: ArrayVec<usize, MAX_SEATS> = ArrayVec::new();
        for free in (self.bots + 1 - self.seats)..self.bots {
            digits.push(rank % free);
            rank /= free;
        }
        let mut shifts: Slot = [0].into_iter().collect();
        for digit in digits.into_iter().rev() {
            let mut taken = shifts.clone();
            taken.sort_unstable();
            let shift = taken.into_iter().fold(digit, |shift, taken| shift + usize::from(shift >= taken));
            shifts.push(shift);
        }
        shifts.into_iter().map(|shift| (first + shift) % self.bots).collect()
    }

    fn index(&self, slot: &[usize]) -> usize {
        let first = slot[0];
        let shifts: Slot = slot.iter().map(|bot| (bot + self.bots - first) % self.bots).collect();
        let mut rank = 0;
        for (place, shift) in shifts.iter().enumerate().skip(1) {
            let smaller_taken = shifts[..place].iter().filter(|taken| *taken < shift).count();
            rank = rank * (self.bots - place) + (shift - smaller_taken);
        }
        rank * self.bots + first
    }
}
