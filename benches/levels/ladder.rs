//! Chooses ten levels at even steps of rating: rates candidates by games between neighbours, interpolates the levels
//! between them, and rates those by further games.

use linesman_engines::Engine;
use linesman_engines::Strength;
use linesman_engines::levels::{LEVELS, Level, Measured};
use linesman_rating::{LikelihoodOptions, Ratings, Results, rate};

use crate::house::{Contest, Entrant, GameOpening};

/// A scale from random moves to the strongest search: at 0 all moves are random, at 1 greedy, at 2 searched with the
/// fewest positions, and at 3 with the most.
#[derive(Copy, Clone)]
pub struct Way {
    pub search: Engine,
    pub min_nodes: u64,
    pub max_nodes: u64,
}

/// The places measured first. They are dense where few random moves cost much strength.
const CANDIDATES: [f64; 16] =
    [0.0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 0.96, 1.0, 1.2, 1.45, 1.7, 2.0, 2.33, 2.67, 3.0];

/// Each candidate meets the next ones up to this distance. Long searches, which take the most time, only meet their
/// neighbours.
const REACH: usize = 2;

/// The number of times that the levels are refined by games between neighbours.
const REFINEMENTS: u32 = 2;

/// The games of the last round per game of a refinement; the table is based on the last round only.
const LAST: u32 = 3;

impl Way {
    /// Returns the strength at a place.
    pub fn at(self, place: f64) -> Strength {
        let thousandths = |share: f64| (1_000.0 * share).round() as u16;
        let part = place - place.floor();
        let (random, greedy, nodes) = match place {
            place if place < 1.0 => (1.0 - part, part, self.min_nodes as f64),
            place if place < 2.0 => (0.0, 1.0 - part, self.min_nodes as f64),
            place if place < 3.0 => {
                (0.0, 0.0, self.min_nodes as f64 * (self.max_nodes as f64 / self.min_nodes as f64).powf(part))
            }
            _ => (0.0, 0.0, self.max_nodes as f64),
        };
        let random = thousandths(random);
        // Both are rounded and must add up to 1,000.
        let greedy = if place < 1.0 { 1_000 - random } else { thousandths(greedy) };
        Strength { random, greedy, search: self.search, nodes: two_digits(nodes) }
    }
}

/// Rounds a number of positions to two digits.
fn two_digits(nodes: f64) -> u64 {
    let unit = 10_f64.powf(nodes.log10().floor() - 1.0).max(1.0);
    ((nodes / unit).round() * unit) as u64
}

/// A place on the scale and its rating.
type Rated = (f64, f64);

/// A step of the measurement, with its own openings.
struct MatchRound<'c> {
    contest: &'c Contest,
    way: Way,
    openings: Vec<GameOpening>,
    seed: u32,
}

