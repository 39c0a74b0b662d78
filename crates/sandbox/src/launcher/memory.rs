//! Memory of a bot's processes that does not count as resident: page tables, shared memory that is no longer
//! mapped, buffers of sockets and pipes. A cgroup that counts memory includes these.
//!
//! All of it costs more to measure than resident memory, so it is measured only where there can be much: page
//! tables where much is mapped, shared memory after many page faults, buffers with many descriptors.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::OnceLock;

use rustix::process::Pid;

use crate::procfs::{self, Mapping, Object, Process, Stat, deleted_mappings, page_size};

/// Fraction of the memory limit below which a kind of memory is not measured.
const NEGLIGIBLE: u64 = 16;

/// Minimum number of mapped bytes for each byte of page tables: a table of one page serves 512 pages, and the
/// tables above take a little more.
const MAPPED_PER_TABLE_BYTE: u64 = 500;

/// Returns the maximum number of bytes that wait in a socket, overhead included: twice this host's limit for programs.
fn max_socket_bytes() -> u64 {
    static MAX: OnceLock<u64> = OnceLock::new();
    const DEFAULT: u64 = 212_992;
    *MAX.get_or_init(|| procfs::largest_socket_buffer().unwrap_or(DEFAULT).max(DEFAULT) * 2)
}

/// Maximum number of bytes that wait in a pipe of the default size.
const PIPE_BYTES: u64 = 65_536;

/// A live process could not be inspected.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unseen;

/// Limits on a bot's descriptors and on the memory that they hold.
#[derive(Copy, Clone, Debug)]
pub(super) struct Descriptors {
    /// Maximum number in one process.
    pub(super) per_process: u64,
    /// The bot's memory limit.
    pub(super) memory: u64,
}

/// Hidden memory of a bot, as far as it was found.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// Page faults of each process when its mappings were last read.
    faults: BTreeMap<i32, u64>,
    /// Maximum extent of each shared object without a name, as far as it was ever found mapped.
    shared: BTreeMap<Object, u64>,
    /// The same for files that have been deleted.
    deleted: BTreeMap<Object, u64>,
    /// Number of bytes of shared memory that no process had resident at that time.
    unmapped: u64,
}

impl Hidden {
    /// Returns the number of hidden bytes that these processes hold.
    pub(super) fn sample(&mut self, used: &[Used], descriptors: Descriptors) -> Result<u64, Unseen> {
        let negligible = descriptors.memory / NEGLIGIBLE;
        let mapped: u64 = used.iter().map(|used| used.stat.mapped).sum();
        let tables = || used.iter().filter_map(|used| used.process.page_tables()).sum();
        let tables = if mapped / MAPPED_PER_TABLE_BYTE > negligible { tables() } else { 0 };
        let new: u64 = used.iter().map(|used| self.new_faults(used)).sum();
        if new.saturating_mul(page_size()) > negligible {
            self.read_mappings(used)?;
        }
        let max_buffers =
            descriptors.per_process.saturating_mul(used.len() as u64).saturating_mul(max_socket_bytes());
        let buffers = if max_buffers > negligible { self.buffers(used, negligible)? } else { 0 };
        Ok(tables.saturating_add(self.unmapped).saturating_add(buffers))
    }

    fn new_faults(&self, used: &Used) -> u64 {
        let known = self.faults.get(&used.process.pid.as_raw_pid()).copied().unwrap_or(0);
        used.stat.faults.saturating_sub(known)
    }

    pub(super) fn read_mappings(&mut self, used: &[Used]) -> Result<(), Unseen> {
        let (mut shared, mut deleted) = (BTreeMap::new(), BTreeMap::new());
        for process in used {
            let Some(maps) = seen_in(process, process.process.maps())? else { continue };
            for Mapping { object, range, end, name } in deleted_mappings(&maps) {
                let is_memory =
                    ["/dev/zero", "/memfd:", "/SYSV"].iter().any(|memory| name.starts_with(memory));
                let (now, before) =
                    if is_memory { (&mut shared, &self.shared) } else { (&mut deleted, &self.deleted) };
                let seen = before.get(&object).copied().unwrap_or(0);
                let extent: &mut u64 = now.entry(object).or_insert(seen);
                // Root can read the real size of the object.
                let size = std::fs::metadata(process.process.path(&format!("map_files/{range}")));
                *extent = size.map_or_else(|_| end.max(*extent), |whole| whole.blocks().saturating_mul(512));
            }
        }
        self.faults = used.iter().map(|used| (used.process.pid.as_raw_pid(), used.stat.faults)).collect();
        (self.shared, self.deleted) = (shared, deleted);
        let extent: u64 = self.shared.values().sum();
        let resident = || used.iter().filter_map(|used| used.process.proportional_shared()).sum();
        self.unmapped = if extent == 0 { 0 } else { extent.saturating_sub(resident()) };
        Ok(())
    }

