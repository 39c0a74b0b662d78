//! Openings: positions from which games start, so that deterministic bots don't play the same game repeatedly.
//!
//! An [`Opening`] is a list of moves from the usual start, or from a position given by its token.
//! [`mod@file`] reads and writes opening files. A [`Drawer`] chooses the opening of each game: all games of an
//! encounter have the same opening, so that every entrant plays it from every seat.

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

/// The start of a game.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Opening {
    /// The position's token; `None` for the usual start.
    pub token: Option<String>,
    /// The moves from there, which are played before the bots are asked for a move.
    pub moves: Vec<String>,
}

/// The word before a position's token in a line.
const TOKEN: &str = "token";

words! {
    /// The order in which openings are used.
    #[derive(Default)]
    pub enum Order {
        /// The entrants that meet have their own order, which follows from their names and the seed.
        #[default]
        Random = "random",
        /// The order of the list: the second encounter of every pair uses the second opening.
        Sequential = "sequential",
    }
}

/// The openings of a tournament.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Openings {
    /// The openings, at least one. The list can be long, so clones share it.
    pub list: Arc<[Opening]>,
    /// The order of their use.
    pub order: Order,
}

/// The reason why no game can start from an opening.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct BadOpening {
    /// Index of the wrong word in the line; `None` for the whole line.
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
    /// Parses the line of an opening: moves, or the word `token`, a position's token and moves. Does not check that a
    /// game can start from it.
    ///
    /// # Errors
    /// An empty line, or `token` without a token.
    pub fn parse(line: &str) -> Result<Opening, BadOpening> {
        let mut words = line.split_whitespace().map(str::to_owned).peekable();
        let missing = || BadOpening::at(0, "`token` must be followed by a position token");
        let given = words.next_if(|word| word == TOKEN);
        let token = given.map(|_| words.next().ok_or_else(missing)).transpose()?;
        let opening = Opening { token, moves: words.collect() };
        if opening == Opening::default() {
            return Err(BadOpening { word: None, why: "the opening is empty".to_owned() });
        }
        Ok(opening)
    }

    /// Plays the opening on a new table.
    ///
    /// # Errors
    /// A token that can't be parsed, a move that can't be played, or a game that is over before a bot is
    /// asked for a move.
    pub fn table(&self, setup: &dyn Setup) -> Result<Box<dyn Table>, BadOpening> {
        let check_not_over = |table: &dyn Table, word: usize, after: &str| match table.ending() {
            Some(ending) => Err(BadOpening::at(word, format!("the game is over {after}: {}", ending.why))),
            None => Ok(()),
        };
        let (mut table, first) = match &self.token {
            Some(token) => {
                let invalid = |error| BadOpening::at(1, format!("invalid position token: {error}"));
                let table = setup.from_token(token).map_err(invalid)?;
                check_not_over(&*table, 1, "in this position")?;
                (table, 2)
            }
            None => (setup.start(), 0),
        };
        for (index, text) in self.moves.iter().enumerate() {
            let (word, number) = (first + index, index + 1);
            table.play(text).map_err(|refusal| {
                BadOpening::at(word, format!("move {number}, `{text}`, can't be played: {refusal}"))
            })?;
            check_not_over(&*table, word, &format!("after move {number}"))?;
        }
        Ok(table)
    }
}

/// Writes the line that [`Opening::parse`] reads.
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
