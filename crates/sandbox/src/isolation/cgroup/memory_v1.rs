//! Memory limits by cgroup v1, for hosts where v2 has no memory controller: as root, in containers and on
//! older systems.
//!
//! As elsewhere, a bot's leaf of the v2 tree ends, pauses and counts it. This module adds a folder in v1's memory tree.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::folders::{
    FOLDER, PREFIX, dead_leaves, make_folder, make_locked, read_number, retry_races, write,
};
use crate::procfs::{Hierarchy, own_cgroup};

/// The file through which a single-threaded process enters without waiting for others.
const TASKS: &str = "tasks";

const LIMIT: &str = "memory.limit_in_bytes";

/// The file that counts the processes that the kernel has killed.
const OOM_CONTROL: &str = "memory.oom_control";

/// Finds the folder for leaves in v1's memory tree, if we may make leaves that limit memory there.
pub(super) fn find() -> Option<PathBuf> {
    let folder = own_cgroup(Hierarchy::MemoryV1)?.folder.join(FOLDER);
    // The bots in these leaves have been ended in the leaves of the v2 tree.
    for (leaf, _lock) in dead_leaves(&folder) {
        let _ = std::fs::remove_dir(&leaf);
    }
    let found = retry_races(|| {
        make_folder(&folder)?;
        std::fs::metadata(folder.join(LIMIT))
    });
    // This fails if it contains leaves, as it should.
    let _ = std::fs::remove_dir(&folder);
    found.is_ok().then_some(folder)
}

/// The memory folder of one bot.
#[derive(Debug)]
pub(super) struct MemoryLeaf {
    pub(super) folder: PathBuf,
    /// Its file `tasks`, opened for writing, and [`OOM_CONTROL`], until they are closed.
    procs_fds: Option<[OwnedFd; 2]>,
    _lock: OwnedFd,
}

impl MemoryLeaf {
    /// Makes a leaf with a memory limit in bytes, in the folder for leaves.
    pub(super) fn make(leaves: &Path, token: &str, memory: u64) -> io::Result<MemoryLeaf> {
        let folder = leaves.join(format!("{PREFIX}{token}"));
        let lock = retry_races(|| {
            make_folder(leaves)?;
            make_locked(&folder)
        })?;
        let write = |file: &str, value: u64| write(&folder.join(file), value);
        write(LIMIT, memory)?;
        // Where the kernel does not count swap, or has none, one of these files is missing.
        let _ = write("memory.memsw.limit_in_bytes", memory).or_else(|_| write("memory.swappiness", 0));
        let tasks = File::options().write(true).open(folder.join(TASKS))?;
        let procs_fds = Some([tasks.into(), File::open(folder.join(OOM_CONTROL))?.into()]);
        Ok(MemoryLeaf { folder, procs_fds, _lock: lock })
    }

    /// Returns its file `tasks`, opened for writing (a process that writes `0` to it enters the leaf), and
    /// the file that counts the processes that the kernel has killed. `None` once they have been closed.
    pub(super) fn procs_fds(&self) -> Option<[BorrowedFd<'_>; 2]> {
        self.procs_fds.as_ref().map(|procs_fds| procs_fds.each_ref().map(AsFd::as_fd))
    }

    pub(super) fn close_fds(&mut self) {
        self.procs_fds = None;
    }
}

/// Returns true if the kernel has killed a process in a leaf because of its memory.
pub(super) fn has_oom_kill(leaf: &Path) -> bool {
    std::fs::read_to_string(leaf.join(OOM_CONTROL)).is_ok_and(|text| reports_oom_kill(&text))
}

/// Returns true if the text of `memory.oom_control` shows that the kernel has killed a process.
pub(crate) fn reports_oom_kill(text: &str) -> bool {
    text.lines().filter_map(|line| line.strip_prefix("oom_kill ")).any(|kills| kills.trim() != "0")
}

/// Returns the peak memory of a leaf in bytes.
pub(super) fn peak(leaf: &Path) -> Option<u64> {
    read_number(&leaf.join("memory.max_usage_in_bytes"))
}

#[cfg(test)]
mod tests {
    use super::super::folders::remove;
    use super::*;

    #[test]
    fn a_leaf_bounds_memory_and_is_gone_with_its_bot() {
        let Some(leaves) = find() else {
            println!("skipped: no cgroup v1 here has the memory, or it is not ours to divide");
            return;
        };
        let mut leaf = MemoryLeaf::make(&leaves, &format!("{}.999999", std::process::id()), 64 << 20)
            .expect("there was room for a leaf");
        assert_eq!(read_number(&leaf.folder.join(LIMIT)), Some(64 << 20));
        assert!(leaf.procs_fds().is_some() && !has_oom_kill(&leaf.folder));
        leaf.close_fds();
        assert!(leaf.procs_fds().is_none());
        assert!(remove(&leaf.folder));
        assert!(!leaf.folder.exists());
    }
}
