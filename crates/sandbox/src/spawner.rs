//! Starting and ending supervisors. Only the spawner's thread starts them.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open};

use super::command::Command;
use super::isolation::{BotResources, Leaf, Prefix};
use super::launcher::SpawnRequest;
use super::process_tree::{TOKEN, first_child};
use super::report::{StartError, StartStep};
use super::threads::spawner;

/// Interval between checks on a supervisor that was asked to end.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A supervisor that has been started, and our ends of its pipes and its bot's.
#[derive(Debug)]
pub(super) struct Spawned {
    pub(super) supervisor: Supervisor,
    /// Readable when the supervisor has ended.
    pub(super) pidfd: OwnedFd,
    pub(super) report: OwnedFd,
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
    pub(super) resources: BotResources,
}

/// A bot's supervisor, until it has been reaped. Dropping it asks it to end.
#[derive(Debug)]
pub(super) struct Supervisor {
    pid: Pid,
    child: Option<Child>,
    wrapping: Wrapping,
}

/// The place of the supervisor, relative to the process that we started.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Wrapping {
    /// It is that process.
    None,
    /// That process is `bwrap`, its child is the first process of a namespace, and the child's child is the supervisor.
    Namespace,
}

impl Supervisor {
    /// Returns its process id, which stays its own until it is reaped.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    pub(super) fn is_reaped(&self) -> bool {
        self.child.is_none()
    }

    /// Returns the number of our processes in the chain above the bot.
    pub(super) fn depth(&self) -> usize {
        match self.wrapping {
            Wrapping::None => 1,
            Wrapping::Namespace => 3,
        }
    }

    /// Asks it to sweep and end.
    pub(super) fn ask_to_end(&self) {
        if self.child.is_none() {
            return;
        }
        let supervisor = match self.wrapping {
            Wrapping::None => Some(self.pid),
            Wrapping::Namespace => first_child(self.pid).and_then(first_child),
        };
        match supervisor {
            Some(supervisor) => {
                let _ = kill_process(supervisor, Signal::TERM);
                // A bot may have stopped its parent.
                let _ = kill_process(supervisor, Signal::CONT);
            }
            // It has ended, or does not exist yet: then there is no bot, and killing `bwrap` ends everything.
            None => {
                let _ = kill_process(self.pid, Signal::KILL);
            }
        }
    }

    /// Reaps it now, or once it has ended, and then releases the bot's resources.
    pub(super) fn reap_now_or_later(&mut self, mut resources: BotResources) {
        let is_over = |child: &mut Child| !matches!(child.try_wait(), Ok(None));
        if let Some(mut child) = self.child.take()
            && !is_over(&mut child)
            && let Ok(spawner) = spawner()
        {
            spawner.spawn(async move {
                let mut again = tokio::time::interval(CHECK_INTERVAL);
                while !is_over(&mut child) {
                    again.tick().await;
                }
                let _ = tokio::task::spawn_blocking(move || resources.release()).await;
            });
        } else {
            let _ = resources.release();
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.ask_to_end();
        self.reap_now_or_later(BotResources::default());
    }
}

/// Starts a supervisor. Must run on the spawner's thread.
pub(super) fn launch(command: &Command, token: &str) -> Result<Spawned, StartError> {
    let failed = |error: io::Error| StartError::Host {
        step: StartStep::Launch,
        error: format!("`{}`: {error}", command.launcher.display()),
    };
    let resources = BotResources::acquire(command, token).map_err(failed)?;
    start(command, token, resources).map_err(failed)
}

