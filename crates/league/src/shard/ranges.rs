//! A set of games of a schedule, as ranges of their indices.

use serde::{Deserialize, Serialize};

/// Indices of games: ascending ranges, each with its first and its last index.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, u64)>")]
pub struct GameRanges(Vec<(u64, u64)>);

impl GameRanges {
    /// Creates the set of these ascending indices.
    pub fn of(indices: impl IntoIterator<Item = u64>) -> GameRanges {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for index in indices {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == index => *last = index,
                _ => ranges.push((index, index)),
            }
        }
        GameRanges(ranges)
    }

    /// Returns true if the set contains a game.
    pub fn contains(&self, index: u64) -> bool {
        let after = self.0.partition_point(|(first, _)| *first <= index);
        after.checked_sub(1).is_some_and(|range| index <= self.0[range].1)
    }

    pub fn games(&self) -> u64 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// The indices, in order.
    pub fn indices(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }
}

impl TryFrom<Vec<(u64, u64)>> for GameRanges {
    type Error = &'static str;

    fn try_from(ranges: Vec<(u64, u64)>) -> Result<GameRanges, &'static str> {
        let are_valid = ranges.iter().all(|(first, last)| first <= last && *last < u64::MAX);
        let ascend = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
        if are_valid && ascend { Ok(GameRanges(ranges)) } else { Err("the ranges of games must ascend") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_convert_to_ranges_and_back() {
        let indices = [0, 1, 2, 7, 9, 10];
        let ranges = GameRanges::of(indices);
        assert_eq!(serde_json::to_string(&ranges).expect("numbers"), "[[0,2],[7,7],[9,10]]");
        assert_eq!(ranges.indices().collect::<Vec<_>>(), indices);
        assert_eq!(ranges.games(), 6);
        for index in 0..12 {
            assert_eq!(ranges.contains(index), indices.contains(&index), "{index}");
        }
        assert_eq!(GameRanges::of([]).games(), 0);
    }

    #[test]
    fn ranges_that_overlap_descend_or_end_too_high_are_refused() {
        for text in ["[[0,2],[2,3]]", "[[5,6],[0,1]]", "[[3,2]]", "[[0,18446744073709551615]]"] {
            assert!(serde_json::from_str::<GameRanges>(text).is_err(), "{text}");
        }
    }
}
