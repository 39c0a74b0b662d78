//! Numbers by chance that follow from a seed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// Splitmix64: small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The numbers of a seed, and of what they are for.
    pub fn of(seed: u64, purpose: impl Hash) -> Chance {
        let mut hasher = DefaultHasher::new();
        (seed, purpose).hash(&mut hasher);
        Chance(hasher.finish())
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    pub fn up_to(&mut self, most: usize) -> usize {
        self.below(most as u64 + 1) as usize
    }

    /// Whether something comes true that does so many times in a thousand.
    pub fn hits(&mut self, per_mille: u64) -> bool {
        self.below(1_000) < per_mille
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// A time up to this one.
    pub fn within(&mut self, most: Duration) -> Duration {
        Duration::from_nanos(self.below(most.as_nanos() as u64))
    }
}
