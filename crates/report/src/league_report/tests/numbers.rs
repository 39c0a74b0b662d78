//! Counts of a report.

use super::super::statistics::wilson;
use super::*;

#[test]
fn times_and_depths_are_summed_by_bot() {
    let mut record = with_moves(game(["ada", "bob"], [1, 2]), 3, 0);
    record.times_us = Some(vec![1_000, 50, 4_000]);
    let said = |depth| Some(SaidRecord { depth: Some(depth), ..SaidRecord::default() });
    record.said = Some(vec![said(4), None, said(7)]);
    let mut other = with_moves(game(["bob", "ada"], [1, 2]), 2, 1);
    // After an opening with an odd number of plies, the second seat begins.
    other.opening = Some(OpeningRecord { token: None, moves: vec!["x".to_owned()] });
    other.times_us = Some(vec![7_000, 100]);
    // A column of another length is ignored.
    other.said = Some(vec![said(99)]);
    let league = League::of(&["ada", "bob"], [record, other]);
    let (ada, bob) = (league.statistics.of("ada"), league.statistics.of("bob"));
    assert_eq!((ada.timed_moves, ada.mean_ms(), ada.longest_ms()), (3, Some(4.0), Some(7.0)));
    assert_eq!((bob.timed_moves, bob.mean_ms(), bob.longest_ms()), (2, Some(0.075), Some(0.1)));
    assert_eq!((ada.mean_depth(), bob.mean_depth()), (Some(5.5), None));
    assert_eq!(league.statistics.of("nobody").mean_ms(), None);
}

#[test]
fn the_time_beyond_what_a_bot_reported_is_counted() {
    let mut record = with_moves(game(["ada", "bob"], [1, 2]), 5, 0);
    record.times_us = Some(vec![1_400, 50, 4_200, 60, 9_000]);
    let said = |time_ms| Some(SaidRecord { time_ms: Some(time_ms), ..SaidRecord::default() });
    record.said = Some(vec![said(1), None, said(4), None, said(5)]);
    let cpu = GameRecord { clock: Some("cpu".to_owned()), id: "other".to_owned(), ..record.clone() };
    let league = League::of(&["ada", "bob"], [record, cpu]);
    let overhead = |name| {
        let overhead = league.statistics.overhead(name).expect("it has played");
        (overhead.median_ms(), overhead.maximum_ms())
    };
    assert_eq!((overhead("ada"), overhead("bob")), ((Some(0.4), Some(4.0)), (None, None)));
}

#[test]
fn sums_are_exact_for_any_record() {
    let mut league = League::new(&["ada", "bob"]);
    for kind in 0..3 {
        let mut record = with_moves(game(["ada", "bob"], [1, 2]), 1, kind);
        record.times_us = Some(vec![u64::MAX]);
        league.add(&record);
    }
    assert_eq!(league.statistics.of("ada").time_us, 3 * u128::from(u64::MAX));
    assert_eq!(league.statistics.of("ada").mean_ms(), Some(u64::MAX as f64 / 1_000.0));
}

