//! Files of the kernel about a bot of one process with one thread, kept open.
//!
//! Opening a file of `/proc` costs several times what reading it does. An open
//! one says what it says of the process that it was opened for, and nothing
//! after its end, whoever has its number then.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Resource, getrlimit};

use super::{Reading, ended_children, kernel, number_of_threads, wait_of, wants_to_run};
use crate::family::{after_name, is_just, text, threads};

/// How many files are kept of a bot.
const FILES: u64 = 5;

/// One in so many of the descriptors that this program may have is for kept
/// files, so that bots can still be started.
const SHARE: u64 = 16;

/// How many descriptors are in use for kept files.
static IN_USE: AtomicU64 = AtomicU64::new(0);

/// The right to keep the files of one bot.
#[derive(Debug)]
struct Permit;

impl Permit {
    fn take() -> Option<Permit> {
        static MOST: OnceLock<u64> = OnceLock::new();
        let most = *MOST.get_or_init(|| getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX) / SHARE);
        let one_more = |used: u64| Some(used + FILES).filter(|used| *used <= most);
        IN_USE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).ok().map(|_| Permit)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        IN_USE.fetch_sub(FILES, Ordering::Relaxed);
    }
}

/// Who counts what processes of a bot used that have ended.
#[derive(Debug)]
enum Ended {
    /// Its cgroup, which counts the living as well: `cpu.stat`.
    Cgroup(File),
    /// The process that they fall to and that waits for them: its `stat`.
    Reaper(File),
}

/// The files about a bot that was alone when they were opened.
#[derive(Debug)]
pub(super) struct Kept {
    pid: i32,
    /// The children of the last of our processes.
    siblings: File,
    stat: File,
    children: File,
    schedstat: File,
    ended: Ended,
    _permit: Permit,
}

impl Kept {
    /// Of this process, below the last one of ours; with the `cpu.stat` of its
    /// cgroup, if it has one. Nothing if it has company, or may keep no files.
    pub(super) fn open(reaper: i32, pid: i32, cpu_stat: Option<&Path>) -> Option<Kept> {
        let permit = Permit::take()?;
        // Who has several threads has lists of children for each.
        if threads(reaper) != [reaper] || threads(pid) != [pid] {
            return None;
        }
        let open = |path: String| File::open(path).ok();
        Some(Kept {
            pid,
            siblings: open(format!("/proc/{reaper}/task/{reaper}/children"))?,
            stat: open(format!("/proc/{pid}/stat"))?,
            children: open(format!("/proc/{pid}/task/{pid}/children"))?,
            schedstat: open(format!("/proc/{pid}/schedstat"))?,
            ended: match cpu_stat {
                Some(path) => Ended::Cgroup(File::open(path).ok()?),
                None => Ended::Reaper(open(format!("/proc/{reaper}/stat"))?),
            },
            _permit: permit,
        })
    }

    /// The process that they are about.
    pub(super) fn pid(&self) -> i32 {
        self.pid
    }

    /// What it has used until now; nothing if it is not alone any more, or has ended.
    pub(super) fn read(&self) -> Option<Reading> {
        let mut buffer = [0; 2048];
        if !is_just(text(&self.siblings, &mut buffer)?, self.pid) {
            return None;
        }
        if !text(&self.children, &mut buffer)?.trim_ascii().is_empty() {
            return None;
        }
        let stat = after_name(text(&self.stat, &mut buffer)?.as_bytes())?;
        if number_of_threads(stat) != 1 {
            return None;
        }
        let is_ready = wants_to_run(stat);
        let own_ended = ended_children(stat, kernel::tick());
        let wait = wait_of(text(&self.schedstat, &mut buffer)?)?;
        // A cgroup's count lacks what a process has run since it was last looked
        // at, and the look at its clock mends that; one that sleeps has its all there.
        let clock = || kernel::cpu_time(self.pid);
        let cpu = match &self.ended {
            Ended::Cgroup(file) => {
                let of_process = if is_ready { clock()? } else { Duration::ZERO };
                cpu_of_stat(text(file, &mut buffer)?)?.max(of_process + own_ended)
            }
            Ended::Reaper(file) => {
                let of_reaper = text(file, &mut buffer)?;
                clock()? + own_ended + ended_children(after_name(of_reaper.as_bytes())?, kernel::tick())
            }
        };
        let thread = u32::try_from(self.pid).ok()?;
        Some(Reading { cpu, waits: vec![(thread, wait)], is_ready })
    }
}

/// Of the `cpu.stat` of a cgroup, what all that is and was in it has used.
pub(crate) fn cpu_of_stat(text: &str) -> Option<Duration> {
    let line = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
    line.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

    /// A shell in the supervisor's place, and one below it that does each line that it is told.
    fn family() -> (Child, ChildStdin, BufReader<ChildStdout>, i32) {
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
        (child, input, output, pid)
    }

    fn line(output: &mut impl BufRead) -> String {
        let mut line = String::new();
        output.read_line(&mut line).expect("it writes");
        line.trim_end().to_owned()
    }

    #[test]
    fn kept_files_tell_of_a_bot_that_is_alone_and_of_no_other() {
        let (mut child, mut input, mut output, pid) = family();
        let mut told = |order: &str| {
            writeln!(input, "{order}").expect("it reads");
            line(&mut output)
        };
        let reaper = i32::try_from(child.id()).expect("it is a number of a process");
        let Some(kept) = Kept::open(reaper, pid, None) else {
            eprintln!("skipped: this kernel does not list children, or keeps no account of run queues");
            child.kill().expect("it can be killed");
            child.wait().expect("it can be waited for");
            return;
        };
        let before = kept.read().expect("it is alone");
        told("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done");
        let after = kept.read().expect("it is alone");
        assert!(after.cpu > before.cpu, "{before:?} {after:?}");
        assert_eq!(after.waits.len(), 1);
        assert_eq!(i32::try_from(after.waits[0].0), Ok(pid));
        told("sleep 1000 & other=$!");
        assert_eq!(kept.read(), None, "it has company");
        told("kill $other; wait $other 2>&-");
        assert!(kept.read().is_some_and(|last| last.cpu >= after.cpu), "it is alone again");
        drop(input);
        child.wait().expect("it ends");
        assert_eq!(kept.read(), None, "it has ended");
    }

    #[test]
    fn counts_are_understood() {
        assert_eq!(cpu_of_stat("usage_usec 1500\nuser_usec 3\n"), Some(Duration::from_micros(1500)));
        assert_eq!(cpu_of_stat("user_usec 3\n"), None);
    }
}
