//! Our ends of the pipes to and from a bot.
//!
//! A thread that plays one game blocks while it reads a bot's output: two system calls per move, and no wait
//! queue except the pipe's own. A thread that plays several games waits for all of them on its runtime. All
//! other reads (stderr, the supervisor's reports) never block and wait on the listener's runtime.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use super::threads::listener;

/// Registers a descriptor with the listener's runtime, which reports when it can be read.
pub(super) fn register(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    let _listener = listener().map_err(io::Error::other)?.enter();
    register_here(fd, Interest::READABLE)
}

/// Registers a descriptor with this thread's runtime, which reports when it is ready.
#[expect(unsafe_code, reason = "tokio requires a promise that the descriptor keeps naming the same file")]
fn register_here(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open file until it is dropped, and no outside code can replace it:
    // the `AsyncFd` is only borrowed.
    unsafe { AsyncFd::register_with_interest(fd, interest) }.map_err(io::Error::from)
}

/// Turns the error of a call that was interrupted or would block into `None`.
fn unless_blocked(result: Result<usize, Errno>) -> io::Result<Option<usize>> {
    match result {
        Ok(count) => Ok(Some(count)),
        Err(Errno::INTR | Errno::AGAIN) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A pipe that is read on the listener's runtime.
#[derive(Debug)]
pub(super) struct AsyncReader(AsyncFd<OwnedFd>);

impl AsyncReader {
    pub(super) fn new(fd: OwnedFd) -> io::Result<AsyncReader> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(AsyncReader(register(fd)?))
    }

    /// Waits until `read`, which reads this pipe, finds something.
    pub(super) async fn until_read<T>(
        &self,
        mut read: impl FnMut() -> io::Result<Option<T>>,
    ) -> io::Result<T> {
        loop {
            let mut guard = self.0.readable().await?;
            match read()? {
                Some(found) => return Ok(found),
                None => guard.clear_ready(),
            }
        }
    }

    /// Reads the bytes that are available; `None` if there are none.
    pub(super) fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        unless_blocked(retry_on_intr(|| rustix::io::read(self.0.get_ref(), &mut *buffer)))
    }
}

/// A bot's output. Reading it blocks, unless it was handed to a runtime. This is the pipe's only reader, so
/// available data stays available until it is read.
#[derive(Debug)]
pub struct Output {
    fd: OwnedFd,
    /// For waits on a runtime. Created on first use.
    waiting: OnceLock<AsyncFd<OwnedFd>>,
    never_blocks: AtomicBool,
}

impl Output {
    pub(super) fn new(fd: OwnedFd) -> Output {
        Output { fd, waiting: OnceLock::new(), never_blocks: AtomicBool::new(false) }
    }

    /// Makes reading non-blocking. From now on this thread's runtime reports when there is something to read.
    ///
    /// # Errors
    /// The system's error for the pipe.
    ///
    /// # Panics
    /// Outside a runtime.
    pub fn hand_to_this_runtime(&self) -> io::Result<()> {
        rustix::io::ioctl_fionbio(&self.fd, true)?;
        self.never_blocks.store(true, Ordering::Relaxed);
        let waiting = register_here(self.fd.try_clone()?, Interest::READABLE)?;
        // An existing registration stays.
        let _ = self.waiting.set(waiting);
        Ok(())
    }

    /// Makes reading block again and takes the pipe off its runtime, so that the pipe has no wait queue except its own.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub fn leave_runtimes(&mut self) -> io::Result<()> {
        self.waiting = OnceLock::new();
        self.never_blocks.store(false, Ordering::Relaxed);
        Ok(rustix::io::ioctl_fionbio(&self.fd, false)?)
    }

    /// Waits for data and reads it. Returns 0 at the end of the stream, and `None` if a signal (an
    /// [`Alarm`](super::Alarm)) arrived first or if there is no data and reading never blocks.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        unless_blocked(rustix::io::read(&self.fd, buffer))
    }

    /// Reads the bytes that are available; `None` if there are none.
    pub(super) fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        if self.never_blocks.load(Ordering::Relaxed) {
            let read = self.read(buffer);
            if matches!(read, Ok(None)) {
                self.forget_readiness();
            }
            return read;
        }
        let mut fds = [PollFd::new(&self.fd, PollFlags::IN)];
        match poll(&mut fds, Some(&Timespec::default())) {
            Ok(0) | Err(Errno::INTR) => Ok(None),
            Ok(_) => self.read(buffer),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a later wait one for new data, after the pipe was found empty.
    fn forget_readiness(&self) {
        let Some(waiting) = self.waiting.get() else { return };
        if let Poll::Ready(Ok(mut guard)) = waiting.poll_read_ready(&mut Context::from_waker(Waker::noop())) {
            guard.clear_ready();
        }
    }

    /// Returns true if the runtime last reported data or the stream's end. Always true without a runtime.
    pub fn was_ready(&self) -> bool {
        self.waiting
            .get()
            .is_none_or(|waiting| waiting.poll_read_ready(&mut Context::from_waker(Waker::noop())).is_ready())
    }

    /// Waits on a runtime until there may be data.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub fn poll_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting()?.poll_read_ready(context).map_ok(drop)
    }

    /// Reads the available data, or waits for some on a runtime. Returns 0 at the end of the stream.
    ///
    /// # Errors
    /// The system's error for the pipe.
    pub fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let waiting = self.waiting()?;
        loop {
            let mut guard = ready!(waiting.poll_read_ready(context))?;
            let read = match self.never_blocks.load(Ordering::Relaxed) {
                true => self.read(buffer),
                false => self.read_now(buffer),
            };
            match read {
                Ok(Some(count)) => {
                    // After a short read the pipe is empty, so all that arrives now is new.
                    if (1..buffer.len()).contains(&count) {
                        guard.clear_ready();
                    }
                    return Poll::Ready(Ok(count));
                }
                Ok(None) => guard.clear_ready(),
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn waiting(&self) -> io::Result<&AsyncFd<OwnedFd>> {
        if let Some(waiting) = self.waiting.get() {
            return Ok(waiting);
        }
        let waiting = register(self.fd.try_clone()?)?;
        Ok(self.waiting.get_or_init(|| waiting))
    }
}

impl AsFd for Output {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// A bot's input: writing to it never blocks.
#[derive(Debug)]
pub(super) struct Writer {
    fd: OwnedFd,
    /// For waits on a runtime for room. Created on first use.
    waiting: OnceLock<AsyncFd<OwnedFd>>,
}

impl Writer {
    pub(super) fn new(fd: OwnedFd) -> io::Result<Writer> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Writer { fd, waiting: OnceLock::new() })
    }

    /// Writes as much as fits; `None` if nothing does.
    pub(super) fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        unless_blocked(retry_on_intr(|| rustix::io::write(&self.fd, bytes)))
    }

    /// Waits on this thread's runtime until there may be room.
    pub(super) fn poll_room(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let waiting = match self.waiting.get() {
            Some(waiting) => waiting,
            None => {
                let waiting = register_here(self.fd.try_clone()?, Interest::WRITABLE)?;
                self.waiting.get_or_init(|| waiting)
            }
        };
        // A caller that was woken for room has either filled it or has nothing left to write.
        waiting.poll_write_ready(context).map_ok(|mut guard| guard.clear_ready())
    }
}

impl AsFd for Writer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Blocks until one of these descriptors is ready or closed, a signal arrives, or the time is up.
///
/// # Errors
/// The system's error.
///
/// # Panics
/// If there are more than 16 descriptors.
pub fn wait_for_fds(fds: &[(BorrowedFd<'_>, PollFlags)], at_most: Duration) -> io::Result<()> {
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
