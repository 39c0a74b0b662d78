//! Games of three and four seats.

use crate::*;
use linesman_types::seat::{Place, Seat};
use proptest::prelude::*;

fn add(results: &mut Results, names: &[&str], places: &[usize], games: usize) {
    let places: Vec<Place> =
        places.iter().map(|place| Place::new(*place).expect("there is such a place")).collect();
    for _ in 0..games {
        results.add(names, &places).expect("a place for each seat");
    }
}

#[track_caller]
fn rated(results: &Results) -> Ratings {
    rate(results, &LikelihoodOptions::default()).expect("the dataset has ratings")
}

#[track_caller]
fn elo(ratings: &Ratings, name: &str) -> f64 {
    ratings.of(name).and_then(|row| row.elo).expect("the bot has a rating")
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-5, "{value} instead of {expected}");
}

/// Counts each order of A, B and C as often as strengths of 4, 2 and 1 predict in 105 games, in every
/// seating.
fn in_proportion() -> Results {
    let mut results = Results::new();
    for seating in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let names = seating.map(|bot: usize| ["A", "B", "C"][bot]);
        for (order, games) in [("ABC", 40), ("ACB", 20), ("BAC", 24), ("BCA", 6), ("CAB", 10), ("CBA", 5)] {
            let places = names.map(|name| 1 + order.find(name).expect("all three are there"));
            add(&mut results, &names, &places, games);
        }
    }
    results
}

#[test]
fn orders_in_exact_proportion_give_exact_strengths() {
    let ratings = rated(&in_proportion());
    near(elo(&ratings, "A") - elo(&ratings, "B"), 400.0 * 2_f64.log10());
    near(elo(&ratings, "B") - elo(&ratings, "C"), 400.0 * 2_f64.log10());
    near(elo(&ratings, "A") + elo(&ratings, "B") + elo(&ratings, "C"), 4500.0);
    assert_eq!(ratings.notes, []);
    assert_eq!(ratings.seat_advantages.len(), 2);
    for seat in ratings.seat_advantages {
        near(seat.elo, 0.0);
        assert!(seat.interval.low < -1.0 && seat.interval.high > 1.0, "{seat:?}");
    }
}

#[test]
fn the_score_is_the_share_of_opponents_beaten() {
    let mut results = Results::new();
    add(&mut results, &["A", "B", "C", "D"], &[1, 2, 2, 4], 1);
    add(&mut results, &["D", "C", "B", "A"], &[1, 1, 3, 4], 1);
    let ratings = rated(&results);
    let row = |name: &str| {
        let row = ratings.of(name).expect("listed");
        (row.points, row.tally.wins, row.tally.draws, row.tally.losses)
    };
    near(row("A").0, 1.0);
    near(row("B").0, 0.5 + 1.0 / 3.0);
    near(row("C").0, 0.5 + 2.5 / 3.0);
    near(row("D").0, 2.5 / 3.0);
    assert_eq!((row("A").1, row("A").2, row("A").3), (1, 0, 1));
    assert_eq!((row("C").1, row("C").2, row("C").3), (0, 1, 1));
}

#[test]
fn a_seat_that_wins_more_is_worth_more() {
    let mut results = Results::new();
    let bots = ["A", "B", "C"];
    for turn in 0..3 {
        let names: Vec<&str> = (0..3).map(|seat| bots[(seat + turn) % 3]).collect();
        add(&mut results, &names, &[1, 2, 3], 20);
        add(&mut results, &names, &[2, 1, 3], 10);
        add(&mut results, &names, &[3, 2, 1], 5);
    }
    let ratings = rated(&results);
    for name in bots {
        near(elo(&ratings, name), 1500.0);
    }
    let seats: Vec<(usize, Seat)> =
        ratings.seat_advantages.iter().map(|seat| (seat.seats, seat.seat)).collect();
    assert_eq!(seats, [(3, Seat::SECOND), (3, Seat::from_index(2))]);
    let [second, third] = &ratings.seat_advantages[..] else { panic!("two seats but the first") };
    assert!(third.elo < second.elo && second.elo < 0.0 && third.interval.high < 0.0, "{second:?} {third:?}");
}

