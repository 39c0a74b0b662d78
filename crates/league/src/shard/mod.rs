//! Shards: parts of a run that are played separately, as jobs of a scheduler or on other machines, and whose
//! records are merged into the run afterwards.
//!
//! A shard is a file with its list of games and everything needed to play them except the bots. Its games are
//! played in a run directory next to it. The records of the league remain the only authority: the games of a lost
//! shard stay missing and become part of the next plan.

mod merge;
mod ranges;

use std::fs::File;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::directory::{DirectoryError, Plan, RunDirectory};
use crate::file::{Context, Diagnostics, parse};
use crate::versions::VersionRegistry;
use linesman_record::write_atomically;

pub use merge::{AllMerged, MergeError, Merged, merge};
pub use ranges::GameRanges;

/// The version of the format of shard files.
const FORMAT: u32 = 1;

/// The name of the file next to the shards with the records on which their plan is based.
const HISTORY: &str = "history.jsonl";

/// A part of the games that a run lacked when it was planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The version of this format.
    format: u32,
    /// The name and version of the program that wrote it.
    pub software: String,
    pub league: String,
    /// The number of the plan, from 1.
    pub plan: u32,
    /// The number of the shard, from 1.
    pub shard: u32,
    /// The number of shards of the plan.
    pub shards: u32,
    pub games: u64,
    /// The indices of its games in the schedule.
    pub indices: GameRanges,
    /// The folder of the tournament file, to which the bots' paths are relative.
    pub folder: PathBuf,
    /// The name of the league if the tournament file gives none.
    pub stem: String,
    /// True if the schedule depends on earlier results, whose records are in a file next to the shard.
    has_history: bool,
    /// The text of the file with the league's bots and names, if it exists.
    register: Option<String>,
    /// The text of the tournament file, including the contents of the files that it names.
    pub tournament: String,
}

/// The reason why a shard can't be used or written.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file is not a shard of this version.
    #[error("`{}` is not a shard that this version can play: {why}", path.display())]
    NoShard { path: PathBuf, why: String },
    /// Another process is playing this shard.
    #[error("another linesman process is playing `{}`", .0.display())]
    InUse(PathBuf),
    /// The tournament in it has mistakes on this machine.
    #[error(transparent)]
    Diagnostics(Box<Diagnostics>),
    /// The league is a sequential test.
    #[error("a sequential test can't be played in shards: each result may end it")]
    Test,
    /// A directory can't be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
}

/// The folder of a run's plans.
fn plans(directory: &RunDirectory) -> PathBuf {
    directory.path().join("shards")
}

/// Finds the run directories of a run's shards that have started, in the order of their plans.
///
/// # Errors
/// A folder that can't be read.
pub fn begun(directory: &RunDirectory) -> Result<Vec<PathBuf>, ShardError> {
    let mut found = Vec::new();
    for (plan, folder) in numbered(&plans(directory))? {
        for (shard, path) in numbered(&folder)? {
            if RunDirectory::at(&path).games().is_file() {
                found.push(((plan, shard), path));
            }
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Finds the subfolders whose names are numbers; none if the folder does not exist.
fn numbered(folder: &Path) -> Result<Vec<(u32, PathBuf)>, ShardError> {
    let failed = |error| DirectoryError::Read { path: folder.to_owned(), error };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error).into()),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number.filter(|_| path.is_dir()) {
            found.push((number, path));
        }
    }
    Ok(found)
}

/// Writes the missing games of a run as shards of a new plan into a new folder: as many as `shards` says, or fewer if
/// there are fewer games. Their numbers of games differ by at most one. `missing` has the indices of the games,
/// ascending. `has_history` is true if the schedule depends on results.
pub(crate) fn write_shards(
    directory: &RunDirectory,
    plan: &Plan,
    software: &str,
    missing: &[u64],
    shards: NonZeroU32,
    has_history: bool,
) -> Result<WrittenShards, ShardError> {
    let stored = directory.stored_plan()?;
    let register = directory.registry()?;
    let register = (register != VersionRegistry::default()).then(|| register.text());
    let all = plans(directory);
    let number = numbered(&all)?.into_iter().map(|(number, _)| number).max().unwrap_or(0) + 1;
    let folder = all.join(number.to_string());
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| DirectoryError::Write { path, error }
    };
    std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
    if has_history {
        let history = folder.join(HISTORY);
        copy_records(&directory.games(), &history).map_err(failed(&history))?;
    }
    let file = plan.file.as_deref().unwrap_or(Path::new("."));
    let Context { folder: base, stem, .. } = Context::of_file(file, None);
    let base = base.canonicalize().map_err(|error| DirectoryError::Read { path: base, error })?;
    let games = missing.len() as u64;
    // No shard is empty.
    let shards = u64::from(shards.get()).min(games.max(1));
    let mut files = Vec::new();
    let mut rest = missing;
    for index in 0..shards {
        let (shard_games, others) =
            rest.split_at(((index + 1) * games / shards - index * games / shards) as usize);
        rest = others;
        let shard = Shard {
            format: FORMAT,
            software: software.to_owned(),
            league: plan.tournament.name.clone(),
            plan: number,
            shard: index as u32 + 1,
            shards: shards as u32,
            games: shard_games.len() as u64,
            indices: GameRanges::of(shard_games.iter().copied()),
            folder: base.clone(),
            stem: stem.clone(),
            has_history,
            register: register.clone(),
            tournament: stored.source.text.clone(),
        };
        let path = folder.join(format!("{}.json", shard.shard));
        let text = serde_json::to_string_pretty(&shard).expect("a shard has only text for keys");
        write(&path, text.as_bytes())?;
        files.push((path, shard.games));
    }
    Ok(WrittenShards { plan: number, folder, files })
}

