//! The tables of a round with three or four seats: a greedy start, then local improvement.
//!
//! Byes are assigned first: to the last of the entrants with the fewest byes. The others start at tables by
//! their points, with a slide in each score group: with `t` tables, the first of the group meets those `t`, `2 t`
//! and `3 t` places later, and leftover entrants join the next group. Then two entrants at different tables
//! exchange places while that improves the round. An improvement has, in this order, fewer rematches; with single
//! games, a smaller excess of seat imbalance over the tolerated difference; a smaller sum of the squared differences
//! of points within tables; with single games, more even seats. When no improving exchange is left, random exchanges
//! follow several times, and their result is kept if it is better.
//!
//! An optimum is not guaranteed: unlike the matching of pairs, dividing entrants into groups of three or four at
//! minimum cost is NP-hard. Even whether a round without a rematch exists is hard to decide (partition into triangles,
//! Garey and Johnson 1979, GT11). The same results lead to the same tables: the pseudorandom numbers depend only on the
//! number of the round.

use std::cmp::{Ordering, Reverse};
use std::iter::Sum;
use std::ops::Add;

use super::{Round, SwissTable};
use crate::schedule::arrangement::pairs;

/// Maximum difference between an entrant's numbers of games at two seats that does not outweigh points.
const TOLERATED_DIFFERENCE: u32 = 2;

/// Maximum number of random perturbations, and maximum of that number times the number of places.
const MAX_KICKS: usize = 100;
const MAX_KICKED_PLACES: usize = 8_000;

/// The state of an entrant before a round of more than two sides.
#[derive(Clone, Debug)]
pub(super) struct TablePlayer {
    /// The points, in halves.
    pub halves: u32,
    pub byes: u32,
    /// Number of earlier meetings with each entrant.
    pub met: Vec<u32>,
    /// Number of single games at each seat; `None` if all games are played from every seat.
    pub seat_counts: Option<Vec<u32>>,
}

/// The cost of tables, with the weightiest part first.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug, Default)]
struct Cost {
    rematches: u64,
    /// The imbalance of seats beyond what is tolerated.
    excess: u64,
    /// The sum of the squared differences of points.
    difference: u64,
    imbalance: u64,
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost {
            rematches: self.rematches + other.rematches,
            excess: self.excess + other.excess,
            difference: self.difference + other.difference,
            imbalance: self.imbalance + other.imbalance,
        }
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), Cost::add)
    }
}

/// Seats the players at tables of this number of seats, in a round counted from 0. Players are numbered by
/// their seeds. The best table and the lowest-ranked bye come first.
pub(super) fn seat_round(players: &[TablePlayer], seats: usize, round: usize, games_per_table: u32) -> Round {
    let mut order: Vec<usize> = (0..players.len()).collect();
    // The sort is stable, so players with equal points stay in the order of their seeds.
    order.sort_by_key(|player| Reverse(players[*player].halves));
    let byes = take_byes(players, &mut order, players.len() % seats);
    let mut search = TableSearch::of(players, seats, slide(players, &order, seats));
    search.improve(round as u64);
    let mut ranks = vec![0; players.len()];
    order.iter().enumerate().for_each(|(rank, player)| ranks[*player] = rank);
    let mut tables: Vec<Vec<usize>> = search.places.chunks(seats).map(<[usize]>::to_vec).collect();
    for table in &mut tables {
        table.sort_unstable_by_key(|player| ranks[*player]);
    }
    tables.sort_unstable_by_key(|table| ranks[table[0]]);
    let seated = |(number, mut table): (usize, Vec<usize>)| {
        // If several seatings are equally good, the best player should not always have seat 1.
        table.rotate_left((number + round) % seats);
        SwissTable::new(TableSeating::best(players, &table).in_seat_order(&table), games_per_table)
    };
    Round { tables: tables.into_iter().enumerate().map(seated).collect(), byes }
}

/// Removes the players with a bye from the order and returns them: the last of those with the fewest byes.
fn take_byes(players: &[TablePlayer], order: &mut Vec<usize>, number: usize) -> Vec<usize> {
    let mut byes: Vec<usize> = order.iter().rev().copied().collect();
    byes.sort_by_key(|player| players[*player].byes);
    byes.truncate(number);
    order.retain(|player| !byes.contains(player));
    byes
}

