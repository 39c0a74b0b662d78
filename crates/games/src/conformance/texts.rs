//! Reproducible random numbers, and texts that differ a little from given ones.

use linesman_types::random::SplitMix64;

/// A source of pseudorandom numbers.
pub(super) struct Numbers(SplitMix64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Numbers {
        Numbers(SplitMix64(seed))
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        (!from.is_empty()).then(|| &from[self.below(from.len())])
    }
}

/// The characters that can be inserted into a text that did not contain them.
const STRAYS: [&str; 16] =
    ["", " ", "\n", "\0", "/", ":", ".", "0", "1", "9", "a", "x", "X", "é", "\u{1F600}", "!3"];

/// A text that differs from a given one in one or a few places.
pub(super) fn near(text: &str, numbers: &mut Numbers) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    for _ in 0..1 + numbers.below(2) {
        let at = numbers.below(symbols.len() + 1);
        match numbers.below(7) {
            0 if at < symbols.len() => {
                symbols.remove(at);
            }
            1 if at < symbols.len() => {
                symbols[at] = next_symbol(symbols[at], numbers);
            }
            2 if at < symbols.len() => symbols[at] = symbols[at].to_ascii_uppercase(),
            3 if at < symbols.len() => {
                let other = numbers.below(symbols.len());
                symbols.swap(at, other);
            }
            4 => symbols.truncate(at),
            5 if at < symbols.len() => symbols.insert(at, symbols[at]),
            _ => {
                let stray = STRAYS[numbers.below(STRAYS.len())];
                symbols.splice(at..at, stray.chars());
            }
        }
    }
    symbols.into_iter().collect()
}

/// A neighbour in the alphabet: the most likely to be another valid symbol.
fn next_symbol(symbol: char, numbers: &mut Numbers) -> char {
    let step = 1 + numbers.below(3) as u32;
    let code = u32::from(symbol);
    let moved = if numbers.below(2) == 0 { code.saturating_sub(step) } else { code + step };
    char::from_u32(moved).unwrap_or(symbol)
}
