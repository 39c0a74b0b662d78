//! The file that records are appended to: locked while it is open, and repaired if its last line was torn.

use std::borrow::Cow;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checksum::mismatch;
use crate::disk::{Disk, DiskFile, HostDisk};
use crate::format::GameRecord;
use crate::read_error::deletion;
use crate::reader::is_torn;

/// The number of attempts to get a lock that another process holds.
const LOCK_ATTEMPTS: u32 = 40;

const LOCK_INTERVAL: Duration = Duration::from_millis(20);

/// A file of records that no other process may append to while this value, or the
/// [`RecordWriter`](crate::RecordWriter) made from it, lives.
#[derive(Debug)]
pub struct RecordFile {
    pub(super) file: Box<dyn DiskFile>,
    pub(super) path: PathBuf,
}

/// The repair that was necessary before records could be appended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Recovery {
    /// Nothing: the last line is whole.
    Whole,
    /// The last line was incomplete and was cut off.
    CutTornLine {
        /// The number of bytes that were cut off.
        bytes: u64,
    },
    /// The last record lacked only its line end, which was added.
    AddedLineEnd,
}

impl RecordFile {
    /// Opens the file, or creates it, and locks it. Its content stays as it is.
    ///
    /// # Errors
    /// Another process has opened it for appending, or it can't be opened.
    pub fn open(path: &Path) -> Result<RecordFile, RecordFileError> {
        RecordFile::open_on(&HostDisk, path)
    }

    /// Does the same as [`RecordFile::open`] on another disk.
    ///
    /// # Errors
    /// The same.
    pub fn open_on(disk: &dyn Disk, path: &Path) -> Result<RecordFile, RecordFileError> {
        let failed = |error| RecordFileError::Io { path: path.to_owned(), error };
        let file = disk.append(path).map_err(failed)?;
        // A device can be shared: what is written to it is not the data of a run.
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

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Cuts off an incomplete last line, and makes the others durable. Complete lines are never touched.
    ///
    /// # Errors
    /// A last line that is damaged in another way, or an error of the file system.
    pub fn recover(&mut self) -> Result<Recovery, RecordFileError> {
        let failed = |error| RecordFileError::Io { path: self.path.clone(), error };
        let Some(length) = self.file.length().map_err(failed)? else {
            return Ok(Recovery::Whole);
        };
        let start = last_line_start(&*self.file, length).map_err(failed)?;
        if start == length {
            // A killed run may have left records that a power cut would remove, or cut off bytes that would be
            // back after one.
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
        // Closing is not enough: a process that is being started holds a copy of the descriptor until it
        // executes its own program.
        let _ = self.file.unlock();
    }
}

/// Locks the file, after some attempts if necessary: a process that was killed while it started another one
/// left the lock to that one until it executes its own program.
#[expect(clippy::disallowed_methods, reason = "no lock can be waited for with a deadline")]
fn lock(file: &dyn DiskFile) -> Result<(), TryLockError> {
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_INTERVAL),
            other => return other,
        }
    }
    file.try_lock()
}

/// The position of the first byte after the last line end.
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

/// The number of lines that end before a position.
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

/// The bytes between two positions, or up to the end of the file.
fn read_from(file: &dyn DiskFile, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let max_length = usize::try_from(end - start).map_err(io::Error::other)?;
    let mut bytes = vec![0; max_length];
    let mut read = 0;
    while read < max_length {
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

/// The remedy for a failed write.
pub fn write_hint(error: &io::Error) -> &'static str {
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
    /// The last line is neither complete nor torn.
    #[error("the last line of `{}`, line {line}, is damaged ({bytes} bytes that are not a record and have \
             no line end)", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The length of the line in bytes.
        bytes: u64,
    },
    /// The file can't be opened, read or repaired.
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
    /// The remedy.
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            RecordFileError::InUse { .. } => "wait until it ends, or choose another directory".into(),
            RecordFileError::Lock { .. } => "keep runs on a file system that supports file locks".into(),
            RecordFileError::Damaged { path, line, .. } => {
                format!("restore the line, or {}", deletion(&path.to_string_lossy(), *line)).into()
            }
            RecordFileError::Io { error, .. } => write_hint(error).into(),
        })
    }
}
