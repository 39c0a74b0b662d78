//! Reproducible random numbers, and slightly varied texts.

use linesman_types::random::SplitMix64;

/// Random choices that follow from a seed.
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(SplitMix64(seed))
    }

    /// Returns a number below `end`, which is not 0. A remainder, unlike [`SplitMix64::below`]: the games of a seed
    /// depend on it.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// Returns an element of a slice; `None` if it is empty.
    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        (!from.is_empty()).then(|| &from[self.below(from.len())])
    }
}

/// The strings that can be inserted into a text.
const STRAYS: [&str; 16] =
    ["", " ", "\n", "\0", "/", ":", ".", "0", "1", "9", "a", "x", "X", "é", "\u{1F600}", "!3"];

/// Makes one or two random changes to a text.
pub(super) fn vary(text: &str, random: &mut Random) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(2) {
        let at = random.below(symbols.len() + 1);
        match random.below(7) {
            0 if at < symbols.len() => {
                symbols.remove(at);
            }
            1 if at < symbols.len() => {
                symbols[at] = next_symbol(symbols[at], random);
            }
            2 if at < symbols.len() => symbols[at] = symbols[at].to_ascii_uppercase(),
            3 if at < symbols.len() => {
                let other = random.below(symbols.len());
                symbols.swap(at, other);
            }
            4 => symbols.truncate(at),
            5 if at < symbols.len() => symbols.insert(at, symbols[at]),
            _ => {
                let stray = STRAYS[random.below(STRAYS.len())];
                symbols.splice(at..at, stray.chars());
            }
        }
    }
    symbols.into_iter().collect()
}

/// Returns a nearby character of the alphabet, which is likely to be another valid symbol.
fn next_symbol(symbol: char, random: &mut Random) -> char {
    let step = 1 + random.below(3) as u32;
    let code = u32::from(symbol);
    let moved = if random.below(2) == 0 { code.saturating_sub(step) } else { code + step };
    char::from_u32(moved).unwrap_or(symbol)
}
