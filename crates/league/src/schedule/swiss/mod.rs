//! A Swiss: in each round, entrants with equal points meet, and rematches are avoided.
//!
//! A round is a perfect matching of minimum cost. The cost of a pair is a list of numbers, each of which
//! outweighs all later ones of the whole round together:
//!
//! 1. the number of earlier meetings of the two;
//! 2. for a bye, the number of byes that the entrant has had;
//! 3. for a bye, the entrant's lead in points over the last one;
//! 4. with single games, the excess over 2 of the difference between an entrant's numbers of games in the two seats;
//! 5. the square of the difference of their points;
//! 6. with single games, the remaining imbalance of their seats;
//! 7. the distance from the ideal pair: in a group of equal points, the first half meets the second half in order
//!    (a slide); between groups, neighbours meet.
//!
//! This is not a FIDE system: it has the same aims, but other rules for when they can't all be met.
//!
//! With three or four seats, the entrants that meet form a table, and the rounds are found by local improvement
//! (see `seats.rs`), which does not guarantee an optimum. An entrant wins points from each opponent: 1 from each
//! that is behind it, and half a point from each that shares its place.

mod seats;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use seats::{TablePlayer, seat_round};

use super::arrangement::pairs;
use super::matching::cheapest_perfect_matching;
use super::tie_breaks::{Met, TieBreaks, tie_breaks};

/// Maximum number of entrants of a Swiss.
pub const MAX_SWISS_ENTRANTS: usize = 500;

/// The unit of a pairing in a round.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Unit {
    /// An encounter: one game with each entrant at seat 1.
    Encounter,
    /// One game; seats are balanced over the rounds.
    Game,
}

impl Unit {
    /// Number of games in a unit with this number of sides.
    pub fn games(self, sides: usize) -> u32 {
        match self {
            Unit::Encounter => sides as u32,
            Unit::Game => 1,
        }
    }
}

/// A round, with its results so far.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Round {
    /// The tables, with better entrants first.
    pub tables: Vec<SwissTable>,
    /// The entrants with a bye.
    pub byes: Vec<usize>,
}

impl Round {
    /// True if all its games have been played.
    pub fn is_over(&self) -> bool {
        self.tables.iter().all(|table| table.missing == 0)
    }
}

/// The entrants that meet in a round.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct SwissTable {
    /// The opponents; the first begins the first game. In single games, in seat order.
    pub sides: Vec<usize>,
    /// The half points that each opponent has won from each other opponent, in the same order.
    pub won: Vec<Vec<u32>>,
    /// Number of games that lack a result.
    pub missing: u32,
}

impl SwissTable {
    fn new(sides: Vec<usize>, missing: u32) -> SwissTable {
        let won = vec![vec![0; sides.len()]; sides.len()];
        SwissTable { sides, won, missing }
    }

    /// The half points that an entrant has won at this table, by its index in [`SwissTable::sides`].
    pub fn halves(&self, side: usize) -> u32 {
        self.won[side].iter().sum()
    }

    /// The pairs of entrants at this table, each once.
    pub fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        pairs(&self.sides)
    }

    /// True if these two meet at this table.
    pub fn has(&self, pair: [usize; 2]) -> bool {
        pair.iter().all(|entrant| self.sides.contains(entrant))
    }
}

/// A Swiss and its progress. Entrants are numbered by their seeds, from 0.
#[derive(Clone, Debug)]
pub struct Swiss {
    entrants: usize,
    /// Number of entrants at a table.
    sides: usize,
    length: u32,
    unit: Unit,
    rounds: Vec<Round>,
}

/// The state of an entrant before a round of two sides.
#[derive(Clone, Debug, Default)]
struct SwissPlayer {
    halves: u32,
    byes: u32,
    /// Number of single games that the entrant began, less the number of those that it did not begin.
    seat_balance: i32,
    /// True for each round in which the entrant began; `None` for a bye.
    began: Vec<Option<bool>>,
    /// Number of earlier meetings with each entrant.
    met: Vec<u32>,
    /// Its rank among all entrants, from 0.
    rank: usize,
    /// Its rank among those with the same points, from 0, and the size of that group.
    rank_in_group: usize,
    group_size: usize,
}

/// The cost of a pair, with the weightiest part first.
type Cost = [i128; 7];

impl Swiss {
    pub(super) fn new(entrants: usize, sides: usize, length: u32, unit: Unit) -> Swiss {
        Swiss { entrants, sides, length, unit, rounds: Vec::new() }
    }

    pub(super) fn games_per_round(&self) -> u64 {
        (self.entrants / self.sides) as u64 * u64::from(self.games_per_table())
    }

    /// Number of games at a table in a round.
    pub fn games_per_table(&self) -> u32 {
        self.unit.games(self.sides)
    }

    /// Number of entrants at a table.
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// Number of half points that a bye yields for each opponent that a table would have had.
    ///
    /// With two sides it is the maximum, which FIDE awards for a pairing-allocated bye. At tables of three or four, the
    /// maximum would be at least twice the average of a round, so the bye yields the average.
    fn bye_halves_per_opponent(&self) -> u32 {
        if self.sides == 2 { 2 * self.games_per_table() } else { self.games_per_table() }
    }

