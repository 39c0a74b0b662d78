//! Passes the record of each game to the writer, and stops the run if a record can't be kept.

use std::collections::BTreeSet;

use linesman_driver::StopSwitch;
use linesman_record::{GameRecord, RecordWriter, VoidKind, WriteError};

pub struct RunProgress<'w> {
    /// The writer of the records; `None` if they are not kept.
    writer: Option<&'w mut RecordWriter>,
    stop: StopSwitch,
    left: u64,
    failed: Option<WriteError>,
    broken_off: u64,
    void: Option<String>,
    /// The ids of the games that an overloaded host spoiled and that are still to be played.
    open: BTreeSet<String>,
}

/// The consequence of a finished game for the run.
#[derive(Clone, Debug)]
pub enum Step {
    /// The game counts.
    Played,
    /// The host made the game void, for this reason: it is played again.
    Void(String),
    /// An overloaded host spoiled the game, for this reason: it is played again later.
    Spoiled(String),
    /// The record can't be kept: no new games start, and the running ones are aborted.
    Failed(WriteError),
    /// Records can no longer be kept: the game counts as not played.
    Lost,
}

#[derive(Clone, Debug)]
pub struct End {
    /// Number of missing games.
    pub left: u64,
    /// Number of aborted games.
    pub broken_off: u64,
    /// The id of the last game that was void for another reason than overload, with the reason.
    pub void: Option<String>,
    /// Number of missing games that an overloaded host spoiled.
    pub open: u64,
}

impl<'w> RunProgress<'w> {
    /// Makes the progress of a run that lacks `left` games.
    pub fn new(writer: Option<&'w mut RecordWriter>, left: u64, stop: StopSwitch) -> RunProgress<'w> {
        RunProgress { writer, stop, left, failed: None, broken_off: 0, void: None, open: BTreeSet::new() }
    }

    /// Takes the record of a game that ended.
    pub fn ended(&mut self, record: &GameRecord) -> Step {
        if self.failed.is_some() {
            return Step::Lost;
        }
        if let Some(Err(error)) = self.writer.as_mut().map(|writer| writer.append(record)) {
            self.write_failed(error.clone());
            return Step::Failed(error);
        }
        match record.void.as_ref().filter(|void| void.kind == VoidKind::Host) {
            Some(void) => {
                let why = void.why.clone().unwrap_or_default();
                if void.seat.is_some() {
                    self.open.insert(record.id.clone());
                    return Step::Spoiled(why);
                }
                self.void = Some(format!("{}: {why}", record.id));
                Step::Void(why)
            }
            None => {
                self.left = self.left.saturating_sub(1);
                self.open.remove(&record.id);
                Step::Played
            }
        }
    }

    /// Subtracts games that no longer need to be played.
    pub fn cancelled(&mut self, games: u64) {
        self.left = self.left.saturating_sub(games);
    }

    /// Counts a game that was aborted.
    pub fn broken_off(&mut self) {
        self.broken_off += 1;
    }

    /// Handles a failure to write, after which no record can be kept. Returns true if it is the first one.
    pub fn write_failed(&mut self, error: WriteError) -> bool {
        self.stop.abort_running();
        let is_new = self.failed.is_none();
        self.failed.get_or_insert(error);
        is_new
    }

    /// Waits until all records are durable.
    ///
    /// # Errors
    /// The first record that could not be kept.
    pub fn finish(self) -> Result<End, WriteError> {
        // Also after a failure, so that the writer has stopped when this returns.
        let finished = self.writer.map_or(Ok(0), RecordWriter::finish);
        if let Some(error) = self.failed {
            return Err(error);
        }
        finished?;
        let open = self.open.len() as u64;
        Ok(End { left: self.left, broken_off: self.broken_off, void: self.void, open })
    }
}