    /// Returns the maximum number of bytes that wait in sockets and pipes.
    fn buffers(&mut self, used: &[Used], negligible: u64) -> Result<u64, Unseen> {
        let mut count = 0;
        for process in used {
            count += seen_in(process, descriptors_of(process))?.unwrap_or(0);
        }
        if count.saturating_mul(max_socket_bytes()) <= negligible {
            return Ok(0);
        }
        let (mut pipes, mut sockets) = (BTreeSet::new(), BTreeSet::new());
        for process in used {
            let entries = seen_in(process, std::fs::read_dir(process.process.path("fd")))?;
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
        Ok(max_socket_bytes()
            .saturating_mul(sockets.len() as u64)
            .saturating_add(PIPE_BYTES.saturating_mul(pipes.len() as u64)))
    }

    /// Returns the number of bytes of deleted files on the device of this folder that these processes still
    /// have open or mapped. Only root can see the size of a file that is merely mapped, and no process that
    /// of a file that waits in a socket: each of these counts as `max_file_size`.
    pub(super) fn deleted_files(
        &mut self,
        folder: &Path,
        used: &[Used],
        max_file_size: u64,
    ) -> Result<u64, Unseen> {
        let Ok(device) = folder.metadata().map(|folder| folder.dev()) else { return Ok(0) };
        self.read_mappings(used)?;
        let (mut open, mut in_flight) = (BTreeMap::new(), BTreeMap::new());
        for process in used {
            let entries = seen_in(process, std::fs::read_dir(process.process.path("fd")))?;
            for entry in entries.into_iter().flatten().flatten() {
                // Metadata follows the link to the file itself, which has no path any more.
                let Ok(file) = std::fs::metadata(entry.path()) else { continue };
                if file.is_file() && file.nlink() == 0 && file.dev() == device {
                    open.insert(file.ino(), file.blocks().saturating_mul(512));
                } else if file.file_type().is_socket() {
                    // A descriptor that waits in a socket is in no process's descriptor table.
                    let number = entry.file_name().to_string_lossy().into_owned();
                    let info = process.process.text(&format!("fdinfo/{number}")).unwrap_or_default();
                    let sent = info
                        .lines()
                        .find_map(|line| line.strip_prefix("scm_fds:")?.trim().parse::<u64>().ok());
                    in_flight.insert(file.ino(), sent.unwrap_or(0));
                }
            }
        }
        let in_flight = in_flight.values().sum::<u64>().saturating_mul(max_file_size);
        let name = format!("{:02x}:{:02x}", rustix::fs::major(device), rustix::fs::minor(device));
        let mapped =
            self.deleted.iter().filter(|((device, inode), _)| *device == name && !open.contains_key(inode));
        let is_known = rustix::process::geteuid().is_root();
        let mapped = mapped.map(|(_, extent)| if is_known { *extent } else { (*extent).max(max_file_size) });
        Ok(mapped.sum::<u64>().saturating_add(open.values().sum()).saturating_add(in_flight))
    }
}

fn descriptors_of(process: &Used) -> std::io::Result<u64> {
    let folder = process.process.path("fd");
    // Linux 6.2 and newer report their number as the folder's size.
    match std::fs::metadata(&folder)?.size() {
        0 => Ok(std::fs::read_dir(&folder)?.count() as u64),
        size => Ok(size),
    }
}

/// Turns a failed inspection into `None` if the process has ended meanwhile.
fn seen_in<T>(process: &Used, found: std::io::Result<T>) -> Result<Option<T>, Unseen> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(_) if process.has_ended() => Ok(None),
        Err(_) => Err(Unseen),
    }
}

/// The measurements of one process.
#[derive(Debug)]
pub(super) struct Used {
    /// The process, seen through another of its threads if the main one has ended.
    pub(super) process: Process,
    pub(super) stat: Stat,
}

impl Used {
    pub(super) fn of(pid: Pid) -> Option<Used> {
        let process = Process::of(pid);
        let main = process.stat()?;
        if main.mapped > 0 || main.threads < 2 {
            return Some(Used { process, stat: main });
        }
        // The main thread has ended, so the kernel no longer shows under its id the memory that the others still have.
        let living = process.threads().into_iter().find_map(|thread| {
            let process = process.by_thread(thread);
            let mut stat = process.stat().filter(|stat| stat.mapped > 0)?;
            stat.ticks = main.ticks;
            Some(Used { process, stat })
        });
        Some(living.unwrap_or(Used { process, stat: main }))
    }

    /// Returns true if it has no memory any more.
    pub(super) fn has_ended(&self) -> bool {
        Used::of(self.process.pid).is_none_or(|now| now.stat.mapped == 0)
    }

    /// Returns its memory with its proportional share of what is shared, or all of it if that can't be determined.
    pub(super) fn share(&self) -> u64 {
        // A process that has just ended has no memory any more.
        let whole = || Used::of(self.process.pid).map_or(0, |now| now.stat.resident);
        self.process.proportional().unwrap_or_else(whole)
    }
}
