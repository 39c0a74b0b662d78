//! The file of repeats, which is separate from the records that count.

use crate::directory::{DirectoryError, RunDirectory};
use linesman_record::{GameRecord, RecordWriter};

/// The file of repeats, which is opened for the first repeat.
pub(super) struct RepeatsFile {
    directory: Option<RunDirectory>,
    writer: Option<RecordWriter>,
}

impl RepeatsFile {
    /// Makes a writer for a run directory that opens the file later; with `None`, repeats are not kept.
    pub(super) fn in_directory(directory: Option<RunDirectory>) -> RepeatsFile {
        RepeatsFile { directory, writer: None }
    }

    /// Keeps a record. After a failure, no more records are kept.
    ///
    /// # Errors
    /// The first failure, in words.
    pub(super) fn append(&mut self, record: &GameRecord) -> Result<(), String> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let kept = self
            .open(&directory.clone())
            .and_then(|writer| writer.append(record).map(drop).map_err(|error| error.to_string()));
        if kept.is_err() {
            self.directory = None;
        }
        kept
    }

    fn open(&mut self, directory: &RunDirectory) -> Result<&mut RecordWriter, String> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => directory.repeats_writer().map_err(|error: DirectoryError| error.to_string())?,
        };
        Ok(self.writer.insert(writer))
    }

    /// Waits until all records are durable.
    ///
    /// # Errors
    /// A record that could not be kept, in words.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let finished = self.writer.as_mut().map_or(Ok(0), RecordWriter::finish);
        finished.map(drop).map_err(|error| error.to_string())
    }
}
