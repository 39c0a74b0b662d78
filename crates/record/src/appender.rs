//! Lines that one thread writes as they arrive and another makes durable, many at once.

use std::fmt;
use std::io;
use std::time::Duration;

use super::sync::mpsc::{Receiver, SyncSender, sync_channel};
use super::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use super::thread::{self, JoinHandle};

/// The conditions under which written lines are made durable: after a pause since the last sync, so that a
/// disk has little to do when games are few, or as soon as this number of lines waits, so that it keeps up
/// when they are many.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pace {
    pub(super) pause: Duration,
    pub(super) lines: u64,
}

/// The destination of the lines, which is also notified of what happens to them. Both threads call its
/// methods, which must return quickly except for those that write.
pub(super) trait Medium: Send + Sync + 'static {
    /// The reason why nothing more is written.
    type Error: Clone + Send;

    /// Appends a line to the first `length` bytes, or nothing of it.
    fn append(&self, line: &[u8], length: u64) -> Result<(), Self::Error>;
    /// Makes everything durable that was appended before.
    fn sync(&self) -> Result<(), Self::Error>;
    /// Is called when the first lines, up to this number, are durable.
    fn on_durable(&self, lines: u64);
    /// Is called with the first error.
    fn on_failure(&self, error: Self::Error);
}

/// Writes lines with two threads of its own.
///
/// The first error is final: afterwards nothing is written, and every call returns that error.
pub(super) struct Appender<M: Medium> {
    lines: Option<SyncSender<Vec<u8>>>,
    shared: Arc<Shared<M>>,
    threads: Vec<JoinHandle<()>>,
    appended: u64,
}

struct Shared<M: Medium> {
    medium: M,
    pace: Pace,
    state: Mutex<State<M::Error>>,
    changed: Condvar,
}

struct State<E> {
    written: u64,
    durable: u64,
    /// True if no more lines will arrive.
    is_closed: bool,
    failed: Option<E>,
}

impl<E> State<E> {
    /// The number of lines that are written but not durable.
    fn undurable(&self) -> u64 {
        self.written - self.durable
    }
}

impl<M: Medium> Appender<M> {
    /// Starts the threads. The medium has `length` bytes. An append waits while `max_waiting` lines wait to
    /// be written.
    ///
    /// # Errors
    /// A thread can't be started.
    pub(super) fn start(pace: Pace, max_waiting: usize, medium: M, length: u64) -> io::Result<Appender<M>> {
        let (mut appender, steps) = Appender::with_steps(pace, max_waiting, medium, length);
        let AppenderSteps { shared, waiting, length } = steps;
        let of_writer = Arc::clone(&shared);
        appender.threads.push(
            thread::Builder::new()
                .name("record-writer".to_owned())
                .spawn(move || write_lines(&*of_writer, &waiting, length))?,
        );
        appender
            .threads
            .push(thread::Builder::new().name("record-sync".to_owned()).spawn(move || sync_lines(&*shared))?);
        Ok(appender)
    }

    /// Does the same as [`Appender::start`] without threads: the caller takes the threads' steps.
    pub(super) fn with_steps(
        pace: Pace,
        max_waiting: usize,
        medium: M,
        length: u64,
    ) -> (Appender<M>, AppenderSteps<M>) {
        let state = Mutex::new(State { written: 0, durable: 0, is_closed: false, failed: None });
        let shared = Arc::new(Shared { medium, pace, state, changed: Condvar::new() });
        let (lines, waiting) = sync_channel(max_waiting);
        let appender =
            Appender { lines: Some(lines), shared: Arc::clone(&shared), threads: Vec::new(), appended: 0 };
        (appender, AppenderSteps { shared, waiting, length })
    }

    /// Hands over a line, which another thread writes at once. Returns its number, from 1.
    ///
    /// # Errors
    /// The first error of any line, or nothing if the appender has been finished.
    pub(super) fn append(&mut self, line: Vec<u8>) -> Result<u64, Option<M::Error>> {
        self.check()?;
        if self.lines.as_ref().is_none_or(|lines| lines.send(line).is_err()) {
            self.check()?;
            return Err(None);
        }
        self.appended += 1;
        Ok(self.appended)
    }

    /// The number of lines handed over.
    pub(super) fn appended(&self) -> u64 {
        self.appended
    }

    /// The number of lines, from the first one on, that would survive a power cut.
    pub(super) fn durable(&self) -> u64 {
        self.shared.state().durable
    }

