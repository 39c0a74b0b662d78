//! The state of a run according to its records: the missing games, and the number of attempts at them.

use std::collections::HashMap;

use crate::compatibility::{Compatibility, Stranger};
use crate::pending_rounds::PendingRounds;
use crate::schedule::{Marked, Played, Schedule, ToCome};
use linesman_record::{Ended, LeagueGame, Line, ReadError, ReadProblem, RecordReader, Standing};

/// The progress of a schedule: the games that have been played, by their records.
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
    /// Number of records of games that had their final record before.
    pub duplicates: u64,
}

/// A record that was read, with its class.
#[derive(Debug)]
pub struct Entered<'r> {
    /// The line of the record, which can be parsed further.
    pub line: Line<'r>,
    /// The part of the record that a league counts.
    pub game: LeagueGame<'r>,
    /// The class of the record.
    pub class: RecordClass,
}

/// The class of a record for a schedule.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum RecordClass {
    /// It belongs to one of its games.
    ToGame(Standing),
    /// It belongs to a game of a Swiss or a knockout, and does not count as long as games of earlier rounds are
    /// missing: these determine whether the game occurs.
    Pending,
    /// It belongs to a game of a Swiss or a knockout whose round was paired differently, or whose match was
    /// decided without it.
    DrawnOtherwise,
    /// Another league wrote it.
    ToAnotherLeague(Stranger),
    /// The schedule can't contain such a game.
    Nowhere,
}

impl Progress {
    /// The progress before the first record.
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

    /// Number of games that lack their final record. For a knockout this is the maximum; for an endless
    /// ladder it is hardly ever 0.
    pub fn left(&self) -> u64 {
        self.schedule.games().saturating_sub(self.played.count())
    }

    /// The progress of all records. Each is passed to `entered`: in their order, except that games follow
    /// after those on whose results they depend.
    ///
    /// A run writes them in this order. If a record was deleted and its game played again, the new record comes after
    /// those of games that follow from it: these are classified when their rounds have been paired. Of several records
    /// of one game, the first in the file counts in either case.
    ///
    /// # Errors
    /// The first record that can't be read or contradicts the plan, and any error of `entered`.
    pub fn read(
        mut reader: RecordReader,
        schedule: Schedule,
        mut compatibility: Compatibility,
        mut entered: impl FnMut(&Progress, Entered<'_>) -> Result<(), ReadError>,
    ) -> Result<Progress, ReadError> {
        let mut progress = Progress::new(schedule);
        while let Some(line) = reader.next_line()? {
            let game = line.league_game()?;
            let known = progress.schedule.known();
            match progress.enter(&mut compatibility, &line, &game)? {
                RecordClass::Pending => progress.pending.hold(&game.outcome.id, &line),
                class => entered(&progress, Entered { line, game, class })?,
            }
            progress.judge_again(known, &mut compatibility, &mut entered)?;
        }
        progress.played.grow(progress.schedule.known());
        for held in progress.pending.take_impossible(&progress.schedule) {
            progress.drawn_otherwise += 1;
            let line = held.line();
            let game = line.league_game()?;
            entered(&progress, Entered { line, game, class: RecordClass::DrawnOtherwise })?;
        }
        for held in progress.pending.lines() {
            let line = held.line();
            let game = line.league_game()?;
            entered(&progress, Entered { line, game, class: RecordClass::Pending })?;
        }
        Ok(progress)
    }

    /// Classifies the held records of the games from index `known` on, which have become known.
    fn judge_again(
        &mut self,
        mut known: u64,
        compatibility: &mut Compatibility,
        entered: &mut impl FnMut(&Progress, Entered<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        // Their results may determine the next round.
        while self.pending.games() > 0
            && let Some(pairing) = self.schedule.pairing(known)
        {
            known += 1;
            for held in self.pending.take(&pairing.id) {
                let line = held.line();
                let game = line.league_game()?;
                let class = self.enter(compatibility, &line, &game)?;
                entered(self, Entered { line, game, class })?;
            }
        }
        Ok(())
    }

    /// Takes the next record. Of several records of one game, the first one counts that is not to be played
    /// again.
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

    /// The class of a record whose game is unknown.
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
