//! Random numbers that are the same for the same seed, on every machine and in every version.
//!
//! G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Openings,
//! bootstrap intervals and the moves of built-in bots depend on these numbers.

/// The SplitMix64 generator, with its state.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Returns the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scatter(self.0)
    }

    /// Returns a number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The high half of a product: no worse than a remainder, and faster.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}

/// Mixes the bits of a number: the finalizer of SplitMix64.
pub const fn scatter(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Computes a digest of bytes that is the same on every machine. `start` is the digest of what comes before them, or 0.
///
/// Eight bytes at a time are multiplied into it, and both halves of the product are kept. It is made for
/// speed, not to resist deliberate collisions.
pub fn digest(start: u64, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |state: u64, word: [u8; 8]| {
        let product = u128::from(state ^ u64::from_le_bytes(word)) * u128::from(FACTOR);
        (product as u64) ^ (product >> 64) as u64
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(start ^ FACTOR ^ bytes.len() as u64, |state, word| {
        // The rotation keeps a product of 0 from erasing the earlier bytes.
        fold(state, *word).wrapping_add(state.rotate_left(23))
    });
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    scatter(fold(state, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_matches_the_reference_program() {
        // The first numbers of the authors' program for the seed 1234567.
        let mut random = SplitMix64(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }

    #[test]
    fn digests_differ_where_bytes_do() {
        let texts = ["", "a", "b", "aa", "\0", "\0\0", "12345678", "123456789", "12345678\0", "87654321"];
        let mut digests: Vec<u64> = texts.iter().map(|text| digest(0, text.as_bytes())).collect();
        digests.extend((0..64).map(|bit| digest(0, &(1_u64 << bit).to_le_bytes())));
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), texts.len() + 64);
    }
}
