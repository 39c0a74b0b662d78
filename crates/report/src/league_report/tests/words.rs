//! Sentences of a report.

use super::*;
use linesman_rating::IncrementalOptions;

/// Returns games between two bots, of which the first wins `wins` and draws `draws`.
fn meetings(bots: [&str; 2], games: usize, wins: usize, draws: usize) -> Vec<GameRecord> {
    (0..games)
        .map(|number| {
            let won = if number < wins { [1, 2] } else { [2, 1] };
            let places = if (wins..wins + draws).contains(&number) { [1, 1] } else { won };
            let mut record = game(bots, places);
            if number % 2 == 1 {
                record.seats.reverse();
                record.places.as_mut().unwrap().reverse();
            }
            record.id = format!("{}~{}~{number}", bots[0], bots[1]);
            record
        })
        .collect()
}

#[track_caller]
fn check(bots: &[&str], games: Vec<GameRecord>, expected: &[&str]) {
    assert_eq!(League::of(bots, games).says(About::Ranking), expected);
}

#[test]
fn a_significant_ranking_is_called_significant() {
    check(&["a", "b"], meetings(["a", "b"], 100, 80, 0), &["`a` is significantly stronger (95 %) than `b`"]);
    let games = [
        meetings(["a", "b"], 100, 80, 0),
        meetings(["b", "c"], 100, 80, 0),
        meetings(["a", "c"], 100, 95, 0),
    ];
    check(
        &["a", "b", "c"],
        games.concat(),
        &["each bot is significantly stronger (95 %) than the next in the ranking"],
    );
}

#[test]
fn a_ranking_that_may_be_chance_is_called_that() {
    check(
        &["a", "b"],
        meetings(["a", "b"], 20, 11, 0),
        &["the order of `a` and `b` is not significant: they are 35 Elo apart (95 %: -119 to 189)"],
    );
    let even = |one, other| meetings([one, other], 20, 11, 0);
    check(
        &["a", "b", "c"],
        [even("a", "b"), even("b", "c"), even("a", "c")].concat(),
        &["this ranking may be chance: no bot is significantly stronger (95 %) than the next, so more \
             games may change the order"],
    );
}

#[test]
fn neighbours_without_significant_differences_are_named() {
    let names = ["a", "b", "c", "d", "e"];
    let mut games = Vec::new();
    for (index, one) in names.iter().enumerate() {
        for (other_index, other) in names.iter().enumerate().skip(index + 1) {
            // b, c and d are equally strong.
            let alike = (1..=3).contains(&index) && (1..=3).contains(&other_index);
            games.extend(meetings([one, other], 60, if alike { 31 } else { 48 }, 0));
        }
    }
    check(
        &names,
        games,
        &[
            "the order of `b`, `c` and `d` is not significant: none of them is significantly stronger (95 %) than the next",
            "all other neighbors in the ranking differ significantly (95 %)",
        ],
    );
}

#[test]
fn the_difference_is_judged_by_its_own_interval() {
    // The intervals of a and b overlap, and yet a is stronger: each met only the other.
    let league = League::of(&["a", "b"], meetings(["a", "b"], 60, 39, 0));
    let overlap = league.report(|report| {
        let interval = |name: &str| report.ratings.of(name).unwrap().interval.unwrap();
        interval("a").low < interval("b").high + 60.0
    });
    assert!(overlap);
    let next = league.csv(Part::Standings);
    let names: Vec<&str> = next.lines().next().unwrap().split(',').collect();
    let row: Vec<&str> = next.lines().nth(1).unwrap().split(',').collect();
    let value =
        |name: &str| row[names.iter().position(|column| *column == name).unwrap()].parse::<f64>().unwrap();
    let (low, middle, high) = (value("above_next_low"), value("above_next"), value("above_next_high"));
    assert!(0.0 < low && low < middle && middle < high, "{low} {middle} {high}");
    assert!((value("elo") - 1_500.0 - middle / 2.0).abs() < 0.11, "half of it on either side of the mean");
    assert_eq!(league.says(About::Ranking), ["`a` is significantly stronger (95 %) than `b`"]);
}

#[test]
fn a_ranking_without_intervals_is_noted() {
    let no_intervals = "this ranking may be chance: there are no intervals to compare neighboring ratings";
    let method = Method::Incremental(IncrementalOptions::default());
    let mut league = League::rated(&["a", "b"], method);
    meetings(["a", "b"], 20, 15, 0).iter().for_each(|record| league.add(record));
    assert_eq!(league.says(About::Ranking), [no_intervals]);
    assert_eq!(League::new(&["a", "b"]).says(About::Ranking), Vec::<String>::new());
    assert_eq!(League::of(&[], []).says(About::Ranking), Vec::<String>::new());
}

