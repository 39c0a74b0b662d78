//! Our ends of the pipes to and from a bot.
//!
//! A game's thread reads a bot's output by blocking: two calls to the kernel a
//! move, and no wait queue but the pipe's own. What is read beside games
//! (stderr, the supervisor's reports) never blocks and waits on the listener's
//! runtime.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::keeper::listener;

/// Lets the listener's runtime tell when a descriptor is ready.
#[expect(unsafe_code, reason = "tokio wants to be told that the descriptor stays what it is")]
pub(super) fn register(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    let _listener = listener().map_err(io::Error::other)?.enter();
    // SAFETY: an `OwnedFd` names the same open file until it is dropped, and nobody
    // outside can put another in its place: the `AsyncFd` is only ever looked at.
    unsafe { AsyncFd::register_with_interest(fd, Interest::READABLE) }.map_err(io::Error::from)
}

/// A pipe that is read on the listener's runtime.
#[derive(Debug)]
pub(super) struct AsyncReader(AsyncFd<OwnedFd>);

impl AsyncReader {
    pub(super) fn new(fd: OwnedFd) -> io::Result<AsyncReader> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(AsyncReader(register(fd)?))
    }

    /// Waits until `look` finds something, which reads this pipe.
    pub(super) async fn until_read<T>(
        &self,
        mut look: impl FnMut() -> io::Result<Option<T>>,
    ) -> io::Result<T> {
        loop {
            let mut guard = self.0.readable().await?;
            match look()? {
                Some(found) => return Ok(found),
                None => guard.clear_ready(),
            }
        }
    }

    /// Reads what is there; nothing if nothing is.
    pub(super) fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match rustix::io::read(self.0.get_ref(), &mut *buffer) {
                Ok(count) => return Ok(Some(count)),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// A bot's output: reading it blocks. Nobody else reads this pipe, so what is
/// there now is there when it is read.
#[derive(Debug)]
pub(super) struct BlockingReader {
    fd: OwnedFd,
    /// For those that wait on a runtime all the same, made when it is first asked for.
    waiting: OnceLock<AsyncFd<OwnedFd>>,
}

impl BlockingReader {
    pub(super) fn new(fd: OwnedFd) -> BlockingReader {
        BlockingReader { fd, waiting: OnceLock::new() }
    }

    /// Waits for something to read and reads it; nothing when a signal came
    /// first, 0 at the end of the stream.
    pub(super) fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match rustix::io::read(&self.fd, buffer) {
            Ok(count) => Ok(Some(count)),
            Err(Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads what is there; nothing if nothing is.
    pub(super) fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let mut fds = [PollFd::new(&self.fd, PollFlags::IN)];
        match poll(&mut fds, Some(&Timespec::default())) {
            Ok(0) | Err(Errno::INTR) => Ok(None),
            Ok(_) => self.read(buffer),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads what is there, or waits for it on a runtime.
    pub(super) fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let waiting = match self.waiting.get() {
            Some(waiting) => waiting,
            None => {
                let waiting = register(self.fd.try_clone()?)?;
                self.waiting.get_or_init(|| waiting)
            }
        };
        loop {
            let mut guard = ready!(waiting.poll_read_ready(context))?;
            match self.read_now(buffer) {
                Ok(Some(count)) => return Poll::Ready(Ok(count)),
                Ok(None) => guard.clear_ready(),
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsFd for BlockingReader {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// A bot's input: writing to it never blocks.
#[derive(Debug)]
pub(super) struct Writer(OwnedFd);

impl Writer {
    pub(super) fn new(fd: OwnedFd) -> io::Result<Writer> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Writer(fd))
    }

    /// Writes what fits; nothing if nothing does.
    pub(super) fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        loop {
            match rustix::io::write(&self.0, bytes) {
                Ok(count) => return Ok(Some(count)),
                Err(Errno::AGAIN) => return Ok(None),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl AsFd for Writer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Waits until one of these is ready (or closed), a signal comes, or the time is over.
pub(super) fn wait_for(fds: &[(BorrowedFd<'_>, PollFlags)], at_most: Duration) -> io::Result<()> {
    let mut polled: ArrayVec<PollFd<'_>, 16> =
        fds.iter().map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)).collect();
    let time = Timespec {
        tv_sec: i64::try_from(at_most.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: at_most.subsec_nanos().into(),
    };
    match poll(&mut polled, Some(&time)) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
