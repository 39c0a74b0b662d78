//! Paths that users give: files of records, and run directories.

use std::path::Path;

use super::error::Failure;
use crate::league::directory::RunDirectory;
use crate::record::Source;

/// The records of a file, of a run directory, or of stdin for `-`.
pub(crate) fn records(path: &Path) -> Result<Source, Failure> {
    if !path.is_dir() {
        return Ok(Source::from(path));
    }
    let games = RunDirectory::at(path).games();
    if games.exists() {
        return Ok(Source::File(games));
    }
    Err(Failure::wrong(format_args!("there are no records in `{}`", path.display()))
        .hint("give a file of records, or a run directory with a `games.jsonl`"))
}

/// The run directory of a path, which is the directory itself or the `games.jsonl` in it.
pub(crate) fn run(path: &Path) -> RunDirectory {
    let is_its_games = |folder: &Path| RunDirectory::at(folder).games().file_name() == path.file_name();
    match path.parent().filter(|folder| is_its_games(folder) && !path.is_dir()) {
        Some(folder) if folder == Path::new("") => RunDirectory::at("."),
        Some(folder) => RunDirectory::at(folder),
        None => RunDirectory::at(path),
    }
}