#[test]
fn teammates_share_the_figures_of_their_team() {
    let mut record = GameRecord {
        game: "quixo-teams".to_owned(),
        seats: seats(&["a", "b", "c", "d"]),
        places: Some(vec![1, 2, 1, 2]),
        ..with_moves(game(["a", "b"], [1, 2]), 4, 0)
    };
    for (seat, team) in record.seats.iter_mut().zip(["reds", "blues", "reds", "blues"]) {
        seat.team = Some(team.to_owned());
    }
    record.times_us = Some(vec![1_000, 2_000, 3_000, 8_000]);
    let mut lost = failed(record.clone(), 4, "crash");
    lost.id = "2".to_owned();
    let league = League::of(&["reds", "blues"], [record, lost]);
    assert_eq!(league.statistics.of("reds").mean_ms(), Some(2.0));
    assert_eq!(league.statistics.of("blues").mean_ms(), Some(5.0));
    assert_eq!(league.statistics.of("reds").given(), 1.0, "one of its two points is a crash");
    assert_eq!(league.statistics.of("blues").failed_losses, 1);
    insta::assert_snapshot!(league.csv(Part::Seats), @r"
    side,games,points,score,score_low,score_high
    1,2,2.0,1.000000,0.342380,1.000000
    2,2,0.0,0.000000,0.000000,0.657620
    ");
}

#[test]
fn points_from_a_fault_go_to_the_bots_ahead() {
    let places = [vec![1, 2, 4, 3], vec![1, 1, 3, 3]];
    let mut league = League::new(&["a", "b", "c", "d"]);
    for (number, places) in places.into_iter().enumerate() {
        let record = GameRecord {
            game: "tandem".to_owned(),
            seats: seats(&["a", "b", "c", "d"]),
            places: Some(places),
            id: number.to_string(),
            ..game(["a", "b"], [1, 2])
        };
        league.add(&failed(record, 3, "time"));
    }
    let given = |bot: &str| league.statistics.of(bot).given_twelfths;
    assert_eq!(["a", "b", "c", "d"].map(given), [8, 8, 0, 4], "in twelfths, a third of a point for each");
    assert_eq!(league.statistics.of("c").failed_losses, 2);
    assert_eq!(league.statistics.of("d").failed_losses, 0);
}

#[test]
fn endings_and_openings_have_their_own_figures() {
    let opening = |mut record: GameRecord, moves: &[&str]| {
        record.opening =
            Some(OpeningRecord { token: None, moves: moves.iter().map(|text| (*text).to_owned()).collect() });
        record
    };
    let league = League::of(
        &["ada", "bob"],
        [
            opening(with_moves(game(["ada", "bob"], [1, 2]), 10, 0), &["c1c5"]),
            opening(with_moves(game(["bob", "ada"], [1, 1]), 20, 1), &["c1c5"]),
            opening(with_moves(game(["ada", "bob"], [2, 1]), 6, 2), &["a1a5", "b1b5"]),
            with_moves(failed(game(["bob", "ada"], [1, 2]), 2, "time"), 0, 3),
            GameRecord { reason: None, ..game(["ada", "bob"], [1, 2]) },
        ],
    );
    insta::assert_snapshot!(league.csv(Part::Endings), @r"
    reason,games,share,first_score,draws,shortest,mean,longest
    line,2,0.400000,0.500000,0,8,9.500000,11
    ,1,0.200000,1.000000,0,,,
    failure,1,0.200000,1.000000,0,0,0.000000,0
    repetition,1,0.200000,0.500000,1,21,21.000000,21
    ");
    insta::assert_snapshot!(league.csv(Part::Openings), @r"
    opening,games,share,first_score,draws,shortest,mean,longest
    ,2,0.400000,1.000000,0,0,0.000000,0
    c1c5,2,0.400000,0.750000,1,11,16.000000,21
    a1a5 b1b5,1,0.200000,0.000000,0,8,8.000000,8
    ");
    insta::assert_snapshot!(league.csv(Part::Lengths), @r"
    plies,games
    0,1
    8,1
    11,1
    21,1
    ");
}

#[test]
fn openings_beyond_a_bound_are_counted_together() {
    let mut league = League::new(&["ada", "bob"]);
    for number in 0..10_050 {
        let mut record = game(["ada", "bob"], [1, 2]);
        record.id = number.to_string();
        record.opening =
            Some(OpeningRecord { token: Some(format!("{number}{}", "x".repeat(300))), moves: vec![] });
        let outcome = record.outcome().unwrap();
        league.tally.add(&outcome);
        league.statistics.add(&record, &outcome);
    }
    let csv = league.csv(Part::Openings);
    assert_eq!(csv.lines().count(), 1 + 10_000 + 1);
    assert!(csv.ends_with("(others),50,0.004975,1.000000,0,,,\n"), "{}", &csv[csv.len() - 200..]);
    assert!(csv.lines().all(|line| line.len() < 220), "what is kept of an opening is bounded too");
}

#[test]
fn equal_ratings_share_a_rank_in_the_course() {
    let round = || {
        [["ada", "bob"], ["bob", "ada"], ["ada", "cleo"], ["cleo", "ada"], ["bob", "cleo"], ["cleo", "bob"]]
    };
    let wins = |bots: [&str; 2]| if bots[0] == "bob" || bots[1] == "cleo" { [1, 2] } else { [2, 1] };
    let league = League::of(
        &["ada", "bob", "cleo"],
        round().map(|bots| if bots.contains(&"bob") { game(bots, wins(bots)) } else { game(bots, [1, 1]) }),
    );
    let ranks: Vec<String> = league
        .csv(Part::Course)
        .lines()
        .filter_map(|line| {
            Some(line.strip_prefix("6,")?.splitn(3, ',').take(2).collect::<Vec<_>>().join(" "))
        })
        .collect();
    assert_eq!(ranks, ["1 bob", "2 ada", "2 cleo"]);
}

#[test]
fn void_games_do_not_count_as_games() {
    let void = |kind: &str| GameRecord {
        places: None,
        reason: None,
        void: Some(VoidRecord { kind: kind.to_owned().into(), ..VoidRecord::default() }),
        ..with_moves(game(["ada", "bob"], [1, 2]), 5, 0)
    };
    let league = League::of(
        &["ada", "bob"],
        [void("host"), void("host"), void("no_bot_played"), with_moves(game(["ada", "bob"], [1, 2]), 5, 0)],
    );
    let counted = &league.statistics;
    assert_eq!((counted.games(), counted.void, counted.void_by_host, counted.repeats), (1, 1, 2, 0));
    assert_eq!(counted.lengths.span.games, 1);
    assert_eq!(
        league.says(About::Progress)[1],
        "1 game has no result, because no bot played; 2 tries of games were spoiled by the machine"
    );
}

#[test]
fn shares_have_the_published_intervals() {
    // R. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
    for (share, games, low, high) in [
        (81.0, 263, 0.2553, 0.3662),
        (15.0, 148, 0.0624, 0.1605),
        (0.0, 20, 0.0, 0.1611),
        (1.0, 29, 0.0061, 0.1718),
    ] {
        let (own_low, own_high) = wilson(share / f64::from(games), u64::from(games as u32));
        assert!((own_low - low).abs() < 6e-5 && (own_high - high).abs() < 6e-5, "{own_low} {own_high}");
    }
}

#[test]
fn the_order_of_records_changes_only_the_course() {
    let mut games = games_of_spring(NAMES);
    let before = League::of(&NAMES, games.clone());
    games.reverse();
    games.rotate_left(7);
    let after = League::of(&NAMES, games);
    for part in Part::ALL {
        match part {
            Part::Course => assert_ne!(before.csv(part), after.csv(part)),
            _ => assert_eq!(before.csv(part), after.csv(part), "{}", part.word()),
        }
    }
    let words = |league: &League| league.report(|report| report.sentences());
    assert_eq!(words(&before), words(&after));
}
