//! Numbers by chance that follow from a seed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use linesman::random::SplitMix64;

/// Small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(SplitMix64);

impl Chance {
    /// The numbers of a seed, and of what they are for.
    pub fn of(seed: u64, purpose: impl Hash) -> Chance {
        let mut hasher = DefaultHasher::new();
        (seed, purpose).hash(&mut hasher);
        Chance(SplitMix64(hasher.finish()))
    }

    pub fn next(&mut self) -> u64 {
        self.0.next_u64()
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
