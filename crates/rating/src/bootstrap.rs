//! Bootstrap intervals: the field is rated repeatedly, with games drawn from its own.
//!
//! B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979): the same
//! number of games is drawn with replacement, the field is rated from them, and the interval is the middle 95
//! % of the ratings. Games that are not independent (those of an opening pair and repeated games) are drawn
//! together.

use super::clusters::{Cluster, Clusters};
use super::confidence_interval::{ENDS, Interval};
use super::dataset::Dataset;
use super::notes::FieldNote;
use super::rating_plan::RatingPlan;
use super::ratings::{Rating, Ratings};
use linesman_types::random::SplitMix64;

/// Replaces all intervals by bootstrap intervals.
pub(super) fn write_intervals(
    dataset: &Dataset,
    plan: &RatingPlan<'_>,
    resamples: u32,
    seed: u64,
    ratings: &mut Ratings,
) {
    let resampler = Resampler::of(dataset);
    let mut random = SplitMix64(seed);
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); ratings.rows.len()];
    let mut advantages: Vec<f64> = Vec::new();
    let mut lost = 0;
    for _ in 0..resamples {
        let resample = resampler.draw(dataset, &mut random);
        let Some(rated) = plan.rate_resample(&resample) else {
            lost += 1;
            continue;
        };
        for (samples, elo) in samples.iter_mut().zip(&rated.elo) {
            samples.extend(elo);
        }
        let is_left_out = |(elo, row): (&Option<f64>, &Rating)| elo.is_none() && row.elo.is_some();
        lost += u64::from(rated.elo.iter().zip(&ratings.rows).any(is_left_out));
        advantages.extend(rated.first_seat);
    }
    for (row, samples) in ratings.rows.iter_mut().zip(&mut samples) {
        let is_given = row.interval.is_some_and(|interval| interval.low == interval.high);
        if row.elo.is_some() && !is_given {
            row.interval = middle(samples);
        }
    }
    if let Some((_, interval)) = &mut ratings.first_seat_advantage {
        *interval = middle(&mut advantages).unwrap_or(*interval);
    }
    if lost > 0 {
        ratings.notes.push(FieldNote::ResamplesLost { resamples: lost, of: u64::from(resamples) });
    }
}

/// The interval that contains the middle 95 % of some numbers.
fn middle(numbers: &mut [f64]) -> Option<Interval> {
    numbers.sort_unstable_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    // Linear interpolation between two of them: definition 7 of R. J. Hyndman and Y. Fan, "Sample quantiles
    // in statistical packages", The American Statistician 50 (1996).
    let quantile = |share: f64| {
        let at = share * last as f64;
        let below = at.floor() as usize;
        let above = (below + 1).min(last);
        numbers[below] + (at - below as f64) * (numbers[above] - numbers[below])
    };
    Some(Interval { low: quantile(ENDS[0]), high: quantile(ENDS[1]) })
}

/// The units that are drawn together, with their numbers.
struct Resampler {
    /// Each kind of unit, with its games as indices of the dataset's counts.
    units: Vec<ResamplingUnit>,
    /// The number of units up to each kind, including that kind.
    up_to: Vec<u64>,
}

enum ResamplingUnit {
    Game(usize),
    Games(Box<[(usize, u64)]>),
}

impl Resampler {
    fn of(dataset: &Dataset) -> Resampler {
        let index_of = |key: u64| {
            let found = dataset.counts.binary_search_by_key(&key, |(counted, _)| *counted);
            found.expect("games of clusters are counted too")
        };
        let mut alone: Vec<u64> = dataset.counts.iter().map(|(_, games)| *games).collect();
        let mut resampler = Resampler { units: Vec::new(), up_to: Vec::new() };
        for (Cluster { games, .. }, times) in &dataset.clusters.kinds {
            let games: Box<[(usize, u64)]> =
                games.iter().map(|(key, played)| (index_of(*key), *played)).collect();
            for (at, played) in &games {
                alone[*at] -= played * times;
            }
            resampler.add(ResamplingUnit::Games(games), *times);
        }
        for (at, games) in alone.into_iter().enumerate() {
            resampler.add(ResamplingUnit::Game(at), games);
        }
        resampler
    }

    fn add(&mut self, unit: ResamplingUnit, times: u64) {
        if times > 0 {
            self.up_to.push(self.up_to.last().unwrap_or(&0) + times);
            self.units.push(unit);
        }
    }

    /// Draws the same number of units with replacement.
    fn draw(&self, dataset: &Dataset, random: &mut SplitMix64) -> Dataset {
        let total = self.up_to.last().copied().unwrap_or(0);
        let mut drawn = vec![0; dataset.counts.len()];
        for _ in 0..total {
            let number = random.below(total);
            match &self.units[self.up_to.partition_point(|up_to| *up_to <= number)] {
                ResamplingUnit::Game(at) => drawn[*at] += 1,
                ResamplingUnit::Games(games) => games.iter().for_each(|(at, played)| drawn[*at] += played),
            }
        }
        let counts = dataset.counts.iter().zip(drawn).filter(|(_, times)| *times > 0);
        Dataset {
            entrants: dataset.entrants.clone(),
            counts: counts.map(|((key, _), times)| (*key, times)).collect(),
            sheets: dataset.sheets.clone(),
            clusters: Clusters::default(),
            games: dataset.games,
            self_games: dataset.self_games,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_omits_the_same_share_at_either_end() {
        let mut numbers: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(middle(&mut numbers), Some(Interval { low: 25.0, high: 975.0 }));
        assert_eq!(middle(&mut [3.0]), Some(Interval { low: 3.0, high: 3.0 }));
        assert_eq!(middle(&mut []), None);
    }
}
