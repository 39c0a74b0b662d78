//! A line of moves that a bot expects.

use std::fmt;

/// A sequence of moves in one string, to save memory: one is kept for every move of a game.
#[derive(Clone, Eq, PartialEq, Default)]
pub struct Variation(String);

impl Variation {
    /// The moves in order.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').filter(|mv| !mv.is_empty())
    }

    /// Returns true if there is no move.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The length in bytes.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl<T: AsRef<str>> FromIterator<T> for Variation {
    fn from_iter<I: IntoIterator<Item = T>>(moves: I) -> Variation {
        let mut text = String::new();
        for mv in moves {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(mv.as_ref());
        }
        text.shrink_to_fit();
        Variation(text)
    }
}

impl fmt::Debug for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.moves()).finish()
    }
}
