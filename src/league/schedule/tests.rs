use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::seat::Seat;

fn schedule(bots: usize, seats: usize, rounds: u32) -> Schedule {
    Schedule::round_robin((0..bots).map(|bot| format!("bot{bot}")), seats, rounds, 1).unwrap()
}

fn ids(schedule: &Schedule) -> Vec<String> {
    schedule.iter().map(|pairing| pairing.id).collect()
}

#[test]
fn the_order_of_play_stays_as_it_is() {
    let four = Schedule::round_robin(["ada", "bob", "cleo", "dan"], 2, 1, 1).unwrap();
    insta::assert_snapshot!(ids(&four).join("\n"), @r"
    dan~ada~1
    bob~cleo~1
    bob~dan~1
    cleo~ada~1
    dan~cleo~1
    ada~bob~1
    ada~dan~1
    cleo~bob~1
    dan~bob~1
    ada~cleo~1
    cleo~dan~1
    bob~ada~1
    ");
    let three = Schedule::round_robin(["ada", "bob", "cleo"], 2, 2, 1).unwrap();
    insta::assert_snapshot!(ids(&three).join("\n"), @r"
    bob~cleo~1
    cleo~ada~1
    ada~bob~1
    cleo~bob~1
    ada~cleo~1
    bob~ada~1
    bob~cleo~2
    cleo~ada~2
    ada~bob~2
    cleo~bob~2
    ada~cleo~2
    bob~ada~2
    ");
    let seats = Schedule::round_robin(["ada", "bob", "cleo", "dan"], 3, 1, 1).unwrap();
    insta::assert_snapshot!(ids(&seats)[..8].join("\n"), @r"
    ada~bob~cleo~1
    bob~cleo~dan~1
    cleo~dan~ada~1
    dan~ada~bob~1
    ada~bob~dan~1
    bob~cleo~ada~1
    cleo~dan~bob~1
    dan~ada~cleo~1
    ");
}

#[test]
fn seeds_stay_as_they_are() {
    let seeds: Vec<String> = [(1, "greedy~random~1"), (1, "random~greedy~1"), (2, "greedy~random~1")]
        .into_iter()
        .map(|(master, id)| format!("{master} {id} {}", game_seed(master, id)))
        .collect();
    insta::assert_snapshot!(seeds.join("\n"), @r"
    1 greedy~random~1 5916218100472192
    1 random~greedy~1 8812645981145576
    2 greedy~random~1 6741770650731982
    ");
}

#[test]
fn a_seed_follows_from_the_master_seed_and_the_id_alone() {
    let small = schedule(3, 2, 1);
    let large = schedule(9, 2, 4);
    for pairing in small.iter() {
        let same = large.pairing(large.index_of(&pairing.id).unwrap()).unwrap();
        assert_eq!((same.seed, same.round), (pairing.seed, pairing.round));
        assert_ne!(same.seed, game_seed(2, &pairing.id));
    }
}

/// How far apart the numbers of games of any two bots are at any time, and how
/// far apart a bot's numbers of games at any two seats.
fn imbalance(schedule: &Schedule) -> (usize, usize) {
    let seats = schedule.pairing(0).unwrap().bots.seats();
    let mut at = vec![vec![0_usize; seats]; schedule.names().len()];
    let (mut games, mut seating) = (0, 0);
    let spread = |numbers: &mut dyn Iterator<Item = usize>| {
        let all: Vec<usize> = numbers.collect();
        all.iter().max().unwrap() - all.iter().min().unwrap()
    };
    for pairing in schedule.iter() {
        for (seat, bot) in pairing.bots.iter() {
            at[*bot][seat.index()] += 1;
        }
        games = games.max(spread(&mut at.iter().map(|own| own.iter().sum())));
        seating = seating.max(at.iter().map(|own| spread(&mut own.iter().copied())).max().unwrap());
    }
    (games, seating)
}

#[test]
fn at_any_time_everyone_has_played_about_as_often_and_sat_everywhere() {
    for bots in 2..=17 {
        let (games, seating) = imbalance(&schedule(bots, 2, 3));
        // A day off puts a bot one game behind, a day that is going on another.
        assert!(games <= 1 + bots % 2, "{bots} bots: {games}");
        assert!(seating <= 2, "{bots} bots: {seating}");
    }
    for (bots, seats) in [(3, 3), (7, 3), (4, 4), (6, 4)] {
        let (games, seating) = imbalance(&schedule(bots, seats, 1));
        assert!(games <= seats, "{bots} bots, {seats} seats: {games}");
        assert!(seating <= 1, "{bots} bots, {seats} seats: {seating}");
    }
}

#[test]
fn ids_of_other_schedules_are_no_games_of_this_one() {
    let schedule = schedule(3, 2, 2);
    assert_eq!(
        schedule.index_of("bot0~bot1~2").map(|index| schedule.pairing(index).unwrap().id).as_deref(),
        Some("bot0~bot1~2")
    );
    for id in [
        "",
        "~",
        "bot0",
        "bot0~bot1",
        "bot0~bot1~0",
        "bot0~bot1~3",
        "bot0~bot1~01",
        "bot0~bot1~+1",
        "bot0~bot1~",
        "bot0~bot0~1",
        "bot0~bot3~1",
        "bot0~1",
        "bot0~bot1~bot2~1",
        "r1/bot0~bot1~1",
        "bot0~bot1~99999999999999999999",
        "bot0~bot1~18446744073709551615",
    ] {
        assert_eq!(schedule.index_of(id), None, "{id}");
    }
}

#[test]
fn ten_million_games_are_counted_without_being_listed() {
    let schedule = schedule(1_000, 2, 10);
    assert_eq!(schedule.games(), 9_990_000);
    let last = schedule.pairing(9_989_999).unwrap();
    assert_eq!(last.round, 10);
    assert_eq!(schedule.index_of(&last.id), Some(9_989_999));
    assert_eq!(schedule.pairing(9_990_000), None);
}

#[test]
fn what_there_is_no_schedule_for_is_said() {
    assert_eq!(number_of_games(1, 2, 1), Err(ScheduleError::TooFewBots { bots: 1, seats: 2 }));
    assert_eq!(number_of_games(40_000, 2, 1), Err(ScheduleError::TooManyGames));
    assert_eq!(number_of_games(usize::MAX, 4, u32::MAX), Err(ScheduleError::TooManyGames));
}

#[test]
fn what_is_missing_is_what_was_not_played() {
    let schedule = schedule(9, 2, 2);
    let mut played = schedule.nothing_played();
    for index in (0..144).filter(|index| index % 7 != 3) {
        assert_eq!(played.mark(index), Marked::New);
    }
    assert_eq!(played.mark(0), Marked::Again);
    let missing: Vec<u64> = schedule.missing(&played).map(|pairing| pairing.index).collect();
    assert_eq!(missing, (0..144).filter(|index| index % 7 == 3).collect::<Vec<u64>>());
    assert_eq!((played.count(), played.left()), (144 - missing.len() as u64, missing.len() as u64));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn everyone_meets_everyone_from_every_seat_as_often_as_there_are_rounds(
        (seats, bots) in (2_usize..=4).prop_flat_map(|seats| (Just(seats), seats..=[0, 0, 24, 11, 7][seats])),
        rounds in 1_u32..=3,
    ) {
        let schedule = schedule(bots, seats, rounds);
        let mut met: HashMap<Vec<usize>, HashSet<u32>> = HashMap::new();
        let mut number = 0;
        for pairing in schedule.iter() {
            prop_assert_eq!(pairing.index, number);
            number += 1;
            let distinct: HashSet<&usize> = pairing.bots.values().collect();
            prop_assert_eq!(distinct.len(), seats);
            prop_assert!(met.entry(pairing.bots.as_slice().to_vec()).or_default().insert(pairing.round));
        }
        prop_assert_eq!(number, schedule.games());
        let seatings: usize = (0..seats).map(|taken| bots - taken).product();
        prop_assert_eq!(met.len(), seatings);
        prop_assert!(met.values().all(|of| of.len() == rounds as usize && of.contains(&rounds)));
    }

    #[test]
    fn an_id_leads_back_to_its_index(
        (seats, bots) in (2_usize..=4).prop_flat_map(|seats| (Just(seats), seats..=40_usize)),
        rounds in 1_u32..=5,
        at in 0.0..1.0_f64,
    ) {
        let schedule = schedule(bots, seats, rounds);
        let index = (schedule.games() as f64 * at) as u64;
        let pairing = schedule.pairing(index).unwrap();
        prop_assert_eq!(schedule.index_of(&pairing.id), Some(index));
        let names: Vec<&str> = Seat::all(seats).map(|seat| schedule.names()[pairing.bots[seat]].as_str()).collect();
        prop_assert_eq!(game_id(names, pairing.round), pairing.id);
    }

    #[test]
    fn adding_bots_and_rounds_renames_no_game(
        seats in 2_usize..=3, bots in 3_usize..=6, more_bots in 0_usize..=3, rounds in 1_u32..=2, more_rounds in 0_u32..=2,
    ) {
        let before = schedule(bots, seats, rounds);
        let after = schedule(bots + more_bots, seats, rounds + more_rounds);
        for pairing in before.iter() {
            let same = after.pairing(after.index_of(&pairing.id).unwrap()).unwrap();
            prop_assert_eq!((same.id, same.bots, same.seed), (pairing.id, pairing.bots, pairing.seed));
        }
    }
}
