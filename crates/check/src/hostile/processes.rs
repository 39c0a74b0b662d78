//! Bots that meddle with other processes.

use std::io;

use rustix::fs::inotify;
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, PidfdGetfdFlags};
use rustix::process::{pidfd_getfd, pidfd_open, set_dumpable_behavior};

use super::HostileBot;
use super::attempt::{Reach, portable};
use super::environment::to_any;
use super::kernel;

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "spies-on-processes",
        "Traces the referee, the supervisor and the opponent, and reads and copies from them.",
        &[
            portable("trace", |around| to_any(&around.everybody(), kernel::trace)),
            portable("read-memory", |around| to_any(&around.everybody(), kernel::read_memory)),
            portable("take-descriptor", |around| to_any(&around.everybody(), take_descriptor)),
            portable("compare", |around| to_any(&around.everybody(), kernel::compare)),
            portable("hide", |_| Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)),
            portable("events", |_| watch_folder("/usr/bin")),
            portable("old-events", |_| kernel::notify(&std::fs::File::open("/usr/bin")?)),
        ],
    ),
    HostileBot::attempts(
        "signals-others",
        "Checks whether it could send signals to the referee, the supervisor and the opponent.",
        &[
            portable("referee", |around| {
                to_any(around.referee.as_slice(), |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            }),
            portable("supervisor", |around| {
                to_any(around.supervisor.as_slice(), |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            })
            .reaching(Reach::OwnSupervisor),
            portable("others", |around| {
                to_any(&around.others, |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            }),
            portable("first", |_| kernel::kill(1, 0)).reaching(Reach::OwnSupervisor),
        ],
    ),
];

/// Takes a copy of another process's standard output.
fn take_descriptor(pid: Pid) -> io::Result<()> {
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    Ok(pidfd_getfd(handle, 1, PidfdGetfdFlags::empty()).map(drop)?)
}

/// Watches a folder for events.
fn watch_folder(folder: &str) -> io::Result<()> {
    let watch = inotify::init(inotify::CreateFlags::empty())?;
    Ok(inotify::add_watch(watch, folder, inotify::WatchFlags::OPEN).map(drop)?)
}
