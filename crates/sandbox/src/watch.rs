//! News of a bot besides its output: its supervisor's report, and its stderr.

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

/// The state of a bot as the listening tasks know it.
#[derive(Debug)]
pub(super) struct Watch {
    news: AtomicBool,
    /// The counters of the bot's cgroup.
    counts: Option<LeafCounts>,
    /// The part of the supervisor that the bot can't have ended.
    guard: Guard,
    heard: Mutex<Heard>,
}

#[derive(Debug)]
pub(super) struct Heard {
    pub(super) state: State,
    pub(super) breach: Option<Breach>,
    /// Names of the system calls that were refused to it.
    pub(super) refused_calls: Vec<String>,
    /// True if the supervisor left no process behind.
    pub(super) swept: bool,
    pub(super) stderr: StderrBuffer,
    pub(super) waker: Option<Waker>,
    report: Parser,
}

impl Watch {
    /// Creates the watch over a bot that was just started.
    pub(super) fn new(counts: Option<LeafCounts>, guard: Guard) -> Watch {
        Watch {
            news: AtomicBool::new(false),
            counts,
            guard,
            heard: Mutex::new(Heard {
                state: State::Running,
                breach: None,
                refused_calls: Vec::new(),
                swept: false,
                stderr: StderrBuffer::default(),
                report: Parser::default(),
                waker: None,
            }),
        }
    }

    pub(super) fn heard(&self) -> MutexGuard<'_, Heard> {
        // No holder of the lock leaves an inconsistent value.
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if there was news since the last call.
    pub(super) fn take_news(&self) -> bool {
        self.news.load(Ordering::Relaxed) && self.news.swap(false, Ordering::AcqRel)
    }

    /// Reads some of stderr. Returns the number of bytes read, if any, and the total so far. Under the lock,
    /// so that no other thread misses bytes that were read and not yet stored.
    pub(super) fn read_stderr(&self, stderr: &AsyncReader) -> io::Result<Option<(usize, u64)>> {
        let mut buffer = [0; 16 << 10];
        let mut heard = self.heard();
        let count = stderr.read_now(&mut buffer)?;
        Ok(count.map(|count| {
            heard.stderr.add(&buffer[..count]);
            (count, heard.stderr.total())
        }))
    }

    /// Reads some of the supervisor's report and processes it. Returns the number of bytes read, if any. All
    /// of it happens under the lock, so that messages are processed in order, whichever thread reads them.
    pub(super) fn read_report(&self, report: &AsyncReader) -> io::Result<Option<usize>> {
        let mut buffer = [0; 512];
        let mut heard = self.heard();
        let count = report.read_now(&mut buffer)?;
        heard.report.feed(&buffer[..count.unwrap_or(0)]);
        let mut is_news = false;
        while let Some(message) = heard.report.next() {
            self.take(&mut heard, message);
            is_news = true;
        }
        if is_news {
            self.announce(heard);
        }
        Ok(count)
    }

    fn take(&self, heard: &mut Heard, message: Message) {
        match message {
            Message::Failed(error) => heard.state = State::Failed(error),
            Message::Breach(breach) => heard.breach = Some(breach),
            Message::RefusedCall(name) => heard.refused_calls.push(name),
            // The launcher's child that could not become the bot ends too.
            Message::Ended(ending) if heard.state == State::Running => {
                let ending = self.counts.as_ref().map_or(ending, |counts| counts.complete(ending));
                heard.breach = heard.breach.or_else(|| self.counted(!ending.status.success()));
                heard.state = State::Ended(Some(ending));
            }
            Message::Ended(_) => {}
            Message::Swept => heard.swept = true,
        }
    }

    /// Handles the end of the report, which is the end of the supervisor. If it came without a message about
    /// the bot's end, the supervisor was killed.
    fn report_ended(&self, end: SupervisorEnd) {
        let mut heard = self.heard();
        if heard.state != State::Running {
            return;
        }
        heard.breach = heard.breach.or_else(|| self.counted(true));
        let fault_of_host = |step, error| State::Failed(StartError::Host { step, error });
        let out_of_reach = match self.guard {
            Guard::Nothing => None,
            Guard::Outside => end.by,
            Guard::Whole => end.by.or(end.inside_by),
        };
        heard.state = match (end.by.filter(|signal| WISHES.contains(signal)), out_of_reach) {
            (Some(signal), _) => {
                let error = format!("it was killed by {signal:?} before it started");
                fault_of_host(StartStep::Launch, error)
            }
            (None, Some(signal)) if heard.breach.is_none() => {
                let error = format!(
                    "its supervisor was killed by {signal:?}, which no bot can do; was the machine out of memory?"
                );
                fault_of_host(StartStep::Supervise, error)
            }
            (None, _) => State::Ended(None),
        };
        self.announce(heard);
    }

    /// The breach that the kernel has counted against a bot that has ended.
    fn counted(&self, has_failed: bool) -> Option<Breach> {
        self.counts.as_ref()?.breach(has_failed)
    }

    fn announce(&self, heard: MutexGuard<'_, Heard>) {
        let waker = heard.waker.clone();
        drop(heard);
        self.news.store(true, Ordering::Release);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The signals with which a terminal, or another program, ends a whole process group. Once a launcher has
/// begun it ignores them. In the moment before it is still in the referee's group, and may receive a signal
/// meant for that. The bot is not at fault then.
const WISHES: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::QUIT];

/// Maximum time that the supervisor has to end after its report has. It is about to, but on a busy machine a
/// process takes a while to die.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

/// The way in which a supervisor ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct SupervisorEnd {
    /// The signal that ended it.
    by: Option<Signal>,
    /// The signal that ended the process inside, as reported by the one around it.
    inside_by: Option<Signal>,
}

/// Listens to the supervisor until its end.
pub(super) async fn listen_to_report(
    report: Arc<AsyncReader>,
    watch: Arc<Watch>,
    supervisor: Arc<AsyncFd<OwnedFd>>,
) {
    while let Ok(1..) = report.until_read(|| watch.read_report(&report)).await {}
    let is_known = watch.heard().state != State::Running;
    let end = if is_known { None } else { end_of(&supervisor).await };
    watch.report_ended(end.unwrap_or_default());
}

/// The end of a process, if it comes within the time limit.
async fn end_of(process: &AsyncFd<OwnedFd>) -> Option<SupervisorEnd> {
    let _readable = timeout(ENDS_WITHIN, process.readable()).await.ok()?;
    let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::PidFd(process.get_ref().as_fd()), how).ok()??;
    // Shells and bubblewrap report a signal this way.
    let told = status.exit_status().and_then(|code| code.checked_sub(128));
    Some(SupervisorEnd {
        by: status.terminating_signal().and_then(Signal::from_named_raw),
        inside_by: told.and_then(Signal::from_named_raw),
    })
}

/// Drains stderr to its end. Exceeding [`STDERR_LIMIT`] is news.
pub(super) async fn listen_to_stderr(stderr: Arc<AsyncReader>, watch: Arc<Watch>) {
    while let Ok((count @ 1.., total)) = stderr.until_read(|| watch.read_stderr(&stderr)).await {
        if total > STDERR_LIMIT && total - count as u64 <= STDERR_LIMIT {
            watch.announce(watch.heard());
        }
    }
}
