//! A ladder: an endless schedule in which the entrants meet next whose games tell most about the ratings.
//!
//! The information of an encounter is computed in [`ladder_ratings`](super::ladder_ratings). It is largest if two
//! entrants are about equally strong and their difference is not well known. Encounters in progress count as if their
//! results were known already, so that many can be played at once. For a table of three or four, the pair with the most
//! information is chosen first, and then, one by one, the entrant that adds most, summed over all pairs of the table.
//! A game at a table of `k` counts as `k - 1` games of two, spread evenly over its pairs.
//!
//! An encounter has a game for each of its entrants at seat 1, so seats are balanced whenever all encounters
//! that began are over.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::arrangement::{SeatNumbers, pairs};
use super::ladder_ratings::{Games, LadderRatings};

/// Maximum number of entrants of a ladder.
pub const MOST_IN_LADDER: usize = 500;

/// The number of entrants divided by this is the number of games that may end before ratings are computed again: with
/// many entrants that takes long, and each game changes little.
const PATIENCE: usize = 32;

/// The reason why the entrants of an encounter meet.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// The pair with the most information.
    pub pair: [usize; 2],
    /// The estimated lead of the first over the second, in Elo.
    pub difference: f64,
    /// The standard deviation of this estimate, in Elo.
    pub deviation: f64,
    /// The expected score of the first.
    pub chance: f64,
}

/// A ladder and its progress.
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    entrants: usize,
    sides: usize,
    /// The games of each pair, with the smaller number first.
    games: BTreeMap<[usize; 2], Games>,
    /// For each table, a number below which all its encounters are known.
    next: HashMap<SeatNumbers, u64>,
    known: HashSet<(SeatNumbers, u64)>,
    /// The ratings, which may lack the last encounters.
    ratings: Option<LadderRatings>,
    /// Number of results that the ratings lack.
    unread: usize,
}

impl Ladder {
    /// A ladder before the first game.
    pub(super) fn new(entrants: usize, sides: usize) -> Ladder {
        Ladder {
            entrants,
            sides,
            games: BTreeMap::new(),
            next: HashMap::new(),
            known: HashSet::new(),
            ratings: None,
            unread: 0,
        }
    }

    /// The weight of each pair in a game of a table.
    fn share(&self) -> f64 {
        2.0 / self.sides as f64
    }

    fn games_of(&mut self, [one, other]: [usize; 2]) -> &mut Games {
        let none = Games { one, other, points: 0.0, games: 0.0, running: 0.0 };
        self.games.entry([one, other]).or_insert(none)
    }

    /// Marks an encounter as in progress; `number` is its number at this table, from 1.
    pub(super) fn begin(&mut self, table: &[usize], number: u64) {
        let table: SeatNumbers = sorted(table);
        let running = self.share() * self.sides as f64;
        for pair in pairs(&table) {
            self.games_of(pair).running += running;
            if let Some(ratings) = &mut self.ratings {
                ratings.will_play(pair[0], pair[1], running);
            }
        }
        self.known.insert((table, number));
    }

