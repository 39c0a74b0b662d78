//! Read-only copies of contents on this machine, each in a folder named by its digest.
//!
//! ```text
//! DIR/lock                held while something is added
//! DIR/content/DIGEST/     the files of a bot
//! DIR/ready-ARCH/DIGEST/  the output of its `setup`, on processors of this architecture
//! ```

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::ContentDigest;
use super::archive::{UnpackError, remove, seal, unpack};

/// Prefix of the names of folders that are being made.
const NEW: &str = ".new-";

/// A folder of contents. Several processes may use it at the same time.
#[derive(Clone, Debug)]
pub struct ContentCache {
    folder: PathBuf,
}

/// The reason why a content is not in the cache.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The archive does not have the expected digest.
    #[error("the archive has the digest {found} instead of {expected}")]
    OtherDigest {
        /// The expected digest.
        expected: ContentDigest,
        /// The archive's digest.
        found: ContentDigest,
    },
    /// The archive can't be unpacked.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The cache can't be used.
    #[error("can't use the cache `{}`: {error}", path.display())]
    Folder {
        /// The file or folder of the cache.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Shelf {
    Content,
    Ready,
}

impl ContentCache {
    /// The cache in a folder, which is made when it is needed.
    pub fn at(folder: impl Into<PathBuf>) -> ContentCache {
        ContentCache { folder: folder.into() }
    }

    /// The folder of the cache.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a content's copy, if the cache has it.
    pub fn content(&self, digest: ContentDigest) -> Option<PathBuf> {
        Some(self.place(Shelf::Content, digest)).filter(|place| place.is_dir())
    }

    /// The folder of a prepared copy, if the cache has it; `digest` is that of [`ContentDigest::after`].
    pub fn ready(&self, digest: ContentDigest) -> Option<PathBuf> {
        Some(self.place(Shelf::Ready, digest)).filter(|place| place.is_dir())
    }

    /// Keeps a content, and returns its folder.
    ///
    /// # Errors
    /// An archive that has another digest or is refused, or a cache that can't be written to.
    pub fn keep_content(&self, digest: ContentDigest, archive: &[u8]) -> Result<PathBuf, CacheError> {
        if let Some(place) = self.content(digest) {
            return Ok(place);
        }
        let found = ContentDigest::of(archive);
        if found != digest {
            return Err(CacheError::OtherDigest { expected: digest, found });
        }
        self.keep(Shelf::Content, digest, archive)
    }

    /// Keeps the output of a `setup`, and returns its folder.
    ///
    /// # Errors
    /// An archive that is refused, or a cache that can't be written to.
    pub fn keep_ready(&self, digest: ContentDigest, archive: &[u8]) -> Result<PathBuf, CacheError> {
        self.keep(Shelf::Ready, digest, archive)
    }

    fn place(&self, shelf: Shelf, digest: ContentDigest) -> PathBuf {
        match shelf {
            Shelf::Content => self.folder.join("content").join(digest.to_string()),
            // Compiled programs may only run on machines like this one.
            Shelf::Ready => {
                self.folder.join(format!("ready-{}", std::env::consts::ARCH)).join(digest.to_string())
            }
        }
    }

    fn keep(&self, shelf: Shelf, digest: ContentDigest, archive: &[u8]) -> Result<PathBuf, CacheError> {
        let place = self.place(shelf, digest);
        let around = place.parent().unwrap_or(&self.folder);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| CacheError::Folder { path, error }
        };
        // Bots may run as users of their own, which need access.
        DirBuilder::new().recursive(true).mode(0o755).create(around).map_err(failed(around))?;
        let lock = self.folder.join("lock");
        let _lock = File::options()
            .create(true)
            .append(true)
            .open(&lock)
            .and_then(|file| file.lock().map(|()| file))
            .map_err(failed(&lock))?;
        if place.is_dir() {
            return Ok(place);
        }
        // The lock is held, so what is unfinished was left by a process that was killed.
        sweep(around).map_err(failed(around))?;
        let new = around.join(format!("{NEW}{digest}"));
        DirBuilder::new().mode(0o755).create(&new).map_err(failed(&new))?;
        let made = unpack(archive, &new).map_err(CacheError::from).and_then(|()| {
            seal(&new).map_err(failed(&new))?;
            // Under its final name, the content must be complete even after a power cut.
            File::open(&new).and_then(|new| Ok(rustix::fs::syncfs(new)?)).map_err(failed(&new))?;
            fs::rename(&new, &place).map_err(failed(&place))
        });
        if made.is_err() {
            // If this fails, the next call sweeps it.
            let _ = remove(&new);
        }
        made.map(|()| place)
    }
}

/// Removes unfinished folders.
fn sweep(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(NEW) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}
