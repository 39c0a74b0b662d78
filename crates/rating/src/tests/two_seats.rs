use proptest::prelude::*;

use crate::*;
use linesman_types::seat::Place;

/// `A 3 1 0 B` = A on the first seat won 3, drew 1 and lost none against B.
fn results(meetings: &[(&str, u64, u64, u64, &str)]) -> Results {
    let mut results = Results::new();
    for &(first, wins, draws, losses, second) in meetings {
        results.add_tally(first, second, Tally { wins, draws, losses });
    }
    results
}

#[track_caller]
fn rated(results: &Results) -> Ratings {
    rate(results, &LikelihoodOptions::default()).expect("the dataset has ratings")
}

#[track_caller]
fn row<'a>(ratings: &'a Ratings, name: &str) -> &'a Rating {
    ratings.of(name).expect("the bot is listed")
}

#[track_caller]
fn elo(ratings: &Ratings, name: &str) -> f64 {
    row(ratings, name).elo.expect("the bot has a rating")
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-7, "{value} instead of {expected}");
}

fn names(ratings: &Ratings) -> Vec<&str> {
    ratings.rows.iter().map(|row| row.name.as_str()).collect()
}

#[test]
fn two_bots_are_as_far_apart_as_their_score() {
    for (wins, draws, losses) in [(30, 0, 10), (1, 0, 1), (5, 7, 2), (4, 25, 1), (1, 2, 9)] {
        let ratings = rated(&results(&[("A", wins, draws, losses, "B")]));
        // Davidson's equations for two: strengths as the wins, nu as the draws between the two.
        let [wins, draws, losses] = [wins, draws, losses].map(|games| games as f64);
        let nu = draws / (wins * losses).sqrt();
        // On the scale of expected scores their distance corresponds to their score.
        let (own, others) = (wins + draws / 2.0, losses + draws / 2.0);
        near(elo(&ratings, "A") - elo(&ratings, "B"), 400.0 * (own / others).log10());
        near(elo(&ratings, "A") + elo(&ratings, "B"), 3000.0);
        let scale = (own / others).ln() / (wins / losses).ln();
        near(ratings.scale.expect("rated"), if wins == losses { 1.0 } else { scale });
        assert_eq!(ratings.draw_parameter().is_some(), draws > 0.0);
        near(ratings.draw_parameter().unwrap_or(0.0), nu);
        let strength = |name| row(&ratings, name).strength.expect("rated");
        near(strength("A") - strength("B"), (wins / losses).ln());
    }
}

#[test]
fn the_first_seat_s_advantage_is_found() {
    // In either order the first seat scores 3 in 4, for either bot.
    let ratings = rated(&results(&[("A", 30, 0, 10, "B"), ("B", 30, 0, 10, "A")]));
    near(elo(&ratings, "A"), 1500.0);
    let (advantage, interval) = ratings.first_seat_advantage.expect("both had both seats");
    near(advantage, 400.0 * 3_f64.log10());
    let error = ELO_PER_NATURAL / (80.0 * 0.75 * 0.25_f64).sqrt();
    near(interval.high - interval.low, 2.0 * 1.959_963_984_540_054 * error);
    assert_eq!(ratings.notes, []);
}

#[test]
fn an_unknown_advantage_is_noted_and_not_estimated() {
    let ratings = rated(&results(&[("A", 30, 0, 10, "B"), ("B", 5, 0, 5, "C")]));
    assert_eq!(ratings.first_seat_advantage, None);
    assert_eq!(ratings.notes, [FieldNote::SeatsUnknown { seats: 2 }]);
    near(elo(&ratings, "B") - elo(&ratings, "C"), 0.0);
}

