//! Openings: positions that games start from, so that bots that always play
//! alike don't play the same game again and again.
//!
//! An [`Opening`] is a list of moves from the usual start, or from a position
//! given by its token. [`mod@file`] reads and writes files of them; a [`Drawer`]
//! says which game starts from which: all games of an encounter from the same
//! one, so that everyone has it from every seat.

mod draw;
pub mod file;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use crate::words::words;
use linesman_games::{Setup, Table};
use linesman_record::OpeningRecord;

pub use draw::{Drawer, Drawn};

/// What a game starts from.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Opening {
    /// The position's token; none = the usual start.
    pub token: Option<String>,
    /// The moves from there that are played before the bots are asked.
    pub moves: Vec<String>,
}

/// The word before a position's token.
const TOKEN: &str = "token";

words! {
    /// In which order openings come up.
    #[derive(Default)]
    pub enum Order {
        /// For everyone who meets in an order of their own, which follows from
        /// their names and the seed.
        #[default]
        Random = "random",
        /// In that of the list: the second encounter of all is played from the second.
        Sequential = "sequential",
    }
}

/// What the games of a tournament start from.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Openings {
    /// The openings; at least one. There can be many, and several keep them.
    pub list: Arc<[Opening]>,
    /// In which order they come up.
    pub order: Order,
}

/// An opening that no game can start from.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadOpening {
    /// Which word of the line is wrong, from 0; none if it is the whole line.
    pub word: Option<usize>,
    /// The mistake.
    pub why: String,
}

impl BadOpening {
    fn at(word: usize, why: impl Into<String>) -> BadOpening {
        BadOpening { word: Some(word), why: why.into() }
    }
}

impl Opening {
    /// Reads an opening as it stands on a line: moves, or `token`, a
    /// position's token and moves. Whether a game can start from it is not
    /// looked at.
    ///
    /// # Errors
    /// A line without a word, or `token` without a token.
    pub fn parse(line: &str) -> Result<Opening, BadOpening> {
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        let token = match words.next_if(|word| word == TOKEN) {
            Some(_) => Some(
                words
                    .next()
                    .ok_or_else(|| BadOpening::at(0, "`token` must be followed by a position token"))?,
            ),
            None => None,
        };
        let opening = Opening { token, moves: words.collect() };
        if opening == Opening::default() {
            let why = "the opening is empty".to_owned();
            return Err(BadOpening { word: None, why });
        }
        Ok(opening)
    }

    /// A table on which the opening has been played.
    ///
    /// # Errors
    /// A token that can't be read, a move that can't be played, or a game that
    /// is over before a bot is asked.
    pub fn table(&self, setup: &dyn Setup) -> Result<Box<dyn Table>, BadOpening> {
        let over = |table: &dyn Table, word: usize, after: &str| match table.ending() {
            Some(ending) => Err(BadOpening::at(word, format!("the game is over {after}: {}", ending.why))),
            None => Ok(()),
        };
        let mut table = match &self.token {
            Some(token) => {
                let table = setup
                    .from_token(token)
                    .map_err(|error| BadOpening::at(1, format!("invalid position token: {error}")))?;
                over(&*table, 1, "in this position")?;
                table
            }
            None => setup.start(),
        };
        let first = if self.token.is_some() { 2 } else { 0 };
        for (index, text) in self.moves.iter().enumerate() {
            let (word, number) = (first + index, index + 1);
            table.play(text).map_err(|refusal| {
                BadOpening::at(word, format!("move {number}, `{text}`, can't be played: {refusal}"))
            })?;
            over(&*table, word, &format!("after move {number}"))?;
        }
        Ok(table)
    }
}

/// The line of a file that [`Opening::parse`] reads.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token.iter().flat_map(|token| [TOKEN, token.as_str()]);
        for (index, word) in token.chain(self.moves.iter().map(String::as_str)).enumerate() {
            let gap = if index == 0 { "" } else { " " };
            write!(f, "{gap}{word}")?;
        }
        Ok(())
    }
}

impl From<&Opening> for OpeningRecord {
    fn from(opening: &Opening) -> OpeningRecord {
        OpeningRecord { token: opening.token.clone(), moves: opening.moves.clone() }
    }
}
