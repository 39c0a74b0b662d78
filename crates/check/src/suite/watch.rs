//! A league, watched from outside until it and all that it started have ended.

use std::collections::{BTreeMap, HashSet};
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
use crate::hostile::environment;
use linesman_sandbox::isolation::{Sandbox, leaves_of};

/// The time for which its processes may outlive it.
const TO_VANISH: Duration = Duration::from_secs(2);
/// The interval between samples: several in the shortest game.
const LOOK: Duration = Duration::from_millis(10);
/// The number of bytes kept of its stderr.
const SAID: u64 = 64 << 10;

/// Measurements of a league.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Watched {
    /// Its exit status; `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    /// Its stderr.
    pub said: String,
    /// Peak memory of its process in KiB, see [`peak_kib_of`].
    pub peak_kib: u64,
    /// The number of samples with each number of descriptors while the last game was played.
    descriptors: BTreeMap<usize, u32>,
    /// Maximum number of descriptors seen.
    pub most_descriptors: usize,
    /// Processes that outlived it for too long.
    pub left: Vec<String>,
}

/// The path of a league's records, below its folder.
pub(super) const RECORDS: &str = "run/games.jsonl";

/// The number of games of a league.
pub(super) const GAMES: usize = 4;

impl Watched {
    /// The fewest descriptors that it had open in its last game: what leaked stays.
    pub(super) fn fewest_descriptors(&self) -> Option<usize> {
        self.descriptors.keys().next().copied()
    }

    /// The descriptors that it had open for most of its last game.
    pub(super) fn usual_descriptors(&self) -> Option<usize> {
        self.descriptors.iter().max_by_key(|(_, times)| **times).map(|(open, _)| *open)
    }
}

/// Our own children, so that processes that a league lost can be told from them.
static OURS: Mutex<Option<HashSet<u32>>> = Mutex::new(None);

fn with_ours<T>(look: impl FnOnce(&mut HashSet<u32>) -> T) -> T {
    look(OURS.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(HashSet::new))
}

