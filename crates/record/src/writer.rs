//! Appends records without making players wait for the disk.
//!
//! A writer thread appends each record in a single write as soon as it arrives, so that the record survives
//! the process. A second thread makes written records durable, many at once, so that they survive the
//! machine: [`Pace`] says when.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::file::{RecordFile, RecordFileError, Recovery, to_write_again};
use crate::format::GameRecord;
use crate::reader::MOST_LINE_BYTES;
use crate::text::printable;

/// The conditions under which written records are made durable: after a pause since the last time, so that a
/// disk has little to do when games are few, or as soon as this number of records waits, so that it keeps up
/// when they are many.
#[derive(Copy, Clone, Debug)]
struct Pace {
    pause: Duration,
    records: u64,
}

/// A hundred games a second never reach this number of records.
const PACE: Pace = Pace { pause: Duration::from_millis(20), records: 32 };

/// Maximum number of records that wait to be written. A player has to wait only if the disk hangs.
const MOST_WAITING: usize = 4_096;

/// Maximum length of a game's id in messages, in bytes.
const MOST_ID: usize = 200;

/// Maximum length, in bytes, of a record with the bots' statements. A longer one goes without them.
const MOST_WITH_SAID: usize = 16 << 20;

/// An event of a writer.
#[derive(Clone, Debug)]
pub enum WriteEvent {
    /// The first records of this writer, up to this number, would survive a power cut.
    Durable(u64),
    /// A write failed, and nothing more is written.
    Failed(WriteError),
}

/// Appends records to a file that is locked for this writer.
///
/// The first error is final: afterwards nothing is written, an incomplete line is cut off, and every call
/// returns that error. The lock is held until the writer is dropped.
pub struct RecordWriter {
    lines: Option<SyncSender<Vec<u8>>>,
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    appended: u64,
}

struct Shared {
    file: RecordFile,
    pace: Pace,
    listener: Box<dyn Fn(WriteEvent) + Send + Sync>,
    state: Mutex<WriterState>,
    changed: Condvar,
}

#[derive(Default)]
struct WriterState {
    written: u64,
    durable: u64,
    /// True if no more records will come.
    is_closed: bool,
    failed: Option<WriteError>,
}

impl WriterState {
    /// Number of records that are written but not durable.
    fn undurable(&self) -> u64 {
        self.written - self.durable
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, WriterState> {
        // The state is consistent at every moment, even if a thread panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, step: WriteStep, game: Option<String>, error: io::Error) {
        let error = WriteError { path: self.file.path.clone(), step, game, error: Arc::new(error) };
        let mut state = self.state();
        if state.failed.is_none() {
            state.failed = Some(error.clone());
            drop(state);
            self.changed.notify_all();
            (self.listener)(WriteEvent::Failed(error));
        }
    }
}

impl RecordFile {
    /// Recovers the file and starts appending. `listener` is called from the writer's own threads and must
    /// return quickly.
    ///
    /// # Errors
    /// Those of [`RecordFile::recover`], and threads that can't be started.
    pub fn into_writer(
        mut self,
        listener: impl Fn(WriteEvent) + Send + Sync + 'static,
    ) -> Result<(RecordWriter, Recovery), RecordFileError> {
        let recovery = self.recover()?;
        let path = self.path.clone();
        let writer = RecordWriter::start_at(PACE, self, Box::new(listener))
            .map_err(|error| RecordFileError::Io { path, error })?;
        Ok((writer, recovery))
    }

    /// Does the same as [`RecordFile::into_writer`] without threads: the caller takes the threads' steps.
    ///
    /// # Errors
    /// The same.
    pub fn into_steps(
        mut self,
        listener: impl Fn(WriteEvent) + Send + Sync + 'static,
    ) -> Result<(RecordWriter, WriterSteps, Recovery), RecordFileError> {
        let recovery = self.recover()?;
        let path = self.path.clone();
        let (writer, steps) = RecordWriter::with_steps(PACE, self, Box::new(listener))
            .map_err(|error| RecordFileError::Io { path, error })?;
        Ok((writer, steps, recovery))
    }
}

impl RecordWriter {
    fn start_at(
        pace: Pace,
        file: RecordFile,
        listener: Box<dyn Fn(WriteEvent) + Send + Sync>,
    ) -> io::Result<RecordWriter> {
        let (mut writer, steps) = RecordWriter::with_steps(pace, file, listener)?;
        let WriterSteps { shared, waiting, length } = steps;
        let of_thread = Arc::clone(&shared);
        writer.threads.push(
            thread::Builder::new()
                .name("record-writer".to_owned())
                .spawn(move || write_lines(&of_thread, &waiting, length))?,
        );
        writer
            .threads
            .push(thread::Builder::new().name("record-sync".to_owned()).spawn(move || sync_lines(&shared))?);
        Ok(writer)
    }