    /// Enters the result of a game: the entrants and their places; `None` if it has no result.
    pub(super) fn enter(&mut self, entrants: &[usize], places: Option<&[usize]>) {
        let share = self.share();
        for (number, one) in entrants.iter().enumerate() {
            for (further, other) in entrants.iter().enumerate().skip(number + 1) {
                let pair = [*one.min(other), *one.max(other)];
                let games = self.games_of(pair);
                games.running = (games.running - share).max(0.0);
                let Some(places) = places else { continue };
                let won = match places[number].cmp(&places[further]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                games.games += share;
                games.points += share * if one < other { won } else { 1.0 - won };
            }
        }
        self.unread += 1;
    }

    /// The next encounter: its entrants, its number at this table, and the reason. Entrants for which `is_out` is true
    /// are excluded. `None` if too few are left.
    pub(super) fn next(&mut self, is_out: &dyn Fn(usize) -> bool) -> Option<(SeatNumbers, u64, Reason)> {
        let there: Vec<usize> = (0..self.entrants).filter(|who| !is_out(*who)).collect();
        if there.len() < self.sides {
            return None;
        }
        let patience = self.entrants / PATIENCE;
        let ratings = match self.ratings.take() {
            Some(ratings) if self.unread <= patience => ratings,
            _ => {
                self.unread = 0;
                let games: Vec<Games> = self.games.values().copied().collect();
                LadderRatings::of(self.entrants, &games)
            }
        };
        let mut best = ([there[0], there[1]], f64::MIN);
        for pair in pairs(&there) {
            let worth = ratings.worth(pair[0], pair[1]);
            if worth > best.1 {
                best = (pair, worth);
            }
        }
        let ([one, other], _) = best;
        let mut table: SeatNumbers = [one, other].into_iter().collect();
        while table.len() < self.sides {
            let worth = |who: usize| table.iter().map(|own| ratings.worth(who, *own)).sum::<f64>();
            let candidates = there.iter().copied().filter(|who| !table.contains(who));
            let mut best: Option<(usize, f64)> = None;
            for who in candidates {
                let worth = worth(who);
                if best.is_none_or(|(_, most)| worth > most) {
                    best = Some((who, worth));
                }
            }
            table.push(best?.0);
        }
        let (difference, deviation) = ratings.difference(one, other);
        let chance = ratings.chance(one, other);
        let elo = super::ladder_ratings::ELO;
        let reason =
            Reason { pair: [one, other], difference: difference * elo, deviation: deviation * elo, chance };
        self.ratings = Some(ratings);
        let table = sorted(&table);
        let mut number = self.next.get(&table).copied().unwrap_or(1);
        while self.known.contains(&(table.clone(), number)) {
            number += 1;
        }
        self.next.insert(table.clone(), number);
        Some((table, number, reason))
    }
}

/// The entrants of a table, sorted.
pub(super) fn sorted(table: &[usize]) -> SeatNumbers {
    let mut table: SeatNumbers = table.iter().copied().collect();
    table.sort_unstable();
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a number of encounters; `places` returns the result.
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
    fn at_first_everyone_meets_somebody_then_equals_meet() {
        let mut ladder = Ladder::new(8, 2);
        let first = play(&mut ladder, 4, |_| vec![1, 1]);
        let mut met: Vec<usize> = first.into_iter().flatten().collect();
        met.sort_unstable();
        assert_eq!(met, [0, 1, 2, 3, 4, 5, 6, 7]);

        // 0 and 1 win against all others, who draw among each other.
        let place = |who: usize| if who < 2 { 1 } else { 2 };
        let mut ladder = Ladder::new(6, 2);
        let all = play(&mut ladder, 200, |table| table.iter().map(|who| place(*who)).collect());
        let mixed = |table: &&SeatNumbers| (table[0] < 2) != (table[1] < 2);
        let (early, late) = (all[..40].iter().filter(mixed).count(), all[160..].iter().filter(mixed).count());
        assert!(late < early && late <= 12, "{late} of the last 40 tell little, {early} of the first");
        assert_eq!(all.len(), 200);
    }

    #[test]
    fn encounters_that_are_played_at_once_are_of_different_pairs() {
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
    fn tables_of_four_spread_and_who_is_out_stays_out() {
        let mut ladder = Ladder::new(9, 4);
        let mut times = [0; 9];
        for table in play(&mut ladder, 90, |table| (1..=table.len()).collect()) {
            table.iter().for_each(|who| times[*who] += 1);
        }
        assert!(times.iter().all(|own| *own >= 20), "{times:?}");
        let (table, ..) = ladder.next(&|who| who < 5).expect("four are left");
        assert_eq!(table.as_slice(), [5, 6, 7, 8]);
        assert!(ladder.next(&|who| who < 6).is_none());
    }

    #[test]
    fn an_encounter_that_was_skipped_is_made_up_for() {
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
