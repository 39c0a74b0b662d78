//! The tables of a round of three or four seats: a greedy start, then improvement.
//!
//! Byes are assigned first: to the last of the entrants with the fewest byes. The others start at tables by
//! their points, with each score group folded: with `t` tables the first of the group meets those `t`, `2 t`
//! and `3 t` places later, and leftover entrants join the next group. Then two entrants at different tables
//! exchange places as long as that improves the round. An improvement has, in this order, fewer rematches; with single
//! games, fewer entrants with one seat more than twice more often than another; a smaller sum of the squares of the
//! differences of points within tables; with single games, more even seats. When no such exchange is left, a few random
//! exchanges follow several times, and their result is kept if it is better.
//!
//! This finds no exact optimum: unlike the matching of pairs, dividing entrants into threes or fours of minimum cost is
//! hard in general. Even whether there is a way without a rematch is hard to decide (partition into triangles, Garey
//! and Johnson 1979, GT11). The same results give the same tables: the pseudorandom numbers depend only on the number
//! of the round.

use std::cmp::{Ordering, Reverse};
use std::iter::Sum;
use std::ops::Add;

use crate::schedule::arrangement::pairs;

/// Maximum difference between the numbers of games at two seats of one entrant that does not outweigh points.
const TOLERATED: u32 = 2;

/// Maximum number of random exchanges, and of places that they examine together.
const MOST_KICKS: usize = 100;
const KICKED_PLACES: usize = 8_000;

/// The state of an entrant before a round of more than two seats.
#[derive(Clone, Debug, Default)]
pub(super) struct Guest {
    /// The points, in halves.
    pub halves: u32,
    /// Number of byes.
    pub byes: u32,
    /// Number of encounters with each of the others.
    pub met: Vec<u32>,
    /// Number of single games at each seat; `None` if all games are played from every seat.
    pub sat: Option<Vec<u32>>,
}

/// The seating of a round, and the byes.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Seated {
    /// The entrants of each table in the order of seats, with the best table first.
    pub tables: Vec<Vec<usize>>,
    /// The entrants with a bye, beginning with the last one.
    pub byes: Vec<usize>,
}

/// The cost of tables, beginning with the weightiest part.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug, Default)]
struct Cost {
    rematches: u64,
    beyond: u64,
    difference: u64,
    uneven: u64,
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            rematches: self.rematches + other.rematches,
            beyond: self.beyond + other.beyond,
            difference: self.difference + other.difference,
            uneven: self.uneven + other.uneven,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), Cost::add)
    }
}

/// Seats the guests at tables of this number of seats, in a round counted from 0. Guests are numbered by
/// their seeds.
pub(super) fn seated(guests: &[Guest], seats: usize, round: usize) -> Seated {
    let mut order: Vec<usize> = (0..guests.len()).collect();
    // Seeds are sorted already, and the sort is stable.
    order.sort_by_key(|who| Reverse(guests[*who].halves));
    let byes = take_byes(guests, &mut order, guests.len() % seats);
    let mut room = SeatRoom::of(guests, seats, folded(guests, &order, seats));
    room.improve(round as u64);
    let mut ranks = vec![0; guests.len()];
    order.iter().enumerate().for_each(|(rank, who)| ranks[*who] = rank);
    let mut tables: Vec<Vec<usize>> = room.places.chunks(seats).map(<[usize]>::to_vec).collect();
    for table in &mut tables {
        table.sort_unstable_by_key(|who| ranks[*who]);
    }
    tables.sort_unstable_by_key(|table| ranks[table[0]]);
    for (number, table) in tables.iter_mut().enumerate() {
        // If several seatings are equally good, the best entrant should not always have seat 1.
        table.rotate_left((number + round) % seats);
        *table = Chairs::of(guests, table).best_order(table);
    }
    Seated { tables, byes }
}

/// Removes the entrants with a bye from the order: the last of those with the fewest byes.
fn take_byes(guests: &[Guest], order: &mut Vec<usize>, number: usize) -> Vec<usize> {
    let mut last_first: Vec<usize> = order.iter().rev().copied().collect();
    last_first.sort_by_key(|who| guests[*who].byes);
    last_first.truncate(number);
    order.retain(|who| !last_first.contains(who));
    last_first
}

