//! The calls that the filter refuses: the supervisor answers and reports them.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::{kernel, system_calls};
use crate::report::{Message, ReportPipe};

/// Maximum number of calls that are answered. Each costs the supervisor some CPU time, which is not charged
/// to the bot. Beyond that, the kernel answers that there are no such calls.
const MAX_ANSWERS: u32 = 4096;

/// Maximum time for which a bot's start waits for its supervisor, which may not get to run on a busy host.
const HAND_OVER_LIMIT: Duration = Duration::from_millis(50);

/// Maximum number of different calls that are reported.
const MAX_REPORTED: usize = 8;

/// Hands the listener of a filter over to the supervisor, which takes the descriptor from this process. It is
/// not sent: the kernel limits the descriptors in transit for each user, and a bot of the same user could use
/// up that limit.
pub(super) fn hand_over(listener: &OwnedFd, supervisor: &mut UnixStream) -> io::Result<()> {
    supervisor.set_read_timeout(Some(HAND_OVER_LIMIT))?;
    supervisor.write_all(&listener.as_raw_fd().to_ne_bytes())?;
    // The supervisor has it by now or does without it; in that case the kernel answers.
    let _ = supervisor.read(&mut [0]);
    Ok(())
}

/// Refused calls, as they reach the supervisor.
#[derive(Debug)]
pub(super) struct Refusals {
    source: RefusalSource,
    reported: BTreeSet<libc::c_long>,
    answers: u32,
}

#[derive(Debug)]
enum RefusalSource {
    /// The socket through which the child announces its listener.
    Child(Pid, UnixStream),
    Listener(OwnedFd),
    /// Nothing is received: the kernel answers now.
    Nothing,
}

impl Refusals {
    /// Receives the refused calls of a child that may hand over its listener through the socket.
    pub(super) fn of(child: Pid, socket: Option<UnixStream>) -> Refusals {
        let source = socket.map_or(RefusalSource::Nothing, |socket| RefusalSource::Child(child, socket));
        Refusals { source, ..Refusals::none() }
    }

    pub(super) fn none() -> Refusals {
        Refusals { source: RefusalSource::Nothing, reported: BTreeSet::new(), answers: 0 }
    }

    /// Returns a descriptor that is readable when there is something to [take](Refusals::take).
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.source {
            RefusalSource::Child(_, socket) => Some(socket.as_fd()),
            RefusalSource::Listener(listener) => Some(listener.as_fd()),
            RefusalSource::Nothing => None,
        }
    }

    /// Takes what has arrived: the listener, or a call, which is answered.
    pub(super) fn take(&mut self, report: &mut ReportPipe) {
        match &mut self.source {
            RefusalSource::Child(child, socket) => {
                self.source =
                    take_listener(*child, socket).map_or(RefusalSource::Nothing, RefusalSource::Listener);
            }
            RefusalSource::Listener(listener) => {
                self.answers += 1;
                let answered = kernel::answer_refused(listener.as_fd(), system_calls::error_of);
                if answered.is_err() || self.answers >= MAX_ANSWERS {
                    self.source = RefusalSource::Nothing;
                }
                if let Ok(Some((call, first))) = answered
                    && !is_name_lookup(call, first)
                    && self.reported.len() < MAX_REPORTED
                    && self.reported.insert(call)
                {
                    let name =
                        system_calls::name(call).map_or_else(|| format!("system call {call}"), str::to_owned);
                    report.send(&Message::RefusedCall(name));
                }
            }
            RefusalSource::Nothing => {}
        }
    }
}

/// Returns true for a call that explains no failure: when a shell or a runtime looks up its user, the C
/// library asks for a name service over a Unix socket, and does without one.
fn is_name_lookup(call: libc::c_long, first: u64) -> bool {
    call == libc::SYS_socket && first == libc::AF_UNIX as u64
}

/// Takes the child's listener; `None` if the child has ended, or has become the bot without one.
fn take_listener(child: Pid, socket: &mut UnixStream) -> Option<OwnedFd> {
    let mut number = [0; size_of::<RawFd>()];
    socket.read_exact(&mut number).ok()?;
    let process = pidfd_open(child, PidfdFlags::empty()).ok()?;
    let listener = pidfd_getfd(&process, RawFd::from_ne_bytes(number), PidfdGetfdFlags::empty()).ok();
    // If this is too late, the number may be that of one of the bot's files.
    let listener = listener.filter(|fd| {
        let link = std::fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd()));
        link.is_ok_and(|link| link.to_string_lossy().contains("seccomp notify"))
    });
    // The child continues with or without a listener.
    let _ = socket.write_all(&[0]);
    listener
}
