//! Values of game options that are read from files: `layout = "@boards.txt"`.
//!
//! The content of the file replaces its name, so that records and copies of tournament files need no other file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::diagnostics::Source;
use linesman_games::Game;
use linesman_games::options::{BadText, FileParser, OptionKind};

const PREFIX: char = '@';
/// The maximum size of an option's file, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// A file that an option's value names.
#[derive(Clone, Debug)]
pub struct OptionFile {
    path: PathBuf,
    parse: FileParser,
}

impl OptionFile {
    /// Returns the file that a value names, if it names one and the option takes files. The path is relative to
    /// `folder`.
    pub fn named_by(game: &Game, option: &str, value: &str, folder: &Path) -> Option<OptionFile> {
        let path = value.strip_prefix(PREFIX)?;
        let spec = game.options.iter().find(|spec| spec.name == option)?;
        let OptionKind::Text { form, .. } = &spec.kind else { return None };
        // Messages show the path without a leading `./`.
        let path = if folder == Path::new(".") { PathBuf::from(path) } else { folder.join(path) };
        Some(OptionFile { path, parse: form.of_file? })
    }

    /// Reads the value of the option from the file.
    ///
    /// # Errors
    /// The file can't be read, or has no value that the option takes.
    pub fn read(&self) -> Result<String, OptionFileError> {
        let path = || self.path.clone();
        let mut bytes = Vec::new();
        File::open(&self.path)
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| OptionFileError::Read { path: path(), error })?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(OptionFileError::TooLong(path()));
        }
        let text = String::from_utf8(bytes).map_err(|_| OptionFileError::NotText(path()))?;
        (self.parse)(&text).map_err(|bad| OptionFileError::Wrong {
            file: Source { name: self.path.display().to_string(), text },
            bad,
        })
    }
}

/// The reason why no value can be read from a file.
#[derive(Debug, thiserror::Error)]
pub enum OptionFileError {
    /// It can't be read.
    #[error("can't read `{}`", path.display())]
    Read {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The file with this path is not UTF-8.
    #[error("`{}` is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    /// The file with this path is larger than any value could be.
    #[error("`{}` is too large (the maximum is {} KiB)", .0.display(), MAX_BYTES >> 10)]
    TooLong(PathBuf),
    /// It has no value that the option takes.
    #[error("{}", bad.why)]
    Wrong {
        file: Source,
        /// The mistake, and its place.
        bad: BadText,
    },
}
