//! The digest of the files that a command names.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::THIS_BINARY;
use super::program::BotError;

/// The digest of a command's files; none if it names none.
///
/// It is the SHA-256 of one line a file: the index of its word, a space, and
/// the SHA-256 of its content in hex. This very binary counts as the text of its version.
pub(super) fn of_command(
    command: &[String],
    folder: &Path,
    software: &str,
) -> Result<Option<String>, BotError> {
    let mut lines = String::new();
    for (index, word) in command.iter().enumerate() {
        let content = if index == 0 && word == THIS_BINARY {
            hex(&Sha256::digest(software.as_bytes()))
        } else {
            let Some(path) = named_file(index, word, folder) else { continue };
            of_file(&path).map_err(|error| BotError::Unreadable { path, error })?
        };
        lines.push_str(&format!("{index} {content}\n"));
    }
    let digest = hex(&Sha256::digest(lines.as_bytes()));
    Ok((!lines.is_empty()).then(|| format!("sha256:{digest}")))
}

/// The file that a word of a command names, if it names one.
fn named_file(index: usize, word: &str, folder: &Path) -> Option<PathBuf> {
    if index == 0 && !word.contains('/') {
        // Looked up on the `PATH`: the host's, not the bot's.
        return None;
    }
    let candidates = [Some(word), word.split_once('=').map(|(_, value)| value)];
    candidates
        .into_iter()
        .flatten()
        .filter(|candidate| !candidate.is_empty())
        .map(|candidate| folder.join(candidate))
        .find(|path| path.is_file())
}

fn of_file(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut file = File::open(path)?;
    io::copy(&mut file, &mut HashWriter(&mut digest))?;
    Ok(hex(&digest.finalize()))
}

struct HashWriter<'d>(&'d mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
