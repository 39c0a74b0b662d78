//! Verification of records: each is replayed by the rules, move by move, and its result is compared.

mod pairs;
mod replay;
mod violation;

#[cfg(test)]
mod tests;

pub use replay::{Checked, Replayer};
pub use violation::{MoveList, MoveNumber, Violation};

use crate::format::GameRecord;
use crate::line_place::LinePlace;
use crate::outcome::Ended;
use crate::read_error::ReadError;
use crate::reader::{RecordReader, TornLine};
use crate::selection::{Selection, Standing};
use pairs::Pairs;

/// Counts of a verification.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Summary {
    /// The number of records that could be read.
    pub records: u64,
    /// The number of those that were replayed and are correct.
    pub replayed: u64,
    /// The number of moves in those.
    pub moves: u64,
    /// The number of records without moves, which could not be replayed.
    pub without_moves: u64,
    /// The number of games without a result.
    pub void: u64,
    /// The number of attempts among them that the host made void.
    pub void_by_host: u64,
    /// The number of records with an incorrect statement.
    pub untrue: u64,
    /// The number of records whose id names other bots than the seats do.
    pub other_bots: u64,
    /// The number of records that do not count because an earlier one of the same game does.
    pub duplicates: u64,
    /// The number of lines and files that can't be read.
    pub unreadable: u64,
    /// The number of incomplete last lines.
    pub torn: u64,
}

/// A finding about one record, line or file.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A statement is incorrect.
    Untrue {
        /// The place of the record.
        place: LinePlace,
        /// The game's id.
        id: String,
        /// The contradiction.
        violation: Violation,
    },
    /// An earlier record of the same game counts.
    Duplicate {
        /// The place of the record.
        place: LinePlace,
        /// The game's id.
        id: String,
    },
    /// The id names other bots than the seats do.
    OtherBots {
        /// The place of the record.
        place: LinePlace,
        /// The game's id.
        id: String,
    },
    /// A line or a file can't be read.
    Unreadable(ReadError),
    /// The last line is incomplete.
    Torn(TornLine),
}

/// Verifies all records that a reader yields, in their order, and calls `found` for each finding. Keeps only
/// what it needs to recognize duplicates.
pub fn verify(mut reader: RecordReader, found: &mut dyn FnMut(Finding)) -> Summary {
    let mut summary = Summary::default();
    let mut replayer = Replayer::default();
    let mut selection = Selection::default();
    let mut pairs = Pairs::default();
    for read in reader.by_ref() {
        let (place, record) = match read {
            Ok(read) => read,
            Err(error) => {
                summary.unreadable += 1;
                found(Finding::Unreadable(error));
                continue;
            }
        };
        summary.records += 1;
        let (standing, is_void_by_host) = match record.outcome() {
            Ok(outcome) => (Ok(selection.judge(&outcome)), outcome.result == Ended::VoidHost),
            Err(error) => (Err(error), false),
        };
        let checked = replayer.check(&record).and_then(|checked| {
            if standing == Ok(Standing::Counts) {
                pairs.add(&record, replayer.teams(&record))?;
            }
            Ok(checked)
        });
        match checked {
            Ok(Checked::Replayed { moves }) => {
                summary.replayed += 1;
                summary.moves += moves as u64;
            }
            Ok(Checked::WithoutMoves) => summary.without_moves += 1,
            Ok(Checked::Void) => {
                summary.void += 1;
                summary.void_by_host += u64::from(is_void_by_host);
            }
            Err(violation) => {
                summary.untrue += 1;
                found(Finding::Untrue { place: place.clone(), id: record.id.clone(), violation });
            }
        }
        if names_other_bots(&record) {
            summary.other_bots += 1;
            found(Finding::OtherBots { place: place.clone(), id: record.id.clone() });
        }
        if standing == Ok(Standing::Duplicate) {
            summary.duplicates += 1;
            found(Finding::Duplicate { place, id: record.id });
        }
    }
    for torn in reader.torn() {
        summary.torn += 1;
        found(Finding::Torn(torn.clone()));
    }
    summary
}

/// Returns true if an id of this program's form (`greedy~random~1`, `r3/greedy~random~1`) names other bots than the
/// seats. Ids of other forms are accepted.
fn names_other_bots(record: &GameRecord) -> bool {
    let pairing = record.id.rsplit_once('/').map_or(record.id.as_str(), |(_, pairing)| pairing);
    let Some((names, number)) = pairing.rsplit_once('~') else { return false };
    let names: Vec<&str> = names.split('~').collect();
    number.parse::<u64>().is_ok()
        && names.len() == record.seats.len()
        && names.iter().zip(&record.seats).any(|(name, seat)| {
            // `greedy@2` is the bot that took over the name `greedy`.
            *name != seat.name && name.split('@').next() != Some(seat.name.as_str())
        })
}