fn start(command: &Command, token: &str, mut resources: BotResources) -> io::Result<Spawned> {
    let (report, report_end) = pipe_with(PipeFlags::CLOEXEC)?;
    let Prefix { mut words, files } = resources.prefix(command);
    let wrapping = if words.is_empty() { Wrapping::None } else { Wrapping::Namespace };
    // In another namespace the launcher sees another process id for us, or none.
    let referee = (wrapping == Wrapping::None).then(getpid);
    let mut request = SpawnRequest::of(command, &resources, referee, report_end.as_raw_fd());
    // `bwrap` keeps its own streams open until it ends. The bot's streams are not among them, so that we see
    // when the bot closes them. Messages of `bwrap` go to the bot's stderr.
    let hidden = (wrapping == Wrapping::Namespace).then(|| InheritedPipes::make(command)).transpose()?;
    match &hidden {
        None => words.push(command.launcher.clone().into_os_string()),
        Some(hidden) => {
            words.push(format!("/proc/self/fd/{}", hidden.launcher.as_raw_fd()).into());
            // A relative path would mean something else inside.
            request.directory = std::path::absolute(&command.directory)?;
            request.streams = Some([hidden.stdin.0.as_raw_fd(), hidden.stdout.1.as_raw_fd()]);
        }
    }
    words.extend(request.words()?);
    let mut launcher = std::process::Command::new(&words[0]);
    let stream = || if hidden.is_some() { Stdio::null() } else { Stdio::piped() };
    launcher.args(&words[1..]).stdin(stream()).stdout(stream()).stderr(Stdio::piped());
    set_environment(&mut launcher, command, &resources, token);
    // A separate process group. Unlike most other settings, this one needs no fork.
    launcher.process_group(0);
    // Only this thread starts processes, so only this launcher inherits them.
    let mut inherited: Vec<BorrowedFd<'_>> = resources.cgroup_fds().into_iter().flatten().collect();
    inherited.extend(resources.memory_cgroup_fds().into_iter().flatten());
    inherited.push(report_end.as_fd());
    inherited.extend(files.iter().map(AsFd::as_fd));
    if let Some(hidden) = &hidden {
        inherited.extend([hidden.launcher.as_fd(), hidden.stdin.0.as_fd(), hidden.stdout.1.as_fd()]);
    }
    let mut child = spawn_with(&mut launcher, &inherited)?.map_err(|error| match wrapping {
        Wrapping::None => error,
        Wrapping::Namespace => {
            io::Error::new(error.kind(), format!("`{}`: {error}", words[0].to_string_lossy()))
        }
    })?;
    drop(report_end);
    resources.leaf.iter_mut().for_each(Leaf::close_fds);
    let streams = match hidden {
        Some(hidden) => (Some(hidden.stdin.1), Some(hidden.stdout.0), child.stderr.take()),
        None => {
            let stdin = child.stdin.take().map(OwnedFd::from);
            (stdin, child.stdout.take().map(OwnedFd::from), child.stderr.take())
        }
    };
    let supervisor = Supervisor { pid: Pid::from_child(&child), child: Some(child), wrapping };
    let pidfd = pidfd_open(supervisor.pid, PidfdFlags::NONBLOCK)?;
    match streams {
        (Some(stdin), Some(stdout), Some(stderr)) => {
            Ok(Spawned { supervisor, pidfd, report, stdin, stdout, stderr: stderr.into(), resources })
        }
        _ => Err(io::Error::other("the launcher's pipes are missing")),
    }
}

fn set_environment(
    launcher: &mut std::process::Command,
    command: &Command,
    resources: &BotResources,
    token: &str,
) {
    launcher
        .env_clear()
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .envs(resources.environment(command))
        .env(TOKEN, token);
}

/// Spawns a process that inherits these descriptors, which no later one does.
fn spawn_with(
    launcher: &mut std::process::Command,
    inherited: &[BorrowedFd<'_>],
) -> io::Result<io::Result<Child>> {
    for end in inherited {
        fcntl_setfd(end, FdFlags::empty())?;
    }
    let child = launcher.spawn();
    for end in inherited {
        fcntl_setfd(end, FdFlags::CLOEXEC)?;
    }
    Ok(child)
}

/// Descriptors that the launcher in a namespace inherits in addition to its streams.
struct InheritedPipes {
    /// This program, which has no path inside.
    launcher: OwnedFd,
    /// Both ends of the bot's input, the reading end first.
    stdin: (OwnedFd, OwnedFd),
    /// Both ends of its output.
    stdout: (OwnedFd, OwnedFd),
}

impl InheritedPipes {
    fn make(command: &Command) -> io::Result<InheritedPipes> {
        Ok(InheritedPipes {
            launcher: open(&command.launcher, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?,
            stdin: pipe_with(PipeFlags::CLOEXEC)?,
            stdout: pipe_with(PipeFlags::CLOEXEC)?,
        })
    }
}
