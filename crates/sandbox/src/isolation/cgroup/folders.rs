//! Folders of cgroups: names them, and makes, locks and removes them while other referees do the same.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::isolation::folder_lock::lock;

/// Name of the folder of all leaves.
pub(super) const FOLDER: &str = "linesman";
/// Number of attempts at a step that another referee may undo, and the time between two of them.
const TRIES: u32 = 200;
const TRY_EVERY: Duration = Duration::from_millis(2);

/// Name of the folder into which the referee moves.
pub(super) const REFEREE: &str = "referee";
/// Prefix of the names of leaves.
pub(super) const PREFIX: &str = "bot-";
/// Interval between attempts to remove a leaf.
pub(super) const REMOVAL_EVERY: Duration = Duration::from_millis(5);

/// The file that lists the processes of a cgroup, and through which a process joins.
pub(super) const PROCESSES: &str = "cgroup.procs";

pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

/// Makes a leaf and locks it. Before it is locked, another referee may sweep it, which is a [race](is_a_race).
pub(super) fn make_locked(leaf: &Path) -> io::Result<OwnedFd> {
    make_folder(leaf)?;
    let lock = lock(leaf)?;
    if leaf.exists() { Ok(lock) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Repeats an attempt for up to 0.4 s, as long as it fails because of another referee.
pub(super) fn retry_races<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..TRIES {
        match attempt() {
            Err(error) if is_a_race(&error) => std::thread::park_timeout(TRY_EVERY),
            outcome => return outcome,
        }
    }
    attempt()
}

/// Returns true if another referee caused this error, by removing or locking a folder between two of our steps.
fn is_a_race(error: &io::Error) -> bool {
    // A folder that is being removed refuses new folders in it with this errno.
    let is_being_removed = error.raw_os_error() == Some(libc::ENODEV);
    is_being_removed || matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::WouldBlock)
}

/// Returns the leaves of dead referees, each locked: a referee that makes such a leaf at this moment must not lose it.
pub(super) fn dead_leaves(folder: &Path) -> impl Iterator<Item = (PathBuf, OwnedFd)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)))
        .filter_map(|entry| Some((entry.path(), lock(&entry.path()).ok()?)))
}

/// Removes a leaf, and the folder of leaves if it was the last one. Returns true if the leaf is gone.
pub(super) fn remove(leaf: &Path) -> bool {
    let is_gone = match std::fs::remove_dir(leaf) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_gone && let Some(folder) = leaf.parent() {
        let _ = std::fs::remove_dir(folder);
    }
    is_gone
}

/// Kills everything in a leaf. Harmless if it is empty or gone.
pub(super) fn kill_all_in(folder: &Path) {
    match write(&folder.join("cgroup.kill"), 1) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // This kernel is older than the file. Our supervisors sweep whatever is forked meanwhile.
            let processes = std::fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
            for pid in processes.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        // A leaf that is gone has no processes.
        Err(_) => {}
    }
}

/// Writes to an existing file. Never creates one: files in these folders are the kernel's.
pub(super) fn write(file: &Path, value: impl Display) -> io::Result<()> {
    File::options().write(true).open(file)?.write_all(value.to_string().as_bytes())
}

pub(super) fn read_number(file: &Path) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}
