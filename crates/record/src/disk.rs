//! The part of the file system that a run needs. All code that keeps records uses only this, so that a run
//! can be tested on a disk that fails on demand.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A place for files.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Opens a file for reading and appending, and creates it if there is none.
    ///
    /// # Errors
    /// Any error of the file system; the same holds for the methods below.
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Creates a file for writing. An existing one is replaced by an empty one.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Opens a file for reading; a folder is [`io::ErrorKind::IsADirectory`].
    fn read(&self, path: &Path) -> io::Result<Box<dyn Read>>;
    /// Returns true if the file exists.
    fn exists(&self, path: &Path) -> io::Result<bool>;
    /// Creates a folder, with its missing parents.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// The entries of a folder.
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>>;
    /// Renames a file, which replaces a file of the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the entry of a file, or folder, in its parent folder durable.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is open for writing. Writes go to its end.
pub trait DiskFile: fmt::Debug + Send + Sync {
    /// Its length in bytes; `None` if it is a device or a pipe.
    ///
    /// # Errors
    /// Any error of the file system; the same holds for the methods below.
    fn length(&self) -> io::Result<Option<u64>>;
    /// Locks it, unless another process has locked it.
    fn try_lock(&self) -> Result<(), TryLockError>;
    /// Releases the lock.
    fn unlock(&self) -> io::Result<()>;
    /// Reads from a position. Returns the number of bytes read, 0 at the end.
    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes at least one byte at the end. Returns the number of bytes written.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Truncates the file to this length.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Makes everything written so far durable.
    fn sync(&self) -> io::Result<()>;
}

/// An entry of a folder.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Entry {
    /// The name, without its folder.
    pub name: String,
    /// Its length in bytes; `None` if that can't be determined.
    pub length: Option<u64>,
}

impl Write for &dyn DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        DiskFile::write(*self, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The kinds of error for folders that can't be synced, or need not be.
const SYNCED_ELSEWHERE: [io::ErrorKind; 2] = [io::ErrorKind::InvalidInput, io::ErrorKind::PermissionDenied];

/// The disks of this machine.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct HostDisk;

impl Disk for HostDisk {
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        Ok(Box::new(HostFile(file)))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(HostFile(File::create(path)?)))
    }

    fn read(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Box::new(file))
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        path.try_exists()
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok(Entry { name, length: entry.metadata().ok().map(|metadata| metadata.len()) })
        };
        fs::read_dir(path)?.map(entry).collect()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some file systems have nothing to do there and refuse, and a folder that must not be opened
            // can't be synced.
            Err(error) if SYNCED_ELSEWHERE.contains(&error.kind()) => Ok(()),
            other => other,
        }
    }
}

#[derive(Debug)]
struct HostFile(File);

impl DiskFile for HostFile {
    fn length(&self) -> io::Result<Option<u64>> {
        let metadata = self.0.metadata()?;
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }

    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = &self.0;
        file.seek(SeekFrom::Start(start))?;
        file.read(buffer)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = &self.0;
        file.write(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }
}