/// Returns the players at the places of all tables, one table after the other, with a slide in each score group.
fn slide(players: &[TablePlayer], order: &[usize], seats: usize) -> Vec<usize> {
    let mut places = Vec::with_capacity(order.len());
    let mut left: Vec<usize> = Vec::new();
    for group in order.chunk_by(|one, other| players[*one].halves == players[*other].halves) {
        left.extend(group);
        let tables = left.len() / seats;
        for table in 0..tables {
            places.extend((0..seats).map(|part| left[table + part * tables]));
        }
        left.drain(..tables * seats);
    }
    places
}

/// A local search for the best tables of a round.
struct TableSearch<'p> {
    players: &'p [TablePlayer],
    seats: usize,
    /// The player at each place, one table after the other.
    places: Vec<usize>,
    costs: Vec<Cost>,
}

impl<'p> TableSearch<'p> {
    fn of(players: &'p [TablePlayer], seats: usize, places: Vec<usize>) -> TableSearch<'p> {
        let costs = places.chunks(seats).map(|table| cost(players, table)).collect();
        TableSearch { players, seats, places, costs }
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
            self.costs[table] = cost(self.players, self.table(table));
        }
    }

    /// Exchanges players until no better round is found.
    fn improve(&mut self, round: u64) {
        let tables = self.tables();
        self.descend((0..tables).collect());
        if tables < 2 {
            return;
        }
        let mut numbers = Numbers(round.wrapping_add(1));
        let mut best = self.cost();
        for _ in 0..MAX_KICKS.min(MAX_KICKED_PLACES / self.places.len()) {
            if best == Cost::default() {
                return;
            }
            let before = (self.places.clone(), self.costs.clone());
            let changed = self.kick(&mut numbers);
            self.descend(changed);
            let cost = self.cost();
            if cost < best {
                best = cost;
            } else {
                (self.places, self.costs) = before;
            }
        }
    }

    /// Moves one player from a table to a second one, one from there to a third one, and one from there to the
    /// first, which is a table with a rematch if one exists. Returns the changed tables.
    fn kick(&mut self, numbers: &mut Numbers) -> Vec<usize> {
        let tables = self.tables();
        let rematched: Vec<usize> = (0..tables).filter(|table| self.costs[*table].rematches > 0).collect();
        let first = match rematched.len() {
            0 => numbers.below(tables),
            count => rematched[numbers.below(count)],
        };
        let second = (first + 1 + numbers.below(tables - 1)) % tables;
        let mut changed = vec![first, second];
        let start = numbers.below(tables);
        let mut others = (0..tables).map(|step| (start + step) % tables);
        changed.extend(others.find(|table| !changed.contains(table)));
        let places: Vec<usize> =
            changed.iter().map(|table| table * self.seats + numbers.below(self.seats)).collect();
        for pair in places.windows(2) {
            self.swap(pair[0], pair[1]);
        }
        changed
    }

    /// Exchanges pairs of players while that improves the round, beginning with these tables.
    fn descend(&mut self, mut open: Vec<usize>) {
        open.reverse();
        while let Some(table) = open.pop() {
            let inside = table * self.seats..(table + 1) * self.seats;
            let outside = (0..self.places.len()).filter(|place| !inside.contains(place));
            let mut exchanges = outside.flat_map(|other| inside.clone().map(move |one| (one, other)));
            if let Some((one, other)) = exchanges.find(|(one, other)| self.is_better(*one, *other)) {
                self.swap(one, other);
                // Both tables have changed, so all their exchanges must be tried again.
                for changed in [other / self.seats, table] {
                    open.retain(|table| *table != changed);
                    open.push(changed);
                }
            }
        }
    }

