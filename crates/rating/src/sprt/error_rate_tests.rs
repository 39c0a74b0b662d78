//! Error rates of tests: bots of known strength are simulated at both hypotheses, with a fixed seed.

use super::*;
use crate::tests::fraction;
use crate::tests::published::publish;
use crate::{Score, expected_score};
use linesman_types::random::SplitMix64;

/// Loss, draw and win of one game, as probabilities.
type Game = [f64; 3];

/// The openings of the games, and the results from them.
#[derive(Copy, Clone)]
struct World {
    /// The advantage of the first seat in each opening, in Elo; all are equally likely.
    openings: &'static [f64],
    /// The share of draws between equals.
    draw_rate: f64,
}

impl World {
    /// The two games of a pair from an opening, seen by the new bot.
    fn pair(self, opening: f64, strength: f64) -> [Game; 2] {
        [opening, -opening].map(|advantage| {
            let expected = expected_score(strength + advantage);
            let draw = self.draw_rate * 2.0 * expected.min(1.0 - expected);
            [1.0 - expected - draw / 2.0, draw, expected - draw / 2.0]
        })
    }

    /// The mean score of a game and the variance of the score of an observation.
    fn moments(self, strength: f64, unit: Observation) -> (f64, f64) {
        let pairs = || self.openings.iter().map(|opening| self.pair(*opening, strength));
        let number = self.openings.len() as f64;
        let score = |game: &Game| game[1] / 2.0 + game[2];
        let square = |game: &Game| game[1] / 4.0 + game[2];
        let mean = pairs().map(|[one, other]| score(&one) + score(&other)).sum::<f64>() / 2.0 / number;
        let variance = match unit {
            Observation::Game => {
                pairs().map(|[one, other]| square(&one) + square(&other)).sum::<f64>() / 2.0 / number
                    - mean * mean
            }
            Observation::Pair => {
                let of_pair = |[one, other]: [Game; 2]| {
                    (square(&one) + square(&other) + 2.0 * score(&one) * score(&other)) / 4.0
                };
                pairs().map(of_pair).sum::<f64>() / number - mean * mean
            }
        };
        (mean, variance)
    }

    /// The strength at which a hypothesis is exactly true, and its mean score.
    fn strength(self, design: &Design, elo: f64, unit: Observation) -> (f64, f64) {
        let (mut low, mut high) = (-4000.0, 4000.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            let (mean, variance) = self.moments(middle, unit);
            let is_below = match design.model {
                Model::Logistic => mean < expected_score(elo),
                Model::Normalized => {
                    let games = if unit == Observation::Pair { 2.0_f64 } else { 1.0 };
                    (mean - 0.5) / (variance * games).sqrt() * design::NORMALIZED_PER_DEVIATION < elo
                }
            };
            if is_below { low = middle } else { high = middle }
        }
        let strength = f64::midpoint(low, high);
        (strength, self.moments(strength, unit).0)
    }

    fn play(self, strength: f64, chance: &mut SplitMix64) -> [Score; 2] {
        let opening = self.openings[(fraction(chance) * self.openings.len() as f64) as usize];
        self.pair(opening, strength).map(|[loss, draw, _]| {
            let throw = fraction(chance);
            if throw < loss {
                Score::Loss
            } else if throw < loss + draw {
                Score::Draw
            } else {
                Score::Win
            }
        })
    }
}

/// No openings: the first seat has a small advantage in every game.
const NO_OPENINGS: &[f64] = &[30.0];

/// Openings, most of which favour one seat: the midpoints of ten equal parts of a normal distribution around
/// 40 with a standard deviation of 150.
const OPENINGS: &[f64] = &[-207.0, -115.0, -61.0, -18.0, 21.0, 59.0, 98.0, 141.0, 195.0, 287.0];

#[derive(Copy, Clone)]
struct Trial {
    bounds: [f64; 2],
    errors: [f64; 2],
    model: Model,
    unit: Observation,
    world: World,
}

/// The results of the tests at one hypothesis.
#[derive(Copy, Clone, Debug, Default)]
struct TrialResult {
    /// The share of wrong decisions.
    wrong: f64,
    /// The average number of games of a test.
    games: f64,
    /// The share of estimates below the truth, computed as if the number of games had been fixed.
    plain_below: f64,
    /// The same share of the estimates that allow for the early stop.
    below: f64,
    /// The share of the intervals around these that contain the truth.
    covered: f64,
}

impl Trial {
    /// Simulates this number of tests at each hypothesis, and estimates from the first of them.
    fn run(&self, tests: u32, estimates: u32) -> [TrialResult; 2] {
        let [elo0, elo1] = self.bounds;
        let [alpha, beta] = self.errors;
        let design = Design::new(elo0, elo1, alpha, beta, self.model).expect("a test");
        let mut chance = SplitMix64(20_261_123);
        [(elo0, Status::Accepted), (elo1, Status::Rejected)].map(|(elo, wrong)| {
            let (strength, mean) = self.world.strength(&design, elo, self.unit);
            let truth = 400.0 * (mean / (1.0 - mean)).log10();
            let mut result = TrialResult::default();
            let share = |of: bool, number: u32| f64::from(u8::from(of)) / f64::from(number);
            for number in 0..tests {
                let mut sequence = Sequence::new(design, self.unit);
                while sequence.status == Status::Undecided {
                    sequence.add(self.world.play(strength, &mut chance));
                }
                let counts = sequence.counts;
                result.wrong += share(sequence.status == wrong, tests);
                result.games += counts.games() as f64 / f64::from(tests);
                if number < estimates {
                    let plain = Estimate::of(&counts).expect("games").elo;
                    let EloEstimate { elo, interval } =
                        Estimate::after_stop(&design, &counts).expect("small steps");
                    result.plain_below += share(plain < truth, estimates);
                    result.below += share(elo < truth, estimates);
                    result.covered += share(interval.low <= truth && truth <= interval.high, estimates);
                }
            }
            result
        })
    }
}

