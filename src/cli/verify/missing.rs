//! The games of a league that have no record.

use std::collections::HashSet;
use std::path::Path;

use super::super::error::Failure;
use super::super::paths;
use super::super::play::failure::{directory_failure, session_failure};
use super::super::ui::Ui;
use crate::league::directory::{DirectoryError, RunDirectory};
use crate::league::file::Tournament;
use crate::league::schedule::{Length, Schedule};
use crate::league::session::{ResumeScan, known};
use crate::report::table::csv_text;

/// Maximum number of games that are named on stderr.
const MAX_NAMED: usize = 5;

/// The games of a run that have no record.
pub(super) struct Missing {
    /// Number of games in the plan; `None` if it is not known.
    games: Option<u64>,
    /// The ids of the games that once had a record.
    gone: Vec<String>,
    /// The ids of the games that have never been played, as far as they are known.
    unplayed: Vec<String>,
    /// Number of games that have never been played.
    left: u64,
    /// True if there are more games to play.
    pub(super) is_open: bool,
    /// Number of records of other leagues.
    pub(super) strangers: u64,
}

/// Finds the games that a run lacks; `None` if the path is not a run.
pub(super) fn find(ui: &Ui, path: &Path) -> Result<Option<Missing>, Failure> {
    if path == Path::new("-") {
        return Ok(None);
    }
    let directory = paths::run(path);
    let plan = match directory.plan_in_force() {
        Ok(plan) => plan,
        Err(DirectoryError::NoRun(_)) => return Ok(None),
        Err(error) => return Err(directory_failure(ui, &error)),
    };
    let tournament = &plan.tournament;
    let schedule = Schedule::of(tournament).map_err(Failure::wrong)?;
    let recorded = recorded(ui, &directory, tournament)?;
    let back =
        ResumeScan::of(&directory, tournament, &schedule).map_err(|error| session_failure(ui, error))?;
    let ResumeScan { progress, results, .. } = &back;
    let (length, later) = (progress.schedule.length(), progress.pending.games());
    let listed = listed(&directory);
    let is_listed = listed.is_some();
    let mut gone: Vec<String> = listed.into_iter().flatten().filter(|id| !recorded.contains(id)).collect();
    let strangers = back.strangers();
    if tournament.test.is_some() {
        // A test plays only as many games as it needs, so none is missing.
        let is_open = results.test_end().is_none() && progress.left() > 0;
        return Ok(Some(Missing { games: None, gone, unplayed: Vec::new(), left: 0, is_open, strangers }));
    }
    let open = progress.schedule.missing(&progress.played).map(|pairing| pairing.id);
    let mut unplayed: Vec<String> = open.filter(|id| !recorded.contains(id) && !gone.contains(id)).collect();
    // A run that was killed has no `results.csv`. But if its last game is recorded, or a round that depends on others,
    // all games before had records.
    let was_over =
        later > 0 || length.most().checked_sub(1).is_some_and(|last| progress.played.contains(last));
    if !is_listed && was_over {
        gone.append(&mut unplayed);
    }
    let in_plan = gone.iter().filter(|id| progress.schedule.index_of(id).is_some()).count() as u64;
    let (games, left) = match length {
        Length::Exactly(games) => (Some(games), progress.left().saturating_sub(later + in_plan)),
        // Games that are not known yet may not be needed.
        Length::AtMost(_) | Length::Endless => (None, unplayed.len() as u64),
    };
    Ok(Some(Missing { games, gone, unplayed, left, is_open: left > 0, strangers }))
}

/// The ids of all games of a league whose records have a result.
fn recorded(ui: &Ui, directory: &RunDirectory, tournament: &Tournament) -> Result<HashSet<String>, Failure> {
    let failed = |error| directory_failure(ui, &error);
    let (_, names) = known(directory).map_err(failed)?;
    let compatibility = names.compatibility(tournament);
    let mut ids = HashSet::new();
    let Some(mut reader) = directory.records().map_err(failed)? else { return Ok(ids) };
    while let Some(line) = reader.next_line().map_err(|error| Failure::from(&error))? {
        let game = line.league_game().map_err(|error| Failure::from(&error))?;
        if game.outcome.places().is_some() && compatibility.stranger(&game).is_none() {
            ids.insert(game.outcome.id.into_owned());
        }
    }
    Ok(ids)
}

/// The ids of the games with a result in `results.csv`, which is written at the end of a run; `None` without that file.
fn listed(directory: &RunDirectory) -> Option<Vec<String>> {
    let mut rows = csv::Reader::from_path(directory.results_csv()).ok()?;
    let headers = rows.headers().ok()?.clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (id, place) = (column("id")?, column("place_1")?);
    let with_result = |row: csv::StringRecord| {
        row.get(place).filter(|place| !place.is_empty())?;
        row.get(id).map(|id| without_apostrophe(id).to_owned())
    };
    Some(rows.records().filter_map(Result::ok).filter_map(with_result).collect())
}

/// The id in a cell of `results.csv`, without the apostrophe before texts that a spreadsheet would take for a formula.
fn without_apostrophe(listed: &str) -> &str {
    listed.strip_prefix('\'').filter(|id| csv_text(id) == listed).unwrap_or(listed)
}

impl Missing {
    pub(super) fn count(&self) -> u64 {
        self.gone.len() as u64 + self.left
    }

    /// True if games are missing that once had a record.
    pub(super) fn is_damage(&self) -> bool {
        !self.gone.is_empty()
    }

    /// The known ids of the missing games, first of those that once had a record.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.gone.iter().chain(&self.unplayed).map(String::as_str)
    }

    /// Reports the missing games and the records of other leagues.
    pub(super) fn report(&self, ui: &mut Ui, path: &Path) {
        let shown = path.display().to_string();
        if self.strangers > 0 {
            let records = match self.strangers {
                1 => "1 record is not of a game of this league and does not count".to_owned(),
                many => format!("{many} records are not of games of this league and don't count"),
            };
            ui.warn(format_args!("{shown}: {records} (`linesman league standings` lists them)"));
        }
        if self.is_damage() {
            let missing = self.in_words(self.gone.len() as u64, &self.gone);
            ui.fail(&Failure::no(format_args!("{missing}")).at(&shown).hint(
                "restore the lines, or run the league again, which plays these games with the same seeds",
            ));
        }
        if self.is_open {
            let missing = match self.left {
                0 => "the test is not decided".to_owned(),
                left => self.in_words(left, &self.unplayed),
            };
            ui.note(format_args!(
                "{shown}: not finished, {missing} (to continue, repeat the command that started it)"
            ));
        }
    }

    /// The missing games in words: `1 of 12 games is missing: b~a~1`.
    fn in_words(&self, number: u64, ids: &[String]) -> String {
        let are = if number == 1 { "is" } else { "are" };
        let games = match self.games {
            Some(games) => format!("{number} of {games} games {are}"),
            None if number == 1 => "1 game is".to_owned(),
            None => format!("{number} games are"),
        };
        let named = &ids[..ids.len().min(MAX_NAMED)];
        let more = match number.saturating_sub(named.len() as u64) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match named {
            [] => format!("{games} missing"),
            named => format!("{games} missing: {}{more}", named.join(", ")),
        }
    }
}
