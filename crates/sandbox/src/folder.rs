//! Folders that bots write to. They are measured and removed without trust in anything inside: names, depths,
//! modes or links. Both operations use a few descriptors instead of paths, so no path is too long.

use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags, RenameFlags, StatxFlags, chmod, fstat, openat,
    renameat_with, statx, unlinkat,
};
use rustix::io::Errno;

/// Maximum depth of the folders in a bot's folder.
pub(super) const MAX_DEPTH: usize = 32;

pub(super) const MAX_FILES: u64 = 10_000;

/// Minimum number of bytes that each file counts as, even if it is empty.
pub(super) const MIN_FILE_BYTES: u64 = 4096;

/// Maximum number of entries that one removal handles: a folder that is filled meanwhile might never become empty.
const MAX_REMOVED: u64 = 10_000_000;

/// Content of a folder, as far as it was counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Content {
    /// Bytes on disk, at least [`MIN_FILE_BYTES`] for each file.
    pub(super) bytes: u64,
    pub(super) files: u64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Unmeasurable {
    /// Its folders are nested deeper than [`MAX_DEPTH`].
    TooDeep,
    Unreadable,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Measures the content of a folder, without other mounts inside. Stops counting a little beyond `limit`
/// bytes or [`MAX_FILES`]. A folder that does not exist is empty. Only the bot can have caused an error.
pub(super) fn measure(folder: &Path, limit: u64) -> Result<Content, Unmeasurable> {
    let mut content = Content::default();
    let Some(top) = open_folder(CWD, folder)? else { return Ok(content) };
    let Ok(device) = fstat(&top).map(|top| (rustix::fs::major(top.st_dev), rustix::fs::minor(top.st_dev)))
    else {
        return Ok(content);
    };
    let mut seen = HashSet::new();
    let mut open: Vec<Dir> = Dir::new(top).into_iter().collect();
    loop {
        let depth = open.len();
        let Some(folder) = open.last_mut() else { return Ok(content) };
        let Some(Ok(entry)) = folder.read() else {
            open.pop();
            continue;
        };
        if is_dots(&entry) {
            continue;
        }
        let Ok(parent) = folder.fd() else { continue };
        let wanted = StatxFlags::BASIC_STATS;
        let Ok(found) = statx(parent, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW, wanted) else { continue };
        // Hard links to one file count once.
        let is_new = found.stx_nlink < 2 || seen.insert(found.stx_ino);
        if (found.stx_dev_major, found.stx_dev_minor) != device {
            continue;
        }
        content.files += 1;
        let bytes = if is_new { found.stx_blocks.saturating_mul(512) } else { 0 };
        content.bytes = content.bytes.saturating_add(bytes.max(MIN_FILE_BYTES));
        if content.bytes > limit || content.files > MAX_FILES {
            return Ok(content);
        }
        if FileType::from_raw_mode(found.stx_mode.into()) == FileType::Directory {
            if depth > MAX_DEPTH {
                return Err(Unmeasurable::TooDeep);
            }
            let inner = open_folder(parent, entry.file_name())?;
            open.extend(inner.and_then(|inner| Dir::new(inner).ok()));
        }
    }
}

/// Opens a folder for reading; `None` if it is gone or this process has no descriptors left.
fn open_folder(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg,
) -> Result<Option<OwnedFd>, Unmeasurable> {
    match openat(parent, name, FOLDER, Mode::empty()) {
        Ok(fd) => Ok(Some(fd)),
        Err(Errno::ACCESS | Errno::PERM) => Err(Unmeasurable::Unreadable),
        Err(_) => Ok(None),
    }
}

fn is_dots(entry: &DirEntry) -> bool {
    matches!(entry.file_name().to_bytes(), b"." | b"..")
}

/// Removes a folder with its content, using three descriptors: nested folders are moved up into the folder
/// itself until none contains another one. If it fails, the rest is gone, and another attempt continues from there.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    let top = match open_for_removal(CWD, folder) {
        Ok(top) => top,
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    Removal { top: top.as_fd(), moved: 0, names: 0, seen: 0 }.empty()?;
    drop(top);
    match unlinkat(CWD, folder, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Opens a folder, after granting its owner all rights if this user may do that.
fn open_for_removal(parent: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy) -> Result<OwnedFd, Errno> {
    let itself = openat(
        parent,
        name,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    // The descriptor can't be a link, whatever the name was.
    let path = format!("/proc/self/fd/{}", itself.as_raw_fd());
    // If this user may not change the mode, either the existing rights suffice or the next call fails.
    let _ = chmod(path, Mode::RWXU);
    openat(&itself, ".", FOLDER, Mode::empty())
}

struct Removal<'f> {
    top: BorrowedFd<'f>,
    /// Number of folders that were moved up.
    moved: u64,
    /// Number of names that were tried for these folders.
    names: u64,
    /// Number of entries handled so far.
    seen: u64,
}

impl Removal<'_> {
    fn empty(&mut self) -> io::Result<()> {
        loop {
            let before = self.moved;
            let (mut has_removed, mut left) = (false, None);
            for name in names_in(self.top)? {
                self.seen += 1;
                if self.seen > MAX_REMOVED {
                    return Err(io::ErrorKind::QuotaExceeded.into());
                }
                match self.remove_entry(&name) {
                    Ok(()) => has_removed = true,
                    Err(error) => left = Some(error),
                }
            }
            let Some(error) = left else {
                if names_in(self.top)?.is_empty() {
                    return Ok(());
                }
                continue;
            };
            if !has_removed && before == self.moved {
                return Err(error.into());
            }
        }
    }

    /// Removes an entry of the top folder. Folders in it are moved up, to be removed in the next pass.
    fn remove_entry(&mut self, name: &CStr) -> Result<(), Errno> {
        if unlink(self.top, name) {
            return Ok(());
        }
        let folder = open_for_removal(self.top, name)?;
        let mut left = None;
        loop {
            let mut has_removed = false;
            for inner in names_in(folder.as_fd())? {
                let outcome = match unlink(folder.as_fd(), &inner) {
                    true => Ok(()),
                    false => self.move_up(folder.as_fd(), &inner),
                };
                has_removed |= outcome.is_ok();
                left = outcome.err().or(left);
                self.seen += 1;
            }
            if !has_removed || self.seen > MAX_REMOVED {
                break;
            }
        }
        drop(folder);
        unlinkat(self.top, name, AtFlags::REMOVEDIR).map_err(|error| left.unwrap_or(error))
    }

    fn move_up(&mut self, folder: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
        // Moving a folder also requires rights to the folder itself.
        drop(open_for_removal(folder, name)?);
        loop {
            self.names += 1;
            let new = format!(".linesman-{}", self.names);
            match renameat_with(folder, name, self.top, new, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                result => return result.inspect(|()| self.moved += 1),
            }
        }
    }
}

/// Removes a file or an empty folder. Returns false if it is neither.
fn unlink(folder: BorrowedFd<'_>, name: &CStr) -> bool {
    let is_gone = |flags| matches!(unlinkat(folder, name, flags), Ok(()) | Err(Errno::NOENT));
    is_gone(AtFlags::empty()) || is_gone(AtFlags::REMOVEDIR)
}

const NAMES_AT_ONCE: usize = 4096;

fn names_in(folder: BorrowedFd<'_>) -> Result<Vec<CString>, Errno> {
    let entries = Dir::read_from(folder)?;
    let names = entries.filter_map(Result::ok).filter(|entry| !is_dots(entry));
    Ok(names.take(NAMES_AT_ONCE).map(|entry| entry.file_name().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use proptest::prelude::*;

    use super::*;

    /// Makes nested folders through descriptors, since the path of the innermost may be too long.
    fn nest(top: &Path, depth: usize, name: &str) {
        let mut folder = openat(CWD, top, FOLDER, Mode::empty()).expect("it is there");
        for _ in 0..depth {
            rustix::fs::mkdirat(&folder, name, Mode::RWXU).expect("a folder can be made");
            folder = openat(&folder, name, FOLDER, Mode::empty()).expect("it is there");
        }
        rustix::fs::mknodat(&folder, "file", FileType::RegularFile, Mode::RUSR, 0)
            .expect("a file can be made");
    }

    #[test]
    fn a_folder_is_as_large_as_its_content() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        assert_eq!(measure(folder.path(), 1 << 20), Ok(Content::default()));
        fs::create_dir(folder.path().join("inner")).expect("a folder can be made");
        fs::write(folder.path().join("inner/a"), vec![1; 100_000]).expect("a file can be written");
        fs::write(folder.path().join("empty"), "").expect("a file can be written");
        let content = measure(folder.path(), 1 << 20).expect("it can be read");
        assert_eq!(content.files, 3);
        assert!((100_000 + MIN_FILE_BYTES..150_000).contains(&content.bytes), "{content:?}");
        assert!(measure(folder.path(), 50_000).is_ok_and(|content| content.bytes > 50_000));
        assert_eq!(measure(&folder.path().join("none"), 1), Ok(Content::default()));
    }

    #[test]
    fn long_paths_are_measured_and_deep_ones_are_reported() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        nest(folder.path(), MAX_DEPTH, &"n".repeat(200));
        let content = measure(folder.path(), 1 << 20).expect("it is deep enough, not too deep");
        assert_eq!(content.files, MAX_DEPTH as u64 + 1);
        let deeper = tempfile::tempdir().expect("a folder can be made");
        nest(deeper.path(), MAX_DEPTH + 1, "n");
        assert_eq!(measure(deeper.path(), 1 << 20), Err(Unmeasurable::TooDeep));
        for folder in [folder, deeper] {
            remove(folder.path()).expect("it is ours");
            assert!(!folder.path().exists());
        }
    }

    #[test]
    fn deep_and_unreadable_folders_are_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        nest(folder.path(), 19_000, "d");
        let closed = folder.path().join("closed");
        fs::create_dir_all(closed.join("inner/most")).expect("folders can be made");
        fs::write(closed.join("inner/file"), "x").expect("a file can be written");
        std::os::unix::fs::symlink("/etc", closed.join("link")).expect("a link can be made");
        for inner in ["closed/inner/most", "closed/inner", "closed"] {
            fs::set_permissions(folder.path().join(inner), fs::Permissions::from_mode(0o300)).expect("ours");
        }
        remove(folder.path()).expect("it is ours");
        assert!(!folder.path().exists() && Path::new("/etc/passwd").exists());
        remove(folder.path()).expect("there is nothing to be removed");
    }

    #[test]
    fn folders_with_more_names_than_are_read_at_once_are_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder can be made");
        fs::write(inner.join("file"), "").expect("a file can be written");
        for number in 0..2 * NAMES_AT_ONCE {
            fs::hard_link(inner.join("file"), inner.join(number.to_string())).expect("a link can be made");
        }
        remove(folder.path()).expect("it is ours");
        assert!(!folder.path().exists());
    }

    #[test]
    fn a_removal_that_fails_halfway_is_reported_and_can_be_repeated() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can make what somebody else can't remove");
            return;
        }
        let parent = tempfile::tempdir().expect("a folder can be made");
        let top = parent.path().join("top");
        fs::create_dir_all(top.join("roots/inner")).expect("folders can be made");
        for folder in ["mine", "mine/inner"] {
            fs::create_dir(top.join(folder)).expect("a folder can be made");
            fs::write(top.join(folder).join("file"), "x").expect("a file can be written");
        }
        fs::set_permissions(parent.path(), fs::Permissions::from_mode(0o777)).expect("it is ours");
        let owner = 3_930_000;
        for path in [&top, &top.join("mine"), &top.join("mine/inner")] {
            std::os::unix::fs::chown(path, Some(owner), Some(owner)).expect("root may");
        }
        let as_owner = std::thread::scope(|scope| {
            let removal = scope.spawn(|| {
                let id = rustix::process::Uid::from_raw(owner);
                rustix::thread::set_thread_res_uid(id, id, id).expect("root may");
                remove(&top)
            });
            removal.join().expect("it does not panic")
        });
        as_owner.expect_err("it is root's");
        assert!(top.join("roots").exists() && !top.join("mine").exists(), "what could be removed is gone");
        remove(&top).expect("root may");
        assert!(!top.exists());
    }

    #[test]
    fn links_to_folders_are_not_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::os::unix::fs::symlink("/etc", folder.path().join("link")).expect("a link can be made");
        remove(&folder.path().join("link")).expect_err("a link is not followed");
    }

    /// A step in building a tree: the parent (an index into the folders so far), the kind of entry, its mode
    /// and its name.
    fn step() -> impl Strategy<Value = (usize, u8, u32, String)> {
        let name = prop_oneof!["[a-c]", "\\.linesman-[1-9]", "[\\x01-\\x2e\\x30-\\x7f]{1,4}", "n{200}"];
        let mode = prop_oneof![Just(0o000), Just(0o100), Just(0o300), Just(0o500), Just(0o700)];
        (any::<usize>(), 0u8..4, mode, name)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn anything_that_a_bot_makes_is_removed(steps in proptest::collection::vec(step(), 0..60)) {
            let top = tempfile::tempdir().expect("a folder can be made");
            let mut folders = vec![top.path().to_owned()];
            let mut modes = Vec::new();
            for (at, kind, mode, name) in steps {
                let path = folders[at % folders.len()].join(name);
                let is_made = match kind {
                    0 => fs::File::create_new(&path).is_ok(),
                    1 => std::os::unix::fs::symlink("/", &path).is_ok(),
                    2 => rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).is_ok(),
                    _ => fs::create_dir(&path).is_ok() && { folders.push(path.clone()); true },
                };
                if is_made && kind != 1 {
                    modes.push((path, mode));
                }
            }
            for (path, mode) in modes.iter().rev() {
                let _ = fs::set_permissions(path, fs::Permissions::from_mode(*mode));
            }
            let _ = measure(top.path(), 1 << 30);
            prop_assert!(remove(top.path()).is_ok());
            prop_assert!(!top.path().exists());
        }
    }
}