/// Both errors at 5 %, on the usual scale.
fn usual(bounds: [f64; 2], unit: Observation, openings: &'static [f64], draw_rate: f64) -> Trial {
    Trial { bounds, errors: [0.05, 0.05], model: Model::Logistic, unit, world: World { openings, draw_rate } }
}

#[test]
fn tests_keep_their_error_rates() {
    for draw_rate in [0.0, 0.3] {
        for trial in [
            usual([0.0, 100.0], Observation::Pair, OPENINGS, draw_rate),
            usual([0.0, 100.0], Observation::Game, NO_OPENINGS, draw_rate),
            usual([-50.0, 150.0], Observation::Game, NO_OPENINGS, draw_rate),
        ] {
            let [at_lower, at_upper] = trial.run(1000, 0);
            // Two standard errors, for this number of tests, above 5 %.
            assert!(at_lower.wrong < 0.064 && at_upper.wrong < 0.064, "{at_lower:?} {at_upper:?}");
        }
    }
}

#[test]
fn the_estimate_after_a_stop_is_as_often_too_high_as_too_low() {
    let [at_lower, at_upper] = usual([0.0, 30.0], Observation::Pair, OPENINGS, 0.0).run(150, 150);
    for result in [at_lower, at_upper] {
        assert!((0.4..=0.6).contains(&result.below) && result.covered > 0.91, "{result:?}");
    }
    assert!(at_lower.plain_below > 0.55 && at_upper.plain_below < 0.45, "{at_lower:?} {at_upper:?}");
}

#[test]
#[ignore = "makes the tables of docs/appendix/rating-trials.md: UPDATE=1 cargo test --release -p linesman-rating \
            -- --ignored --nocapture"]
fn print_the_tables_of_error_rates() {
    let units = [
        ("pairs", Observation::Pair, OPENINGS),
        ("games, no openings", Observation::Game, NO_OPENINGS),
        ("games, from pairs", Observation::Game, OPENINGS),
    ];
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut rows = head(
        "| results | draws | elo0, elo1, scale | alpha | accepted at elo0 | beta | rejected at elo1 | games at elo0 | games at elo1 |",
    );
    let mut wrong = Vec::new();
    let mut print = |name: &str, trial: &Trial| {
        let [at_lower, at_upper] = trial.run(10_000, 0);
        let [[elo0, elo1], [alpha, beta]] = [trial.bounds, trial.errors];
        rows.push(format!(
            "| {name} | {:.0} % | {elo0}, {elo1} {} | {} | {} | {} | {} | {:.0} | {:.0} |",
            100.0 * trial.world.draw_rate,
            trial.model.word(),
            percent(alpha),
            percent(at_lower.wrong),
            percent(beta),
            percent(at_upper.wrong),
            at_lower.games,
            at_upper.games,
        ));
        if at_lower.wrong > alpha + 0.01 || at_upper.wrong > beta + 0.01 {
            wrong.push((at_lower, at_upper));
        }
    };
    for (name, unit, openings) in units {
        for draw_rate in [0.0, 0.3, 0.75] {
            for bounds in [[0.0, 50.0], [0.0, 100.0], [-100.0, 100.0], [0.0, 400.0]] {
                print(name, &usual(bounds, unit, openings, draw_rate));
            }
        }
    }
    for (name, unit, openings) in &units[..2] {
        print(name, &usual([0.0, 20.0], *unit, openings, 0.75));
        let trial = usual([0.0, 100.0], *unit, openings, 0.3);
        print(name, &Trial { errors: [0.01, 0.1], ..trial });
        for draw_rate in [0.0, 0.75] {
            let world = World { openings, draw_rate };
            print(name, &Trial { model: Model::Normalized, world, ..trial });
        }
    }
    publish("appendix/rating-trials.md", &rows);
    let mut rows = head(
        "| results | draws | Elo | plain, at elo0 | at elo1 | unbiased, at elo0 | at elo1 | interval, at elo0 | at elo1 |",
    );
    for (name, unit, openings) in &units[..2] {
        for (bounds, draw_rate) in [([0.0, 20.0], 0.0), ([0.0, 20.0], 0.75), ([0.0, 30.0], 0.0)] {
            let [at_lower, at_upper] = usual(bounds, *unit, openings, draw_rate).run(500, 500);
            rows.push(format!(
                "| {name} | {:.0} % | {}, {} | {} | {} | {} | {} | {} | {} |",
                100.0 * draw_rate,
                bounds[0],
                bounds[1],
                percent(at_lower.plain_below),
                percent(at_upper.plain_below),
                percent(at_lower.below),
                percent(at_upper.below),
                percent(at_lower.covered),
                percent(at_upper.covered),
            ));
        }
    }
    publish("appendix/rating-trials.md", &rows);
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The first two rows of a table.
fn head(titles: &str) -> Vec<String> {
    let columns = titles.matches('|').count() - 1;
    vec![titles.to_owned(), format!("|{}", " --- |".repeat(columns))]
}
