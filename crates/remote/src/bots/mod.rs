//! The files of bots, addressed by their content: the leader puts the archive of each bot into a store under its
//! digest. A worker gets the archives that it lacks and keeps them in its cache.
//!
//! A store is not trusted: an archive is decompressed up to a maximum size, and kept only if it has the requested
//! digest.

#[cfg(feature = "nats")]
mod broker_store;
mod folder_store;

use std::future::Future;
use std::io::{self, Read};

use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};

use linesman_league::content::cache::{CacheError, ContentCache};
use linesman_league::content::{ContentDigest, MOST_BYTES};

#[cfg(feature = "nats")]
pub use broker_store::BrokerStore;
pub use folder_store::FolderStore;

/// The stream in which a broker keeps the files of bots.
pub const STREAM: &str = "LM_BOTS";

/// Prefix of the subjects of that stream.
pub const SUBJECTS: &str = "lmbots";

/// Maximum size of an archive in bytes: its files and the overhead of the format.
const MOST_ARCHIVE: u64 = 2 * MOST_BYTES;

/// A store of archives by their digests.
pub trait BotStore: Send + Sync {
    /// Stores these bytes unless the store has the digest.
    fn put(
        &self,
        digest: ContentDigest,
        bytes: Vec<u8>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Gets the bytes stored under this digest.
    fn get(&self, digest: ContentDigest) -> impl Future<Output = Result<Vec<u8>, StoreError>> + Send;
}

/// The reason why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store does not have the files.
    #[error("the store does not have the files `{0}`")]
    Missing(ContentDigest),
    /// The files of a bot are no longer those of the start of the run.
    #[error(
        "the files of bot `{bot}` have changed since the run began; put them back, or stop and start it again; keep \
         logs and other files that change out of the bot's folder"
    )]
    Changed {
        /// The bot's name.
        bot: String,
    },
    /// The store does not answer, or it refuses the request.
    #[error("the store can't be used: {0}")]
    Store(String),
    /// The stored data is damaged.
    #[error("the store has damaged files as `{digest}`: {why}")]
    Damaged {
        /// The digest.
        digest: ContentDigest,
        /// The defect.
        why: String,
    },
    /// The cache of this machine can't keep the files.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// Compresses an archive and stores it.
///
/// # Errors
/// A store that can't be used.
pub async fn publish(store: &impl BotStore, archive: &[u8]) -> Result<ContentDigest, StoreError> {
    let digest = ContentDigest::of(archive);
    let mut compressed = Vec::new();
    let read = GzEncoder::new(archive, Compression::default()).read_to_end(&mut compressed);
    read.map_err(|error| StoreError::Store(error.to_string()))?;
    store.put(digest, compressed).await?;
    Ok(digest)
}

/// Ensures that the cache has a content; gets it from the store if needed.
///
/// # Errors
/// A store that can't be used or that has damaged or other data, or a cache that can't be written to.
pub async fn fetch(
    store: &impl BotStore,
    digest: ContentDigest,
    cache: &ContentCache,
) -> Result<(), StoreError> {
    if cache.content(digest).is_some() {
        return Ok(());
    }
    let compressed = store.get(digest).await?;
    let archive =
        decompressed(&compressed).map_err(|error| StoreError::Damaged { digest, why: error.to_string() })?;
    cache.keep_content(digest, &archive)?;
    Ok(())
}

/// Decompresses an archive up to the maximum size: a few bytes can be made to expand to very many.
fn decompressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut archive = Vec::new();
    GzDecoder::new(bytes).take(MOST_ARCHIVE + 1).read_to_end(&mut archive)?;
    if archive.len() as u64 > MOST_ARCHIVE { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(archive) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    /// The result of a future that waits for nothing.
    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => panic!("a folder makes nobody wait"),
        }
    }

    /// An archive of one file.
    fn archive(text: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("bot.py");
        std::fs::write(&source, text).unwrap();
        let entry = linesman_league::content::archive::ContentEntry::File { source, is_executable: false };
        linesman_league::content::archive::pack(&[("bot.py".into(), entry)].into()).unwrap()
    }

    #[test]
    fn what_was_published_is_fetched_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderStore::at(folder.path().join("store"));
        let cache = ContentCache::at(folder.path().join("cache"));
        let digest = now(publish(&store, &archive(b"print()"))).unwrap();
        assert_eq!(now(publish(&store, &archive(b"print()"))).unwrap(), digest);
        now(fetch(&store, digest, &cache)).unwrap();
        let copy = cache.content(digest).unwrap();
        assert_eq!(std::fs::read(copy.join("bot.py")).unwrap(), b"print()");
        let other = ContentDigest::of(b"other");
        assert!(matches!(now(fetch(&store, other, &cache)), Err(StoreError::Missing(_))));
        // A store that has something else under a name, or no archive at all.
        let mut lie = Vec::new();
        GzEncoder::new(&*archive(b"lie"), Compression::fast()).read_to_end(&mut lie).unwrap();
        for (name, bytes) in [(b"1", lie), (b"2", b"no archive".to_vec())] {
            let digest = ContentDigest::of(name);
            now(store.put(digest, bytes)).unwrap();
            let refused = now(fetch(&store, digest, &cache)).unwrap_err();
            assert!(
                matches!(
                    refused,
                    StoreError::Damaged { .. } | StoreError::Cache(CacheError::OtherDigest { .. })
                ),
                "{refused}"
            );
            assert_eq!(cache.content(digest), None);
        }
    }

    #[test]
    fn a_little_that_becomes_very_much_is_cut_off() {
        let mut bomb = Vec::new();
        GzEncoder::new(io::repeat(0).take(MOST_ARCHIVE + 10), Compression::fast())
            .read_to_end(&mut bomb)
            .unwrap();
        assert!(bomb.len() < 4 << 20);
        assert_eq!(decompressed(&bomb).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
