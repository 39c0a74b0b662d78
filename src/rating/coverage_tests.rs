//! The intervals hold the truth as often as they say: leagues of bots with
//! known strengths are made up by a generator with a fixed seed, rated, and looked at.

use super::*;
use crate::seat::Place;

/// SplitMix64, so that the leagues are the same everywhere and for ever.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A game whose expected score is the model's, drawn as often as `drawish` says
    /// where both are equal.
    fn game(&mut self, difference: f64, drawish: f64) -> Score {
        let expected = expected_score(difference);
        let draw = drawish * 2.0 * expected.min(1.0 - expected);
        let throw = self.next();
        if throw < draw {
            Score::Draw
        } else if throw < draw + expected - draw / 2.0 {
            Score::Win
        } else {
            Score::Loss
        }
    }
}

struct Leagues {
    truth: &'static [f64],
    /// Games of each pair.
    games: usize,
    /// The share of draws between equals, for a pair of bots.
    drawish: fn(usize, usize) -> f64,
    leagues: usize,
}

#[derive(Debug)]
struct Covered {
    ratings: f64,
    differences: f64,
}

impl Leagues {
    fn play(&self) -> Covered {
        let mut chance = Chance(20_261_121);
        let names: Vec<String> = (0..self.truth.len()).map(|bot| format!("bot{bot}")).collect();
        let mean = self.truth.iter().sum::<f64>() / self.truth.len() as f64;
        let [mut held, mut of, mut differences_held, mut of_differences] = [0u32; 4];
        for _ in 0..self.leagues {
            let mut results = Results::new();
            for one in 0..names.len() {
                for other in 0..one {
                    for _ in 0..self.games {
                        let difference = self.truth[one] - self.truth[other];
                        let outcome = chance.game(difference, (self.drawish)(one, other));
                        results.add_score(&names[one], &names[other], outcome);
                    }
                }
            }
            let ratings = rate(&results, &LikelihoodOptions::default()).expect("a league has ratings");
            let truth =
                |row: &Rating| self.truth[names.iter().position(|name| *name == row.name).expect("known")];
            for (one, row) in ratings.rows().iter().enumerate() {
                let interval = row.interval.expect("all have games");
                held += u32::from(within(truth(row) - mean + DEFAULT_MEAN, interval));
                of += 1;
                for (other, opponent) in ratings.rows().iter().enumerate().take(one) {
                    let difference = ratings.difference(one, other).expect("one group");
                    differences_held +=
                        u32::from(within(truth(row) - truth(opponent), difference.interval()));
                    of_differences += 1;
                }
            }
        }
        let share = |held: u32, of: u32| 100.0 * f64::from(held) / f64::from(of);
        Covered { ratings: share(held, of), differences: share(differences_held, of_differences) }
    }
}

fn within(value: f64, interval: Interval) -> bool {
    interval.low <= value && value <= interval.high
}

/// Far apart, and close together.
const STRETCHED: &[f64] = &[-250.0, -120.0, -30.0, 40.0, 130.0, 230.0];
const CLOSE: &[f64] = &[-30.0, -20.0, -10.0, 0.0, 25.0, 35.0];

#[track_caller]
fn check(leagues: &Leagues, expected: std::ops::RangeInclusive<f64>) {
    let covered = leagues.play();
    assert!(expected.contains(&covered.ratings), "{covered:?}");
    assert!(expected.contains(&covered.differences), "{covered:?}");
}

