//! Counts of many keys, in little memory.

/// The minimum number of new entries that are collected before they are merged.
const MIN_LOG: usize = 1 << 16;

/// The number of games of each key, in sixteen bytes per key.
///
/// New keys go to a log, which is sorted and merged with the earlier counts when it is long enough. A hash table
/// with the same number of entries takes three times the memory.
#[derive(Clone, Debug, Default)]
pub(super) struct GameCounts {
    /// Sorted, each key once.
    counted: Vec<(u64, u64)>,
    log: Vec<(u64, u64)>,
}

impl GameCounts {
    /// Adds `times` games of a key.
    pub fn add(&mut self, key: u64, times: u64) {
        if times == 0 {
            return;
        }
        self.log.push((key, times));
        if self.log.len() >= MIN_LOG.max(self.counted.len() / 4) {
            self.settle();
        }
    }

    /// Every key with its number of games, in the order of the keys.
    pub fn settled(&self) -> Vec<(u64, u64)> {
        let mut log = self.log.clone();
        log.sort_unstable_by_key(|(key, _)| *key);
        merged(&self.counted, &log)
    }

    /// Yields keys with numbers of games; a key can occur more than once.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counted.iter().chain(&self.log).copied()
    }

    fn settle(&mut self) {
        self.log.sort_unstable_by_key(|(key, _)| *key);
        self.counted = merged(&self.counted, &self.log);
        self.log.clear();
    }
}

/// Adds two lists of counts, each in the order of the keys.
fn merged(old: &[(u64, u64)], new: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut merged: Vec<(u64, u64)> = Vec::with_capacity(old.len() + new.len());
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let next = match (old.peek(), new.peek()) {
            (Some(one), Some(other)) if one.0 <= other.0 => old.next(),
            (Some(_), None) => old.next(),
            _ => new.next(),
        };
        let Some(&(key, times)) = next else { break };
        match merged.last_mut() {
            Some(last) if last.0 == key => last.1 += times,
            _ => merged.push((key, times)),
        }
    }
    merged.shrink_to_fit();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_in_any_order() {
        let mut counts = GameCounts::default();
        for number in 0..300_000_u64 {
            counts.add(number % 1000, 1);
            counts.add(1_000_000 + number, 2);
        }
        counts.add(7, 0);
        let settled = counts.settled();
        assert_eq!(settled.len(), 301_000);
        assert!(settled.is_sorted());
        assert_eq!((settled[0], settled[7], settled[1000]), ((0, 300), (7, 300), (1_000_000, 2)));
        assert_eq!(counts.iter().map(|(_, times)| times).sum::<u64>(), 900_000);
    }
}
