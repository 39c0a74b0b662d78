//! Coverage of intervals: leagues of bots with known strengths are simulated with a fixed seed and rated, and
//! the intervals are compared with the truth.

use std::ops::RangeInclusive;

use super::leagues::{Kind, League, TwoSeats, name};
use super::published::publish;
use crate::{ELO_PER_NATURAL, Interval, Intervals, LikelihoodOptions, rate};
use linesman_types::random::SplitMix64;

/// Strengths in Elo: far apart, and close together.
const STRETCHED: &[f64] = &[-250.0, -120.0, -30.0, 40.0, 130.0, 230.0];
const CLOSE: &[f64] = &[-30.0, -20.0, -10.0, 0.0, 25.0, 35.0];
/// One bot far ahead of all others.
const LOPSIDED: &[f64] = &[-40.0, -25.0, -10.0, 0.0, 15.0, 400.0];
const EIGHT: &[f64] = &[-200.0, -120.0, -60.0, -10.0, 30.0, 70.0, 110.0, 180.0];

/// Davidson's parameter for this share of draws between equals.
fn nu(share: f64) -> f64 {
    2.0 * share / (1.0 - share)
}

/// A league whose bots are this far apart on the printed scale.
fn league(elos: &[f64], scale: f64, kind: Kind) -> League {
    League { strengths: elos.iter().map(|elo| elo / ELO_PER_NATURAL / scale).collect(), kind }
}

/// The first seat is worth 40 points.
fn plain(elos: &[f64], draws: f64, times: usize) -> League {
    let scale = 1.0 - draws;
    let rules = TwoSeats {
        nu: nu(draws),
        advantage: 40.0 / ELO_PER_NATURAL / scale,
        openings: 0.0,
        paired: false,
        repeats: 1,
    };
    league(elos, scale, Kind::TwoSeats(rules, times))
}

/// Openings favour the first seat by 40 points on average, with a deviation of 150.
fn paired(elos: &[f64], draws: f64, times: usize) -> League {
    let mut league = plain(elos, draws, times);
    let Kind::TwoSeats(rules, _) = &mut league.kind else { unreachable!("it is of two seats") };
    rules.paired = true;
    rules.openings = 150.0 / ELO_PER_NATURAL / (1.0 - draws);
    league
}

/// Every game occurs this number of times, move for move.
fn repeated(elos: &[f64], draws: f64, times: usize, repeats: usize) -> League {
    let mut league = plain(elos, draws, times);
    let Kind::TwoSeats(rules, _) = &mut league.kind else { unreachable!("it is of two seats") };
    rules.repeats = repeats;
    league
}

const WORTHS: [f64; 3] = [-30.0 / ELO_PER_NATURAL, -50.0 / ELO_PER_NATURAL, -80.0 / ELO_PER_NATURAL];

fn four_seats(games: usize, ties: [f64; 3]) -> League {
    league(EIGHT, 1.0, Kind::FourSeats { games, ties, worths: WORTHS, openings: 0.0 })
}

/// Openings change the advantage of each seat, with a deviation of 150 points, and are played from all four
/// seats of each bot.
fn four_seats_from_openings(games: usize) -> League {
    let openings = 150.0 / ELO_PER_NATURAL;
    league(EIGHT, 1.0, Kind::FourSeats { games, ties: [0.0; 3], worths: WORTHS, openings })
}

fn teams(games: usize, draws: f64) -> League {
    let advantage = 40.0 / ELO_PER_NATURAL / (1.0 - draws);
    league(EIGHT, 1.0 - draws, Kind::Teams { games, nu: nu(draws), advantage, openings: 0.0 })
}

/// Openings favour the first side with a deviation of 150 points, and are played from both sides.
fn teams_from_openings(games: usize, draws: f64) -> League {
    let mut league = teams(games, draws);
    let Kind::Teams { openings, .. } = &mut league.kind else { unreachable!("it is of teams") };
    *openings = 150.0 / ELO_PER_NATURAL / (1.0 - draws);
    league
}

/// The number of intervals that contain the truth.
#[derive(Copy, Clone, Debug, Default)]
struct Coverage {
    covered: u32,
    of: u32,
    /// The sum of their widths.
    widths: f64,
}

impl Coverage {
    fn count(&mut self, truth: f64, interval: Interval) {
        self.covered += u32::from(interval.low <= truth && truth <= interval.high);
        self.of += 1;
        self.widths += interval.high - interval.low;
    }

    fn percent(self) -> f64 {
        100.0 * f64::from(self.covered) / f64::from(self.of.max(1))
    }

