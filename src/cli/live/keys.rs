//! The terminal while something is watched, and the keys that are pressed.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::process::terminal::{DrawnOn, Typing, is_in_foreground};

/// Interval between two checks if the program is in the foreground again.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// The terminal on stderr, and its keys if stdin is the same terminal. Dropping it gives the terminal back.
pub(super) struct Keys {
    taken: Option<DrawnOn>,
    is_ours: Arc<AtomicBool>,
    /// Closed when no more keys are wanted.
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Keys {
    /// Reports each key, from a thread of its own.
    pub(super) fn take(
        program: &Path,
        typing: Typing,
        tell: impl Fn(u8) + Send + 'static,
    ) -> io::Result<Keys> {
        let (stopped, stop) = pipe_with(PipeFlags::CLOEXEC)?;
        let taken = DrawnOn::take(program, typing)?;
        let is_ours = Arc::new(AtomicBool::new(true));
        let ours = Arc::clone(&is_ours);
        let read = move || read_keys(&stopped, &ours, tell);
        let thread = match typing {
            Typing::Keys => Some(std::thread::Builder::new().name("keys".to_owned()).spawn(read)?),
            Typing::Untouched => None,
        };
        Ok(Keys { taken: Some(taken), is_ours, stop: Some(stop), thread })
    }

    /// True if keys are read.
    pub(super) fn are_heard(&self) -> bool {
        self.thread.is_some()
    }

    /// Gives the terminal back for a while.
    pub(super) fn lend(&self) {
        self.is_ours.store(false, Ordering::Relaxed);
        self.taken.iter().for_each(DrawnOn::lend);
    }

    /// Takes it again.
    pub(super) fn again(&self) {
        let again = self.taken.as_ref().is_some_and(|keys| keys.again().is_ok());
        self.is_ours.store(again, Ordering::Relaxed);
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.stop = None;
        let _ = self.thread.take().map(JoinHandle::join);
        self.taken = None;
    }
}

fn read_keys(stopped: &OwnedFd, is_ours: &AtomicBool, tell: impl Fn(u8)) {
    let stdin = io::stdin();
    let ours = || is_ours.load(Ordering::Relaxed) && is_in_foreground(&stdin);
    loop {
        let both = &mut [PollFd::new(stopped, PollFlags::empty()), PollFd::new(&stdin, PollFlags::IN)];
        let (watched, at_most) = if ours() { (&mut both[..], None) } else { (&mut both[..1], Some(&LOOK)) };
        match poll(watched, at_most) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
        if !watched[0].revents().is_empty() {
            return;
        }
        let Some(keys) = watched.get(1).map(PollFd::revents) else { continue };
        if keys.contains(PollFlags::IN) && ours() {
            let mut bytes = [0; 64];
            match rustix::io::read(&stdin, &mut bytes) {
                // The terminal has gone.
                Ok(0) => return,
                Ok(count) => bytes[..count].iter().for_each(|key| tell(*key)),
                // The terminal belongs to another program after all.
                Err(_) => {}
            }
        } else if keys.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return;
        }
    }
}
