//! The report on a game: its record, and the facts that a league needs in addition.

use serde::{Deserialize, Serialize};

use super::message::{MAX_NOTES, Unreadable, bounded, is_default};
use linesman_driver::GameNote;
use linesman_league::assigned::PlayedElsewhere;
use linesman_league::league_games::EndedGame;
use linesman_league::withdrawal::Part;
use linesman_record::GameRecord;
use linesman_referee::IgnoredLines;
use linesman_sandbox::Leaked;
use linesman_types::seat::{BySeat, Seat};

/// A game that was played.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameReport {
    pub pack: String,
    /// The number of times that the game was played before; 0 unless it is a repeat.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: u32,
    /// The record: exactly the line for the file of records, without its line break.
    pub record: String,
    /// Remarks on the course of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteReport>,
    /// The facts about each seat.
    pub seats: Vec<SeatReport>,
    /// The bots that are paused from now on, as indices into the tournament's bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paused: Vec<usize>,
    /// The number of processes and the number of folders that could not be removed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub leaked: [usize; 2],
}

/// A remark on the course of a game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum NoteReport {
    Restarted {
        /// The bot's seat, from 1.
        seat: u8,
        why: String,
    },
    /// A remark of the referee.
    Remark {
        /// The remark.
        text: String,
    },
}

impl NoteReport {
    fn of(note: &GameNote) -> NoteReport {
        match note {
            GameNote::Restarted { seat, why } => {
                NoteReport::Restarted { seat: u8::try_from(seat.number()).unwrap_or(0), why: why.clone() }
            }
            GameNote::Remark(text) => NoteReport::Remark { text: text.clone() },
        }
    }

    /// Returns the note; `None` if the seat does not exist.
    fn note(self) -> Option<GameNote> {
        match self {
            NoteReport::Restarted { seat, why } => {
                Some(GameNote::Restarted { seat: Seat::new(usize::from(seat))?, why })
            }
            NoteReport::Remark { text } => Some(GameNote::Remark(text)),
        }
    }
}

/// The facts about a seat that a league needs in addition to the record.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SeatReport {
    /// The number of moves that it made.
    pub moves: u32,
    /// True if its bot was ready at some time.
    pub was_ready: bool,
    /// The number of ignored lines.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ignored: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_ignored: String,
}

impl GameReport {
    /// Makes the report on a game. Its field `pack` is left empty.
    ///
    /// # Errors
    /// A record that can't be serialized; no such record is known.
    pub fn of(played: &PlayedElsewhere) -> serde_json::Result<GameReport> {
        let EndedGame { record, notes, leaked, ignored } = &played.game;
        let seats = played.parts.iter().map(|(seat, part)| {
            let ignored = ignored.get(seat).cloned().unwrap_or_default();
            SeatReport {
                moves: part.moves,
                was_ready: part.was_ready,
                ignored: ignored.number,
                first_ignored: ignored.first,
            }
        });
        let notes = notes.iter().take(MAX_NOTES).map(NoteReport::of);
        Ok(GameReport {
            pack: String::new(),
            repeat: 0,
            record: record.to_line()?,
            notes: notes.collect(),
            seats: seats.collect(),
            paused: played.paused.clone(),
            leaked: [leaked.processes, leaked.folders],
        })
    }

    /// Reads the record.
    ///
    /// # Errors
    /// A text that is not a record, or differs from the line that this program writes for that record.
    pub fn record(&self) -> Result<GameRecord, Unreadable> {
        let malformed = |error: serde_json::Error| Unreadable::Malformed(error.to_string());
        let record: GameRecord = serde_json::from_str(&self.record).map_err(malformed)?;
        let is_same = record.to_line().is_ok_and(|line| line == self.record);
        bounded("record", is_same)?;
        Ok(record)
    }

    /// Returns the game with its record.
    ///
    /// # Errors
    /// A number of seats that differs from the record's, or too many remarks.
    pub fn played(self, record: GameRecord) -> Result<PlayedElsewhere, Unreadable> {
        bounded("seats", self.seats.len() == record.seats.len())?;
        bounded("notes", self.notes.len() <= MAX_NOTES)?;
        let out_of_bounds = Unreadable::OutOfBounds("seats");
        let parts = self.seats.iter().map(|seat| Part { moves: seat.moves, was_ready: seat.was_ready });
        let parts = BySeat::from_values(parts).ok_or(out_of_bounds.clone())?;
        let ignored = (self.seats.iter())
            .map(|seat| IgnoredLines { number: seat.ignored, first: seat.first_ignored.clone() });
        let ignored = BySeat::from_values(ignored).ok_or(out_of_bounds)?;
        let notes = self.notes.into_iter().filter_map(NoteReport::note);
        let [processes, folders] = self.leaked;
        let leaked = Leaked { processes, folders };
        let game = EndedGame { record: Box::new(record), notes: notes.collect(), leaked, ignored };
        Ok(PlayedElsewhere { game, parts, paused: self.paused })
    }
}
