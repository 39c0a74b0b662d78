//! A set of digests that takes little more than the digests themselves.

/// The maximum mean number of digests in a list; above it, all lists are split.
const MAX_MEAN_LENGTH: usize = 512;

/// Digests of 64 bits, spread evenly, in about ten bytes each. A hash table takes up to 19, and 28 while it grows.
#[derive(Clone, Debug)]
pub(crate) struct DigestSet {
    /// The digests in ascending order, in a list for each value of their first `bits` bits.
    lists: Vec<Vec<u64>>,
    bits: u32,
    number: usize,
}

impl Default for DigestSet {
    fn default() -> DigestSet {
        DigestSet { lists: vec![Vec::new()], bits: 0, number: 0 }
    }
}

impl DigestSet {
    /// Adds a digest. Returns false if it is there already.
    pub(crate) fn insert(&mut self, digest: u64) -> bool {
        let list = digest.checked_shr(u64::BITS - self.bits).unwrap_or(0);
        let list = &mut self.lists[list as usize];
        let Err(place) = list.binary_search(&digest) else { return false };
        if list.len() == list.capacity() {
            list.reserve_exact(list.len() / 16 + 4);
        }
        list.insert(place, digest);
        self.number += 1;
        if self.number > self.lists.len() * MAX_MEAN_LENGTH {
            self.split();
        }
        true
    }

    /// Splits each list by one bit more.
    fn split(&mut self) {
        self.bits += 1;
        let bit = 1 << (u64::BITS - self.bits);
        let mut lists = Vec::with_capacity(2 * self.lists.len());
        for mut list in std::mem::take(&mut self.lists) {
            let upper = list.split_off(list.partition_point(|digest| digest & bit == 0));
            list.shrink_to_fit();
            lists.extend([list, upper]);
        }
        self.lists = lists;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use linesman_types::random::SplitMix64;

    #[test]
    fn each_digest_is_new_once() {
        let (mut random, mut set, mut seen) = (SplitMix64(1), DigestSet::default(), HashSet::new());
        for number in 0..60_000 {
            // Half of them come a second time, and some are at the ends of their range.
            let digest = match number % 4 {
                0 => random.next_u64(),
                1 => u64::MAX - number / 1_000,
                2 => number / 1_000,
                _ => SplitMix64(number / 8).next_u64(),
            };
            assert_eq!(set.insert(digest), seen.insert(digest), "{digest:x}");
        }
        assert_eq!(set.number, seen.len());
        assert!(set.lists.len() > 32, "they have been split");
    }
}
