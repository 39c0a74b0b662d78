//! The supervisor's look at what its bot uses: memory and processes, summed
//! over all that the bot has started.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, getpid};

use super::{Orders, files, kernel};
use crate::process::report::{Breach, Resource};
use crate::process::tree;

/// How often it is looked.
pub(super) const EVERY: Duration = Duration::from_millis(20);

/// Every how-manieth look takes in folders that hold many files.
const MANY_FILES_EVERY: u32 = 10;

/// How many files are many: the others are looked at each time.
const MANY_FILES: u64 = 100;

/// How many files of a scratch folder are looked at; who has more has too many.
const MOST_FILES: u64 = 10_000;

/// What a file takes at least, be it empty.
const LEAST_FILE: u64 = 4096;

/// Watches what a bot uses.
#[derive(Debug)]
pub(super) struct Watchdog<'o> {
    orders: &'o Orders,
    /// The last process number that was given out when we looked for children.
    last_pid: Option<u64>,
    processes: Vec<Pid>,
    looks: u32,
    /// How many files the bot's folders held when they were looked at.
    files: u64,
}

impl<'o> Watchdog<'o> {
    pub(super) fn new(orders: &'o Orders) -> Watchdog<'o> {
        Watchdog { orders, last_pid: None, processes: Vec::new(), looks: 0, files: 0 }
    }

    /// Whether there is anything to watch.
    pub(super) fn is_awake(&self) -> bool {
        self.orders.policy.is_some()
    }

    /// What the bot has too much of, if anything.
    pub(super) fn look(&mut self) -> Option<Breach> {
        let policy = self.orders.policy.as_ref()?;
        self.find_processes();
        let used: Vec<Used> = self.processes.iter().filter_map(|pid| Used::of(*pid)).collect();
        if used.len() < self.processes.len() {
            // One ended, and its children are somebody else's now.
            self.last_pid = None;
        }
        let threads = used.iter().map(|used| used.threads).sum();
        if threads > policy.processes {
            return Some(Breach { resource: Resource::Processes, limit: policy.processes, used: threads });
        }
        let resident: u64 = used.iter().map(|used| used.resident).sum();
        if resident > policy.memory {
            // What several processes share has been counted for each of them.
            let shared_out = if used.len() > 1 { used.iter().map(Used::share).sum() } else { resident };
            if shared_out > policy.memory {
                return Some(Breach { resource: Resource::Memory, limit: policy.memory, used: shared_out });
            }
        }
        self.looks = self.looks.wrapping_add(1);
        if self.files > MANY_FILES && !self.looks.is_multiple_of(MANY_FILES_EVERY) {
            return None;
        }
        self.last_look()
    }

    /// What of the bot's folders outlives its processes: that it has written too much.
    pub(super) fn last_look(&mut self) -> Option<Breach> {
        let policy = self.orders.policy.as_ref()?;
        let scratch = self.orders.scratch.as_deref().zip(policy.scratch);
        // Their size is bounded, how many files there are in them is not.
        let own = files::TEMPORARY.map(|folder| (Path::new(folder), policy.memory));
        let own = own.into_iter().filter(|_| self.orders.referee.is_none());
        self.files = 0;
        scratch.into_iter().chain(own).find_map(|(folder, limit)| {
            let (used, files) = size(folder, limit);
            self.files += files;
            (used > limit).then_some(Breach { resource: Resource::Scratch, limit, used })
        })
    }

    /// Looks for the bot's processes, unless nobody has been born since the last look.
    fn find_processes(&mut self) {
        let last_pid = last_pid();
        if self.last_pid.is_none() || last_pid != self.last_pid {
            self.processes = tree::offspring(getpid()).unwrap_or_else(|| tree::descendants(getpid()));
            self.last_pid = last_pid;
        }
    }
}

/// The number that was given to the newest thread of all.
fn last_pid() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().last()?.parse().ok()
}

/// What one process uses.
#[derive(Debug)]
struct Used {
    pid: Pid,
    threads: u64,
    resident: u64,
}

impl Used {
    fn of(pid: Pid) -> Option<Used> {
        // After the name, which may hold anything: state, parent ... threads (18th), resident pages (22nd).
        let stat = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let text = std::str::from_utf8(&stat[after_name..]).ok()?;
        let mut fields = text.split_ascii_whitespace();
        let threads = fields.nth(17)?.parse().ok()?;
        let pages: u64 = fields.nth(3)?.parse().ok()?;
        Some(Used { pid, threads, resident: pages.saturating_mul(kernel::page_size()) })
    }

    /// Its memory with its share of what it has in common with others; all of
    /// it where that can't be found out.
    fn share(&self) -> u64 {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid.as_raw_nonzero()));
        let kib = rollup.ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
        });
        match kib {
            Some(kib) => kib.saturating_mul(1024),
            // One that has just ended has no memory any more.
            None => Used::of(self.pid).map_or(0, |now| now.resident),
        }
    }
}

/// What lies in a folder, in bytes and in files, but for what is mounted there from elsewhere; no more than
/// a little over the limit is counted.
fn size(folder: &Path, limit: u64) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    let (mut used, mut files) = (0u64, 0);
    let Ok(device) = folder.metadata().map(|folder| folder.dev()) else { return (0, 0) };
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.dev() != device {
                continue;
            }
            files += 1;
            used = used.saturating_add((metadata.blocks() * 512).max(LEAST_FILE));
            if files > MOST_FILES {
                return (limit.saturating_add(used).max(limit.saturating_add(1)), files);
            }
            if used > limit {
                return (used, files);
            }
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    (used, files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_as_large_as_what_lies_in_it() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        assert_eq!(size(folder.path(), 1 << 20), (0, 0));
        std::fs::create_dir(folder.path().join("inner")).expect("a folder can be made");
        std::fs::write(folder.path().join("inner/a"), vec![1; 100_000]).expect("a file can be written");
        std::fs::write(folder.path().join("empty"), "").expect("a file can be written");
        let (used, files) = size(folder.path(), 1 << 20);
        assert_eq!(files, 3);
        assert!((100_000 + LEAST_FILE..150_000).contains(&used), "{used}");
        assert!(size(folder.path(), 50_000).0 > 50_000);
    }

    #[test]
    fn this_very_process_uses_something() {
        let used = Used::of(getpid()).expect("we live");
        assert!(used.threads >= 1 && used.resident > 100_000, "{used:?}");
        assert!(used.share() > 0);
    }
}
