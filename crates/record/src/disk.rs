//! The file system as far as a run needs it: what keeps records asks this and
//! nothing else, so that a run can be tried on a disk that fails at will.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A place for files.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Opens a file for reading and appending, and creates it if there is none.
    ///
    /// # Errors
    /// What the file system returns; so with all that follow.
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Creates a file for writing, an empty one in the place of another.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Opens a file for reading; a folder is [`io::ErrorKind::IsADirectory`].
    fn read(&self, path: &Path) -> io::Result<Box<dyn Read>>;
    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> io::Result<bool>;
    /// Creates a folder, with those around it.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// What is in a folder.
    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>>;
    /// Gives a file another name, in the place of the one that has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the entry of a file, or folder, in the folder around it durable.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// A file that is open for writing. Writes go to its end.
pub trait DiskFile: fmt::Debug + Send + Sync {
    /// Number of bytes that it has; none if it is a device or a pipe.
    ///
    /// # Errors
    /// What the file system returns; so with all that follow.
    fn length(&self) -> io::Result<Option<u64>>;
    /// Locks it, if nobody else has.
    fn try_lock(&self) -> Result<(), TryLockError>;
    /// Gives the lock back.
    fn unlock(&self) -> io::Result<()>;
    /// Reads what stands from a place on: how many bytes, 0 at the end.
    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes at the end, at least something of it: how many bytes.
    fn write(&self, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts off what comes after so many bytes.
    fn cut(&self, length: u64) -> io::Result<()>;
    /// Makes all that was written durable.
    fn sync(&self) -> io::Result<()>;
}

/// Something in a folder.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Number of bytes that it has; none if that can't be found out.
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

/// What the system says of folders that are not ours to sync.
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
            // Some file systems have nothing to do there and say so; and what may
            // not be opened can't be synced.
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
