//! The commands that read the records of a league.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::league::League;

/// A command to measure.
pub struct Job {
    /// The name in tables.
    pub name: &'static str,
    pub arguments: Vec<OsString>,
}

/// Returns the commands that read the records of the league in `folder`, `ratings` first.
pub fn jobs(folder: &Path) -> Vec<Job> {
    let job = |name: &'static str, before: &[&str], path: PathBuf, after: &[&str]| {
        let words = |texts: &[&str]| texts.iter().map(OsString::from).collect::<Vec<_>>();
        let arguments = [words(before), vec![path.into_os_string()], words(after)].concat();
        Job { name, arguments }
    };
    let mut dry_run = job(
        "league run --dry-run",
        &["league", "run"],
        folder.join("tournament.toml"),
        &["--dry-run", "--out"],
    );
    dry_run.arguments.push(folder.into());
    vec![
        job("ratings", &["ratings"], folder.join("games.jsonl"), &["--json"]),
        job("league standings", &["league", "standings"], folder.to_owned(), &[]),
        dry_run,
        job("league export --games", &["league", "export"], folder.to_owned(), &["--games"]),
    ]
}

/// Writes a league's files as `league run` would have left them.
pub fn write(league: &League, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("tournament.toml"), league.tournament())?;
    let mut output = BufWriter::with_capacity(1 << 20, File::create(folder.join("games.jsonl"))?);
    league.write(&mut output)?;
    output.flush()
}
