//! Bots that look around: what they inherit, and what is near.

use std::fs;
use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, getppid};

use super::attempt::{always, portable};
use super::harness::{Harness, Request};
use super::kernel::{self, Resource};
use super::{ExpectedEnding, HostileBot, Layer};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "lists-descriptors",
        "Looks for open file descriptors other than its three streams.",
        &[always("more-descriptors", more_descriptors)],
    ),
    HostileBot::attempts(
        "dumps-environment",
        "Looks for environment variables that are not meant for it.",
        &[always("more-variables", more_variables)],
    ),
    HostileBot::program(
        "dumps-core",
        "Removes the limit on core dumps and aborts.",
        &[ExpectedEnding::Dies(libc::SIGABRT)],
        dump_core,
    )
    .leaving_below(Layer::Portable, "core"),
    HostileBot::attempts(
        "raises-limits",
        "Removes its own limits.",
        &[
            portable("core", |_| kernel::lift(Resource::Core)),
            portable("files", |_| kernel::lift(Resource::Files)),
            portable("file-size", |_| kernel::lift(Resource::FileSize)),
            portable("data", |_| kernel::lift(Resource::Data)),
            portable("locked-memory", |_| kernel::lift(Resource::Locked)),
        ],
    ),
];

/// The environment of a hostile bot, as it can find it out.
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

    /// Everybody that a bot might want to harm.
    pub(super) fn everybody(&self) -> Vec<Pid> {
        self.referee.into_iter().chain(self.supervisor).chain(self.others.iter().copied()).collect()
    }
}

/// Succeeds if something could be done to one of these.
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

/// Every process that can be seen.
pub(super) fn all_processes() -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn parent(of: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", of.as_raw_nonzero())).ok()?;
    Pid::from_raw(stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()?)
}

fn is_below(pid: Pid, ancestor: Pid) -> bool {
    std::iter::successors(parent(pid), |pid| parent(*pid)).take(8).any(|pid| pid == ancestor)
}

fn more_descriptors(_: &Environment) -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.count();
    // Its two copies of its streams are its own, and so is the one that lists.
    if open > 6 { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

const MEANT_FOR_IT: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "PYTHONUNBUFFERED",
    "PYTHONUSERBASE",
    "DOTNET_EnableDiagnostics",
    "DOTNET_EnableWriteXorExecute",
    "LINESMAN_SLOT",
];

fn more_variables(_: &Environment) -> io::Result<()> {
    let is_known = |name: &str| MEANT_FOR_IT.contains(&name) || name.starts_with("HOSTILE_");
    let more = std::env::vars_os().any(|(name, _)| name.to_str().is_none_or(|name| !is_known(name)));
    if more { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

fn dump_core(harness: &mut Harness) -> io::Result<u8> {
    if harness.until(Request::Go)? {
        // Refused or not: what counts is whether there is a file afterwards.
        let _ = kernel::lift(Resource::Core);
        kernel::die_by(libc::SIGABRT);
    }
    Ok(0)
}
