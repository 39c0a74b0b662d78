//! Paths that users give: files of records, and run directories.

use std::path::Path;

use super::error::Failure;
use crate::league::directory::RunDirectory;
use crate::record::Source;

pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

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
    let is_games = !path.is_dir() && path.parent().is_some_and(is_its_games);
    RunDirectory::at(if is_games { folder_of(path) } else { path })
}
