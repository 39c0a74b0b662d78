use std::collections::HashSet;

use super::{Round, Swiss, Unit};

/// Numbers without end that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Plays the last round; `result` says what the first of two gets, in halves of a game.
fn play(swiss: &mut Swiss, mut result: impl FnMut(usize, usize) -> u32) {
    let pairs = swiss.rounds().last().expect("a round is paired").pairs.clone();
    for (number, pair) in pairs.iter().enumerate() {
        for game in 0..swiss.unit().games() {
            let [one, other] = pair.sides;
            let first = if game == 0 { result(one, other) } else { 2 - result(other, one) };
            swiss.enter(number, [first, 2 - first]);
        }
    }
}

fn sides(round: &Round) -> Vec<[usize; 2]> {
    round.pairs.iter().map(|pair| pair.sides).collect()
}

#[test]
fn the_first_round_is_folded_and_who_begins_alternates() {
    let mut swiss = Swiss::new(8, 3, Unit::Game);
    let round = swiss.pair_next().expect("the first");
    assert_eq!(sides(round), [[0, 4], [5, 1], [2, 6], [7, 3]]);
    assert_eq!(round.bye, None);
    // Nothing more before the round is over.
    assert_eq!(swiss.pair_next(), None);
}

#[test]
fn winners_meet_winners_and_nobody_meets_again() {
    let mut swiss = Swiss::new(8, 3, Unit::Encounter);
    swiss.pair_next().expect("the first");
    // The better seed wins.
    play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    let second = sides(swiss.pair_next().expect("the second"));
    let sets: HashSet<[usize; 2]> =
        second.iter().map(|[one, other]| [*one.min(other), *one.max(other)]).collect();
    assert_eq!(sets, HashSet::from([[0, 2], [1, 3], [4, 6], [5, 7]]));
    play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    assert_eq!(swiss.halves_before(2), [8, 8, 4, 4, 4, 4, 0, 0]);
    let third = sides(swiss.pair_next().expect("the third"));
    assert!(third[0].contains(&0) && third[0].contains(&1), "those who won all meet: {third:?}");
    play(&mut swiss, |_, _| 1);
    assert_eq!(swiss.pair_next(), None, "three rounds were wanted");
}

#[test]
fn the_last_one_without_a_bye_has_the_next() {
    let mut swiss = Swiss::new(5, 5, Unit::Game);
    let mut byes = Vec::new();
    while let Some(round) = swiss.pair_next() {
        byes.extend(round.bye);
        play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    }
    assert_eq!(byes[0], 4, "before the first game the last seed is the last");
    byes.sort_unstable();
    assert_eq!(byes, [0, 1, 2, 3, 4]);
}

/// What must hold of any Swiss, whatever the results.
fn check(entrants: usize, rounds: u32, unit: Unit, numbers: &mut Numbers) {
    let mut swiss = Swiss::new(entrants, rounds, unit);
    let mut met = HashSet::new();
    let mut byes = HashSet::new();
    let mut seats = vec![0_i32; entrants];
    let (mut low_byes, mut all_byes) = (0, 0);
    while let Some(round) = swiss.pair_next().cloned() {
        let before = swiss.halves_before(swiss.rounds().len() - 1);
        let mut seen: HashSet<usize> = round.bye.into_iter().collect();
        for pair in &round.pairs {
            let [one, other] = pair.sides;
            assert!(seen.insert(one) && seen.insert(other), "everyone sits once");
            assert!(met.insert([one.min(other), one.max(other)]), "nobody meets again: {entrants}, {rounds}");
            if unit == Unit::Game {
                seats[one] += 1;
                seats[other] -= 1;
            }
        }
        assert_eq!(seen.len(), entrants);
        if let Some(bye) = round.bye {
            assert!(byes.insert(bye), "nobody has two byes");
            let had_none = (0..entrants).filter(|other| *other == bye || !byes.contains(other));
            // Or else the rest could not meet without a rematch; that is rare.
            low_byes += u32::from(had_none.map(|other| before[other]).min() == Some(before[bye]));
            all_byes += 1;
        }
        assert!(seats.iter().all(|own| own.abs() <= 2), "{seats:?}");
        play(&mut swiss, |_, _| numbers.below(3) as u32);
    }
    assert_eq!(swiss.rounds().len(), rounds as usize);
    assert!(low_byes * 10 >= all_byes * 8, "the last ones have the byes: {low_byes} of {all_byes}");
    let points: u32 = swiss.tie_breaks().iter().map(|own| own.halves).sum();
    let games = (entrants / 2) as u32 * unit.games() * rounds;
    let of_byes = if entrants % 2 == 1 { rounds * 2 * unit.games() } else { 0 };
    assert_eq!(points, 2 * games + of_byes);
}

#[test]
fn no_rematch_no_second_bye_and_seats_in_balance_whatever_the_results() {
    let mut numbers = Numbers(7);
    for round in 0..60 {
        let entrants = 4 + numbers.below(26) as usize;
        // With half as many rounds as opponents there is always a way.
        let rounds = 1 + numbers.below(entrants as u64 / 2) as u32;
        let unit = if round % 2 == 0 { Unit::Game } else { Unit::Encounter };
        check(entrants, rounds, unit, &mut numbers);
    }
}

#[test]
fn a_rematch_is_the_last_resort() {
    // All have met after three rounds of four: the fourth repeats, and does so evenly.
    let mut swiss = Swiss::new(4, 6, Unit::Encounter);
    let mut met = std::collections::HashMap::new();
    while let Some(round) = swiss.pair_next() {
        for pair in &round.pairs {
            let [one, other] = pair.sides;
            *met.entry([one.min(other), one.max(other)]).or_insert(0) += 1;
        }
        play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    }
    assert_eq!(met.len(), 6);
    assert!(met.values().all(|times| *times == 2));
}

/// The least sum of squared differences that any pairing without a rematch has.
fn least_difference(halves: &[u32], met: &HashSet<[usize; 2]>, free: &mut Vec<usize>) -> Option<u32> {
    let Some(one) = free.pop() else { return Some(0) };
    let mut least: Option<u32> = None;
    for index in 0..free.len() {
        let other = free.remove(index);
        if !met.contains(&[one.min(other), one.max(other)])
            && let Some(rest) = least_difference(halves, met, free)
        {
            let sum = halves[one].abs_diff(halves[other]).pow(2) + rest;
            least = Some(least.map_or(sum, |least| least.min(sum)));
        }
        free.insert(index, other);
    }
    free.push(one);
    least
}

#[test]
fn no_pairing_without_a_rematch_brings_those_together_who_are_nearer() {
    let mut numbers = Numbers(11);
    for _ in 0..40 {
        let mut swiss = Swiss::new(8, 4, Unit::Encounter);
        let mut met = HashSet::new();
        while let Some(round) = swiss.pair_next().cloned() {
            let halves = swiss.halves_before(swiss.rounds().len() - 1);
            let sum: u32 = round
                .pairs
                .iter()
                .map(|pair| halves[pair.sides[0]].abs_diff(halves[pair.sides[1]]).pow(2))
                .sum();
            assert_eq!(least_difference(&halves, &met, &mut (0..8).collect()), Some(sum));
            met.extend(round.pairs.iter().map(|pair| {
                let [one, other] = pair.sides;
                [one.min(other), one.max(other)]
            }));
            play(&mut swiss, |_, _| numbers.below(3) as u32);
        }
    }
}
