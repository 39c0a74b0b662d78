//! Ten levels of even steps: candidates are rated by games between neighbours, the levels are chosen between them, and
//! rated by games of their own.

use linesman_engines::Engine;
use linesman_engines::Strength;
use linesman_engines::levels::{LEVELS, Level, Measured};
use linesman_rating::{LikelihoodOptions, Ratings, Results, rate};

use crate::house::{Contest, Entrant};

/// The way from random moves to the strongest search: at 0 all moves are random, at 1 all are greedy, at 2 all are
/// searched with the fewest positions, and at 3 with the most.
#[derive(Copy, Clone)]
pub struct Way {
    pub search: Engine,
    pub fewest: u64,
    pub most: u64,
}

/// The places on the way that are measured first. Few random moves cost much strength.
const CANDIDATES: [f64; 16] =
    [0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.96, 1.0, 1.2, 1.45, 1.7, 2.0, 2.33, 2.67, 3.0];

/// Each candidate meets the next ones up to this distance. Long searches meet their neighbours only: they take the
/// most time.
const REACH: usize = 2;

/// The number of times that the levels are chosen again by games between neighbours.
const REFINEMENTS: u32 = 3;

impl Way {
    /// The strength at a place.
    pub fn at(self, place: f64) -> Strength {
        let thousandths = |share: f64| (1_000.0 * share).round() as u16;
        let part = place - place.floor();
        let (random, greedy, nodes) = match place {
            place if place < 1.0 => (1.0 - part, part, self.fewest as f64),
            place if place < 2.0 => (0.0, 1.0 - part, self.fewest as f64),
            place if place < 3.0 => {
                (0.0, 0.0, self.fewest as f64 * (self.most as f64 / self.fewest as f64).powf(part))
            }
            _ => (0.0, 0.0, self.most as f64),
        };
        let random = thousandths(random);
        // Both are rounded, and together they are all.
        let greedy = if place < 1.0 { 1_000 - random } else { thousandths(greedy) };
        Strength { random, greedy, search: self.search, nodes: two_digits(nodes) }
    }
}

/// A number of positions that is easy to read.
fn two_digits(nodes: f64) -> u64 {
    let unit = 10_f64.powf(nodes.log10().floor() - 1.0).max(1.0);
    ((nodes / unit).round() * unit) as u64
}

/// A place on the way and its rating.
type Rated = (f64, f64);

/// The levels of a game.
pub fn levels(contest: &Contest, way: Way, games: u32, seed: u32) -> Result<Vec<Level>, String> {
    let mut results = Results::new();
    // They only have to show where the levels are to be looked for.
    meet(contest, way, &CANDIDATES, REACH, games.div_ceil(2), seed, &mut results)?;
    let mut chosen = choose(&ratings(&rate_all(&results)?, &CANDIDATES)?);
    // Small steps do not always add up to large ones, so that the last word is with steps of the size wanted.
    let (mut results, mut places) = (Results::new(), Vec::new());
    for round in 1..=REFINEMENTS {
        meet(contest, way, &chosen, 1, games, seed + round, &mut results)?;
        // Without games between the rounds, all that joins their ratings is the two ends.
        if let Some(before) = places.len().checked_sub(chosen.len()) {
            meet_below(contest, way, &chosen, &places[before..], games, seed + round, &mut results)?;
        }
        places.extend(&chosen);
        chosen = choose(&ratings(&rate_all(&results)?, &places)?);
    }
    let mut own = Results::new();
    let scores = meet(contest, way, &chosen, 1, 2 * games, seed + REFINEMENTS + 1, &mut own)?;
    describe(contest, way, &chosen, &scores, &rate_all(&own)?)
}

/// Lets each place meet those that follow it up to a distance. Returns the score of each against the one below.
fn meet(
    contest: &Contest,
    way: Way,
    places: &[f64],
    reach: usize,
    games: u32,
    seed: u32,
    results: &mut Results,
) -> Result<Vec<f64>, String> {
    let entrant = |place: f64| Entrant::of(name(place), way.at(place), seed);
    let mut scores = vec![0.0; places.len()];
    for distance in 1..=reach {
        for upper in distance..places.len() {
            let lower = upper - distance;
            if places[upper] - places[lower] < 1e-9 || (distance > 1 && places[upper] > 2.0) {
                continue;
            }
            let entrants = [entrant(places[upper]), entrant(places[lower])];
            let tally = contest.play([&entrants[0], &entrants[1]], games, crate::HOUR, results)?;
            if distance == 1 {
                scores[upper] = tally.score();
            }
            eprint(&format!("  {} {:.3} against {}", entrants[0].name, tally.score(), entrants[1].name));
        }
    }
    Ok(scores)
}

