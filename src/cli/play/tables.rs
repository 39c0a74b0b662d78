//! The tables of a run directory: functions of its records, written whole.

use std::io;
use std::path::Path;

use super::super::error::{Exit, Failure};
use super::read_back::known;
use super::results::Results;
use crate::cli::league::with_schedule;
use crate::league::directory::RunDirectory;
use crate::league::file::Tournament;
use crate::league::schedule::Schedule;
use crate::record::{RecordReader, write_atomically};
use crate::report::crosstable::crosstable;
use crate::report::results::ResultsCsv;
use crate::report::standings::View;

/// Writes `results.csv`, `standings.csv` and `crosstable.csv`.
pub(crate) fn write_tables(
    directory: &RunDirectory,
    tournament: &Tournament,
    results: &Results,
    schedule: &Schedule,
) -> Result<(), Failure> {
    let standings = with_schedule(results.standings()?, schedule);
    write(&directory.standings_csv(), |output| standings.table(View::Full).write_csv(output))?;
    write(&directory.crosstable_csv(), |output| crosstable(results.tally(), &standings).write_csv(output))?;
    let (_, names) = known(directory).map_err(|error| Failure::wrong(&error).hint_if(error.hint()))?;
    let terms = names.terms(tournament);
    let mut broken = None;
    write(&directory.results_csv(), |output| {
        let mut rows = ResultsCsv::new(output, &tournament.game.teams())?;
        let mut reader = RecordReader::file(&directory.games());
        loop {
            let record = match reader.next_line() {
                Ok(Some(line)) => match line.league_game() {
                    Ok(game) if terms.stranger(&game).is_some() => continue,
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
