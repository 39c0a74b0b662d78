//! The file that records are appended to: locked while it is open, and mended
//! where its last line was torn.

use std::borrow::Cow;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checksum::mismatch;
use crate::disk::{Disk, DiskFile, HostDisk};
use crate::format::GameRecord;
use crate::read_error::deleting;
use crate::reader::is_torn;

/// How often a lock that somebody else has is tried again.
const LOCK_TRIES: u32 = 40;

/// How long it is waited between two tries.
const BETWEEN_LOCK_TRIES: Duration = Duration::from_millis(20);

/// A file of records that nobody else may append to while this value, or the
/// [`RecordWriter`](crate::RecordWriter) made of it, lives.
#[derive(Debug)]
pub struct RecordFile {
    pub(super) file: Box<dyn DiskFile>,
    pub(super) path: PathBuf,
}

/// What had to be done before records could be appended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Recovery {
    /// Nothing: the last line is whole.
    Whole,
    /// The last line was not written to its end and was cut off.
    CutTornLine {
        /// Number of bytes that were cut off.
        bytes: u64,
    },
    /// The last record lacked nothing but its line end, which was added.
    AddedLineEnd,
}

impl RecordFile {
    /// Opens the file, creates it if there is none, and locks it. What is in
    /// it stays as it is.
    ///
    /// # Errors
    /// Another process has it open for appending, or it can't be opened.
    pub fn open(path: &Path) -> Result<RecordFile, RecordFileError> {
        RecordFile::open_on(&HostDisk, path)
    }

    /// [`RecordFile::open`] on another disk.
    ///
    /// # Errors
    /// The same.
    pub fn open_on(disk: &dyn Disk, path: &Path) -> Result<RecordFile, RecordFileError> {
        let failed = |error| RecordFileError::Io { path: path.to_owned(), error };
        let file = disk.append(path).map_err(failed)?;
        // A device is everybody's: what is written to it is nobody's run.
        if file.length().map_err(failed)?.is_some() {
            match lock(&*file) {
                // An earlier run may have been killed right after it created the file.
                Ok(()) => disk.sync_folder(path).map_err(failed)?,
                Err(TryLockError::WouldBlock) => {
                    return Err(RecordFileError::InUse { path: path.to_owned() });
                }
                Err(TryLockError::Error(error)) => {
                    return Err(RecordFileError::Lock { path: path.to_owned(), error });
                }
            }
        }
        Ok(RecordFile { file, path: path.to_owned() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Cuts off a last line that was not written to its end, and makes the
    /// others durable. Whole lines are never touched.
    ///
    /// # Errors
    /// A last line that is damaged otherwise, and what the file system returns.
    pub fn recover(&mut self) -> Result<Recovery, RecordFileError> {
        let failed = |error| RecordFileError::Io { path: self.path.clone(), error };
        let Some(length) = self.file.length().map_err(failed)? else {
            return Ok(Recovery::Whole);
        };
        if length == 0 {
            // A run that was killed may have cut off what a power cut would bring back.
            self.file.sync().map_err(failed)?;
            return Ok(Recovery::Whole);
        }
        let start = last_line_start(&*self.file, length).map_err(failed)?;
        if start == length {
            // A run that was killed may have left records that a power cut would take.
            self.file.sync().map_err(failed)?;
            return Ok(Recovery::Whole);
        }
        let last = read_from(&*self.file, start, length).map_err(failed)?;
        if serde_json::from_slice::<GameRecord>(&last).is_ok() && mismatch(&last).is_none() {
            io::Write::write_all(&mut &*self.file, b"\n").map_err(failed)?;
            self.file.sync().map_err(failed)?;
            return Ok(Recovery::AddedLineEnd);
        }
        if !is_torn(&last) {
            let line = 1 + line_ends(&*self.file, start).map_err(failed)?;
            return Err(RecordFileError::Damaged { path: self.path.clone(), line, bytes: length - start });
        }
        self.file.cut(start).map_err(failed)?;
        self.file.sync().map_err(failed)?;
        Ok(Recovery::CutTornLine { bytes: length - start })
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        // Closing is not enough: a process that is just being started holds a
        // copy of the file until it has become its own program.
        let _ = self.file.unlock();
    }
}

/// Locks the file, if need be after a moment: a process that was killed while it
/// started another one has left the lock to that one, until this has become its
/// own program.
fn lock(file: &dyn DiskFile) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => pause(BETWEEN_LOCK_TRIES),
            other => return other,
        }
    }
    file.try_lock()
}

#[expect(clippy::disallowed_methods, reason = "no lock can be waited for with a deadline")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Where the bytes after the last line end begin.
fn last_line_start(file: &dyn DiskFile, length: u64) -> io::Result<u64> {
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(64 << 10);
        if let Some(at) = read_from(file, start, end)?.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// How many lines end before a place.
fn line_ends(file: &dyn DiskFile, end: u64) -> io::Result<u64> {
    let (mut start, mut lines) = (0, 0);
    while start < end {
        let bytes = read_from(file, start, end.min(start + (64 << 10)))?;
        if bytes.is_empty() {
            break;
        }
        lines += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        start += bytes.len() as u64;
    }
    Ok(lines)
}

/// The bytes from one place to another, or to the end.
fn read_from(file: &dyn DiskFile, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let longest = usize::try_from(end - start).map_err(io::Error::other)?;
    let mut bytes = vec![0; longest];
    let mut read = 0;
    while read < longest {
        match file.read_at(start + read as u64, &mut bytes[read..]) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(read);
    Ok(bytes)
}

/// What can be done where something can't be written.
pub fn to_write_again(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "change the permissions, or choose another place",
        io::ErrorKind::ReadOnlyFilesystem => "mount the file system for writing, or choose another place",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space and run the same command again"
        }
        _ => "fix the cause and run the same command again",
    }
}

/// The reason why records can't be appended to a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordFileError {
    /// Another process appends to it.
    #[error("another linesman process is using `{}`", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file system can't lock it.
    #[error("can't lock `{}`", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The last line is neither whole nor just torn.
    #[error("the last line of `{}`, line {line}, is damaged ({bytes} bytes that are not a record and have \
             no line end)", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line it is, from 1.
        line: u64,
        /// How long the line is.
        bytes: u64,
    },
    /// The file can't be opened, read or mended.
    #[error("can't open `{}` to append records", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

impl RecordFileError {
    /// What can be done about it.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            RecordFileError::InUse { .. } => "wait until it has ended, or choose another directory".into(),
            RecordFileError::Lock { .. } => "keep runs on a file system that supports file locks".into(),
            RecordFileError::Damaged { path, line, .. } => format!(
                "restore the line, or delete it with `{}` (a league then plays its game again; a Swiss or a \
                 knockout also plays later games again if their pairings change)",
                deleting(&path.to_string_lossy(), [*line])
            )
            .into(),
            RecordFileError::Io { error, .. } => to_write_again(error).into(),
        })
    }
}
