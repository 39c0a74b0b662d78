//! Files that are written as a whole or not at all.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::disk::{Disk, HostDisk};

/// Writes a whole file so that the old or the new one exists at every moment, even after a power cut.
///
/// The file is first written in the same folder, as `.NAME.part`; a leftover of an earlier attempt is
/// removed. Two processes must not write the same file at once.
///
/// # Errors
/// Any error of `write` or of the file system. The old file is then untouched.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_atomically_on(&HostDisk, path, write)
}

/// Does the same as [`write_atomically`] on another disk.
///
/// # Errors
/// The same.
pub fn write_atomically_on(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut part = OsString::from(".");
    part.push(name);
    part.push(".part");
    let part = path.with_file_name(part);
    let written = write_through(disk, &part, write).and_then(|()| disk.rename(&part, path));
    if written.is_err() {
        // The first error is the one that explains the failure.
        let _ = disk.remove(&part);
        return written;
    }
    disk.sync_folder(path)
}

fn write_through(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // After a power cut during a rename both names may point to the same file. Writing over the part would
    // then overwrite the file in its place.
    match disk.remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let file = disk.create(path)?;
    let mut output = BufWriter::new(&*file);
    write(&mut output)?;
    output.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("standings.csv");
        write_atomically(&path, |output| output.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |output| {
            output.write_all(b"half of the new")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_a_power_cut_left_with_both_names_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "old").unwrap();
        fs::hard_link(&path, folder.path().join(".a.csv.part")).unwrap();
        let failed = write_atomically(&path, |output| {
            output.write_all(b"half")?;
            output.flush()?;
            assert_eq!(fs::read_to_string(&path)?, "old");
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn the_leftover_of_a_killed_attempt_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".a.csv.part"), "a long rest of something").unwrap();
        write_atomically(&folder.path().join("a.csv"), |output| output.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
