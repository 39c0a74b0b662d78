//! The records of games: one line of JSON for each game, in files that only grow.
//!
//! ```
//! use linesman_record::RecordReader;
//! use linesman_record::verify::verify;
//!
//! let line = concat!(
//!     r#"{"v":1,"id":"ada~bob~1","game":"quixo","options":{"size":3},"#,
//!     r#""seats":[{"name":"ada"},{"name":"bob"}],"moves":["a1a3","c1c3","a1a3","c1c3","a1a3"],"#,
//!     r#""places":[1,2],"reason":"line"}"#,
//!     "\n"
//! );
//! let mut findings = Vec::new();
//! let reader = RecordReader::from_input("games.jsonl", line.as_bytes());
//! let summary = verify(reader, &mut |finding| findings.push(finding));
//! assert_eq!((summary.replayed, summary.untrue), (1, 0), "{findings:?}");
//! ```
//!
//! [`RecordFile`] opens a file and repairs a torn line. [`RecordWriter`] appends to it, [`RecordReader`]
//! reads it, [`Selection`] decides which records count if a game has several, and [`verify`] replays records
//! by the rules.
//!
//! # Modules
//!
//! - [`mod@format`]: the fields of a record. `docs/reference/records.md` describes them.
//! - [`verify`]: replays records move by move.
//! - [`text`]: texts written by bots, made safe to store and to print.
//! - [`identity_hasher`]: a hasher for keys that are digests.
//!
//! The other modules are private, and their types are exported here:
//!
//! - Writing: `file`, `writer` (with the threads of an `appender`), `checksum`, `atomic` (files that are
//!   written as a whole or not at all), and `convert` (from verdicts to records and back; `fault` for faults,
//!   `evidence` for the machine's account of a move).
//! - Reading: `reader` and `read_error`. `summary` reads only a part of a record, whose `outcome` has the
//!   players and the result. `scan` is the fast parser for the part that ratings need.
//! - `disk`: the file system as a trait, so that tests can make it fail.
//! - `selection`: the records that count. `tally` and `host_tally` count results, and the CPU time of the
//!   bots.
//! - `playthrough`: the game of a record, played through by the rules.
//! - `worker`: the worker that played a game, and its time scale. `worker_tally` counts games by worker.
//! - `fingerprint`, `digest_set` and `repeats`: games that repeat earlier ones.

// `tests/interleavings` includes `appender` next to others of these names.
use std::{sync, thread};

mod appender;
mod atomic;
mod checksum;
mod convert;
mod digest_set;
mod disk;
mod evidence;
mod fault;
mod file;
mod fingerprint;
pub mod format;
mod host_tally;
pub mod identity_hasher;
mod line_place;
mod outcome;
mod playthrough;
mod read_error;
mod reader;
mod repeats;
mod scan;
mod selection;
mod summary;
mod tally;
pub mod testing;
pub mod text;
pub mod verify;
mod worker;
mod worker_tally;
mod writer;

#[cfg(test)]
#[path = "../../../tests/support/kept.rs"]
mod kept;
#[cfg(test)]
#[path = "../../../tests/support/schema.rs"]
mod schema;
#[cfg(test)]
mod tests;

pub use atomic::{write_atomically, write_atomically_on};
pub use checksum::{Mismatch, seal};
pub use convert::{mark_records, option_value};
pub use disk::{Disk, DiskFile, Entry, HostDisk};
pub use evidence::{EvidenceRecord, microseconds};
pub use fault::{FaultFields, FaultRecord, MAX_STRAY_LINES, UnreadableVerdict};
pub use file::{RecordFile, RecordFileError, Recovery, write_hint};
pub use fingerprint::GameFingerprints;
pub use format::{
    AdjudicationRecord, GameRecord, LoadRecord, MarkRecord, OpeningRecord, SaidRecord, SandboxRecord,
    SeatRecord, TranscriptRecord, UsageRecord, VERSION, VoidKind, VoidRecord,
};
pub use host_tally::{HostTally, median_waited_share};
pub use line_place::LinePlace;
pub use outcome::{Ended, LateMove, Malformed, Outcome};
pub use playthrough::{NoSetup, Playthrough, set_up, time_controls};
pub use read_error::{ReadError, ReadProblem, deleting};
pub use reader::{Line, MAX_LINE_BYTES, OwnedLine, RecordReader, Source, TornLine};
pub use repeats::{RepeatedMeeting, Repeats, SeenGames};
pub use selection::{Selection, Standing};
pub use summary::{LeagueGame, PlayedGame, Program};
pub use tally::{BotTally, PairTally, TWELFTHS, Tally, TeamsOfGames, movers, twelfths};
pub use worker::WorkerRecord;
pub use worker_tally::{WorkerGames, WorkerTally};
pub use writer::{RecordWriter, WriteError, WriteEvent, WriteStep, WriterSteps};
