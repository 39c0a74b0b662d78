//! The watchdog: the supervisor's samples of the memory and the processes of its bot, summed over all that
//! the bot has started.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use linesman_types::verdict::Limit;
use rustix::process::{Pid, getpid};

use super::kernel::CpuAlarm;
use super::memory::{Descriptors, Hidden, Unseen, Used};
use super::{SpawnRequest, files};
use crate::folder::{self, MAX_DEPTH, MAX_FILES, MIN_FILE_BYTES, Unmeasurable};
use crate::isolation::reports_oom_kill;
use crate::process_tree::descendants;
use crate::procfs::{Process, SingleProcess, text_of};
use crate::report::Breach;

/// Interval between samples of an active bot.
const INTERVAL: Duration = Duration::from_millis(20);

/// Maximum interval for a bot that does nothing, or nearly nothing. In hundreds of games most bots wait for
/// their turn, and frequent samples would take more CPU time than the bots.
const IDLE_INTERVAL: Duration = Duration::from_millis(80);

/// Interval for a bot of a single process whose CPU use wakes us. The sample only has to find out whether it
/// has started another process or does much in a single system call.
const SINGLE_PROCESS_INTERVAL: Duration = Duration::from_millis(160);

/// Interval, in samples, at which folders with many files are measured.
const MANY_FILES_EVERY: u32 = 10;

/// Maximum number of files in a folder that is measured at every sample.
const MANY_FILES: u64 = 100;

/// The breach of a bot that has hidden a folder or a process from its supervisor.
const HIDDEN: Option<Breach> = Some(Breach { resource: Limit::Hidden, limit: 0, used: 1 });

/// Samples the resources that a bot uses.
#[derive(Debug)]
pub(super) struct Watchdog<'o> {
    request: &'o SpawnRequest,
    /// The file in which cgroup v1 counts the processes that it has killed because of the bot's memory.
    oom_control: Option<File>,
    /// The bot's only process, as long as it has only one.
    single: Option<SingleBot>,
    /// CPU time of the bot at the last sample, in ticks.
    ticks: u64,
    interval: Duration,
    samples: u32,
    /// Memory of its processes that is not resident.
    hidden: Hidden,
    /// Number of files in the bot's folders at the last measurement.
    files: u64,
    /// Number of files on the file system of its folder at the last walk.
    inodes: u64,
    /// True if one of its folders has to be walked: filling a disk takes hardly any CPU time.
    walks: bool,
}

