//! Packs files into a tar archive whose bytes depend only on names, contents, links and executable bits, and unpacks
//! untrusted archives.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use tar::{EntryType, Header};

use super::{MAX_BYTES, MAX_DEPTH, MAX_FILES};

/// Modification time of all files, in seconds since 1970: early 1980, since tools for ZIP files refuse earlier times.
const MODIFIED: u64 = 315_619_200;

/// Maximum number of files and folders in an archive to unpack.
const MAX_ENTRIES: usize = 3 * MAX_FILES;

/// A file, a folder or a link in the content of a bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ContentEntry {
    Folder,
    File {
        /// The path from which it is read.
        source: PathBuf,
        /// True if it is executable.
        is_executable: bool,
    },
    /// A symbolic link, with its target, relative to the folder of the link.
    Link(PathBuf),
}

/// The entries of a bot's content, by their paths relative to its root.
pub type ContentEntries = BTreeMap<PathBuf, ContentEntry>;

/// The reason why files can't be packed into an archive.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A file can't be read.
    #[error("can't read `{}`: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// The files exceed the maximum total size.
    #[error("the files take more than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// The archive can't be written.
    #[error("can't write an archive: {0}")]
    Write(#[from] io::Error),
}

/// Packs entries into an archive.
///
/// # Errors
/// A file that can't be read, or files that exceed the maximum total size.
pub fn pack(entries: &ContentEntries) -> Result<Vec<u8>, PackError> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, entry) in entries {
        let mut header = Header::new_gnu();
        header.set_mtime(MODIFIED);
        header.set_uid(0);
        header.set_gid(0);
        let (kind, mode, content) = match entry {
            ContentEntry::Folder => (EntryType::Directory, 0o755, Vec::new()),
            ContentEntry::File { source, is_executable } => {
                let available = MAX_BYTES.saturating_sub(archive.get_ref().len() as u64);
                let mode = if *is_executable { 0o755 } else { 0o644 };
                (EntryType::Regular, mode, read_file(source, available)?)
            }
            ContentEntry::Link(_) => (EntryType::Symlink, 0o777, Vec::new()),
        };
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        match entry {
            ContentEntry::Link(target) => archive.append_link(&mut header, path, target)?,
            ContentEntry::Folder | ContentEntry::File { .. } => {
                archive.append_data(&mut header, path, &*content)?;
            }
        }
    }
    Ok(archive.into_inner()?)
}

/// Reads a file of at most `max_bytes` bytes. The file may have grown since its size was read.
fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, PackError> {
    let failed = |error| PackError::Read { path: path.to_owned(), error };
    // A link or a pipe may have replaced the file since then.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = File::options().read(true).custom_flags(flags.bits() as i32).open(path).map_err(failed)?;
    let mut content = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut content).map_err(failed)?;
    if content.len() as u64 > max_bytes { Err(PackError::TooLarge) } else { Ok(content) }
}

/// Returns true if a link at this path leads to a path inside the content, whatever other links exist: the target goes
/// up at most to the root of the content, and then only down.
pub fn stays_inside(path: &Path, target: &Path) -> bool {
    let depth = path.components().count().saturating_sub(1);
    let mut parts = target.components().peekable();
    let mut up = 0;
    while let Some(part) = parts.next_if(|part| matches!(part, Component::ParentDir | Component::CurDir)) {
        up += usize::from(part == Component::ParentDir);
    }
    up <= depth && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// The reason why an archive can't be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// It is not a complete archive.
    #[error("the archive is damaged: {0}")]
    Damaged(io::Error),
    /// An entry is refused.
    #[error("the archive has `{}`, {why}", path.escape_debug())]
    Refused { path: String, why: &'static str },
    /// It exceeds the maximum size or number of files.
    #[error("the archive is too large: at most {MAX_FILES} files of {} MiB in all", MAX_BYTES >> 20)]
    TooLarge,
    /// A file or folder can't be written.
    #[error("can't write `{}`: {error}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        error: io::Error,
    },
}

/// Unpacks an archive into an empty folder that no other process writes to. Accepts only files, folders and links that
/// stay inside the folder and replace nothing.
///
/// # Errors
/// An archive that is too large, damaged or has a refused entry. Part of it may have been unpacked by then.
pub fn unpack(archive: impl Read, folder: &Path) -> Result<(), UnpackError> {
    let mut archive = tar::Archive::new(archive);
    let mut unpacking = Unpacking { folder, created: BTreeMap::new(), files: 0, bytes: 0 };
    for entry in archive.entries().map_err(UnpackError::Damaged)? {
        unpacking.unpack(entry.map_err(UnpackError::Damaged)?)?;
    }
    Ok(())
}

