//! The keys by which users authenticate. The broker knows only the public half.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nkeys::{KeyPair, KeyPairType};

/// The reason why a secret can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// A file can't be read.
    #[error("can't read `{}`: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// A file can't be written.
    #[error("can't write `{}`: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    /// The file does not hold the key of a user.
    #[error("`{}` does not hold the key of a user: {error}", path.display())]
    NoKey {
        path: PathBuf,
        /// The defect.
        error: nkeys::error::Error,
    },
}

/// Reads the public key of the user whose secret is in a file. If the file does not exist, creates a secret and writes
/// it there, readable only by its owner.
///
/// # Errors
/// A file that can't be read or written, or that does not hold the key of a user.
pub fn user_key(path: &Path) -> Result<String, SecretError> {
    let no_key = |error| SecretError::NoKey { path: path.to_owned(), error };
    match fs::read_to_string(path) {
        Ok(seed) => {
            let key = KeyPair::from_seed(seed.trim()).map_err(no_key)?;
            match key.key_pair_type() {
                KeyPairType::User => Ok(key.public_key()),
                _ => Err(no_key(nkeys::error::Error::new(nkeys::error::ErrorKind::InvalidPrefix, None))),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = KeyPair::new_user();
            let seed = key.seed().map_err(no_key)?;
            write_secret(path, &format!("{seed}\n"))?;
            Ok(key.public_key())
        }
        Err(error) => Err(SecretError::Read { path: path.to_owned(), error }),
    }
}

/// Writes a new file that only its owner can read.
///
/// # Errors
/// A file that can't be written, or that already exists.
pub fn write_secret(path: &Path, text: &str) -> Result<(), SecretError> {
    let written = File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
    written.map_err(|error| SecretError::Write { path: path.to_owned(), error })
}

/// Creates a folder that only its owner can enter, and its parents, unless it exists.
///
/// # Errors
/// The error of the system.
pub fn secret_folder(path: &Path) -> Result<(), SecretError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| SecretError::Write { path: path.to_owned(), error })
}
