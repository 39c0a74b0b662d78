//! The games of a file of records, found by number or id. Only the shown game is kept in memory, unless the records
//! were read from a pipe.

use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::error::Failure;
use crate::cli::paths;
use crate::league::file::did_you_mean;
use crate::record::{self, GameRecord, LeagueGame, Line, ReadError, RecordReader, Standing};
use crate::report::describe::printable;

/// Records that can be read repeatedly.
pub(in crate::cli) struct Library {
    source: RecordSource,
    games: usize,
}

enum RecordSource {
    File(PathBuf),
    Piped(Arc<[u8]>),
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub(in crate::cli) enum WantedGame {
    /// The game with this number, from 1.
    Number(usize),
    Id(String),
}

impl From<&str> for WantedGame {
    fn from(text: &str) -> WantedGame {
        text.parse().map_or_else(|_| WantedGame::Id(text.to_owned()), WantedGame::Number)
    }
}

pub(in crate::cli) struct Found {
    pub(super) number: usize,
    pub(in crate::cli) record: GameRecord,
}

impl Library {
    /// Opens the records of a file, of a run directory, or of stdin for `-`.
    pub(in crate::cli) fn open(path: &Path) -> Result<Library, Failure> {
        let source = match paths::records(path)? {
            record::Source::File(path) => RecordSource::File(path),
            record::Source::Stdin => {
                let mut bytes = Vec::new();
                io::stdin()
                    .lock()
                    .read_to_end(&mut bytes)
                    .map_err(|error| Failure::wrong("can't read the records from stdin").cause(error))?;
                RecordSource::Piped(bytes.into())
            }
        };
        let mut library = Library { source, games: 0 };
        let mut reader = library.reader();
        while next_line(&mut reader)?.is_some() {
            library.games += 1;
        }
        if library.games == 0 {
            return Err(Failure::wrong(format_args!("{} has no games", library.name())));
        }
        Ok(library)
    }

    pub(in crate::cli) fn games(&self) -> usize {
        self.games
    }

    /// The file's name, for messages.
    pub(super) fn name(&self) -> String {
        match &self.source {
            RecordSource::File(path) => format!("`{}`", path.display()),
            RecordSource::Piped(_) => "stdin".to_owned(),
        }
    }

    pub(in crate::cli) fn find(&self, wanted: &WantedGame) -> Result<Found, Failure> {
        match wanted {
            WantedGame::Number(number) => self.by_number(*number),
            WantedGame::Id(id) => self.by_id(id),
        }
    }

    /// The game with this number, from 1.
    pub(super) fn by_number(&self, number: usize) -> Result<Found, Failure> {
        let mut reader = self.reader();
        for _ in 1..number {
            if next_line(&mut reader)?.is_none() {
                break;
            }
        }
        let line = if number == 0 { None } else { reader.next_line().map_err(unreadable)? };
        let line = line.ok_or_else(|| {
            let all = match self.games {
                1 => "one game".to_owned(),
                more => format!("{more} games, numbered from 1"),
            };
            Failure::wrong(format_args!("there is no game {number}: {} has {all}", self.name()))
        })?;
        Ok(Found { number, record: line.record().map_err(unreadable)? })
    }

    /// The game with this id: its first record that counts, otherwise its last record.
    fn by_id(&self, id: &str) -> Result<Found, Failure> {
        let mut selection = crate::record::Selection::default();
        let mut reader = self.reader();
        let mut number = 0;
        let mut found = None;
        let mut near: Option<String> = None;
        while let Some(line) = next_line(&mut reader)? {
            number += 1;
            let Some(line) = line else { continue };
            // This game can be shown even if another line is unreadable.
            let Ok(LeagueGame { outcome, .. }) = line.league_game() else { continue };
            if outcome.id == id {
                let counts = selection.judge(&outcome) == Standing::Counts;
                found = Some(Found { number, record: line.record().map_err(unreadable)? });
                if counts {
                    break;
                }
            } else if near.is_none() {
                near = did_you_mean(id, [&*outcome.id]);
            }
        }
        found.ok_or_else(|| {
            let what = format!("there is no game `{}` in {}", printable(id), self.name());
            Failure::wrong(what)
                .hint_if(near)
                .hint(format_args!("give the id of a game, or its number from 1 to {}", self.games))
        })
    }

    fn reader(&self) -> RecordReader {
        match &self.source {
            RecordSource::File(path) => RecordReader::file(path),
            RecordSource::Piped(bytes) => RecordReader::from_input("<stdin>", Cursor::new(Arc::clone(bytes))),
        }
    }
}

/// The next line; the inner `None` is an unreadable line, the outer one the end.
fn next_line(reader: &mut RecordReader) -> Result<Option<Option<Line<'_>>>, Failure> {
    match reader.next_line() {
        Ok(line) => Ok(line.map(Some)),
        Err(error) if error.is_fixed_by_deleting() => Ok(Some(None)),
        Err(error) => Err(unreadable(error)),
    }
}

fn unreadable(error: ReadError) -> Failure {
    Failure::wrong(format_args!("{}: {error}", error.location())).hint_if(error.hint())
}