impl<'o> Watchdog<'o> {
    pub(super) fn new(request: &'o SpawnRequest, oom_control: Option<File>) -> Watchdog<'o> {
        Watchdog {
            request,
            oom_control,
            single: None,
            ticks: 0,
            interval: INTERVAL,
            samples: 0,
            hidden: Hidden::default(),
            files: 0,
            inodes: 0,
            walks: false,
        }
    }

    /// Returns the time until the next sample; `None` if there is nothing to watch.
    pub(super) fn interval(&self) -> Option<Duration> {
        self.request.policy.as_ref().map(|_| self.interval)
    }

    /// Takes a sample. Returns the breach, if the bot uses too much of a resource.
    pub(super) fn sample(&mut self) -> Option<Breach> {
        let policy = self.request.policy.as_ref()?;
        if self.has_lost_a_process() {
            return Some(Breach { resource: Limit::Memory, limit: policy.memory, used: policy.memory });
        }
        let used = self.used();
        // A process that uses no CPU time gets no memory and starts no other.
        let ticks = used.iter().map(|used| used.stat.ticks).sum();
        let is_quiet = ticks == self.ticks;
        self.interval = match &self.single {
            Some(SingleBot { alarm: Some(_), .. }) if !self.walks => SINGLE_PROCESS_INTERVAL,
            _ if is_quiet => (self.interval * 2).min(IDLE_INTERVAL),
            _ => INTERVAL,
        };
        self.ticks = ticks;
        let threads = used.iter().map(|used| used.stat.threads).sum();
        if threads > policy.processes {
            return Some(Breach { resource: Limit::Processes, limit: policy.processes, used: threads });
        }
        if let Some(breach) = self.memory(&used) {
            return Some(breach);
        }
        self.samples = self.samples.wrapping_add(1);
        let is_due = self.samples.is_multiple_of(MANY_FILES_EVERY) || self.files_elsewhere() > MANY_FILES;
        if self.files > MANY_FILES && !is_due {
            return None;
        }
        self.measure_folders()
    }

    /// Returns true if the supervisor can inspect each of the bot's processes, unless one hides. Without the
    /// launcher's restrictions a program that runs as another user, such as `sudo`, can't be inspected.
    fn must_be_seen(&self) -> bool {
        self.request.launcher.is_some()
    }

    /// Returns true if the kernel has killed one of its processes for lack of memory. The others would go on alone.
    fn has_lost_a_process(&self) -> bool {
        let mut buffer = [0; 256];
        self.oom_control.as_ref().and_then(|file| text_of(file, &mut buffer)).is_some_and(reports_oom_kill)
    }

    /// Returns the breach, if these processes have too much memory.
    fn memory(&mut self, used: &[Used]) -> Option<Breach> {
        let policy = self.request.policy.as_ref()?;
        let limit = policy.memory;
        let resident: u64 = used.iter().map(|used| used.stat.resident).sum();
        let descriptors = Descriptors { per_process: policy.open_files, memory: limit };
        let hidden = match self.hidden.sample(used, descriptors) {
            Ok(hidden) => hidden,
            Err(Unseen) if self.must_be_seen() => return HIDDEN,
            Err(Unseen) => 0,
        };
        if resident.saturating_add(hidden) <= limit {
            return None;
        }
        // Memory shared by several processes has been counted for each of them.
        let shared_out = if used.len() > 1 { used.iter().map(Used::share).sum() } else { resident };
        let used = shared_out.saturating_add(hidden);
        (used > limit).then_some(Breach { resource: Limit::Memory, limit, used })
    }

    /// Returns the breach, if the largest of its ended processes once took too much memory by itself.
    pub(super) fn peak(&self, peak_kib: u64) -> Option<Breach> {
        let (limit, used) = (self.request.policy.as_ref()?.memory, peak_kib.saturating_mul(1024));
        (used > limit).then_some(Breach { resource: Limit::Memory, limit, used })
    }

    /// Returns the number of files that the file system of its folder has gained since the last walk, from any process.
    fn files_elsewhere(&self) -> u64 {
        self.inodes().saturating_sub(self.inodes)
    }

    fn inodes(&self) -> u64 {
        let system = self.request.scratch.as_deref().and_then(|folder| rustix::fs::statfs(folder).ok());
        system.map_or(0, |system| system.f_files.saturating_sub(system.f_ffree))
    }

    /// Measures the bot's folders, which outlive its processes. Returns the breach, if they contain too much.
    pub(super) fn measure_folders(&mut self) -> Option<Breach> {
        let policy = self.request.policy.as_ref()?;
        let scratch = self.request.scratch.as_deref().zip(policy.scratch);
        // The size of these folders is bounded, but not their number of files.
        let own = files::TEMPORARY.map(|folder| (Path::new(folder), policy.memory));
        let own = own.into_iter().filter(|_| self.request.referee.is_none());
        (self.files, self.walks, self.inodes) = (0, false, self.inodes());
        let all = scratch.into_iter().chain(own);
        for (folder, limit) in all.filter(|(folder, limit)| !is_plainly_within(folder, *limit)) {
            self.walks = true;
            match folder::measure(folder, limit) {
                Err(Unmeasurable::TooDeep) => {
                    let limit = MAX_DEPTH as u64;
                    return Some(Breach { resource: Limit::ScratchDepth, limit, used: limit + 1 });
                }
                Err(Unmeasurable::Unreadable) => return HIDDEN,
                Ok(content) => {
                    self.files += content.files;
                    let processes = descendants(getpid());
                    let living: Vec<Used> = processes.iter().filter_map(|pid| Used::of(*pid)).collect();
                    let deleted = match self.hidden.deleted_files(folder, &living, policy.file_size) {
                        Ok(deleted) => deleted,
                        Err(Unseen) if self.must_be_seen() => return HIDDEN,
                        Err(Unseen) => 0,
                    };
                    let mut used = content.bytes.saturating_add(deleted);
                    if content.files > MAX_FILES {
                        // A bot with that many files has too much, however small they are.
                        used = used.max(limit.saturating_add(1));
                    }
                    if used > limit {
                        return Some(Breach { resource: Limit::Scratch, limit, used });
                    }
                }
            }
        }
        None
    }

    fn used(&mut self) -> Vec<Used> {
        if let Some(used) = self.single.as_ref().and_then(SingleBot::used) {
            return vec![used];
        }
        let processes = descendants(getpid());
        let used: Vec<Used> = processes.iter().filter_map(|pid| Used::of(*pid)).collect();
        self.single = match &used[..] {
            [only] if only.stat.threads == 1 && processes.len() == 1 => SingleBot::open(only.process.pid),
            _ => None,
        };
        used
    }
}

/// A bot of one process with one thread.
#[derive(Debug)]
struct SingleBot {
    process: SingleProcess,
    /// Goes off while the bot works.
    alarm: Option<CpuAlarm>,
}

impl SingleBot {
    fn open(pid: Pid) -> Option<SingleBot> {
        let process = SingleProcess::open(getpid(), pid)?;
        Some(SingleBot { process, alarm: CpuAlarm::of(pid, INTERVAL).ok() })
    }

    /// Measures it; `None` if it is no longer the only process, or has ended.
    fn used(&self) -> Option<Used> {
        Some(Used { process: Process::of(self.process.pid()), stat: self.process.stat()? })
    }
}

/// Returns true if a folder can't hold too much because its whole file system does not, or because it is
/// read-only. For a file system in memory, as in namespaces, this takes one call instead of a walk.
fn is_plainly_within(folder: &Path, limit: u64) -> bool {
    /// `TMPFS_MAGIC` of `linux/magic.h`.
    const TMPFS: u64 = 0x0102_1994;
    let Ok(system) = rustix::fs::statfs(folder) else { return false };
    let number = |value| u64::try_from(value).unwrap_or(u64::MAX);
    let blocks = system.f_blocks.saturating_sub(system.f_bfree);
    let files = system.f_files.saturating_sub(system.f_ffree);
    // On a file system that bounds neither, both are zero.
    let is_counted = system.f_blocks > 0 && system.f_files > 0;
    let used =
        blocks.saturating_mul(number(system.f_bsize)).saturating_add(files.saturating_mul(MIN_FILE_BYTES));
    // A read-only folder may contain the bot's own files, which the bot has not written.
    let is_read_only = number(system.f_flags) & libc::ST_RDONLY != 0;
    is_read_only || number(system.f_type) == TMPFS && is_counted && used <= limit && files <= MAX_FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_uses_memory_and_threads() {
        let used = Used::of(getpid()).expect("we live");
        assert!(used.stat.threads >= 1 && used.stat.resident > 100_000, "{used:?}");
        assert!(used.share() > 0);
    }
}