/// Copies the records of a run; an empty file if there are none.
fn copy_records(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::copy(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => File::create(to).map(drop),
        copied => copied.map(drop),
    }
}

/// The written shards of a plan.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct WrittenShards {
    /// The number of the plan, from 1.
    pub plan: u32,
    pub folder: PathBuf,
    /// The files, each with its number of games.
    pub files: Vec<(PathBuf, u64)>,
}

/// A shard that is locked for this process while the value lives.
#[derive(Debug)]
pub struct LockedShard {
    pub shard: Shard,
    pub directory: RunDirectory,
    path: PathBuf,
    _lock: File,
}

impl LockedShard {
    /// Opens a shard and locks it, since a scheduler may start the same job twice.
    ///
    /// # Errors
    /// A file that can't be read, is not a shard or is being played.
    pub fn open(path: &Path) -> Result<LockedShard, ShardError> {
        let failed = |error| DirectoryError::Read { path: path.to_owned(), error };
        let lock = File::open(path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(ShardError::InUse(path.to_owned()));
            }
            Err(std::fs::TryLockError::Error(error)) => return Err(failed(error).into()),
        }
        let no_shard = |why: String| ShardError::NoShard { path: path.to_owned(), why };
        let text = io::read_to_string(&lock).map_err(failed)?;
        let shard: Shard = serde_json::from_str(&text).map_err(|error| no_shard(error.to_string()))?;
        if shard.format != FORMAT {
            return Err(no_shard(format!("its format is {}, and this version knows {FORMAT}", shard.format)));
        }
        if path.extension().is_none_or(|extension| extension != "json") {
            return Err(no_shard("its name does not end with `.json`".to_owned()));
        }
        let directory = RunDirectory::at(path.with_extension(""));
        Ok(LockedShard { shard, directory, path: path.to_owned(), _lock: lock })
    }

    /// Returns the plan of the shard on a machine with this number of cores. The bots' paths are relative to `folder`,
    /// by default to the folder in the shard.
    ///
    /// # Errors
    /// A tournament that has mistakes on this machine.
    pub fn plan(&self, folder: Option<&Path>, cores: Option<NonZeroU32>) -> Result<Plan, ShardError> {
        let context = Context {
            shown: self.path.display().to_string(),
            stem: self.shard.stem.clone(),
            folder: folder.unwrap_or(&self.shard.folder).to_owned(),
            cores,
        };
        let text = &self.shard.tournament;
        let tournament =
            parse(text, &context).map_err(|mistakes| ShardError::Diagnostics(Box::new(mistakes)))?;
        Ok(Plan::new(text.clone(), tournament, &context))
    }

    /// Copies the league's history, bots and tournament file into the shard's directory, unless its run has started.
    ///
    /// # Errors
    /// A file that can't be read or written.
    pub fn begin(&self) -> Result<(), ShardError> {
        if self.directory.plan().exists() {
            return Ok(());
        }
        let folder = self.directory.path();
        std::fs::create_dir_all(folder)
            .map_err(|error| DirectoryError::Write { path: folder.to_owned(), error })?;
        if self.shard.has_history {
            let history = self.path.with_file_name(HISTORY);
            let games = self.directory.games();
            let records =
                std::fs::read(&history).map_err(|error| DirectoryError::Read { path: history, error })?;
            write(&games, &records)?;
        }
        if let Some(register) = &self.shard.register {
            write(&self.directory.registry_file(), register.as_bytes())?;
        }
        // Written last, since its presence means that the run has started.
        write(&self.directory.plan(), self.shard.tournament.as_bytes())?;
        Ok(())
    }
}

/// Writes a file of a shard atomically.
fn write(path: &Path, bytes: &[u8]) -> Result<(), DirectoryError> {
    write_atomically(path, |output| output.write_all(bytes))
        .map_err(|error| DirectoryError::Write { path: path.to_owned(), error })
}
