//! The system's counters of processes: CPU time, memory, system calls.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::bot::BOT;

/// Returns the process ids of the bots with a tag.
pub fn bots_of(tag: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("there is a `/proc`").flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| {
                let mut words = line.split(|byte| *byte == 0).skip(1);
                words.next() == Some(BOT.as_bytes()) && words.next() == Some(tag.as_bytes())
            })
        })
        .collect()
}

/// Returns the CPU time used by single-threaded processes.
pub fn cpu_of(processes: &[u32]) -> Duration {
    let used = processes.iter().map(|pid| {
        let file = fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
        file.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    });
    Duration::from_nanos(used.sum())
}

/// Returns the CPU time used by this process.
pub fn process_cpu() -> Duration {
    usage(libc::RUSAGE_SELF)
}

/// Returns the CPU time of this process's children that have been waited for.
pub fn ended_cpu() -> Duration {
    usage(libc::RUSAGE_CHILDREN)
}

#[expect(unsafe_code, reason = "this call has no safe wrapper")]
fn usage(who: libc::c_int) -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the out pointer lives through the call, and zeros are a valid rusage.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let duration = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1_000);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// Returns a value from `/proc/PID/status`, in KiB.
pub fn status_kib(process: u32, name: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// The time given to the counting program to attach itself.
const TO_ATTACH: Duration = Duration::from_millis(500);

/// Counts the system calls of this process's threads (not of its bots) with `perf`, or
/// with the much slower `strace` if `perf` is not usable.
pub struct SystemCalls {
    pub program: &'static str,
}

impl SystemCalls {
    /// Returns the first counting program that works here, if any.
    pub fn find() -> Option<SystemCalls> {
        ["perf", "strace"].into_iter().map(|program| SystemCalls { program }).find(|counter| {
            let proof = || std::thread::sleep(Duration::from_millis(1));
            counter.during(proof).is_some_and(|(calls, ())| calls > 0)
        })
    }

    /// Returns the number of system calls made while `work` runs, and the result of `work`.
    /// Counting starts a little earlier, so nothing else may run at that time.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> Option<(u64, T)> {
        let file = std::env::temp_dir().join(format!("linesman-calls-{}", std::process::id()));
        let mut counter = self.start(&file).ok()?;
        std::thread::sleep(TO_ATTACH);
        let result = work();
        let ended = stop(&mut counter);
        let text = fs::read_to_string(&file).unwrap_or_default();
        // The file may not exist.
        let _ = fs::remove_file(&file);
        ended.ok()?;
        Some((self.total(&text)?, result))
    }

    fn start(&self, file: &Path) -> io::Result<Child> {
        let own = std::process::id().to_string();
        let mut command = Command::new(self.program);
        match self.program {
            "perf" => command.args(["stat", "-x,", "-e", "raw_syscalls:sys_enter", "-p", &own, "-o"]),
            _ => command.args(["-f", "-c", "-p", &own, "-o"]),
        };
        command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    }

    fn total(&self, text: &str) -> Option<u64> {
        match self.program {
            "perf" => {
                let line = text.lines().find(|line| line.contains("sys_enter"))?;
                line.split(',').next()?.parse().ok()
            }
            _ => {
                let line = text.lines().find(|line| line.ends_with(" total"))?;
                line.split_ascii_whitespace().nth(3)?.parse().ok()
            }
        }
    }
}

#[expect(unsafe_code, reason = "the standard library can't send signals")]
fn stop(counter: &mut Child) -> io::Result<()> {
    let pid = libc::pid_t::try_from(counter.id()).map_err(io::Error::other)?;
    // SAFETY: it is our child and was not waited for, so the process id is still its own.
    unsafe { libc::kill(pid, libc::SIGINT) };
    counter.wait().map(drop)
}
