//! A tournament file that has been read.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use crate::bots::similar_path;
use crate::file::{Context, Diagnostics, Source, Tournament, parse};
use crate::host::{Folders, LeaguePaths};

/// Maximum size of a tournament file, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A tournament file: its text and its meaning.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The file's name and its exact text.
    pub source: Source,
    /// The tournament that it describes.
    pub tournament: Tournament,
    /// The file from which it was read; `None` if it comes from the command line.
    pub file: Option<PathBuf>,
    /// The folder of that file, to which the paths of bots are relative.
    pub folder: PathBuf,
    /// The name of the tournament if the file gives none.
    pub(crate) stem: String,
}

impl Plan {
    /// Creates a plan from a text that has been parsed in this context.
    pub fn new(text: String, tournament: Tournament, context: &Context) -> Plan {
        let source = Source { name: context.shown.clone(), text };
        Plan { source, tournament, file: None, folder: context.folder.clone(), stem: context.stem.clone() }
    }

    /// Reads a tournament file for a run on a machine with this number of cores.
    ///
    /// # Errors
    /// A file that can't be read, or all mistakes in it.
    pub fn read(path: &Path, cores: Option<NonZeroU32>) -> Result<Plan, PlanError> {
        let failed = |error| PlanError::Read { path: path.to_owned(), error };
        let mut bytes = Vec::new();
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(PlanError::TooLong(path.to_owned()));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            PlanError::NotUtf8 { path: path.to_owned(), line }
        })?;
        if text.trim_start().starts_with('{') {
            return Err(PlanError::Records(path.to_owned()));
        }
        let context = Context::of_file(path, cores);
        let tournament =
            parse(&text, &context).map_err(|mistakes| PlanError::Diagnostics(Box::new(mistakes)))?;
        Ok(Plan { file: Some(path.to_owned()), ..Plan::new(text, tournament, &context) })
    }

    /// Returns the paths of the league of this plan. `directory` is its run directory, if it has one.
    pub fn paths(&self, directory: Option<&Path>) -> LeaguePaths {
        // The folder of runs can contain other leagues.
        let runs = directory.and_then(Path::parent).filter(|parent| parent.ends_with(super::RUNS));
        let private = [self.file.as_deref(), directory, runs];
        LeaguePaths {
            private: private.into_iter().flatten().map(Path::to_owned).collect(),
            folders: if self.file.is_some() { Folders::OfBots } else { Folders::OfThePlayer },
        }
    }
}

/// The reason why a plan can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file can't be read.
    #[error("can't read `{}`", path.display())]
    Read {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("`{}` is not text: line {line} is not UTF-8", path.display())]
    NotUtf8 {
        path: PathBuf,
        /// The number of the first line that is not UTF-8, from 1.
        line: usize,
    },
    /// The file is too large for a tournament file.
    #[error("`{}` is too large for a tournament file (the maximum is {} MiB)", .0.display(), MAX_BYTES >> 20)]
    TooLong(PathBuf),
    /// The file contains records instead of a plan.
    #[error("`{}` contains records or other JSON, not a tournament file", .0.display())]
    Records(PathBuf),
    /// The file has mistakes.
    #[error(transparent)]
    Diagnostics(Box<Diagnostics>),
}

impl PlanError {
    /// The remedy.
    pub fn hint(&self) -> Option<String> {
        let (path, error) = match self {
            PlanError::Read { path, error } => (path, error),
            PlanError::Records(path) => return Some(records_hint(path)),
            PlanError::NotUtf8 { .. } | PlanError::TooLong(_) | PlanError::Diagnostics(_) => return None,
        };
        match error.kind() {
            io::ErrorKind::NotFound => Some(format!("did you mean `{}`?", similar_path(path)?.display())),
            io::ErrorKind::IsADirectory if path.join("tournament.toml").is_file() => {
                let plan = path.join("tournament.toml");
                Some(format!(
                    "name the tournament file that the run was started with to continue it (`{}` is a copy)",
                    plan.display()
                ))
            }
            io::ErrorKind::IsADirectory => Some("name the tournament file in this directory".to_owned()),
            _ => None,
        }
    }
}

/// The hint for a user who named the records instead of the tournament file.
fn records_hint(path: &Path) -> String {
    let plan = path.with_file_name("tournament.toml");
    if plan.is_file() {
        return format!(
            "name the tournament file that the run was started with to continue it (`{}` is a copy), or \
             use `linesman league standings {}` for its standings",
            plan.display(),
            path.display()
        );
    }
    "name the tournament file: `linesman league run cup.toml`".to_owned()
}
