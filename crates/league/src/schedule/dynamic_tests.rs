//! Schedules that depend on results, played in many orders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::*;
use crate::file::{Context, parse};
use linesman_types::seat::Seat;

fn tournament(text: &str, bots: usize) -> Tournament {
    let mut whole = format!("version = 1\nmovetime = \"1s\"\n{text}\n");
    for bot in 0..bots {
        whole.push_str(&format!("[[bots]]\nname = \"bot{bot}\"\ncommand = \"linesman bot random\"\n"));
    }
    let context = Context { shown: "cup.toml".into(), stem: "cup".into(), folder: "/".into(), cores: None };
    parse(&whole, &context).unwrap_or_else(|mistakes| panic!("{whole}\n{mistakes}"))
}

pub(super) fn schedule(text: &str, bots: usize) -> Schedule {
    Schedule::of(&tournament(text, bots)).expect("it has been checked")
}

/// Returns the result of a game, which depends only on its id.
fn places(pairing: &Pairing, teams: &Teams) -> Option<BySeat<Place>> {
    let seed = game_seed(9, &pairing.id);
    (!seed.is_multiple_of(23))
        .then(|| BySeat::by_measure(teams, |seat| seed >> (8 * teams.side(seat).index()) & 3))
}

/// Plays a schedule with `concurrency` games at once, which end in an order that follows from `seed`. Returns the ids
/// of all games in the order in which they ended.
fn play(schedule: &mut Schedule, concurrency: usize, mut seed: u64, max_games: usize) -> Vec<String> {
    let teams = schedule.field.teams.clone();
    let mut running: Vec<Pairing> = Vec::new();
    let mut next = 0;
    let mut ids = Vec::new();
    loop {
        while running.len() < concurrency && ids.len() + running.len() < max_games {
            if next == schedule.known() && schedule.extend(&[]) == Extended::No {
                break;
            }
            running.push(schedule.pairing(next).expect("it is known"));
            next += 1;
        }
        if running.is_empty() {
            return ids;
        }
        seed = game_seed(seed, "next");
        let ended = running.swap_remove((seed % running.len() as u64) as usize);
        assert_eq!(schedule.index_of(&ended.id), Some(ended.index), "{}", ended.id);
        schedule.enter(ended.index, places(&ended, &teams).as_ref());
        ids.push(ended.id);
    }
}

/// Resumes a schedule: enters the games that have been played, then plays to the end. Returns the ids of all games.
fn resume(mut schedule: Schedule, ids: &[String], concurrency: usize) -> (Schedule, BTreeSet<String>) {
    let teams = schedule.field.teams.clone();
    let mut played = schedule.nothing_played();
    for id in ids {
        let index = schedule.take_up(id).unwrap_or_else(|| panic!("`{id}` is a game"));
        played.grow(schedule.known());
        assert_eq!(played.mark(index), Marked::New);
        let pairing = schedule.pairing(index).expect("it has an index");
        assert_eq!(pairing.id, *id);
        schedule.enter(index, places(&pairing, &teams).as_ref());
    }
    let mut all: BTreeSet<String> = ids.iter().cloned().collect();
    loop {
        played.grow(schedule.known());
        let missing: Vec<Pairing> = schedule.missing(&played).take(concurrency).collect();
        if missing.is_empty() && schedule.extend(&[]) == Extended::No {
            return (schedule, all);
        }
        for pairing in missing {
            played.mark(pairing.index);
            schedule.enter(pairing.index, places(&pairing, &teams).as_ref());
            assert!(all.insert(pairing.id));
        }
    }
}

const KINDS: [(&str, usize); 10] = [
    ("game = \"quixo\"\nschedule = \"swiss\"\nrounds = 4", 9),
    ("game = \"quixo\"\nschedule = \"swiss\"\nrounds = 5\nsingle_games = true", 8),
    ("game = \"quixo-teams\"\nschedule = \"swiss\"\nrounds = 3", 6),
    ("game = \"tandem\"\noptions = { players = 4 }\nschedule = \"swiss\"\nrounds = 3", 9),
    (
        "game = \"tandem\"\noptions = { players = 3 }\nschedule = \"swiss\"\nrounds = 4\nsingle_games = true",
        8,
    ),
    ("game = \"quixo\"\nschedule = \"knockout\"", 7),
    ("game = \"quixo\"\nschedule = \"knockout\"\nbest_of = 3\nsudden_death = 2", 8),
    ("game = \"quixo-teams\"\nschedule = \"knockout\"\nbest_of = 2", 5),
    ("game = \"quixo\"\nschedule = \"gauntlet\"\nchallengers = [\"bot2\", \"bot4\"]\nrounds = 2", 7),
    ("game = \"tandem\"\noptions = { players = 3 }\nschedule = \"gauntlet\"\nchallengers = [\"bot0\"]", 6),
];