#[test]
fn seats_that_never_change_can_t_be_distinguished_from_bots() {
    let mut results = Results::new();
    add(&mut results, &["A", "B", "C"], &[1, 2, 3], 3);
    add(&mut results, &["A", "B", "C"], &[3, 2, 1], 2);
    add(&mut results, &["A", "B", "C"], &[2, 1, 3], 2);
    let ratings = rated(&results);
    assert_eq!(ratings.notes, [FieldNote::SeatsUnknown { seats: 3 }]);
    assert_eq!(ratings.seat_advantages, []);
    assert!(elo(&ratings, "A") > elo(&ratings, "C"));
}

#[test]
fn bots_that_won_or_lost_everything_are_finite_with_a_note() {
    let mut results = Results::new();
    for names in [["top", "A", "B", "last"], ["last", "B", "A", "top"], ["A", "top", "last", "B"]] {
        let places = names.map(|name| match name {
            "top" => 1,
            "last" => 4,
            _ => 2,
        });
        add(&mut results, &names, &places, 2);
    }
    let ratings = rated(&results);
    let rows: Vec<(&str, Option<Note>)> =
        ratings.rows.iter().map(|row| (row.name.as_str(), row.note)).collect();
    assert_eq!(
        rows,
        [("top", Some(Note::PriorWonAll)), ("A", None), ("B", None), ("last", Some(Note::PriorLostAll))]
    );
    assert!(ratings.notes.contains(&FieldNote::PriorUsed { groups: Vec::new() }));
    let options = LikelihoodOptions { prior: Prior::None, ..Default::default() };
    // A and B only drew against each other.
    let ratings = rate(&results, &options).expect("rated");
    near(elo(&ratings, "A"), 1500.0);
    let interval = ratings.of("A").and_then(|row| row.interval).expect("rated");
    assert!(interval.high - interval.low > 10.0, "{interval:?}");
    let top = ratings.of("top").expect("listed");
    assert_eq!((top.elo, top.note), (None, Some(Note::NoUpperBound)));
    let interval = top.interval.expect("it has a bound");
    assert!(interval.low > 1500.0 && interval.high == f64::INFINITY, "{interval:?}");
    let last = ratings.of("last").expect("listed");
    assert_eq!(last.note, Some(Note::NoLowerBound));
    let interval = last.interval.expect("it has a bound");
    assert!(interval.high < 1500.0 && interval.low == f64::NEG_INFINITY, "{interval:?}");
}

#[test]
fn bounds_at_a_table_are_those_of_the_likelihood() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut results = Results::new();
    for order in ORDERS {
        // The orders of twelve games in which A and B are equal and no places are shared.
        for ranking in [["top", "A", "B"], ["top", "B", "A"], ["A", "B", "last"], ["B", "A", "last"]] {
            let names = order.map(|place| ranking[place]);
            add(&mut results, &names, &order.map(|place| place + 1), 1);
        }
    }
    let options = LikelihoodOptions { prior: Prior::None, ..Default::default() };
    let ratings = rate(&results, &options).expect("rated");
    let bound = |name: &str| ratings.of(name).and_then(|row| row.interval).expect("it has a bound");
    // A one-sided limit of 95 %: the square of 1.6449, halved, for twelve games.
    let share = (-1.644_853_627_f64.powi(2) / 2.0 / 12.0).exp();
    // It is first with the probability e^s / (e^s + 2).
    let low = (2.0 * share / (1.0 - share)).ln();
    near(bound("top").low, 1500.0 + low * crate::ELO_PER_NATURAL);
    // It is last with the probability 2 / ((2 + e^s) (1 + e^s)).
    let weight = (-3.0 + (1.0 + 8.0 / share).sqrt()) / 2.0;
    near(bound("last").high, 1500.0 + weight.ln() * crate::ELO_PER_NATURAL);
}

