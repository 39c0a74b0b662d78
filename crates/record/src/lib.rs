//! The record of a game: one line of JSON in an append-only file.
//!
//! [`mod@format`] says what stands in it. [`RecordFile`] appends ([`RecordWriter`])
//! and recovers what was torn, [`RecordReader`] reads, [`Selection`] tells
//! which records count, and [`verify`] replays them through the rules.

pub mod as_it_is;
mod atomic;
mod checksum;
mod convert;
mod disk;
mod file;
pub mod format;
mod league_game;
mod outcome;
mod play;
mod played;
mod read_error;
mod reader;
mod scan;
mod selection;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod verify;
mod writer;

#[cfg(test)]
mod tests;

pub use atomic::{write_atomically, write_atomically_on};
pub use checksum::{Mismatch, seal};
pub use convert::{UnreadableVerdict, mark_records, microseconds};
pub use disk::{Disk, DiskFile, Entry, HostDisk};
pub use file::to_write_again;
pub use file::{RecordFile, RecordFileError, Recovery};
pub use format::{
    AdjudicationRecord, EvidenceRecord, FaultRecord, GameRecord, LoadRecord, MarkRecord, OpeningRecord,
    SaidRecord, SandboxRecord, SeatRecord, TranscriptRecord, UsageRecord, VERSION, VoidRecord,
};
pub use league_game::{LeagueGame, Program};
pub use outcome::{Ended, LateMove, Misshapen, Outcome};
pub use play::PlayDigests;
pub use played::PlayedGame;
pub use read_error::{ReadError, ReadProblem, deleting};
pub use reader::{HeldLine, Line, LinePlace, MOST_LINE_BYTES, RecordReader, Source, TornLine};
pub use selection::{Selection, Standing};
pub use writer::{RecordWriter, WriteError, WriteEvent, WriteStep, WriterSteps};