/// Lets each place meet the one of the level below, as it was chosen before.
fn meet_below(
    contest: &Contest,
    way: Way,
    places: &[f64],
    before: &[f64],
    games: u32,
    seed: u32,
    results: &mut Results,
) -> Result<(), String> {
    for ((upper, own), lower) in places.iter().skip(1).zip(places).zip(before) {
        // Those that are where they were have met already.
        if own == lower || upper - lower < 1e-9 {
            continue;
        }
        let [upper, lower] = [*upper, *lower].map(|place| Entrant::of(name(place), way.at(place), seed));
        let tally = contest.play([&upper, &lower], games, crate::HOUR, results)?;
        eprint(&format!("  {} {:.3} against {}, as it was", upper.name, tally.score(), lower.name));
    }
    Ok(())
}

fn name(place: f64) -> String {
    format!("{place:.4}")
}

fn rate_all(results: &Results) -> Result<Ratings, String> {
    rate(results, &LikelihoodOptions::default()).map_err(|error| error.to_string())
}

/// The ratings of places, in ascending order of places.
fn ratings(ratings: &Ratings, places: &[f64]) -> Result<Vec<Rated>, String> {
    let mut rated = Vec::new();
    for place in places {
        let row = ratings.rows().iter().find(|row| row.name == name(*place));
        let elo = row.and_then(|row| row.elo).ok_or("a candidate has no rating")?;
        rated.push((*place, elo));
    }
    rated.sort_by(|one, other| one.0.total_cmp(&other.0));
    rated.dedup_by(|one, other| one.0 == other.0);
    for (place, elo) in &rated {
        eprint(&format!("  {place:.4} {elo:.0} Elo"));
    }
    Ok(rated)
}

/// The places of levels whose ratings are evenly spaced.
fn choose(rated: &[Rated]) -> Vec<f64> {
    let rising = rising(rated);
    let (lowest, highest) = (rising[0].1, rising[rising.len() - 1].1);
    let place_of = |elo: f64| {
        let next = rising.iter().position(|(_, reached)| *reached >= elo - 1e-9).unwrap_or(rising.len() - 1);
        if next == 0 {
            return rising[0].0;
        }
        let ((from, low), (to, high)) = (rising[next - 1], rising[next]);
        from + (to - from) * ((elo - low) / (high - low).max(1e-9)).clamp(0.0, 1.0)
    };
    let steps = f64::from(LEVELS - 1);
    let of_level = |level: u8| match level {
        0 => 0.0,
        level if level == LEVELS - 1 => 3.0,
        level => place_of(lowest + (highest - lowest) * f64::from(level) / steps),
    };
    (0..LEVELS).map(|level| (of_level(level) * 1e4).round() / 1e4).collect()
}

/// The rising curve nearest to the ratings: neighbours that fall share their mean.
fn rising(rated: &[Rated]) -> Vec<Rated> {
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (place, elo) in rated {
        blocks.push((*place, *elo, 1));
        while let [.., lower, upper] = blocks.as_slice() {
            if lower.1 <= upper.1 {
                break;
            }
            let number = lower.2 + upper.2;
            let mean = |one: f64, other: f64| (one * lower.2 as f64 + other * upper.2 as f64) / number as f64;
            let block = (mean(lower.0, upper.0), mean(lower.1, upper.1), number);
            blocks.truncate(blocks.len() - 2);
            blocks.push(block);
        }
    }
    blocks.into_iter().map(|(place, elo, _)| (place, elo)).collect()
}

/// The levels with what was measured of them.
fn describe(
    contest: &Contest,
    way: Way,
    places: &[f64],
    scores: &[f64],
    ratings: &Ratings,
) -> Result<Vec<Level>, String> {
    let rows = ratings.rows();
    let row_of = |place: f64| {
        rows.iter().position(|row| row.name == name(place)).ok_or("a level has no rating".to_owned())
    };
    let lowest = row_of(places[0])?;
    let mut levels = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let row = row_of(*place)?;
        let above = |below: usize| ratings.difference(row, below).ok_or("two levels have no difference");
        let step = if index == 0 { None } else { Some(above(row_of(places[index - 1])?)?) };
        levels.push(Level {
            game: linesman_games::find(&contest.game).ok_or("the game is known")?.id(),
            seats: contest.teams.seats(),
            number: index as u8 + 1,
            strength: way.at(*place),
            measured: Some(Measured {
                elo: above(lowest)?.elo,
                margin: step.map(|step| (step.interval().high - step.interval().low) / 2.0),
                score: step.map(|_| scores[index]),
            }),
        });
    }
    Ok(levels)
}

#[expect(clippy::print_stderr, reason = "a run of half an hour has to show its progress")]
pub fn eprint(text: &str) {
    eprintln!("{text}");
}
