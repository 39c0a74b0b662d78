//! Bots that look for things that they inherited, and raise their limits.

use std::fs;
use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::attempt::{always, portable};
use super::environment::Environment;
use super::harness::{Harness, Request};
use super::kernel;
use super::{ExpectedEnding, HostileBot, Sandbox};

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
    HostileBot {
        litter: Some((Sandbox::Portable, "core")),
        ..HostileBot::program(
            "dumps-core",
            "Removes the limit on core dumps and aborts.",
            &[ExpectedEnding::Dies(libc::SIGABRT)],
            dump_core,
        )
    },
    HostileBot::attempts(
        "raises-limits",
        "Removes its own limits.",
        &[
            portable("core", |_| lift(Resource::Core)),
            portable("files", |_| lift(Resource::Nofile)),
            portable("file-size", |_| lift(Resource::Fsize)),
            portable("data", |_| lift(Resource::Data)),
            portable("locked-memory", |_| lift(Resource::Memlock)),
        ],
    ),
];

fn more_descriptors(_: &Environment) -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.count();
    // Three streams, the harness's copies of two of them, and the descriptor that lists.
    if open > 6 { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

const EXPECTED_VARIABLES: &[&str] = &[
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
    let is_known = |name: &str| EXPECTED_VARIABLES.contains(&name) || name.starts_with("HOSTILE_");
    let more = std::env::vars_os().any(|(name, _)| name.to_str().is_none_or(|name| !is_known(name)));
    if more { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}

fn dump_core(harness: &mut Harness) -> io::Result<u8> {
    if harness.until(Request::Go)? {
        // Whether or not this is refused, the suite looks for a core file afterwards.
        let _ = lift(Resource::Core);
        kernel::die_by(libc::SIGABRT);
    }
    Ok(0)
}

fn lift(resource: Resource) -> io::Result<()> {
    // Not even root may remove the limit on open files.
    let limit = if resource == Resource::Nofile { Some(1 << 19) } else { None };
    Ok(setrlimit(resource, Rlimit { current: limit, maximum: limit })?)
}
