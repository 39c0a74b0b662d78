//! The record of a game: one line of JSON in an append-only file.

pub mod format;

pub use format::{FaultRecord, GameRecord, MarkRecord, OpeningRecord, SaidRecord, SeatRecord, VoidRecord};
