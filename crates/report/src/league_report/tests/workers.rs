//! Workers whose results differ from those of others, and workers whose results do not.

use super::*;
use linesman_record::WorkerRecord;
use linesman_types::random::SplitMix64;

const BOTS: [&str; 3] = ["ada", "bob", "cleo"];

fn by_worker(record: GameRecord, name: &str, number: u64) -> GameRecord {
    let speed = std::num::NonZeroU64::new(20_000_000);
    GameRecord {
        id: format!("{number}"),
        worker: Some(WorkerRecord { name: name.to_owned(), speed, ..WorkerRecord::default() }),
        started: Some(format!("2026-11-27T10:00:{:02}Z", number % 60)),
        ..record
    }
}

/// Returns a league of four workers, on one of which `bob` loses many games on time.
fn with_slow_worker() -> League {
    let (mut league, mut random) = (League::new(&BOTS), SplitMix64(5));
    for number in 0..1_200 {
        let worker = ["anna", "ben", "carl", "slow"][(number / 6 % 4) as usize];
        let one = (number % 3) as usize;
        let other = (one + 1 + (number / 3 % 2) as usize) % 3;
        let bob = [one, other].iter().position(|bot| *bot == 1);
        let mut first_wins = random.below(2) == 0;
        let mut faults = Vec::new();
        if worker == "slow"
            && random.below(2) == 0
            && let Some(seat) = bob
        {
            first_wins = seat == 1;
            let fault =
                FaultFields { seat: seat as u8 + 1, fault: "time".to_owned(), ..FaultFields::default() };
            faults.push(fault.into());
        }
        let places = if first_wins { [1, 2] } else { [2, 1] };
        let record = GameRecord { faults, ..game([BOTS[one], BOTS[other]], places) };
        league.add(&by_worker(record, worker, number));
    }
    league
}

#[test]
fn a_worker_on_which_a_bot_has_too_little_time_is_named() {
    let league = with_slow_worker();
    let says = league.says(About::Workers);
    assert_eq!(says.len(), 1, "{says:?}");
    assert!(
        says[0].starts_with("the results of worker `slow` differ from those of the others (chi-square "),
        "{says:?}"
    );
    assert!(
        says[0].contains("among 4): `bob` scored 0.") && says[0].ends_with(" less a game there"),
        "{says:?}"
    );
    let csv = league.csv(Part::Workers);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 5, "{csv}");
    assert!(rows[1].starts_with("anna,300,0,0,20000000,20000000,"), "{csv}");
    let text = league.text(&[Part::Workers], None);
    assert!(text.contains("20,000,000") && text.contains("2026-11-27T10:00:59Z"), "{text}");
}

#[test]
fn repeats_are_compared_with_the_games_that_count() {
    let mut league = League::new(&BOTS);
    for number in 0..60 {
        let repeat_by = ["ben", "carl", "liar"][(number % 3) as usize];
        let record = with_moves(game(["ada", "bob"], [1, 2]), 3, 0);
        let places = if repeat_by == "liar" { vec![2, 1] } else { vec![1, 2] };
        let repeat = GameRecord { places: Some(places), ..record.clone() };
        league.statistics.expect_repeat(&by_worker(repeat, repeat_by, number), number < 30);
        league.add(&by_worker(record, "anna", number));
    }
    let says = league.says(About::Workers);
    assert!(
        says.iter().any(|says| says.starts_with("20 of 20 games that worker `liar` and another one played")),
        "{says:?}"
    );
    let moves =
        "in 10 of 10 games of deterministic bots, worker `liar` and another worker played other moves";
    assert!(says.iter().any(|says| says == moves), "{says:?}");
    assert!(!says.iter().any(|says| says.contains("`ben`") || says.contains("`carl`")), "{says:?}");
    assert_eq!(league.statistics.games(), 60, "repeats do not count");
}

#[test]
fn a_league_of_one_machine_has_no_workers() {
    let league = League::of(&BOTS, [game(["ada", "bob"], [1, 2])]);
    assert!(!league.text(&Part::ALL, None).contains("Workers"));
    assert!(league.report(json).contains("\"workers\":[]"));
    assert!(!league.report(html).contains("id=\"workers\""));
}
