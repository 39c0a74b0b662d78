//! Appends records without making players wait for the disk.
//!
//! A writer thread appends each record in a single write as soon as it arrives, so that the record survives
//! the process. A second thread makes written records durable, many at once, so that they survive the
//! machine; [`Pace`] determines when. Both belong to an [`Appender`].

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::appender::{Appender, AppenderSteps, Medium, Pace};
use crate::file::{RecordFile, RecordFileError, Recovery, write_hint};
use crate::format::GameRecord;
use crate::reader::MAX_LINE_BYTES;
use crate::text::printable;

/// Records are synced after the pause, or at once when this number of them waits, which a hundred games per
/// second never reach.
const PACE: Pace = Pace { pause: Duration::from_millis(20), lines: 32 };

/// The maximum number of records that wait to be written. A player has to wait only if the disk hangs.
const MAX_WAITING: usize = 4_096;

/// The maximum length of a game's id in messages, in bytes.
const MAX_ID: usize = 200;

/// The maximum length, in bytes, of a record with the bots' statements. A longer one is written without them.
const MAX_WITH_SAID: usize = 16 << 20;

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
pub struct RecordWriter(Appender<Records>);

struct Records {
    file: RecordFile,
    listener: Box<dyn Fn(WriteEvent) + Send + Sync>,
}

impl Records {
    fn error(&self, step: WriteStep, game: Option<String>, error: io::Error) -> WriteError {
        WriteError { path: self.file.path.clone(), step, game, error: Arc::new(error) }
    }
}

impl Medium for Records {
    type Error = WriteError;

    fn append(&self, line: &[u8], length: u64) -> Result<(), WriteError> {
        (&mut &*self.file.file).write_all(line).map_err(|error| {
            // If it can't be cut, a torn last line remains, which the next start recovers.
            let _ = self.file.file.cut(length);
            let game = serde_json::from_slice::<GameRecord>(line).ok().map(|record| record.id);
            self.error(WriteStep::Append, game, error)
        })
    }

    fn sync(&self) -> Result<(), WriteError> {
        match self.file.file.sync() {
            // Not every file can be synced: a pipe has nothing to make durable.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(self.error(WriteStep::Sync, None, error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn on_durable(&self, lines: u64) {
        (self.listener)(WriteEvent::Durable(lines));
    }

    fn on_failure(&self, error: WriteError) {
        (self.listener)(WriteEvent::Failed(error));
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
        let length = self.length().map_err(|error| RecordFileError::Io { path: self.path.clone(), error })?;
        let records = Records { file: self, listener: Box::new(listener) };
        let (appender, steps) = Appender::with_steps(PACE, MAX_WAITING, records, length);
        Ok((RecordWriter(appender), WriterSteps(steps), recovery))
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.length()?.unwrap_or(0))
    }
}

impl RecordWriter {
    fn start_at(
        pace: Pace,
        file: RecordFile,
        listener: Box<dyn Fn(WriteEvent) + Send + Sync>,
    ) -> io::Result<RecordWriter> {
        let length = file.length()?;
        Appender::start(pace, MAX_WAITING, Records { file, listener }, length).map(RecordWriter)
    }

    /// Hands over a record, which another thread writes at once. Returns its number, from 1.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn append(&mut self, record: &GameRecord) -> Result<u64, WriteError> {
        self.check()?;
        let failed = |appender: &Appender<Records>, error| {
            appender.medium().error(WriteStep::Append, Some(record.id.clone()), error)
        };
        let line = encode(record).map_err(|error| failed(&self.0, error))?;
        self.0.append(line).map_err(|error| {
            error.unwrap_or_else(|| failed(&self.0, io::Error::other("the writer has been finished")))
        })
    }

    /// The number of records, from the first one on, that would survive a power cut.
    pub fn durable(&self) -> u64 {
        self.0.durable()
    }

    /// The file of the records.
    pub fn path(&self) -> &Path {
        &self.0.medium().file.path
    }

    /// Checks that no error has occurred so far.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn check(&self) -> Result<(), WriteError> {
        self.0.check()
    }

    /// Waits until all records are durable and returns their number. Nothing can be appended afterwards; the
    /// lock is still held.
    ///
    /// # Errors
    /// The first error of any record.
    pub fn finish(&mut self) -> Result<u64, WriteError> {
        self.0.finish()
    }
}

impl fmt::Debug for RecordWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let appended = self.0.appended();
        f.debug_struct("RecordWriter").field("path", &self.path()).field("appended", &appended).finish()
    }
}

/// Encodes a record as a line of the file, with its line end.
fn encode(record: &GameRecord) -> io::Result<Vec<u8>> {
    let mut line = record.to_line()?;
    if line.len() > MAX_WITH_SAID && record.said.is_some() {
        line = GameRecord { said: None, ..record.clone() }.to_line()?;
    }
    if line.len() as u64 >= MAX_LINE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the record is too long to be read again"));
    }
    line.push('\n');
    Ok(line.into_bytes())
}

/// The steps of a writer's two threads, to be taken one by one. All of them must be taken before the writer
/// is finished.
#[derive(Debug)]
pub struct WriterSteps(AppenderSteps<Records>);

impl WriterSteps {
    /// Takes the writing thread's step: writes a record to the file. Returns true if there was one.
    pub fn write(&mut self) -> bool {
        self.0.write()
    }

    /// Takes the syncing thread's step: makes written records durable. Returns true if there were any.
    pub fn sync(&mut self) -> bool {
        self.0.sync()
    }
}

/// The reason why records are no longer written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("can't {} `{}`", attempt(*step, game.as_deref()), path.display())]
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

/// The attempt that failed, up to the word before the file.
fn attempt(step: WriteStep, game: Option<&str>) -> String {
    let of = game.map_or_else(String::new, |game| format!(" of `{}`", printable(game, MAX_ID)));
    match step {
        WriteStep::Append => format!("write the record{of} to"),
        WriteStep::Sync => format!("sync the records{of} in"),
    }
}

impl WriteError {
    /// The remedy.
    pub fn hint(&self) -> &'static str {
        write_hint(&self.error)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::testing::played;

    #[test]
    fn many_records_do_not_wait_for_a_pause_to_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = RecordFile::open(&folder.path().join("games.jsonl")).unwrap();
        let (sender, heard) = channel();
        let listener = Box::new(move |event| drop(sender.send(event)));
        // No pause ends during this test.
        let pace = Pace { pause: Duration::from_secs(1 << 30), lines: 3 };
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
