//! The tables of a run directory, computed from its records.

use std::io;
use std::path::Path;

use super::super::error::{Exit, Failure};
use super::results::standings_of;
use crate::cli::schedule::with_schedule;
use crate::league::directory::RunDirectory;
use crate::league::file::Tournament;
use crate::league::schedule::Schedule;
use crate::league::session::{Observer, Results, RunEvent, known};
use crate::record::{RecordReader, write_atomically};
use crate::report::crosstable::crosstable;
use crate::report::results::ResultsCsv;
use crate::report::standings::View;

/// Writes the tables of a run directory when all records are on disk.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) failure: Option<Failure>,
}

impl Observer for Tables {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::Recorded { directory, tournament, results, schedule } = event {
            self.failure = write_tables(directory, tournament, results, schedule).err();
        }
    }
}

/// Writes `results.csv`, `standings.csv` and `crosstable.csv`.
fn write_tables(
    directory: &RunDirectory,
    tournament: &Tournament,
    results: &Results,
    schedule: &Schedule,
) -> Result<(), Failure> {
    let standings = with_schedule(standings_of(results)?, schedule);
    write(&directory.standings_csv(), |output| standings.table(View::Full).write_csv(output))?;
    write(&directory.crosstable_csv(), |output| crosstable(results.tally(), &standings).write_csv(output))?;
    let (_, names) = known(directory).map_err(|error| Failure::wrong(&error).hint_if(error.hint()))?;
    let compatibility = names.compatibility(tournament);
    let mut broken = None;
    write(&directory.results_csv(), |output| {
        let mut rows = ResultsCsv::new(output, &tournament.game.teams(), tournament.has_own_times())?;
        let mut reader = RecordReader::file(&directory.games());
        loop {
            let record = match reader.next_line() {
                Ok(Some(line)) => match line.league_game() {
                    Ok(game) if compatibility.stranger(&game).is_some() => continue,
                    Ok(_) => line.record(),
                    Err(error) => Err(error),
                },
                Ok(None) => return rows.finish(),
                Err(error) => Err(error),
            };
            match record {
                Ok(record) => rows.add(&record)?,
                Err(error) => {
                    broken = Some(Failure::from(&error));
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
    })
    .map_err(|failure| broken.unwrap_or(failure))
}

fn write(path: &Path, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<(), Failure> {
    write_atomically(path, content).map_err(|error| {
        Failure::file(Exit::CantWrite, "write", path, &error)
            .hint("run the same command again to write the tables (no game is lost)")
    })
}
