use std::collections::HashSet;

use super::{Round, Swiss, Unit};

/// An endless sequence of pseudorandom numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Plays the last round; `result` returns the half points that the first of two entrants wins in a game.
fn play(swiss: &mut Swiss, mut result: impl FnMut(usize, usize) -> u32) {
    let pairs = sides(swiss.rounds().last().expect("a round is paired"));
    for (number, [one, other]) in pairs.into_iter().enumerate() {
        for game in 0..swiss.games_per_table() {
            let first = if game == 0 { result(one, other) } else { 2 - result(other, one) };
            swiss.enter(number, |entrant, _| if entrant == one { first } else { 2 - first });
        }
    }
}

fn sides(round: &Round) -> Vec<[usize; 2]> {
    round.tables.iter().map(|table| [table.sides[0], table.sides[1]]).collect()
}

#[test]
fn the_first_round_is_a_slide_and_the_better_seed_moves_first_at_every_other_table() {
    let mut swiss = Swiss::new(8, 2, 3, Unit::Game);
    let round = swiss.pair_next().expect("the first");
    assert_eq!(sides(round), [[0, 4], [5, 1], [2, 6], [7, 3]]);
    assert_eq!(round.byes, [0_usize; 0]);
    // No further round before this one is over.
    assert_eq!(swiss.pair_next(), None);
}