#[test]
fn groups_that_never_met_are_not_compared() {
    let games = [meetings(["a", "b"], 60, 45, 0), meetings(["c", "d"], 60, 31, 0)].concat();
    let sentences = League::of(&["a", "b", "c", "d"], games).says(About::Ranking);
    assert!(sentences.iter().all(|line| !line.contains("all other neighbors")), "{sentences:?}");
    assert!(!sentences.iter().any(|line| line.contains("each bot")), "{sentences:?}");
}

#[test]
fn a_result_from_faults_of_others_is_noted() {
    let mut games = meetings(["ada", "bob"], 10, 8, 1);
    for record in games.iter_mut().take(5) {
        let loser = 1 + record.places.as_ref().unwrap().iter().position(|place| *place == 2).unwrap() as u8;
        *record = failed(record.clone(), loser, "time");
    }
    assert_eq!(
        League::of(&["ada", "bob"], games.clone()).says(About::Faults),
        [
            "`ada` owes 5.0 of its 8.5 points to opponents that failed: its result says more about their \
             faults than about its own play",
            "`bob` failed in 5 of the 8 games that it lost",
        ]
    );
    games[0] = meetings(["ada", "bob"], 1, 1, 0).remove(0);
    let half = League::of(&["ada", "bob"], games).says(About::Faults);
    assert_eq!(half, Vec::<String>::new(), "4 of 8.5 and 4 of 8 are not most");
    let one = failed(game(["ada", "bob"], [1, 2]), 2, "crash");
    assert_eq!(
        League::of(&["ada", "bob"], [one]).says(About::Faults)[1],
        "`bob` failed in the only game that it lost"
    );
}

#[test]
fn points_from_an_overloaded_host_are_distinguished_from_faults() {
    let late = |mut record: GameRecord| {
        record = failed(record, 2, "time");
        let fields = FaultFields::from(record.faults.remove(0));
        record.faults = vec![FaultFields { overload: true, ..fields }.into()];
        record
    };
    let lost = || game(["ada", "bob"], [1, 2]);
    let of_host = League::of(&["ada", "bob"], [late(lost()), late(lost()), game(["ada", "bob"], [2, 1])]);
    assert_eq!(
        of_host.says(About::Faults),
        [
            "`ada` owes 2.0 of its 2.0 points to opponents that were late because the machine was \
             overloaded: its result says more about the machine than about its own play",
            "`bob` was late, because it waited for a CPU, in 2 of the 2 games that it lost: play fewer games \
             at once, or end other programs",
        ]
    );
    let both = League::of(&["ada", "bob"], [late(lost()), failed(lost(), 2, "crash"), lost()]);
    assert_eq!(
        both.says(About::Faults),
        ["`ada` owes 2.0 of its 3.0 points to opponents that failed (1.0) or that were late because the \
          machine was overloaded (1.0): its result says more about that than about its own play",],
        "neither is most of what bob lost"
    );
    let table = both.text(&[Part::Faults], None);
    let of_bob = table.lines().find(|line| line.contains("bob")).unwrap_or_default();
    assert_eq!(
        of_bob.split_whitespace().collect::<Vec<_>>(),
        ["2", "bob", "1", "1", "1", "1", "0.0"],
        "rank, bot, faults, crash, overload, games lost, points got: {table}"
    );
    assert!(table.contains("They are not\namong the faults"), "{table}");
    let csv = both.csv(Part::Faults);
    let head = csv.lines().next().unwrap_or_default();
    assert!(head.contains(",overload,lost_by_overload,points_from_overload,faults_not_started,"), "{csv}");
    assert!(csv.contains("\nbob,1,"), "{csv}");
    assert!(csv.lines().any(|line| line.ends_with(",1,0.0,1,1,0.0,0,0,0,1,0,0,0,0,0")), "{csv}");
}

#[test]
fn many_sentences_of_a_kind_are_counted() {
    let names: Vec<String> = (0..30).map(|number| format!("bot{number:02}")).collect();
    let mut league = League::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for pair in names.chunks(2) {
        league.add(&failed(game([&pair[0], &pair[1]], [1, 2]), 2, "crash"));
    }
    let sentences = league.says(About::Faults);
    assert_eq!(sentences.len(), 16);
    assert_eq!(sentences[7], "8 more bots owe most of their points to opponents that failed");
}

