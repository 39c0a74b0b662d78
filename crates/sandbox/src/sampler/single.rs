//! Samples of a single-threaded bot of one process, whose files a sampler keeps open.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use linesman_types::reading::Reading;
use rustix::process::{Pid, Resource, getrlimit};

use crate::cpu_clock::cpu_time;
use crate::isolation::cpu_of_stat;
use crate::procfs::{Process, SingleProcess, Stat, run_delay, text_of, thread_number};

/// Number of files that the sampler of one bot keeps open.
const FILES: u64 = 5;

/// Inverse of the share of this program's descriptors that samplers may hold: bots must still be able to start.
const SHARE: u64 = 16;

/// Number of descriptors that samplers hold.
static IN_USE: AtomicU64 = AtomicU64::new(0);

/// The right to keep the files of one bot open.
#[derive(Debug)]
struct Permit;

impl Permit {
    fn take() -> Option<Permit> {
        static MAX: OnceLock<u64> = OnceLock::new();
        let max = *MAX.get_or_init(|| getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX) / SHARE);
        let one_more = |used: u64| Some(used + FILES).filter(|used| *used <= max);
        IN_USE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok().map(|_| Permit)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        IN_USE.fetch_sub(FILES, Ordering::Relaxed);
    }
}

/// The counter for the CPU time of a bot's ended processes.
#[derive(Debug)]
enum EndedCpu {
    /// Its cgroup, which also counts the living: `cpu.stat`.
    Cgroup(File),
    /// The process that reaps them: its `stat`.
    Supervisor(File),
}

/// The files of a bot that was a single process when they were opened.
#[derive(Debug)]
pub(super) struct SingleSampler {
    process: SingleProcess,
    schedstat: File,
    ended: EndedCpu,
    _permit: Permit,
}

impl SingleSampler {
    /// Opens the files of this process below its supervisor, with the `cpu.stat` of its cgroup, if it has
    /// one. `None` if it is not a single process of one thread, or if no more files may be kept open.
    pub(super) fn open(supervisor: Pid, pid: Pid, cpu_stat: Option<&Path>) -> Option<SingleSampler> {
        let permit = Permit::take()?;
        if [supervisor, pid].iter().any(|pid| Process::of(*pid).threads() != [*pid]) {
            return None;
        }
        let process = SingleProcess::open(supervisor, pid)?;
        let open = |pid: Pid, name| File::open(Process::of(pid).path(name)).ok();
        Some(SingleSampler {
            process,
            schedstat: open(pid, "schedstat")?,
            ended: match cpu_stat {
                Some(path) => EndedCpu::Cgroup(File::open(path).ok()?),
                None => EndedCpu::Supervisor(open(supervisor, "stat")?),
            },
            _permit: permit,
        })
    }

    pub(super) fn pid(&self) -> Pid {
        self.process.pid()
    }

    /// Returns the CPU time up to now; `None` if the process is no longer the only one, or has ended.
    pub(super) fn sample(&self) -> Option<Reading> {
        let stat = self.process.stat()?;
        let mut buffer = [0; 2048];
        let wait = run_delay(text_of(&self.schedstat, &mut buffer)?)?;
        // A cgroup's count lacks the time since a running process's last tick, which the process's own clock
        // includes. For a sleeping process the cgroup's count is complete.
        let clock = || cpu_time(self.pid());
        let cpu = match &self.ended {
            EndedCpu::Cgroup(file) => {
                let of_process = if stat.is_ready() { clock()? } else { Duration::ZERO };
                cpu_of_stat(text_of(file, &mut buffer)?)?.max(of_process + stat.cpu_of_children())
            }
            EndedCpu::Supervisor(file) => {
                let supervisor = Stat::parse(text_of(file, &mut buffer)?.as_bytes())?;
                clock()? + stat.cpu_of_children() + supervisor.cpu_of_children()
            }
        };
        Some(Reading { cpu, waits: vec![(thread_number(self.pid()), wait)], is_ready: stat.is_ready() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

    /// Starts a shell as the supervisor, and one below it that executes each line that it is sent.
    fn bot() -> (Child, ChildStdin, BufReader<ChildStdout>, Pid) {
        let bot = "echo $$; while read -r line; do eval \"$line\"; echo; done";
        let mut child = Command::new("sh")
            .args(["-c", "exec 3<&0; sh -c \"$0\" <&3 3<&- & wait", bot])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let input = child.stdin.take().expect("its input is ours");
        let mut output = BufReader::new(child.stdout.take().expect("its output is ours"));
        let pid = line(&mut output).parse().expect("it says its number");
        let pid = Pid::from_raw(pid).expect("it is a number of a process");
        (child, input, output, pid)
    }

    fn line(output: &mut impl BufRead) -> String {
        let mut line = String::new();
        output.read_line(&mut line).expect("it writes");
        line.trim_end().to_owned()
    }

    #[test]
    fn only_a_bot_of_a_single_process_is_sampled() {
        let (mut child, mut input, mut output, pid) = bot();
        let mut execute = |order: &str| {
            writeln!(input, "{order}").expect("it reads");
            line(&mut output)
        };
        let Some(sampler) = SingleSampler::open(Pid::from_child(&child), pid, None) else {
            eprintln!("skipped: this kernel does not list children, or keeps no account of run queues");
            child.kill().expect("it can be killed");
            child.wait().expect("it can be waited for");
            return;
        };
        let before = sampler.sample().expect("it is alone");
        execute("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
        let after = sampler.sample().expect("it is alone");
        assert!(after.cpu > before.cpu, "{before:?} {after:?}");
        assert_eq!(after.waits.len(), 1);
        assert_eq!(after.waits[0].0, thread_number(pid));
        execute("sleep 1000 & other=$!");
        assert_eq!(sampler.sample(), None, "it has company");
        execute("kill $other; wait $other 2>&-");
        assert!(sampler.sample().is_some_and(|last| last.cpu >= after.cpu), "it is alone again");
        drop(input);
        child.wait().expect("it ends");
        assert_eq!(sampler.sample(), None, "it has ended");
    }
}
