//! A store that is a folder: one file for each archive.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{BotStore, StoreError};
use linesman_league::content::ContentDigest;
use linesman_record::{HostDisk, write_atomically_on};

/// A folder of archives.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// The store in a folder, which is made when it is needed.
    pub fn at(folder: impl Into<PathBuf>) -> FolderStore {
        FolderStore { folder: folder.into() }
    }

    fn place(&self, digest: ContentDigest) -> PathBuf {
        self.folder.join(digest.to_string())
    }
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Store(format!("`{}`: {error}", path.display()))
}

impl BotStore for FolderStore {
    async fn put(&self, digest: ContentDigest, bytes: Vec<u8>) -> Result<(), StoreError> {
        let place = self.place(digest);
        if place.is_file() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(|error| failed(&self.folder, &error))?;
        write_atomically_on(&HostDisk, &place, |output| output.write_all(&bytes))
            .map_err(|error| failed(&place, &error))
    }

    async fn get(&self, digest: ContentDigest) -> Result<Vec<u8>, StoreError> {
        let place = self.place(digest);
        fs::read(&place).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreError::Missing(digest),
            _ => failed(&place, &error),
        })
    }
}
