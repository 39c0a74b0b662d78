//! Random numbers that depend only on the game, and hashes of positions.

use std::hash::{Hash, Hasher};

use super::settings::EngineOption;
use linesman_types::random::{SplitMix64, scatter};

/// The option of every engine that leaves something to chance.
pub(super) const SEED: EngineOption = EngineOption {
    name: "Seed",
    about: "seed for the choice among equal moves",
    default: 0,
    min: 0,
    max: u32::MAX as i64,
};

/// A source of random numbers for one decision.
///
/// It depends on the decision (seed, game, seat, ply) and not on earlier decisions, so that a bot that is restarted
/// during a game plays the same moves as it would have otherwise.
pub(super) struct Chance(SplitMix64);

impl Chance {
    pub(super) fn of(decision: impl Hash) -> Chance {
        Chance(SplitMix64(fingerprint(decision)))
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.below(bound as u64)).expect("it is below the bound")
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A 64-bit hash of a value, the same in every run.
pub(super) fn fingerprint(value: impl Hash) -> u64 {
    let mut mixer = Mixer(0);
    value.hash(&mut mixer);
    mixer.finish()
}

/// A fast hasher without protection against deliberate collisions.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        scatter(self.0)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn only_the_same_decision_has_the_same_numbers() {
        let draw = |decision: (u64, &str, usize)| {
            let mut chance = Chance::of(decision);
            (0..20).map(|_| chance.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(draw((1, "a~b~1", 3)), draw((1, "a~b~1", 3)));
        for other in [(2, "a~b~1", 3), (1, "a~b~2", 3), (1, "a~b~1", 4)] {
            assert_ne!(draw((1, "a~b~1", 3)), draw(other));
        }
    }

    #[test]
    fn exactly_the_numbers_below_the_bound_are_drawn() {
        let mut chance = Chance::of(0_u64);
        let mut counts = [0; 7];
        for _ in 0..7_000 {
            counts[chance.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }

    #[test]
    fn similar_positions_have_different_fingerprints() {
        let boards = (0..100_u64).flat_map(|one| (0..100_u64).map(move |other| ([one, other], 1_u32)));
        let fingerprints: HashSet<u64> = boards.map(fingerprint).collect();
        assert_eq!(fingerprints.len(), 10_000);
    }
}
