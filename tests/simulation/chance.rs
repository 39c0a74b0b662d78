//! Pseudo-random numbers that follow from a seed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use linesman::random::SplitMix64;

/// A small generator, the same on every machine.
#[derive(Clone, Debug)]
pub struct Chance(SplitMix64);

impl Chance {
    /// Creates the generator of a seed for a purpose.
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

    pub fn up_to(&mut self, max: usize) -> usize {
        self.below(max as u64 + 1) as usize
    }

    /// Returns true with a probability given in thousandths.
    pub fn hits(&mut self, per_mille: u64) -> bool {
        self.below(1_000) < per_mille
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// Returns a duration below `end`.
    pub fn within(&mut self, end: Duration) -> Duration {
        Duration::from_nanos(self.below(end.as_nanos() as u64))
    }
}
