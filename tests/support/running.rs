//! A running binary.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::Run;
use super::waiting::{PATIENCE, wait_until};

/// The maximum time for a reaction to a signal before the signal is sent again.
const BETWEEN_SIGNALS: Duration = Duration::from_secs(1);

/// A running process and its output so far. It is killed on drop.
pub struct Running {
    child: Child,
    stdout: Heard,
    stderr: Heard,
}

impl Running {
    /// Starts a process and captures its output.
    #[track_caller]
    pub fn start(command: &mut Command) -> Running {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary was built with the tests");
        let stdout = Heard::listen(child.stdout.take().expect("it is piped"));
        let stderr = Heard::listen(child.stderr.take().expect("it is piped"));
        Running { child, stdout, stderr }
    }

    /// Sends a signal.
    #[track_caller]
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it has not been waited for");
    }

    /// Waits until stderr contains a text.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        let heard = self.stderr.wait(PATIENCE, |heard| heard.text().contains(text) || heard.is_over);
        assert!(heard.contains(text), "waited in vain for {text:?}; it said\n{heard}");
    }

    /// Repeats a signal until stderr contains a text.
    #[track_caller]
    pub fn signal_until(&self, signal: Signal, text: &str) {
        wait_until(&format!("it says {text:?}"), || {
            let is_said = |heard: &Text| heard.text().contains(text);
            self.signal(signal);
            is_said(&self.stderr.lock()) || self.stderr.wait(BETWEEN_SIGNALS, is_said).contains(text)
        });
    }

    /// Waits for the process's end.
    #[track_caller]
    pub fn end(self) -> Run {
        self.end_within(PATIENCE)
    }

    /// Waits for the process's end; fails after `limit`.
    #[track_caller]
    pub fn end_within(mut self, limit: Duration) -> Run {
        let ended = self.ends_within(limit);
        let over = |heard: &Text| heard.is_over;
        let (stdout, stderr) = match ended {
            true => (self.stdout.wait(PATIENCE, over), self.stderr.wait(PATIENCE, over)),
            false => (self.stdout.so_far(), self.stderr.so_far()),
        };
        assert!(ended, "it did not end within {limit:?}; it said\n{stdout}\n{stderr}");
        let status = self.child.wait().expect("it has ended").code();
        Run { status, stdout, stderr }
    }

    /// Kills the process with SIGKILL and waits until it is gone. Returns true if
    /// it was still running.
    #[track_caller]
    pub fn kill(mut self) -> bool {
        self.child.kill().expect("it can be killed");
        let status = self.child.wait().expect("it can be waited for");
        status.signal() == Some(Signal::KILL.as_raw())
    }

    /// True if the process has ended.
    pub fn has_ended(&self) -> bool {
        self.ends_within(Duration::ZERO)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn pid(&self) -> Pid {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a child has a process id")
    }

    /// Waits for the process's end for at most `limit`; returns true if it has ended.
    pub fn ends_within(&self, limit: Duration) -> bool {
        let handle = pidfd_open(self.pid(), PidfdFlags::empty()).expect("it has not been waited for");
        let limit = Timespec::try_from(limit).expect("no test waits for years");
        let ready = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit));
        ready.expect("it can be waited for") > 0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the process has already been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text read from a stream so far.
struct Heard(Arc<(Mutex<Text>, Condvar)>);

#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    is_over: bool,
}

impl Text {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

impl Heard {
    fn listen(mut stream: impl Read + Send + 'static) -> Heard {
        let heard = Heard(Arc::default());
        let shared = Arc::clone(&heard.0);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let count = stream.read(&mut buffer).unwrap_or(0);
                let mut text = shared.0.lock().expect("nobody panics with it");
                text.bytes.extend_from_slice(&buffer[..count]);
                text.is_over = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        heard
    }

    fn lock(&self) -> MutexGuard<'_, Text> {
        self.0.0.lock().expect("nobody panics with it")
    }

    fn so_far(&self) -> String {
        self.lock().text()
    }

    /// Waits for a condition and returns the text at that time.
    fn wait(&self, limit: Duration, holds: impl Fn(&Text) -> bool) -> String {
        let (text, _) =
            self.0.1.wait_timeout_while(self.lock(), limit, |text| !holds(text)).expect("nobody panics");
        text.text()
    }
}
