//! What the host says of a bot's time: the CPU that it used, and how long it
//! was ready to run and had to wait for a CPU.
//!
//! The kernel keeps both for every thread, to the nanosecond, and lets anybody
//! read them. Of a bot of one thread the files are kept open, and a look takes five
//! calls; of others it takes some twenty and more. So it is for moves that were long.

mod kept;
mod kernel;

pub(super) use kept::cpu_of_stat;
pub(super) use kernel::tick;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::bot::Bot;
use super::family::{Family, members_below, read_small, stat, thread_stat, threads};
use super::isolation::Leaf;
use kept::Kept;

/// What is kept to look at a bot again.
#[derive(Debug, Default)]
pub(super) struct Looks(Mutex<Option<Kept>>);

/// What a bot has used since it was started, at one moment.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Reading {
    /// The CPU time of all its processes. Of the ended ones all is in it where
    /// the bot has a cgroup, else as far as their parents have waited for them.
    pub cpu: Duration,
    /// Each of its threads, and how long it was ready to run and had to wait.
    /// A wait that still goes on is not in it: the kernel adds it when the thread runs.
    pub waits: Vec<(u32, Duration)>,
    /// Whether one of its threads runs, or waits for a CPU.
    pub is_ready: bool,
}

impl Bot {
    /// What it has used until now; nothing if it has ended, or if this system does not say.
    pub fn reading(&self) -> Option<Reading> {
        let mut kept = self.looks().0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = kept.as_ref().and_then(Kept::read) {
            return Some(reading);
        }
        *kept = None;
        let (reading, alone) = read(self.family())?;
        *kept = alone.and_then(|(reaper, pid)| {
            let cpu_stat = self.cgroup().map(Leaf::cpu_stat);
            Kept::open(reaper, pid, cpu_stat.as_deref())
        });
        // Both are never more than it was. The cgroup's lacks up to a tick of what
        // runs just now, and the other what has ended and nobody waited for.
        let counted = self.cgroup().and_then(Leaf::cpu_time);
        Some(Reading { cpu: counted.map_or(reading.cpu, |all| all.max(reading.cpu)), ..reading })
    }

    /// What our own process has used that is about to start the bot; nothing once the bot is there.
    pub fn reading_of_starter(&self) -> Option<Reading> {
        let family = self.family();
        let starter = family.starter().filter(|_| family.members().is_empty())?;
        let (stat, wait) = (stat(starter)?, read_small(&format!("/proc/{starter}/schedstat"))?);
        let thread = u32::try_from(starter).ok()?;
        Some(Reading {
            cpu: Duration::ZERO,
            waits: vec![(thread, wait_of(&wait)?)],
            is_ready: wants_to_run(&stat),
        })
    }

    /// The most memory that was used in its cgroup at any one moment, in KiB;
    /// where that is not counted, what its living processes had resident, each at
    /// its own worst moment; nothing if it has ended.
    pub fn peak_kib(&self) -> Option<u64> {
        if let Some(peak) = self.cgroup().and_then(Leaf::peak_kib) {
            return Some(peak);
        }
        let of = |pid: &i32| {
            let status = read_small(&format!("/proc/{pid}/status"))?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            line.split_ascii_whitespace().next()?.parse::<u64>().ok()
        };
        // Who was alone when it was last looked at is found without a search.
        let alone = self.looks().0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Kept::pid);
        let members = alone.map_or_else(|| self.family().members(), |pid| vec![pid]);
        let peaks: Vec<u64> = members.iter().filter_map(of).collect();
        (!peaks.is_empty()).then(|| peaks.iter().sum())
    }
}

/// What a bot has used; with the last of our processes and its own, if that is one of one thread.
fn read(family: &Family) -> Option<(Reading, Option<(i32, i32)>)> {
    let tick = kernel::tick();
    let reaper = family.known_reaper()?;
    // What is abandoned falls to our process and is waited for there.
    let mut cpu = ended_children(&stat(reaper)?, tick);
    let mut waits = Vec::new();
    let mut is_ready = false;
    let members = members_below(reaper);
    for &pid in &members {
        // One that has just ended is counted with its parent the next time.
        let (Some(own), Some(stat)) = (kernel::cpu_time(pid), stat(pid)) else { continue };
        cpu += own + ended_children(&stat, tick);
        let is_alone = number_of_threads(&stat) == 1;
        for thread in if is_alone { vec![pid] } else { threads(pid) } {
            is_ready = is_ready
                || if is_alone {
                    wants_to_run(&stat)
                } else {
                    thread_stat(pid, thread).is_some_and(|stat| wants_to_run(&stat))
                };
            let wait = read_small(&format!("/proc/{pid}/task/{thread}/schedstat"));
            let wait = wait.as_deref().and_then(wait_of);
            waits.extend(u32::try_from(thread).ok().zip(wait));
        }
    }
    let alone = match members[..] {
        [pid] if waits.len() == 1 => Some((reaper, pid)),
        _ => None,
    };
    (!waits.is_empty()).then_some((Reading { cpu, waits, is_ready }, alone))
}