    fn with_steps(
        pace: Pace,
        file: RecordFile,
        listener: Box<dyn Fn(WriteEvent) + Send + Sync>,
    ) -> io::Result<(RecordWriter, WriterSteps)> {
        let length = file.file.length()?.unwrap_or(0);
        let state = Mutex::default();
        let shared = Arc::new(Shared { file, pace, listener, state, changed: Condvar::new() });
        let (lines, waiting) = sync_channel(MOST_WAITING);
        let writer = RecordWriter {
            lines: Some(lines),
            shared: Arc::clone(&shared),
            threads: Vec::new(),
            appended: 0,
        };
        Ok((writer, WriterSteps { shared, waiting, length }))
    }

    /// Hands over a record and returns its number, from 1. Another thread writes it at once.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn append(&mut self, record: &GameRecord) -> Result<u64, WriteError> {
        self.check()?;
        let failed = |step, error| WriteError {
            path: self.shared.file.path.clone(),
            step,
            game: Some(record.id.clone()),
            error: Arc::new(error),
        };
        let line = encode(record).map_err(|error| failed(WriteStep::Append, error))?;
        if self.lines.as_ref().is_none_or(|lines| lines.send(line).is_err()) {
            self.check()?;
            let error = io::Error::other("the writer has been finished");
            return Err(failed(WriteStep::Append, error));
        }
        self.appended += 1;
        Ok(self.appended)
    }

    /// Number of records, from the first one on, that would survive a power cut.
    pub fn durable(&self) -> u64 {
        self.shared.state().durable
    }

    /// The file of the records.
    pub fn path(&self) -> &Path {
        &self.shared.file.path
    }

    /// Checks that no error has occurred so far.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn check(&self) -> Result<(), WriteError> {
        self.shared.state().failed.clone().map_or(Ok(()), Err)
    }

    /// Waits until all records are durable and returns their number. Nothing can be appended afterwards; the
    /// lock is still held.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn finish(&mut self) -> Result<u64, WriteError> {
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

impl Drop for RecordWriter {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for RecordWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordWriter").field("path", &self.path()).field("appended", &self.appended).finish()
    }
}

/// A record as a line of the file, with its line end.
fn encode(record: &GameRecord) -> io::Result<Vec<u8>> {
    let mut line = record.to_line()?;
    if line.len() > MOST_WITH_SAID && record.said.is_some() {
        line = GameRecord { said: None, ..record.clone() }.to_line()?;
    }
    if line.len() as u64 >= MOST_LINE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the record is too long to be read again"));
    }
    line.push('\n');
    Ok(line.into_bytes())
}

/// The steps of a writer's two threads, to be taken one by one. They must all have been taken before the
/// writer is finished.
#[derive(Debug)]
pub struct WriterSteps {
    shared: Arc<Shared>,
    waiting: Receiver<Vec<u8>>,
    length: u64,
}

impl WriterSteps {
    /// Takes the writing thread's step: writes a record to the file. Returns true if there was one.
    pub fn write(&mut self) -> bool {
        let Ok(line) = self.waiting.try_recv() else { return false };
        self.shared.write(&line, &mut self.length);
        true
    }