#[test]
fn a_first_seat_that_always_wins_has_a_finite_advantage_with_a_note() {
    let dataset = results(&[("A", 5, 0, 0, "B"), ("B", 5, 0, 0, "A")]);
    let ratings = rated(&dataset);
    assert_eq!(ratings.notes, [FieldNote::SeatsOneSided]);
    near(elo(&ratings, "A"), 1500.0);
    let (advantage, interval) = ratings.first_seat_advantage.expect("by the prior");
    assert!(advantage > 300.0 && interval.low > 0.0 && interval.high.is_finite(), "{advantage} {interval:?}");
    assert_eq!(rate(&dataset, &without_prior()).expect("rated").first_seat_advantage, None);
}

#[test]
fn bots_that_only_drew_are_equal_with_a_wide_interval() {
    let ratings = rated(&results(&[("A", 0, 20, 0, "B"), ("B", 0, 20, 0, "A")]));
    near(elo(&ratings, "A"), 1500.0);
    assert_eq!(ratings.notes, [FieldNote::TiesOneSided]);
    assert!(row(&ratings, "A").interval.expect("rated").high > 1501.0);
}

#[test]
fn the_interval_of_two_bots_is_that_of_their_score() {
    // Score p of n games: the logit's variance is Var(score) / (n p^2 (1 - p)^2).
    let ratings = rated(&results(&[("A", 30, 0, 10, "B")]));
    let (at_a, at_b) = (0, 1);
    let difference = ratings.difference(at_a, at_b).expect("one group");
    let by_hand = ELO_PER_NATURAL / (40.0 * 0.75 * 0.25_f64).sqrt();
    near(difference.standard_error, by_hand);
    let interval = row(&ratings, "A").interval.expect("rated");
    // Half of the difference is on either side of the mean.
    near(interval.high - interval.low, 2.0 * 1.959_963_984_540_054 * by_hand / 2.0);
    near((interval.high + interval.low) / 2.0, elo(&ratings, "A"));
}

#[test]
fn equals_that_always_draw_are_as_far_above_others_as_their_score() {
    let ratings = rated(&results(&[("A", 0, 400, 0, "B"), ("A", 394, 3, 3, "C"), ("B", 394, 3, 3, "C")]));
    near(elo(&ratings, "A"), elo(&ratings, "B"));
    let score = (394.0 + 1.5) / 400.0_f64;
    near(elo(&ratings, "A") - elo(&ratings, "C"), 400.0 * (score / (1.0 - score)).log10());
    let ahead = ratings.difference(0, 2).expect("one group");
    assert!(ahead.superiority() > 0.999_999, "{ahead:?}");
}

#[test]
fn the_draw_rate_of_equals_is_that_of_their_games() {
    // The bot with the first seat wins most: equals draw as often as these two, which are equal.
    let mut dataset = Results::new();
    let tally = Tally { wins: 80, draws: 15, losses: 5 };
    dataset.add_tally("A", "B", tally);
    dataset.add_tally("B", "A", tally);
    near(rated(&dataset).draws_between_equals().expect("there are draws"), 0.15);
    assert_eq!(rated(&results(&[("A", 3, 0, 1, "B")])).draws_between_equals(), None);
}

#[test]
fn draws_make_an_interval_narrower() {
    let error = |wins, draws, losses| {
        let ratings = rated(&results(&[("A", wins, draws, losses, "B")]));
        ratings.difference(0, 1).expect("one group").standard_error
    };
    // Between equals only decisive games count: the strengths' difference has the variance
    // 4 / 24, and the scale is 2 / (2 + 76 / 12).
    near(error(12, 76, 12), ELO_PER_NATURAL * (4.0 / 24.0_f64).sqrt() * 2.0 / (2.0 + 76.0 / 12.0));
    near(error(50, 0, 50), ELO_PER_NATURAL * (4.0 / 100.0_f64).sqrt());
}

#[test]
fn more_drawn_games_make_intervals_narrower() {
    let error = |draws| {
        let ratings = rated(&results(&[("A", 0, draws, 0, "B")]));
        near(elo(&ratings, "A"), 1500.0);
        ratings.difference(0, 1).expect("one group").standard_error
    };
    assert!(error(4) > 50.0, "{}", error(4));
    assert!(error(100) > 2.0, "{}", error(100));
    assert!(error(100) < error(4));
}