impl<'c> MatchRound<'c> {
    fn new(contest: &'c Contest, way: Way, games: u32, seed: u32) -> Result<MatchRound<'c>, String> {
        Ok(MatchRound { contest, way, openings: contest.openings(games, seed)?, seed })
    }

    /// Plays pairs of places, the upper one first. Returns the scores of the upper ones.
    fn meet(&self, pairs: &[(f64, f64)], results: &mut Results) -> Result<Vec<f64>, String> {
        let entrant = |place: f64| Entrant::of(name(place), self.way.at(place), self.seed);
        let score = |&(upper, lower): &(f64, f64)| {
            let [upper, lower] = [entrant(upper), entrant(lower)];
            let tally = self.contest.play([&upper, &lower], &self.openings, crate::HOUR, results)?;
            eprint(&format!("  {} {:.3} against {}", upper.name, tally.score(), lower.name));
            Ok(tally.score())
        };
        pairs.iter().map(score).collect()
    }
}

/// Measures the levels of a game.
pub fn levels(contest: &Contest, way: Way, games: u32, seed: u32) -> Result<Vec<Level>, String> {
    let mut results = Results::new();
    // Half as many games: candidates only show where to look for the levels.
    let candidates = MatchRound::new(contest, way, games.div_ceil(2), seed)?;
    candidates.meet(&pairs_of_candidates(), &mut results)?;
    let mut chosen = choose(&ratings(&rate_all(&results)?, &CANDIDATES)?);
    // Small steps do not always add up to large ones, so the refinements use steps of the final size.
    let (mut results, mut places) = (Results::new(), Vec::new());
    for number in 1..=REFINEMENTS {
        let round = MatchRound::new(contest, way, games, seed + number)?;
        round.meet(&steps(&chosen), &mut results)?;
        // Without games across rounds, only the two ends would connect their ratings.
        if let Some(before) = places.len().checked_sub(chosen.len()) {
            round.meet(&steps_from_before(&chosen, &places[before..]), &mut results)?;
        }
        places.extend(&chosen);
        chosen = choose(&ratings(&rate_all(&results)?, &places)?);
    }
    let mut own = Results::new();
    let last = MatchRound::new(contest, way, LAST * games, seed + REFINEMENTS + 1)?;
    let scores = last.meet(&steps(&chosen), &mut own)?;
    describe(contest, way, &chosen, &scores, &rate_all(&own)?)
}

/// Returns each candidate with those above it, up to [`REACH`]; long searches only with their neighbours.
fn pairs_of_candidates() -> Vec<(f64, f64)> {
    let reach = |upper: f64| if upper > 2.0 { 1 } else { REACH };
    let below = |upper: usize| (upper.saturating_sub(reach(CANDIDATES[upper]))..upper).rev();
    let pairs = (1..CANDIDATES.len()).flat_map(|upper| below(upper).map(move |lower| (upper, lower)));
    pairs.map(|(upper, lower)| (CANDIDATES[upper], CANDIDATES[lower])).collect()
}

/// Returns each place but the lowest, with the one below.
fn steps(places: &[f64]) -> Vec<(f64, f64)> {
    places.windows(2).map(|two| (two[1], two[0])).collect()
}

/// Returns each place but the lowest, with the previous place of the level below.
fn steps_from_before(places: &[f64], before: &[f64]) -> Vec<(f64, f64)> {
    let steps = places.iter().skip(1).zip(places).zip(before);
    // Unmoved places have already met.
    let new = steps.filter(|((upper, own), lower)| own != lower && *upper - *lower > 1e-9);
    new.map(|((upper, _), lower)| (*upper, *lower)).collect()
}

fn name(place: f64) -> String {
    format!("{place:.4}")
}

fn rate_all(results: &Results) -> Result<Ratings, String> {
    rate(results, &LikelihoodOptions::default()).map_err(|error| error.to_string())
}

/// Returns places with their ratings, by ascending place.
fn ratings(ratings: &Ratings, places: &[f64]) -> Result<Vec<Rated>, String> {
    let mut rated = Vec::new();
    for place in places {
        let row = ratings.rows.iter().find(|row| row.name == name(*place));
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

/// Returns the places of levels with evenly spaced ratings.
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

/// Returns the nearest nondecreasing curve: falling neighbours get their mean.
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

/// Describes the levels with their measurements.
fn describe(
    contest: &Contest,
    way: Way,
    places: &[f64],
    scores: &[f64],
    ratings: &Ratings,
) -> Result<Vec<Level>, String> {
    let rows = &ratings.rows;
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
            game: linesman_games::find(&contest.game).ok_or("the game is known")?.id,
            seats: contest.teams.seats(),
            number: index as u8 + 1,
            strength: way.at(*place),
            measured: Some(Measured {
                elo: above(lowest)?.elo,
                margin: step.map(|step| (step.interval().high - step.interval().low) / 2.0),
                score: index.checked_sub(1).map(|below| scores[below]),
            }),
        });
    }
    Ok(levels)
}

#[expect(clippy::print_stderr, reason = "a run of half an hour shows its progress")]
pub fn eprint(text: &str) {
    eprintln!("{text}");
}
