//! The processes around a hostile bot, and the home folder of its user.

use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, getppid};

/// The environment of a hostile bot, as far as the bot can find it out.
#[derive(Clone, Debug)]
pub(super) struct Environment {
    /// The bot's parent.
    pub supervisor: Option<Pid>,
    /// The parent of the bot's parent, if it is visible.
    pub referee: Option<Pid>,
    /// The other descendants of the referee.
    pub others: Vec<Pid>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

impl Environment {
    pub(super) fn find() -> Environment {
        let supervisor = getppid();
        let referee = supervisor.and_then(parent).filter(|pid| pid.as_raw_nonzero().get() > 1);
        let this = rustix::process::getpid();
        let others = all_processes()
            .into_iter()
            .filter(|pid| Some(*pid) != supervisor && Some(*pid) != referee && *pid != this)
            .filter(|pid| referee.is_some_and(|referee| is_below(*pid, referee)))
            .collect();
        Environment { supervisor, referee, others, home: std::env::home_dir() }
    }

    /// All processes that the bot might want to harm.
    pub(super) fn targets(&self) -> Vec<Pid> {
        self.referee.into_iter().chain(self.supervisor).chain(self.others.iter().copied()).collect()
    }
}

/// Performs an action on these processes until it succeeds on one. Returns the last error if it never does.
pub(super) fn on_any(pids: &[Pid], action: impl Fn(Pid) -> io::Result<()>) -> io::Result<()> {
    let refused = Err(io::ErrorKind::NotFound.into());
    pids.iter().fold(refused, |tried, pid| tried.or_else(|_| action(*pid)))
}

/// Lists all visible processes.
pub(super) fn all_processes() -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn parent(of: Pid) -> Option<Pid> {
    Pid::from_raw(stat_of(of)?.get(1)?.parse().ok()?)
}

/// Reads the fields of `/proc/PID/stat` from the state on. The name before them may contain any bytes.
fn stat_of(pid: Pid) -> Option<Vec<String>> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    Some(stat.rsplit_once(')')?.1.split_ascii_whitespace().map(str::to_owned).collect())
}

fn is_below(pid: Pid, ancestor: Pid) -> bool {
    std::iter::successors(parent(pid), |pid| parent(*pid)).take(8).any(|pid| pid == ancestor)
}
