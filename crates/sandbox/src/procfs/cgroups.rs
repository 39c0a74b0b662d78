//! `/proc/self/mountinfo` and `/proc/self/cgroup`.

use std::path::{Path, PathBuf};

#[derive(Copy, Clone, Debug)]
pub(crate) enum Hierarchy {
    V2,
    /// The one of cgroup v1 that has the memory.
    MemoryV1,
}

/// Place of this process in a hierarchy.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct OwnCgroup {
    /// The top of the hierarchy, as far as it is visible.
    pub(crate) mount: PathBuf,
    /// Our own folder in it.
    pub(crate) folder: PathBuf,
}

/// Finds the place of this process in a hierarchy; `None` if the hierarchy is not mounted.
pub(crate) fn own_cgroup(hierarchy: Hierarchy) -> Option<OwnCgroup> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let cgroups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    place(&mounts, &cgroups, hierarchy)
}

/// Finds our place from the kernel's lists of mounts and of our cgroups.
fn place(mounts: &str, cgroups: &str, hierarchy: Hierarchy) -> Option<OwnCgroup> {
    let path = cgroups.lines().find_map(|line| {
        // NUMBER:CONTROLLERS:PATH
        let (number, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let is_found = match hierarchy {
            Hierarchy::V2 => number == "0" && controllers.is_empty(),
            Hierarchy::MemoryV1 => has_memory(controllers),
        };
        is_found.then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        // NUMBER PARENT DEVICE ROOT POINT OPTIONS [MORE ...] - TYPE SOURCE OPTIONS
        let (before, filesystem) = line.split_once(" - ")?;
        let mut filesystem = filesystem.split(' ');
        let is_found = match hierarchy {
            Hierarchy::V2 => filesystem.next() == Some("cgroup2"),
            Hierarchy::MemoryV1 => {
                filesystem.next() == Some("cgroup") && filesystem.nth(1).is_some_and(has_memory)
            }
        };
        is_found.then_some(())?;
        let mut fields = before.split(' ').skip(3);
        let (root, mount) = (fields.next()?, PathBuf::from(fields.next()?.replace("\\040", " ")));
        let below = Path::new(path).strip_prefix(root).ok()?;
        Some(OwnCgroup { folder: mount.join(below), mount })
    })
}

fn has_memory(list: &str) -> bool {
    list.split(',').any(|name| name == "memory")
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
            assert_eq!(place(mounts, cgroups, Hierarchy::V2), expected);
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

    #[test]
    fn our_place_is_found_where_v1_has_the_memory() {
        let hybrid = "30 23 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      32 23 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let at = |mounts, cgroups| place(mounts, cgroups, Hierarchy::MemoryV1).map(|own| own.folder);
        assert_eq!(at(hybrid, "4:memory:/a/b\n0::/\n"), Some("/sys/fs/cgroup/memory/a/b".into()));
        assert_eq!(at(hybrid, "4:cpu,memory:/\n0::/\n"), Some("/sys/fs/cgroup/memory".into()));
        assert_eq!(at(hybrid, "4:cpu:/\n0::/a\n"), None);
        let pure = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        assert_eq!(at(pure, "0::/a\n"), None);
    }
}