    /// Total number of rounds.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The unit of a pairing.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The rounds that have been paired.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Pairs the next round and returns it, if there is one and the last round is over.
    pub(super) fn pair_next(&mut self) -> Option<&Round> {
        let is_over = self.rounds.last().is_none_or(Round::is_over);
        if self.rounds.len() >= self.length as usize || !is_over {
            return None;
        }
        self.rounds.push(match self.sides {
            2 => self.paired(),
            _ => seat_round(&self.table_players(), self.sides, self.rounds.len(), self.games_per_table()),
        });
        self.rounds.last()
    }

    /// Enters the result of a game at a table of the last round: `won` returns the half points that one
    /// entrant won from another.
    pub(super) fn enter(&mut self, table: usize, won: impl Fn(usize, usize) -> u32) {
        let Some(table) = self.rounds.last_mut().and_then(|round| round.tables.get_mut(table)) else {
            return;
        };
        for (one, row) in table.sides.iter().zip(&mut table.won) {
            for (other, halves) in table.sides.iter().zip(row) {
                *halves += if one == other { 0 } else { won(*one, *other) };
            }
        }
        table.missing = table.missing.saturating_sub(1);
    }

    /// Returns the half points of all entrants before a round, counted from 0; with [`usize::MAX`], after all rounds.
    pub fn halves_before(&self, round: usize) -> Vec<u32> {
        let mut halves = vec![0; self.entrants];
        for round in self.rounds.iter().take(round) {
            for table in &round.tables {
                for (side, entrant) in table.sides.iter().enumerate() {
                    halves[*entrant] += table.halves(side);
                }
            }
            for bye in round.byes.iter().filter(|_| round.is_over()) {
                halves[*bye] += self.bye_halves_per_opponent() * (self.sides - 1) as u32;
            }
        }
        halves
    }

    /// Computes the points and tie-breaks of all entrants so far.
    pub fn tie_breaks(&self) -> Vec<TieBreaks> {
        let mut met = vec![Vec::new(); self.entrants];
        for round in &self.rounds {
            for SwissTable { sides, won, .. } in &round.tables {
                for (one, row) in sides.iter().zip(won) {
                    for (other, halves) in sides.iter().zip(row).filter(|(other, _)| *other != one) {
                        met[*one].push(Met { opponent: Some(*other), halves: *halves });
                    }
                }
            }
            // A bye yields its points when the round is over.
            let byes = round.byes.iter().filter(|_| round.is_over());
            for bye in byes {
                let absent = Met { opponent: None, halves: self.bye_halves_per_opponent() };
                met[*bye].extend(std::iter::repeat_n(absent, self.sides - 1));
            }
        }
        tie_breaks(&met)
    }

    /// Returns the state of all entrants before a round of two sides.
    fn players(&self) -> Vec<SwissPlayer> {
        let halves = self.halves_before(usize::MAX);
        let new = |halves: &u32| SwissPlayer {
            halves: *halves,
            met: vec![0; self.entrants],
            ..SwissPlayer::default()
        };
        let mut players: Vec<SwissPlayer> = halves.iter().map(new).collect();
        for round in &self.rounds {
            for table in &round.tables {
                let [one, other] = [table.sides[0], table.sides[1]];
                players[one].met[other] += 1;
                players[other].met[one] += 1;
                players[one].began.push(Some(true));
                players[other].began.push(Some(false));
                if self.unit == Unit::Game {
                    players[one].seat_balance += 1;
                    players[other].seat_balance -= 1;
                }
            }
            for bye in &round.byes {
                players[*bye].byes += 1;
                players[*bye].began.push(None);
            }
        }
        let mut order: Vec<usize> = (0..self.entrants).collect();
        // The sort is stable, so entrants with equal points stay in the order of their seeds.
        order.sort_by_key(|entrant| std::cmp::Reverse(halves[*entrant]));
        let mut rank = 0;
        for group in order.chunk_by(|one, other| halves[*one] == halves[*other]) {
            for (rank_in_group, entrant) in group.iter().enumerate() {
                let player = &mut players[*entrant];
                (player.rank, player.rank_in_group, player.group_size) = (rank, rank_in_group, group.len());
                rank += 1;
            }
        }
        players
    }

    /// Returns the state of all entrants before a round of more than two sides.
    fn table_players(&self) -> Vec<TablePlayer> {
        let seat_counts = (self.unit == Unit::Game).then(|| vec![0; self.sides]);
        let new = |halves: u32| {
            let seat_counts = seat_counts.clone();
            TablePlayer { halves, byes: 0, met: vec![0; self.entrants], seat_counts }
        };
        let mut players: Vec<TablePlayer> = self.halves_before(usize::MAX).into_iter().map(new).collect();
        for round in &self.rounds {
            for table in &round.tables {
                for [one, other] in table.pairs() {
                    players[one].met[other] += 1;
                    players[other].met[one] += 1;
                }
                for (seat, entrant) in table.sides.iter().enumerate() {
                    if let Some(counts) = &mut players[*entrant].seat_counts {
                        counts[seat] += 1;
                    }
                }
            }
            for bye in &round.byes {
                players[*bye].byes += 1;
            }
        }
        players
    }

