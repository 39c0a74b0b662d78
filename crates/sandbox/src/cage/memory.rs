//! Memory that a bot's processes hold and that no figure of resident memory shows: page tables, shared memory that is
//! not mapped any more, buffers of sockets and pipes. Where a cgroup counts memory, the kernel counts these too.
//!
//! All of it costs more to find than a look at resident memory does, so it is sampled only where there can be much:
//! page tables where much is mapped, shared memory after many page faults, buffers with many descriptors.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::OnceLock;

use super::kernel;
use super::watchdog::{Used, kib_of};

/// Part of the memory limit below which something is not looked for.
const NEGLIGIBLE: u64 = 16;

/// Bytes that page tables take for each mapped byte, at most: a table of a page for 512 pages, and a little for the
/// tables above.
const MAPPED_BY_A_TABLE: u64 = 500;

/// Maximum of bytes that wait in a socket, with what the kernel needs for them: twice what this host lets programs set.
fn in_a_socket() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    const USUAL: u64 = 212_992;
    *MOST.get_or_init(|| {
        let most = std::fs::read_to_string("/proc/sys/net/core/wmem_max").ok();
        most.and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL).max(USUAL) * 2
    })
}

/// Maximum of bytes that wait in a pipe of usual size.
const PIPE: u64 = 65_536;

/// A process could not be looked into, though it lives.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unseen;

/// Limits that bound a bot's descriptors and what they hold.
#[derive(Copy, Clone, Debug)]
pub(super) struct Descriptors {
    /// Maximum number in one process.
    pub(super) of_one: u64,
    /// The bot's memory limit.
    pub(super) memory: u64,
}

/// A file or a piece of shared memory, as `/proc` names it: device and inode.
type Object = (String, u64);

/// Hidden memory of a bot, as far as it was found.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// Page faults of each process at the last look at its mappings.
    faults: BTreeMap<i32, u64>,
    /// Maximum extent of what is shared and has no name, as far as it was ever seen mapped.
    shared: BTreeMap<Object, u64>,
    /// The same of files that have been deleted.
    deleted: BTreeMap<Object, u64>,
    /// Bytes of shared memory that no process had resident at that look.
    unmapped: u64,
}

impl Hidden {
    /// The bytes that these processes hold hidden.
    ///
    /// # Errors
    /// One of them can't be looked into.
    pub(super) fn sample(&mut self, used: &[Used], descriptors: Descriptors) -> Result<u64, Unseen> {
        let negligible = descriptors.memory / NEGLIGIBLE;
        let mapped: u64 = used.iter().map(|used| used.mapped).sum();
        let tables = if mapped / MAPPED_BY_A_TABLE > negligible { page_tables(used) } else { 0 };
        let new: u64 = used.iter().map(|used| self.new_faults(used)).sum();
        if new.saturating_mul(kernel::page_size()) > negligible {
            self.look_at_mappings(used)?;
        }
        let most = descriptors.of_one.saturating_mul(used.len() as u64).saturating_mul(in_a_socket());
        let buffers = if most > negligible { self.buffers(used, negligible)? } else { 0 };
        Ok(tables.saturating_add(self.unmapped).saturating_add(buffers))
    }

    fn new_faults(&self, used: &Used) -> u64 {
        let known = self.faults.get(&used.pid.as_raw_nonzero().get()).copied().unwrap_or(0);
        used.faults.saturating_sub(known)
    }

    pub(super) fn look_at_mappings(&mut self, used: &[Used]) -> Result<(), Unseen> {
        let (mut shared, mut deleted) = (BTreeMap::new(), BTreeMap::new());
        for process in used {
            let Some(maps) = seen_in(process, process.file("maps"))? else { continue };
            for Mapping { object, range, end, name } in deleted_mappings(&maps) {
                let is_memory =
                    ["/dev/zero", "/memfd:", "/SYSV"].iter().any(|memory| name.starts_with(memory));
                let (now, before) =
                    if is_memory { (&mut shared, &self.shared) } else { (&mut deleted, &self.deleted) };
                let seen = before.get(&object).copied().unwrap_or(0);
                let extent: &mut u64 = now.entry(object).or_insert(seen);
                // Root is told how much there is of it.
                let size = std::fs::metadata(process.path(&format!("map_files/{range}")));
                *extent = size.map_or_else(|_| end.max(*extent), |whole| whole.blocks().saturating_mul(512));
            }
        }
        self.faults = used.iter().map(|used| (used.pid.as_raw_nonzero().get(), used.faults)).collect();
        (self.shared, self.deleted) = (shared, deleted);
        let extent: u64 = self.shared.values().sum();
        let resident =
            || used.iter().filter_map(|used| kib_of(&used.file("smaps_rollup").ok()?, "Pss_Shmem:")).sum();
        self.unmapped = if extent == 0 { 0 } else { extent.saturating_sub(resident()) };
        Ok(())
    }

    /// Maximum number of bytes that wait in sockets and pipes.
    fn buffers(&mut self, used: &[Used], negligible: u64) -> Result<u64, Unseen> {
        let mut count = 0;
        for process in used {
            count += seen_in(process, descriptors_of(process))?.unwrap_or(0);
        }
        if count.saturating_mul(in_a_socket()) <= negligible {
            return Ok(0);
        }
        let (mut pipes, mut sockets) = (BTreeSet::new(), BTreeSet::new());
        for process in used {
            let entries = seen_in(process, std::fs::read_dir(process.path("fd")))?;
            let entries = entries.into_iter().flatten();
            let links = entries.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
            for link in links {
                let link = link.to_string_lossy();
                if link.starts_with("socket:") {
                    sockets.insert(link.into_owned());
                } else if link.starts_with("pipe:") {
                    pipes.insert(link.into_owned());
                }
            }
        }
        Ok(in_a_socket()
            .saturating_mul(sockets.len() as u64)
            .saturating_add(PIPE.saturating_mul(pipes.len() as u64)))
    }

