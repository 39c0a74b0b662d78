//! Tables, pictures and pages of games and results, as pure functions of records and positions.
//!
//! ```
//! use linesman_record::{RecordReader, Selection, Standing, Tally};
//! use linesman_report::standings::{Rated, Standings, View};
//!
//! let line: &[u8] =
//!     br#"{"v":1,"id":"ada~bob~1","game":"quixo","seats":[{"name":"ada"},{"name":"bob"}],"places":[1,2]}"#;
//! let mut tally = Tally::default();
//! let mut selection = Selection::default();
//! for read in RecordReader::from_input("games.jsonl", line) {
//!     let (_, record) = read?;
//!     let outcome = record.outcome()?;
//!     if selection.judge(&outcome) == Standing::Counts {
//!         tally.add(&outcome);
//!     }
//! }
//! let standings = Standings::new(&tally, |_| Rated::default());
//! assert_eq!(standings.names().collect::<Vec<_>>(), ["ada", "bob"]);
//! let table = standings.table(View::Brief).to_text(None);
//! assert!(table.lines().nth(1).is_some_and(|row| row.contains("ada")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! Results:
//!
//! - [`standings`], [`crosstable`] and [`results`] make tables from a [`Tally`](linesman_record::Tally).
//! - [`league_report`]: the report of a league. [`bot_report`]: everything about one bot. [`sprt`]: a
//!   sequential test.
//! - [`notes`]: sentences about the numbers. [`trf`]: a Swiss as a file for arbiters.
//!
//! One game:
//!
//! - [`replay`]: its positions, one after the other. [`page`]: the replay as an HTML page.
//! - [`picture`]: a position as text and as SVG. [`describe`]: its end in one sentence. [`hints`]: the remedy
//!   for a failure.
//!
//! The forms of output:
//!
//! - [`table`]: rows and columns as text, CSV and JSON. [`layout`] and [`truncate`] make them fit a window.
//! - [`plot`]: diagrams as SVG.
//!
//! This crate reads no clock and no file.

#![allow(missing_docs, reason = "its items are public for the rest of the program only")]

pub mod bot_report;
pub mod crosstable;
pub mod data;
pub mod describe;
pub mod hints;
mod html_page;
pub mod layout;
pub mod league_report;
mod markup;
pub mod notes;
pub mod page;
pub mod picture;
pub mod plot;
pub mod replay;
pub mod results;
pub mod sprt;
pub mod standings;
pub mod table;
pub mod trf;
pub mod truncate;

#[cfg(test)]
mod tests;
