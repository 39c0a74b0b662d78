//! The thread that starts all bots. It lives as long as the program: the
//! supervisors ask to be told of the death of the thread that started them.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc;
use std::time::Duration;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open};
use tokio::sync::oneshot;

use super::cage;
use super::command::Command;
use super::report::{StartError, Step};
use super::tree;

/// A supervisor that was started, and our ends of its and its bot's pipes.
#[derive(Debug)]
pub(crate) struct Spawned {
    pub(crate) supervisor: Supervisor,
    /// Readable when the supervisor has ended.
    pub(crate) pidfd: OwnedFd,
    pub(crate) report: OwnedFd,
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

enum Request {
    Spawn { command: Box<Command>, token: String, answer: oneshot::Sender<Result<Spawned, StartError>> },
    Bury(Child),
}

/// Starts a supervisor with this command.
pub(crate) async fn spawn(command: Command, token: String) -> Result<Spawned, StartError> {
    let (answer, answered) = oneshot::channel();
    let gone = || StartError::Host { step: Step::Launch, error: "the spawner is gone".to_owned() };
    send(Request::Spawn { command: Box::new(command), token, answer }).map_err(|_| gone())?;
    answered.await.map_err(|_| gone())?
}

/// A bot's supervisor, until it is out of the process table. Dropping it asks
/// it to end.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pid: Pid,
    child: Option<Child>,
}

impl Supervisor {
    /// Its process, which keeps its number until it is buried.
    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Whether it was taken out of the process table.
    pub(crate) fn is_buried(&self) -> bool {
        self.child.is_none()
    }

    /// Asks it to sweep and to end.
    pub(crate) fn ask_to_end(&self) {
        if self.child.is_some() {
            let _ = kill_process(self.pid, Signal::TERM);
            // A bot may have stopped its parent.
            let _ = kill_process(self.pid, Signal::CONT);
        }
    }

    /// Takes it out of the process table, now or when it has ended.
    pub(crate) fn bury(&mut self) {
        if let Some(mut child) = self.child.take()
            && !matches!(child.try_wait(), Ok(Some(_)))
        {
            // Without the thread nothing was ever started.
            let _ = send(Request::Bury(child));
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.ask_to_end();
        self.bury();
    }
}

fn send(request: Request) -> Result<(), mpsc::SendError<Request>> {
    static SPAWNER: OnceLock<mpsc::Sender<Request>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, receiver) = mpsc::channel();
        // If this fails, so does every send, which says so.
        let _ = std::thread::Builder::new().name("spawner".to_owned()).spawn(move || work(&receiver));
        sender
    });
    spawner.send(request)
}

fn work(requests: &mpsc::Receiver<Request>) {
    let mut ending: Vec<Child> = Vec::new();
    loop {
        let request = if ending.is_empty() {
            requests.recv().ok()
        } else {
            match requests.recv_timeout(Duration::from_millis(20)) {
                Ok(request) => Some(request),
                Err(mpsc::RecvTimeoutError::Timeout) => None,
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            }
        };
        match request {
            Some(Request::Spawn { command, token, answer }) => {
                // If nobody waits any more, dropping it ends it.
                drop(answer.send(launch(&command, &token)));
            }
            Some(Request::Bury(child)) => ending.push(child),
            None => {}
        }
        ending.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
    }
}

fn launch(command: &Command, token: &str) -> Result<Spawned, StartError> {
    let failed = |error: io::Error| StartError::Host {
        step: Step::Launch,
        error: format!("`{}`: {error}", command.launcher.display()),
    };
    let (report, report_end) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| failed(error.into()))?;
    let mut launcher = std::process::Command::new(&command.launcher);
    launcher
        .args(cage::arguments(command, getpid(), report_end.as_raw_fd()))
        .env_clear()
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .env(tree::TOKEN, token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own; the only wish beyond the usual that still needs no fork.
        .process_group(0);
    // Only this thread starts processes, so only this launcher inherits the pipe's end.
    fcntl_setfd(&report_end, FdFlags::empty()).map_err(|error| failed(error.into()))?;
    let child = launcher.spawn();
    drop(report_end);
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
        }),
        (_, pidfd) => Err(failed(pidfd.err().map_or_else(|| io::Error::other("no pipes"), io::Error::from))),
    }
}
