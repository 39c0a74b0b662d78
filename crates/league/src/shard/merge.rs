//! Appends the records of shards to those of their run.

use std::collections::HashMap;
use std::path::PathBuf;

use super::ShardError;
use crate::directory::{DirectoryError, RunDirectory};
use crate::progress::{Progress, RecordClass};
use crate::schedule::{Schedule, ScheduleError};
use linesman_record::identity_hasher::digest;
use linesman_record::{Ended, Line, ReadError, RecordReader, Recovery, Standing, WriteError};

/// Maximum number of records of a kind that are named separately.
const MOST_NAMED: usize = 3;

/// The records that were merged from one shard, without those of annulled games.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Merged {
    /// The run directory of the shard.
    pub path: PathBuf,
    /// The number of games without a record in the run.
    pub new: u64,
    /// The number of records that the run already has.
    pub known: u64,
    /// The number of games with another record in the run; that one counts.
    pub different: u64,
    /// The first of these, by their ids.
    pub first_different: Vec<String>,
    /// The number of records whose game this league does not have, or that do not count.
    pub strange: u64,
    /// The first of these, by their ids.
    pub first_strange: Vec<String>,
    /// True if the last line was incomplete.
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
    /// The records of each shard.
    pub shards: Vec<Merged>,
    /// The number of bytes of an incomplete last line that was cut off the run's records.
    pub torn: Option<u64>,
    /// The progress of the run with all of them.
    pub progress: Progress,
}

/// Appends to the records of a run those that it lacks, in the order of the shards. Merging the same shards again
/// changes nothing. Everything is durable when this returns.
///
/// # Errors
/// A run or a record that can't be read, or a record that can't be written: those before it are kept.
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
    let mut merged: Vec<Merged> = Vec::new();
    let mut doubles = Doubles::default();
    for (shard, path) in shards.iter().enumerate() {
        let mut own = Merged { path: path.clone(), ..Merged::default() };
        let mut compatibility = names.compatibility(tournament);
        let mut reader = RecordReader::file(&RunDirectory::at(path).games());
        while let Some(line) = reader.next_line()? {
            let game = line.league_game()?;
            match progress.enter(&mut compatibility, &line, &game)? {
                RecordClass::ToGame(Standing::Counts) => {
                    writer.append(&line.record()?)?;
                    own.new += 1;
                }
                RecordClass::ToGame(Standing::ToBeReplayed) => {}
                RecordClass::ToGame(Standing::Duplicate) => doubles.add(shard, &game.outcome.id, &line),
                RecordClass::Pending
                | RecordClass::DrawnOtherwise
                | RecordClass::ToAnotherLeague(_)
                | RecordClass::Nowhere => {
                    own.strange += 1;
                    name(&mut own.first_strange, &game.outcome.id);
                }
            }
        }
        own.is_torn = !reader.torn().is_empty();
        merged.push(own);
    }
    writer.finish()?;
    doubles.judge(directory, &mut merged)?;
    Ok(AllMerged { shards: merged, torn, progress })
}

/// Keeps an id if it is one of the first.
fn name(first: &mut Vec<String>, id: &str) {
    if first.len() < MOST_NAMED {
        first.push(id.to_owned());
    }
}

/// Records of games that also have a record in the run, by the ids of the games.
#[derive(Default)]
struct Doubles(HashMap<String, Vec<(usize, u64)>>);

impl Doubles {
    fn add(&mut self, shard: usize, id: &str, line: &Line<'_>) {
        self.0.entry(id.to_owned()).or_default().push((shard, digest(line.bytes())));
    }

    /// Counts the records that are the same as in the run, and those that are different.
    fn judge(mut self, directory: &RunDirectory, merged: &mut [Merged]) -> Result<(), MergeError> {
        let Some(mut reader) = directory.records()? else { return Ok(()) };
        while !self.0.is_empty()
            && let Some(line) = reader.next_line()?
        {
            let outcome = line.league_game()?.outcome;
            // The record that counts is the first that is not annulled.
            if outcome.result == Ended::VoidHost {
                continue;
            }
            for (shard, double) in self.0.remove(outcome.id.as_ref()).into_iter().flatten() {
                let own = &mut merged[shard];
                if double == digest(line.bytes()) {
                    own.known += 1;
                } else {
                    own.different += 1;
                    name(&mut own.first_different, &outcome.id);
                }
            }
        }
        Ok(())
    }
}
