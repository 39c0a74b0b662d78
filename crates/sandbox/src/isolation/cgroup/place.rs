//! Our place in the tree of cgroups.

use std::path::{Path, PathBuf};

use rustix::process::getpid;

use super::folders::{FOLDER, PREFIX, PROCESSES, REFEREE};

/// Place of this process in the tree.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct OwnCgroup {
    /// The top of the tree, as far as it is visible.
    mount: PathBuf,
    /// Our own folder in it.
    pub(super) folder: PathBuf,
}

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
        // Root does not need the folder of the session that started us, and the processes of that session are
        // not ours to move.
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
    let Some(own) = own_cgroup() else { return Vec::new() };
    let start = format!("{PREFIX}{referee}.");
    let above = own.folder.ancestors().take_while(|above| above.starts_with(&own.mount));
    above
        .flat_map(|above| std::fs::read_dir(above.join(FOLDER)).into_iter().flatten().flatten())
        .filter(|leaf| leaf.file_name().to_str().is_some_and(|name| name.starts_with(&start)))
        .map(|leaf| leaf.path())
        .collect()
}

/// Finds the place of this process; `None` without cgroup v2.
pub(super) fn own_cgroup() -> Option<OwnCgroup> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let cgroups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    place(&mounts, &cgroups)
}

/// Finds our place from the kernel's lists of mounts and of our cgroups.
fn place(mounts: &str, cgroups: &str) -> Option<OwnCgroup> {
    let path = cgroups.lines().find_map(|line| line.strip_prefix("0::"))?;
    place_in_mount(mounts, path, |filesystem| filesystem.starts_with("cgroup2 "))
}

/// Finds the place of a cgroup in the mount of its hierarchy, which is told by what the kernel's list says
/// about the file system: `TYPE SOURCE OPTIONS`.
pub(super) fn place_in_mount(
    mounts: &str,
    path: &str,
    is_its_hierarchy: impl Fn(&str) -> bool,
) -> Option<OwnCgroup> {
    mounts.lines().find_map(|line| {
        // NUMBER PARENT DEVICE ROOT POINT OPTIONS [MORE ...] - TYPE SOURCE OPTIONS
        let (before, filesystem) = line.split_once(" - ")?;
        is_its_hierarchy(filesystem).then_some(())?;
        let mut fields = before.split(' ').skip(3);
        let (root, mount) = (fields.next()?, PathBuf::from(fields.next()?.replace("\\040", " ")));
        let below = Path::new(path).strip_prefix(root).ok()?;
        Some(OwnCgroup { folder: mount.join(below), mount })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_place_is_found_in_every_kind_of_tree() {
        #[track_caller]
        fn check(mounts: &str, cgroups: &str, expected: Option<(&str, &str)>) {
            let expected =
                expected.map(|(mount, folder)| OwnCgroup { mount: mount.into(), folder: folder.into() });
            assert_eq!(place(mounts, cgroups), expected);
        }
        let pure = "22 1 0:20 / /proc rw - proc proc rw\n\
                    30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
        let at = "/user.slice/user-7.slice/session-1.scope";
        let folder = format!("/sys/fs/cgroup{at}");
        check(pure, &format!("0::{at}\n"), Some(("/sys/fs/cgroup", &folder)));
        check(pure, "0::/\n", Some(("/sys/fs/cgroup", "/sys/fs/cgroup")));
        let hybrid = "30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      31 23 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let unified = "/sys/fs/cgroup/unified";
        check(hybrid, "4:memory:/x\n0::/\n", Some((unified, unified)));
        // In a container only its own part is visible.
        let part = "30 23 0:26 /docker/12 /cg\\040roup rw - cgroup2 cgroup rw\n";
        check(part, "0::/docker/12/a\n", Some(("/cg roup", "/cg roup/a")));
        check(part, "0::/elsewhere\n", None);
        check("30 23 0:26 / /x rw - cgroup cgroup rw,pids\n", "4:pids:/\n", None);
    }
}
