//! Appending records, without anybody who plays ever waiting for the disk.
//!
//! One thread writes: each record in one write, as soon as it is there, so
//! that it outlives the process. Another makes what was written durable, many
//! records at once, so that they outlive the machine: [`Pace`] says when.

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

/// When what was written is made durable: after a pause since the last time, so that a
/// disk has little to do where games are few, or as soon as so many records wait
/// for it, so that it keeps up where they are many.
#[derive(Copy, Clone, Debug)]
struct Pace {
    pause: Duration,
    records: u64,
}

/// A hundred games a second never come to so many records.
const PACE: Pace = Pace { pause: Duration::from_millis(20), records: 32 };

/// Number of records that may wait to be written; only when the disk hangs does
/// anybody have to wait for it.
const MOST_WAITING: usize = 4_096;

/// How much of a game's id is shown, in bytes.
const MOST_ID: usize = 200;

/// Beyond this a record does without what the bots said.
const MOST_WITH_SAID: usize = 16 << 20;

/// Something that a writer tells.
#[derive(Clone, Debug)]
pub enum WriteEvent {
    /// So many records of this writer, the first ones, would outlive a power cut.
    Durable(u64),
    /// Nothing more is written.
    Failed(WriteError),
}

/// Appends records to a file that is locked for it.
///
/// The first error is final: after it nothing more is written, a line written
/// in part is cut off again, and every call returns that error. The lock is
/// held until the writer is dropped.
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
    /// No more will be written.
    is_closed: bool,
    failed: Option<WriteError>,
}

impl WriterState {
    /// Number of records that are written and not durable.
    fn undurable(&self) -> u64 {
        self.written - self.durable
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, WriterState> {
        // The state is whole at every moment, whoever panicked.
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
    /// Recovers the file and goes over to appending. `listener` is called from
    /// the writer's own threads and must return quickly.
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

    /// [`RecordFile::into_writer`] without threads: whoever asks for it takes
    /// the steps that they would take.
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

    /// Hands over a record and returns its number, from 1. It is written at
    /// once, by another thread.
    ///
    /// # Errors
    /// The first error that any record met.
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

    /// How many records, from the first one on, would outlive a power cut.
    pub fn durable(&self) -> u64 {
        self.shared.state().durable
    }

    /// Where the records go.
    pub fn path(&self) -> &Path {
        &self.shared.file.path
    }

    /// Whether everything went well so far.
    ///
    /// # Errors
    /// The first error that any record met.
    pub fn check(&self) -> Result<(), WriteError> {
        self.shared.state().failed.clone().map_or(Ok(()), Err)
    }

    /// Waits until all records are durable and returns their number. Nothing
    /// can be appended any more; the lock is still held.
    ///
    /// # Errors
    /// The first error that any record met.
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

/// A record as a line of the file, its end included.
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

/// What a writer's two threads do, to be done one step at a time. Whoever
/// finishes a writer has taken all steps before.
#[derive(Debug)]
pub struct WriterSteps {
    shared: Arc<Shared>,
    waiting: Receiver<Vec<u8>>,
    length: u64,
}

impl WriterSteps {
    /// The writing thread's step: a record to the file. Says whether there was one.
    pub fn write(&mut self) -> bool {
        let Ok(line) = self.waiting.try_recv() else { return false };
        self.shared.write(&line, &mut self.length);
        true
    }

    /// The syncing thread's step: what is written becomes durable. Says whether
    /// there was anything.
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
                // Of those in between who syncs wants to hear nothing: a call to the kernel less for each.
                if undurable == 1 || undurable == self.pace.records {
                    self.changed.notify_all();
                }
            }
            Err(error) => {
                // What can't be cut is a torn last line, which the next start recovers.
                let _ = self.file.file.cut(*length);
                let game = serde_json::from_slice::<GameRecord>(line).ok().map(|record| record.id);
                self.fail(WriteStep::Append, game, error);
            }
        }
    }

    /// Makes the records durable of which so many are written. Says whether it could.
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

/// The writing thread: ends when nobody can append any more.
fn write_lines(shared: &Shared, waiting: &Receiver<Vec<u8>>, mut length: u64) {
    // Also when this thread panics, the other one must not wait for ever.
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

/// The syncing thread: ends when all is durable and nothing more comes.
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

/// The reason why records are not written any more.
#[derive(Clone, Debug, thiserror::Error)]
#[error("can't {step}{} `{}`", Whose(game.as_deref(), *step), path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What failed.
    pub step: WriteStep,
    /// The id of the game whose record could not be written, where it is about one.
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
    /// Appended records could not be made durable: how many of the last ones
    /// would outlive a power cut is unknown.
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

/// Of which game a record is, and the word before its file.
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
    /// What can be done about it.
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
        // No pause ends while this test goes on.
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
        // The first that comes is made durable at once, and so is each third that waits.
        durable_after(1, 1);
        for round in 1..=20 {
            durable_after(3, 1 + 3 * round);
        }
        writer.append(&played(0)).unwrap();
        assert_eq!(writer.finish().unwrap(), 62);
        assert_eq!(writer.durable(), 62);
    }
}
