//! A ladder: an endless schedule whose next encounter is the most informative about the ratings.
//!
//! The information of an encounter is computed in [`ladder_ratings`](super::ladder_ratings). It is largest if two
//! entrants are about equally strong and their difference is not well known. Encounters in progress count as if their
//! results were known already, so that many can be played at once. For a table of three or four, the most informative
//! pair is chosen first, and then, one by one, the entrant that adds the most information, summed over its pairs with
//! the entrants already at the table. A game at a table of `k` counts as `k - 1` games of two, spread evenly over its
//! pairs.
//!
//! An encounter has one game with each of its entrants at seat 1, so seats are balanced whenever no encounter is in
//! progress.

use std::collections::{BTreeMap, HashMap};

use super::arrangement::{SeatNumbers, pairs};
use super::ladder_ratings::{ELO, Games, LadderRatings};
use super::rounds::half_points;

/// Maximum number of entrants of a ladder.
pub const MAX_LADDER_ENTRANTS: usize = 500;

/// Number of entrants per result that the ratings may lack: with many entrants, computing them takes long, and each
/// game changes little.
const ENTRANTS_PER_STALE_RESULT: usize = 32;

/// The reason why the entrants of an encounter meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The most informative pair.
    pub pair: [usize; 2],
    /// The estimated lead of the first over the second, in Elo.
    pub difference: f64,
    /// The standard deviation of this estimate, in Elo.
    pub deviation: f64,
    /// The expected score of the first against the second.
    pub chance: f64,
}

/// A ladder and its progress.
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    entrants: usize,
    sides: usize,
    /// The games of each pair, with the smaller number first.
    games: BTreeMap<[usize; 2], Games>,
    /// For each table, a number below which all of its encounters are known.
    next: HashMap<SeatNumbers, u64>,
    /// The encounters that began, by table and number, each with its place in the order in which they began.
    pub known: HashMap<(SeatNumbers, u64), usize>,
    /// The ratings, which may lack the latest results.
    ratings: Option<LadderRatings>,
    /// Number of results that the ratings lack.
    stale_results: usize,
}

impl Ladder {
    pub(super) fn new(entrants: usize, sides: usize) -> Ladder {
        Ladder {
            entrants,
            sides,
            games: BTreeMap::new(),
            next: HashMap::new(),
            known: HashMap::new(),
            ratings: None,
            stale_results: 0,
        }
    }

    /// The weight of each pair in a game at a table.
    fn pair_weight(&self) -> f64 {
        2.0 / self.sides as f64
    }

    fn games_of(&mut self, [one, other]: [usize; 2]) -> &mut Games {
        let none = Games { one, other, points: 0.0, games: 0.0, running: 0.0 };
        self.games.entry([one, other]).or_insert(none)
    }

    /// Marks an encounter as in progress; `number` is its number at this table, from 1.
    pub(super) fn begin(&mut self, table: &[usize], number: u64) {
        let table: SeatNumbers = sorted(table);
        let running = self.pair_weight() * self.sides as f64;
        for pair in pairs(&table) {
            self.games_of(pair).running += running;
            if let Some(ratings) = &mut self.ratings {
                ratings.will_play(pair[0], pair[1], running);
            }
        }
        self.known.insert((table, number), self.known.len());
    }

    /// Enters the result of a game: the entrants and their places; `None` if it has no result.
    pub(super) fn enter(&mut self, entrants: &[usize], places: Option<&[usize]>) {
        let weight = self.pair_weight();
        for (index, one) in entrants.iter().enumerate() {
            for (other_index, other) in entrants.iter().enumerate().skip(index + 1) {
                let pair = [*one.min(other), *one.max(other)];
                let games = self.games_of(pair);
                games.running = (games.running - weight).max(0.0);
                let Some(places) = places else { continue };
                let won = f64::from(half_points(places[index], places[other_index])) / 2.0;
                games.games += weight;
                games.points += weight * if one < other { won } else { 1.0 - won };
            }
        }
        self.stale_results += 1;
    }