/// Plays a folder's league for at most this time. A league that is to stop is ended with all that it started.
pub(super) fn play(plan: &SuitePlan, folder: &Path, layer: Sandbox, most: Duration) -> io::Result<Watched> {
    plan.stop.go_on()?;
    let mut command = Command::new(&plan.binary);
    command
        .args(["league", "run", "tournament.toml", "--out", "run", "--keep-going", "--progress", "none"])
        .args(sandbox_arguments(layer))
        .current_dir(folder)
        .env("TMPDIR", folder.join("temporary"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    // Under the lock, so that no thread takes it for a process that a league lost.
    let mut child = with_ours(|ours| -> io::Result<Child> {
        let child = command.spawn()?;
        ours.insert(child.id());
        Ok(child)
    })?;
    let stderr = child.stderr.take().map(|stderr| {
        std::thread::spawn(move || {
            let mut said = Vec::new();
            let mut stderr = stderr.take(SAID);
            let _ = stderr.read_to_end(&mut said);
            // The league must not wait for room in its stderr.
            let _ = io::copy(&mut stderr.into_inner(), &mut io::sink());
            String::from_utf8_lossy(&said).into_owned()
        })
    });
    let watched = watch(&mut child, folder, most, &plan.stop);
    with_ours(|ours| ours.remove(&child.id()));
    let mut watched = watched?;
    watched.said = stderr.and_then(|reader| reader.join().ok()).unwrap_or_default();
    plan.stop.go_on()?;
    Ok(watched)
}

/// The arguments that ask for a layer.
fn sandbox_arguments(layer: Sandbox) -> [&'static str; 2] {
    ["--sandbox", layer.word()]
}

fn watch(child: &mut Child, folder: &Path, most: Duration, stop: &StopRequest) -> io::Result<Watched> {
    let process = format!("/proc/{}", child.id());
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    let mut watched = Watched {
        status: None,
        said: String::new(),
        peak_kib: 0,
        descriptors: BTreeMap::new(),
        most_descriptors: 0,
        left: Vec::new(),
    };
    let start = now();
    while start.elapsed() < most && stop.asked() == 0 {
        if let Ok(open) = fs::read_dir(format!("{process}/fd")) {
            let open = open.count();
            watched.most_descriptors = watched.most_descriptors.max(open);
            if games_in(&folder.join(RECORDS)) + 1 == GAMES {
                *watched.descriptors.entry(open).or_default() += 1;
            }
        }
        watched.peak_kib = watched.peak_kib.max(peak_kib_of(child.id()));
        if ends_within(&handle, LOOK)? {
            watched.status = Some(child.wait()?);
            break;
        }
    }
    if watched.status.is_none() && stop.asked() > 0 && ends_when_asked(pid, &handle, stop)? {
        watched.status = Some(child.wait()?);
    }
    if watched.status.is_none() {
        // The supervisors end their bots when it is gone.
        child.kill()?;
        child.wait()?;
    }
    watched.left = left_of(child.id());
    Ok(watched)
}

/// Asks a league to end. Returns true if it does so in time and before a second request.
fn ends_when_asked(pid: Pid, league: &OwnedFd, stop: &StopRequest) -> io::Result<bool> {
    kill_process(pid, Signal::TERM)?;
    let start = now();
    while start.elapsed() < TO_VANISH && stop.asked() == 1 {
        if ends_within(league, LOOK)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The number of records; 0 for a file that is too large for a league of a few games.
fn games_in(records: &Path) -> usize {
    if fs::metadata(records).map_or(0, |metadata| metadata.len()) > 1 << 20 {
        return 0;
    }
    fs::read(records).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
}

fn ends_within(handle: &OwnedFd, time: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(time).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&time)) {
        // The signal that asks for the end may come to this very thread.
        Err(Errno::INTR) => Ok(false),
        ended => Ok(ended? > 0),
    }
}

/// Peak memory of a process in KiB, without pages of files: how many of a program are resident depends on its
/// build. 0 if the process is gone. Too low by the pages of files that became resident after the peak.
pub fn peak_kib_of(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kib = |key: &str| -> Option<u64> {
        let rest = status.lines().find_map(|line| line.strip_prefix(key))?;
        rest.split_ascii_whitespace().next()?.parse().ok()
    };
    kib("VmHWM:").zip(kib("RssFile:")).map_or(0, |(peak, files)| peak.saturating_sub(files))
}

/// Waits until nothing is left of a league, cgroups included; what stays too long is named and killed.
fn left_of(league: u32) -> Vec<String> {
    let (mut left, mut leaves) = (Vec::new(), Vec::new());
    let are_gone = holds_within(TO_VANISH, || {
        (left, leaves) = (processes_of(league), leaves_of(league));
        left.is_empty() && leaves.is_empty()
    });
    if are_gone {
        return Vec::new();
    }
    let leaves = leaves.iter().map(|leaf| format!("the cgroup `{}`", leaf.display()));
    let named = left.iter().map(|pid| name_of(*pid)).chain(leaves).collect();
    for pid in left {
        let _ = kill_process(pid, Signal::KILL);
    }
    named
}

/// True if something holds at some moment within a time. The time that this process had to wait for a core
/// does not count: on a host that is too busy to look, processes that end by themselves are too busy to end.
pub(super) fn holds_within(time: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let start = now();
    let at_least = time.as_millis() / LOOK.as_millis();
    for look in 0.. {
        let is_last = start.elapsed() >= time && look >= at_least;
        if holds() {
            return true;
        }
        if is_last {
            break;
        }
        let _ = poll(&mut [], Timespec::try_from(LOOK).ok().as_ref());
    }
    false
}

/// Every process whose environment has a bot's token of this league, and every
/// one that a league lost.
fn processes_of(league: u32) -> Vec<Pid> {
    let token = format!("LINESMAN_SLOT={league}.");
    let own = Some(getpid());
    with_ours(|ours| {
        let mut found = Vec::new();
        for pid in environment::all_processes() {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let marked =
                environment.split(|byte| *byte == 0).any(|entry| entry.starts_with(token.as_bytes()));
            let number = pid.as_raw_nonzero().get().cast_unsigned();
            let fell_to_us = environment::parent(pid) == own && !ours.contains(&number);
            // Children that have ended are reaped.
            let ended = fell_to_us && matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)));
            if (marked || fell_to_us) && !ended && !is_dead(pid) {
                found.push(pid);
            }
        }
        found
    })
}

fn is_dead(pid: Pid) -> bool {
    let stat = environment::stat_of(pid);
    stat.is_none_or(|stat| stat.first().is_none_or(|state| state == "Z" || state == "X"))
}

fn name_of(pid: Pid) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    format!("{pid} {}", String::from_utf8_lossy(&line).replace('\0', " ").trim())
}

#[expect(clippy::disallowed_methods, reason = "only a clock can end what hangs")]
fn now() -> Instant {
    Instant::now()
}
