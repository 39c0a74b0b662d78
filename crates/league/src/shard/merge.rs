//! Merges the records of shards into those of their run.

use std::collections::HashMap;
use std::path::PathBuf;

use super::ShardError;
use crate::directory::{DirectoryError, RunDirectory};
use crate::progress::{Progress, RecordClass};
use crate::schedule::{Schedule, ScheduleError};
use linesman_record::identity_hasher::digest;
use linesman_record::{Ended, Line, ReadError, RecordReader, Recovery, Standing, WriteError};

/// Maximum number of ids kept for each kind of record.
const MAX_NAMED: usize = 3;

/// Counts of the records of one shard, without those of annulled games.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Merged {
    /// The run directory of the shard.
    pub path: PathBuf,
    /// Number of records that were appended to the run.
    pub new: u64,
    /// Number of records that the run already has.
    pub known: u64,
    /// Number of games with a different record in the run, which is the one that counts.
    pub different: u64,
    /// The ids of the first of these games.
    pub first_different: Vec<String>,
    /// Number of records that do not count, or whose game does not belong to this league.
    pub strange: u64,
    /// The ids of the first games of these records.
    pub first_strange: Vec<String>,
    /// True if the last line of the shard's records is incomplete.
    pub is_torn: bool,
}

/// The reason why records can't be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A directory can't be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A shard can't be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The run has no schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A record can't be read.
    #[error(transparent)]
    Record(#[from] ReadError),
    /// A record can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The result of merging all shards.
#[derive(Clone, Debug)]
pub struct AllMerged {
    /// The counts of each shard.
    pub shards: Vec<Merged>,
    /// Number of bytes of an incomplete last line that was removed from the run's records.
    pub torn: Option<u64>,
    /// The progress of the run, including the merged records.
    pub progress: Progress,
}

/// Appends the records that a run lacks, in the order of the shards. Merging the same shards again changes nothing.
/// All appended records are durable when this returns.
///
/// # Errors
/// A run or a record that can't be read, or a record that can't be written. Records appended before it are kept.
pub fn merge(directory: &RunDirectory, shards: &[PathBuf]) -> Result<AllMerged, MergeError> {
    let stored = directory.stored_plan()?;
    let locked = directory.lock(&stored)?;
    let plan = directory.plan_in_force()?;
    let names = directory.league_names(&stored, &locked.former)?;
    let (mut writer, recovery) = locked.into_writer().map_err(DirectoryError::Records)?;
    let torn = match recovery {
        Recovery::CutTornLine { bytes } => Some(bytes),
        _ => None,
    };
    let tournament = &plan.tournament;
    let schedule = Schedule::of(tournament)?;
    let mut progress = match directory.records()? {
        Some(reader) => Progress::read(reader, schedule, names.compatibility(tournament), |_, _| Ok(()))?,
        None => Progress::new(schedule),
    };
    let mut all: Vec<Merged> = Vec::new();
    let mut duplicates = Duplicates::default();
    for (shard, path) in shards.iter().enumerate() {
        let mut merged = Merged { path: path.clone(), ..Merged::default() };
        let mut compatibility = names.compatibility(tournament);
        let mut reader = RecordReader::file(&RunDirectory::at(path).games());
        while let Some(line) = reader.next_line()? {
            let game = line.league_game()?;
            match progress.enter(&mut compatibility, &line, &game)? {
                RecordClass::ToGame(Standing::Counts) => {
                    writer.append(&line.record()?)?;
                    merged.new += 1;
                }
                RecordClass::ToGame(Standing::ToBeReplayed) => {}
                RecordClass::ToGame(Standing::Duplicate) => duplicates.add(shard, &game.outcome.id, &line),
                RecordClass::Pending
                | RecordClass::DrawnOtherwise
                | RecordClass::ToAnotherLeague(_)
                | RecordClass::Nowhere => {
                    merged.strange += 1;
                    keep_first(&mut merged.first_strange, &game.outcome.id);
                }
            }
        }
        merged.is_torn = !reader.torn().is_empty();
        all.push(merged);
    }
    writer.finish()?;
    duplicates.count(directory, &mut all)?;
    Ok(AllMerged { shards: all, torn, progress })
}

/// Keeps an id if it is one of the first.
fn keep_first(first: &mut Vec<String>, id: &str) {
    if first.len() < MAX_NAMED {
        first.push(id.to_owned());
    }
}

/// Records of games that also have a record in the run: the shard and digest of each, by game id.
#[derive(Default)]
struct Duplicates(HashMap<String, Vec<(usize, u64)>>);

impl Duplicates {
    fn add(&mut self, shard: usize, id: &str, line: &Line<'_>) {
        self.0.entry(id.to_owned()).or_default().push((shard, digest(line.bytes())));
    }

    /// Counts the records that are the same as in the run, and those that differ.
    fn count(mut self, directory: &RunDirectory, merged: &mut [Merged]) -> Result<(), MergeError> {
        let Some(mut reader) = directory.records()? else { return Ok(()) };
        while !self.0.is_empty()
            && let Some(line) = reader.next_line()?
        {
            let outcome = line.league_game()?.outcome;
            // The first record that is not annulled counts.
            if outcome.result == Ended::VoidHost {
                continue;
            }
            for (shard, duplicate) in self.0.remove(outcome.id.as_ref()).into_iter().flatten() {
                let merged = &mut merged[shard];
                if duplicate == digest(line.bytes()) {
                    merged.known += 1;
                } else {
                    merged.different += 1;
                    keep_first(&mut merged.first_different, &outcome.id);
                }
            }
        }
        Ok(())
    }
}
