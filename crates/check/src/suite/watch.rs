//! Plays a league in another process, and watches it until it and everything that it started have ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, waitpid};

use super::{StopRequest, SuitePlan};
use linesman_sandbox::isolation::{Sandbox, leaves_of};
use linesman_sandbox::procfs::{self, Process};

/// The time in which a league that is asked to stop, and the processes that outlive a league, must end.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// The interval between samples, which fits several times into the shortest game.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(10);
/// Maximum number of bytes that are kept of a league's stderr.
const MAX_STDERR: u64 = 64 << 10;

/// The course of a league, as seen from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Watched {
    /// The exit status; `None` if the league had to be killed.
    pub status: Option<ExitStatus>,
    /// The beginning of stderr.
    pub stderr: String,
    /// Peak memory of the referee in KiB, see [`peak_kib_of`].
    pub peak_kib: u64,
    /// Number of samples in the last game, by the number of open descriptors.
    descriptors: BTreeMap<usize, u32>,
    /// Maximum number of open descriptors in a sample.
    pub max_descriptors: usize,
    /// Processes and cgroups that outlived the league for too long.
    pub leftovers: Vec<String>,
}

/// The path of a league's records, relative to its folder.
pub(super) const RECORDS: &str = "run/games.jsonl";

/// The number of games of a league.
pub(super) const GAMES: usize = 4;

impl Watched {
    /// The minimum number of open descriptors in the last game, which includes all that leaked.
    pub(super) fn fewest_descriptors(&self) -> Option<usize> {
        self.descriptors.keys().next().copied()
    }

    /// The most frequent number of open descriptors in the last game.
    pub(super) fn usual_descriptors(&self) -> Option<usize> {
        self.descriptors.iter().max_by_key(|(_, times)| **times).map(|(open, _)| *open)
    }
}

