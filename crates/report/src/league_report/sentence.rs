//! Sentences of a report. Names stay separate from the words around them, so that each form can escape them in its own
//! way.

use std::fmt;

use crate::describe::grouped;
use linesman_record::text::printable;
use linesman_types::clause::{Clause, ClausePart};

/// Maximum number of names that a sentence spells out; the rest is counted.
const MAX_NAMES: usize = 6;

/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 100;

/// A sentence and its topic.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Sentence {
    /// Its topic.
    pub about: About,
    parts: Vec<SentencePart>,
}

/// The topic of a sentence.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum About {
    Progress,
    /// The significance of the order of bots.
    Ranking,
    /// Bots that failed, and the points that others gained from that.
    Faults,
    /// The value of a seat.
    Seats,
    /// Games that repeat others.
    Repeats,
    /// The basis of the ratings.
    Ratings,
    /// The host on which the games were played.
    Host,
    /// The workers of a league that is played over a network.
    Workers,
}

impl About {
    /// Returns the word for it in data.
    pub fn word(self) -> &'static str {
        match self {
            About::Progress => "progress",
            About::Ranking => "ranking",
            About::Faults => "faults",
            About::Seats => "seats",
            About::Repeats => "repeats",
            About::Ratings => "ratings",
            About::Host => "host",
            About::Workers => "workers",
        }
    }
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub enum SentencePart {
    /// Words of this program.
    Words(String),
    /// A name that a user or a bot chose, printable.
    Name(String),
    /// Words that may contain names, printable.
    Mixed(String),
    /// A name or a setting between such words, printable.
    Quoted(String),
}

impl Sentence {
    /// Creates an empty sentence.
    pub fn about(about: About) -> Sentence {
        Sentence { about, parts: Vec::new() }
    }

    /// Adds words of this program.
    #[must_use]
    pub fn words(mut self, words: impl fmt::Display) -> Sentence {
        self.parts.push(SentencePart::Words(words.to_string()));
        self
    }

    #[must_use]
    pub fn name(mut self, name: &str) -> Sentence {
        self.parts.push(SentencePart::Name(printable(name, MAX_NAME)));
        self
    }

    /// Adds a clause that may contain foreign text.
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

    /// Adds names: `a`, `a` and `b`, `a`, `b` and `c`.
    #[must_use]
    pub fn names<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Sentence {
        self.separated(&names.into_iter().collect::<Vec<_>>(), " and ")
    }

    /// Adds names with commas between them, and with `last` before the last of several.
    fn separated(mut self, names: &[&str], last: &str) -> Sentence {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self = self.words(if index + 1 == names.len() { last } else { ", " });
            }
            self = self.name(name);
        }
        self
    }

    /// Adds the first of these names, with the number of others: `a`, `b` and 4 others.
    #[must_use]
    pub(super) fn some_names(self, names: &[&str]) -> Sentence {
        if names.len() <= MAX_NAMES {
            return self.separated(names, " and ");
        }
        let (first, others) = names.split_at(MAX_NAMES - 1);
        self.separated(first, ", ").words(format_args!(" and {} others", grouped(others.len() as u64)))
    }

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
