//! A running bot as a trait, so that tests can simulate it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use linesman_types::reading::Reading;

use super::closing::Liveness;
use super::report::{Breach, State};

/// The processes and folders of bots that are left after every attempt to end them.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
#[must_use]
pub struct Leaked {
    /// Number of processes that could not be ended.
    pub processes: usize,
    /// Number of scratch folders that could not be removed.
    pub folders: usize,
}

impl Leaked {
    /// The sum of both.
    pub fn and(self, other: Leaked) -> Leaked {
        Leaked { processes: self.processes + other.processes, folders: self.folders + other.folders }
    }

    /// True if nothing is left.
    pub fn is_empty(self) -> bool {
        self == Leaked::default()
    }

    /// Warning for the user, if anything is left.
    pub fn warning(self) -> Option<String> {
        let counted = |number, one, many| format!("{number} {}", if number == 1 { one } else { many });
        let processes =
            counted(self.processes, "process of a bot", "processes of bots") + " could not be ended";
        let folders = counted(self.folders, "scratch folder of a bot", "scratch folders of bots")
            + " could not be removed: delete `linesman-*` in the folder for temporary files";
        let parts = [(self.processes, processes), (self.folders, folders)];
        let parts: Vec<String> =
            parts.into_iter().filter(|(left, _)| *left > 0).map(|(_, text)| text).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Number of bots that did not end within their limit after `quit`, and were killed.
#[derive(Clone, Debug, Default)]
pub struct QuitOverruns(Arc<AtomicU64>);

impl QuitOverruns {
    /// The count so far.
    pub fn number(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds one.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// All counts are equal: bots with different counts are interchangeable.
impl PartialEq for QuitOverruns {
    fn eq(&self, _: &QuitOverruns) -> bool {
        true
    }
}

impl Eq for QuitOverruns {}

/// A running bot.
pub trait Process {
    /// Its end, in progress.
    type Terminating: Terminating;

    /// The type of the wrapped process, or the implementation itself if it wraps none.
    type Inner: Process;

    /// The wrapped process, for a seat that may have one. By default its state and its resources are reported.
    fn inner(&self) -> Option<&Self::Inner> {
        None
    }

    /// Reads the output that is available; `None` if there is none.
    ///
    /// # Errors
    /// An error of the pipe.
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>>;

    /// Writes as much to its input as fits; `None` if nothing does.
    ///
    /// # Errors
    /// It closed its input.
    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>>;

    /// True if there may be news of its state or its stderr since the last call.
    fn take_news(&self) -> bool {
        self.inner().is_some_and(Process::take_news)
    }

    /// The state of its main process, as far as is known.
    fn state(&self) -> State {
        self.inner().map_or(State::Running, Process::state)
    }

    /// The resource that it used too much of, if it was ended for that. Known before its end is.
    fn breach(&self) -> Option<Breach> {
        self.inner()?.breach()
    }

    /// Its life as the kernel sees it: on a busy machine its supervisor's
    /// report of its end may take a while.
    fn liveness(&self) -> Liveness {
        self.inner().map_or(Liveness::Unknown, Process::liveness)
    }

    /// The end of its stderr since [`Process::forget_stderr`], with all that
    /// it has written until now. A line about system calls that the sandbox refused stands at the end.
    fn stderr_text(&self) -> String {
        self.inner().map(Process::stderr_text).unwrap_or_default()
    }

    /// The number of bytes written to stderr since [`Process::forget_stderr`]; more
    /// than [`STDERR_LIMIT`](super::STDERR_LIMIT) is news.
    fn stderr_bytes(&self) -> u64 {
        self.inner().map_or(0, Process::stderr_bytes)
    }

    /// All that it has written to stderr after the first `bytes` of [`Process::stderr_bytes`], as far as it is
    /// kept: the first and the last of it.
    fn stderr_since(&self, bytes: u64) -> Vec<u8> {
        self.inner().map(|bot| bot.stderr_since(bytes)).unwrap_or_default()
    }

    /// Begins a new account of its stderr.
    fn forget_stderr(&self) {
        self.inner().into_iter().for_each(Process::forget_stderr);
    }

    /// CPU time that it has used up to now; `None` if it has ended, or if this system can't tell.
    fn reading(&self) -> Option<Reading> {
        self.inner()?.reading()
    }

    /// The waits for a CPU of our own process that is about to start the bot; `None` once the bot runs.
    fn reading_of_starter(&self) -> Option<Reading> {
        self.inner()?.reading_of_starter()
    }

    /// Peak memory of its cgroup in KiB. Where that is not counted, the sum of the peak resident memory of
    /// its living processes. `None` if it has ended.
    fn peak_kib(&self) -> Option<u64> {
        self.inner()?.peak_kib()
    }

    /// Stops all of its processes, but none of ours. A second call does nothing.
    fn pause(&self) {
        self.inner().into_iter().for_each(Process::pause);
    }

    /// Resumes a paused bot. A second call does nothing, so that a bot
    /// that has stopped itself stays stopped.
    fn resume(&self) {
        self.inner().into_iter().for_each(Process::resume);
    }

    /// Does the same as [`Bot::kill`](super::Bot::kill) in the background.
    fn kill_later(self) -> Self::Terminating;

    /// Does the same as [`Bot::quit`](super::Bot::quit) in the background. Counts a bot that does not end in
    /// time.
    fn quit_later(self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Self::Terminating;
}

/// The end of a bot, in progress.
pub trait Terminating {
    /// The processes and folders that could not be removed, once the end is over.
    fn look(&mut self) -> Option<Leaked>;
}

/// If nothing has to end, nothing is left.
impl<T: Terminating> Terminating for Option<T> {
    fn look(&mut self) -> Option<Leaked> {
        match self {
            Some(terminating) => terminating.look(),
            None => Some(Leaked::default()),
        }
    }
}
