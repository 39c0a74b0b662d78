//! News about a bot, apart from its output: its supervisor's report and its stderr.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use rustix::process::{Signal, WaitId, WaitIdOptions, waitid};
use tokio::io::unix::AsyncFd;
use tokio::time::timeout;

use super::isolation::{Guard, LeafCounts};
use super::pipe::AsyncReader;
use super::report::{Breach, Message, Parser, StartError, StartStep, State};
use super::stderr_buffer::{STDERR_LIMIT, StderrBuffer};

/// The state of a bot, as far as the listening tasks know it.
#[derive(Debug)]
pub(super) struct Watch {
    news: AtomicBool,
    counts: Option<LeafCounts>,
    /// The part of the supervisor that the bot can't end.
    guard: Guard,
    inbox: Mutex<Inbox>,
}

/// All that has been received about a bot.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    pub(super) state: State,
    pub(super) breach: Option<Breach>,
    /// Names of the system calls that the filter refused.
    pub(super) refused_calls: Vec<String>,
    /// True if the supervisor left no process behind.
    pub(super) swept: bool,
    pub(super) stderr: StderrBuffer,
    pub(super) waker: Option<Waker>,
    report: Parser,
}

impl Watch {
    pub(super) fn new(counts: Option<LeafCounts>, guard: Guard) -> Watch {
        Watch { news: AtomicBool::new(false), counts, guard, inbox: Mutex::default() }
    }

    pub(super) fn inbox(&self) -> MutexGuard<'_, Inbox> {
        // Every holder of the lock leaves a consistent value.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take_news(&self) -> bool {
        self.news.load(Ordering::Relaxed) && self.news.swap(false, Ordering::AcqRel)
    }

    /// Reads some of stderr. Returns the number of bytes read, if any, and the total so far. Holds the lock,
    /// so that no other thread misses bytes that were read and not yet stored.
    pub(super) fn read_stderr(&self, stderr: &AsyncReader) -> io::Result<Option<(usize, u64)>> {
        let mut buffer = [0; 16 << 10];
        let mut inbox = self.inbox();
        let count = stderr.read_now(&mut buffer)?;
        Ok(count.map(|count| {
            inbox.stderr.add(&buffer[..count]);
            (count, inbox.stderr.total())
        }))
    }

    /// Reads some of the supervisor's report and processes it. Returns the number of bytes read, if any.
    /// Holds the lock, so that messages are processed in order, whichever thread reads them.
    pub(super) fn read_report(&self, report: &AsyncReader) -> io::Result<Option<usize>> {
        let mut buffer = [0; 512];
        let mut inbox = self.inbox();
        let count = report.read_now(&mut buffer)?;
        inbox.report.feed(&buffer[..count.unwrap_or(0)]);
        let mut is_news = false;
        while let Some(message) = inbox.report.next() {
            self.process(&mut inbox, message);
            is_news = true;
        }
        if is_news {
            self.announce(inbox);
        }
        Ok(count)
    }

    fn process(&self, inbox: &mut Inbox, message: Message) {
        match message {
            Message::Failed(error) => inbox.state = State::Failed(error),
            Message::Breach(breach) => inbox.breach = Some(breach),
            Message::RefusedCall(name) => inbox.refused_calls.push(name),
            Message::Ended(ending) if inbox.state == State::Running => {
                let ending = self.counts.as_ref().map_or(ending, |counts| counts.complete(ending));
                inbox.breach = inbox.breach.or_else(|| self.counted_breach(!ending.status.success()));
                inbox.state = State::Ended(Some(ending));
            }
            // The launcher's child failed to become the bot.
            Message::Ended(_) => {}
            Message::Swept => inbox.swept = true,
        }
    }

    /// Handles the end of the report, and so of the supervisor: without a message about the bot's end, it was killed.
    fn report_ended(&self, end: SupervisorEnd) {
        let mut inbox = self.inbox();
        if inbox.state != State::Running {
            return;
        }
        inbox.breach = inbox.breach.or_else(|| self.counted_breach(true));
        let host_error = |step, error| State::Failed(StartError::Host { step, error });
        let out_of_reach = match self.guard {
            Guard::Nothing => None,
            Guard::Outside => end.signal,
            Guard::Whole => end.signal.or(end.inner_signal),
        };
        inbox.state = match (end.signal.filter(|signal| GROUP_SIGNALS.contains(signal)), out_of_reach) {
            (Some(signal), _) => {
                let error = format!("it was killed by {signal:?} before it started");
                host_error(StartStep::Launch, error)
            }
            (None, Some(signal)) if inbox.breach.is_none() => {
                let error = format!(
                    "its supervisor was killed by {signal:?}, which no bot can do; was the machine out of memory?"
                );
                host_error(StartStep::Supervise, error)
            }
            (None, _) => State::Ended(None),
        };
        self.announce(inbox);
    }

    /// Returns the breach that the kernel has counted, for a bot that has ended.
    fn counted_breach(&self, has_failed: bool) -> Option<Breach> {
        self.counts.as_ref()?.breach(has_failed)
    }

    fn announce(&self, inbox: MutexGuard<'_, Inbox>) {
        let waker = inbox.waker.clone();
        drop(inbox);
        self.news.store(true, Ordering::Release);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The signals with which a terminal or another program ends a whole process group. A launcher ignores them
/// once it runs. Until then it may receive one that is meant for the referee's group, for which the bot is
/// not at fault.
const GROUP_SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT];

/// Maximum time from the end of the report to that of the supervisor, which takes a while to exit on a busy machine.
const END_LIMIT: Duration = Duration::from_secs(30);

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct SupervisorEnd {
    signal: Option<Signal>,
    /// The signal that ended the inner process, as reported by the outer one.
    inner_signal: Option<Signal>,
}

/// Listens to the supervisor until its end.
pub(super) async fn listen_to_report(
    report: Arc<AsyncReader>,
    watch: Arc<Watch>,
    supervisor: Arc<AsyncFd<OwnedFd>>,
) {
    while let Ok(1..) = report.until_read(|| watch.read_report(&report)).await {}
    let is_known = watch.inbox().state != State::Running;
    let end = if is_known { None } else { end_of(&supervisor).await };
    watch.report_ended(end.unwrap_or_default());
}

/// Waits for the end of a process. Returns `None` if it does not end within [`END_LIMIT`].
async fn end_of(process: &AsyncFd<OwnedFd>) -> Option<SupervisorEnd> {
    let _readable = timeout(END_LIMIT, process.readable()).await.ok()?;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::PidFd(process.get_ref().as_fd()), options).ok()??;
    // Shells and bubblewrap report a signal this way.
    let reported = status.exit_status().and_then(|code| code.checked_sub(128));
    Some(SupervisorEnd {
        signal: status.terminating_signal().and_then(Signal::from_named_raw),
        inner_signal: reported.and_then(Signal::from_named_raw),
    })
}

/// Drains stderr to its end. Exceeding [`STDERR_LIMIT`] is news.
pub(super) async fn listen_to_stderr(stderr: Arc<AsyncReader>, watch: Arc<Watch>) {
    while let Ok((count @ 1.., total)) = stderr.until_read(|| watch.read_stderr(&stderr)).await {
        if total > STDERR_LIMIT && total - count as u64 <= STDERR_LIMIT {
            watch.announce(watch.inbox());
        }
    }
}
