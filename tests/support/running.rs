//! A run of the binary while it is going on.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::Run;
use super::waiting::{PATIENCE, wait_until};

/// Maximum time for an answer to a signal before the signal is sent again.
const BETWEEN_SIGNALS: Duration = Duration::from_secs(1);

/// A process that is going on, and what it has said so far. It is killed when
/// this value is dropped.
pub struct Running {
    child: Child,
    stdout: Heard,
    stderr: Heard,
}

impl Running {
    /// Starts it, its outputs caught.
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

    /// Sends it a signal.
    #[track_caller]
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it has not been waited for");
    }

    /// Waits until it has said something on stderr.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        let heard = self.stderr.wait(PATIENCE, |heard| heard.text().contains(text) || heard.is_over);
        assert!(heard.contains(text), "waited in vain for {text:?}; it said\n{heard}");
    }

    /// Sends it a signal again and again until it has said something on stderr.
    #[track_caller]
    pub fn signal_until(&self, signal: Signal, text: &str) {
        wait_until(&format!("it says {text:?}"), || {
            let is_said = |heard: &Text| heard.text().contains(text);
            self.signal(signal);
            is_said(&self.stderr.lock()) || self.stderr.wait(BETWEEN_SIGNALS, is_said).contains(text)
        });
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(self) -> Run {
        self.end_within(PATIENCE)
    }

    /// Waits for its end; if it takes too long the test fails.
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

    /// Kills it as `kill -9` does, and waits until it is gone. Says whether it
    /// was still there to be killed.
    #[track_caller]
    pub fn kill(mut self) -> bool {
        self.child.kill().expect("it can be killed");
        let status = self.child.wait().expect("it can be waited for");
        status.signal() == Some(Signal::KILL.as_raw())
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.ends_within(Duration::ZERO)
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn pid(&self) -> Pid {
        i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a child has a process id")
    }

    /// Waits for its end, a time at most.
    pub fn ends_within(&self, limit: Duration) -> bool {
        let handle = pidfd_open(self.pid(), PidfdFlags::empty()).expect("it has not been waited for");
        let limit = Timespec::try_from(limit).expect("no test waits for years");
        let ready = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit));
        ready.expect("it can be waited for") > 0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // What has ended, or was waited for, can't be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is read of a stream, as it comes.
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

    /// Waits until something is so, and returns what there is then.
    fn wait(&self, limit: Duration, is_so: impl Fn(&Text) -> bool) -> String {
        let (text, _) =
            self.0.1.wait_timeout_while(self.lock(), limit, |text| !is_so(text)).expect("nobody panics");
        text.text()
    }
}
