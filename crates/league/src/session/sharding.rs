//! The missing games of a run, divided into shards.

use std::num::NonZeroU32;

use super::Session;
use super::error::SessionError;
use super::event::Observers;
use super::in_directory::over;
use super::play::Inputs;
use super::resume::ReadBack;
use crate::directory::RunDirectory;
use crate::shard::{NewShards, ShardError, WrittenShards};

impl Session<'_> {
    /// Begins a run or reads it, and writes its missing games as shards: all that are known so far, or the
    /// first ones up to a maximum. `None` if the run is over.
    ///
    /// # Errors
    /// A directory that can't be used or belongs to another run, or a sequential test, whose end depends on all results
    /// in their order.
    pub fn write_shards(
        &mut self,
        directory: &RunDirectory,
        shards: NonZeroU32,
        most: Option<u64>,
        observers: &mut Observers<'_>,
    ) -> Result<Option<WrittenShards>, SessionError> {
        if self.tournament.test.is_some() {
            return Err(ShardError::Test.into());
        }
        let beginning = directory.look(&self.plan)?;
        self.read_digests()?;
        // The writer keeps the directory locked.
        let (inputs, _received) = Inputs::channel();
        let (_writer, read) = self.open(directory, &beginning, inputs, observers)?;
        let ReadBack { progress, results, .. } = read;
        if over(progress.left(), &results).is_some() {
            return Ok(None);
        }
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let missing: Vec<u64> = progress.played.missing().take(most).collect();
        let written = NewShards {
            software: self.platform.software,
            plan: &self.plan,
            directory,
            missing: &missing,
            shards,
            has_history: !progress.schedule.is_known_from_the_start(),
        }
        .write()?;
        Ok(Some(written))
    }
}
