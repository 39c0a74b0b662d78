//! Squares as text, and the mistakes in text that can't be read.

use std::fmt;

/// A square, by its file from the left and its rank from the bottom, both from 0.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Square {
    file: u8,
    rank: u8,
}

impl Square {
    /// Makes the square in this file and rank, both counted from 0.
    ///
    /// # Panics
    /// If there is no letter for the file or the rank is 99 or more.
    pub fn new(file: usize, rank: usize) -> Square {
        assert!(file < 26 && rank < 99, "no square is at file {file}, rank {rank}");
        Square { file: file as u8, rank: rank as u8 }
    }

    /// The file from the left, from 0.
    pub fn file(self) -> usize {
        usize::from(self.file)
    }

    /// The rank from the bottom, from 0.
    pub fn rank(self) -> usize {
        usize::from(self.rank)
    }

    /// Returns true if it lies on a board of `size` files and ranks.
    pub(crate) fn is_within(self, size: usize) -> bool {
        self.file() < size && self.rank() < size
    }

    /// Reads a square at the start of a text, and returns it with the rest.
    /// A rank has no leading zero; it takes the second digit if there is one.
    pub fn parse_prefix(text: &str) -> Option<(Square, &str)> {
        let bytes = text.as_bytes();
        let file = bytes.first().filter(|byte| byte.is_ascii_lowercase())? - b'a';
        let digits = bytes[1..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || bytes[1] == b'0' {
            return None;
        }
        let number = bytes[1..1 + digits].iter().fold(0, |number, digit| number * 10 + (digit - b'0'));
        Some((Square { file, rank: number - 1 }, &text[1 + digits..]))
    }

    /// Reads two squares and nothing else.
    pub(crate) fn parse_pair(text: &str) -> Option<(Square, Square)> {
        let (first, rest) = Square::parse_prefix(text)?;
        let (second, rest) = Square::parse_prefix(rest)?;
        rest.is_empty().then_some((first, second))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a move of the game under any options.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct NotAMove {
    /// The mistake, and the form of a move.
    pub why: String,
}

/// A move that can't be played here, and the rule that it breaks.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Illegal {
    /// Code of the rule that it breaks: one of the game's [`Rules::BREAKABLE`](crate::Rules::BREAKABLE).
    pub rule: &'static str,
    /// The rule that it breaks, for people.
    pub why: String,
}

impl Illegal {
    /// Code for moves after the end of the game.
    pub const OVER: &'static str = "over";

    /// Makes the refusal of a move that breaks the rule of this code, with its reason.
    pub fn new(rule: &'static str, why: impl Into<String>) -> Illegal {
        Illegal { rule, why: why.into() }
    }

    /// Makes the refusal of a move after the end of the game.
    pub fn over() -> Illegal {
        Illegal::new(Illegal::OVER, "the game is over")
    }
}

/// The reason why a move was refused.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Not the text of any move.
    #[error(transparent)]
    NotAMove(#[from] NotAMove),
    /// A move that is not legal here.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// A position token that can't be read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why} ({place})")]
pub struct NotAPosition {
    /// The mistake.
    pub why: String,
    /// The place in the token, such as a row or a field.
    pub place: String,
}

/// Returns a number with its noun: `1 move`, `2 moves`.
pub(crate) fn counted(number: u32, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Makes a [`NotAPosition`].
pub fn bad_position(place: impl Into<String>, why: impl Into<String>) -> NotAPosition {
    NotAPosition { why: why.into(), place: place.into() }
}

/// Reads a decimal number without a sign or leading zeros.
pub(crate) fn plain_number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let canonical = text == "0" || (!text.starts_with('0') && !text.is_empty());
    (canonical && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_one_spelling() {
        assert_eq!(Square::parse_prefix("c1c5"), Some((Square::new(2, 0), "c5")));
        assert_eq!(Square::parse_prefix("p16"), Some((Square::new(15, 15), "")));
        for text in ["", "a", "a0", "a01", "A1", "1a", "é1"] {
            assert_eq!(Square::parse_prefix(text), None, "{text}");
        }
        assert_eq!(Square::new(9, 9).to_string(), "j10");
    }

    #[test]
    fn numbers_have_one_spelling() {
        assert_eq!(plain_number::<u32>("10"), Some(10));
        assert_eq!(plain_number::<u32>("0"), Some(0));
        for text in ["", "01", "+1", "-1", " 1", "1 ", "4294967296"] {
            assert_eq!(plain_number::<u32>(text), None, "{text}");
        }
    }
}
