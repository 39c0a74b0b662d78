//! The run directory: the given plan, the records, and the earlier bots. Everything else in it follows from these.
//!
//! # Resuming a run
//!
//! The same command resumes a run where it stopped. The meaning of the given file is compared with that of the copy in
//! the directory ([`compare`]). Allowed changes are additional bots, rounds and openings, replaced or removed bots if
//! the schedule permits that, and everything that affects no game. The new file then replaces the copy. Any other
//! change is refused, and the directory stays unchanged.
//!
//! # Write access
//!
//! Only one process at a time can write: the one that holds the lock on `games.jsonl` ([`RecordFile`]). The directory
//! is read again after the lock is taken.

mod names;
mod plan;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use names::LeagueNames;
pub use plan::{Plan, PlanError};

use crate::file::{Comparison, Context, Diagnostics, compare, parse};
use crate::versions::{CantReplace, Roster, VersionRegistry};
use linesman_record::{
    Disk, HostDisk, RecordFile, RecordFileError, RecordReader, RecordWriter, Recovery, Source,
    write_atomically_on, write_hint,
};

/// The subfolder of the current folder in which runs are kept by default.
pub const RUNS: &str = "runs";

const PLAN: &str = "tournament.toml";
const GAMES: &str = "games.jsonl";
const REPEATS: &str = "repeats.jsonl";
const REGISTER: &str = "bots.json";

#[derive(Clone, Debug)]
pub struct RunDirectory {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl RunDirectory {
    /// The directory at a path, which need not exist yet.
    pub fn at(path: impl Into<PathBuf>) -> RunDirectory {
        RunDirectory::on(Arc::new(HostDisk), path)
    }

    /// The directory at a path on this disk.
    pub fn on(disk: Arc<dyn Disk>, path: impl Into<PathBuf>) -> RunDirectory {
        RunDirectory { disk, path: path.into() }
    }

    /// The default directory of a tournament file's run: `runs/` and the file's stem, in the current folder.
    pub fn of_file(file: &Path) -> RunDirectory {
        RunDirectory::at(Path::new(RUNS).join(file.file_stem().unwrap_or("league".as_ref())))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the tournament file.
    pub fn plan(&self) -> PathBuf {
        self.path.join(PLAN)
    }

    /// The path of the records.
    pub fn games(&self) -> PathBuf {
        self.path.join(GAMES)
    }

    /// Reads the bots that the league has had, and the names with which they play. The file exists only if these
    /// differ from the plan.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn registry(&self) -> Result<VersionRegistry, DirectoryError> {
        let path = self.registry_file();
        match self.read_text(&path)? {
            Some(text) => VersionRegistry::parse(&text).ok_or(DirectoryError::Register(path)),
            None => Ok(VersionRegistry::default()),
        }
    }

    /// Reads the plan of the run, in which its bots have the names of their versions.
    ///
    /// # Errors
    /// Those of [`RunDirectory::stored_plan`] and [`RunDirectory::registry`].
    pub fn plan_in_force(&self) -> Result<Plan, DirectoryError> {
        let mut plan = self.stored_plan()?;
        let registry = self.registry()?;
        if let Some(name) = registry.league_names().last().filter(|_| !plan.tournament.names_itself()) {
            plan.tournament.name.clone_from(name);
        }
        plan.tournament = registry.applied(&plan.tournament);
        Ok(plan)
    }

    /// Opens the records; `None` if the file does not exist.
    ///
    /// # Errors
    /// The system can't determine whether the file exists.
    pub fn records(&self) -> Result<Option<RecordReader>, DirectoryError> {
        self.records_of(self.games())
    }

    fn records_of(&self, path: PathBuf) -> Result<Option<RecordReader>, DirectoryError> {
        match self.disk.exists(&path) {
            Ok(true) => Ok(Some(RecordReader::on(Arc::clone(&self.disk), [Source::File(path)]))),
            Ok(false) => Ok(None),
            Err(error) => Err(DirectoryError::Read { path, error }),
        }
    }

    /// The path of the records of games that other workers repeated, which do not count.
    pub fn repeats(&self) -> PathBuf {
        self.path.join(REPEATS)
    }

    /// Opens the records of repeats; `None` if the file does not exist.
    ///
    /// # Errors
    /// The system can't determine whether the file exists.
    pub fn repeat_records(&self) -> Result<Option<RecordReader>, DirectoryError> {
        self.records_of(self.repeats())
    }