/// The CPU time of the children that a process has waited for.
fn ended_children(stat: &str, tick: Duration) -> Duration {
    let ticks = stat.split_ascii_whitespace().skip(13).take(2).filter_map(|word| word.parse::<u32>().ok());
    tick.saturating_mul(ticks.sum())
}

fn number_of_threads(stat: &str) -> u32 {
    stat.split_ascii_whitespace().nth(17).and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Whether a thread runs or waits for a CPU: the system does not tell the two apart.
fn wants_to_run(stat: &str) -> bool {
    stat.split_ascii_whitespace().next() == Some("R")
}

/// Of `CPU WAIT SLICES`, in nanoseconds, the second.
fn wait_of(schedstat: &str) -> Option<Duration> {
    let nanoseconds = schedstat.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// How much CPU time this thread has used.
pub fn own_cpu() -> Duration {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

/// How long the thread that made this was ready to run and had to wait.
#[derive(Debug)]
pub struct OwnWait(File);

impl OwnWait {
    /// Of this thread; nothing where the system does not say.
    pub fn of_this_thread() -> Option<OwnWait> {
        let wait = OwnWait(File::open("/proc/thread-self/schedstat").ok()?);
        wait.read().map(|_| wait)
    }

    /// Until now.
    pub fn read(&self) -> Option<Duration> {
        let mut buffer = [0; 64];
        let count = self.0.read_at(&mut buffer, 0).ok()?;
        wait_of(std::str::from_utf8(&buffer[..count]).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::Pid;
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    #[test]
    fn the_files_of_the_kernel_are_understood() {
        let stat = " S 1 7 7 0 -1 4194560 10 20 0 0 5 6 70 30 20 0 3 0 123 0";
        assert_eq!(ended_children(stat, Duration::from_millis(10)), Duration::from_secs(1));
        assert_eq!(number_of_threads(stat), 3);
        assert!(!wants_to_run(stat) && wants_to_run(" R 1 7") && !wants_to_run(""));
        assert_eq!(wait_of("100 2000 3\n"), Some(Duration::from_micros(2)));
        assert_eq!(wait_of(""), None);
    }

    #[test]
    fn work_of_a_process_and_of_its_ended_children_is_counted() {
        let work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let bot = format!("echo; read x; {work}; sh -c '{work}'; echo; read x");
        // A shell stands in the supervisor's place.
        let mut child = Command::new("sh")
            .args(["-c", "exec 3<&0; sh -c \"$0\" <&3 & wait", &bot])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut output = child.stdout.take().expect("its output is ours");
        let mut input = child.stdin.take().expect("its input is ours");
        let mut byte = [0];
        let family = Family::below(Pid::from_child(&child), 1);
        output.read_exact(&mut byte).expect("it says that it is up");
        let before = read(&family).expect("the kernel says it").0;
        input.write_all(b"\n").expect("it reads");
        output.read_exact(&mut byte).expect("it says that it has worked");
        let pid = *family.members().first().expect("it lives");
        let itself = kernel::cpu_time(pid).expect("it lives");
        let after = read(&family).expect("the kernel says it").0;
        assert!(itself > Duration::ZERO);
        assert!(after.cpu > itself.max(before.cpu), "{:?} {itself:?} {:?}", before.cpu, after.cpu);
        assert!(after.waits.iter().any(|(thread, _)| i32::try_from(*thread) == Ok(pid)));
        drop(input);
        child.wait().expect("it ends");
        assert_eq!(read(&family), None);
    }

    #[test]
    fn a_thread_knows_how_long_it_waited() {
        let Some(wait) = OwnWait::of_this_thread() else {
            eprintln!("skipped: this kernel keeps no account of run queues (no schedstat)");
            return;
        };
        let first = wait.read().expect("the file stays");
        assert!(wait.read().expect("the file stays") >= first);
    }
}
