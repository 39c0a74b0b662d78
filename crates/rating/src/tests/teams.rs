//! Games of teams.

use proptest::prelude::*;

use crate::*;
use linesman_types::seat::{Place, Teams};

fn count(results: &mut Results, names: [&str; 4], team_names: [Option<&str>; 4], winner: Option<usize>) {
    let place = |number| Place::new(number).expect("there is such a place");
    let places = match winner {
        Some(0) => [1, 2, 1, 2],
        Some(_) => [2, 1, 2, 1],
        None => [1; 4],
    };
    let (teams, places) = (Teams::opposite_pairs(), places.map(place));
    let game = RatedGame::new(&names, &places).in_teams(&teams, &team_names);
    results.count(&game).expect("four seats");
}

fn rated(results: &Results) -> Ratings {
    rate(results, &LikelihoodOptions::default()).expect("rated")
}

fn elo(ratings: &Ratings, name: &str) -> f64 {
    ratings.of(name).and_then(|row| row.elo).expect("rated")
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-5, "{value} instead of {expected}");
}

const NAMELESS: [Option<&str>; 4] = [None; 4];

/// Every two of four bots against the other two, from both sides; the team of `A` wins three games in four.
fn mixed() -> Results {
    let mut results = Results::new();
    for [mate, one, other] in [["B", "C", "D"], ["C", "B", "D"], ["D", "B", "C"]] {
        for number in 0..4 {
            let won = usize::from(number == 0);
            count(&mut results, ["A", one, mate, other], NAMELESS, Some(won));
            count(&mut results, [one, "A", other, mate], NAMELESS, Some(1 - won));
        }
    }
    results
}

#[test]
fn a_team_is_as_strong_as_its_members_together() {
    let ratings = rated(&mixed());
    // With B, C and D alike, A's lead is the lead of its side: three points in four.
    near(elo(&ratings, "A") - elo(&ratings, "B"), 400.0 * 3_f64.log10());
    near(elo(&ratings, "B"), elo(&ratings, "C"));
    near(elo(&ratings, "C"), elo(&ratings, "D"));
    near(ratings.first_seat_advantage.expect("sides changed").0, 0.0);
    assert_eq!(ratings.notes, []);
    let row = ratings.of("A").expect("listed");
    assert_eq!((row.tally.games(), row.tally.wins), (24, 18));
    assert_eq!(row.score(), Some(0.75));
}

#[test]
fn bots_that_always_play_together_are_one() {
    let mut results = Results::new();
    for winner in [Some(0), Some(0), Some(0), Some(1)] {
        count(&mut results, ["a", "c", "b", "d"], [Some("reds"), None, Some("reds"), None], winner);
    }
    let ratings = rated(&results);
    let names: Vec<&str> = ratings.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["reds", "c+d"]);
    // The same as for two bots with these results.
    near(elo(&ratings, "reds") - elo(&ratings, "c+d"), 400.0 * 3_f64.log10());
    assert_eq!(
        ratings.notes[..2],
        [
            FieldNote::Together { bots: vec!["c".into(), "d".into()], name: "c+d".into() },
            FieldNote::Together { bots: vec!["a".into(), "b".into()], name: "reds".into() },
        ]
    );
}

#[test]
fn a_bot_that_plays_all_seats_of_its_team_is_the_team() {
    let mut results = Results::new();
    for winner in [Some(0), Some(0), Some(0), Some(1)] {
        count(&mut results, ["a", "b", "a", "b"], NAMELESS, winner);
    }
    let ratings = rated(&results);
    near(elo(&ratings, "a") - elo(&ratings, "b"), 400.0 * 3_f64.log10());
    assert_eq!(ratings.of("a").expect("listed").tally.games(), 4);
}

#[test]
fn members_that_can_t_be_distinguished_have_no_rating() {
    // The line-ups determine the distance of a from d and of b from c, and no more.
    let mut results = Results::new();
    for winner in [Some(0), Some(1), Some(0)] {
        count(&mut results, ["a", "c", "b", "d"], NAMELESS, winner);
        count(&mut results, ["b", "a", "d", "c"], NAMELESS, winner);
        count(&mut results, ["c", "a", "d", "b"], NAMELESS, winner);
    }
    let ratings = rated(&results);
    for row in ratings.rows {
        assert_eq!((row.elo, row.note), (None, Some(Note::Indistinguishable)), "{row:?}");
    }
}

#[test]
fn members_of_teams_that_always_win_stay_finite() {
    let mut results = Results::new();
    for [mate, one, other] in [["B", "C", "D"], ["C", "B", "D"], ["D", "B", "C"]] {
        count(&mut results, ["A", one, mate, other], NAMELESS, Some(0));
        count(&mut results, [one, "A", other, mate], NAMELESS, Some(1));
    }
    let ratings = rated(&results);
    assert!(ratings.has_prior(1) && elo(&ratings, "A") > elo(&ratings, "B") + 100.0, "{ratings:?}");
    near(elo(&ratings, "B"), elo(&ratings, "D"));
    // Without a prior there are no finite estimates, and none are reported.
    let options = LikelihoodOptions { prior: Prior::None, ..Default::default() };
    for row in rate(&results, &options).expect("no error of the tool").rows {
        assert_eq!((row.elo, row.interval, row.note), (None, None, Some(Note::NotFinite)), "{row:?}");
    }
}

/// Any games of two teams among six bots.
fn games() -> impl Strategy<Value = Vec<([usize; 4], usize)>> {
    let bots = Just([0, 1, 2, 3, 4, 5])
        .prop_shuffle()
        .prop_map(|bots: [usize; 6]| [bots[0], bots[1], bots[2], bots[3]]);
    proptest::collection::vec((bots, 0..3usize), 0..20)
}

fn play(games: &[([usize; 4], usize)], letters: &str) -> Results {
    let mut results = Results::new();
    for (bots, winner) in games {
        let names = bots.map(|bot| &letters[bot..=bot]);
        count(&mut results, names, NAMELESS, (*winner < 2).then_some(*winner));
    }
    results
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn order_merging_and_names_change_nothing(games in games(), cut in 0..20usize) {
        let (before, after) = games.split_at(cut.min(games.len()));
        let mut merged = play(after, "abcdef");
        merged.merge(&play(before, "abcdef"));
        let (one, other) = (rated(&play(&games, "abcdef")), rated(&merged));
        prop_assert_eq!(&one.rows, &other.rows);
        prop_assert_eq!(&one.notes, &other.notes);
        let renamed = rated(&play(&games, "fedcba"));
        for (letter, new) in ["a", "b", "c", "d", "e", "f"].iter().zip(["f", "e", "d", "c", "b", "a"]) {
            let [one, other] = [(&one, *letter), (&renamed, new)].map(|(ratings, name)| ratings.of(name));
            prop_assert_eq!(one.is_some(), other.is_some());
            if let (Some(one), Some(other)) = (one, other) {
                prop_assert_eq!(one.elo.is_some(), other.elo.is_some());
                let [one, other] = [one, other].map(|row| row.elo.unwrap_or_default());
                prop_assert!((one - other).abs() < 1e-4, "{} {}", one, other);
            }
        }
    }
}
