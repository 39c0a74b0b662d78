//! Clauses in which seats and quotations stay apart from the words around them.

use std::fmt;

use crate::seat::Seat;

/// A clause for people to read. A caller can replace its seats with names, and escape its
/// quotations as the output requires.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Clause(Vec<ClausePart>);

/// A part of a clause.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ClausePart {
    /// Words.
    Words(String),
    /// A seat.
    Seat(Seat),
    /// A name or a setting, without the backticks that it has in plain text.
    Quoted(String),
}

impl Clause {
    /// Appends words.
    #[must_use]
    pub fn words(mut self, words: impl fmt::Display) -> Clause {
        self.0.push(ClausePart::Words(words.to_string()));
        self
    }

    /// Appends a seat.
    #[must_use]
    pub fn seat(mut self, seat: Seat) -> Clause {
        self.0.push(ClausePart::Seat(seat));
        self
    }

    /// Appends a quotation.
    #[must_use]
    pub fn quoted(mut self, text: impl Into<String>) -> Clause {
        self.0.push(ClausePart::Quoted(text.into()));
        self
    }

    /// Appends another clause.
    #[must_use]
    pub fn clause(mut self, other: &Clause) -> Clause {
        self.0.extend_from_slice(&other.0);
        self
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[ClausePart] {
        &self.0
    }

    /// Returns the clause as plain text, with a name for each seat.
    pub fn named(&self, name: impl Fn(Seat) -> String) -> String {
        let text = |part: &ClausePart| match part {
            ClausePart::Words(words) => words.clone(),
            ClausePart::Seat(seat) => name(*seat),
            ClausePart::Quoted(text) => format!("`{text}`"),
        };
        self.0.iter().map(text).collect()
    }
}

impl<T: Into<String>> From<T> for Clause {
    fn from(words: T) -> Clause {
        Clause(vec![ClausePart::Words(words.into())])
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(|seat| format!("seat {seat}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_become_names_but_words_do_not() {
        let clause = Clause::from("seat 2 is no seat; ").seat(Seat::FIRST).words(" set ").quoted("x = 1");
        assert_eq!(clause.to_string(), "seat 2 is no seat; seat 1 set `x = 1`");
        assert_eq!(clause.named(|_| "ada".to_owned()), "seat 2 is no seat; ada set `x = 1`");
    }
}
