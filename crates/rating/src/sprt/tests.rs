//! The ratio and the estimates, compared with published values and with a second way to compute them, and
//! properties that hold for any results.

use proptest::prelude::*;

use super::constrained::{with_mean, with_t_value};
use super::counts::Observed;
use super::*;
use crate::{Interval, Score};

fn design(elo0: f64, elo1: f64, model: Model) -> Design {
    Design::new(elo0, elo1, 0.05, 0.05, model).expect("elo0 is below elo1")
}

/// Takes wins, draws and losses, the usual order for matches.
fn games(wins: u64, draws: u64, losses: u64) -> Counts {
    Counts::Games([losses, draws, wins])
}

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
}

#[test]
fn ratios_match_those_of_published_tests() {
    #[track_caller]
    fn check(counts: Counts, elo0: f64, elo1: f64, model: Model, expected: f64) {
        near(design(elo0, elo1, model).llr(&counts).expect("a ratio"), expected, 0.006);
    }
    // fastchess, pull request 426 and `app/tests/sprt_test.cpp`, from tests of Stockfish.
    check(games(36433, 68692, 36027), 0.0, 2.0, Model::Normalized, 0.92);
    check(games(10871, 20431, 10650), -1.75, 0.25, Model::Normalized, 2.30);
    check(games(21404, 40708, 21184), 0.5, 2.5, Model::Logistic, -1.57);
    check(games(57433, 106_593, 57030), 0.0, 2.0, Model::Logistic, -2.59);
    check(Counts::Pairs([365, 16618, 36229, 16974, 390]), 0.0, 2.0, Model::Normalized, 2.25);
    check(Counts::Pairs([127, 4883, 10712, 5150, 104]), -1.75, 0.25, Model::Normalized, 3.01);
    check(Counts::Pairs([223, 9863, 21279, 10037, 246]), 0.5, 2.5, Model::Logistic, -3.07);
    check(Counts::Pairs([871, 26175, 55983, 26678, 821]), 0.0, 2.0, Model::Logistic, -4.98);
    // fastchess, pull request 783.
    check(Counts::Pairs([379, 10170, 21828, 10640, 343]), 0.0, 2.0, Model::Normalized, 2.946);
    // cutechess, issue 543.
    check(games(880, 1863, 759), 0.0, 5.0, Model::Logistic, 2.95);
    // racetrack, `src/tests/sprt_tests.rs`.
    check(Counts::Pairs([440, 2910, 5170, 2888, 455]), 0.0, 5.0, Model::Normalized, -2.27);
    check(Counts::Pairs([142, 620, 1122, 699, 188]), 0.0, 5.0, Model::Normalized, 2.99);
    check(Counts::Pairs([349, 1561, 3340, 1604, 359]), -5.0, 0.0, Model::Normalized, 2.90);
    check(Counts::Pairs([98, 382, 674, 369, 71]), -5.0, 0.0, Model::Normalized, -1.11);
    // fastchess, pull request 882: lopsided results and bounds far off.
    check(Counts::Pairs([77, 1, 0, 0, 0]), -1000.0, -500.0, Model::Normalized, -2.95);
    check(Counts::Pairs([72, 10, 0, 0, 0]), -1000.0, -500.0, Model::Normalized, -2.97);
}

#[test]
fn the_bounds_are_walds() {
    let design = Design::new(0.0, 5.0, 0.05, 0.1, Model::Logistic).expect("a test");
    near(design.lower(), (0.1_f64 / 0.95).ln(), 1e-15);
    near(design.upper(), (0.9_f64 / 0.05).ln(), 1e-15);
    assert_eq!(design.status(design.upper()), Status::Accepted);
    assert_eq!(design.status(design.lower()), Status::Rejected);
    assert_eq!(design.status(0.0), Status::Undecided);
}

#[test]
fn without_draws_it_is_the_test_of_a_coin() {
    // For a coin the ratio is exact: wins ln(s1 / s0) + losses ln((1 - s1) / (1 - s0)).
    let (s0, s1) = (0.5_f64, 1.0 / (1.0 + 10_f64.powf(-0.25)));
    for (wins, losses) in [(70_u64, 30_u64), (30, 70), (1, 99), (50, 50)] {
        let expected = wins as f64 * (s1 / s0).ln() + losses as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
        let llr = design(0.0, 100.0, Model::Logistic).llr(&games(wins, 0, losses)).expect("a ratio");
        near(llr, expected, 0.02);
    }
}

