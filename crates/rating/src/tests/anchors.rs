//! Bots whose ratings are given.

use super::leagues::elo;
use crate::anchoring::AnchoredStrengths;
use crate::dataset::Duel;
use crate::model::LikelihoodModel;
use crate::*;

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6, "{value} instead of {expected}");
}

/// Games with draws and on both seats.
const GAMES: [(&str, u64, u64, u64, &str); 7] = [
    ("A", 6, 3, 2, "B"),
    ("B", 4, 3, 4, "A"),
    ("B", 5, 2, 3, "C"),
    ("C", 4, 4, 3, "B"),
    ("C", 2, 2, 6, "A"),
    ("A", 7, 1, 2, "D"),
    ("D", 3, 2, 4, "C"),
];

fn dataset() -> Results {
    let mut results = Results::new();
    for (first, wins, draws, losses, second) in GAMES {
        results.add_tally(first, second, Tally { wins, draws, losses });
    }
    results
}

fn anchored(anchors: &[(&str, f64)]) -> Result<Ratings, RatingError> {
    let anchors = anchors.iter().map(|(name, elo)| Anchor { name: (*name).to_owned(), elo: *elo }).collect();
    rate(&dataset(), &LikelihoodOptions { anchors, ..Default::default() })
}

#[test]
fn two_anchors_keep_their_ratings_and_the_others_are_fitted() {
    let free = rate(&dataset(), &LikelihoodOptions::default()).expect("rated");
    let ratings = anchored(&[("A", 1700.0), ("C", 1450.0)]).expect("rated");
    for (name, given) in [("A", 1700.0), ("C", 1450.0)] {
        let row = ratings.of(name).expect("listed");
        assert_eq!((row.elo, row.note), (Some(given), Some(Note::Anchor)));
        assert_eq!(row.interval, Some(Interval { low: given, high: given }));
    }
    let at = |name: &str| ratings.rows.iter().position(|row| row.name == name).expect("listed");
    let given = ratings.difference(at("A"), at("C")).expect("one group");
    near(given.elo, 250.0);
    near(given.standard_error, 0.0);
    assert_eq!(given.superiority(), 1.0);
    let open = ratings.difference(at("B"), at("D")).expect("one group");
    assert!(open.standard_error > 10.0 && open.standard_error.is_finite(), "{open:?}");
    assert!(
        ratings.of("B").and_then(|row| row.interval).is_some_and(|interval| interval.low < interval.high)
    );
    // The anchors' raw strengths agree with the scale that was found.
    let strength = |name: &str| ratings.of(name).and_then(|row| row.strength).expect("rated");
    let scale = ratings.scale.expect("rated");
    near((strength("A") - strength("C")) * scale * ELO_PER_NATURAL, 250.0);
    assert!((elo(&free, "A") - elo(&free, "C") - 250.0).abs() > 1.0, "nothing was forced");
}

#[test]
fn anchors_at_their_own_ratings_change_nothing() {
    let free = rate(&dataset(), &LikelihoodOptions::default()).expect("rated");
    let ratings = anchored(&[("A", elo(&free, "A")), ("C", elo(&free, "C"))]).expect("rated");
    for name in ["B", "D"] {
        near(elo(&ratings, name), elo(&free, name));
    }
    near(ratings.draw_parameter().expect("draws"), free.draw_parameter().expect("draws"));
}

#[test]
fn anchored_ratings_maximize_the_likelihood() {
    // Moving a free bot either way makes the results less likely.
    let ratings = anchored(&[("A", 1700.0), ("C", 1450.0), ("B", 1500.0)]).expect("rated");
    let nu = ratings.draw_parameter().expect("draws");
    let worth =
        -ratings.first_seat_advantage.expect("known").0 / ELO_PER_NATURAL / ratings.scale.expect("rated");
    let duels = GAMES.map(|(first, wins, draws, losses, second)| {
        let bot = |name: &str| u32::from(name.as_bytes()[0] - b'A');
        let [wins, draws, losses] = [wins, draws, losses].map(|games| games as f64);
        Duel { first: bot(first), second: bot(second), wins, draws, losses }
    });
    let model = LikelihoodModel::new(4, &duels, &[], &[]);
    let given = |elo: f64| (elo - 1700.0) / ELO_PER_NATURAL;
    let anchored = AnchoredStrengths(vec![(0, 0.0), (1, given(1500.0)), (2, given(1450.0))]);
    let likelihood = |of_d: f64| -> f64 {
        let mut at = [0.0, 0.0, 0.0, of_d, worth, nu.ln()];
        anchored.place(&model, &mut at);
        model.log_likelihood(&at)
    };
    let found = ratings.of("D").and_then(|row| row.strength).expect("rated");
    for by in [-0.01, 0.01] {
        assert!(likelihood(found + by) < likelihood(found));
    }
}

#[test]
fn no_bot_is_an_anchor_twice() {
    let error = anchored(&[("A", 1700.0), ("A", 1450.0)]).expect_err("twice");
    assert_eq!(error, RatingError::AnchorTwice { name: "A".to_owned() });
}
