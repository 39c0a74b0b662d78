//! The file of repeats, which is separate from the records that count.

use crate::directory::RunDirectory;
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
        let Some(directory) = self.directory.take() else { return Ok(()) };
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => directory.repeats_writer().map_err(|error| error.to_string())?,
        };
        self.writer.insert(writer).append(record).map_err(|error| error.to_string())?;
        self.directory = Some(directory);
        Ok(())
    }

    /// Waits until all records are durable.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let finished = self.writer.as_mut().map_or(Ok(0), RecordWriter::finish);
        finished.map(drop).map_err(|error| error.to_string())
    }
}
