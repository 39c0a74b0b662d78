//! The files that a bot needs from the tournament file's folder: those that it can read there in the sandbox.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::archive::{ContentEntries, ContentEntry, PackError, pack, stays_inside};
use super::{BotContent, ContentDigest, MAX_BYTES, MAX_DEPTH, MAX_FILES};
use crate::bots::{Identity, named_files, presume};
use crate::directory::RunDirectory;
use crate::file::{Bot, Diagnostic, Diagnostics, Source, Tournament};
use crate::host::Host;
use crate::read_access::ReadAccess;
use linesman_sandbox::isolation::{SYSTEM_FILES, plain};

/// Names of folders that are never part of a content, since other tools keep their data there.
const EXCLUDED: [&str; 4] = [".git", ".hg", ".svn", "__pycache__"];

/// The reason why a bot's files can't be copied.
#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    /// A file or folder that it needs is outside the folder of the tournament file.
    #[error("`{}` is not in the folder of the tournament file", path.display())]
    Elsewhere {
        /// The file or folder.
        path: PathBuf,
        /// The key that names it.
        key: &'static str,
    },
    /// A link leads out of the folder.
    #[error("`{}` is a link to `{}`, which is not in the folder of the tournament file", path.display(), target.display())]
    LinkOut {
        /// The link.
        path: PathBuf,
        /// Its target, as the link names it.
        target: PathBuf,
    },
    /// An entry is neither a file, a folder nor a link.
    #[error("`{}` is neither a file nor a folder", .0.display())]
    Special(PathBuf),
    /// Its files exceed the maximum total size.
    #[error("its files take more than {} MiB; the largest is `{}` with {} MiB", MAX_BYTES >> 20, largest.display(), bytes >> 20)]
    TooLarge {
        /// The largest file so far.
        largest: PathBuf,
        /// The size of that file, in bytes.
        bytes: u64,
    },
    /// It has too many files, such as this one.
    #[error("it has more than {MAX_FILES} files, such as `{}`", .0.display())]
    TooMany(PathBuf),
    /// Its folders are nested too deep at this path.
    #[error("`{}` lies in more than {MAX_DEPTH} folders", .0.display())]
    TooDeep(PathBuf),
    /// A file can't be read.
    #[error("can't read `{}`: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
}