/// Leagues of games of four seats: which bots sit down is drawn and who comes in how
/// goes by strength at the seat.
fn play_four_handed(truth: &[f64], games: usize, leagues: usize) -> Covered {
    const SEATS: [f64; 4] = [40.0, 10.0, -10.0, -40.0];
    let mut chance = Chance(20_261_122);
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let [mut held, mut of, mut seats_held, mut of_seats] = [0u32; 4];
    for _ in 0..leagues {
        let mut results = Results::new();
        for _ in 0..games {
            let mut bots: Vec<usize> = (0..truth.len()).collect();
            let mut left: Vec<usize> = (0..4).collect();
            let seated: Vec<usize> =
                left.iter().map(|_| bots.remove((chance.next() * bots.len() as f64) as usize)).collect();
            let mut places = [Place::FIRST; 4];
            while !left.is_empty() {
                let weight = |seat: &usize| 10_f64.powf((truth[seated[*seat]] + SEATS[*seat]) / 400.0);
                let mut throw = chance.next() * left.iter().map(weight).sum::<f64>();
                let chosen = left.iter().position(|seat| {
                    throw -= weight(seat);
                    throw < 0.0
                });
                let place = Place::new(5 - left.len()).expect("four places");
                places[left.remove(chosen.unwrap_or(left.len() - 1))] = place;
            }
            let names: Vec<String> = seated.iter().map(|bot| format!("bot{bot}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            results.add(&names, &places).expect("four seats");
        }
        let ratings = rate(&results, &LikelihoodOptions::default()).expect("a league has ratings");
        for row in ratings.rows() {
            let bot: usize = row.name["bot".len()..].parse().expect("a number");
            held += u32::from(within(truth[bot] - mean + DEFAULT_MEAN, row.interval.expect("rated")));
            of += 1;
        }
        for seat in ratings.seat_advantages() {
            seats_held += u32::from(within(SEATS[seat.seat.index()] - SEATS[0], seat.interval));
            of_seats += 1;
        }
    }
    let share = |held: u32, of: u32| 100.0 * f64::from(held) / f64::from(of);
    Covered { ratings: share(held, of), differences: share(seats_held, of_seats) }
}

#[test]
fn intervals_hold_the_truth_of_bots_and_seats_at_four_handed_games() {
    let covered = play_four_handed(&[-200.0, -120.0, -60.0, -10.0, 30.0, 70.0, 110.0, 180.0], 140, 300);
    assert!((94.0..=96.5).contains(&covered.ratings), "{covered:?}");
    // Three numbers a league only.
    assert!((92.5..=97.5).contains(&covered.differences), "{covered:?}");
}

#[test]
fn intervals_hold_the_truth_without_draws() {
    check(&Leagues { truth: STRETCHED, games: 20, drawish: |_, _| 0.0, leagues: 1000 }, 94.0..=96.0);
    check(&Leagues { truth: CLOSE, games: 20, drawish: |_, _| 0.0, leagues: 1000 }, 94.0..=96.0);
}

#[test]
fn intervals_hold_the_truth_with_many_draws() {
    check(&Leagues { truth: STRETCHED, games: 20, drawish: |_, _| 0.75, leagues: 1000 }, 94.0..=96.0);
    check(&Leagues { truth: CLOSE, games: 20, drawish: |_, _| 0.75, leagues: 1000 }, 94.0..=96.0);
    check(&Leagues { truth: CLOSE, games: 20, drawish: |_, _| 0.95, leagues: 1000 }, 94.0..=96.5);
}

#[test]
fn intervals_hold_the_truth_where_only_some_bots_draw() {
    let drawish = |one, other| if one + other < 5 { 0.95 } else { 0.05 };
    check(&Leagues { truth: STRETCHED, games: 20, drawish, leagues: 1000 }, 94.0..=96.0);
}

#[test]
fn intervals_are_rather_too_wide_than_too_narrow_after_few_games() {
    check(&Leagues { truth: STRETCHED, games: 4, drawish: |_, _| 0.3, leagues: 1000 }, 94.0..=97.0);
    check(&Leagues { truth: STRETCHED, games: 2, drawish: |_, _| 0.0, leagues: 1000 }, 94.0..=99.0);
    check(&Leagues { truth: CLOSE, games: 2, drawish: |_, _| 0.75, leagues: 1000 }, 94.0..=99.0);
}

#[test]
#[ignore = "prints the table in docs/ratings.md: cargo test --lib rating:: -- --ignored --nocapture"]
fn print_the_table_of_coverages() {
    type Drawish = fn(usize, usize) -> f64;
    let kinds: [(&str, Drawish); 5] = [
        ("0 %", |_, _| 0.0),
        ("30 %", |_, _| 0.3),
        ("75 %", |_, _| 0.75),
        ("95 %", |_, _| 0.95),
        ("mixed", |one, other| if one + other < 5 { 0.95 } else { 0.05 }),
    ];
    let bots = [-200.0, -120.0, -60.0, -10.0, 30.0, 70.0, 110.0, 180.0];
    let covered = play_four_handed(&bots, 140, 2000);
    println!("four seats: ratings {:.1} %, seats {:.1} %", covered.ratings, covered.differences);
    for games in [2, 4, 20] {
        for (name, drawish) in kinds {
            let [stretched, close] =
                [STRETCHED, CLOSE].map(|truth| Leagues { truth, games, drawish, leagues: 2000 }.play());
            println!("| {games} | {name} | {:.1} % | {:.1} % |", stretched.ratings, close.ratings);
            assert!(stretched.ratings > 94.0 && close.ratings > 94.0);
        }
    }
}