    /// Returns the next encounter: its entrants, its number at this table, and the reason. Entrants for which `is_out`
    /// is true are excluded. `None` if too few are left.
    pub(super) fn next(&mut self, is_out: &dyn Fn(usize) -> bool) -> Option<(SeatNumbers, u64, Reason)> {
        let available: Vec<usize> = (0..self.entrants).filter(|entrant| !is_out(*entrant)).collect();
        if available.len() < self.sides {
            return None;
        }
        let max_stale_results = self.entrants / ENTRANTS_PER_STALE_RESULT;
        let ratings = match self.ratings.take() {
            Some(ratings) if self.stale_results <= max_stale_results => ratings,
            _ => {
                self.stale_results = 0;
                let games: Vec<Games> = self.games.values().copied().collect();
                LadderRatings::of(self.entrants, &games)
            }
        };
        let pair = first_best(pairs(&available), |[one, other]| ratings.information(one, other))?;
        let mut table: SeatNumbers = pair.into_iter().collect();
        while table.len() < self.sides {
            let candidates = available.iter().copied().filter(|entrant| !table.contains(entrant));
            let information =
                |entrant: usize| table.iter().map(|seated| ratings.information(entrant, *seated)).sum();
            let best = first_best(candidates, information)?;
            table.push(best);
        }
        let [one, other] = pair;
        let (difference, deviation) = ratings.difference(one, other);
        let chance = ratings.chance(one, other);
        let reason = Reason { pair, difference: difference * ELO, deviation: deviation * ELO, chance };
        self.ratings = Some(ratings);
        let table = sorted(&table);
        let mut number = self.next.get(&table).copied().unwrap_or(1);
        while self.known.contains_key(&(table.clone(), number)) {
            number += 1;
        }
        self.next.insert(table.clone(), number);
        Some((table, number, reason))
    }
}

/// Returns the first of the candidates with the most information.
fn first_best<C: Copy>(candidates: impl Iterator<Item = C>, information: impl Fn(C) -> f64) -> Option<C> {
    let informed = candidates.map(|candidate| (candidate, information(candidate)));
    let best = informed.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(candidate, _)| candidate)
}

/// Returns the entrants of a table, sorted.
pub(super) fn sorted(table: &[usize]) -> SeatNumbers {
    let mut table: SeatNumbers = table.iter().copied().collect();
    table.sort_unstable();
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a number of encounters; `places` returns the result of a game.
    fn play(
        ladder: &mut Ladder,
        encounters: usize,
        places: impl Fn(&[usize]) -> Vec<usize>,
    ) -> Vec<SeatNumbers> {
        let next = |_| {
            let (table, number, _) = ladder.next(&|_| false)?;
            ladder.begin(&table, number);
            for _ in 0..table.len() {
                ladder.enter(&table, Some(&places(&table)));
            }
            Some(table)
        };
        (0..encounters).map_while(next).collect()
    }

    #[test]
    fn everyone_is_paired_before_anyone_repeats_and_later_mostly_equals_meet() {
        let mut ladder = Ladder::new(8, 2);
        let first = play(&mut ladder, 4, |_| vec![1, 1]);
        let mut met: Vec<usize> = first.into_iter().flatten().collect();
        met.sort_unstable();
        assert_eq!(met, [0, 1, 2, 3, 4, 5, 6, 7]);

        // 0 and 1 beat all others, who draw among themselves.
        let place = |entrant: usize| if entrant < 2 { 1 } else { 2 };
        let mut ladder = Ladder::new(6, 2);
        let all = play(&mut ladder, 200, |table| table.iter().map(|entrant| place(*entrant)).collect());
        let mixed = |table: &&SeatNumbers| (table[0] < 2) != (table[1] < 2);
        let (early, late) = (all[..40].iter().filter(mixed).count(), all[160..].iter().filter(mixed).count());
        assert!(late < early && late <= 12, "{late} of the last 40 tell little, {early} of the first");
        assert_eq!(all.len(), 200);
    }

    #[test]
    fn concurrent_encounters_have_disjoint_pairs() {
        let mut ladder = Ladder::new(8, 2);
        let mut seen = Vec::new();
        for _ in 0..4 {
            let (table, number, _) = ladder.next(&|_| false).expect("there are enough");
            assert_eq!(number, 1);
            ladder.begin(&table, number);
            seen.extend(table);
        }
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn tables_of_four_include_everyone_often_and_excluded_entrants_stay_out() {
        let mut ladder = Ladder::new(9, 4);
        let mut counts = [0; 9];
        for table in play(&mut ladder, 90, |table| (1..=table.len()).collect()) {
            table.iter().for_each(|entrant| counts[*entrant] += 1);
        }
        assert!(counts.iter().all(|count| *count >= 20), "{counts:?}");
        let (table, ..) = ladder.next(&|entrant| entrant < 5).expect("four are left");
        assert_eq!(table.as_slice(), [5, 6, 7, 8]);
        assert!(ladder.next(&|entrant| entrant < 6).is_none());
    }

    #[test]
    fn the_number_of_a_skipped_encounter_is_used_next() {
        let mut ladder = Ladder::new(2, 2);
        ladder.begin(&[0, 1], 2);
        let numbers: Vec<u64> = (0..3)
            .map(|_| {
                let (table, number, _) = ladder.next(&|_| false).expect("two are enough");
                ladder.begin(&table, number);
                number
            })
            .collect();
        assert_eq!(numbers, [1, 3, 4]);
    }
}