impl ContentError {
    fn key(&self) -> &'static str {
        match self {
            ContentError::Elsewhere { key, .. } => key,
            ContentError::LinkOut { .. }
            | ContentError::Special(_)
            | ContentError::TooLarge { .. }
            | ContentError::TooMany(_)
            | ContentError::TooDeep(_)
            | ContentError::Unreadable { .. } => "command",
        }
    }

    fn label(&self) -> &'static str {
        match self {
            ContentError::Elsewhere { .. } => "other machines don't have it",
            ContentError::LinkOut { .. } => "a link that leads out of the folder",
            ContentError::Special(_) => "can't be copied",
            ContentError::TooLarge { .. } | ContentError::TooMany(_) => "too large to be copied",
            ContentError::TooDeep(_) => "too deep to be copied",
            ContentError::Unreadable { .. } => "not readable",
        }
    }

    /// The remedy.
    pub fn hint(&self) -> Option<String> {
        match self {
            ContentError::Elsewhere { key: "dir", .. } => {
                Some("put the bot's folder into the folder of the tournament file".to_owned())
            }
            ContentError::Elsewhere { path, .. } if path.is_file() => Some(
                "put the file into the bot's folder; a program that is installed on all machines is named \
                 without a path, with `needs = [\"PROGRAM\"]`"
                    .to_owned(),
            ),
            ContentError::Elsewhere { .. } => {
                Some("put it into the folder of the tournament file".to_owned())
            }
            ContentError::LinkOut { .. } => Some(
                "put a copy in place of the link; packages of Python travel if they are installed with `pip \
                 install --target lib ...`, with `env = { PYTHONPATH = \"lib\" }`"
                    .to_owned(),
            ),
            ContentError::TooLarge { .. } | ContentError::TooMany(_) => Some(
                "give the bot a folder of its own with `dir`, in which there is only what it needs"
                    .to_owned(),
            ),
            ContentError::Special(_) | ContentError::TooDeep(_) => Some("remove it".to_owned()),
            ContentError::Unreadable { .. } => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct BotFiles {
    /// The files, with paths relative to the folder of the tournament file.
    pub entries: ContentEntries,
    /// The folder in which the bot runs, relative to the same folder.
    pub within: PathBuf,
}

impl BotFiles {
    /// Reads the files and returns the content and its archive.
    ///
    /// # Errors
    /// A file that can't be read, or files that exceed the maximum total size.
    pub fn packed(&self) -> Result<(BotContent, Vec<u8>), PackError> {
        let archive = pack(&self.entries)?;
        Ok((BotContent { digest: ContentDigest::of(&archive), within: self.within.clone() }, archive))
    }
}

/// A bot whose files are sent to other machines.
#[derive(Clone, Debug)]
pub struct TravellingBot {
    pub name: String,
    pub files: BotFiles,
    /// Their content at the start of the run, which the other machines ask for.
    pub content: BotContent,
}

/// Finds the files of the bots with these indices, in the same order. `base` is the folder of the tournament file.
///
/// # Errors
/// All bots whose files can't be copied, as mistakes in the tournament file.
pub fn of_bots(
    bots: &[usize],
    (tournament, source): (&Tournament, &Source),
    base: &Path,
    host: &Host,
) -> Result<Vec<BotFiles>, Box<Diagnostics>> {
    let identities: Vec<Identity> =
        tournament.bots.iter().map(|bot| presume(bot, &host.environment.path)).collect();
    let read_access = ReadAccess::of_all(tournament, &identities, host);
    let base = absolute(base);
    let files = bots.iter().map(|index| {
        let bot = &tournament.bots[*index];
        of_bot(bot, &read_access[*index], &base).map_err(|error| {
            let place = tournament.spans.find(&["bots", &bot.name, error.key()]);
            let mistake =
                Diagnostic::new(format!("bot `{}` can't be copied to another place: {error}", bot.name));
            mistake.at(place, error.label()).maybe_hint(error.hint())
        })
    });
    Diagnostics::all_or(source, files)
}

fn of_bot(bot: &Bot, access: &ReadAccess, base: &Path) -> Result<BotFiles, ContentError> {
    check_places(bot, access, base)?;
    let mut walk = FileWalk::of(base);
    for path in access.grants.read.iter().filter(|path| path.starts_with(base)) {
        walk.take(path)?;
    }
    let folder = absolute(&bot.folder);
    let within = folder.strip_prefix(base).unwrap_or(Path::new("")).to_owned();
    // The folder in which the bot runs must exist even if it is empty.
    if !within.as_os_str().is_empty() {
        walk.entries.entry(within.clone()).or_insert(ContentEntry::Folder);
    }
    Ok(BotFiles { entries: walk.entries, within })
}

/// Checks that all paths of a bot in the tournament file are in the folder of that file, or belong to the system.
fn check_places(bot: &Bot, access: &ReadAccess, base: &Path) -> Result<(), ContentError> {
    let is_elsewhere = |path: &PathBuf| {
        !path.starts_with(base) && !SYSTEM_FILES.iter().any(|system| path.starts_with(system))
    };
    let folder = absolute(&bot.folder);
    if is_elsewhere(&folder) {
        return Err(ContentError::Elsewhere { path: folder, key: "dir" });
    }
    let named = named_files(&bot.command, &folder);
    let named = named.into_iter().chain(access.owned_paths()).map(|path| ("command", path));
    let read = bot.read.iter().map(|path| ("read", folder.join(path)));
    for (key, path) in named.chain(read) {
        let path = absolute(&path);
        if is_elsewhere(&path) {
            return Err(ContentError::Elsewhere { path, key });
        }
    }
    Ok(())
}

struct FileWalk<'b> {
    base: &'b Path,
    entries: ContentEntries,
    bytes: u64,
    /// The largest file so far, and its size.
    largest: (PathBuf, u64),
}

impl<'b> FileWalk<'b> {
    fn of(base: &'b Path) -> FileWalk<'b> {
        FileWalk { base, entries: ContentEntries::new(), bytes: 0, largest: (PathBuf::new(), 0) }
    }

    /// Adds a file or a link, or all of them below a folder.
    fn take(&mut self, path: &Path) -> Result<(), ContentError> {
        let unreadable = |error| ContentError::Unreadable { path: path.to_owned(), error };
        if path.file_name().is_some_and(|name| EXCLUDED.iter().any(|excluded| name == *excluded)) {
            return Ok(());
        }
        let within = path.strip_prefix(self.base).unwrap_or(path).to_owned();
        if within.components().count() > MAX_DEPTH {
            return Err(ContentError::TooDeep(path.to_owned()));
        }
        let metadata = fs::symlink_metadata(path).map_err(unreadable)?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            // A run directory is not part of a bot, nor is a folder of run directories: entries are files and links.
            if RunDirectory::at(path).games().is_file() {
                return Ok(());
            }
            let mut children = fs::read_dir(path)
                .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>())
                .map_err(unreadable)?;
            children.sort_unstable();
            return children.iter().try_for_each(|path| self.take(path));
        }
        if kind.is_symlink() {
            let target = fs::read_link(path).map_err(unreadable)?;
            if !stays_inside(&within, &target) {
                return Err(ContentError::LinkOut { path: path.to_owned(), target });
            }
            return self.add(path, within, ContentEntry::Link(target));
        }
        if !kind.is_file() {
            return Err(ContentError::Special(path.to_owned()));
        }
        let is_executable = metadata.permissions().mode() & 0o111 != 0;
        let bytes = metadata.len();
        if !self.entries.contains_key(&within) {
            self.bytes = self.bytes.saturating_add(bytes);
            if bytes >= self.largest.1 {
                self.largest = (path.to_owned(), bytes);
            }
        }
        if self.bytes > MAX_BYTES {
            let (largest, bytes) = self.largest.clone();
            return Err(ContentError::TooLarge { largest, bytes });
        }
        self.add(path, within, ContentEntry::File { source: path.to_owned(), is_executable })
    }

    fn add(&mut self, path: &Path, within: PathBuf, entry: ContentEntry) -> Result<(), ContentError> {
        self.entries.insert(within, entry);
        if self.entries.len() > MAX_FILES {
            return Err(ContentError::TooMany(path.to_owned()));
        }
        Ok(())
    }
}

fn absolute(path: &Path) -> PathBuf {
    plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// Finds all files below a folder.
pub(super) fn below(folder: &Path) -> Result<ContentEntries, ContentError> {
    let mut walk = FileWalk::of(folder);
    walk.take(folder)?;
    Ok(walk.entries)
}