/// The process ids of the leagues that this program started. Its other children are processes that leagues lost.
static LEAGUES: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn with_leagues<T>(action: impl FnOnce(&mut BTreeSet<u32>) -> T) -> T {
    action(&mut LEAGUES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Plays the league in a folder, and ends it with everything that it started after `limit` or when the suite is asked
/// to stop.
pub(super) fn play(
    plan: &SuitePlan,
    folder: &Path,
    setting: Sandbox,
    limit: Duration,
) -> io::Result<Watched> {
    plan.stop.check()?;
    let mut command = Command::new(&plan.binary);
    command
        .args(["league", "run", "tournament.toml", "--out", "run", "--keep-going", "--progress", "none"])
        .args(["--sandbox", setting.word()])
        .current_dir(folder)
        .env("TMPDIR", folder.join("temporary"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    // Started under the lock, so that no thread takes it for a process that a league lost.
    let mut child = with_leagues(|leagues| -> io::Result<Child> {
        let child = command.spawn()?;
        leagues.insert(child.id());
        Ok(child)
    })?;
    let stderr = child.stderr.take().map(|stderr| {
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            let mut stderr = stderr.take(MAX_STDERR);
            let _ = stderr.read_to_end(&mut kept);
            // The rest is read so that the league never waits for room in the pipe.
            let _ = io::copy(&mut stderr.into_inner(), &mut io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        })
    });
    let watched = watch(&mut child, folder, limit, &plan.stop);
    with_leagues(|leagues| leagues.remove(&child.id()));
    let mut watched = watched?;
    watched.stderr = stderr.and_then(|reader| reader.join().ok()).unwrap_or_default();
    plan.stop.check()?;
    Ok(watched)
}

fn watch(child: &mut Child, folder: &Path, limit: Duration, stop: &StopRequest) -> io::Result<Watched> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    let mut watched = Watched::default();
    let start = now();
    while start.elapsed() < limit && stop.asked() == 0 {
        if let Some(open) = Process::of(pid).open_descriptors() {
            watched.max_descriptors = watched.max_descriptors.max(open);
            if games_in(&folder.join(RECORDS)) + 1 == GAMES {
                *watched.descriptors.entry(open).or_default() += 1;
            }
        }
        watched.peak_kib = watched.peak_kib.max(peak_kib_of(child.id()));
        if ends_within(&handle, SAMPLE_INTERVAL)? {
            watched.status = Some(child.wait()?);
            break;
        }
    }
    if watched.status.is_none() && stop.asked() > 0 && ends_when_asked(pid, &handle, stop)? {
        watched.status = Some(child.wait()?);
    }
    if watched.status.is_none() {
        // The supervisors end their bots once the league is gone.
        child.kill()?;
        child.wait()?;
    }
    watched.leftovers = end_leftovers(child.id());
    Ok(watched)
}

/// Asks a league to stop. Returns true if it ends in time and before the suite is asked again.
fn ends_when_asked(pid: Pid, league: &OwnedFd, stop: &StopRequest) -> io::Result<bool> {
    kill_process(pid, Signal::TERM)?;
    let start = now();
    while start.elapsed() < EXIT_TIMEOUT && stop.asked() == 1 {
        if ends_within(league, SAMPLE_INTERVAL)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Counts the records; returns 0 for a file that is too large for a league of a few games.
fn games_in(records: &Path) -> usize {
    if fs::metadata(records).map_or(0, |metadata| metadata.len()) > 1 << 20 {
        return 0;
    }
    fs::read(records).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
}

fn ends_within(handle: &OwnedFd, time: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&time)) {
        // The signal that asks the suite to stop may be delivered to this thread.
        Err(Errno::INTR) => Ok(false),
        ended => Ok(ended? > 0),
    }
}

/// Peak memory of a process in KiB without pages of files, since the number of a program's resident pages depends on
/// its build. 0 if the process is gone. The result is too low by the pages of files that became resident after the
/// peak.
pub fn peak_kib_of(pid: u32) -> u64 {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.and_then(|pid| Process::of(pid).peak_without_files()).map_or(0, |bytes| bytes >> 10)
}

/// Waits until no processes and cgroups of a league are left. Kills the processes that stay too long, and returns the
/// names of all that stayed.
fn end_leftovers(league: u32) -> Vec<String> {
    let (mut processes, mut leaves) = (Vec::new(), Vec::new());
    let are_gone = becomes_true_within(EXIT_TIMEOUT, || {
        (processes, leaves) = (processes_of(league), leaves_of(league));
        processes.is_empty() && leaves.is_empty()
    });
    if are_gone {
        return Vec::new();
    }
    let leaves = leaves.iter().map(|leaf| format!("the cgroup `{}`", leaf.display()));
    let names = processes.iter().map(|pid| name_of(*pid)).chain(leaves).collect();
    for pid in processes {
        let _ = kill_process(pid, Signal::KILL);
    }
    names
}

/// Samples a condition until it is true. Returns false if it was never true within a time, and within the number of
/// samples that usually fit into it: on a host that is too busy for samples, processes are slow to end, too.
pub(super) fn becomes_true_within(time: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let start = now();
    let min_samples = time.as_millis() / SAMPLE_INTERVAL.as_millis();
    for sample in 0.. {
        let is_last = start.elapsed() >= time && sample >= min_samples;
        if condition() {
            return true;
        }
        if is_last {
            break;
        }
        let _ = poll(&mut [], Timespec::try_from(SAMPLE_INTERVAL).ok().as_ref());
    }
    false
}

/// Finds every process whose environment marks it as a bot of this league, and every process that a league lost.
fn processes_of(league: u32) -> Vec<Pid> {
    let token = format!("{league}.");
    let this_process = Some(getpid());
    with_leagues(|leagues| {
        let mut found = Vec::new();
        for pid in procfs::processes() {
            let process = Process::of(pid);
            let is_marked =
                process.has_variable("LINESMAN_SLOT", |value| value.starts_with(token.as_bytes()));
            let number = pid.as_raw_nonzero().get().cast_unsigned();
            let parent = process.stat().and_then(|stat| stat.parent);
            let is_lost = parent == this_process && !leagues.contains(&number);
            // Lost processes that have ended are reaped.
            let has_ended = is_lost && matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)));
            if (is_marked || is_lost) && !has_ended && process.stat().is_some_and(|stat| !stat.has_ended()) {
                found.push(pid);
            }
        }
        found
    })
}

fn name_of(pid: Pid) -> String {
    format!("{pid} {}", Process::of(pid).command_line().trim())
}

#[expect(clippy::disallowed_methods, reason = "only a clock can end what hangs")]
fn now() -> Instant {
    Instant::now()
}