/// The places of all tables, one table after the other, with score groups folded.
fn folded(guests: &[Guest], order: &[usize], seats: usize) -> Vec<usize> {
    let mut places = Vec::with_capacity(order.len());
    let mut left: Vec<usize> = Vec::new();
    for group in order.chunk_by(|one, other| guests[*one].halves == guests[*other].halves) {
        left.extend(group);
        let tables = left.len() / seats;
        for table in 0..tables {
            places.extend((0..seats).map(|fold| left[table + fold * tables]));
        }
        left.drain(..tables * seats);
    }
    places
}

/// Tables during their improvement.
struct SeatRoom<'g> {
    guests: &'g [Guest],
    seats: usize,
    /// The entrant at each place, one table after the other.
    places: Vec<usize>,
    costs: Vec<Cost>,
}

impl<'g> SeatRoom<'g> {
    fn of(guests: &'g [Guest], seats: usize, places: Vec<usize>) -> SeatRoom<'g> {
        let costs = places.chunks(seats).map(|table| cost(guests, table)).collect();
        SeatRoom { guests, seats, places, costs }
    }

    fn tables(&self) -> usize {
        self.places.len() / self.seats
    }

    fn table(&self, table: usize) -> &[usize] {
        &self.places[table * self.seats..(table + 1) * self.seats]
    }

    fn cost(&self) -> Cost {
        self.costs.iter().copied().sum()
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.places.swap(one, other);
        for table in [one / self.seats, other / self.seats] {
            self.costs[table] = cost(self.guests, self.table(table));
        }
    }

    /// Exchanges entrants until no better round is found.
    fn improve(&mut self, round: u64) {
        let tables = self.tables();
        self.descend((0..tables).collect());
        if tables < 2 {
            return;
        }
        let mut numbers = Numbers(round.wrapping_add(1));
        let mut best = self.cost();
        for _ in 0..MOST_KICKS.min(KICKED_PLACES / self.places.len()) {
            if best == Cost::default() {
                return;
            }
            let before = (self.places.clone(), self.costs.clone());
            let touched = self.kick(&mut numbers);
            self.descend(touched);
            let now = self.cost();
            if now < best {
                best = now;
            } else {
                (self.places, self.costs) = before;
            }
        }
    }

    /// Moves one entrant from a table to a second one, one from there to a third one, and one from there to
    /// the first, which is a table with a rematch if there is any.
    fn kick(&mut self, numbers: &mut Numbers) -> Vec<usize> {
        let tables = self.tables();
        let bad: Vec<usize> = (0..tables).filter(|table| self.costs[*table].rematches > 0).collect();
        let first = if bad.is_empty() { numbers.below(tables) } else { bad[numbers.below(bad.len())] };
        let second = (first + 1 + numbers.below(tables - 1)) % tables;
        let mut touched = vec![first, second];
        let start = numbers.below(tables);
        let mut others = (0..tables).map(|step| (start + step) % tables);
        touched.extend(others.find(|own| !touched.contains(own)));
        let places: Vec<usize> =
            touched.iter().map(|table| table * self.seats + numbers.below(self.seats)).collect();
        for pair in places.windows(2) {
            self.swap(pair[0], pair[1]);
        }
        touched
    }

    /// Exchanges pairs of entrants as long as that improves the round, beginning with these tables.
    fn descend(&mut self, mut open: Vec<usize>) {
        open.reverse();
        while let Some(table) = open.pop() {
            let own = table * self.seats..(table + 1) * self.seats;
            let others = (0..self.places.len()).filter(|place| !own.contains(place));
            let mut ways = others.flat_map(|other| own.clone().map(move |mine| (mine, other)));
            if let Some((mine, other)) = ways.find(|(mine, other)| self.is_better(*mine, *other)) {
                self.swap(mine, other);
                // Both tables have changed, so all their exchanges are possible again.
                for touched in [other / self.seats, table] {
                    open.retain(|own| *own != touched);
                    open.push(touched);
                }
            }
        }
    }

    /// True if exchanging the two entrants at these places of different tables improves the round.
    fn is_better(&self, one: usize, other: usize) -> bool {
        let tables = [one / self.seats, other / self.seats];
        let before = self.costs[tables[0]] + self.costs[tables[1]];
        let guests = self.guests;
        let rematches = self.change(one, other, |who, with| i64::from(guests[who].met[with]));
        let apart = |who: usize, with: usize| apart(&guests[who], &guests[with]) as i64;
        match rematches.cmp(&0) {
            Ordering::Less => return true,
            Ordering::Greater => return false,
            Ordering::Equal => {}
        }
        // Seats take longest to compare, so everything that can decide without them comes first.
        if before.beyond == 0 {
            let difference = self.change(one, other, apart);
            let has_even_seats = before.uneven == 0;
            if difference > 0 || difference == 0 && has_even_seats {
                return false;
            }
            if difference < 0 && guests[self.places[one]].sat.is_none() {
                return true;
            }
        }
        let mut after = tables.map(|table| self.table(table).to_vec());
        after[0][one % self.seats] = self.places[other];
        after[1][other % self.seats] = self.places[one];
        after.iter().map(|table| cost(guests, table)).sum::<Cost>() < before
    }

    /// The increase of a sum over all pairs at tables if these two exchange places.
    fn change(&self, one: usize, other: usize, of: impl Fn(usize, usize) -> i64) -> i64 {
        let of_move = |leaves: usize, comes: usize| -> i64 {
            let (gone, new) = (self.places[leaves], self.places[comes]);
            let table = self.table(leaves / self.seats).iter();
            table.filter(|who| **who != gone).map(|who| of(new, *who) - of(gone, *who)).sum()
        };
        of_move(one, other) + of_move(other, one)
    }
}

/// The square of the difference of the points of two entrants.
fn apart(one: &Guest, other: &Guest) -> u64 {
    u64::from(one.halves.abs_diff(other.halves)).pow(2)
}

fn cost(guests: &[Guest], table: &[usize]) -> Cost {
    let Chairs { beyond, uneven, .. } = Chairs::of(guests, table);
    let difference = pairs(table).map(|[one, other]| apart(&guests[one], &guests[other])).sum();
    Cost { rematches: rematches(guests, table), beyond, difference, uneven }
}

/// Number of earlier encounters among the entrants of a table.
fn rematches(guests: &[Guest], table: &[usize]) -> u64 {
    pairs(table).map(|[one, other]| u64::from(guests[one].met[other])).sum()
}

/// The best seating of the entrants of a table.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Chairs {
    /// The unevenness of seats beyond what is tolerated.
    beyond: u64,
    /// The sum over the entrants of the table: the number of games at the seat that the entrant gets, less the number
    /// at the seat that it has had least often.
    uneven: u64,
    seats: Vec<usize>,
}