#[test]
fn one_game_in_which_all_were_tied_leaves_wide_intervals() {
    let mut results = Results::new();
    add(&mut results, &["A", "A", "A", "B"], &[1, 1, 1, 1], 1);
    let ratings = rated(&results);
    for name in ["A", "B"] {
        let interval = ratings.of(name).and_then(|row| row.interval).expect("rated");
        assert!(interval.high - interval.low > 100.0, "{name}: {interval:?}");
    }
}

#[test]
fn games_of_two_seats_and_of_more_are_rated_together() {
    let mut results = in_proportion();
    results.add_tally("A", "new", Tally { wins: 30, draws: 0, losses: 10 });
    results.add_tally("new", "A", Tally { wins: 10, draws: 0, losses: 30 });
    let ratings = rated(&results);
    near(elo(&ratings, "A") - elo(&ratings, "B"), 400.0 * 2_f64.log10());
    near(elo(&ratings, "A") - elo(&ratings, "new"), 400.0 * 3_f64.log10());
}

#[test]
fn incremental_ratings_count_each_opponent_as_a_share_of_a_game() {
    let options = IncrementalOptions { k: 30.0, start: 1500.0 };
    let mut running = Rater::new(Method::Incremental(options)).expect("finite");
    let places = [1, 2, 2, 4].map(|place| Place::new(place).expect("there is such a place"));
    running.add(&["A", "B", "C", "D"], &places).expect("four seats");
    let ratings = running.ratings().expect("always");
    for (name, expected) in [("A", 1515.0), ("B", 1500.0), ("C", 1500.0), ("D", 1485.0)] {
        near(elo(&ratings, name), expected);
    }
}

/// Any games of three and four seats among five bots.
fn games() -> impl Strategy<Value = Vec<Vec<(usize, usize)>>> {
    let seat = (0..5usize, 0..3usize);
    proptest::collection::vec(proptest::collection::vec(seat, 3..=4), 0..12)
}

fn play(games: &[Vec<(usize, usize)>], name: impl Fn(usize) -> String) -> Results {
    let mut results = Results::new();
    for game in games {
        let names: Vec<String> = game.iter().map(|(bot, _)| name(*bot)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let places: Vec<usize> = game
            .iter()
            .map(|(_, place)| 1 + game.iter().filter(|(_, other)| other < place).count())
            .collect();
        add(&mut results, &names, &places, 1);
    }
    results
}

fn letter(bot: usize) -> String {
    char::from(b'a' + bot as u8).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_bot_with_games_has_a_finite_rating_within_its_interval(games in games()) {
        let ratings = rated(&play(&games, letter));
        for rating in ratings.rows {
            prop_assert_eq!(rating.elo.is_some(), rating.tally.games() > 0);
            if let Some(elo) = rating.elo {
                let interval = rating.interval.expect("rated");
                prop_assert!(elo.is_finite() && interval.low < elo && elo < interval.high, "{:?}", rating);
            }
        }
    }

    #[test]
    fn names_change_nothing(games in games()) {
        let other_letter = |bot: usize| letter(4 - bot);
        let (one, other) = (rated(&play(&games, letter)), rated(&play(&games, other_letter)));
        for bot in 0..5 {
            let [one, other] = [(&one, letter(bot)), (&other, other_letter(bot))]
                .map(|(ratings, name)| ratings.of(&name).and_then(|row| row.elo));
            prop_assert_eq!(one.is_some(), other.is_some());
            if let (Some(one), Some(other)) = (one, other) {
                prop_assert!((one - other).abs() < 1e-4, "{} {}", one, other);
            }
        }
    }

    #[test]
    fn merging_parts_is_the_same_as_counting_all(games in games(), cut in 0..12usize) {
        let (before, after) = games.split_at(cut.min(games.len()));
        let mut merged = play(after, letter);
        merged.merge(&play(before, letter));
        let (one, other) = (rated(&play(&games, letter)), rated(&merged));
        prop_assert_eq!(one.rows, other.rows);
    }
}
