//! Bots whose ratings are given.

use super::leagues::elo;
use crate::rating::*;

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6, "{value} instead of {expected}");
}

/// Draws and both seats.
fn field() -> Results {
    let mut results = Results::new();
    for (first, wins, draws, losses, second) in [
        ("A", 6, 3, 2, "B"),
        ("B", 4, 3, 4, "A"),
        ("B", 5, 2, 3, "C"),
        ("C", 4, 4, 3, "B"),
        ("C", 2, 2, 6, "A"),
        ("A", 7, 1, 2, "D"),
        ("D", 3, 2, 4, "C"),
    ] {
        results.add_tally(first, second, Tally { wins, draws, losses });
    }
    results
}

fn anchored(anchors: &[(&str, f64)]) -> Result<Ratings, RatingError> {
    let anchors = anchors.iter().map(|(name, elo)| Anchor { name: (*name).to_owned(), elo: *elo }).collect();
    rate(&field(), &LikelihoodOptions { anchors, ..Default::default() })
}

#[test]
fn two_anchors_stay_where_they_are_and_the_rest_finds_its_place() {
    let free = rate(&field(), &LikelihoodOptions::default()).expect("rated");
    let ratings = anchored(&[("A", 1700.0), ("C", 1450.0)]).expect("rated");
    for (name, given) in [("A", 1700.0), ("C", 1450.0)] {
        let row = ratings.of(name).expect("listed");
        assert_eq!((row.elo, row.note), (Some(given), Some(Note::Anchor)));
        assert_eq!(row.interval, Some(Interval { low: given, high: given }));
    }
    let at = |name: &str| ratings.rows().iter().position(|row| row.name == name).expect("listed");
    let given = ratings.difference(at("A"), at("C")).expect("one group");
    near(given.elo, 250.0);
    near(given.error, 0.0);
    assert_eq!(given.superiority(), 1.0);
    let open = ratings.difference(at("B"), at("D")).expect("one group");
    assert!(open.error > 10.0 && open.error.is_finite(), "{open:?}");
    assert!(
        ratings.of("B").and_then(|row| row.interval).is_some_and(|interval| interval.low < interval.high)
    );
    // The anchors' raw strengths agree with the scale that was found.
    let strength = |name: &str| ratings.of(name).and_then(|row| row.strength).expect("rated");
    let scale = ratings.scale().expect("rated");
    near((strength("A") - strength("C")) * scale * ELO_PER_NATURAL, 250.0);
    assert!((elo(&free, "A") - elo(&free, "C") - 250.0).abs() > 1.0, "nothing was forced");
}

#[test]
fn anchors_given_where_they_are_anyway_change_nothing() {
    let free = rate(&field(), &LikelihoodOptions::default()).expect("rated");
    let ratings = anchored(&[("A", elo(&free, "A")), ("C", elo(&free, "C"))]).expect("rated");
    for name in ["B", "D"] {
        near(elo(&ratings, name), elo(&free, name));
    }
    near(ratings.draw_parameter().expect("draws"), free.draw_parameter().expect("draws"));
}

#[test]
fn the_likelihood_of_anchored_ratings_is_the_highest_that_there_is() {
    // Moving a free bot either way makes the results less likely.
    let ratings = anchored(&[("A", 1700.0), ("C", 1450.0), ("B", 1500.0)]).expect("rated");
    let unit = ELO_PER_NATURAL * ratings.scale().expect("rated");
    let nu = ratings.draw_parameter().expect("draws");
    let advantage = ratings.first_seat_advantage().expect("known").0 / unit;
    let likelihood = |of_d: f64| -> f64 {
        let strength = |name: &str| if name == "D" { of_d } else { elo(&ratings, name) } / unit;
        [("A", 7.0, 1.0, 2.0, "D"), ("D", 3.0, 2.0, 4.0, "C")]
            .map(|(first, wins, draws, losses, second)| {
                let x = strength(first) - strength(second) + advantage;
                let weights: [f64; 3] = [(x / 2.0).exp(), nu, (-x / 2.0).exp()];
                let sum: f64 = weights.iter().sum();
                let counts = [wins, draws, losses];
                counts.iter().zip(weights).map(|(count, weight)| count * (weight / sum).ln()).sum::<f64>()
            })
            .iter()
            .sum()
    };
    let best = likelihood(elo(&ratings, "D"));
    for by in [-1.0, 1.0] {
        assert!(likelihood(elo(&ratings, "D") + by) < best);
    }
}

#[test]
fn nobody_is_an_anchor_twice() {
    let error = anchored(&[("A", 1700.0), ("A", 1450.0)]).expect_err("twice");
    assert_eq!(error, RatingError::AnchorTwice { name: "A".to_owned() });
}
