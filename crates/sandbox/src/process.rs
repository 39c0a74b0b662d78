//! A running bot as a trait, so that tests can simulate it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use linesman_types::reading::Reading;

use super::closing::Liveness;
use super::report::{Breach, State};

/// The processes and folders of bots that are left after all attempts to remove them.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
#[must_use]
pub struct Leaked {
    /// Number of processes that could not be ended.
    pub processes: usize,
    /// Number of scratch folders that could not be removed.
    pub folders: usize,
}

impl Leaked {
    /// Returns the sum of both.
    pub fn and(self, other: Leaked) -> Leaked {
        Leaked { processes: self.processes + other.processes, folders: self.folders + other.folders }
    }

    /// Returns true if nothing is left.
    pub fn is_empty(self) -> bool {
        self == Leaked::default()
    }

    /// Returns a warning for the user if anything is left.
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

/// Counts the bots that were killed because they did not end within their limit after `quit`.
#[derive(Clone, Debug, Default)]
pub struct QuitOverruns(Arc<AtomicU64>);

impl QuitOverruns {
    /// Returns the count so far.
    pub fn number(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds one.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// All counters are equal: bots with different counters are interchangeable.
impl PartialEq for QuitOverruns {
    fn eq(&self, _: &QuitOverruns) -> bool {
        true
    }
}

impl Eq for QuitOverruns {}

/// A running bot.
pub trait Process {
    /// The end of a bot, in progress.
    type Terminating: Terminating;

    /// The type of the wrapped process, or the implementation itself if it wraps none.
    type Inner: Process;

    /// Returns the wrapped process, if any. The default methods report its state and its resources.
    fn inner(&self) -> Option<&Self::Inner> {
        None
    }

    /// Reads the available output; `None` if there is none.
    ///
    /// # Errors
    /// The system's error for the pipe.
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>>;

    /// Writes as much as fits to its input; `None` if nothing does.
    ///
    /// # Errors
    /// The bot has closed its input.
    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>>;

    /// Returns true if there may have been news of its state or its stderr since the last call.
    fn take_news(&self) -> bool {
        self.inner().is_some_and(Process::take_news)
    }

    /// Returns the last known state of its main process.
    fn state(&self) -> State {
        self.inner().map_or(State::Running, Process::state)
    }

    /// Returns the breach for which it was ended, if any. The breach is known before the end.
    fn breach(&self) -> Option<Breach> {
        self.inner()?.breach()
    }

    /// Returns whether the kernel counts it as alive. On a busy machine its supervisor may report its end much later.
    fn liveness(&self) -> Liveness {
        self.inner().map_or(Liveness::Unknown, Process::liveness)
    }

    /// Returns the kept stderr from [`Process::forget_stderr`] to this moment, with a last line about refused system
    /// calls, if any.
    fn stderr_text(&self) -> String {
        self.inner().map(Process::stderr_text).unwrap_or_default()
    }

    /// Returns the number of bytes written to stderr since [`Process::forget_stderr`]; more than
    /// [`STDERR_LIMIT`](super::STDERR_LIMIT) is news.
    fn stderr_bytes(&self) -> u64 {
        self.inner().map_or(0, Process::stderr_bytes)
    }

    /// Returns what is kept of its stderr after the first `bytes` bytes: the beginning and the end.
    fn stderr_since(&self, bytes: u64) -> Vec<u8> {
        self.inner().map(|bot| bot.stderr_since(bytes)).unwrap_or_default()
    }

    /// Discards its stderr so far.
    fn forget_stderr(&self) {
        self.inner().into_iter().for_each(Process::forget_stderr);
    }

    /// Returns the CPU time that it has used so far; `None` if it has ended, or if this system can't report it.
    fn reading(&self) -> Option<Reading> {
        self.inner()?.reading()
    }

    /// Returns the waits for a CPU of our own process that is about to start the bot; `None` once the bot runs.
    fn reading_of_starter(&self) -> Option<Reading> {
        self.inner()?.reading_of_starter()
    }

    /// Returns the peak memory of its cgroup in KiB or, where that is not counted, the sum of the peak
    /// resident memory of its living processes; `None` if it has ended.
    fn peak_kib(&self) -> Option<u64> {
        self.inner()?.peak_kib()
    }

    /// Stops all its processes, but none of ours. A second call does nothing.
    fn pause(&self) {
        self.inner().into_iter().for_each(Process::pause);
    }

    /// Resumes a paused bot. A second call does nothing, so that a bot that has stopped itself stays stopped.
    fn resume(&self) {
        self.inner().into_iter().for_each(Process::resume);
    }

    /// Does the same as [`Bot::kill`](super::Bot::kill) in the background.
    fn kill_later(self) -> Self::Terminating;

    /// Does the same as [`Bot::quit`](super::Bot::quit) in the background. Counts a bot that does not end in time.
    fn quit_later(self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Self::Terminating;
}

/// The end of a bot, in progress.
pub trait Terminating {
    /// Returns the processes and folders that could not be removed; `None` until the end is over.
    fn poll(&mut self) -> Option<Leaked>;
}

/// If there is nothing to end, nothing is left.
impl<T: Terminating> Terminating for Option<T> {
    fn poll(&mut self) -> Option<Leaked> {
        match self {
            Some(terminating) => terminating.poll(),
            None => Some(Leaked::default()),
        }
    }
}
