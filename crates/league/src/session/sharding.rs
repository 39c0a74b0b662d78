//! Divides the missing games of a run into shards.

use std::num::NonZeroU32;

use super::Session;
use super::error::SessionError;
use super::event::Observers;
use super::in_directory::over;
use super::play::Inputs;
use super::resume::ResumeScan;
use crate::directory::RunDirectory;
use crate::shard::{ShardError, WrittenShards, write_shards};

impl Session<'_> {
    /// Starts or reads a run, and writes its missing games as shards: all that are known so far, or the first ones up
    /// to a maximum. Returns `None` if the run is over.
    ///
    /// # Errors
    /// The directory can't be used or belongs to another run, or the run is a sequential test, whose end depends on all
    /// results in their order.
    pub fn write_shards(
        &mut self,
        directory: &RunDirectory,
        shards: NonZeroU32,
        max_games: Option<u64>,
        observers: &mut Observers<'_>,
    ) -> Result<Option<WrittenShards>, SessionError> {
        if self.tournament.test.is_some() {
            return Err(ShardError::Test.into());
        }
        let beginning = directory.determine_beginning(&self.plan)?;
        self.read_digests()?;
        // The writer holds the lock.
        let (inputs, _received) = Inputs::channel();
        let (_writer, read) = self.open(directory, &beginning, inputs, observers)?;
        let ResumeScan { progress, results, .. } = read;
        if over(progress.left(), &results).is_some() {
            return Ok(None);
        }
        let max_games = max_games.and_then(|games| usize::try_from(games).ok()).unwrap_or(usize::MAX);
        let missing: Vec<u64> = progress.played.missing().take(max_games).collect();
        let has_history = !progress.schedule.is_known_from_the_start();
        let software = self.platform.software;
        Ok(Some(write_shards(directory, &self.plan, software, &missing, shards, has_history)?))
    }
}
