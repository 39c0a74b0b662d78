//! Our place in the tree of cgroups.

use std::path::{Path, PathBuf};

use rustix::process::getpid;

use super::folders::{FOLDER, PREFIX, PROCESSES, REFEREE};
use crate::procfs::{Hierarchy, OwnCgroup, own_cgroup};

impl OwnCgroup {
    /// Returns true if memory and the number of processes can be limited in this tree, and not in cgroup v1.
    pub(super) fn has_controllers(&self) -> bool {
        let available = std::fs::read_to_string(self.mount.join("cgroup.controllers")).unwrap_or_default();
        ["memory", "pids"].iter().all(|name| available.split_ascii_whitespace().any(|found| found == *name))
    }

    /// Returns the folder in which the folder of leaves may be made.
    pub(super) fn base(&self) -> PathBuf {
        let moved = Path::new(FOLDER).join(REFEREE);
        if self.folder.ends_with(&moved) {
            // An earlier call has moved us here.
            return self.folder.ancestors().nth(2).unwrap_or(&self.mount).to_owned();
        }
        // Root does not need the folder of the session that started us, whose processes are not ours to move.
        let is_alone = || {
            let all = std::fs::read_to_string(self.folder.join(PROCESSES)).unwrap_or_default();
            all.trim() == getpid().as_raw_nonzero().to_string()
        };
        if rustix::process::geteuid().is_root() && !is_alone() {
            return self.mount.clone();
        }
        self.folder.clone()
    }
}

/// Returns the remaining leaves of a referee's bots.
pub fn leaves_of(referee: u32) -> Vec<PathBuf> {
    let Some(own) = own_cgroup(Hierarchy::V2) else { return Vec::new() };
    let start = format!("{PREFIX}{referee}.");
    let above = own.folder.ancestors().take_while(|above| above.starts_with(&own.mount));
    above
        .flat_map(|above| std::fs::read_dir(above.join(FOLDER)).into_iter().flatten().flatten())
        .filter(|leaf| leaf.file_name().to_str().is_some_and(|name| name.starts_with(&start)))
        .map(|leaf| leaf.path())
        .collect()
}
