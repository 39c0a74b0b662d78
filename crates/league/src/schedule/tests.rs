use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use linesman_types::seat::Seat;

fn schedule(bots: usize, seats: usize, rounds: u32) -> Schedule {
    Schedule::round_robin((0..bots).map(|bot| format!("bot{bot}")), seats, rounds, 1).unwrap()
}

/// A schedule of teams of the bots `bot0` to `bot4`.
fn teams(teams: &[(&str, &[usize])], rounds: u32) -> Schedule {
    let names = (0..5).map(|bot| format!("bot{bot}")).collect();
    let entrant = |(name, bots): &(&str, &[usize])| Entrant {
        name: (*name).to_owned(),
        bots: bots.to_vec(),
        elo: None,
    };
    let entrants = teams.iter().map(entrant).collect();
    Schedule::of_entrants(names, entrants, &Teams::opposite_pairs(), rounds, 1).unwrap()
}

fn ids(schedule: &Schedule) -> Vec<String> {
    schedule.iter().map(|pairing| pairing.id).collect()
}

#[test]
fn the_order_of_play_is_stable() {
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
    let three_seats = Schedule::round_robin(["ada", "bob", "cleo", "dan"], 3, 1, 1).unwrap();
    insta::assert_snapshot!(ids(&three_seats).join("\n"), @r"
    ada~bob~cleo~1
    bob~dan~cleo~1
    cleo~dan~ada~1
    dan~ada~bob~1
    ada~bob~dan~1
    bob~cleo~ada~1
    cleo~bob~dan~1
    dan~ada~cleo~1
    ada~cleo~dan~1
    bob~dan~ada~1
    cleo~ada~bob~1
    dan~cleo~bob~1
    ");
    let four_seats = Schedule::round_robin(["ada", "bob", "cleo", "dan", "eve"], 4, 7, 1).unwrap();
    insta::assert_snapshot!(ids(&four_seats)[..8].join("\n"), @r"
    ada~cleo~bob~dan~1
    bob~dan~cleo~eve~1
    cleo~ada~dan~eve~1
    dan~bob~eve~ada~1
    eve~cleo~bob~ada~1
    ada~eve~cleo~bob~1
    bob~dan~ada~cleo~1
    cleo~eve~bob~dan~1
    ");
    insta::assert_snapshot!(ids(&four_seats)[120..124].join("\n"), @r"
    ada~cleo~bob~dan~2
    bob~dan~cleo~eve~2
    cleo~ada~dan~eve~2
    dan~bob~eve~ada~2
    ");
    let teams = teams(&[("reds", &[0, 1]), ("blues", &[2, 3]), ("solo", &[4])], 2);
    insta::assert_snapshot!(ids(&teams).join("\n"), @r#"
    bot2~bot4~bot3~bot4~1
    bot4~bot1~bot4~bot0~1
    bot1~bot3~bot0~bot2~1
    bot4~bot3~bot4~bot2~1
    bot0~bot4~bot1~bot4~1
    bot2~bot0~bot3~bot1~1
    bot3~bot4~bot2~bot4~1
    bot4~bot0~bot4~bot1~1
    bot0~bot2~bot1~bot3~1
    bot4~bot2~bot4~bot3~1
    bot1~bot4~bot0~bot4~1
    bot3~bot1~bot2~bot0~1
    "#);
}

#[test]
fn seeds_are_stable() {
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
fn a_seed_depends_only_on_the_master_seed_and_the_id() {
    let small = schedule(3, 2, 1);
    let large = schedule(9, 2, 4);
    for pairing in small.iter() {
        let same = large.pairing(large.index_of(&pairing.id).unwrap()).unwrap();
        assert_eq!((same.seed, same.times), (pairing.seed, pairing.times));
        assert_ne!(same.seed, game_seed(2, &pairing.id));
    }
}

/// Returns the maximum difference, at any time, between the numbers of games of two bots, and between a bot's numbers
/// of games at two seats.
fn imbalance(schedule: &Schedule) -> (usize, usize) {
    let seats = schedule.pairing(0).unwrap().bots.seats();
    let mut counts = vec![vec![0_usize; seats]; schedule.names().len()];
    let (mut games, mut seating) = (0, 0);
    let spread = |numbers: &mut dyn Iterator<Item = usize>| {
        let numbers: Vec<usize> = numbers.collect();
        numbers.iter().max().unwrap() - numbers.iter().min().unwrap()
    };
    for pairing in schedule.iter() {
        for (seat, bot) in pairing.bots.iter() {
            counts[*bot][seat.index()] += 1;
        }
        games = games.max(spread(&mut counts.iter().map(|seats| seats.iter().sum())));
        seating = seating.max(counts.iter().map(|seats| spread(&mut seats.iter().copied())).max().unwrap());
    }
    (games, seating)
}

#[test]
fn games_and_seats_are_nearly_balanced_at_any_time() {
    for bots in 2..=17 {
        let (games, seating) = imbalance(&schedule(bots, 2, 3));
        // A bye puts a bot one game behind, and an unfinished day puts it one more behind.
        assert!(games <= 1 + bots % 2, "{bots} bots: {games}");
        assert!(seating <= 2, "{bots} bots: {seating}");
    }
    for (bots, seats) in [(3, 3), (6, 3), (7, 3), (11, 3), (4, 4), (6, 4), (8, 4), (9, 4), (12, 4)] {
        let (games, seating) = imbalance(&schedule(bots, seats, 2));
        assert!(games <= seats, "{bots} bots, {seats} seats: {games}");
        assert!(seating <= seats, "{bots} bots, {seats} seats: {seating}");
    }
}

/// Returns the distinct counts after a number of games: how often each bot had each seat, how often two bots met, and
/// how often one sat a certain number of seats before another.
fn counts(schedule: &Schedule, games: u64) -> [BTreeSet<u64>; 3] {
    let mut seats: HashMap<(usize, usize), u64> = HashMap::new();
    let mut meetings: HashMap<(usize, usize), u64> = HashMap::new();
    let mut before: HashMap<(usize, usize, usize), u64> = HashMap::new();
    for pairing in schedule.iter().take(games as usize) {
        let number = pairing.bots.seats();
        for (seat, bot) in pairing.bots.iter() {
            *seats.entry((*bot, seat.index())).or_default() += 1;
            for (other_seat, other) in pairing.bots.iter().filter(|(other_seat, _)| *other_seat != seat) {
                *meetings.entry((*bot, *other)).or_default() += 1;
                let distance = (other_seat.index() + number - seat.index()) % number;
                *before.entry((*bot, *other, distance)).or_default() += 1;
            }
        }
    }
    let bots = schedule.names().len();
    let distinct = |counts: Vec<u64>, total: usize| {
        let missing = if counts.len() < total { vec![0] } else { Vec::new() };
        missing.into_iter().chain(counts).collect()
    };
    let number = schedule.field.teams.seats();
    [
        distinct(seats.into_values().collect(), bots * number),
        distinct(meetings.into_values().collect(), bots * (bots - 1)),
        distinct(before.into_values().collect(), bots * (bots - 1) * (number - 1)),
    ]
}

#[test]
fn a_round_balances_seats_and_opponents() {
    for (bots, seats) in [(2, 2), (5, 2), (3, 3), (5, 3), (6, 3), (9, 3), (4, 4), (5, 4), (8, 4), (11, 4)] {
        let round = schedule(bots, seats, 1);
        let [at_seats, meetings, _] = counts(&round, round.games());
        assert_eq!((at_seats.len(), meetings.len()), (1, 1), "{bots} bots, {seats} seats");
    }
}

#[test]
fn two_rounds_balance_neighbours_and_some_more_balance_all_seatings() {
    for (bots, seats) in [(3, 3), (7, 3), (4, 4), (6, 4), (9, 4)] {
        let rounds = schedule(bots, seats, 2);
        let mut before: HashMap<[usize; 2], i64> = HashMap::new();
        for pairing in rounds.iter() {
            for (seat, bot) in pairing.bots.iter() {
                let next = pairing.bots[seat.next(seats)];
                *before.entry([*bot, next]).or_default() += 1;
                *before.entry([next, *bot]).or_default() -= 1;
            }
        }
        assert!(before.values().all(|surplus| *surplus == 0), "{bots} bots, {seats} seats");
        let all = schedule(bots, seats, arrangement::orders_of_table(seats) as u32);
        assert!(
            counts(&all, all.games()).iter().all(|counts| counts.len() == 1),
            "{bots} bots, {seats} seats"
        );
    }
}

#[test]
fn seats_are_balanced_after_every_block_of_games() {
    for (bots, seats) in [(5, 3), (7, 3), (6, 4), (10, 4)] {
        let round = schedule(bots, seats, 1);
        let block = (bots * seats) as u64;
        for games in (block..round.games()).step_by(block as usize) {
            let [at_seats, ..] = counts(&round, games);
            // The last blocks of a round may be shorter.
            if games + 2 * block < round.games() {
                assert_eq!(at_seats.len(), 1, "{bots} bots, {seats} seats, {games} games");
            }
        }
    }
}

#[test]
fn an_early_end_that_leaves_an_imbalance_is_reported() {
    let report = |bots, seats, games| {
        let Schedule { field, kind: Kind::Fixed(fixed) } = schedule(bots, seats, 2) else { return None };
        let cut = Schedule { field, kind: Kind::Fixed(fixed.cut(games)) };
        cut.imbalance().map(|imbalance| imbalance.to_string())
    };
    for (bots, seats, games) in [(10, 4, 840), (10, 4, 1_680), (2, 2, 3), (3, 3, 3), (6, 2, 29), (5, 3, 29)] {
        assert_eq!(report(bots, seats, games), None, "{bots} bots, {seats} seats, {games} games");
    }
    let unbalanced = [(10, 4, 13), (10, 4, 40), (10, 4, 400), (10, 4, 900), (6, 2, 10), (6, 2, 32)];
    let reports: Vec<String> =
        unbalanced.into_iter().filter_map(|(bots, seats, games)| report(bots, seats, games)).collect();
    insta::assert_snapshot!(reports.join("\n"), @r#"
    after 13 of 840 games, seats are not balanced: `bot0` has seat 2 in 2 games, `bot2` in none; seats are balanced after every 40 games
    after 40 of 840 games, opponents are not balanced: `bot0` and `bot2` meet in 8 games, `bot0` and `bot1` in 4
    after 10 of 30 games, seats are not balanced: `bot3` has seat 1 in 3 games, `bot0` in 1
    "#);
}

#[test]
fn ids_of_other_schedules_have_no_index() {
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
fn ten_million_games_are_indexed_without_a_list() {
    let schedule = schedule(1_000, 2, 10);
    assert_eq!(schedule.games(), 9_990_000);
    let last = schedule.pairing(9_989_999).unwrap();
    assert_eq!(last.times, 10);
    assert_eq!(schedule.index_of(&last.id), Some(9_989_999));
    assert_eq!(schedule.pairing(9_990_000), None);
}

#[test]
fn impossible_schedules_are_refused() {
    let singles = Teams::singles;
    assert_eq!(number_of_games(1, &singles(2), 1), Err(ScheduleError::TooFewBots { bots: 1, seats: 2 }));
    assert_eq!(number_of_games(1, &Teams::opposite_pairs(), 1), Err(ScheduleError::TooFewTeams { teams: 1 }));
    assert_eq!(number_of_games(40_000, &singles(2), 1), Err(ScheduleError::TooManyGames));
    assert_eq!(number_of_games(usize::MAX, &singles(4), u32::MAX), Err(ScheduleError::TooManyGames));
}

#[test]
fn a_round_of_ten_bots_at_four_seats_has_840_games() {
    assert_eq!(number_of_games(10, &Teams::singles(4), 1), Ok(840));
    assert_eq!(number_of_games(10, &Teams::singles(3), 1), Ok(360));
    assert_eq!(number_of_games(10, &Teams::singles(2), 1), Ok(90));
    assert_eq!(number_of_games(10, &Teams::opposite_pairs(), 1), Ok(90));
}

#[test]
fn games_that_were_not_played_are_missing() {
    let schedule = schedule(9, 2, 2);
    let mut played = schedule.nothing_played();
    for index in (0..144).filter(|index| index % 7 != 3) {
        assert_eq!(played.mark(index), Marked::New);
    }
    assert_eq!(played.mark(0), Marked::Again);
    let missing: Vec<u64> = schedule.missing(&played).map(|pairing| pairing.index).collect();
    assert_eq!(missing, (0..144).filter(|index| index % 7 == 3).collect::<Vec<u64>>());
    assert_eq!(played.count(), 144 - missing.len() as u64);
}

const TEAMS: [(&str, &[usize]); 4] =
    [("reds", &[1, 0]), ("blues", &[2, 3]), ("solo", &[4]), ("mixed", &[0, 4])];

#[test]
fn teams_meet_as_two_sides_and_teammates_sit_opposite_each_other() {
    let schedule = teams(&TEAMS, 4);
    assert_eq!(schedule.games(), 48);
    let mut met: HashMap<(usize, usize), u32> = HashMap::new();
    let mut seen = HashSet::new();
    for pairing in schedule.iter() {
        for (seat, bot) in pairing.bots.iter() {
            let mate = pairing.bots[seat.next(4).next(4)];
            let mut team = schedule.entrants()[pairing.entrants[seat]].bots.clone();
            assert!(team.contains(bot) && team.contains(&mate), "{}", pairing.id);
            team.sort_unstable();
            team.dedup();
            assert!(team.len() == 1 || mate != *bot, "{}", pairing.id);
        }
        *met.entry((pairing.entrants[Seat::FIRST], pairing.entrants[Seat::SECOND])).or_default() += 1;
        assert_eq!(schedule.index_of(&pairing.id), Some(pairing.index), "{}", pairing.id);
        assert!(seen.insert(pairing.id));
    }
    assert_eq!(met.len(), 12);
    assert!(met.values().all(|count| *count == 4));
}

#[test]
fn teammates_exchange_seats_so_that_each_has_every_seat_equally_often() {
    for (rounds, each) in [(2, 1), (4, 2)] {
        let schedule = teams(&TEAMS[..2], rounds);
        let mut counts: HashMap<(usize, usize), u32> = HashMap::new();
        for pairing in schedule.iter() {
            for (seat, bot) in pairing.bots.iter() {
                *counts.entry((*bot, seat.number())).or_default() += 1;
            }
        }
        assert_eq!(counts.len(), 16);
        assert!(counts.values().all(|count| *count == each), "{counts:?}");
    }
}

#[test]
fn the_order_of_teams_and_of_their_bots_changes_no_game() {
    let schedule = teams(&TEAMS, 3);
    let same = teams(&[("mixed", &[4, 0]), ("solo", &[4]), ("blues", &[3, 2]), ("reds", &[0, 1])], 3);
    assert_eq!(
        ids(&schedule).into_iter().collect::<BTreeSet<_>>(),
        ids(&same).into_iter().collect::<BTreeSet<_>>()
    );
    let fewer = teams(&TEAMS[1..], 2);
    assert!(fewer.iter().all(|pairing| schedule.index_of(&pairing.id).is_some()));
    for id in ["bot0~bot2~bot0~bot3~1", "bot0~bot1~1", "bot0~bot0~bot1~bot1~1", "bot4~bot4~bot4~bot4~1"] {
        assert_eq!(schedule.index_of(id), None, "{id}");
    }
}

#[test]
fn a_bot_can_play_for_both_teams_of_a_game() {
    let schedule = teams(&TEAMS[2..], 1);
    assert_eq!(sorted_ids(&schedule), ["bot0~bot4~bot4~bot4~1", "bot4~bot4~bot4~bot0~1"]);
}

fn sorted_ids(schedule: &Schedule) -> Vec<String> {
    let mut ids = ids(schedule);
    ids.sort();
    ids
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_combination_meets_once_per_round_from_every_seat(
        (seats, bots) in (2_usize..=4).prop_flat_map(|seats| (Just(seats), seats..=[0, 0, 24, 13, 11][seats])),
        rounds in 1_u32..=7,
    ) {
        let schedule = schedule(bots, seats, rounds);
        let mut ids = HashSet::new();
        let mut met: HashMap<(BTreeSet<usize>, usize), u32> = HashMap::new();
        let mut number = 0;
        for pairing in schedule.iter() {
            prop_assert_eq!(pairing.index, number);
            number += 1;
            let combination: BTreeSet<usize> = pairing.bots.values().copied().collect();
            prop_assert_eq!(combination.len(), seats);
            prop_assert_eq!(&pairing.bots, &pairing.entrants);
            *met.entry((combination, pairing.bots[Seat::FIRST])).or_default() += 1;
            prop_assert!(ids.insert(pairing.id));
        }
        prop_assert_eq!(number, schedule.games());
        let combinations: usize =
            (0..seats).map(|taken| bots - taken).product::<usize>() / (1..=seats).product::<usize>();
        prop_assert_eq!(met.len(), combinations * seats);
        prop_assert!(met.values().all(|count| *count == rounds));
    }

    #[test]
    fn an_id_leads_back_to_its_index(
        (seats, bots) in (2_usize..=4).prop_flat_map(|seats| (Just(seats), seats..=40_usize)),
        rounds in 1_u32..=14,
        at in 0.0..1.0_f64,
    ) {
        let schedule = schedule(bots, seats, rounds);
        let index = (schedule.games() as f64 * at) as u64;
        let pairing = schedule.pairing(index).unwrap();
        prop_assert_eq!(schedule.index_of(&pairing.id), Some(index));
        let names: Vec<&str> = Seat::all(seats).map(|seat| schedule.names()[pairing.bots[seat]].as_str()).collect();
        prop_assert_eq!(game_id(names, pairing.times), pairing.id);
    }

    #[test]
    fn adding_bots_and_rounds_renames_no_game(
        seats in 2_usize..=4, bots in 4_usize..=7, more_bots in 0_usize..=3, rounds in 1_u32..=2, more_rounds in 0_u32..=2,
    ) {
        let before = schedule(bots, seats, rounds);
        let after = schedule(bots + more_bots, seats, rounds + more_rounds);
        for pairing in before.iter() {
            let same = after.pairing(after.index_of(&pairing.id).unwrap()).unwrap();
            prop_assert_eq!((same.id, same.bots, same.seed), (pairing.id, pairing.bots, pairing.seed));
        }
    }
}
