//! Which records count, when a game has several.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use crate::record::outcome::{Ended, Outcome};

/// Whether a record counts.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Standing {
    /// It is the game's record.
    Counts,
    /// The game was void by the host's fault, and is played again.
    ToBeReplayed,
    /// An earlier record of the same game counts.
    Duplicate,
}

/// Tells which of the records that come by count: of each game the first that
/// is not void by the host's fault.
///
/// A game is its id within its league. Sixteen bytes a game are remembered.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    seen: HashSet<u128, BuildHasherDefault<Half>>,
    duplicates: u64,
    to_be_replayed: u64,
}

impl Selection {
    /// Nothing has come by yet.
    pub fn new() -> Selection {
        Selection::default()
    }

    /// Whether this record counts. Call it once for each record, in their order.
    pub fn judge(&mut self, outcome: &Outcome<'_>) -> Standing {
        self.judge_game(outcome.league.as_deref(), &outcome.id, &outcome.result)
    }

    /// The same of a record of which only this is known.
    pub fn judge_game(&mut self, league: Option<&str>, id: &str, result: &Ended) -> Standing {
        if *result == Ended::VoidHost {
            self.to_be_replayed += 1;
            return Standing::ToBeReplayed;
        }
        if self.seen.insert(digest(league, id)) {
            return Standing::Counts;
        }
        self.duplicates += 1;
        Standing::Duplicate
    }

    /// How many games count so far.
    pub fn games(&self) -> usize {
        self.seen.len()
    }

    /// How many records did not count because an earlier one does.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// How many records were of games that are to be played again.
    pub fn to_be_replayed(&self) -> u64 {
        self.to_be_replayed
    }
}

/// Digests are hashed already: half of one will do.
#[derive(Copy, Clone, Debug, Default)]
struct Half(u64);

impl Hasher for Half {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}

fn digest(league: Option<&str>, id: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, league, id).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