#[test]
fn repeated_games_are_noted() {
    let same = || with_moves(game(["ada", "bob"], [1, 2]), 6, 0);
    let mut league = League::new(&["ada", "bob"]);
    league.add(&same());
    assert_eq!(league.says(About::Repeats), Vec::<String>::new());
    // With exchanged seats, more moves or another result, it is another game.
    league.add(&with_moves(game(["bob", "ada"], [1, 2]), 6, 0));
    league.add(&with_moves(game(["ada", "bob"], [1, 2]), 7, 0));
    league.add(&with_moves(game(["ada", "bob"], [1, 1]), 6, 0));
    let mut from_opening = same();
    from_opening.opening = Some(OpeningRecord { token: None, moves: vec!["x".to_owned()] });
    league.add(&from_opening);
    // Games without a move repeat nothing.
    (0..2).for_each(|_| league.add(&with_moves(game(["ada", "bob"], [1, 2]), 0, 0)));
    assert_eq!(league.statistics.repeats, 0);
    (0..3).for_each(|_| league.add(&same()));
    league.add(&with_moves(game(["bob", "ada"], [1, 2]), 6, 0));
    assert_eq!(
        league.says(About::Repeats),
        [
            "4 of 11 games repeat an earlier one move for move (most often `ada` and `bob` in these seats: 3); \
          such games add no information and narrow no interval: play from openings"
        ]
    );
}

#[test]
fn the_value_of_the_first_seat_is_noted() {
    let first = |wins, games| {
        let mut league = League::new(&["ada", "bob"]);
        for number in 0..games {
            let bots = if number % 2 == 0 { ["ada", "bob"] } else { ["bob", "ada"] };
            league.add(&game(bots, if number < wins { [1, 2] } else { [2, 1] }));
        }
        league.says(About::Seats)
    };
    assert_eq!(
        first(14, 20),
        ["the first seat scored 70.0 % (95 %: 48.1 to 85.5) in 20 games, which may be chance; given the \
          strengths of the bots, it is worth 147 Elo (95 %: -19 to 313), which may be chance"]
    );
    assert_eq!(
        first(70, 100),
        ["the first seat scored 70.0 % (95 %: 60.4 to 78.1) in 100 games, which differs \
             significantly from half; given the strengths of the bots, it is worth 147 Elo (95 %: 73 to \
             221), which differs significantly from 0"]
    );
    assert_eq!(first(0, 0), Vec::<String>::new());
}

#[test]
fn the_share_of_a_seat_and_its_worth_have_a_verdict_each() {
    let mut league = League::new(&["ada", "bob", "cleo"]);
    let mut add = |bots, games, wins| {
        (0..games).for_each(|number| league.add(&game(bots, if number < wins { [1, 2] } else { [2, 1] })));
    };
    // The second seat is better, and the best bot is first more often.
    add(["ada", "bob"], 20, 10);
    add(["bob", "ada"], 20, 2);
    add(["ada", "cleo"], 30, 26);
    assert_eq!(
        league.says(About::Seats)[0],
        "the first seat scored 54.3 % (95 %: 42.7 to 65.4) in 70 games, which may be chance; given the strengths \
         of the bots, it is worth -191 Elo (95 %: -339 to -43), which differs significantly from 0"
    );
}

#[test]
fn seats_of_many_are_noted_if_their_scores_differ() {
    let mut league = League::new(&["a", "b", "c"]);
    for round in 0..60 {
        let mut bots = ["a", "b", "c"];
        bots.rotate_left(round % 3);
        let mut record = game(["a", "b"], [1, 2]);
        record.game = "tandem".to_owned();
        record.seats = seats(&bots);
        record.places = Some(if round % 2 == 0 { vec![1, 2, 3] } else { vec![2, 1, 3] });
        league.add(&record);
    }
    let sentences = league.says(About::Seats);
    assert_eq!(
        sentences,
        ["significantly different from half: seat 1 scored 75.0 % (95 %: 62.8 to 84.2), seat 2 scored \
             75.0 % (95 %: 62.8 to 84.2), seat 3 scored 0.0 % (95 %: 0.0 to 6.0)"]
    );
}

#[test]
fn a_sequential_test_has_its_own_verdict() {
    let mut league = League::of(&["new", "base"], meetings(["new", "base"], 100, 80, 0));
    (league.facts.games, league.facts.left) = (100_000, Some(99_900));
    league.facts.test = Some(TestFacts {
        names: ["new", "base"].map(str::to_owned),
        status: Status::Accepted,
        in_a_word: "LLR 2.97 (-2.94, 2.94)".to_owned(),
        games: 100,
        has_ended: true,
    });
    assert_eq!(
        league.says(About::Ranking),
        ["the sequential test accepts `new` against `base` after 100 games: LLR 2.97 (-2.94, 2.94)"]
    );
    assert_eq!(league.says(About::Progress), ["the test ended after 100 games, and no more will be played"]);
}

#[test]
fn the_progress_of_the_league_is_noted() {
    let mut league = League::of(&["ada", "bob"], meetings(["ada", "bob"], 3, 2, 0));
    assert_eq!(league.says(About::Progress), ["all 3 games have been played"]);
    league.facts.games = 1_200;
    league.facts.left = Some(1_197);
    assert_eq!(league.says(About::Progress), ["3 of 1,200 games have been played"]);
}
