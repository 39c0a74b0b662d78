//! The host's account of a bot's time: the CPU time that it used, and the time for which it was ready to run
//! and had to wait for a CPU.
//!
//! The kernel keeps both for every thread, to the nanosecond, and any process may read them. For a bot of one
//! thread the files are kept open, and a sample takes five system calls; for others it takes twenty or more.
//! Sampling is therefore meant for long moves.

mod single;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use linesman_types::reading::Reading;
use rustix::process::Pid;
use rustix::time::{ClockId, clock_gettime};

use super::cpu_clock::cpu_time;
use super::isolation::Leaf;
use super::process_tree::{ProcessTree, descendants};
use super::procfs::{Process, run_delay, thread_number};
use single::SingleSampler;

/// The open files through which a bot is sampled again.
#[derive(Debug, Default)]
pub(super) struct Sampler(Mutex<Option<SingleSampler>>);

impl Sampler {
    /// Returns the CPU time of a bot up to now; `None` if it has ended, or if this system can't report it.
    pub(super) fn sample(&self, tree: &ProcessTree, cgroup: Option<&Leaf>) -> Option<Reading> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = kept.as_ref().and_then(SingleSampler::sample) {
            return Some(reading);
        }
        *kept = None;
        let (reading, single) = sample(tree)?;
        *kept = single.and_then(|(supervisor, pid)| {
            let cpu_stat = cgroup.map(Leaf::cpu_stat);
            SingleSampler::open(supervisor, pid, cpu_stat.as_deref())
        });
        // Neither exceeds the true time. The cgroup's lacks up to a tick of each running thread, and the
        // other one lacks processes that ended without being reaped.
        let counted = cgroup.and_then(Leaf::cpu_time);
        Some(Reading { cpu: counted.map_or(reading.cpu, |all| all.max(reading.cpu)), ..reading })
    }

    /// Returns the peak memory of a bot so far, in KiB: that of its cgroup or, where that is not counted, the
    /// sum over its living processes; `None` if it has ended.
    pub(super) fn peak_kib(&self, tree: &ProcessTree, cgroup: Option<&Leaf>) -> Option<u64> {
        if let Some(peak) = cgroup.and_then(Leaf::peak_kib) {
            return Some(peak);
        }
        // A bot of one process is found without a search.
        let single = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(SingleSampler::pid);
        let processes = single.map_or_else(|| tree.processes(), |pid| vec![pid]);
        let peaks: Vec<u64> =
            processes.iter().filter_map(|pid| Some(Process::of(*pid).peak_resident()? / 1024)).collect();
        (!peaks.is_empty()).then(|| peaks.iter().sum())
    }
}

/// Returns the waits of our own process that is about to start the bot; `None` once the bot runs.
pub(super) fn sample_starter(tree: &ProcessTree) -> Option<Reading> {
    let starter = tree.starter().filter(|_| tree.processes().is_empty())?;
    let process = Process::of(starter);
    let stat = process.stat()?;
    let waits = vec![(thread_number(starter), process.run_delay()?)];
    Some(Reading { cpu: Duration::ZERO, waits, is_ready: stat.is_ready() })
}

/// Returns the CPU time of a bot, with the ids of its supervisor and its process if that is a single one of one thread.
fn sample(tree: &ProcessTree) -> Option<(Reading, Option<(Pid, Pid)>)> {
    let supervisor = tree.known_supervisor()?;
    // Orphaned processes become children of the supervisor and are reaped there.
    let mut cpu = Process::of(supervisor).stat()?.cpu_of_children();
    let mut waits = Vec::new();
    let mut is_ready = false;
    let processes = descendants(supervisor);
    for &pid in &processes {
        let process = Process::of(pid);
        // A process that has just ended is counted with its parent at the next sample.
        let (Some(used), Some(stat)) = (cpu_time(pid), process.stat()) else { continue };
        cpu += used + stat.cpu_of_children();
        let has_one_thread = stat.threads == 1;
        is_ready |= has_one_thread && stat.is_ready();
        for thread in if has_one_thread { vec![pid] } else { process.threads() } {
            let of_thread = process.by_thread(thread);
            is_ready = is_ready || !has_one_thread && of_thread.stat().is_some_and(|stat| stat.is_ready());
            waits.extend(of_thread.run_delay().map(|wait| (thread_number(thread), wait)));
        }
    }
    let single = match processes[..] {
        [pid] if waits.len() == 1 => Some((supervisor, pid)),
        _ => None,
    };
    (!waits.is_empty()).then_some((Reading { cpu, waits, is_ready }, single))
}

/// Returns the CPU time of this thread.
pub fn own_cpu() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

/// The time for which the thread that created this was ready to run and had to wait for a CPU.
#[derive(Debug)]
pub struct ThreadWait(File);

impl ThreadWait {
    /// Opens the counter of this thread; `None` where the system has none.
    pub fn of_this_thread() -> Option<ThreadWait> {
        let wait = ThreadWait(File::open("/proc/thread-self/schedstat").ok()?);
        wait.read().map(|_| wait)
    }

    /// Returns the time up to now.
    pub fn read(&self) -> Option<Duration> {
        let mut buffer = [0; 64];
        let count = self.0.read_at(&mut buffer, 0).ok()?;
        run_delay(std::str::from_utf8(&buffer[..count]).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    #[test]
    fn work_of_a_process_and_of_its_ended_children_is_counted() {
        let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let bot = format!("echo; read x; {work}; sh -c '{work}'; echo; read x");
        // A shell takes the supervisor's place.
        let mut child = Command::new("sh")
            .args(["-c", "exec 3<&0; sh -c \"$0\" <&3 & wait", &bot])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut output = child.stdout.take().expect("its output is ours");
        let mut input = child.stdin.take().expect("its input is ours");
        let mut byte = [0];
        let tree = ProcessTree::below(Pid::from_child(&child), 1);
        output.read_exact(&mut byte).expect("it says that it is up");
        let before = sample(&tree).expect("the kernel says it").0;
        input.write_all(b"\n").expect("it reads");
        output.read_exact(&mut byte).expect("it says that it has worked");
        let pid = *tree.processes().first().expect("it lives");
        let itself = cpu_time(pid).expect("it lives");
        let after = sample(&tree).expect("the kernel says it").0;
        assert!(itself > Duration::ZERO);
        assert!(after.cpu > itself.max(before.cpu), "{:?} {itself:?} {:?}", before.cpu, after.cpu);
        assert!(after.waits.iter().any(|(thread, _)| *thread == thread_number(pid)));
        drop(input);
        child.wait().expect("it ends");
        assert_eq!(sample(&tree), None);
    }

    #[test]
    fn a_thread_knows_how_long_it_waited() {
        let Some(wait) = ThreadWait::of_this_thread() else {
            eprintln!("skipped: this kernel keeps no account of run queues (no schedstat)");
            return;
        };
        let first = wait.read().expect("the file stays");
        assert!(wait.read().expect("the file stays") >= first);
    }
}
