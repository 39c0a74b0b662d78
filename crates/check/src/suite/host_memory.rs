//! Memory of the host that belongs to no process and is not freed.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::fs::statvfs;

/// The allowed growth, in KiB: more than a host grows by itself, and less than by a bot that tries to take much.
pub(super) const TOLERATED_KIB: u64 = 48 << 10;

/// The host's shared memory without a name, in KiB. `None` if the kernel does not report it.
///
/// Private memory is free when its process has ended, and files in memory are found in their folders. Memory
/// in pipes and sockets is free when no process has them open, and processes are looked for anyway. This is
/// the rest that could stay; the kernel's own memory changes with all that a host does.
pub(super) fn unowned_kib() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    unowned(&told, in_memory_folders_kib())
}

fn unowned(told: &str, in_folders: u64) -> Option<u64> {
    let line = told.lines().find_map(|line| line.strip_prefix("Shmem:"))?;
    let shared: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(shared.saturating_sub(in_folders))
}

/// The size of the files in visible folders in memory, in KiB.
fn in_memory_folders_kib() -> u64 {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut counted = HashSet::new();
    let folders = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (folder, kind) = (words.nth(1)?, words.next()?);
        matches!(kind, "tmpfs" | "devtmpfs").then_some(folder)
    });
    folders
        .filter(|folder| fs::metadata(folder).is_ok_and(|metadata| counted.insert(metadata.dev())))
        .filter_map(|folder| statvfs(folder).ok())
        .map(|space| space.f_blocks.saturating_sub(space.f_bfree).saturating_mul(space.f_frsize) >> 10)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_folders_is_not_counted() {
        const TOLD: &str = "MemTotal: 1000 kB\nShmem: 60 kB\nSReclaimable: 30 kB\n";
        assert_eq!(unowned(TOLD, 20), Some(40));
        assert_eq!(unowned(TOLD, 70), Some(0));
        assert_eq!(unowned("MemTotal: 1000 kB\n", 0), None);
    }

    #[test]
    fn shared_memory_without_a_name_is_counted_while_it_is_held() {
        const TAKEN: usize = 192 << 20;
        let Some(before) = unowned_kib() else {
            println!("skipped: this kernel does not tell what its memory is used for");
            return;
        };
        let mut file = fs::File::from(
            rustix::fs::memfd_create("held", rustix::fs::MemfdFlags::CLOEXEC).expect("there is memory"),
        );
        std::io::Write::write_all(&mut file, &vec![1; TAKEN]).expect("there is memory");
        let held = unowned_kib().expect("it was told before");
        assert!(held > before + TOLERATED_KIB, "{before} KiB and then {held} KiB");
    }
}