    fn width(self) -> f64 {
        self.widths / f64::from(self.of.max(1))
    }
}

#[derive(Copy, Clone, Debug, Default)]
struct Covered {
    ratings: Coverage,
    differences: Coverage,
    first_seat: Coverage,
    /// Leagues in which a bot won or lost everything.
    with_prior: u32,
}

fn play(league: &League, leagues: usize, intervals: Option<u32>) -> Covered {
    let mut chance = SplitMix64(20_261_121);
    let (truth, worth) = league.truth();
    let mut covered = Covered::default();
    for number in 0..leagues {
        let intervals = intervals.map_or(Intervals::Covariance, |resamples| Intervals::Bootstrap {
            resamples,
            seed: number as u64,
        });
        let options = LikelihoodOptions { intervals, ..Default::default() };
        let ratings = rate(&league.play(&mut chance), &options).expect("a league has ratings");
        let of = |row: usize| -> f64 {
            let listed = &ratings.rows[row].name;
            truth[(0..truth.len()).find(|bot| name(*bot) == *listed).expect("it plays")]
        };
        for (one, row) in ratings.rows.iter().enumerate() {
            covered.ratings.count(of(one), row.interval.expect("all have games"));
            for other in 0..one {
                let difference = ratings.difference(one, other).expect("one group");
                covered.differences.count(of(one) - of(other), difference.interval());
            }
        }
        if let Some((_, interval)) = ratings.first_seat_advantage {
            covered.first_seat.count(worth, interval);
        }
        covered.with_prior += u32::from(ratings.has_prior(1));
    }
    covered
}

/// Every kind of league with the permitted coverage of its ratings.
fn kinds() -> Vec<(&'static str, League, RangeInclusive<f64>)> {
    vec![
        ("two seats, 300 games, no draws", plain(STRETCHED, 0.0, 10), 94.0..=96.0),
        ("two seats, 300 games, 30 % draws", plain(STRETCHED, 0.3, 10), 94.0..=96.0),
        ("two seats, 300 games, 75 % draws", plain(STRETCHED, 0.75, 10), 94.0..=96.0),
        ("two seats, 300 games, 75 % draws, equals", plain(CLOSE, 0.75, 10), 94.0..=96.0),
        ("two seats, 300 games, 30 % draws, one far ahead", plain(LOPSIDED, 0.3, 10), 94.0..=96.0),
        ("two seats, 60 games, 30 % draws", plain(STRETCHED, 0.3, 2), 94.0..=96.5),
        // A quarter of these need the prior, which makes intervals somewhat too wide.
        ("two seats, 30 games, no draws", plain(STRETCHED, 0.0, 1), 93.0..=98.5),
        ("two seats, 30 games, 30 % draws", plain(STRETCHED, 0.3, 1), 93.0..=97.0),
        ("two seats, 30 games, 30 % draws, equals", plain(CLOSE, 0.3, 1), 93.0..=97.0),
        ("opening pairs, 300 games, no draws", paired(STRETCHED, 0.0, 10), 94.0..=96.0),
        ("opening pairs, 300 games, 30 % draws", paired(STRETCHED, 0.3, 10), 94.0..=96.0),
        ("opening pairs, 300 games, 75 % draws", paired(STRETCHED, 0.75, 10), 94.0..=96.0),
        ("opening pairs, 300 games, 30 % draws, one far ahead", paired(LOPSIDED, 0.3, 10), 94.0..=96.0),
        ("opening pairs, 1,500 games, 30 % draws", paired(STRETCHED, 0.3, 50), 94.0..=96.0),
        ("opening pairs, 30 games, 30 % draws", paired(STRETCHED, 0.3, 1), 93.0..=97.0),
        ("each of 300 games three times, 30 % draws", repeated(STRETCHED, 0.3, 10, 3), 94.0..=96.0),
        ("four seats, 140 games", four_seats(140, [0.0; 3]), 94.0..=96.0),
        ("four seats, 140 games, shared places", four_seats(140, [0.3, 0.2, 0.2]), 94.0..=96.0),
        ("four seats, 30 games", four_seats(30, [0.0; 3]), 93.0..=97.0),
        ("four seats, openings from every seat, 400 games", four_seats_from_openings(400), 94.0..=96.0),
        // These are only 35 encounters, about as many as the small leagues have games.
        ("four seats, openings from every seat, 140 games", four_seats_from_openings(140), 93.0..=97.0),
        ("teams of two, 300 games, 30 % draws", teams(300, 0.3), 94.0..=96.0),
        ("teams of two, opening pairs, 300 games, 30 % draws", teams_from_openings(300, 0.3), 94.0..=96.0),
        ("teams of two, 60 games, no draws", teams(60, 0.0), 93.0..=97.0),
    ]
}