#[test]
fn winners_meet_winners_without_rematches() {
    let mut swiss = Swiss::new(8, 2, 3, Unit::Encounter);
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
fn the_lowest_ranked_entrant_without_a_bye_has_the_next_bye() {
    let mut swiss = Swiss::new(5, 2, 5, Unit::Game);
    let mut byes = Vec::<usize>::new();
    while let Some(round) = swiss.pair_next() {
        byes.extend(&round.byes);
        play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    }
    assert_eq!(byes[0], 4, "before the first game the last seed is the last");
    byes.sort_unstable();
    assert_eq!(byes, [0, 1, 2, 3, 4]);
}

/// Checks the invariants of a Swiss of two sides with random results.
fn check(entrants: usize, rounds: u32, unit: Unit, numbers: &mut Numbers) {
    let mut swiss = Swiss::new(entrants, 2, rounds, unit);
    let mut met = HashSet::new();
    let mut byes = HashSet::new();
    let mut seats = vec![0_i32; entrants];
    let (mut low_byes, mut all_byes) = (0, 0);
    while let Some(round) = swiss.pair_next().cloned() {
        let before = swiss.halves_before(swiss.rounds().len() - 1);
        let mut seen: HashSet<usize> = round.byes.iter().copied().collect();
        for [one, other] in sides(&round) {
            assert!(seen.insert(one) && seen.insert(other), "everyone sits once");
            assert!(met.insert([one.min(other), one.max(other)]), "nobody meets again: {entrants}, {rounds}");
            if unit == Unit::Game {
                seats[one] += 1;
                seats[other] -= 1;
            }
        }
        assert_eq!(seen.len(), entrants);
        for bye in round.byes.iter().copied() {
            assert!(byes.insert(bye), "nobody has two byes");
            let had_none = (0..entrants).filter(|other| *other == bye || !byes.contains(other));
            // Exceptions are rare: they occur if the others could not meet without a rematch.
            low_byes += u32::from(had_none.map(|other| before[other]).min() == Some(before[bye]));
            all_byes += 1;
        }
        assert!(seats.iter().all(|balance| balance.abs() <= 2), "{seats:?}");
        play(&mut swiss, |_, _| numbers.below(3) as u32);
    }
    assert_eq!(swiss.rounds().len(), rounds as usize);
    assert!(low_byes * 10 >= all_byes * 8, "the last ones have the byes: {low_byes} of {all_byes}");
    let points: u32 = swiss.tie_breaks().iter().map(|entrant| entrant.halves).sum();
    let games = (entrants / 2) as u32 * unit.games(2) * rounds;
    let of_byes = if entrants % 2 == 1 { rounds * 2 * unit.games(2) } else { 0 };
    assert_eq!(points, 2 * games + of_byes);
}

#[test]
fn any_results_lead_to_no_rematch_no_second_bye_and_balanced_seats() {
    let mut numbers = Numbers(7);
    for round in 0..60 {
        let entrants = 4 + numbers.below(26) as usize;
        // With at most half as many rounds as entrants, a pairing without a rematch always exists.
        let rounds = 1 + numbers.below(entrants as u64 / 2) as u32;
        let unit = if round % 2 == 0 { Unit::Game } else { Unit::Encounter };
        check(entrants, rounds, unit, &mut numbers);
    }
}

#[test]
fn rematches_occur_only_after_all_have_met_and_are_spread_evenly() {
    // All four entrants have met after three rounds.
    let mut swiss = Swiss::new(4, 2, 6, Unit::Encounter);
    let mut met = std::collections::HashMap::new();
    while let Some(round) = swiss.pair_next() {
        for [one, other] in sides(round) {
            *met.entry([one.min(other), one.max(other)]).or_insert(0) += 1;
        }
        play(&mut swiss, |one, other| if one < other { 2 } else { 0 });
    }
    assert_eq!(met.len(), 6);
    assert!(met.values().all(|count| *count == 2));
}

/// Returns the minimum sum of squared differences of points over all pairings without a rematch.
fn min_difference(halves: &[u32], met: &HashSet<[usize; 2]>, free: &mut Vec<usize>) -> Option<u32> {
    let Some(one) = free.pop() else { return Some(0) };
    let mut min: Option<u32> = None;
    for index in 0..free.len() {
        let other = free.remove(index);
        if !met.contains(&[one.min(other), one.max(other)])
            && let Some(rest) = min_difference(halves, met, free)
        {
            let sum = halves[one].abs_diff(halves[other]).pow(2) + rest;
            min = Some(min.map_or(sum, |min| min.min(sum)));
        }
        free.insert(index, other);
    }
    free.push(one);
    min
}

#[test]
fn no_pairing_without_a_rematch_has_smaller_differences_of_points() {
    let mut numbers = Numbers(11);
    for _ in 0..40 {
        let mut swiss = Swiss::new(8, 2, 4, Unit::Encounter);
        let mut met = HashSet::new();
        while let Some(round) = swiss.pair_next().cloned() {
            let halves = swiss.halves_before(swiss.rounds().len() - 1);
            let sum: u32 = sides(&round)
                .into_iter()
                .map(|[one, other]| halves[one].abs_diff(halves[other]).pow(2))
                .sum();
            assert_eq!(min_difference(&halves, &met, &mut (0..8).collect()), Some(sum));
            met.extend(sides(&round).into_iter().map(|[one, other]| [one.min(other), one.max(other)]));
            play(&mut swiss, |_, _| numbers.below(3) as u32);
        }
    }
}

/// The outcome of a Swiss with three or four seats.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
struct Outcome {
    rounds: Vec<Round>,
    rematches: u32,
    /// Maximum difference between an entrant's numbers of games at two seats.
    imbalance: u32,
}

/// Plays a Swiss with three or four seats and random results, and checks its invariants.
fn play_tables(entrants: usize, seats: usize, rounds: u32, unit: Unit, numbers: &mut Numbers) -> Outcome {
    let mut swiss = Swiss::new(entrants, seats, rounds, unit);
    let mut met = HashSet::new();
    let mut byes = vec![0_u32; entrants];
    let mut seat_counts = vec![vec![0_u32; seats]; entrants];
    let mut outcome = Outcome::default();
    while let Some(round) = swiss.pair_next().cloned() {
        assert_eq!((round.byes.len(), round.tables.len()), (entrants % seats, entrants / seats));
        let mut seen = HashSet::new();
        for bye in &round.byes {
            assert!(seen.insert(*bye));
            byes[*bye] += 1;
        }
        let [min, max] = [byes.iter().min(), byes.iter().max()].map(|count| count.copied().unwrap_or(0));
        assert!(max - min <= 1, "nobody has a second bye before everyone has had one: {byes:?}");
        for (number, table) in round.tables.iter().enumerate() {
            assert_eq!(table.sides.len(), seats);
            for (seat, entrant) in table.sides.iter().enumerate() {
                assert!(seen.insert(*entrant), "everyone sits once: {round:?}");
                seat_counts[*entrant][seat] += 1;
            }
            for [one, other] in table.pairs() {
                outcome.rematches += u32::from(!met.insert([one.min(other), one.max(other)]));
            }
            for _ in 0..swiss.games_per_table() {
                let measure: Vec<u64> = (0..entrants).map(|_| numbers.below(4)).collect();
                swiss.enter(number, |one, other| match measure[one].cmp(&measure[other]) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                });
            }
        }
        assert_eq!(seen.len(), entrants, "nobody is left out");
    }
    assert_eq!(swiss.rounds().len(), rounds as usize);
    // Each pair at a table shares a point, which is half a point per opponent on average; a bye yields that average.
    let halves: usize = swiss.tie_breaks().iter().map(|entrant| entrant.halves as usize).sum();
    assert_eq!(halves, entrants * (seats - 1) * (rounds * unit.games(seats)) as usize);
    let spread = |counts: &Vec<u32>| counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0);
    outcome.imbalance = seat_counts.iter().map(spread).max().unwrap_or(0);
    outcome.rounds = swiss.rounds().to_vec();
    outcome
}

