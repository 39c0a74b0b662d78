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
use rustix::process::{Pid, PidfdFlags, getpid, pidfd_open};
use tokio::sync::oneshot;

use super::cage;
use super::command::Command;
use super::report::{StartError, Step};
use super::tree;

/// A supervisor that was started, and our ends of its and its bot's pipes.
#[derive(Debug)]
pub(crate) struct Spawned {
    pub(crate) supervisor: Child,
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

/// Takes a supervisor that will soon end out of the process table when it has.
pub(crate) fn bury(supervisor: Child) {
    // Without the thread nothing was ever started.
    let _ = send(Request::Bury(supervisor));
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
                // Nobody waits any more: the supervisor is told to end by what dropping does.
                if let Err(Ok(spawned)) = answer.send(launch(&command, &token)) {
                    let _ = rustix::process::kill_process(
                        Pid::from_child(&spawned.supervisor),
                        rustix::process::Signal::TERM,
                    );
                    ending.push(spawned.supervisor);
                }
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
    let mut supervisor = child.map_err(failed)?;
    let streams = (supervisor.stdin.take(), supervisor.stdout.take(), supervisor.stderr.take());
    let pidfd = pidfd_open(Pid::from_child(&supervisor), PidfdFlags::NONBLOCK);
    match (streams, pidfd) {
        ((Some(stdin), Some(stdout), Some(stderr)), Ok(pidfd)) => Ok(Spawned {
            supervisor,
            pidfd,
            report,
            stdin: stdin.into(),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }),
        (_, pidfd) => {
            let error = pidfd.err().map_or_else(|| io::Error::other("no pipes"), io::Error::from);
            let _ = supervisor.kill();
            let _ = supervisor.wait();
            Err(failed(error))
        }
    }
}
