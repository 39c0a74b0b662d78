//! The processes around a hostile bot, and its user.

use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, getppid};

/// The environment of a hostile bot, as far as it can find it out.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    /// Its parent.
    pub supervisor: Option<Pid>,
    /// Its parent's parent, if it may know.
    pub referee: Option<Pid>,
    /// The other processes below the referee that are not above this one.
    pub others: Vec<Pid>,
    /// The user's home.
    pub home: Option<PathBuf>,
}

impl Environment {
    pub(super) fn look() -> Environment {
        let supervisor = getppid();
        let referee = supervisor.and_then(parent).filter(|pid| pid.as_raw_nonzero().get() > 1);
        let own = rustix::process::getpid();
        let others = all_processes()
            .into_iter()
            .filter(|pid| Some(*pid) != supervisor && Some(*pid) != referee && *pid != own)
            .filter(|pid| referee.is_some_and(|referee| is_below(*pid, referee)))
            .collect();
        Environment { supervisor, referee, others, home: std::env::home_dir() }
    }

    /// All processes that a bot might want to harm.
    pub(super) fn everybody(&self) -> Vec<Pid> {
        self.referee.into_iter().chain(self.supervisor).chain(self.others.iter().copied()).collect()
    }
}

/// Succeeds if the action succeeds on one of these.
pub(super) fn to_any(pids: &[Pid], action: impl Fn(Pid) -> io::Result<()>) -> io::Result<()> {
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for pid in pids {
        match action(*pid) {
            Ok(()) => return Ok(()),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

/// Every visible process.
pub(crate) fn all_processes() -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// The parent of a process.
pub(crate) fn parent(of: Pid) -> Option<Pid> {
    Pid::from_raw(stat_of(of)?.get(1)?.parse().ok()?)
}

/// The kernel's line about a process, from its state on. A name may hold any bytes.
pub(crate) fn stat_of(pid: Pid) -> Option<Vec<String>> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    Some(stat.rsplit_once(')')?.1.split_ascii_whitespace().map(str::to_owned).collect())
}

fn is_below(pid: Pid, ancestor: Pid) -> bool {
    std::iter::successors(parent(pid), |pid| parent(*pid)).take(8).any(|pid| pid == ancestor)
}
