//! What the records of a run say: which games are missing, and how it stands.

use std::collections::HashMap;
use std::path::Path;

use super::super::error::Failure;
use super::super::ui::Ui;
use super::results::Results;
use crate::league::bots::SeenDigests;
use crate::league::file::Tournament;
use crate::league::schedule::{Played, Schedule};
use crate::record::{RecordReader, Selection, Standing};

/// How many lines about oddities of the records are printed at most.
const MOST_REMARKS: u64 = 3;

/// What the records of a run say.
pub(crate) struct ReadBack {
    /// Which games have their final record.
    pub(crate) played: Played,
    /// How often games that lack it have been tried.
    pub(crate) tries: HashMap<u64, u32>,
    /// How it stands.
    pub(crate) results: Results,
    /// By which files the bots have played.
    pub(crate) digests: SeenDigests,
}

/// Reads all records of a run. What does not belong there is warned of.
pub(crate) fn read_back(
    ui: &mut Ui,
    games: &Path,
    tournament: &Tournament,
    schedule: &Schedule,
) -> Result<ReadBack, Failure> {
    let mut back = ReadBack {
        played: schedule.nothing_played(),
        tries: HashMap::new(),
        results: Results::new(tournament)?,
        digests: SeenDigests::default(),
    };
    if !games.exists() {
        return Ok(back);
    }
    let mut reader = RecordReader::file(games);
    let mut selection = Selection::new();
    let mut strangers = 0;
    let mut duplicates = 0;
    while let Some(line) = reader.next_line().map_err(|error| Failure::from(&error))? {
        let record = line.record().map_err(|error| Failure::from(&error))?;
        let outcome = line.outcome().map_err(|error| Failure::from(&error))?;
        let Some(index) = schedule.index_of(&record.id) else {
            strangers += 1;
            if strangers <= MOST_REMARKS {
                ui.warn(format_args!(
                    "{}: `{}` is no game of this league and does not count",
                    line.place(),
                    record.id
                ));
            }
            continue;
        };
        match selection.judge(&outcome) {
            Standing::Counts => {
                back.played.mark(index);
                back.tries.remove(&index);
                record.seats.iter().for_each(|seat| back.digests.add(seat));
                back.results.add(&outcome);
            }
            Standing::ToBeReplayed => {
                back.tries.insert(index, record.attempt);
            }
            Standing::Duplicate => {
                duplicates += 1;
                if duplicates <= MOST_REMARKS {
                    ui.warn(format_args!(
                        "{}: `{}` was recorded before; the first record counts",
                        line.place(),
                        record.id
                    ));
                }
            }
        }
    }
    for (number, what) in [(strangers, "games of other leagues"), (duplicates, "repeated records")] {
        if number > MOST_REMARKS {
            ui.warn(format_args!("{}: {number} {what} in all", games.display()));
        }
    }
    Ok(back)
}
