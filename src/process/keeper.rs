//! The thread that starts, hears and ends all bots. It lives as long as the
//! program: the supervisors ask to be told of the death of the thread that
//! started them. Threads that play games have nothing to do with what happens
//! beside a game, so they may block.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open};
use tokio::runtime::{Builder, Handle};

use super::cage::Orders;
use super::command::Command;
use super::isolation::Belongings;
use super::report::{StartError, Step};
use super::tree;

/// How often a supervisor that was told to end is looked after.
const LOOK_AFTER: Duration = Duration::from_millis(20);

/// The runtime of the thread, to spawn on.
///
/// # Errors
/// The system refuses a thread or what a runtime needs.
pub(super) fn keeper() -> Result<&'static Handle, StartError> {
    static KEEPER: OnceLock<Result<Handle, String>> = OnceLock::new();
    let keeper = KEEPER.get_or_init(|| hire().map_err(|error| error.to_string()));
    keeper.as_ref().map_err(|error| StartError::Host { step: Step::Launch, error: error.clone() })
}

fn hire() -> io::Result<Handle> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new().name("keeper".to_owned()).spawn(move || {
        // Whoever asked first may be bound to a CPU; the program as a whole is not.
        tree::unpin_this_thread();
        runtime.block_on(std::future::pending::<()>());
    })?;
    Ok(handle)
}

/// A supervisor that was started, and our ends of its and its bot's pipes.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) supervisor: Supervisor,
    /// Readable when the supervisor has ended.
    pub(super) pidfd: OwnedFd,
    pub(super) report: OwnedFd,
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    /// What it was lent.
    pub(super) belongings: Belongings,
}

/// A bot's supervisor, until it is out of the process table. Dropping it asks
/// it to end.
#[derive(Debug)]
pub(super) struct Supervisor {
    pid: Pid,
    child: Option<Child>,
}

impl Supervisor {
    /// Its process, which keeps its number until it is buried.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether it was taken out of the process table.
    pub(super) fn is_buried(&self) -> bool {
        self.child.is_none()
    }

    /// Asks it to sweep and to end.
    pub(super) fn ask_to_end(&self) {
        if self.child.is_some() {
            let _ = kill_process(self.pid, Signal::TERM);
            // A bot may have stopped its parent.
            let _ = kill_process(self.pid, Signal::CONT);
        }
    }

    /// Takes it out of the process table, now or when it has ended; what was
    /// lent to its bot is given back then.
    pub(super) fn bury(&mut self, mut belongings: Belongings) {
        let is_over = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
        if let Some(mut child) = self.child.take()
            && !is_over(&mut child)
            && let Ok(keeper) = keeper()
        {
            keeper.spawn(async move {
                let mut again = tokio::time::interval(LOOK_AFTER);
                while !is_over(&mut child) {
                    again.tick().await;
                }
                belongings.give_back();
            });
        } else {
            belongings.give_back();
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.ask_to_end();
        self.bury(Belongings::default());
    }
}

/// Starts a supervisor. Only on the keeper's thread.
pub(super) fn launch(command: &Command, token: &str) -> Result<Spawned, StartError> {
    let failed = |error: io::Error| StartError::Host {
        step: Step::Launch,
        error: format!("`{}`: {error}", command.launcher.display()),
    };
    let (report, report_end) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| failed(error.into()))?;
    let belongings = Belongings::get(command, token).map_err(failed)?;
    let prefix = belongings.prefix(command);
    // In a namespace of its own the launcher knows us by another number, or none.
    let referee = prefix.is_empty().then(getpid);
    let orders = belongings.complete(Orders::of(command, referee, report_end.as_raw_fd()));
    let mut words = prefix;
    words.push(command.launcher.clone().into_os_string());
    words.extend(orders.words());
    let mut launcher = std::process::Command::new(&words[0]);
    launcher
        .args(&words[1..])
        .env_clear()
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .envs(belongings.environment(command))
        .env(tree::TOKEN, token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own; the only wish beyond the usual that still needs no fork.
        .process_group(0);
    // Only this thread starts processes, so only this launcher inherits them.
    let inherited = [Some(report_end.as_fd()), belongings.door()];
    for end in inherited.into_iter().flatten() {
        fcntl_setfd(end, FdFlags::empty()).map_err(|error| failed(error.into()))?;
    }
    let child = launcher.spawn();
    drop(report_end);
    if let Some(door) = belongings.door() {
        fcntl_setfd(door, FdFlags::CLOEXEC).map_err(|error| failed(error.into()))?;
    }
    let mut child = child.map_err(failed)?;
    let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let supervisor = Supervisor { pid: Pid::from_child(&child), child: Some(child) };
    let pidfd = pidfd_open(supervisor.pid, PidfdFlags::NONBLOCK);
    match (streams, pidfd) {
        ((Some(stdin), Some(stdout), Some(stderr)), Ok(pidfd)) => Ok(Spawned {
            supervisor,
            pidfd,
            report,
            stdin: stdin.into(),
            stdout: stdout.into(),
            stderr: stderr.into(),
            belongings,
        }),
        (_, pidfd) => Err(failed(pidfd.err().map_or_else(|| io::Error::other("no pipes"), io::Error::from))),
    }
}
