//! One leaf of the tree, and its counters.

use std::fmt::Display;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use linesman_types::verdict::Limit;
use rustix::fs::{Mode, OFlags, open};

use super::folders::{PROCESSES, REMOVAL_EVERY, kill_all_in, read_number, remove, write};
use super::memory_v1::{self, MemoryLeaf};
use crate::report::{Breach, Ending};
use crate::threads::spawner;

/// Number of attempts to remove a leaf while its processes are about to end.
const REMOVALS: u32 = 400;

/// The counters of one leaf, which show breaches.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct LeafCounts {
    folder: PathBuf,
    memory: Option<u64>,
    processes: Option<u64>,
    /// The folder in which memory is counted, if it is a different one.
    memory_v1: Option<PathBuf>,
}

impl LeafCounts {
    /// Returns the counters of a leaf that bounds memory and processes, as far as there is a limit.
    pub(super) fn new(folder: PathBuf, memory: Option<u64>, processes: Option<u64>) -> LeafCounts {
        LeafCounts { folder, memory, processes, memory_v1: None }
    }

    /// Returns the limit for which the kernel ended the bot, or beyond which it refused more before the bot failed.
    pub(crate) fn breach(&self, has_failed: bool) -> Option<Breach> {
        let count = |file: &str, key: &str| {
            let text = std::fs::read_to_string(self.folder.join(file)).ok()?;
            text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.parse::<u64>().ok())
        };
        let has_oom_kill = || match &self.memory_v1 {
            Some(leaf) => memory_v1::has_oom_kill(leaf),
            None => count("memory.events", "oom_kill").is_some_and(|kills| kills > 0),
        };
        if let Some(limit) = self.memory
            && has_oom_kill()
        {
            let used = self.peak().unwrap_or(limit).max(limit);
            return Some(Breach { resource: Limit::Memory, limit, used });
        }
        let limit = self.processes.filter(|_| has_failed)?;
        let refused = count("pids.events", "max").is_some_and(|refused| refused > 0);
        // At least one more was requested.
        let used = limit.saturating_add(1);
        refused.then_some(Breach { resource: Limit::Processes, limit, used })
    }

    /// Returns the CPU time of all processes that are or were in the leaf, for running tasks up to the last tick.
    fn cpu_time(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(self.folder.join("cpu.stat")).ok()?;
        cpu_of_stat(&text)
    }

    /// Returns the peak memory of the leaf in KiB, if this kernel counts it.
    fn peak_kib(&self) -> Option<u64> {
        self.peak().map(|bytes| bytes / 1024)
    }

    fn peak(&self) -> Option<u64> {
        match &self.memory_v1 {
            Some(leaf) => memory_v1::peak(leaf),
            None => read_number(&self.folder.join("memory.peak")),
        }
    }

    /// Completes an ending with what the supervisor can't know: the CPU time of children that were not
    /// reaped, and the memory of all processes together.
    pub(crate) fn complete(&self, ending: Ending) -> Ending {
        Ending {
            cpu: self.cpu_time().map_or(ending.cpu, |all| all.max(ending.cpu)),
            peak_kib: self.peak_kib().unwrap_or(ending.peak_kib),
            ..ending
        }
    }
}

/// The cgroup of one bot. Dropping it kills everything in it and removes it.
#[derive(Debug)]
pub struct Leaf {
    counts: LeafCounts,
    /// The folder and its `cgroup.procs`, until the bot is inside.
    cgroup_fds: Option<[OwnedFd; 2]>,
    /// The leaf that limits its memory, if it is a different one.
    memory_v1: Option<MemoryLeaf>,
    lock: Option<OwnedFd>,
}

impl Leaf {
    pub(super) fn set_up(
        counts: LeafCounts,
        lock: OwnedFd,
        leaves_of_memory: Option<&Path>,
        cpus: &[usize],
        token: &str,
    ) -> io::Result<Leaf> {
        let procs_fd = File::options().write(true).open(counts.folder.join(PROCESSES));
        // A separate descriptor: a process that inherited the lock's would hold the lock.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let place = open(&counts.folder, flags, Mode::empty()).map_err(io::Error::from);
        let (procs_fd, place) = procs_fd.and_then(|procs_fd| Ok((procs_fd, place?))).inspect_err(|_| {
            let _ = std::fs::remove_dir(&counts.folder);
        })?;
        let mut leaf =
            Leaf { counts, cgroup_fds: Some([place, procs_fd.into()]), memory_v1: None, lock: Some(lock) };
        if let Some((leaves, memory)) = leaves_of_memory.zip(leaf.counts.memory) {
            let memory = MemoryLeaf::make(leaves, token, memory)?;
            leaf.counts.memory_v1 = Some(memory.folder.clone());
            leaf.memory_v1 = Some(memory);
        } else if let Some(memory) = leaf.counts.memory {
            leaf.write("memory.max", memory)?;
            leaf.write_if_present("memory.swap.max", "0")?;
            leaf.write_if_present("memory.oom.group", "1")?;
        }
        if let Some(processes) = leaf.counts.processes {
            leaf.write("pids.max", processes)?;
        }
        if !cpus.is_empty() {
            let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
            // CPUs that are not in this tree were chosen without it; the affinity still holds.
            let _ = leaf.write_if_present("cpuset.cpus", &list.join(","));
        }
        Ok(leaf)
    }

    fn write(&self, file: &str, value: impl Display) -> io::Result<()> {
        write(&self.counts.folder.join(file), value)
    }

