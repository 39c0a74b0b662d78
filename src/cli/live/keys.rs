//! The terminal while progress is shown, and its keys.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::process::terminal::{DrawnOn, Typing, is_in_foreground};

/// Interval between two checks whether the program is in the foreground again.
const FOREGROUND_CHECK: Timespec = Timespec { tv_sec: 0, tv_nsec: 250_000_000 };

/// The terminal on stderr, and its keys if stdin is the same terminal. Dropping it restores the terminal.
pub(super) struct Keys {
    taken: DrawnOn,
    /// True while the terminal is not released.
    is_ours: Arc<AtomicBool>,
    /// Closing this end stops the thread.
    stop: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

impl Keys {
    /// Takes over the terminal, and calls `on_key` for each key in a separate thread.
    pub(super) fn take(
        program: &Path,
        typing: Typing,
        on_key: impl Fn(u8) + Send + 'static,
    ) -> io::Result<Keys> {
        let (stopped, stop) = pipe_with(PipeFlags::CLOEXEC)?;
        let taken = DrawnOn::take(program, typing)?;
        let is_ours = Arc::new(AtomicBool::new(true));
        let ours = Arc::clone(&is_ours);
        let read = move || read_keys(&stopped, &ours, on_key);
        let thread = match typing {
            Typing::Keys => Some(std::thread::Builder::new().name("keys".to_owned()).spawn(read)?),
            Typing::Untouched => None,
        };
        Ok(Keys { taken, is_ours, stop: Some(stop), thread })
    }

    pub(super) fn are_read(&self) -> bool {
        self.thread.is_some()
    }

    /// Releases the terminal until [`Keys::again`].
    pub(super) fn lend(&self) {
        self.is_ours.store(false, Ordering::Relaxed);
        self.taken.lend();
    }

    pub(super) fn again(&self) {
        self.is_ours.store(self.taken.again().is_ok(), Ordering::Relaxed);
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // The terminal is restored after the thread has ended.
        self.stop = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn read_keys(stopped: &OwnedFd, is_ours: &AtomicBool, on_key: impl Fn(u8)) {
    let stdin = io::stdin();
    let ours = || is_ours.load(Ordering::Relaxed) && is_in_foreground(&stdin);
    loop {
        let both = &mut [PollFd::new(stopped, PollFlags::empty()), PollFd::new(&stdin, PollFlags::IN)];
        let (watched, at_most) =
            if ours() { (&mut both[..], None) } else { (&mut both[..1], Some(&FOREGROUND_CHECK)) };
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
                // The terminal is gone.
                Ok(0) => return,
                Ok(count) => bytes[..count].iter().for_each(|key| on_key(*key)),
                // The terminal belongs to another program after all.
                Err(_) => {}
            }
        } else if keys.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return;
        }
    }
}