    /// Creates the writer of the repeats. Only the holder of the directory's lock may use it.
    pub(crate) fn repeats_writer(&self) -> Result<RecordWriter, DirectoryError> {
        let file = RecordFile::open_on(&*self.disk, &self.repeats()).map_err(DirectoryError::Records)?;
        Ok(file.into_writer(|_| {}).map_err(DirectoryError::Records)?.0)
    }

    /// The path of the file with the league's bots and names.
    pub(crate) fn registry_file(&self) -> PathBuf {
        self.path.join(REGISTER)
    }

    /// The path of the table with one row per record.
    pub fn results_csv(&self) -> PathBuf {
        self.path.join("results.csv")
    }

    /// The path of the table with one row per bot.
    pub fn standings_csv(&self) -> PathBuf {
        self.path.join("standings.csv")
    }

    pub fn crosstable_csv(&self) -> PathBuf {
        self.path.join("crosstable.csv")
    }

    /// Reads the plan of the run.
    ///
    /// Paths of bots in it are relative to the folder of the given file, not to this directory, so they can't be used
    /// to start bots.
    ///
    /// # Errors
    /// There is no run, or its plan can't be read.
    pub fn stored_plan(&self) -> Result<Plan, DirectoryError> {
        self.read_plan(&self.name())?.ok_or_else(|| DirectoryError::NoRun(self.path.clone()))
    }

    /// Determines how a run of this plan would begin. Changes nothing.
    ///
    /// # Errors
    /// Those of [`RunDirectory::lock`], except those that occur only while writing.
    pub fn determine_beginning(&self, plan: &Plan) -> Result<Beginning, DirectoryError> {
        self.check_content()?;
        match self.read_plan(&plan.stem)? {
            None => Ok(Beginning::New),
            Some(stored) => {
                let compared =
                    compare((&stored.source, &stored.tournament), (&plan.source, &plan.tournament));
                compared
                    .map(Beginning::Resumed)
                    .map_err(|mistakes| DirectoryError::Changed { path: self.path.clone(), mistakes })
            }
        }
    }

    /// Starts or resumes a run of this plan, first half: creates and locks the directory, and determines how the run
    /// begins. Existing content stays unchanged. [`Locked::begin`] is the second half.
    ///
    /// # Errors
    /// The directory is in use, is not a run directory, belongs to another plan, or can't be written.
    pub fn lock(&self, plan: &Plan) -> Result<Locked, DirectoryError> {
        self.check_content()?;
        self.create()?;
        let records = RecordFile::open_on(&*self.disk, &self.games()).map_err(|error| match error {
            RecordFileError::InUse { .. } => DirectoryError::InUse(self.path.clone()),
            error => DirectoryError::Records(error),
        })?;
        // Another process may have started the run since the first check.
        let beginning = self.determine_beginning(plan)?;
        Ok(Locked { directory: self.clone(), records, beginning, former: self.registry()? })
    }

    /// Creates the directory durably. An earlier run may have created it and been killed before it was durable.
    fn create(&self) -> Result<(), DirectoryError> {
        let failed = |error| DirectoryError::Write { path: self.path.clone(), error };
        self.disk.create_folder(&self.path).map_err(failed)?;
        let mut folders = self.path.ancestors().take(2).filter(|folder| folder.file_name().is_some());
        folders.try_for_each(|folder| self.disk.sync_folder(folder)).map_err(failed)
    }

    /// Refuses a directory that is neither a run directory nor empty.
    fn check_content(&self) -> Result<(), DirectoryError> {
        let entries = match self.disk.entries(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(DirectoryError::NotADirectory(self.path.clone()));
            }
            Err(error) => return Err(DirectoryError::Read { path: self.path.clone(), error }),
        };
        let has_plan = self.disk.exists(&self.plan());
        if has_plan.map_err(|error| DirectoryError::Read { path: self.plan(), error })? {
            return Ok(());
        }
        let mut foreign = Vec::new();
        for entry in entries {
            // A run that was killed while it started leaves these files.
            let is_leftover = match entry.name.as_str() {
                GAMES => entry.length == Some(0),
                name => name == format!(".{PLAN}.part"),
            };
            if !is_leftover {
                foreign.push(entry.name);
            }
        }
        match foreign.into_iter().min() {
            None => Ok(()),
            Some(found) => Err(DirectoryError::NotARun { path: self.path.clone(), found }),
        }
    }