struct Unpacking<'f> {
    folder: &'f Path,
    /// The paths that have been created; true for folders.
    created: BTreeMap<PathBuf, bool>,
    files: usize,
    bytes: u64,
}

impl Unpacking<'_> {
    fn unpack<R: Read>(&mut self, mut entry: tar::Entry<'_, R>) -> Result<(), UnpackError> {
        let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let refused = |why| UnpackError::Refused { path: shown.clone(), why };
        let path = entry.path().map_err(UnpackError::Damaged)?;
        let path = normalized(&path).ok_or_else(|| refused("which leads out of it"))?;
        let kind = entry.header().entry_type();
        if path.as_os_str().is_empty() {
            return if kind.is_dir() { Ok(()) } else { Err(refused("which has no name")) };
        }
        self.create_folders(path.parent().unwrap_or(Path::new("")), &refused)?;
        match (kind, self.created.get(&path)) {
            (EntryType::Directory, Some(true)) => return Ok(()),
            (_, Some(_)) => return Err(refused("twice")),
            (_, None) => {}
        }
        let place = self.folder.join(&path);
        let failed = |error| UnpackError::Write { path: place.clone(), error };
        match kind {
            EntryType::Directory => return self.create_folders(&path, &refused),
            EntryType::Regular | EntryType::Continuous => {
                let size = entry.size();
                self.bytes = self.bytes.saturating_add(size);
                if self.bytes > MAX_BYTES {
                    return Err(UnpackError::TooLarge);
                }
                let is_executable = entry.header().mode().map_err(UnpackError::Damaged)? & 0o111 != 0;
                let mode = if is_executable { 0o755 } else { 0o644 };
                let file = File::options().write(true).create_new(true).mode(mode).open(&place);
                let mut file = file.map_err(failed)?;
                let written = io::copy(&mut entry, &mut file).map_err(failed)?;
                if written != size {
                    return Err(UnpackError::Damaged(io::ErrorKind::UnexpectedEof.into()));
                }
                file.flush().map_err(failed)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name().map_err(UnpackError::Damaged)?;
                let target = target.filter(|target| stays_inside(&path, target));
                let target = target.ok_or_else(|| refused("a link that leads out of it"))?;
                std::os::unix::fs::symlink(&*target, &place).map_err(failed)?;
            }
            _ => return Err(refused("which is neither a file nor a folder nor a symbolic link")),
        }
        self.add(path, false)
    }

    /// Creates a folder and its parents. None of them is a link, since this archive created all of them.
    fn create_folders(
        &mut self,
        path: &Path,
        refused: &impl Fn(&'static str) -> UnpackError,
    ) -> Result<(), UnpackError> {
        if path.components().count() > MAX_DEPTH {
            return Err(refused("which is nested too deeply in folders"));
        }
        let mut ancestor = PathBuf::new();
        for part in path.components() {
            ancestor.push(part);
            match self.created.get(&ancestor) {
                Some(true) => continue,
                Some(false) => return Err(refused("which lies below something that is not a folder")),
                None => {}
            }
            let place = self.folder.join(&ancestor);
            fs::create_dir(&place).map_err(|error| UnpackError::Write { path: place.clone(), error })?;
            self.add(ancestor.clone(), true)?;
        }
        Ok(())
    }

    fn add(&mut self, path: PathBuf, is_folder: bool) -> Result<(), UnpackError> {
        self.created.insert(path, is_folder);
        self.files += usize::from(!is_folder);
        if self.files > MAX_FILES || self.created.len() > MAX_ENTRIES {
            return Err(UnpackError::TooLarge);
        }
        Ok(())
    }
}

/// Returns the path without `.`; `None` if it has `..` or begins at the root.
fn normalized(path: &Path) -> Option<PathBuf> {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => normalized.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normalized)
}

/// Makes a folder and everything in it read-only, and readable by all users.
///
/// # Errors
/// The system's error.
pub fn seal(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            seal(&entry.path())?;
        } else if !kind.is_symlink() {
            let is_executable = entry.metadata()?.permissions().mode() & 0o111 != 0;
            let mode = if is_executable { 0o555 } else { 0o444 };
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode))?;
        }
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(0o555))
}

/// Removes a folder, even if it is sealed.
///
/// # Errors
/// The system's error.
pub fn remove(folder: &Path) -> io::Result<()> {
    // Entries of a read-only folder can't be removed.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => remove(&entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir(folder)
}