const LADDERS: [(&str, usize); 3] = [
    ("game = \"quixo\"\nschedule = \"ladder\"\ngames = 60", 5),
    ("game = \"tandem\"\noptions = { players = 4 }\nschedule = \"ladder\"\ngames = 64", 7),
    ("game = \"quixo-teams\"\nschedule = \"ladder\"\ngames = 40", 4),
];

#[test]
fn the_games_do_not_depend_on_the_order_of_results_or_on_interruptions() {
    for (text, bots) in KINDS {
        let mut one = schedule(text, bots);
        let ids = play(&mut one, 1, 1, usize::MAX);
        let all: BTreeSet<String> = ids.iter().cloned().collect();
        assert_eq!(all.len(), ids.len(), "each game once");
        assert_eq!(one.games(), ids.len() as u64, "{text}");
        for (concurrency, seed) in [(2, 2), (3, 3), (8, 4), (40, 5)] {
            let mut other = schedule(text, bots);
            let other_ids = play(&mut other, concurrency, seed, usize::MAX);
            assert_eq!(other_ids.iter().cloned().collect::<BTreeSet<_>>(), all, "{text}");
            for part in [0, 1, other_ids.len() / 3, other_ids.len() / 2, other_ids.len() - 1, other_ids.len()]
            {
                let (end, resumed) = resume(schedule(text, bots), &other_ids[..part], concurrency);
                assert_eq!(resumed, all, "{text}, broken off after {part}");
                assert_eq!(end.games(), ids.len() as u64);
            }
        }
    }
}

#[test]
fn an_interrupted_ladder_plays_each_game_once_and_completes_its_encounters() {
    for (text, bots) in LADDERS {
        let max_games = tournament(text, bots).max_games.expect("it has an end");
        for (concurrency, seed) in [(1, 1), (3, 2), (7, 3)] {
            let mut one = schedule(text, bots);
            let ids = play(&mut one, concurrency, seed, usize::MAX);
            assert_eq!(ids.len() as u64, max_games, "{text}");
            for part in [0, 1, 7, ids.len() / 2, ids.len() - 1, ids.len()] {
                let (end, all) = resume(schedule(text, bots), &ids[..part], concurrency);
                assert_eq!(all.len() as u64, max_games, "{text}");
                check_seat_balance(&end);
                if concurrency == 1 {
                    assert_eq!(
                        all,
                        ids.iter().cloned().collect(),
                        "one after the other it is the same ladder"
                    );
                }
            }
        }
    }
}

/// Checks that each entrant has seat 1 once in every encounter, and every seat equally often.
#[track_caller]
fn check_seat_balance(schedule: &Schedule) {
    let mut seats: BTreeMap<usize, BTreeMap<Seat, u64>> = BTreeMap::new();
    let mut encounters: HashMap<(BTreeSet<usize>, u64), BTreeSet<usize>> = HashMap::new();
    let sides = schedule.field.teams.sides();
    for pairing in schedule.iter() {
        for side in 0..sides {
            let seat = Seat::from_index(side);
            *seats.entry(pairing.entrants[seat]).or_default().entry(seat).or_default() += 1;
        }
        let table: BTreeSet<usize> = pairing.entrants.values().copied().collect();
        assert_eq!(table.len(), sides);
        assert!(
            encounters.entry((table, pairing.encounter)).or_default().insert(pairing.entrants[Seat::FIRST])
        );
    }
    for (entrant, counts) in seats {
        let distinct: BTreeSet<u64> = counts.values().copied().collect();
        assert_eq!((distinct.len(), counts.len()), (1, sides), "entrant {entrant}: {counts:?}");
    }
    assert!(encounters.values().all(|first| first.len() == sides));
}

#[test]
fn every_kind_of_schedule_balances_seats() {
    for (text, bots) in KINDS.into_iter().chain(LADDERS) {
        if text.contains("single_games") {
            continue;
        }
        let mut all = schedule(text, bots);
        play(&mut all, 3, 8, usize::MAX);
        check_seat_balance(&all);
    }
    // With single games, the balance is not always exact.
    let mut single = schedule("game = \"quixo\"\nschedule = \"swiss\"\nrounds = 6\nsingle_games = true", 16);
    play(&mut single, 3, 8, usize::MAX);
    let mut balances = [0_i32; 16];
    for pairing in single.iter() {
        balances[pairing.entrants[Seat::FIRST]] += 1;
        balances[pairing.entrants[Seat::SECOND]] -= 1;
    }
    assert!(balances.iter().all(|balance| balance.abs() <= 2), "{balances:?}");
    assert!(balances.iter().filter(|balance| **balance == 0).count() >= 12, "{balances:?}");
}

