//! The content of bots: their files as one archive whose bytes depend only on the files, and copies stored by digest.
//!
//! - [`files`]: the files that a bot needs from the tournament file's folder. [`archive`]: packs and unpacks them.
//! - [`cache`]: read-only copies on this machine. [`setup`]: the command that prepares a copy.
//!
//! A bot plays from a copy if it has a `setup`, or if the machine does not have its files.

pub mod archive;
pub mod cache;
pub mod files;
pub mod setup;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// Maximum total size of a bot's files, in bytes.
pub const MAX_BYTES: u64 = 128 << 20;

/// Maximum number of files of a bot.
pub const MAX_FILES: usize = 10_000;

/// Maximum number of components in the path of a bot's file, relative to the content's root.
pub const MAX_DEPTH: usize = 32;

/// The SHA-256 of an archive, which identifies the content of a bot.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct ContentDigest([u8; 32]);

impl ContentDigest {
    /// Computes the digest of an archive.
    pub fn of(archive: &[u8]) -> ContentDigest {
        ContentDigest(Sha256::digest(archive).into())
    }

    /// Computes the digest that identifies the output of this `setup` for this content. The digest of the output itself
    /// is not known without running the `setup`, and can differ between machines.
    #[must_use]
    pub fn after(self, setup: &str) -> ContentDigest {
        ContentDigest::of(format!("{self}\n{setup}").as_bytes())
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

/// The content of a bot, and the folder inside it in which the bot runs.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotContent {
    /// The digest of its files.
    pub digest: ContentDigest,
    /// The folder in which it runs, relative to the root of the content.
    pub within: PathBuf,
}

impl Serialize for ContentDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ContentDigest, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        let wrong = || serde::de::Error::custom("a digest has 64 lowercase hexadecimal digits");
        bytes.map(ContentDigest).ok_or_else(wrong)
    }
}
