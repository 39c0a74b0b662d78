//! The course of the ratings over the games of a league.

use std::collections::HashMap;

use crate::standings::tenths;
use linesman_rating::Ratings;

/// Values kept at evenly spaced numbers of games, at most a maximum number of them. The total number of games need not
/// be known in advance.
#[derive(Clone, Debug)]
pub struct Checkpoints<T> {
    max_kept: usize,
    step: u64,
    kept: Vec<(u64, T)>,
}

impl<T> Checkpoints<T> {
    /// Creates an empty collection that keeps at most `max_kept` values.
    pub fn of_most(max_kept: usize) -> Checkpoints<T> {
        Checkpoints { max_kept, step: 1, kept: Vec::new() }
    }

    /// Keeps the current value if it is due after this number of games. Called once for each number of games.
    pub fn pass(&mut self, games: u64, now: impl FnOnce() -> T) {
        if self.max_kept == 0 || !games.is_multiple_of(self.step) {
            return;
        }
        if self.kept.len() == self.max_kept {
            // From here on, the distance is twice as large.
            self.step *= 2;
            let step = self.step;
            self.kept.retain(|(games, _)| games.is_multiple_of(step));
            if !games.is_multiple_of(step) {
                return;
            }
        }
        if self.kept.len() < self.max_kept {
            self.kept.push((games, now()));
        }
    }

    /// Returns all kept values, each with its number of games.
    pub fn into_kept(self) -> Vec<(u64, T)> {
        self.kept
    }
}

/// The course of ratings.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Course {
    stations: Vec<Station>,
}

/// The ratings after some games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Station {
    pub(crate) games: u64,
    /// The highest rating first; equals are sorted by name.
    pub(crate) rows: Vec<Row>,
    numbers: HashMap<String, usize>,
}

/// The rating of a bot at a station.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Row {
    /// Equals share a rank.
    pub(crate) rank: usize,
    pub(crate) name: String,
    pub(crate) elo: f64,
    pub(crate) interval: Option<(f64, f64)>,
}

impl Course {
    /// Creates a course from ratings, each after a number of games, in the order of the games.
    pub fn new(ratings: impl IntoIterator<Item = (u64, Ratings)>) -> Course {
        let mut stations: Vec<Station> = Vec::new();
        for (games, ratings) in ratings {
            // If several are at the same point, the last counts.
            if stations.last().is_some_and(|last| last.games == games) {
                stations.pop();
            }
            stations.push(Station::new(games, &ratings));
        }
        Course { stations }
    }

    pub(crate) fn all(&self) -> &[Station] {
        &self.stations
    }

    /// Returns the stations at or after this number of games; all stations if these are too few for a line.
    pub(crate) fn settled(&self, games: u64) -> &[Station] {
        let early = self.stations.iter().take_while(|station| station.games < games).count();
        if self.stations.len() - early < 2 { &self.stations } else { &self.stations[early..] }
    }

    /// Returns at most `max` stations, evenly spaced, including the last one.
    pub(crate) fn stations(&self, max: usize) -> Vec<&Station> {
        let Some(last) = self.stations.last() else { return Vec::new() };
        let mut chosen: Vec<&Station> = Vec::new();
        for part in 1..=max as u64 {
            let wanted = last.games as u128 * u128::from(part) / max as u128;
            let distance = |station: &&Station| u128::from(station.games).abs_diff(wanted);
            if let Some(nearest) = self.stations.iter().min_by_key(distance)
                && chosen.last().is_none_or(|before| before.games < nearest.games)
            {
                chosen.push(nearest);
            }
        }
        chosen
    }
}

impl Station {
    fn new(games: u64, ratings: &Ratings) -> Station {
        let finite = |row: &linesman_rating::Rating| {
            let interval = row.interval.map(|interval| (interval.low, interval.high));
            let elo = row.elo.filter(|elo| elo.is_finite())?;
            Some(Row { rank: 0, name: row.name.clone(), elo, interval })
        };
        let mut rows: Vec<Row> = ratings.rows.iter().filter_map(finite).collect();
        let rating = |row: &Row| tenths(row.elo);
        rows.sort_by(|one, other| rating(other).cmp(&rating(one)).then_with(|| one.name.cmp(&other.name)));
        for index in 0..rows.len() {
            rows[index].rank = 1 + rows.partition_point(|better| rating(better) > rating(&rows[index]));
        }
        let numbers = rows.iter().enumerate().map(|(number, row)| (row.name.clone(), number)).collect();
        Station { games, rows, numbers }
    }

    pub(crate) fn of(&self, name: &str) -> Option<&Row> {
        self.numbers.get(name).map(|number| &self.rows[*number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(max: usize, games: u64) -> Vec<u64> {
        let mut points = Checkpoints::of_most(max);
        (1..=games).for_each(|game| points.pass(game, || ()));
        points.into_kept().into_iter().map(|(games, ())| games).collect()
    }

    #[test]
    fn checkpoints_are_evenly_spaced_for_any_number_of_games() {
        assert_eq!(kept(4, 3), [1, 2, 3]);
        assert_eq!(kept(4, 5), [2, 4]);
        assert_eq!(kept(4, 100), [32, 64, 96]);
        assert_eq!(kept(0, 9), Vec::<u64>::new());
        assert_eq!(kept(1, 9), [8]);
    }

    proptest! {
        #[test]
        fn there_are_never_more_checkpoints_than_allowed(max in 2..50_usize, games in 1..3_000_u64) {
            let kept = kept(max, games);
            prop_assert!(kept.len() <= max);
            prop_assert!(kept.len() as u64 >= (max as u64 / 2).min(games), "nor many fewer: {kept:?}");
            let step = kept[0];
            prop_assert!(kept.iter().zip(1..).all(|(games, number)| *games == number * step), "{kept:?}");
        }
    }
}