#[test]
fn tables_seat_everyone_once_with_even_byes_and_balanced_seats() {
    let mut numbers = Numbers(5);
    for number in 0..40 {
        let seats = 3 + number % 2;
        let entrants = seats + numbers.below(20) as usize;
        let rounds = 1 + numbers.below(entrants as u64 - 1) as u32;
        let unit = if number % 4 < 2 { Unit::Game } else { Unit::Encounter };
        let Outcome { imbalance, .. } = play_tables(entrants, seats, rounds, unit, &mut numbers);
        if unit == Unit::Game {
            assert!(imbalance <= 2, "{entrants} at {seats}, {rounds} rounds: {imbalance}");
        }
    }
}

#[test]
fn after_its_round_a_bye_yields_the_maximum_with_two_sides_and_the_average_with_more() {
    for (sides, unit, points) in
        [(2, Unit::Game, 1.0), (2, Unit::Encounter, 2.0), (3, Unit::Encounter, 1.5), (4, Unit::Game, 0.5)]
    {
        let mut swiss = Swiss::new(sides + 1, sides, 2, unit);
        let bye = swiss.pair_next().expect("a round").byes[0];
        // As in the standings, where a game is worth one point.
        let bye_points = |swiss: &Swiss| f64::from(swiss.tie_breaks()[bye].halves) / (2 * (sides - 1)) as f64;
        assert_eq!(bye_points(&swiss), 0.0, "{sides} sides, before the round is played");
        for _ in 0..swiss.games_per_table() {
            swiss.enter(0, |_, _| 1);
        }
        assert_eq!(bye_points(&swiss), points, "{sides} sides");
        let tie_breaks = swiss.tie_breaks()[bye];
        // Each absent opponent counts as having the entrant's own points.
        assert_eq!(tie_breaks.buchholz(), f64::from(tie_breaks.halves) / 2.0 * (sides - 1) as f64);
    }
}

#[test]
fn the_same_results_lead_to_the_same_tables() {
    for (entrants, seats) in [(9, 4), (14, 3), (23, 4)] {
        let play = || play_tables(entrants, seats, 5, Unit::Game, &mut Numbers(3));
        assert_eq!(play(), play());
    }
}

#[test]
fn small_numbers_of_rounds_have_no_rematch_at_tables() {
    let mut numbers = Numbers(13);
    for (entrants, seats, rounds) in [(9, 3, 3), (16, 4, 3), (21, 3, 6), (30, 3, 7), (26, 4, 4), (40, 4, 6)] {
        for unit in [Unit::Encounter, Unit::Game] {
            let outcome = play_tables(entrants, seats, rounds, unit, &mut numbers);
            assert_eq!(outcome.rematches, 0, "{entrants} at {seats}, {rounds} rounds");
        }
    }
}

#[test]
fn entrants_with_equal_points_share_a_table() {
    let mut swiss = Swiss::new(16, 4, 2, Unit::Game);
    let first = swiss.pair_next().expect("the first").clone();
    // All entrants form one group, which is paired by a slide.
    let mut best = first.tables[0].sides.clone();
    best.sort_unstable();
    assert_eq!(best, [0, 4, 8, 12]);
    for number in 0..4 {
        swiss.enter(number, |one, other| if one < other { 2 } else { 0 });
    }
    // Points and tie-breaks sum over all entrants at the table.
    let winner = swiss.tie_breaks()[0];
    assert_eq!((winner.halves, winner.buchholz_halves, winner.cut_one_halves), (6, 6, 6));
    assert_eq!(winner.sonneborn_berger(1), 3.0);
    let second = swiss.pair_next().expect("the second");
    let tables: Vec<Vec<usize>> = (second.tables.iter())
        .map(|table| {
            let mut sides = table.sides.clone();
            sides.sort_unstable();
            sides
        })
        .collect();
    assert_eq!(tables, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]);
    for entrant in 0..16 {
        let seat = |round: &Round| {
            round.tables.iter().find_map(|table| table.sides.iter().position(|side| *side == entrant))
        };
        assert_ne!(seat(&first), seat(second), "{entrant} has another seat");
    }
}
