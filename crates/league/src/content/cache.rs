//! Read-only copies of bots' contents on this machine, each in a folder named by its digest.
//!
//! ```text
//! DIR/lock                held while a copy is added
//! DIR/content/DIGEST/     the files of a bot
//! DIR/ready-ARCH/DIGEST/  the output of its `setup`, for this processor architecture
//! ```

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::ContentDigest;
use super::archive::{UnpackError, remove, seal, unpack};

/// Prefix of the names of unfinished folders.
const NEW: &str = ".new-";

/// A folder of bots' contents. Several processes can use it at the same time.
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
        error: io::Error,
    },
}

impl ContentCache {
    /// The cache in a folder, which is created when it is needed.
    pub fn at(folder: impl Into<PathBuf>) -> ContentCache {
        ContentCache { folder: folder.into() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder of a content's copy, if the cache has it.
    pub fn content(&self, digest: ContentDigest) -> Option<PathBuf> {
        Some(self.content_place(digest)).filter(|place| place.is_dir())
    }

    /// Returns the folder of a prepared copy, if the cache has it; `digest` comes from [`ContentDigest::after`].
    pub fn ready(&self, digest: ContentDigest) -> Option<PathBuf> {
        Some(self.ready_place(digest)).filter(|place| place.is_dir())
    }

    /// Stores a content and returns its folder.
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
        self.keep(self.content_place(digest), digest, archive)
    }

    /// Stores the output of a `setup` and returns its folder.
    ///
    /// # Errors
    /// An archive that is refused, or a cache that can't be written to.
    pub fn keep_ready(&self, digest: ContentDigest, archive: &[u8]) -> Result<PathBuf, CacheError> {
        self.keep(self.ready_place(digest), digest, archive)
    }

    fn content_place(&self, digest: ContentDigest) -> PathBuf {
        self.folder.join("content").join(digest.to_string())
    }

    fn ready_place(&self, digest: ContentDigest) -> PathBuf {
        // Machines of several architectures may share the cache, and compiled programs run on only one.
        self.folder.join(format!("ready-{}", std::env::consts::ARCH)).join(digest.to_string())
    }

    fn keep(&self, place: PathBuf, digest: ContentDigest, archive: &[u8]) -> Result<PathBuf, CacheError> {
        let parent = place.parent().unwrap_or(&self.folder);
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| CacheError::Folder { path, error }
        };
        // Bots may run as other users, which need access.
        DirBuilder::new().recursive(true).mode(0o755).create(parent).map_err(failed(parent))?;
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
        // The lock is held, so unfinished folders were left by processes that were killed.
        remove_unfinished(parent).map_err(failed(parent))?;
        let new = parent.join(format!("{NEW}{digest}"));
        DirBuilder::new().mode(0o755).create(&new).map_err(failed(&new))?;
        let stored = unpack(archive, &new).map_err(CacheError::from).and_then(|()| {
            seal(&new).map_err(failed(&new))?;
            // Under its final name, the content must be complete even after a power failure.
            File::open(&new).and_then(|new| Ok(rustix::fs::syncfs(new)?)).map_err(failed(&new))?;
            fs::rename(&new, &place).map_err(failed(&place))
        });
        if stored.is_err() {
            // If this fails, the next call removes it.
            let _ = remove(&new);
        }
        stored.map(|()| place)
    }
}

fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(NEW) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}
