//! The transposition table: bounds on the values of positions, in bounded memory.

/// A bounded table of positions that were searched, by their fingerprints.
///
/// A bucket has two slots: one for the deepest search and one for the latest. Entries of an earlier game count as
/// empty, so that every game is searched alike.
pub(super) struct TranspositionTable<M> {
    slots: Vec<Option<Entry<M>>>,
    game: u16,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct Entry<M> {
    key: u64,
    /// The best move, or one that was good enough.
    pub(super) mv: Option<M>,
    /// The value for the side to move.
    pub(super) value: i32,
    /// The depth of the search, in plies.
    pub(super) depth: u8,
    pub(super) bound: BoundKind,
    game: u16,
}

/// The relation of a stored value to the true one.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum BoundKind {
    /// The stored value is the true one.
    Exact,
    /// The true value is not lower.
    Lower,
    /// The true value is not higher.
    Upper,
}

impl<M: Copy> TranspositionTable<M> {
    /// Creates an empty table of at most this number of bytes, but with at least one bucket.
    pub(super) fn new(bytes: usize) -> TranspositionTable<M> {
        let buckets = (bytes / (2 * size_of::<Option<Entry<M>>>())).max(1);
        TranspositionTable { slots: vec![None; buckets * 2], game: 0 }
    }

    pub(super) fn forget(&mut self) {
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.slots.fill(None);
        }
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry<M>> {
        let bucket = self.bucket(key);
        let mut known = self.slots[bucket..bucket + 2].iter().flatten();
        known.find(|entry| entry.key == key && entry.game == self.game).copied()
    }

    /// Stores the result of a search. If it has no move, a move that was stored before is kept.
    pub(super) fn keep(&mut self, key: u64, mv: Option<M>, value: i32, depth: u8, bound: BoundKind) {
        let bucket = self.bucket(key);
        let game = self.game;
        let slots = &mut self.slots[bucket..bucket + 2];
        let current = |slot: &Option<Entry<M>>| slot.filter(|entry| entry.game == game);
        let same = |slot: &Option<Entry<M>>| current(slot).is_some_and(|entry| entry.key == key);
        let index = match slots.iter().position(same) {
            Some(index) => index,
            // The first slot is for the deepest search, the second for the latest.
            None if current(&slots[0]).is_none_or(|entry| depth >= entry.depth) => {
                slots[1] = slots[0];
                0
            }
            None => 1,
        };
        let before = current(&slots[index]).filter(|entry| entry.key == key).and_then(|entry| entry.mv);
        slots[index] = Some(Entry { key, mv: mv.or(before), value, depth, bound, game });
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / 2) as u128;
        2 * ((u128::from(key) * buckets) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_bucket_keeps_the_deepest_and_the_newest() {
        let mut table = TranspositionTable::<u8>::new(0);
        for (key, depth) in [(1, 9), (2, 3), (3, 5)] {
            table.keep(key, Some(key as u8), 10, depth, BoundKind::Exact);
        }
        let known =
            |table: &TranspositionTable<u8>| [1, 2, 3].map(|key| table.find(key).and_then(|entry| entry.mv));
        assert_eq!(known(&table), [Some(1), None, Some(3)]);
        table.keep(3, None, 20, 6, BoundKind::Upper);
        assert_eq!(known(&table), [Some(1), None, Some(3)], "the move stays when no other is known");
        table.forget();
        assert_eq!(known(&table), [None, None, None]);
    }

    #[test]
    fn a_table_is_as_large_as_allowed() {
        let table = TranspositionTable::<u16>::new(1 << 20);
        let bytes = table.slots.len() * size_of::<Option<Entry<u16>>>();
        assert!((bytes as f64) <= f64::from(1 << 20) && bytes > 1_000_000, "{bytes}");
    }
}
