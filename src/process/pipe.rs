//! Pipes that never block, on tokio's readiness.

use std::future::poll_fn;
use std::io;
use std::os::fd::OwnedFd;
use std::task::{Context, Poll, ready};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Lets tokio tell when a descriptor is ready.
#[expect(unsafe_code, reason = "tokio wants to be told that the descriptor stays what it is")]
pub(crate) fn register(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` names the same open file until it is dropped, and nobody
    // outside can put another in its place: the `AsyncFd` is only ever looked at.
    unsafe { AsyncFd::register_with_interest(fd, interest) }.map_err(io::Error::from)
}

/// Our end of a pipe from a bot.
#[derive(Debug)]
pub(crate) struct PipeReader(AsyncFd<OwnedFd>);

impl PipeReader {
    pub(crate) fn new(fd: OwnedFd) -> io::Result<PipeReader> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(PipeReader(register(fd, Interest::READABLE)?))
    }

    /// Reads what is there, or waits for it; 0 at the end of the stream.
    ///
    /// A read that does not fill the buffer has emptied the pipe, so the next
    /// one waits at once instead of asking the kernel.
    pub(crate) fn poll_read(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.poll_read_ready(context))?;
            match rustix::io::read(self.0.get_ref(), &mut *buffer) {
                Ok(count) => {
                    if count < buffer.len() {
                        guard.clear_ready();
                    }
                    return Poll::Ready(Ok(count));
                }
                Err(rustix::io::Errno::AGAIN) => guard.clear_ready(),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Poll::Ready(Err(error.into())),
            }
        }
    }

    /// Reads what tokio knows to be there; nothing if it knows of nothing.
    pub(crate) fn read_if_ready(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let read = |fd: &OwnedFd| rustix::io::read(fd, buffer).map_err(io::Error::from);
        match self.0.try_io(Interest::READABLE, read) {
            Ok(count) => Ok(Some(count)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// [`PipeReader::poll_read`] to be awaited.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        poll_fn(|context| self.poll_read(context, buffer)).await
    }

    /// Reads what is there, whatever tokio knows; nothing if the pipe is empty.
    pub(crate) fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match rustix::io::read(self.0.get_ref(), &mut *buffer) {
                Ok(count) => return Ok(Some(count)),
                Err(rustix::io::Errno::AGAIN) => return Ok(None),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Our end of a pipe to a bot.
#[derive(Debug)]
pub(crate) struct PipeWriter(AsyncFd<OwnedFd>);

impl PipeWriter {
    pub(crate) fn new(fd: OwnedFd) -> io::Result<PipeWriter> {
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(PipeWriter(register(fd, Interest::WRITABLE)?))
    }

    /// Writes what fits without waiting; nothing if the pipe is full.
    pub(crate) fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        loop {
            match rustix::io::write(self.0.get_ref(), bytes) {
                Ok(count) => return Ok(Some(count)),
                Err(rustix::io::Errno::AGAIN) => return Ok(None),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Writes what fits, or waits for room.
    pub(crate) fn poll_write(&self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.0.poll_write_ready(context))?;
            match self.write_now(bytes)? {
                Some(count) => return Poll::Ready(Ok(count)),
                None => guard.clear_ready(),
            }
        }
    }
}
