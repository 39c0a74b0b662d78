//! What the records of a run say: which games are missing, and how often they
//! have been tried.

use std::collections::HashMap;

use crate::league::schedule::{Played, Schedule};
use crate::record::{GameRecord, LinePlace, Outcome, ReadError, RecordReader, Selection, Standing};

/// Which games of a schedule have been played, by their records.
#[derive(Clone, Debug)]
pub struct Account {
    /// The schedule, with what follows from the results so far.
    pub schedule: Schedule,
    /// Which games have their final record.
    pub played: Played,
    /// How often games that lack it have been tried, by their index.
    pub tries: HashMap<u64, u32>,
    /// How many records are of no game of the schedule.
    pub strangers: u64,
    /// How many records are of games that had their final record before.
    pub duplicates: u64,
}

/// A record that was read, and what it counts for.
#[derive(Debug)]
pub struct Entered<'r> {
    /// Where it stands.
    pub place: LinePlace,
    /// The record.
    pub record: GameRecord,
    /// What came of the game.
    pub outcome: Outcome<'r>,
    /// What it counts for; none if the game is none of the schedule's.
    pub standing: Option<Standing>,
}

impl Account {
    /// The account before the first record.
    pub fn new(schedule: Schedule) -> Account {
        let played = schedule.nothing_played();
        Account { schedule, played, tries: HashMap::new(), strangers: 0, duplicates: 0 }
    }

    /// How many games lack their final record; of a knockout at most, and
    /// hardly ever 0 of a ladder without end.
    pub fn left(&self) -> u64 {
        self.schedule.games().saturating_sub(self.played.count())
    }

    /// The account of all records, each of which is shown to `entered`, in their order.
    ///
    /// Where games follow from others' results, their records must stand behind
    /// those others', as they do in the file that a run writes.
    ///
    /// # Errors
    /// The first record that can't be read.
    pub fn read(
        mut reader: RecordReader,
        schedule: Schedule,
        mut entered: impl FnMut(&Account, Entered<'_>),
    ) -> Result<Account, ReadError> {
        let mut account = Account::new(schedule);
        let mut selection = Selection::new();
        while let Some(line) = reader.next_line()? {
            let record = line.record()?;
            let outcome = line.outcome()?;
            let index = account.schedule.take_up(&record.id);
            let standing = index.map(|_| selection.judge(&outcome));
            match (index, standing) {
                (Some(index), Some(Standing::Counts)) => {
                    account.played.grow(account.schedule.known());
                    account.played.mark(index);
                    account.tries.remove(&index);
                    account.schedule.enter(index, outcome.places());
                }
                (Some(index), Some(Standing::ToBeReplayed)) => {
                    account.tries.insert(index, record.attempt);
                }
                (Some(_), Some(Standing::Duplicate)) => account.duplicates += 1,
                _ => account.strangers += 1,
            }
            entered(&account, Entered { place: line.place().clone(), record, outcome, standing });
        }
        account.played.grow(account.schedule.known());
        Ok(account)
    }
}
