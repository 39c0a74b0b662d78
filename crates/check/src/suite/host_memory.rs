//! Memory of the host that belongs to no process and may never be freed.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::fs::statvfs;

use linesman_sandbox::procfs;

/// The growth that is allowed, in KiB: more than occurs by itself, and less than a bot that eats memory causes.
pub(super) const TOLERATED_KIB: u64 = 48 << 10;

/// The host's shared memory without a name, in KiB. `None` if the kernel does not report it.
///
/// This is the memory that could stay after all processes have ended. Private memory is freed when its process ends,
/// and memory in pipes and sockets when no process has them open. Files in memory are found in their folders. The
/// kernel's own memory is not counted, because it changes with everything that a host does.
pub(super) fn unowned_kib() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    unowned(&meminfo, in_memory_folders_kib())
}

fn unowned(meminfo: &str, in_folders: u64) -> Option<u64> {
    Some((procfs::shared_memory(meminfo)? >> 10).saturating_sub(in_folders))
}

/// The size of the files in visible memory file systems, in KiB.
fn in_memory_folders_kib() -> u64 {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut counted = HashSet::new();
    procfs::memory_folders(&mounts)
        .filter(|folder| fs::metadata(folder).is_ok_and(|metadata| counted.insert(metadata.dev())))
        .filter_map(|folder| statvfs(folder).ok())
        .map(|space| space.f_blocks.saturating_sub(space.f_bfree).saturating_mul(space.f_frsize) >> 10)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_folders_are_not_counted() {
        const MEMINFO: &str = "MemTotal: 1000 kB\nShmem: 60 kB\nSReclaimable: 30 kB\n";
        assert_eq!(unowned(MEMINFO, 20), Some(40));
        assert_eq!(unowned(MEMINFO, 70), Some(0));
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
