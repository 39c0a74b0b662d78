//! What a report says in words. Names stay apart from the words around them,
//! so that each form can show them in its own, harmless way.

use std::fmt;

use crate::describe::grouped;
use linesman_record::text::printable;
use linesman_types::clause::{Clause, ClausePart};

/// Number of names that a sentence spells out at most where the rest is counted.
const MOST_NAMES: usize = 6;

/// How much of a name is shown, in bytes.
const MOST_NAME: usize = 100;

/// A sentence, and what it is about.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Sentence {
    /// What it is about.
    pub about: About,
    parts: Vec<SentencePart>,
}

/// What a sentence is about.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum About {
    /// How far the league has come.
    Progress,
    /// Whether the order of bots is more than chance.
    Ranking,
    /// Bots that failed, and what others got by it.
    Faults,
    /// What a seat is worth.
    Seats,
    /// Games that repeat others.
    Repeats,
    /// How the ratings came about.
    Ratings,
    /// The host on which the games were played.
    Host,
}

impl About {
    /// The word for it in data.
    pub fn word(self) -> &'static str {
        match self {
            About::Progress => "progress",
            About::Ranking => "ranking",
            About::Faults => "faults",
            About::Seats => "seats",
            About::Repeats => "repeats",
            About::Ratings => "ratings",
            About::Host => "host",
        }
    }
}

/// A part of a sentence.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum SentencePart {
    /// Words of ours.
    Words(String),
    /// A name that somebody else chose, printable.
    Name(String),
    /// Words in which names may stand, printable.
    Mixed(String),
    /// A name or a setting between such words, printable.
    Quoted(String),
}

impl Sentence {
    /// A sentence without a word.
    pub fn about(about: About) -> Sentence {
        Sentence { about, parts: Vec::new() }
    }

    /// The same with words of ours after it.
    #[must_use]
    pub fn words(mut self, words: impl fmt::Display) -> Sentence {
        self.parts.push(SentencePart::Words(words.to_string()));
        self
    }

    /// The same with a name after it.
    #[must_use]
    pub fn name(mut self, name: &str) -> Sentence {
        self.parts.push(SentencePart::Name(printable(name, MOST_NAME)));
        self
    }

    /// The same with a clause after it in which others may have put something.
    #[must_use]
    pub fn clause(mut self, clause: &Clause) -> Sentence {
        let all = |text: &str| printable(text, usize::MAX);
        self.parts.extend(clause.parts().iter().map(|part| match part {
            ClausePart::Words(words) => SentencePart::Mixed(all(words)),
            ClausePart::Seat(seat) => SentencePart::Mixed(format!("seat {seat}")),
            ClausePart::Quoted(text) => SentencePart::Quoted(all(text)),
        }));
        self
    }

    /// The same with names after it: `a`, `a` and `b`, `a`, `b` and `c`.
    #[must_use]
    pub fn names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Sentence {
        let names: Vec<&str> = names.into_iter().collect();
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self = self.words(if index + 1 == names.len() { " and " } else { ", " });
            }
            self = self.name(name);
        }
        self
    }

    /// The same with some of these names after it, the rest counted: `a`, `b` and 4 others.
    #[must_use]
    pub(super) fn some_names(mut self, names: &[&str]) -> Sentence {
        if names.len() <= MOST_NAMES {
            return self.names(names.iter().copied());
        }
        let (first, others) = names.split_at(MOST_NAMES - 1);
        for (index, name) in first.iter().enumerate() {
            self = if index > 0 { self.words(", ") } else { self }.name(name);
        }
        self.words(format_args!(" and {} others", grouped(others.len() as u64)))
    }

    /// Its parts in their order.
    pub fn parts(&self) -> &[SentencePart] {
        &self.parts
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            SentencePart::Words(words) | SentencePart::Mixed(words) => f.write_str(words),
            SentencePart::Name(text) | SentencePart::Quoted(text) => write!(f, "`{text}`"),
        })
    }
}
