//! Memory of the host that nobody has and nobody gives back.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::fs::statvfs;

/// How much more there may be afterwards, in KiB: what a host does by itself,
/// and less than any bot takes that means to take much.
pub(super) const TOLERATED_KIB: u64 = 48 << 10;

/// How much of the host's memory is neither free, nor a process's own, nor a
/// cache of files, in KiB: shared memory that has no name, and what the kernel
/// keeps for itself, pipes among it. Nothing where the kernel does not tell.
///
/// What a process had to itself is free when the process has ended, and what
/// lies in folders in memory is found there. This is what else could stay.
pub(super) fn unowned_kib() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    unowned(&told, in_memory_folders_kib())
}

fn unowned(told: &str, in_folders: u64) -> Option<u64> {
    let kib = |name: &str| -> Option<u64> {
        let line = told.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_ascii_whitespace().next()?.parse().ok()
    };
    let owned = ["MemFree", "Buffers", "Cached", "AnonPages", "SReclaimable"];
    let owned = owned.iter().map(|name| kib(name)).sum::<Option<u64>>()? + kib("SwapCached").unwrap_or(0);
    let of_the_kernel = kib("MemTotal")?.saturating_sub(owned);
    Some(of_the_kernel + kib("Shmem")?.saturating_sub(in_folders))
}

/// What lies in folders in memory that can be seen, in KiB.
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

    const TOLD: &str = "MemTotal: 1000 kB\nMemFree: 300 kB\nBuffers: 10 kB\nCached: 200 kB\n\
        SwapCached: 0 kB\nAnonPages: 400 kB\nShmem: 60 kB\nSReclaimable: 30 kB\n";

    #[test]
    fn what_no_process_and_no_folder_has_is_counted() {
        assert_eq!(unowned(TOLD, 60), Some(60));
        assert_eq!(unowned(TOLD, 20), Some(100));
        // A process that takes or a file that is read changes nothing.
        let more = TOLD.replace("MemFree: 300", "MemFree: 100").replace("AnonPages: 400", "AnonPages: 500");
        assert_eq!(unowned(&more.replace("Cached: 200", "Cached: 300"), 60), Some(60));
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
