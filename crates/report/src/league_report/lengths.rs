//! Lengths of games.

use crate::plot::Bin;

/// Length from which games are counted together; shorter lengths are counted separately.
const COUNTED_BELOW: usize = 4_096;

/// Possible widths of bins.
const WIDTHS: [u64; 12] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

/// Lengths of games in plies: exact sums in little memory.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct Lengths {
    pub(super) span: LengthSpan,
    counts: Vec<u64>,
    /// Number of games that are too long to be counted separately.
    pub(super) beyond: u64,
}

/// Minimum, mean and maximum of some lengths.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct LengthSpan {
    pub(super) games: u64,
    sum: u128,
    /// Minimum and maximum.
    pub(super) ends: Option<(u64, u64)>,
}

impl LengthSpan {
    pub(super) fn add(&mut self, plies: u64) {
        self.games += 1;
        self.sum += u128::from(plies);
        let (shortest, longest) = self.ends.unwrap_or((plies, plies));
        self.ends = Some((shortest.min(plies), longest.max(plies)));
    }

    pub(super) fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / self.games as f64)
    }
}

impl Lengths {
    pub(super) fn add(&mut self, plies: u64) {
        self.span.add(plies);
        match usize::try_from(plies).ok().filter(|index| *index < COUNTED_BELOW) {
            Some(index) => {
                if self.counts.len() <= index {
                    self.counts.resize(index + 1, 0);
                }
                self.counts[index] += 1;
            }
            None => self.beyond += 1,
        }
    }

    /// Returns the length that half of the games do not exceed; `None` if it is too long to be counted separately.
    pub(super) fn median(&self) -> Option<u64> {
        let half = self.span.games.div_ceil(2);
        let mut games = 0;
        let reached = self.counted().find(|(_, count)| {
            games += count;
            games >= half
        });
        reached.map(|(plies, _)| plies)
    }

    /// Returns each length that occurs, with its number of games.
    pub(super) fn counted(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        (0_u64..).zip(&self.counts).filter(|(_, games)| **games > 0).map(|(plies, games)| (plies, *games))
    }

    /// Sorts the games into at most `max` bins without gaps. All bins have the same width, a round number.
    pub(super) fn bins(&self, max: usize) -> Vec<Bin> {
        let Some((first, _)) = self.counted().next() else { return Vec::new() };
        let last = self.counts.len() as u64 - 1;
        let fits = |width: &&u64| last / **width - first / **width < max as u64;
        let width = *WIDTHS.iter().find(fits).unwrap_or(&WIDTHS[WIDTHS.len() - 1]);
        (first / width..=last / width)
            .map(|bin| {
                let (from, to) = (bin * width, (bin + 1) * width - 1);
                let games = self.counted().filter(|(plies, _)| (from..=to).contains(plies));
                Bin { from, to, games: games.map(|(_, games)| games).sum() }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(lengths: impl IntoIterator<Item = u64>) -> Lengths {
        let mut all = Lengths::default();
        lengths.into_iter().for_each(|plies| all.add(plies));
        all
    }

    #[test]
    fn lengths_are_summed_exactly() {
        let lengths = of([7, 9, 9, 1_000_000, 12]);
        assert_eq!((lengths.span.games, lengths.span.ends, lengths.beyond), (5, Some((7, 1_000_000)), 1));
        assert_eq!((lengths.span.mean(), lengths.median()), (Some(200_007.4), Some(9)));
        assert_eq!(lengths.counted().collect::<Vec<_>>(), [(7, 1), (9, 2), (12, 1)]);
        assert_eq!(of([]).span.mean().or(of([]).median().map(|plies| plies as f64)), None);
        assert_eq!(of([u64::MAX; 3]).span.mean(), Some(u64::MAX as f64), "nothing overflows");
        assert_eq!(of([u64::MAX; 3]).bins(9), []);
    }

    #[test]
    fn bins_have_round_ends() {
        let bins: Vec<_> = of(12..47).bins(10).iter().map(|bin| (bin.from, bin.to, bin.games)).collect();
        assert_eq!(bins[..3], [(10, 14, 3), (15, 19, 5), (20, 24, 5)]);
        assert_eq!(bins.last(), Some(&(45, 49, 2)));
        assert_eq!(of([5]).bins(10), [Bin { from: 5, to: 5, games: 1 }]);
    }

    proptest! {
        #[test]
        fn bins_hold_every_game_once(lengths in proptest::collection::vec(0..5_000_u64, 1..60), max in 1..40_usize) {
            let all = of(lengths.iter().copied());
            let bins = all.bins(max);
            prop_assert!(bins.len() <= max);
            prop_assert_eq!(bins.iter().map(|bin| bin.games).sum::<u64>() + all.beyond, lengths.len() as u64);
            prop_assert!(bins.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
            let mut sorted = lengths;
            sorted.sort_unstable();
            let middle = sorted[(sorted.len() - 1) / 2];
            prop_assert_eq!(all.median(), Some(middle).filter(|plies| *plies < COUNTED_BELOW as u64));
        }
    }
}