#[test]
fn equal_results_give_equal_ratings() {
    let ratings = rated(&results(&[("A", 2, 0, 1, "B"), ("B", 2, 0, 1, "C"), ("C", 2, 0, 1, "A")]));
    for name in ["A", "B", "C"] {
        near(elo(&ratings, name), 1500.0);
        assert_eq!(row(&ratings, name).note, None);
    }
    assert_eq!(names(&ratings), ["A", "B", "C"]);
}

#[test]
fn expected_and_actual_points_agree_for_every_bot() {
    // The equations that define the maximum: Zermelo's, with Davidson's probabilities; and the expected
    // numbers of draws and of points of the first seat are the actual ones.
    let games = [
        ("A", 5, 2, 3, "B"),
        ("B", 4, 0, 4, "C"),
        ("C", 1, 3, 2, "D"),
        ("A", 3, 1, 0, "D"),
        ("C", 2, 2, 3, "A"),
        ("D", 2, 1, 4, "B"),
    ];
    let ratings = rated(&results(&games));
    let nu = ratings.draw_parameter().expect("there are draws");
    let unit = ELO_PER_NATURAL * ratings.scale.expect("rated");
    let advantage = ratings.first_seat_advantage.expect("seats changed").0 / unit;
    let strength = |name: &str| row(&ratings, name).strength.expect("rated");
    let expected = |first: &str, second: &str| {
        let x = strength(first) - strength(second) + advantage;
        let weights = [(x / 2.0).exp(), nu, (-x / 2.0).exp()];
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let (mut drawn, mut drawn_expected, mut of_first, mut of_first_expected) = (0.0, 0.0, 0.0, 0.0);
    let mut points: Vec<(&str, f64)> = ["A", "B", "C", "D"].map(|name| (name, 0.0)).to_vec();
    for (first, wins, draws, losses, second) in games {
        let [win, draw, _] = expected(first, second);
        let all = (wins + draws + losses) as f64;
        let share = all * (win + draw / 2.0);
        points.iter_mut().find(|(name, _)| *name == first).expect("known").1 += share;
        points.iter_mut().find(|(name, _)| *name == second).expect("known").1 += all - share;
        drawn += draws as f64;
        drawn_expected += all * draw;
        of_first += wins as f64 + draws as f64 / 2.0;
        of_first_expected += share;
    }
    near(drawn, drawn_expected);
    near(of_first, of_first_expected);
    for (name, expected) in points {
        near(row(&ratings, name).tally.points(), expected);
    }
}

#[test]
fn the_mean_is_the_given_one() {
    let dataset = results(&[("A", 5, 2, 3, "B"), ("B", 4, 0, 4, "C")]);
    let options = LikelihoodOptions { mean: 2000.0, ..Default::default() };
    let ratings = rate(&dataset, &options).expect("rated");
    near(ratings.rows.iter().map(|row| row.elo.expect("rated")).sum::<f64>() / 3.0, 2000.0);
}

fn anchored(name: &str, elo: f64) -> LikelihoodOptions {
    LikelihoodOptions { anchors: vec![Anchor { name: name.to_owned(), elo }], ..Default::default() }
}

#[test]
fn other_ratings_are_relative_to_an_anchor() {
    let dataset = results(&[("A", 5, 2, 3, "B"), ("B", 4, 0, 4, "C"), ("C", 1, 0, 2, "A")]);
    let free = rated(&dataset);
    let ratings = rate(&dataset, &anchored("B", 1000.0)).expect("rated");
    assert_eq!(row(&ratings, "B").elo, Some(1000.0));
    assert_eq!(row(&ratings, "B").interval, Some(Interval { low: 1000.0, high: 1000.0 }));
    assert_eq!(row(&ratings, "B").note, Some(Note::Anchor));
    near(elo(&ratings, "A") - 1000.0, elo(&free, "A") - elo(&free, "B"));
    let place = |name: &str| ratings.rows.iter().position(|row| row.name == name).expect("listed");
    let difference = ratings.difference(place("A"), place("B")).expect("one group");
    let interval = row(&ratings, "A").interval.expect("rated");
    near(interval.low, 1000.0 + difference.interval().low);
    near(interval.high, 1000.0 + difference.interval().high);
}

#[test]
fn an_anchor_must_have_games_and_numbers_must_be_finite() {
    let mut dataset = results(&[("A", 1, 0, 1, "B")]);
    dataset.add_bot("idle");
    for name in ["idle", "nobody"] {
        let error = rate(&dataset, &anchored(name, 1500.0)).expect_err("no games");
        assert_eq!(error, RatingError::AnchorWithoutGames { name: name.to_owned() });
    }
    assert!(matches!(rate(&dataset, &anchored("A", f64::NAN)), Err(RatingError::NotFinite { .. })));
    let options = LikelihoodOptions { mean: f64::INFINITY, ..Default::default() };
    assert!(matches!(rate(&dataset, &options), Err(RatingError::NotFinite { .. })));
}

#[test]
fn bots_that_won_or_lost_everything_are_finite_with_a_note() {
    let ratings = rated(&results(&[
        ("top", 5, 0, 0, "A"),
        ("A", 0, 0, 5, "top"),
        ("top", 5, 0, 0, "B"),
        ("B", 0, 0, 5, "top"),
        ("A", 3, 0, 2, "B"),
        ("B", 2, 0, 3, "A"),
        ("A", 5, 0, 0, "last"),
        ("last", 0, 0, 5, "A"),
    ]));
    assert_eq!(names(&ratings), ["top", "A", "B", "last"]);
    assert_eq!(row(&ratings, "top").note, Some(Note::PriorWonAll));
    assert_eq!(row(&ratings, "last").note, Some(Note::PriorLostAll));
    assert_eq!(row(&ratings, "A").note, None);
    assert_eq!(ratings.notes, [FieldNote::PriorUsed { groups: Vec::new() }]);
    assert!(ratings.has_prior(1));
    for rating in &ratings.rows {
        let interval = rating.interval.expect("rated");
        assert!(rating.elo.expect("rated").is_finite() && interval.low < interval.high);
    }
    near(ratings.rows.iter().map(|row| row.elo.expect("rated")).sum::<f64>(), 6000.0);
}

#[test]
fn the_prior_of_two_bots_meets_its_equation() {
    // A at x/2 and B at -x/2, the phantom at 0: the slope in x vanishes where
    // wins (1 - p(x)) + (0.5 - p(x/2)) = 0, p the logistic function.
    let ratings = rated(&results(&[("A", 4, 0, 0, "B")]));
    let x = (elo(&ratings, "A") - elo(&ratings, "B")) / ELO_PER_NATURAL;
    let p = |x: f64| 1.0 / (1.0 + (-x).exp());
    near(4.0 * (1.0 - p(x)) + 0.5 - p(x / 2.0), 0.0);
    assert_eq!(row(&ratings, "A").note, Some(Note::PriorWonAll));
    assert_eq!(row(&ratings, "B").note, Some(Note::PriorLostAll));
}

#[test]
fn one_sided_results_between_two_halves_are_noted() {
    let ratings = rated(&results(&[
        ("A", 3, 0, 3, "B"),
        ("B", 3, 0, 3, "C"),
        ("x", 2, 0, 2, "y"),
        ("A", 4, 0, 0, "x"),
        ("C", 4, 0, 0, "y"),
    ]));
    assert_eq!(row(&ratings, "x").note, Some(Note::PriorOneSided));
    assert_eq!(row(&ratings, "A").note, None);
    assert!(elo(&ratings, "C") > elo(&ratings, "x"));
}

#[test]
fn the_prior_is_only_used_where_it_is_needed() {
    let ratings = rated(&results(&[("A", 3, 0, 1, "B"), ("C", 2, 0, 0, "D"), ("D", 0, 0, 1, "E")]));
    near(elo(&ratings, "A") - elo(&ratings, "B"), 400.0 * 3_f64.log10());
    // The larger group comes first.
    let priors = ratings.notes.iter().filter(|note| matches!(note, FieldNote::PriorUsed { .. }));
    assert_eq!(priors.collect::<Vec<_>>(), [&FieldNote::PriorUsed { groups: vec![1] }]);
}

#[test]
fn a_prior_in_several_groups_is_noted_once() {
    let won = [("A", 2, 0, 0, "B"), ("C", 2, 0, 0, "D"), ("E", 2, 0, 0, "F")];
    let ratings = rated(&results(&won));
    let notes: Vec<String> = ratings.notes.iter().map(ToString::to_string).collect();
    let of_prior: Vec<&String> =
        notes.iter().filter(|note| note.contains("won or lost every game")).collect();
    let [note] = of_prior.as_slice() else { panic!("{notes:?}") };
    assert!(note.starts_with("In groups 1, 2 and 3, some bots won or lost every game,"), "{note}");
    assert!(note.ends_with("against an imaginary average bot of its group."), "{note}");
}

fn without_prior() -> LikelihoodOptions {
    LikelihoodOptions { prior: Prior::None, ..Default::default() }
}

#[test]
fn without_a_prior_perfect_bots_get_a_bound_instead_of_a_rating() {
    let dataset = results(&[("top", 10, 0, 0, "A"), ("A", 5, 0, 5, "B"), ("B", 7, 0, 0, "last")]);
    let ratings = rate(&dataset, &without_prior()).expect("rated");
    assert_eq!(names(&ratings), ["A", "B", "last", "top"]);
    near(elo(&ratings, "A"), 1500.0);
    let top = row(&ratings, "top");
    assert_eq!((top.elo, top.note), (None, Some(Note::NoUpperBound)));
    // At the bound ten wins in ten are exp(-1.3528) as likely as at the maximum.
    let score = (-1.352_771_75_f64 / 10.0).exp();
    let interval = top.interval.expect("a bound");
    assert!((interval.low - (1500.0 + 400.0 * (score / (1.0 - score)).log10())).abs() < 1e-3, "{interval:?}");
    assert_eq!(interval.high, f64::INFINITY);
    let last = row(&ratings, "last");
    assert_eq!((last.elo, last.note), (None, Some(Note::NoLowerBound)));
    assert_eq!(last.interval.expect("a bound").low, f64::NEG_INFINITY);
    assert!(last.interval.expect("a bound").high < 1500.0);
}

#[test]
fn without_a_prior_two_bots_of_one_sided_results_have_no_rating() {
    let dataset = results(&[("A", 3, 0, 0, "B")]);
    let ratings = rate(&dataset, &without_prior()).expect("listed");
    for rating in &ratings.rows {
        assert_eq!((rating.elo, rating.interval, rating.note), (None, None, Some(Note::Unplaced)));
    }
    let options = LikelihoodOptions { prior: Prior::None, ..anchored("A", 1500.0) };
    assert_eq!(rate(&dataset, &options).err(), Some(RatingError::AnchorUnplaced { name: "A".to_owned() }));
}

#[test]
fn bots_not_connected_by_games_are_rated_separately_and_listed() {
    let mut dataset =
        results(&[("A", 2, 0, 1, "B"), ("B", 2, 0, 1, "C"), ("C", 1, 0, 2, "A"), ("x", 1, 0, 3, "y")]);
    dataset.add_bot("idle");
    let ratings = rated(&dataset);
    assert_eq!(ratings.groups, 2);
    let groups: Vec<Option<usize>> = ratings.rows.iter().map(|row| row.group).collect();
    assert_eq!(groups, [Some(1), Some(1), Some(1), Some(2), Some(2), None]);
    assert_eq!(row(&ratings, "idle").note, Some(Note::NoGames));
    near(elo(&ratings, "x") + elo(&ratings, "y"), 3000.0);
    assert_eq!(ratings.difference(0, 3), None);
    assert_eq!(
        ratings.notes,
        [
            FieldNote::Unconnected { group: 2, bots: vec!["x".into(), "y".into()] },
            FieldNote::NoGames { bots: vec!["idle".into()] },
        ]
    );
    let anchored = rate(&dataset, &anchored("x", 100.0)).expect("rated");
    assert_eq!(row(&anchored, "x").elo, Some(100.0));
    assert!(anchored.notes.contains(&FieldNote::WithoutAnchor { group: 1 }));
    near(elo(&anchored, "A") + elo(&anchored, "B") + elo(&anchored, "C"), 4500.0);
}

#[test]
fn games_of_a_bot_against_itself_are_left_out_and_counted() {
    let dataset = results(&[("A", 2, 0, 1, "B"), ("A", 5, 0, 0, "A")]);
    let ratings = rated(&dataset);
    assert_eq!(row(&ratings, "A").tally.games(), 3);
    assert!(ratings.notes.contains(&FieldNote::SelfPlay { games: 5 }), "{:?}", ratings.notes);
}

#[test]
fn without_games_the_list_is_empty() {
    let ratings = rated(&Results::new());
    assert!(ratings.rows.is_empty() && ratings.groups == 0);
}

#[test]
fn a_very_long_chain_of_lopsided_results_is_rated() {
    let names: Vec<String> = (0..200).map(|bot| format!("bot{bot:03}")).collect();
    let mut dataset = Results::new();
    for pair in names.windows(2) {
        dataset.add_tally(&pair[0], &pair[1], Tally { wins: 999, draws: 0, losses: 1 });
    }
    let ratings = rated(&dataset);
    let step = 400.0 * 999_f64.log10();
    let apart = elo(&ratings, "bot000") - elo(&ratings, "bot199");
    assert!((apart - 199.0 * step).abs() < 1e-4, "{apart}");
}

#[test]
fn superiority_is_even_for_equals_and_grows_with_games() {
    let at = |wins, losses| {
        let ratings = rated(&results(&[("A", wins, 0, losses, "B")]));
        ratings.difference(0, 1).expect("one group").superiority()
    };
    near(at(5, 5), 0.5);
    assert!(at(6, 4) < at(60, 40) && at(60, 40) < at(600, 400));
    let ratings = rated(&results(&[("A", 60, 0, 40, "B")]));
    let (above, below) = (ratings.difference(0, 1).expect("rated"), ratings.difference(1, 0).expect("rated"));
    near(above.superiority() + below.superiority(), 1.0);
}

#[test]
fn only_games_with_a_place_for_each_seat_count() {
    let place = |number| Place::new(number).expect("there is such a place");
    let mut dataset = Results::new();
    assert_eq!(dataset.add(&["A", "B"], &[place(1), place(2)]), Ok(()));
    assert_eq!(dataset.add(&["A", "B"], &[place(1), place(1)]), Ok(()));
    assert_eq!(dataset.add(&["A", "B"], &[place(2), place(1)]), Ok(()));
    assert_eq!(dataset.add(&["A"], &[place(1)]), Err(GameError::Seats { seats: 1 }));
    assert_eq!(dataset.add(&["A"; 5], &[place(1); 5]), Err(GameError::Seats { seats: 5 }));
    assert_eq!(dataset.add(&["A", "B"], &[place(1)]), Err(GameError::Places { seats: 2, places: 1 }));
    assert_eq!(dataset.games(), 3);
    assert_eq!(row(&rated(&dataset), "A").tally, Tally { wins: 1, draws: 1, losses: 1 });
}

#[test]
fn incremental_ratings_follow_the_games() {
    let place = |number| Place::new(number).expect("there is such a place");
    let mut running = Rater::new(Method::Incremental(IncrementalOptions::default())).expect("finite");
    running.add(&["A", "B"], &[place(1), place(2)]).expect("two seats");
    near(elo(&running.ratings().expect("always"), "A"), 1510.0);
    near(elo(&running.ratings().expect("always"), "B"), 1490.0);
    running.add(&["B", "A"], &[place(1), place(2)]).expect("two seats");
    // Expected of B: 1 / (1 + 10^(20/400)) = 0.471 247 1...
    let gain = 20.0 * (1.0 - 1.0 / (1.0 + 10_f64.powf(20.0 / 400.0)));
    near(elo(&running.ratings().expect("always"), "B"), 1490.0 + gain);
    near(elo(&running.ratings().expect("always"), "A"), 1510.0 - gain);
    running.add(&["A", "C"], &[place(1), place(1)]).expect("two seats");
    let ratings = running.ratings().expect("always");
    near(ratings.rows.iter().map(|row| row.elo.expect("rated")).sum::<f64>(), 4500.0);
    assert!(ratings.rows.iter().all(|row| row.interval.is_none() && row.note.is_none()));
    assert_eq!(ratings.difference(0, 1), None);
    assert_eq!(ratings.method.word(), "incremental");
}

#[test]
fn a_game_of_a_bot_against_itself_changes_no_incremental_rating() {
    let place = |number| Place::new(number).expect("there is such a place");
    let mut running = Rater::new(Method::Incremental(IncrementalOptions::default())).expect("finite");
    running.add(&["A", "B"], &[place(1), place(1)]).expect("two seats");
    running.add(&["A", "A"], &[place(1), place(2)]).expect("two seats");
    near(elo(&running.ratings().expect("always"), "A"), 1500.0);
    assert_eq!(running.ratings().expect("always").notes, [FieldNote::SelfPlay { games: 1 }]);
}

#[test]
fn expected_scores_agree_with_a_well_known_example() {
    // A player of 1613 against five others; rounded to hundredths in the example.
    for (opponent, expected) in
        [(1609.0, 0.51), (1477.0, 0.69), (1388.0, 0.79), (1586.0, 0.54), (1720.0, 0.35)]
    {
        let share = expected_score(1613.0 - opponent);
        assert!((share - expected).abs() < 0.0051, "{share} against {opponent}");
    }
}

#[test]
fn a_rater_applies_its_method() {
    let place = |number| Place::new(number).expect("there is such a place");
    let won = vec![[1, 2]];
    // With equal uncertainties u the winner gains u^2 / c (1 - 1/2), c^2 = 2 u^2 + 2 beta^2.
    let (uncertainty, beta) = (300.0_f64, ELO_PER_NATURAL / 2_f64.sqrt());
    let gain = uncertainty.powi(2) / (2.0 * (uncertainty.powi(2) + beta.powi(2))).sqrt() / 2.0;
    for (method, games, expected) in [
        (Method::Incremental(IncrementalOptions { k: 32.0, start: 1000.0 }), won.clone(), 1016.0),
        (Method::Online(OnlineOptions { start: 1000.0, uncertainty }), won, 1000.0 + gain),
        (
            Method::Likelihood(LikelihoodOptions { mean: 1000.0, ..anchored("B", 900.0) }),
            vec![[1, 2], [1, 2], [1, 2], [2, 1]],
            1_090.848_501_9,
        ),
    ] {
        let mut rater = Rater::new(method.clone()).expect("numbers are finite");
        for places in games {
            rater.add(&["A", "B"], &places.map(place)).expect("two seats");
        }
        rater.add_bot("idle");
        let ratings = rater.ratings().expect("rated");
        near(elo(&ratings, "A"), expected);
        assert_eq!(ratings.method, method);
        assert_eq!(row(&ratings, "idle").note, Some(Note::NoGames));
        assert!(rater.add(&["A"], &[place(1)]).is_err());
    }
}

/// Any games of up to six bots.
fn games() -> impl Strategy<Value = Vec<(usize, usize, Score)>> {
    let outcome = prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)];
    proptest::collection::vec((0..6usize, 0..6usize, outcome), 0..60)
}

