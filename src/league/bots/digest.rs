//! The digest of the files that a command names.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::THIS_BINARY;
use super::program::BotError;

/// How much of a file is read at once.
const CHUNK: usize = 128 * 1024;

/// The digest of a command's files; none if it names none.
///
/// It is the SHA-256 of one line a file: the index of its word, a space, and
/// the SHA-256 of its content in hex. This very binary counts as the text of its version.
pub(super) fn of_command(
    command: &[String],
    folder: &Path,
    software: &str,
    known: &mut Known,
) -> Result<Option<String>, BotError> {
    let mut lines = String::new();
    for (index, word) in command.iter().enumerate() {
        let content = if index == 0 && word == THIS_BINARY {
            hex(&Sha256::digest(software.as_bytes()))
        } else {
            let Some(path) = named_file(index, word, folder) else { continue };
            known.of_file(&path).map_err(|error| BotError::Unreadable { path, error })?
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

/// The digests of files that several bots may name: each is read once.
#[derive(Default)]
pub(super) struct Known(HashMap<PathBuf, String>);

impl Known {
    fn of_file(&mut self, path: &Path) -> io::Result<String> {
        if let Some(digest) = self.0.get(path) {
            return Ok(digest.clone());
        }
        let digest = of_file(path)?;
        self.0.insert(path.to_owned(), digest.clone());
        Ok(digest)
    }
}

fn of_file(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; CHUNK];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&digest.finalize())),
            Ok(count) => digest.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
