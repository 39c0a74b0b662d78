//! Determines the missing games of a run, and the number of attempts at them, from its records.

use std::collections::HashMap;

use crate::compatibility::{Compatibility, Stranger};
use crate::pending_rounds::PendingRounds;
use crate::schedule::{Marked, Played, Schedule, ToCome};
use linesman_record::{Ended, LeagueGame, Line, ReadError, ReadProblem, RecordReader, Standing};

/// The progress of a schedule according to the records.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The schedule, with the games that follow from the results so far.
    pub schedule: Schedule,
    /// The games that have their final record.
    pub played: Played,
    /// Number of attempts at each game that lacks its final record, by its index.
    pub tries: HashMap<u64, u32>,
    /// Number of records of other leagues, or of games that the schedule can't contain.
    pub strangers: u64,
    /// Number of records of games of a Swiss or a knockout whose round was paired differently.
    pub drawn_otherwise: u64,
    /// Records of games that may occur in later rounds of a Swiss or a knockout.
    pub pending: PendingRounds,
    /// Number of records of games that already had their final record.
    pub duplicates: u64,
}

/// A record with its class.
#[derive(Debug)]
pub struct Entered<'r> {
    /// The line of the record, which can be parsed further.
    pub line: Line<'r>,
    /// The part of the record that a league counts.
    pub game: LeagueGame<'r>,
    pub class: RecordClass,
}

/// The relation of a record to a schedule.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RecordClass {
    /// It belongs to a game of the schedule.
    ToGame(Standing),
    /// It belongs to a game of a Swiss or a knockout, and does not count while games of earlier rounds are missing,
    /// which determine whether the game occurs.
    Pending,
    /// The round of its game, in a Swiss or a knockout, was paired differently, or the match was decided without it.
    DrawnOtherwise,
    /// Another league wrote it.
    ToAnotherLeague(Stranger),
    /// The schedule can't contain its game.
    Nowhere,
}

impl Progress {
    /// Makes the progress before the first record.
    pub fn new(schedule: Schedule) -> Progress {
        let played = schedule.nothing_played();
        Progress {
            schedule,
            played,
            tries: HashMap::new(),
            strangers: 0,
            drawn_otherwise: 0,
            pending: PendingRounds::default(),
            duplicates: 0,
        }
    }

    /// Returns the number of games without their final record: the maximum for a knockout, almost never 0
    /// for an endless ladder.
    pub fn left(&self) -> u64 {
        self.schedule.games().saturating_sub(self.played.count())
    }

    /// Reads and classifies all records. Passes each to `visit` in the order of the file, except that a game follows
    /// the games on whose results it depends.
    ///
    /// A run writes records in this order. If a record was deleted and its game played again, the new record is behind
    /// those of games that follow from it: these are classified when their rounds have been paired. In either case, the
    /// first of several records of a game counts.
    ///
    /// # Errors
    /// A record can't be read or contradicts the plan, or `visit` fails.
    pub fn read(
        mut reader: RecordReader,
        schedule: Schedule,
        mut compatibility: Compatibility,
        mut visit: impl FnMut(&Progress, Entered<'_>) -> Result<(), ReadError>,
    ) -> Result<Progress, ReadError> {
        let mut progress = Progress::new(schedule);
        while let Some(line) = reader.next_line()? {
            let game = line.league_game()?;
            let known = progress.schedule.known();
            match progress.enter(&mut compatibility, &line, &game)? {
                RecordClass::Pending => progress.pending.hold(&game.outcome.id, &line),
                class => visit(&progress, Entered { line, game, class })?,
            }
            progress.classify_held(known, &mut compatibility, &mut visit)?;
        }
        progress.played.grow(progress.schedule.known());
        for held in progress.pending.take_impossible(&progress.schedule) {
            progress.drawn_otherwise += 1;
            let line = held.line();
            let game = line.league_game()?;
            visit(&progress, Entered { line, game, class: RecordClass::DrawnOtherwise })?;
        }
        for held in progress.pending.lines() {
            let line = held.line();
            let game = line.league_game()?;
            visit(&progress, Entered { line, game, class: RecordClass::Pending })?;
        }
        Ok(progress)
    }

    /// Classifies the held records of the games from index `known` on, which have become known.
    fn classify_held(
        &mut self,
        mut known: u64,
        compatibility: &mut Compatibility,
        visit: &mut impl FnMut(&Progress, Entered<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        // The results of these games may determine the next round, so that more games become known.
        while self.pending.games() > 0
            && let Some(pairing) = self.schedule.pairing(known)
        {
            known += 1;
            for held in self.pending.take(&pairing.id) {
                let line = held.line();
                let game = line.league_game()?;
                let class = self.enter(compatibility, &line, &game)?;
                visit(self, Entered { line, game, class })?;
            }
        }
        Ok(())
    }

    /// Enters a record and returns its class. The first record of a game that does not have to be played again counts.
    pub(crate) fn enter(
        &mut self,
        compatibility: &mut Compatibility,
        line: &Line<'_>,
        game: &LeagueGame<'_>,
    ) -> Result<RecordClass, ReadError> {
        let outcome = &game.outcome;
        if let Some(stranger) = compatibility.stranger(game) {
            self.strangers += 1;
            return Ok(RecordClass::ToAnotherLeague(stranger));
        }
        let Some(index) = self.schedule.take_up(&outcome.id) else {
            return Ok(self.class_of_unknown(compatibility, game));
        };
        compatibility.check(|| self.schedule.pairing(index), game).map_err(|contradiction| {
            let what = contradiction.to_string();
            ReadError::at(line.place(), ReadProblem::Contradiction { what })
        })?;
        self.played.grow(self.schedule.known());
        if outcome.result == Ended::VoidHost {
            self.tries.insert(index, outcome.attempt);
            return Ok(RecordClass::ToGame(Standing::ToBeReplayed));
        }
        if self.played.mark(index) == Marked::Again {
            self.duplicates += 1;
            return Ok(RecordClass::ToGame(Standing::Duplicate));
        }
        self.tries.remove(&index);
        self.schedule.enter(index, outcome.places());
        Ok(RecordClass::ToGame(Standing::Counts))
    }

    fn class_of_unknown(&mut self, compatibility: &mut Compatibility, game: &LeagueGame<'_>) -> RecordClass {
        let Some((pairing, to_come)) = self.schedule.possible_pairing(&game.outcome.id) else {
            self.strangers += 1;
            return RecordClass::Nowhere;
        };
        if to_come == ToCome::Never {
            self.drawn_otherwise += 1;
            return RecordClass::DrawnOtherwise;
        }
        // A record that does not count must not stop a run.
        if compatibility.check(|| Some(pairing), game).is_err() {
            self.strangers += 1;
            return RecordClass::Nowhere;
        }
        RecordClass::Pending
    }
}