fn play(games: &[(usize, usize, Score)], name: impl Fn(usize) -> String) -> Results {
    let mut results = Results::new();
    for &(first, second, outcome) in games {
        results.add_score(&name(first), &name(second), outcome);
    }
    results
}

fn letter(bot: usize) -> String {
    char::from(b'a' + bot as u8).to_string()
}

#[track_caller]
fn same(one: &Ratings, other: &Ratings, renamed: impl Fn(&str) -> String) {
    assert_eq!(one.rows.len(), other.rows.len());
    for rating in &one.rows {
        let twin = row(other, &renamed(&rating.name));
        assert_eq!(
            (rating.tally, rating.note, rating.elo.is_some()),
            (twin.tally, twin.note, twin.elo.is_some())
        );
        if let (Some(elo), Some(twin_elo)) = (rating.elo, twin.elo) {
            near(elo, twin_elo);
        }
        if let (Some(interval), Some(twin)) = (rating.interval, twin.interval) {
            near(interval.low, twin.low);
            near(interval.high, twin.high);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_order_of_games_changes_nothing(games in games(), turn in 0..60usize) {
        let mut moved = games.clone();
        moved.rotate_left(if games.is_empty() { 0 } else { turn % games.len() });
        moved.reverse();
        let (one, other) = (rated(&play(&games, letter)), rated(&play(&moved, letter)));
        // To the last bit: the sums are added in the order of names.
        prop_assert_eq!(one.rows, other.rows);
        prop_assert_eq!(one.notes, other.notes);
    }

    #[test]
    fn merging_parts_is_the_same_as_counting_all(games in games(), cut in 0..60usize) {
        let (before, after) = games.split_at(cut.min(games.len()));
        let mut merged = play(after, letter);
        merged.merge(&play(before, letter));
        let (one, other) = (rated(&play(&games, letter)), rated(&merged));
        prop_assert_eq!(one.rows, other.rows);
    }

    #[test]
    fn names_change_nothing(games in games()) {
        let other_letter = |bot: usize| letter(5 - bot);
        let (one, other) = (rated(&play(&games, letter)), rated(&play(&games, other_letter)));
        same(&one, &other, |name| other_letter(usize::from(name.as_bytes()[0] - b'a')));
    }

    #[test]
    fn exchanging_seats_changes_only_the_advantage(games in games()) {
        let turned: Vec<_> = games.iter().map(|&(first, second, outcome)| (second, first, match outcome {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        })).collect();
        let (one, other) = (rated(&play(&games, letter)), rated(&play(&turned, letter)));
        same(&one, &other, str::to_owned);
        let worth = |ratings: &Ratings| ratings.first_seat_advantage.map(|(elo, _)| elo);
        prop_assert_eq!(worth(&one).is_some(), worth(&other).is_some());
        near(worth(&one).unwrap_or(0.0), -worth(&other).unwrap_or(0.0));
    }

    #[test]
    fn every_bot_with_games_has_a_finite_rating_within_its_interval(games in games()) {
        let ratings = rated(&play(&games, letter));
        for rating in &ratings.rows {
            prop_assert_eq!(rating.elo.is_some(), rating.tally.games() > 0);
            if let Some(elo) = rating.elo {
                let interval = rating.interval.expect("rated");
                prop_assert!(elo.is_finite() && interval.low < elo && elo < interval.high, "{:?}", rating);
            }
        }
    }

    #[test]
    fn without_a_prior_rating_never_fails(games in games()) {
        let ratings = rate(&play(&games, letter), &without_prior()).expect("rated");
        for rating in &ratings.rows {
            if let Some(interval) = rating.interval {
                prop_assert!(interval.low < interval.high, "{:?}", rating);
            }
        }
    }
}
