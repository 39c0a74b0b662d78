//! Games that together give less, or more, information than the same number of independent ones.

use proptest::prelude::*;

use super::leagues::elo;
use crate::*;
use linesman_types::seat::Place;

/// A game of two seats: the bots, the first seat's score, its pair, its moves.
type Played = (&'static str, &'static str, Score, Option<u16>, Option<u64>);

fn play(games: &[Played]) -> Results {
    let place = |number| Place::new(number).expect("there is such a place");
    let mut results = Results::new();
    for (first, second, score, pair, moves) in games {
        let places = match score {
            Score::Win => [1, 2],
            Score::Draw => [1, 1],
            Score::Loss => [2, 1],
        };
        let (names, places) = ([*first, *second], places.map(place));
        let mut game = RatedGame::new(&names, &places);
        let key = pair.map(|pair| pair.to_string());
        if let Some(key) = &key {
            game = game.in_pair("cup", key);
        }
        if let Some(moves) = moves {
            game = game.with_moves(*moves);
        }
        results.count(&game).expect("two seats");
    }
    results
}

fn error(results: &Results) -> f64 {
    let ratings = rate(results, &LikelihoodOptions::default()).expect("rated");
    ratings.difference(0, 1).expect("one group").standard_error
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6, "{value} instead of {expected}");
}

/// Games of two bots, each with moves of its own.
fn distinct() -> Vec<Played> {
    let scores = [Score::Win, Score::Win, Score::Draw, Score::Loss, Score::Win, Score::Draw];
    let seats = [("A", "B"), ("B", "A")];
    (0..24_u64)
        .map(|number| {
            let (first, second) = seats[number as usize % 2];
            (first, second, scores[number as usize / 2 % 6], None, Some(number))
        })
        .collect()
}

#[test]
fn a_game_repeated_move_for_move_makes_no_interval_narrower() {
    let once = distinct();
    let thrice: Vec<Played> = once.iter().flat_map(|game| [*game; 3]).collect();
    let results = play(&thrice);
    assert_eq!(results.games(), 72);
    near(error(&results), error(&play(&once)));
    let ratings = rate(&results, &LikelihoodOptions::default()).expect("rated");
    assert_eq!(ratings.notes, [FieldNote::Repeated { games: 48, of: 72 }]);
    // Without known moves they are 72 games.
    let unknown: Vec<Played> = thrice.iter().map(|game| (game.0, game.1, game.2, None, None)).collect();
    near(error(&play(&unknown)) * 3_f64.sqrt(), error(&play(&once)));
}

#[test]
fn the_same_moves_by_other_bots_or_with_another_result_are_no_repetition() {
    let results = play(&[
        ("A", "B", Score::Win, None, Some(7)),
        ("B", "A", Score::Win, None, Some(7)),
        ("A", "C", Score::Win, None, Some(7)),
        ("A", "B", Score::Loss, None, Some(7)),
    ]);
    let ratings = rate(&results, &LikelihoodOptions::default()).expect("rated");
    assert!(!ratings.notes.iter().any(|note| matches!(note, FieldNote::Repeated { .. })));
}

/// Many pairs in which the bot on the better side of the opening wins: one win each.
fn balanced(paired: bool) -> Vec<Played> {
    (0..240)
        .flat_map(|number| {
            let (score, pair) =
                (if number % 2 == 0 { Score::Win } else { Score::Loss }, paired.then_some(number));
            // A few pairs are won by one bot with both seats.
            let back = match (number % 10, score) {
                (0, _) => Score::Loss,
                (_, score) => score,
            };
            [("A", "B", score, pair, None), ("B", "A", back, pair, None)]
        })
        .collect()
}

#[test]
fn pairs_that_even_out_make_an_interval_narrower() {
    let (paired, alone) = (error(&play(&balanced(true))), error(&play(&balanced(false))));
    assert!(paired < 0.7 * alone, "{paired} {alone}");
    let ratings = |paired| rate(&play(&balanced(paired)), &LikelihoodOptions::default()).expect("rated");
    near(elo(&ratings(true), "A"), elo(&ratings(false), "A"));
}