#[test]
fn single_games_of_a_swiss_use_the_chosen_order_of_seats() {
    let text =
        "game = \"tandem\"\noptions = { players = 4 }\nschedule = \"swiss\"\nrounds = 4\nsingle_games = true";
    let mut all = schedule(text, 12);
    play(&mut all, 3, 8, usize::MAX);
    let mut seats = vec![[0_u32; 4]; 12];
    for pairing in all.iter() {
        for (seat, entrant) in pairing.entrants.iter() {
            seats[*entrant][seat.index()] += 1;
        }
    }
    // Four rounds, four seats: the pairings have priority, but most entrants have had each seat once.
    assert!(seats.iter().filter(|counts| **counts == [1; 4]).count() > 6, "{seats:?}");
    assert!(seats.iter().flatten().all(|count| *count <= 2), "{seats:?}");
}

#[test]
fn ids_contain_the_round_and_are_stable() {
    let mut swiss = schedule("game = \"quixo\"\nschedule = \"swiss\"\nrounds = 2", 5);
    insta::assert_snapshot!(play(&mut swiss, 1, 1, usize::MAX).join("\n"), @r#"
    r1/bot0~bot2~1
    r1/bot3~bot1~1
    r1/bot2~bot0~1
    r1/bot1~bot3~1
    r2/bot4~bot0~1
    r2/bot2~bot1~1
    r2/bot0~bot4~1
    r2/bot1~bot2~1
    "#);
    let mut knockout = schedule("game = \"quixo\"\nschedule = \"knockout\"\nbest_of = 2", 3);
    insta::assert_snapshot!(play(&mut knockout, 1, 1, usize::MAX).join("\n"), @r#"
    r1/bot1~bot2~1
    r1/bot2~bot1~1
    r1/bot2~bot1~2
    r1/bot1~bot2~2
    r2/bot0~bot2~1
    r2/bot2~bot0~1
    r2/bot2~bot0~2
    r2/bot0~bot2~2
    r2/bot0~bot2~3
    r2/bot2~bot0~3
    "#);
    let mut ladder = schedule("game = \"quixo\"\nschedule = \"ladder\"\ngames = 8", 3);
    insta::assert_snapshot!(play(&mut ladder, 1, 1, usize::MAX).join("\n"), @r#"
    bot0~bot1~1
    bot1~bot0~1
    bot0~bot2~1
    bot2~bot0~1
    bot1~bot2~1
    bot2~bot1~1
    bot2~bot1~2
    bot1~bot2~2
    "#);
    let mut gauntlet = schedule("game = \"quixo\"\nschedule = \"gauntlet\"\nchallengers = [\"bot1\"]", 4);
    insta::assert_snapshot!(play(&mut gauntlet, 1, 1, usize::MAX).join("\n"), @r#"
    bot1~bot0~1
    bot2~bot1~1
    bot1~bot3~1
    bot0~bot1~1
    bot1~bot2~1
    bot3~bot1~1
    "#);
}

#[test]
fn seeds_follow_the_given_ratings() {
    let text = "version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nschedule = \"knockout\"\n\
                [[bots]]\nname = \"a\"\ncommand = \"linesman bot random\"\nelo = 1200\n\
                [[bots]]\nname = \"b\"\ncommand = \"linesman bot random\"\nelo = 1900\n\
                [[bots]]\nname = \"c\"\ncommand = \"linesman bot random\"\nelo = 1500\n";
    let context = Context { shown: "cup.toml".into(), stem: "cup".into(), folder: "/".into(), cores: None };
    let schedule = Schedule::of(&parse(text, &context).unwrap()).unwrap();
    let first: Vec<String> = schedule.iter().map(|pairing| pairing.id).collect();
    assert_eq!(first, ["r1/c~a~1", "r1/a~c~1"]);
}

#[test]
fn ten_million_games_of_a_gauntlet_are_indexed_without_a_list() {
    let gauntlet =
        schedule("game = \"quixo\"\nschedule = \"gauntlet\"\nchallengers = [\"bot7\"]\nrounds = 10000", 501);
    assert_eq!(gauntlet.length(), Length::Exactly(10_000_000));
    let last = gauntlet.pairing(9_999_999).unwrap();
    assert_eq!((last.times, gauntlet.index_of(&last.id)), (10_000, Some(9_999_999)));
    assert_eq!(gauntlet.pairing(10_000_000), None);
}

#[test]
fn an_endless_ladder_continues_and_excludes_withdrawn_bots() {
    let mut ladder = schedule("game = \"quixo\"\nschedule = \"ladder\"", 3);
    assert_eq!(ladder.length(), Length::Endless);
    assert_eq!(play(&mut ladder, 2, 1, 500).len(), 500);
    let (pairing, reason) = ladder.preview(1).unwrap().remove(0);
    assert_eq!(pairing.index, ladder.known());
    assert!(reason.deviation > 0.0 && (0.0..=1.0).contains(&reason.chance));
    assert_eq!(ladder.extend(&[0]), Extended::Yes);
    let next = ladder.pairing(ladder.known() - 1).unwrap();
    assert!(next.bots.values().all(|bot| *bot != 0));
    assert_eq!(ladder.extend(&[0, 1]), Extended::No);
}
