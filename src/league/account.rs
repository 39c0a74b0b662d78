//! What the records of a run say: which games are missing, and how often they
//! have been tried.

use std::collections::HashMap;

use crate::league::schedule::{Marked, Played, Schedule};
use crate::league::terms::{Contradiction, Terms};
use crate::record::{Ended, LeagueGame, Line, ReadError, ReadProblem, RecordReader, Standing};

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
    /// The line that it is, of which more can be read.
    pub line: Line<'r>,
    /// What a league keeps count of in it.
    pub game: LeagueGame<'r>,
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
    /// The first record that can't be read or contradicts the plan, and what `entered` returns.
    pub fn read(
        mut reader: RecordReader,
        schedule: Schedule,
        mut terms: Terms,
        mut entered: impl FnMut(&Account, Entered<'_>) -> Result<(), ReadError>,
    ) -> Result<Account, ReadError> {
        let mut account = Account::new(schedule);
        while let Some(line) = reader.next_line()? {
            let game = line.league_game()?;
            let standing = account.enter(&mut terms, &game).map_err(|contradiction| {
                let what = contradiction.to_string();
                ReadError::at(line.place(), ReadProblem::Contradiction { what })
            })?;
            entered(&account, Entered { line, game, standing })?;
        }
        account.played.grow(account.schedule.known());
        Ok(account)
    }

    /// Takes the next record. Of several of one game the first counts that is not
    /// to be played again.
    fn enter(&mut self, terms: &mut Terms, game: &LeagueGame<'_>) -> Result<Option<Standing>, Contradiction> {
        let outcome = &game.outcome;
        let Some(index) = self.schedule.take_up(&outcome.id) else {
            self.strangers += 1;
            return Ok(None);
        };
        terms.check(&self.schedule, index, game)?;
        self.played.grow(self.schedule.known());
        if outcome.result == Ended::VoidHost {
            self.tries.insert(index, outcome.attempt);
            return Ok(Some(Standing::ToBeReplayed));
        }
        if self.played.mark(index) == Marked::Again {
            self.duplicates += 1;
            return Ok(Some(Standing::Duplicate));
        }
        self.tries.remove(&index);
        self.schedule.enter(index, outcome.places());
        Ok(Some(Standing::Counts))
    }
}
