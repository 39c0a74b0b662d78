//! The files of bots, addressed by their content: the leader stores the archive of each bot under its digest. A worker
//! gets the archives that it lacks and keeps them in its cache.
//!
//! A store is not trusted: an archive is decompressed up to a maximum size, and kept only if it has the requested
//! digest.

mod broker_store;

use std::io::{self, Read};

use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};

use linesman_league::content::cache::{CacheError, ContentCache};
use linesman_league::content::{ContentDigest, MAX_BYTES};

pub use broker_store::BrokerStore;

/// The stream in which a broker keeps the files of bots.
pub const STREAM: &str = "LM_BOTS";

/// Prefix of the subjects of that stream.
pub const SUBJECTS: &str = "lmbots";

/// Maximum size of an archive in bytes: its files and the overhead of the format.
const MAX_ARCHIVE: u64 = 2 * MAX_BYTES;

/// The reason why a store can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store does not have the files.
    #[error("the store does not have the files `{0}`")]
    Missing(ContentDigest),
    /// The files of the bot with this name have changed since the start of the run.
    #[error(
        "the files of bot `{0}` have changed since the run started; restore them, or stop the run and start it again; keep \
         logs and other files that change out of the bot's folder"
    )]
    Changed(String),
    /// The store does not answer, or it refuses the request.
    #[error("the store can't be used: {0}")]
    Store(String),
    /// The stored data is damaged.
    #[error("the store has damaged files as `{digest}`: {why}")]
    Damaged {
        digest: ContentDigest,
        /// The defect.
        why: String,
    },
    /// The cache of this machine can't keep the files.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

fn compressed(archive: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    GzEncoder::new(archive, Compression::default()).read_to_end(&mut compressed)?;
    Ok(compressed)
}

/// Decompresses the data that a store has under a digest, and keeps it in the cache.
fn keep(compressed: &[u8], digest: ContentDigest, cache: &ContentCache) -> Result<(), StoreError> {
    let archive =
        decompressed(compressed).map_err(|error| StoreError::Damaged { digest, why: error.to_string() })?;
    cache.keep_content(digest, &archive)?;
    Ok(())
}

/// Decompresses an archive up to the maximum size, since a few bytes can expand to very many.
fn decompressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut archive = Vec::new();
    GzDecoder::new(bytes).take(MAX_ARCHIVE + 1).read_to_end(&mut archive)?;
    if archive.len() as u64 > MAX_ARCHIVE { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(archive) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an archive of one file.
    fn archive(text: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("bot.py");
        std::fs::write(&source, text).unwrap();
        let entry = linesman_league::content::archive::ContentEntry::File { source, is_executable: false };
        linesman_league::content::archive::pack(&[("bot.py".into(), entry)].into()).unwrap()
    }

    #[test]
    fn an_archive_is_kept_only_if_it_has_the_requested_digest() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ContentCache::at(folder.path().join("cache"));
        let packed = archive(b"print()");
        let digest = ContentDigest::of(&packed);
        keep(&compressed(&packed).unwrap(), digest, &cache).unwrap();
        let copy = cache.content(digest).unwrap();
        assert_eq!(std::fs::read(copy.join("bot.py")).unwrap(), b"print()");
        // A store that has another archive under a digest, or data that is no archive.
        let lie = compressed(&archive(b"lie")).unwrap();
        for (name, bytes) in [(b"1", lie), (b"2", b"no archive".to_vec())] {
            let digest = ContentDigest::of(name);
            let refused = keep(&bytes, digest, &cache).unwrap_err();
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
    fn a_decompression_bomb_is_refused() {
        let mut bomb = Vec::new();
        GzEncoder::new(io::repeat(0).take(MAX_ARCHIVE + 10), Compression::fast())
            .read_to_end(&mut bomb)
            .unwrap();
        assert!(bomb.len() < 4 << 20);
        assert_eq!(decompressed(&bomb).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
