//! The digest of the files that a command names.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::program::{ADAPT, BotError, THIS_BINARY};

/// Size of the buffer for reading files, in bytes.
const BUFFER_SIZE: usize = 128 * 1024;

/// The files that a command names, each with the index of its word.
///
/// Their digest is the SHA-256 of one line per file: the index of its word, a space, and the SHA-256 of its content in
/// hex. For linesman itself, the text of its version is the content.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct NamedFiles(Vec<(usize, Content)>);

#[derive(Clone, Eq, PartialEq, Debug)]
enum Content {
    /// A text that replaces the content.
    Text(String),
    File(PathBuf),
}

impl NamedFiles {
    /// Finds the files that a command names.
    pub(super) fn of(command: &[String], folder: &Path, software: &str) -> Result<NamedFiles, BotError> {
        let mut named = Vec::new();
        for (index, word) in command.iter().enumerate() {
            if index == 0 && word == THIS_BINARY {
                named.push((index, Content::Text(software.to_owned())));
            } else if let Some(path) = named_file(command, index, folder) {
                if let Err(error) = File::open(&path) {
                    return Err(BotError::Unreadable { path, error });
                }
                named.push((index, Content::File(path)));
            }
        }
        Ok(NamedFiles(named))
    }

    /// Reads the files and returns their digest; `None` if the command names no file.
    pub(super) fn digest(&self, cache: &mut DigestCache) -> Result<Option<String>, BotError> {
        let mut lines = String::new();
        for (index, content) in &self.0 {
            let content = match content {
                Content::Text(text) => HEXLOWER.encode(&Sha256::digest(text.as_bytes())),
                Content::File(path) => {
                    cache.of_file(path).map_err(|error| BotError::Unreadable { path: path.clone(), error })?
                }
            };
            lines.push_str(&format!("{index} {content}\n"));
        }
        let digest = HEXLOWER.encode(&Sha256::digest(lines.as_bytes()));
        Ok((!lines.is_empty()).then(|| format!("sha256:{digest}")))
    }
}

/// The digests of several bots. Large files take long to read, so they can be read in the background.
#[derive(Debug)]
pub struct Digests(DigestState);

#[derive(Debug)]
enum DigestState {
    Pending(Vec<NamedFiles>),
    Reading(JoinHandle<Vec<DigestOutcome>>),
}

/// The digest of one bot's files; `None` if its command names none.
type DigestOutcome = Result<Option<String>, BotError>;

impl Digests {
    pub(super) fn of(bots: Vec<NamedFiles>) -> Digests {
        Digests(DigestState::Pending(bots))
    }

    /// Starts reading the files on a separate thread.
    #[must_use]
    pub fn begun(self) -> Digests {
        let DigestState::Pending(bots) = self.0 else { return self };
        let thread = std::thread::Builder::new().name("digests".to_owned());
        let clone = bots.clone();
        // If no thread can be started, the files are read when the digests are needed.
        Digests(match thread.spawn(move || read(&clone)) {
            Ok(thread) => DigestState::Reading(thread),
            Err(_) => DigestState::Pending(bots),
        })
    }

    /// Waits until the files have been read, and returns the digests of all bots in their order.
    pub(super) fn get(self) -> Vec<DigestOutcome> {
        match self.0 {
            DigestState::Pending(bots) => read(&bots),
            DigestState::Reading(thread) => {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
        }
    }
}

fn read(bots: &[NamedFiles]) -> Vec<DigestOutcome> {
    let mut cache = DigestCache::default();
    bots.iter().map(|bot| bot.digest(&mut cache)).collect()
}

/// Finds the files that a command names relative to this folder.
pub(crate) fn named_files(command: &[String], folder: &Path) -> Vec<PathBuf> {
    (0..command.len()).filter_map(|index| named_file(command, index, folder)).collect()
}

/// Returns the file that the word of a command with this index names, if it names one.
fn named_file(command: &[String], index: usize, folder: &Path) -> Option<PathBuf> {
    let word = command[index].as_str();
    // A program from the `PATH` belongs to the host, not to the bot.
    let is_on_path = index == 0 && !word.contains('/');
    let candidates = [Some(word), word.split_once('=').map(|(_, value)| value)];
    let mut candidates = candidates.into_iter().flatten().filter(|text| !text.is_empty() && !is_on_path);
    let named = candidates.find_map(|text| Some(folder.join(text)).filter(|path| path.is_file()));
    named.or_else(|| adapted_file(command, word, folder))
}

/// Returns the file of a word `FILE:NAME` in a command that begins with `linesman adapt`.
fn adapted_file(command: &[String], word: &str, folder: &Path) -> Option<PathBuf> {
    let [program, subcommand, ..] = command else { return None };
    let is_this = Path::new(program).file_name().is_some_and(|name| name == THIS_BINARY);
    let (file, _) = word.rsplit_once(':').filter(|_| is_this && subcommand == ADAPT)?;
    Some(folder.join(file)).filter(|path| path.is_file())
}

/// The digests of files. Several bots can name the same file, which is read once.
#[derive(Default)]
pub(super) struct DigestCache(HashMap<PathBuf, String>);

impl DigestCache {
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
    let mut buffer = vec![0; BUFFER_SIZE];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(HEXLOWER.encode(&digest.finalize())),
            Ok(count) => digest.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