    /// Takes the syncing thread's step: makes written records durable. Returns true if there were any.
    pub fn sync(&mut self) -> bool {
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

impl Shared {
    /// Writes a line, unless something has failed before.
    fn write(&self, line: &[u8], length: &mut u64) {
        if self.state().failed.is_some() {
            return;
        }
        match (&mut &*self.file.file).write_all(line) {
            Ok(()) => {
                *length += line.len() as u64;
                let mut state = self.state();
                state.written += 1;
                let undurable = state.undurable();
                drop(state);
                // The syncing thread needs no wake-up for the records in between, which saves a system call
                // for each.
                if undurable == 1 || undurable == self.pace.records {
                    self.changed.notify_all();
                }
            }
            Err(error) => {
                // If it can't be cut, a torn last line remains, which the next start recovers.
                let _ = self.file.file.cut(*length);
                let game = serde_json::from_slice::<GameRecord>(line).ok().map(|record| record.id);
                self.fail(WriteStep::Append, game, error);
            }
        }
    }

    /// Makes written records durable; `written` is their number. Returns true if that succeeded.
    fn sync(&self, written: u64) -> bool {
        match self.file.file.sync() {
            // Not every file can be synced: a pipe has nothing to make durable.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                self.fail(WriteStep::Sync, None, error);
                return false;
            }
            Ok(()) | Err(_) => {}
        }
        self.state().durable = written;
        (self.listener)(WriteEvent::Durable(written));
        true
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("file", &self.file).finish_non_exhaustive()
    }
}

/// The writing thread: ends when nothing can be appended any more.
fn write_lines(shared: &Shared, waiting: &Receiver<Vec<u8>>, mut length: u64) {
    // The other thread must not wait forever, even if this one panics.
    let _closing = WriterClosing(shared);
    while let Ok(line) = waiting.recv() {
        shared.write(&line, &mut length);
    }
}

struct WriterClosing<'s>(&'s Shared);

impl Drop for WriterClosing<'_> {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.changed.notify_all();
    }
}

/// The syncing thread: ends when everything is durable and nothing more comes.
fn sync_lines(shared: &Shared) {
    let nothing_to_do =
        |state: &mut WriterState| state.undurable() == 0 && !state.is_closed && state.failed.is_none();
    loop {
        let state = shared.changed.wait_while(shared.state(), nothing_to_do);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let written = state.written;
        if state.failed.is_some() && state.durable == written {
            return;
        }
        if state.is_closed && state.durable == written {
            return;
        }
        drop(state);
        if !shared.sync(written) {
            return;
        }
        let pause = shared.changed.wait_timeout_while(shared.state(), shared.pace.pause, |state| {
            state.undurable() < shared.pace.records && !state.is_closed && state.failed.is_none()
        });
        drop(pause);
    }
}

/// The reason why records are no longer written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("can't {step}{} `{}`", Whose(game.as_deref(), *step), path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The step that failed.
    pub step: WriteStep,
    /// The id of the game whose record could not be written, if the error is about one.
    pub game: Option<String>,
    /// The error of the system.
    #[source]
    pub error: Arc<io::Error>,
}

/// A step of writing records.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum WriteStep {
    /// A record could not be appended.
    Append,
    /// Appended records could not be made durable. The number of the last ones that would survive a power cut
    /// is unknown.
    Sync,
}

impl fmt::Display for WriteStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteStep::Append => "write the record",
            WriteStep::Sync => "sync the records",
        })
    }
}

/// The game of a record, and the word before its file.
struct Whose<'g>(Option<&'g str>, WriteStep);

impl fmt::Display for Whose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.0 {
            write!(f, " of `{}`", printable(game, MOST_ID))?;
        }
        f.write_str(match self.1 {
            WriteStep::Append => " to",
            WriteStep::Sync => " in",
        })
    }
}

impl WriteError {
    /// The remedy.
    pub fn hint(&self) -> &'static str {
        to_write_again(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::testing::played;

    #[test]
    fn who_writes_much_does_not_wait_for_a_pause_to_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = RecordFile::open(&folder.path().join("games.jsonl")).unwrap();
        let (sender, heard) = channel();
        let listener = Box::new(move |event| drop(sender.send(event)));
        // No pause ends during this test.
        let pace = Pace { pause: Duration::from_secs(1 << 30), records: 3 };
        let mut writer = RecordWriter::start_at(pace, file, listener).unwrap();
        let mut durable_after = |appended: u64, durable: u64| {
            for number in 0..appended {
                writer.append(&played(number)).unwrap();
            }
            let upto = heard.iter().find_map(|event| match event {
                WriteEvent::Durable(upto) if upto < durable => None,
                WriteEvent::Durable(upto) => Some(upto),
                WriteEvent::Failed(error) => panic!("{error}"),
            });
            assert_eq!(upto, Some(durable));
        };
        // The first record is made durable at once, and so is every third one that waits.
        durable_after(1, 1);
        for round in 1..=20 {
            durable_after(3, 1 + 3 * round);
        }
        writer.append(&played(0)).unwrap();
        assert_eq!(writer.finish().unwrap(), 62);
        assert_eq!(writer.durable(), 62);
    }
}