    /// The directory's name, which is also the name of a league whose file gives none.
    fn name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "league".to_owned())
    }

    /// Reads a file; `None` if it does not exist.
    fn read_text(&self, path: &Path) -> Result<Option<String>, DirectoryError> {
        let mut text = String::new();
        match self.disk.read(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => Ok(Some(text)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(error) => Err(DirectoryError::Read { path: path.to_owned(), error }),
        }
    }

    fn read_plan(&self, stem: &str) -> Result<Option<Plan>, DirectoryError> {
        let path = self.plan();
        let Some(text) = self.read_text(&path)? else { return Ok(None) };
        let context = Context { stem: stem.to_owned(), ..Context::of_file(&path, None) };
        match parse(&text, &context) {
            Ok(tournament) => Ok(Some(Plan::new(text, tournament, &context))),
            Err(mistakes) => {
                Err(DirectoryError::Plan { path: self.path.clone(), mistakes: Box::new(mistakes) })
            }
        }
    }
}

/// A run directory that is locked for this process. Nothing has been written to it yet.
#[derive(Debug)]
pub struct Locked {
    directory: RunDirectory,
    records: RecordFile,
    /// The beginning of the run: new or resumed.
    pub beginning: Beginning,
    /// The earlier bots, and the names with which they played.
    pub former: VersionRegistry,
}

impl Locked {
    /// The bots that the plan no longer has.
    pub fn gone(&self) -> &[String] {
        match &self.beginning {
            Beginning::New => &[],
            Beginning::Resumed(comparison) => &comparison.withdrawn_bots,
        }
    }

    /// Opens the records for writing, for a run whose plan and bots do not change.
    pub(crate) fn into_writer(self) -> Result<(RecordWriter, Recovery), RecordFileError> {
        self.records.into_writer(|_| {})
    }

    /// Returns the names of the league that neither its plan nor its directory will keep, with the current name last.
    fn unkept_names(&self, plan: &Plan) -> Result<Vec<String>, DirectoryError> {
        let name = &plan.tournament.name;
        let stored = self.directory.read_plan(&self.directory.name())?;
        // If the registry has names, the directory's name is not one of them.
        let has_name =
            |stored: &Plan| stored.tournament.names_itself() || self.former.league_names().is_empty();
        let stored_name = stored.filter(has_name).map(|stored| stored.tournament.name);
        let mut names: Vec<String> = match &self.beginning {
            Beginning::Resumed(Comparison { former_name, .. }) => {
                let names_in_records =
                    [stored_name, former_name.as_deref().map(str::to_owned)].into_iter().flatten();
                names_in_records.filter(|former| former != name).collect()
            }
            Beginning::New => Vec::new(),
        };
        names.dedup();
        let is_kept = plan.tournament.names_itself() || *name == self.directory.name();
        if !is_kept || !names.is_empty() || !self.former.league_names().is_empty() {
            names.push(name.clone());
        }
        Ok(names)
    }

    /// Starts or resumes a run, second half: stores the plan and the bots in the directory.
    ///
    /// # Errors
    /// The directory can't be written.
    pub fn begin(self, plan: &Plan, roster: Roster) -> Result<Opened, DirectoryError> {
        let mut registry = self.former.with(&roster, self.gone());
        for name in self.unkept_names(plan)? {
            registry = registry.named(&name);
        }
        let Locked { directory, records, beginning, former } = self;
        let disk = &*directory.disk;
        if registry != former && (registry.exceeds_plan() || former.exceeds_plan()) {
            let path = directory.registry_file();
            // Written before the plan, so that a bot that was removed from the plan is not forgotten.
            write_atomically_on(disk, &path, |output| output.write_all(registry.text().as_bytes()))
                .map_err(|error| DirectoryError::Write { path, error })?;
        }
        // Other files that the plan names may change or vanish, so their contents are stored with it.
        let text = plan.tournament.self_contained(&plan.source.text);
        let is_stored = matches!(directory.read_text(&directory.plan()), Ok(Some(stored)) if stored == text);
        let failed = |error| DirectoryError::Write { path: directory.plan(), error };
        if is_stored {
            // An earlier run may have been killed immediately after the rename.
            disk.sync_folder(&directory.plan()).map_err(failed)?;
        } else {
            write_atomically_on(disk, &directory.plan(), |output| output.write_all(text.as_bytes()))
                .map_err(failed)?;
        }
        Ok(Opened { records, beginning, roster, former })
    }
}