impl Chairs {
    fn of(guests: &[Guest], table: &[usize]) -> Chairs {
        let plain = Chairs { beyond: 0, uneven: 0, seats: (0..table.len()).collect() };
        let sat: Option<Vec<&[u32]>> = table.iter().map(|who| guests[*who].sat.as_deref()).collect();
        let Some(sat) = sat else { return plain };
        let mut best = Chairs { beyond: u64::MAX, ..plain.clone() };
        Chairs { seats: Vec::new(), ..plain }.complete(&sat, &mut best);
        best
    }

    /// Tries all seats for the entrants that have none yet. Keeps the first of the best seatings in `best`.
    fn complete(&mut self, sat: &[&[u32]], best: &mut Chairs) {
        let is_less = (self.beyond, self.uneven) < (best.beyond, best.uneven);
        let Some(own) = sat.get(self.seats.len()).filter(|_| is_less) else {
            if is_less {
                *best = self.clone();
            }
            return;
        };
        let least = own.iter().min().copied().unwrap_or(0);
        for seat in 0..sat.len() {
            if self.seats.contains(&seat) {
                continue;
            }
            let (beyond, uneven) = (self.beyond, self.uneven);
            let over = own[seat] - least;
            self.uneven += u64::from(over);
            self.beyond += u64::from((over + 1).saturating_sub(TOLERATED));
            self.seats.push(seat);
            self.complete(sat, best);
            self.seats.pop();
            (self.beyond, self.uneven) = (beyond, uneven);
        }
    }

    /// The entrants of a table in the order of seats.
    fn best_order(&self, table: &[usize]) -> Vec<usize> {
        let mut order = table.to_vec();
        for (who, seat) in table.iter().zip(&self.seats) {
            order[*seat] = *who;
        }
        order
    }
}

/// Pseudorandom numbers: a linear congruential generator with Knuth's constants (The Art of Computer
/// Programming, volume 2, 3.3.4: MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}