#[test]
fn one_kind_of_result_alone_decides_a_test() {
    for model in Model::ALL {
        for (game, expected) in [(Score::Win, Status::Accepted), (Score::Loss, Status::Rejected)] {
            for unit in [Observation::Game, Observation::Pair] {
                let mut sequence = Sequence::new(design(0.0, 50.0, model), unit);
                let times = (1..=1000).find(|_| sequence.add([game; 2]) != Status::Undecided);
                assert!(times.is_some_and(|times| times < 100), "{model:?} {unit:?} {times:?}");
                assert_eq!(sequence.status, expected);
                let estimate = Estimate::of(&sequence.counts).expect("games");
                assert_eq!(estimate.normalized, None);
                assert_eq!(Estimate::after_stop(&sequence.design, &sequence.counts).ok(), None);
            }
        }
        let mut drawn = Sequence::new(design(0.0, 50.0, model), Observation::Game);
        assert!((1..=1000).any(|_| drawn.add([Score::Draw; 2]) == Status::Rejected), "{model:?}");
    }
}

#[test]
fn invalid_designs_are_refused() {
    let check = |elo0, elo1, alpha, beta, expected: &str| {
        let error = Design::new(elo0, elo1, alpha, beta, Model::Logistic).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    check(5.0, 0.0, 0.05, 0.05, "`elo0` must be below `elo1`, but it is `5`, and `elo1` is `0`");
    check(5.0, 5.0, 0.05, 0.05, "`elo0` must be below `elo1`, but it is `5`, and `elo1` is `5`");
    check(f64::NAN, 5.0, 0.05, 0.05, "`NaN` is not an Elo difference");
    check(0.0, f64::INFINITY, 0.05, 0.05, "`inf` is not an Elo difference");
    check(0.0, 5.0, 0.0, 0.05, "`alpha` must be between 0 and 1, not `0`");
    check(0.0, 5.0, 0.05, 1.0, "`beta` must be between 0 and 1, not `1`");
    check(0.0, 5.0, 0.05, f64::NAN, "`beta` must be between 0 and 1, not `NaN`");
    check(0.0, 5.0, 0.5, 0.5, "the sum of `alpha` and `beta` must be below 1, but they are `0.5` and `0.5`");
}

#[test]
fn without_a_distribution_there_is_an_error_instead_of_a_ratio() {
    let llr = design(0.0, 1e6, Model::Logistic).llr(&games(5, 0, 5));
    let error = llr.expect_err("every game would be won");
    assert_eq!(
        error.to_string(),
        "with an Elo of 1000000, every game would have the same result, so there is no distribution of results"
    );
    // Far off, but finite: even a million and ten thousand Elo.
    for counts in [games(5, 0, 5), Counts::Pairs([1_000_000, 0, 0, 0, 0]), games(0, 1, 0)] {
        let llr = design(-10_000.0, 10_000.0, Model::Logistic).llr(&counts);
        assert!(llr.is_ok_and(f64::is_finite), "{llr:?}");
        let llr = design(-1500.0, -500.0, Model::Normalized).llr(&counts);
        assert!(llr.is_ok_and(f64::is_finite), "{llr:?}");
    }
}

#[test]
fn without_games_there_are_no_conclusions() {
    for model in Model::ALL {
        assert_eq!(design(0.0, 5.0, model).llr(&games(0, 0, 0)), Ok(0.0));
    }
    assert_eq!(Estimate::of(&games(0, 0, 0)), None);
    assert_eq!(Estimate::after_stop(&design(0.0, 5.0, Model::Logistic), &Counts::Pairs([0; 5])).ok(), None);
}

#[test]
fn a_decision_is_final() {
    let mut sequence = Sequence::new(design(0.0, 200.0, Model::Logistic), Observation::Pair);
    while sequence.add([Score::Win, Score::Win]) == Status::Undecided {}
    let (counts, llr) = (sequence.counts, sequence.llr);
    for _ in 0..100 {
        assert_eq!(sequence.add([Score::Loss, Score::Loss]), Status::Accepted);
    }
    assert_eq!((sequence.counts, sequence.llr, sequence.late), (counts, llr, 100));
}

#[test]
fn pairs_are_counted_by_their_points() {
    use Score::{Draw, Loss, Win};
    let mut sequence = Sequence::new(design(0.0, 5.0, Model::Logistic), Observation::Pair);
    for pair in [[Loss, Loss], [Loss, Draw], [Draw, Draw], [Win, Loss], [Loss, Win], [Win, Draw], [Win, Win]]
    {
        sequence.add(pair);
    }
    assert_eq!(sequence.counts, Counts::Pairs([1, 1, 3, 1, 1]));
    assert_eq!((sequence.counts.games(), sequence.counts.score()), (14, Some(0.5)));
    let mut single = Sequence::new(design(0.0, 5.0, Model::Logistic), Observation::Game);
    single.add([Win, Draw]);
    single.add([Win, Loss]);
    assert_eq!(single.counts, games(2, 1, 1));
}

#[test]
fn estimates_match_those_of_published_matches() {
    // fastchess, `app/tests/elo_test.cpp`; its intervals come from the variance alone.
    let estimate = Estimate::of(&games(136, 111, 96)).expect("games");
    near(estimate.elo, 40.70, 0.01);
    near((estimate.interval.high - estimate.interval.low) / 2.0, 30.43, 0.15);
    near(estimate.los, 0.9960, 0.0005);
    let normalized = estimate.normalized.expect("results differ");
    near(normalized.elo, 49.77, 0.01);
    near((normalized.interval.high - normalized.interval.low) / 2.0, 36.77, 0.8);
    let estimate = Estimate::of(&Counts::Pairs([34, 54, 63, 64, 75])).expect("games");
    near(estimate.elo, 55.58, 0.01);
    near((estimate.interval.high - estimate.interval.low) / 2.0, 27.65, 0.15);
    near(estimate.normalized.expect("results differ").elo, 57.94, 0.01);
    let estimate = Estimate::of(&Counts::Pairs([332, 433, 498, 333, 334])).expect("games");
    near(estimate.elo, -8.64, 0.01);
    near(estimate.los, 0.0505, 0.0005);
    near(estimate.normalized.expect("results differ").elo, -9.17, 0.01);
    // cutechess, issue 543.
    let estimate = Estimate::of(&games(880, 1863, 759)).expect("games");
    near(estimate.elo, 12.0, 0.05);
    near((estimate.interval.high - estimate.interval.low) / 2.0, 7.9, 0.05);
    near(estimate.even, 0.532, 0.0005);
}

#[test]
fn limits_of_perfect_scores_are_those_of_exact_likelihood() {
    // All of n games won: the likelihood s^n has fallen by e^-1.92 at s = e^(-1.92 / n).
    let estimate = Estimate::of(&games(10, 0, 0)).expect("games");
    assert_eq!((estimate.score, estimate.elo), (1.0, f64::INFINITY));
    assert_eq!(estimate.interval.high, f64::INFINITY);
    let score = (-1.920_729_f64 / 10.0).exp();
    near(estimate.interval.low, 400.0 * (score / (1.0 - score)).log10(), 1.0);
    assert_eq!(estimate.normalized, None);
    let lost = Estimate::of(&games(0, 0, 10)).expect("games");
    assert_eq!((lost.elo, lost.interval.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    near(lost.interval.high, -estimate.interval.low, 1e-6);
    let drawn = Estimate::of(&games(0, 10, 0)).expect("games");
    assert_eq!((drawn.elo, drawn.los, drawn.normalized), (0.0, 0.5, None));
    assert!(drawn.interval.low < -50.0 && drawn.interval.high > 50.0, "{drawn:?}");
}

#[test]
fn the_estimate_after_a_stop_lies_between_the_plain_one_and_the_hypotheses() {
    let design = design(0.0, 5.0, Model::Logistic);
    let counts = games(880, 1863, 759);
    let plain = Estimate::of(&counts).expect("games");
    let corrected = Estimate::after_stop(&design, &counts).expect("it has just stopped");
    assert!(corrected.elo < plain.elo && corrected.elo > 5.0, "{corrected:?}");
    assert!(corrected.interval.low < corrected.elo && corrected.elo < corrected.interval.high);
    // With a hundred wins more, the test would have stopped long before.
    assert_eq!(Estimate::after_stop(&design, &games(980, 1863, 759)).ok(), None);
    // Steps too coarse for a Brownian motion.
    let coarse = Design::new(0.0, 200.0, 0.05, 0.05, Model::Logistic).expect("a test");
    assert_eq!(Estimate::after_stop(&coarse, &games(12, 0, 8)).ok(), None);
}

/// The log-likelihood of the likeliest distribution of three classes with a normalized mean, by trying all:
/// the deviation determines everything else.
fn by_trying_all(counts: [u64; 3], t: f64) -> f64 {
    let steps = 40_000;
    let likelihood = |step: i32| {
        let sigma = 0.5 * f64::from(step) / f64::from(steps);
        let mean = 0.5 + t * sigma;
        let drawn = 4.0 * (mean - mean * mean - sigma * sigma);
        let won = mean - drawn / 2.0;
        let shares = [1.0 - won - drawn, drawn, won];
        let is_one = shares.iter().all(|share| *share > 0.0);
        let sum: f64 =
            counts.iter().zip(shares).map(|(count, share)| (*count as f64).max(1e-3) * share.ln()).sum();
        if is_one { sum } else { f64::NEG_INFINITY }
    };
    (1..steps).map(likelihood).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn normalized_hypotheses_of_games_are_as_likely_as_any_that_can_be_tried() {
    for counts in [[30, 40, 50], [0, 7, 3], [100, 0, 1], [5, 0, 0], [0, 9, 0], [1, 1000, 1]] {
        let observed = Observed::of(&Counts::Games(counts)).expect("games");
        let maximum: f64 =
            observed.weights.iter().map(|weight| weight * (weight / observed.total).ln()).sum();
        for t in [-3.0, -0.7, -0.02, 0.02, 0.5, 2.0] {
            let divisors = with_t_value(&observed, t).expect("there always is one");
            let tried = by_trying_all(counts, t);
            let found = maximum - observed.fall(&divisors);
            assert!(found >= tried - 1e-9, "{counts:?} {t}: {found} {tried}");
            near(found, tried, 1e-3 * (1.0 + tried.abs()));
        }
    }
}

/// A typical count: often 0, sometimes large.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![2 => Just(0), 3 => 1..20_u64, 2 => 20..5000_u64, 1 => 0..1_000_000_000_000_u64]
}

fn counts() -> impl Strategy<Value = Counts> {
    prop_oneof![
        prop::array::uniform3(count()).prop_map(Counts::Games),
        prop::array::uniform5(count()).prop_map(Counts::Pairs),
    ]
}

fn some_counts() -> impl Strategy<Value = Counts> {
    counts().prop_filter("games", |counts| counts.total() > 0)
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![Just(Model::Logistic), Just(Model::Normalized)]
}

/// The permitted difference between results of floating point.
fn tolerance(counts: &Counts, values: &[f64]) -> f64 {
    let largest = values.iter().fold(1.0_f64, |largest, value| largest.max(value.abs()));
    1e-6 * largest + 1e-13 * counts.total() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_results_and_bounds_give_finite_numbers(
        counts in counts(),
        model in model(),
        elo0 in -3000.0..3000.0_f64,
        width in 1e-6..4000.0_f64,
    ) {
        let design = design(elo0, elo0 + width, model);
        if let Ok(llr) = design.llr(&counts) {
            prop_assert!(llr.is_finite());
        }
        if let Some(estimate) = Estimate::of(&counts) {
            let Interval { low, high } = estimate.interval;
            prop_assert!(low <= estimate.elo && estimate.elo <= high, "{estimate:?}");
            prop_assert!((0.0..=1.0).contains(&estimate.los) && (0.0..=1.0).contains(&estimate.even));
            if let Some(normalized) = estimate.normalized {
                prop_assert!(normalized.elo.is_finite() && normalized.interval.low <= normalized.interval.high);
            }
        }
        if let Ok(EloEstimate { elo, interval }) = Estimate::after_stop(&design, &counts) {
            prop_assert!(interval.low <= elo && elo <= interval.high, "{elo} {interval:?}");
        }
    }

    #[test]
    fn realistic_hypotheses_have_a_ratio(
        counts in counts(),
        model in model(),
        elo0 in -1000.0..1000.0_f64,
        width in 1e-3..500.0_f64,
    ) {
        prop_assert!(design(elo0, elo0 + width, model).llr(&counts).is_ok());
    }

    #[test]
    fn exchanging_the_bots_reverses_the_conclusions(
        counts in counts(),
        model in model(),
        elo0 in -600.0..600.0_f64,
        width in 0.01..300.0_f64,
    ) {
        let (ours, theirs) = (design(elo0, elo0 + width, model), design(-elo0 - width, -elo0, model));
        let (one, other) = (ours.llr(&counts).expect("a ratio"), theirs.llr(&counts.swapped()).expect("a ratio"));
        prop_assert!((one + other).abs() <= tolerance(&counts, &[one]), "{one} {other}");
        if let Some((one, other)) = Estimate::of(&counts).zip(Estimate::of(&counts.swapped())) {
            // The error of the likelihoods of n games is proportional to n units in the last place.
            let rounding = counts.total() as f64 * f64::EPSILON;
            prop_assert!((one.los + other.los - 1.0).abs() < 1e-9 + 4.0 * rounding);
            prop_assert!(one.elo == -other.elo || (one.elo + other.elo).abs() < 1e-9);
        }
    }

    #[test]
    fn ratios_of_neighbouring_hypotheses_add_up(
        counts in counts(),
        model in model(),
        elo in -300.0..300.0_f64,
        widths in prop::array::uniform2(0.1..200.0_f64),
    ) {
        let [one, other] = widths;
        let llr = |from: f64, to: f64| design(from, to, model).llr(&counts).expect("a ratio");
        let parts = [llr(elo, elo + one), llr(elo + one, elo + one + other)];
        let whole = llr(elo, elo + one + other);
        prop_assert!((parts[0] + parts[1] - whole).abs() <= tolerance(&counts, &parts), "{parts:?} {whole}");
    }

    #[test]
    fn twice_the_results_weigh_twice_as_much(
        classes in prop::array::uniform5(1..5000_u64),
        model in model(),
        elo0 in -300.0..300.0_f64,
        width in 0.1..200.0_f64,
    ) {
        let design = design(elo0, elo0 + width, model);
        let once = design.llr(&Counts::Pairs(classes)).expect("a ratio");
        let twice = design.llr(&Counts::Pairs(classes.map(|count| 2 * count))).expect("a ratio");
        prop_assert!((twice - 2.0 * once).abs() <= 1e-6 * (1.0 + once.abs()), "{once} {twice}");
    }

    #[test]
    fn a_better_result_never_speaks_against_the_new_bot(
        classes in prop::array::uniform5(0..200_u64),
        from in 0..4_usize,
        elo0 in -300.0..300.0_f64,
        width in 0.1..200.0_f64,
    ) {
        let mut worse = classes;
        worse[from] += 1;
        let mut better = classes;
        better[from + 1] += 1;
        let llr = |classes| design(elo0, elo0 + width, Model::Logistic).llr(&Counts::Pairs(classes)).expect("a ratio");
        // A class that occurs for the first time replaces a thousandth.
        prop_assert!(llr(better) >= llr(worse) - 0.05, "{} {}", llr(better), llr(worse));
    }

    #[test]
    fn no_distribution_that_fits_is_likelier_than_the_one_found(
        counts in prop::array::uniform5(count()).prop_filter("pairs", |counts| counts.iter().sum::<u64>() > 0),
        others in prop::array::uniform5(1..1000_u64),
        t in -2.0..2.0_f64,
    ) {
        let (observed, other) = (Observed::of(&Counts::Pairs(counts)).expect("pairs"), Observed::of(&Counts::Pairs(others)).expect("pairs"));
        let found = observed.fall(&with_t_value(&observed, t).expect("there always is one"));
        // The likeliest distribution of other results fits as well.
        let divisors = with_t_value(&other, t).expect("there always is one");
        let shares = other.shares().into_iter().zip(divisors).map(|(share, divisor)| share / divisor);
        let ratios = observed.shares().into_iter().zip(shares).map(|(share, fitted)| share / fitted).collect();
        prop_assert!(found <= observed.fall(&ratios) + 1e-6 * (1.0 + found.abs()));
    }

    #[test]
    fn a_given_mean_is_exact(counts in some_counts(), elo in -1500.0..1500.0_f64) {
        let observed = Observed::of(&counts).expect("games");
        let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let divisors = with_mean(&observed, score, 1.0 - score).expect("there always is one");
        let shares: Vec<f64> = observed.shares().into_iter().zip(divisors).map(|(share, d)| share / d).collect();
        let mean: f64 = shares.iter().zip(&observed.values).map(|(share, value)| share * value).sum();
        prop_assert!((mean - score).abs() < 1e-12 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{shares:?}");
    }
}