/// A run directory that is open for writing.
#[derive(Debug)]
pub struct Opened {
    /// The records. Their lock is the lock of the whole directory.
    pub records: RecordFile,
    /// The beginning of the run: new or resumed.
    pub beginning: Beginning,
    /// The bots that play.
    pub roster: Roster,
    /// The earlier bots, and the names with which they played.
    pub former: VersionRegistry,
}

/// The beginning of a run.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Beginning {
    /// A new run.
    New,
    /// A resumed run, with the changes since it stopped.
    Resumed(Comparison),
}

/// The reason why a run directory can't be used.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// There is no run in this directory.
    #[error("there is no run in `{}`", .0.display())]
    NoRun(PathBuf),
    #[error("`{}` is not a directory", .0.display())]
    NotADirectory(PathBuf),
    /// It contains other files.
    #[error("`{}` is not a run directory: it contains `{found}` but no `tournament.toml`", path.display())]
    NotARun {
        path: PathBuf,
        /// One of these files.
        found: String,
    },
    /// Another process is using this directory.
    #[error("another linesman process is using `{}`", .0.display())]
    InUse(PathBuf),
    /// The run in it was started with another plan.
    #[error("the run in `{}` was started with different settings", path.display())]
    Changed {
        path: PathBuf,
        /// The differences, with their places in both files.
        mistakes: Box<Diagnostics>,
    },
    /// Its records name another league, but may still belong to this one.
    #[error("the records in `{}` belong to the league `{found}`, but this league is `{expected}`", path.display())]
    OtherLeague {
        path: PathBuf,
        /// The name of this league.
        expected: String,
        /// The name in the records.
        found: String,
    },
    /// The plan in it can't be parsed.
    #[error("can't read the tournament file of the run in `{}`", path.display())]
    Plan { path: PathBuf, mistakes: Box<Diagnostics> },
    /// It can't be read.
    #[error("can't read `{}`", path.display())]
    Read {
        /// The path that can't be read.
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// It can't be written.
    #[error("can't write `{}`", path.display())]
    Write {
        /// The path that can't be written.
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// Its records can't be opened.
    #[error(transparent)]
    Records(RecordFileError),
    /// This file, the registry of its bots, can't be parsed.
    #[error("`{}` is damaged: it does not list the bots of the league", .0.display())]
    Register(PathBuf),
    /// A bot is not the same as before, and the schedule depends on its results.
    #[error(transparent)]
    Replaced(CantReplace),
}

impl DirectoryError {
    /// The remedy.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            DirectoryError::NoRun(_) => {
                "name a run directory or its `games.jsonl`, or start a run with `linesman league run FILE.toml`".into()
            }
            DirectoryError::NotADirectory(_) | DirectoryError::NotARun { .. } => {
                "choose another directory with `--out DIR`".into()
            }
            DirectoryError::InUse(_) => {
                "wait until it ends, or choose another directory with `--out DIR`".into()
            }
            DirectoryError::Changed { .. } => {
                "undo the change, or start a new run in another directory with `--out DIR`; a run accepts only \
                 changes that affect no game already played, such as new bots, rounds or openings"
                    .into()
            }
            DirectoryError::OtherLeague { found, .. } => format!(
                "add `name = {found:?}` to the file to continue with these records, if you renamed the tournament \
                 file or the directory; otherwise, move them away, or choose another directory with `--out DIR`"
            )
            .into(),
            DirectoryError::Plan { .. } | DirectoryError::Register(_) => {
                "undo the changes that were made by hand in the directory".into()
            }
            DirectoryError::Replaced(_) => {
                "undo the change to its command or files, or start a new run in another directory with `--out DIR`"
                    .into()
            }
            DirectoryError::Records(error) => return error.hint(),
            DirectoryError::Write { error, .. } => write_hint(error).into(),
            DirectoryError::Read { .. } => return None,
        })
    }

    /// The mistakes to show in their files, if there are any.
    pub fn mistakes(&self) -> Option<&Diagnostics> {
        match self {
            DirectoryError::Changed { mistakes, .. } | DirectoryError::Plan { mistakes, .. } => {
                Some(mistakes)
            }
            _ => None,
        }
    }
}
