//! The table of proven bounds, which several threads share.

use super::Outcome;
use super::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The proven bounds: for each visited position, the worst and the best value that it can still have.
pub(super) struct Proven {
    /// Each word has a key and two bounds, so that threads need no lock. In a full bucket, a new word replaces an older
    /// one.
    words: Vec<AtomicU64>,
    bits: u32,
}

/// The number of neighbouring words in which a position may be kept.
const BUCKET: usize = 4;
/// The bits of a word below the key: two for each bound.
const BOUNDS: u32 = 4;

impl Proven {
    /// Creates a table of 2^`bits` words of eight bytes.
    pub(super) fn new(bits: u32) -> Proven {
        Proven { words: (0..1u64 << bits).map(|_| AtomicU64::new(0)).collect(), bits }
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let scattered = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits);
        let start = scattered as usize & !(BUCKET - 1);
        &self.words[start..start + BUCKET]
    }

    /// The worst and the best value that a position can have.
    pub(super) fn bounds(&self, key: u64) -> (Outcome, Outcome) {
        let words = self.bucket(key).iter().map(|word| word.load(Relaxed));
        let known = words.filter(|word| *word != 0).find(|word| word >> BOUNDS == key);
        known.map_or((Outcome::Loss, Outcome::Win), |word| (outcome(word >> 2), outcome(word)))
    }

    /// Stores the proven bounds of a position.
    pub(super) fn note(&self, key: u64, worst: Outcome, best: Outcome) {
        let bucket = self.bucket(key);
        let word = key << BOUNDS | code(worst) << 2 | code(best);
        let same = bucket.iter().find(|kept| {
            let kept = kept.load(Relaxed);
            kept == 0 || kept >> BOUNDS == key
        });
        // The choice is arbitrary, but not always the same.
        let place = same.unwrap_or(&bucket[(key >> 7) as usize % BUCKET]);
        place.store(word, Relaxed);
    }
}

// No code is 0, so that no word in use is 0.
fn code(outcome: Outcome) -> u64 {
    outcome as u64 + 1
}

fn outcome(word: u64) -> Outcome {
    match word & 3 {
        1 => Outcome::Loss,
        2 => Outcome::Draw,
        _ => Outcome::Win,
    }
}