    /// Pairs a round of two sides.
    fn paired(&self) -> Round {
        let players = self.players();
        // With an odd number of entrants, an extra vertex stands for the bye.
        let vertices = self.entrants + self.entrants % 2;
        let min_halves = players.iter().map(|player| player.halves).min().unwrap_or(0);
        let mut costs: Vec<Cost> = Vec::with_capacity(vertices * vertices);
        for one in 0..vertices {
            for other in 0..vertices {
                costs.push(match (players.get(one), players.get(other)) {
                    _ if one == other => Cost::default(),
                    (Some(player), Some(opponent)) => {
                        pair_cost(player, opponent, player.met[other], self.unit)
                    }
                    (Some(player), None) | (None, Some(player)) => {
                        bye_cost(player, min_halves, self.entrants)
                    }
                    (None, None) => Cost::default(),
                });
            }
        }
        let costs = scalar_costs(&costs, vertices / 2);
        let mates = cheapest_perfect_matching(vertices, |one, other| costs[one * vertices + other]);
        let bye = mates.get(self.entrants).copied();
        let is_better =
            |[one, mate]: &[usize; 2]| players.get(*mate).is_some_and(|mate| players[*one].rank < mate.rank);
        let mut pairs: Vec<[usize; 2]> =
            (0..self.entrants).map(|one| [one, mates[one]]).filter(is_better).collect();
        pairs.sort_by_key(|[one, _]| players[*one].rank);
        let table = |[better, other]: [usize; 2]| {
            SwissTable::new(self.seated(&players, better, other).to_vec(), self.games_per_table())
        };
        Round { tables: pairs.into_iter().map(table).collect(), byes: bye.into_iter().collect() }
    }

    /// Returns the opponents, with the one that begins first. The entrant that has begun less often begins; if they
    /// have begun equally often, the one that did not begin in the last round in which they differed; if they never
    /// differed, the better one if its seed is even, counted from 0.
    fn seated(&self, players: &[SwissPlayer], better: usize, other: usize) -> [usize; 2] {
        let (one, two) = (&players[better], &players[other]);
        let last_difference = one.began.iter().zip(&two.began).rev().find(|(one, two)| one != two);
        let by_turn = match last_difference {
            Some((Some(true), _)) | Some((None, Some(false))) => Ordering::Greater,
            Some((Some(false), _)) | Some((None, Some(true))) => Ordering::Less,
            _ if better.is_multiple_of(2) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match one.seat_balance.cmp(&two.seat_balance).then(by_turn) {
            Ordering::Greater => [other, better],
            _ => [better, other],
        }
    }
}

fn pair_cost(one: &SwissPlayer, other: &SwissPlayer, met: u32, unit: Unit) -> Cost {
    let difference = i128::from(one.halves.abs_diff(other.halves));
    let (excess, imbalance) = match unit {
        Unit::Encounter => (0, 0),
        Unit::Game => {
            // The entrant that has begun less often begins, which brings both closer to balance.
            let lower = one.seat_balance.min(other.seat_balance) + 1;
            let higher = one.seat_balance.max(other.seat_balance) - 1;
            let excess = |balance: i32| i128::from(balance.unsigned_abs().saturating_sub(2));
            let square = |balance: i32| i128::from(balance.pow(2));
            (excess(lower) + excess(higher), square(lower) + square(higher))
        }
    };
    let (upper, lower) = if one.rank < other.rank { (one, other) } else { (other, one) };
    let distance = if one.halves == other.halves {
        // Doubled, since a group of odd size has no exact half.
        2 * (lower.rank_in_group - upper.rank_in_group) as i128 - upper.group_size as i128
    } else {
        2 * ((lower.rank - upper.rank) as i128 - 1)
    };
    [i128::from(met), 0, 0, excess, difference.pow(2), imbalance, distance.pow(2)]
}

fn bye_cost(player: &SwissPlayer, min_halves: u32, entrants: usize) -> Cost {
    let behind = (entrants - 1 - player.rank) as i128;
    [0, i128::from(player.byes), i128::from(player.halves - min_halves), 0, 0, 0, behind.pow(2)]
}

/// Converts costs to numbers whose sums over a matching compare like the sums of the lists.
fn scalar_costs(costs: &[Cost], pairs: usize) -> Vec<i128> {
    let mut weights = Cost::default();
    let mut weight: i128 = 1;
    for level in (0..weights.len()).rev() {
        weights[level] = weight;
        let max = costs.iter().map(|cost| cost[level]).max().unwrap_or(0);
        // Only one pair can be a bye.
        let pairs = if level == 1 || level == 2 { 1 } else { pairs as i128 };
        // With 500 entrants and 499 rounds the weight stays below 10^36.
        weight = weight.saturating_mul(max * pairs + 1);
    }
    let weighted_sum = |cost: &Cost| cost.iter().zip(weights).map(|(part, weight)| part * weight).sum();
    costs.iter().map(weighted_sum).collect()
}