    pub(super) fn medium(&self) -> &M {
        &self.shared.medium
    }

    /// Checks that no error has occurred so far.
    ///
    /// # Errors
    /// The first error of any line.
    pub(super) fn check(&self) -> Result<(), M::Error> {
        self.shared.state().failed.clone().map_or(Ok(()), Err)
    }

    /// Waits until all lines are durable and returns their number. Nothing can be appended afterwards.
    ///
    /// # Errors
    /// The first error of any line.
    pub(super) fn finish(&mut self) -> Result<u64, M::Error> {
        self.close();
        self.check()?;
        Ok(self.appended)
    }

    fn close(&mut self) {
        self.lines = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join()
                && !thread::panicking()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

impl<M: Medium> Drop for Appender<M> {
    fn drop(&mut self) {
        self.close();
    }
}

/// The steps of an appender's two threads, to be taken one by one. All of them must be taken before the
/// appender is finished.
pub(super) struct AppenderSteps<M: Medium> {
    shared: Arc<Shared<M>>,
    waiting: Receiver<Vec<u8>>,
    length: u64,
}

impl<M: Medium> AppenderSteps<M> {
    /// Takes the writing thread's step: writes a line. Returns true if there was one.
    pub(super) fn write(&mut self) -> bool {
        let Ok(line) = self.waiting.try_recv() else { return false };
        self.shared.write(&line, &mut self.length);
        true
    }

    /// Takes the syncing thread's step: makes written lines durable. Returns true if there were any.
    pub(super) fn sync(&mut self) -> bool {
        let state = self.shared.state();
        let written = state.written;
        if state.failed.is_some() || state.durable == written {
            return false;
        }
        drop(state);
        self.shared.sync(written);
        true
    }
}

impl<M: Medium> Shared<M> {
    fn state(&self) -> MutexGuard<'_, State<M::Error>> {
        // The state is consistent at every moment, even if a thread panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line, unless something has failed before.
    fn write(&self, line: &[u8], length: &mut u64) {
        if self.state().failed.is_some() {
            return;
        }
        match self.medium.append(line, *length) {
            Ok(()) => {
                *length += line.len() as u64;
                let mut state = self.state();
                state.written += 1;
                let undurable = state.undurable();
                drop(state);
                // The syncing thread needs no wake-up for the lines in between, which saves a system call
                // for each.
                if undurable == 1 || undurable == self.pace.lines {
                    self.changed.notify_all();
                }
            }
            Err(error) => self.fail(error),
        }
    }

    /// Makes `written` lines durable. Returns true if that succeeded.
    fn sync(&self, written: u64) -> bool {
        if let Err(error) = self.medium.sync() {
            self.fail(error);
            return false;
        }
        self.state().durable = written;
        self.medium.on_durable(written);
        true
    }

    fn fail(&self, error: M::Error) {
        let mut state = self.state();
        if state.failed.is_none() {
            state.failed = Some(error.clone());
            drop(state);
            self.changed.notify_all();
            self.medium.on_failure(error);
        }
    }
}

impl<M: Medium> fmt::Debug for AppenderSteps<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppenderSteps").field("length", &self.length).finish_non_exhaustive()
    }
}

/// Writes lines until nothing can be appended any more.
fn write_lines<M: Medium>(shared: &Shared<M>, waiting: &Receiver<Vec<u8>>, mut length: u64) {
    // The other thread must not wait forever, even if this one panics.
    let _close_on_drop = CloseOnDrop(shared);
    while let Ok(line) = waiting.recv() {
        shared.write(&line, &mut length);
    }
}

struct CloseOnDrop<'s, M: Medium>(&'s Shared<M>);

impl<M: Medium> Drop for CloseOnDrop<'_, M> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.changed.notify_all();
    }
}

/// Makes lines durable until all are and no more can arrive.
fn sync_lines<M: Medium>(shared: &Shared<M>) {
    let is_idle =
        |state: &mut State<M::Error>| state.undurable() == 0 && !state.is_closed && state.failed.is_none();
    loop {
        let state = shared.changed.wait_while(shared.state(), is_idle);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let written = state.written;
        if state.undurable() == 0 && (state.is_closed || state.failed.is_some()) {
            return;
        }
        drop(state);
        if !shared.sync(written) {
            return;
        }
        let pause = shared.changed.wait_timeout_while(shared.state(), shared.pace.pause, |state| {
            state.undurable() < shared.pace.lines && !state.is_closed && state.failed.is_none()
        });
        drop(pause);
    }
}