    /// Returns true if exchanging the players at these places of different tables improves the round.
    fn is_better(&self, one: usize, other: usize) -> bool {
        let tables = [one / self.seats, other / self.seats];
        let before = self.costs[tables[0]] + self.costs[tables[1]];
        let players = self.players;
        let rematches = self.change(one, other, |one, other| i64::from(players[one].met[other]));
        let squared = |one: usize, other: usize| squared_difference(&players[one], &players[other]) as i64;
        match rematches.cmp(&0) {
            Ordering::Less => return true,
            Ordering::Greater => return false,
            Ordering::Equal => {}
        }
        // Seats take longest to compare, so they are compared only if nothing else decides.
        if before.excess == 0 {
            let difference = self.change(one, other, squared);
            let has_even_seats = before.imbalance == 0;
            if difference > 0 || difference == 0 && has_even_seats {
                return false;
            }
            if difference < 0 && players[self.places[one]].seat_counts.is_none() {
                return true;
            }
        }
        let mut after = tables.map(|table| self.table(table).to_vec());
        after[0][one % self.seats] = self.places[other];
        after[1][other % self.seats] = self.places[one];
        after.iter().map(|table| cost(players, table)).sum::<Cost>() < before
    }

    /// Returns the increase of a sum over all pairs at tables if the players at these places are exchanged.
    fn change(&self, one: usize, other: usize, pair_value: impl Fn(usize, usize) -> i64) -> i64 {
        let replacing = |place: usize, by: usize| -> i64 {
            let (old, new) = (self.places[place], self.places[by]);
            let others = self.table(place / self.seats).iter().filter(|player| **player != old);
            others.map(|player| pair_value(new, *player) - pair_value(old, *player)).sum()
        };
        replacing(one, other) + replacing(other, one)
    }
}

/// The squared difference of the half points of two players.
fn squared_difference(one: &TablePlayer, other: &TablePlayer) -> u64 {
    u64::from(one.halves.abs_diff(other.halves)).pow(2)
}

fn cost(players: &[TablePlayer], table: &[usize]) -> Cost {
    let TableSeating { excess, imbalance, .. } = TableSeating::best(players, table);
    let rematches = pairs(table).map(|[one, other]| u64::from(players[one].met[other])).sum();
    let difference =
        pairs(table).map(|[one, other]| squared_difference(&players[one], &players[other])).sum();
    Cost { rematches, excess, difference, imbalance }
}

/// A seating of the players of a table.
#[derive(Clone, Eq, PartialEq, Debug)]
struct TableSeating {
    /// The imbalance of seats beyond what is tolerated.
    excess: u64,
    /// The sum over the players of the table: the number of games at the player's new seat, less the number at the seat
    /// that it has had least often.
    imbalance: u64,
    /// The seat of each player.
    seats: Vec<usize>,
}

impl TableSeating {
    fn best(players: &[TablePlayer], table: &[usize]) -> TableSeating {
        let default = TableSeating { excess: 0, imbalance: 0, seats: (0..table.len()).collect() };
        let counts: Option<Vec<&[u32]>> =
            table.iter().map(|player| players[*player].seat_counts.as_deref()).collect();
        let Some(counts) = counts else { return default };
        let mut best = TableSeating { excess: u64::MAX, ..default.clone() };
        TableSeating { seats: Vec::new(), ..default }.complete(&counts, &mut best);
        best
    }

    /// Tries all seats for the players that have none yet. Keeps the first of the best seatings in `best`.
    fn complete(&mut self, counts: &[&[u32]], best: &mut TableSeating) {
        let is_better = (self.excess, self.imbalance) < (best.excess, best.imbalance);
        let Some(next) = counts.get(self.seats.len()).filter(|_| is_better) else {
            if is_better {
                *best = self.clone();
            }
            return;
        };
        let min = next.iter().min().copied().unwrap_or(0);
        for seat in 0..counts.len() {
            if self.seats.contains(&seat) {
                continue;
            }
            let (excess, imbalance) = (self.excess, self.imbalance);
            let difference = next[seat] - min;
            self.imbalance += u64::from(difference);
            self.excess += u64::from((difference + 1).saturating_sub(TOLERATED_DIFFERENCE));
            self.seats.push(seat);
            self.complete(counts, best);
            self.seats.pop();
            (self.excess, self.imbalance) = (excess, imbalance);
        }
    }

    fn in_seat_order(&self, table: &[usize]) -> Vec<usize> {
        let mut order = table.to_vec();
        for (player, seat) in table.iter().zip(&self.seats) {
            order[*seat] = *player;
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