    /// Bytes of deleted files that lay on the device of this folder and that these processes still have open or mapped.
    /// Of one that is only mapped nobody but root learns how much it is, and of one that waits in a socket nobody: these
    /// count as `most_of_one`.
    ///
    /// # Errors
    /// One of them can't be looked into.
    pub(super) fn deleted_files(
        &mut self,
        folder: &Path,
        used: &[Used],
        most_of_one: u64,
    ) -> Result<u64, Unseen> {
        let Ok(device) = folder.metadata().map(|folder| folder.dev()) else { return Ok(0) };
        self.look_at_mappings(used)?;
        let (mut open, mut in_flight) = (BTreeMap::new(), BTreeMap::new());
        for process in used {
            let entries = seen_in(process, std::fs::read_dir(process.path("fd")))?;
            for entry in entries.into_iter().flatten().flatten() {
                // Followed to the file itself, which has no path any more.
                let Ok(file) = std::fs::metadata(entry.path()) else { continue };
                if file.is_file() && file.nlink() == 0 && file.dev() == device {
                    open.insert(file.ino(), file.blocks().saturating_mul(512));
                } else if file.file_type().is_socket() {
                    // A descriptor that waits in a socket is in nobody's table.
                    let number = entry.file_name().to_string_lossy().into_owned();
                    let told = process.file(&format!("fdinfo/{number}")).unwrap_or_default();
                    let sent = told
                        .lines()
                        .find_map(|line| line.strip_prefix("scm_fds:")?.trim().parse::<u64>().ok());
                    in_flight.insert(file.ino(), sent.unwrap_or(0));
                }
            }
        }
        let in_flight = in_flight.values().sum::<u64>().saturating_mul(most_of_one);
        let name = format!("{:02x}:{:02x}", rustix::fs::major(device), rustix::fs::minor(device));
        let mapped =
            self.deleted.iter().filter(|((device, inode), _)| *device == name && !open.contains_key(inode));
        let is_known = rustix::process::geteuid().is_root();
        let mapped = mapped.map(|(_, extent)| if is_known { *extent } else { (*extent).max(most_of_one) });
        Ok(mapped.sum::<u64>().saturating_add(open.values().sum()).saturating_add(in_flight))
    }
}

fn page_tables(used: &[Used]) -> u64 {
    used.iter().filter_map(|used| kib_of(&used.file("status").ok()?, "VmPTE:")).sum()
}

/// Number of descriptors of a process.
fn descriptors_of(process: &Used) -> std::io::Result<u64> {
    let folder = process.path("fd");
    // Linux 6.2 and newer give their number as the folder's size.
    match std::fs::metadata(&folder)?.size() {
        0 => Ok(std::fs::read_dir(&folder)?.count() as u64),
        size => Ok(size),
    }
}

/// Turns a failed look at a process into nothing, if the process has ended meanwhile.
///
/// # Errors
/// It lives, and can't be looked into.
fn seen_in<T>(process: &Used, found: std::io::Result<T>) -> Result<Option<T>, Unseen> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(_) if process.has_ended() => Ok(None),
        Err(_) => Err(Unseen),
    }
}

/// A mapping of something that has no name any more.
#[derive(PartialEq, Eq, Debug)]
struct Mapping<'m> {
    object: Object,
    /// Its addresses.
    range: &'m str,
    /// Its end within the object, in bytes.
    end: u64,
    /// The name that the object had.
    name: &'m str,
}

/// The mappings of what has no name any more, in the text of `/proc/PID/maps`.
fn deleted_mappings(maps: &str) -> impl Iterator<Item = Mapping<'_>> {
    maps.lines().filter_map(|line| {
        // address perms offset dev inode pathname
        let mut fields = line.strip_suffix(" (deleted)")?.splitn(6, ' ');
        let range = fields.next()?;
        let (start, end) = range.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let length = number(end)?.checked_sub(number(start)?)?;
        let offset = number(fields.nth(1)?)?;
        let (device, inode) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        let (end, name) = (offset.saturating_add(length), fields.next()?.trim_start());
        Some(Mapping { object: (device, inode), range, end, name })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mapped_and_has_no_name_is_found_with_its_extent() {
        let maps = "\
55d0c0a00000-55d0c0a02000 r--p 00000000 fe:00 1234    /usr/bin/cat
7f0000000000-7f0000100000 rw-s 00000000 00:01 77      /dev/zero (deleted)
7f0000200000-7f0000201000 rw-s 00300000 00:01 78      /dev/zero (deleted)
7f0000400000-7f0000401000 rw-s 00001000 fe:00 99      /tmp/a b (deleted)
7f0000500000-7f0000501000 rw-p 00000000 00:00 0 
";
        let found = deleted_mappings(maps).map(|found| (found.object, found.end, found.name));
        let found: Vec<_> = found.collect();
        let object = |device: &str, inode| (device.to_owned(), inode);
        assert_eq!(
            found,
            [
                (object("00:01", 77), 0x100_000, "/dev/zero"),
                (object("00:01", 78), 0x301_000, "/dev/zero"),
                (object("fe:00", 99), 0x2000, "/tmp/a b"),
            ]
        );
    }
}