#[test]
#[ignore = "makes a table of docs/appendix/rating-trials.md: UPDATE=1 cargo test --release -p linesman-rating \
            -- --ignored --nocapture"]
fn print_the_table_of_coverages() {
    let mut rows = vec![
        "| leagues of | ratings | differences | first seat | with prior |".to_owned(),
        "| --- | --- | --- | --- | --- |".to_owned(),
    ];
    let mut wrong = Vec::new();
    let kinds = kinds();
    let all: Vec<Covered> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            kinds.iter().map(|(_, league, _)| scope.spawn(|| play(league, 2000, None))).collect();
        threads.into_iter().map(|thread| thread.join().expect("leagues can be rated")).collect()
    });
    for ((what, _, allowed), covered) in kinds.iter().zip(all) {
        rows.push(format!(
            "| {what} | {:.1} % | {:.1} % | {:.1} % | {} |",
            covered.ratings.percent(),
            covered.differences.percent(),
            covered.first_seat.percent(),
            covered.with_prior
        ));
        if !allowed.contains(&covered.ratings.percent()) {
            wrong.push((what, covered.ratings.percent()));
        }
    }
    publish("appendix/rating-trials.md", &rows);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[track_caller]
fn check(league: &League, leagues: usize, expected: RangeInclusive<f64>) {
    let covered = play(league, leagues, None);
    assert!(expected.contains(&covered.ratings.percent()), "{covered:?}");
    assert!(expected.contains(&covered.differences.percent()), "{covered:?}");
}

// A bounded part of the table, always run; one standard error of 300 leagues of six is about 0.5 points.

#[test]
fn intervals_hold_the_truth_with_two_seats() {
    check(&plain(STRETCHED, 0.3, 10), 300, 93.5..=96.5);
    check(&plain(CLOSE, 0.75, 10), 300, 93.5..=96.5);
}

#[test]
fn intervals_hold_the_truth_with_opening_pairs() {
    check(&paired(STRETCHED, 0.3, 10), 300, 93.5..=96.5);
}

#[test]
fn intervals_hold_the_truth_of_repeated_games() {
    check(&repeated(STRETCHED, 0.3, 10, 3), 300, 93.5..=96.5);
}

#[test]
fn intervals_hold_the_truth_with_four_seats_and_of_teams() {
    check(&four_seats(140, [0.0; 3]), 100, 93.0..=97.0);
    check(&teams(300, 0.3), 100, 93.0..=97.0);
}

#[test]
fn bootstrap_intervals_are_as_wide_as_the_covariance_s() {
    for league in [plain(STRETCHED, 0.3, 10), paired(STRETCHED, 0.3, 10)] {
        let [covariance, bootstrap] = [None, Some(200)].map(|resamples| play(&league, 10, resamples));
        let ratio = bootstrap.ratings.width() / covariance.ratings.width();
        assert!((0.93..1.10).contains(&ratio), "{ratio}");
    }
}

#[test]
#[ignore = "makes a table of docs/appendix/rating-trials.md: UPDATE=1 cargo test --release -p linesman-rating \
            -- --ignored --nocapture"]
fn print_how_the_bootstrap_agrees() {
    let mut rows = vec![
        "| leagues of | covariance | bootstrap | width of the bootstrap's |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    let mut wrong = Vec::new();
    for (what, league) in [
        ("two seats, 300 games, 30 % draws", plain(STRETCHED, 0.3, 10)),
        ("opening pairs, 300 games, 30 % draws", paired(STRETCHED, 0.3, 10)),
        ("four seats, 140 games", four_seats(140, [0.0; 3])),
    ] {
        let [covariance, bootstrap] = [None, Some(400)].map(|resamples| play(&league, 200, resamples));
        let ratio = bootstrap.ratings.width() / covariance.ratings.width();
        rows.push(format!(
            "| {what} | {:.1} % | {:.1} % | x {ratio:.2} |",
            covariance.ratings.percent(),
            bootstrap.ratings.percent()
        ));
        if !(0.95..1.10).contains(&ratio) {
            wrong.push((what, ratio));
        }
    }
    publish("appendix/rating-trials.md", &rows);
    assert!(wrong.is_empty(), "{wrong:?}");
}