    fn write_if_present(&self, file: &str, value: &str) -> io::Result<()> {
        match self.write(file, value) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Returns the folder of the leaf.
    pub fn folder(&self) -> &Path {
        &self.counts.folder
    }

    /// Returns the folder, for forking a process into it, and its `cgroup.procs`, opened for writing: a
    /// process that writes `0` to it enters the leaf. `None` once they have been [closed](Leaf::close_fds).
    pub fn cgroup_fds(&self) -> Option<[BorrowedFd<'_>; 2]> {
        self.cgroup_fds.as_ref().map(|cgroup_fds| cgroup_fds.each_ref().map(OwnedFd::as_fd))
    }

    /// Closes these descriptors: otherwise hundreds of bots would each keep two without need.
    pub fn close_fds(&mut self) {
        self.cgroup_fds = None;
        self.memory_v1.iter_mut().for_each(MemoryLeaf::close_fds);
    }

    /// Returns two more files, if the bot's memory is limited elsewhere: one to which the bot has to write
    /// `0` before it does anything else, and one that shows its supervisor if the kernel has killed a process
    /// of the bot there.
    pub(crate) fn memory_cgroup_fds(&self) -> Option<[BorrowedFd<'_>; 2]> {
        self.memory_v1.as_ref().and_then(MemoryLeaf::procs_fds)
    }

    pub(crate) fn counts(&self) -> &LeafCounts {
        &self.counts
    }

    /// Kills everything in it, frozen or not. Quick, and harmless if it is empty.
    pub fn kill(&self) {
        kill_all_in(&self.counts.folder);
    }

    /// Freezes all processes in it until [`Leaf::thaw`]. Returns false if this kernel can't.
    pub fn freeze(&self) -> bool {
        self.write("cgroup.freeze", 1).is_ok()
    }

    /// Resumes all processes in it. Returns false if this kernel can't.
    pub fn thaw(&self) -> bool {
        self.write("cgroup.freeze", 0).is_ok()
    }

    /// Returns the file that counts the CPU time of all processes that are or were in it.
    pub fn cpu_stat(&self) -> PathBuf {
        self.counts.folder.join("cpu.stat")
    }

    /// Returns the CPU time of all processes that are or were in it.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.counts.cpu_time()
    }

    /// Returns the peak memory of the leaf in KiB, if this kernel counts it.
    pub fn peak_kib(&self) -> Option<u64> {
        self.counts.peak_kib()
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.kill();
        let memory = self.memory_v1.take();
        let is_gone = move |folder: &Path| {
            let is_gone = remove(folder);
            is_gone & memory.as_ref().is_none_or(|memory| remove(&memory.folder))
        };
        if is_gone(&self.counts.folder) {
            return;
        }
        // Killed processes need a moment to end. The locks stay until the leaf is gone.
        let (folder, lock) = (self.counts.folder.clone(), self.lock.take());
        if let Ok(spawner) = spawner() {
            spawner.spawn(async move {
                let mut again = tokio::time::interval(REMOVAL_EVERY);
                for _ in 0..REMOVALS {
                    again.tick().await;
                    if is_gone(&folder) {
                        break;
                    }
                }
                drop(lock);
            });
        }
    }
}

/// Returns the CPU time of all processes that are or were in a cgroup, from its `cpu.stat`.
pub(crate) fn cpu_of_stat(text: &str) -> Option<Duration> {
    let line = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
    line.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaches_are_read_from_the_kernels_counters() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |file: &str, text: &str| {
            std::fs::write(folder.path().join(file), text).expect("a file can be written");
        };
        let counts = LeafCounts {
            folder: folder.path().to_owned(),
            memory: Some(1000),
            processes: Some(8),
            memory_v1: None,
        };
        assert_eq!(counts.breach(true), None);
        write("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n");
        write("pids.events", "max 0\n");
        assert_eq!(counts.breach(true), None);
        write("pids.events", "max 3\n");
        assert_eq!(counts.breach(false), None);
        assert_eq!(counts.breach(true), Some(Breach { resource: Limit::Processes, limit: 8, used: 9 }));
        write("memory.events", "max 12\noom 1\noom_kill 2\n");
        write("memory.peak", "1016\n");
        let memory = Breach { resource: Limit::Memory, limit: 1000, used: 1016 };
        assert_eq!(counts.breach(false), Some(memory));
        assert_eq!(LeafCounts { memory: None, processes: None, ..counts }.breach(true), None);
    }

    #[test]
    fn an_ending_is_completed_from_the_kernels_counters() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let counts =
            LeafCounts { folder: folder.path().to_owned(), memory: None, processes: None, memory_v1: None };
        let (status, cpu) = (std::process::ExitStatus::default(), Duration::from_millis(20));
        let ending = Ending { status, cpu, peak_kib: 500 };
        assert_eq!(counts.complete(ending), ending);
        std::fs::write(folder.path().join("cpu.stat"), "usage_usec 70000\nuser_usec 9\n").expect("ours");
        std::fs::write(folder.path().join("memory.peak"), "2048000\n").expect("ours");
        let all = Ending { cpu: Duration::from_millis(70), peak_kib: 2000, ..ending };
        assert_eq!(counts.complete(ending), all);
        // The last moments may not be counted yet.
        std::fs::write(folder.path().join("cpu.stat"), "usage_usec 19000\n").expect("ours");
        assert_eq!(counts.complete(ending), Ending { peak_kib: 2000, ..ending });
    }

    #[test]
    fn cpu_time_is_parsed() {
        assert_eq!(cpu_of_stat("usage_usec 1500\nuser_usec 3\n"), Some(Duration::from_micros(1500)));
        assert_eq!(cpu_of_stat("user_usec 3\n"), None);
    }
}