#[test]
fn pairs_that_were_all_won_make_no_interval_narrower() {
    let games = |paired: bool| -> Vec<Played> {
        let mut games = balanced(paired);
        // A bot that beats them both in every game.
        for number in 1000..1060 {
            let pair = paired.then_some(number);
            let other = if number % 2 == 0 { "A" } else { "B" };
            games.extend([("W", other, Score::Win, pair, None), (other, "W", Score::Loss, pair, None)]);
        }
        games
    };
    let interval = |paired: bool| {
        let ratings = rate(&play(&games(paired)), &LikelihoodOptions::default()).expect("rated");
        let winner = ratings.rows.iter().find(|bot| bot.name == "W").expect("it is rated");
        let interval = winner.interval.as_ref().expect("it has one");
        interval.high - interval.low
    };
    let (paired, alone) = (interval(true), interval(false));
    assert!((0.9..1.1).contains(&(paired / alone)), "{paired} {alone}");
}

#[test]
fn a_single_game_of_a_pair_is_independent() {
    let halves: Vec<Played> = balanced(true)
        .into_iter()
        .enumerate()
        .map(|(number, game)| (game.0, game.1, game.2, Some(number as u16), None))
        .collect();
    near(error(&play(&halves)), error(&play(&balanced(false))));
}

#[test]
fn the_same_key_in_another_league_is_another_pair() {
    let place = |number| Place::new(number).expect("there is such a place");
    let places = [1, 2].map(place);
    let of = |leagues: [&str; 2]| {
        let mut results = play(&balanced(true));
        for league in leagues {
            for names in [["A", "B"], ["B", "A"]] {
                results.count(&RatedGame::new(&names, &places).in_pair(league, "x")).expect("two seats");
            }
        }
        error(&results)
    };
    assert!((of(["one", "one"]) - of(["one", "other"])).abs() > 1e-9);
}

#[test]
fn the_bootstrap_agrees_with_the_covariance_and_with_itself() {
    let results = play(&balanced(true));
    let rated =
        |intervals| rate(&results, &LikelihoodOptions { intervals, ..Default::default() }).expect("rated");
    let width = |ratings: &Ratings, name: &str| {
        let interval = ratings.of(name).and_then(|row| row.interval).expect("rated");
        interval.high - interval.low
    };
    let covariance = rated(Intervals::Covariance);
    let bootstrap = rated(Intervals::Bootstrap { resamples: 1000, seed: 3 });
    let ratio = width(&bootstrap, "A") / width(&covariance, "A");
    assert!((0.85..1.1).contains(&ratio), "{ratio}");
    let again = rated(Intervals::Bootstrap { resamples: 1000, seed: 3 });
    assert_eq!(bootstrap.rows, again.rows);
    let other = rated(Intervals::Bootstrap { resamples: 1000, seed: 4 });
    assert_ne!(bootstrap.rows, other.rows);
    // Only the intervals are different.
    near(elo(&bootstrap, "A"), elo(&covariance, "A"));
    assert_ne!(bootstrap.first_seat_advantage, covariance.first_seat_advantage);
}

fn games() -> impl Strategy<Value = Vec<Played>> {
    let name = prop_oneof![Just("A"), Just("B"), Just("C")];
    let score = prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)];
    let game = (name.clone(), name, score, prop::option::of(0..5_u16), prop::option::of(0..6_u64));
    proptest::collection::vec(game, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_order_of_games_and_files_changes_nothing(games in games(), cut in 0..40usize, turn in 0..40usize) {
        let whole = play(&games);
        let mut moved = games.clone();
        moved.rotate_left(if games.is_empty() { 0 } else { turn % games.len() });
        moved.reverse();
        let (before, after) = moved.split_at(cut.min(games.len()));
        let mut merged = play(after);
        merged.merge(&play(before));
        let [one, other] = [whole, merged].map(|results| rate(&results, &LikelihoodOptions::default()).expect("rated"));
        prop_assert_eq!(one.rows, other.rows);
        prop_assert_eq!(one.notes, other.notes);
    }
}
