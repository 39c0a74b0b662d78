//! Bots that interfere with other processes.

use std::io;

use rustix::fs::inotify;
use rustix::process::{DumpableBehavior, Pid, PidfdFlags, PidfdGetfdFlags};
use rustix::process::{pidfd_getfd, pidfd_open, set_dumpable_behavior};

use super::HostileBot;
use super::attempt::{Reach, portable};
use super::environment::on_any;
use super::kernel;

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "spies-on-processes",
        "Traces the referee, the supervisor and the opponent, reads their memory, and copies their file descriptors.",
        &[
            portable("trace", |environment| on_any(&environment.targets(), kernel::trace)),
            portable("read-memory", |environment| on_any(&environment.targets(), kernel::read_memory)),
            portable("take-descriptor", |environment| on_any(&environment.targets(), take_descriptor)),
            portable("compare", |environment| on_any(&environment.targets(), kernel::compare)),
            portable("hide", |_| Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)),
            portable("events", |_| watch_folder("/usr/bin")),
            portable("old-events", |_| kernel::notify(&std::fs::File::open("/usr/bin")?)),
        ],
    ),
    HostileBot::attempts(
        "signals-others",
        "Checks whether it could send signals to the referee, the supervisor and the opponent.",
        &[
            portable("referee", |environment| on_any(environment.referee.as_slice(), test_signals)),
            portable("supervisor", |environment| on_any(environment.supervisor.as_slice(), test_signals))
                .reaching(Reach::OwnSupervisor),
            portable("others", |environment| on_any(&environment.others, test_signals)),
            portable("first", |_| kernel::kill(1, 0)).reaching(Reach::OwnSupervisor),
        ],
    ),
];

/// Checks whether signals could be sent, and sends none.
fn test_signals(pid: Pid) -> io::Result<()> {
    kernel::kill(pid.as_raw_nonzero().get(), 0)
}

/// Takes a copy of another process's standard output.
fn take_descriptor(pid: Pid) -> io::Result<()> {
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    Ok(pidfd_getfd(handle, 1, PidfdGetfdFlags::empty()).map(drop)?)
}

fn watch_folder(folder: &str) -> io::Result<()> {
    let watch = inotify::init(inotify::CreateFlags::empty())?;
    Ok(inotify::add_watch(watch, folder, inotify::WatchFlags::OPEN).map(drop)?)
}
