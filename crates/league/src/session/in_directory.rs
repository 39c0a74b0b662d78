//! A session in a run directory: reads the records of the played games, and plays and records the missing ones.

use super::Session;
use super::error::SessionError;
use super::event::{Observers, Preparation, RunEvent, RunOutcome};
use super::play::{Input, Inputs, Ready, Stopper, play};
use super::results::Results;
use super::resume::ResumeScan;
use crate::bots::Digests;
use crate::directory::{Beginning, DirectoryError, LeagueNames, RunDirectory};
use crate::file::Tournament;
use crate::progress::Progress;
use crate::schedule::{Length, Schedule};
use crate::versions::{Roster, VersionRegistry};
use linesman_record::{RecordWriter, Recovery};

impl Session<'_> {
    /// Reads a run directory without changing it, and reports the changes since the run started.
    ///
    /// # Errors
    /// The directory can't be read, or belongs to another run.
    pub fn inspect(
        &mut self,
        directory: &RunDirectory,
        observers: &mut Observers<'_>,
    ) -> Result<ResumeScan, SessionError> {
        let mut registry = directory.registry()?;
        if let Beginning::Resumed(comparison) = directory.determine_beginning(&self.plan)? {
            observers.prepare(Preparation::Changed(&comparison));
            // The games of removed bots stay in the league.
            registry = registry.without(&comparison.withdrawn_bots);
        }
        self.read_digests()?;
        let (roster, read) = self.read_versions(directory, &registry)?;
        roster.notes(&registry).iter().for_each(|note| observers.prepare(Preparation::Version(note)));
        self.play_as(roster)?;
        observers.prepare(Preparation::Resumed { read: &read, directory });
        Ok(read)
    }

    /// Determines the versions of the bots and the played games. `registry` has the earlier bots of the directory.
    ///
    /// The bots are nearly always unchanged: the records are read on this assumption, and again only if it is wrong.
    fn read_versions(
        &self,
        directory: &RunDirectory,
        registry: &VersionRegistry,
    ) -> Result<(Roster, ResumeScan), SessionError> {
        let plan = &self.plan.tournament;
        let names = self.league_names(directory, registry)?;
        let read = |tournament: &Tournament| {
            let schedule = Schedule::of(tournament)?;
            ResumeScan::with_registry(directory, (tournament, &schedule), registry, &names)
        };
        let bots = |tournament: &Tournament| -> Vec<String> {
            tournament.bots.iter().map(|bot| bot.name.clone()).collect()
        };
        let assumed = registry.applied(plan);
        let scan = read(&assumed)?;
        let roster = Roster::of(plan, &self.identities, &scan.seen).map_err(DirectoryError::Replaced)?;
        let is_unchanged = bots(&assumed) == bots(&roster.tournament);
        let scan = if is_unchanged { scan } else { read(&roster.tournament)? };
        Ok((roster, scan))
    }

    /// Returns the names that records of the league may have.
    ///
    /// # Errors
    /// The directory can't be read, or the records may belong to another league.
    fn league_names(
        &self,
        directory: &RunDirectory,
        registry: &VersionRegistry,
    ) -> Result<LeagueNames, DirectoryError> {
        let names = directory.league_names(&self.plan, registry)?;
        match names.doubtful {
            None => Ok(names),
            Some(found) => Err(DirectoryError::OtherLeague {
                path: directory.path().to_owned(),
                expected: self.plan.tournament.name.clone(),
                found,
            }),
        }
    }

    /// Plays the games that a directory lacks. Calls `listen` before the first game with a [`Stopper`] of the run.
    ///
    /// # Errors
    /// Those of [`Session::run`], and the directory can't be used. All recorded games are kept.
    pub fn run_in(
        &mut self,
        directory: &RunDirectory,
        listen: &mut dyn FnMut(Stopper) -> std::io::Result<()>,
        observers: &mut Observers<'_>,
    ) -> Result<(RunOutcome, Results), SessionError> {
        let beginning = directory.determine_beginning(&self.plan)?;
        // The bots' files are digested while the first bots are started, or while the records are read.
        self.digests = self.digests.take().map(Digests::begun);
        let mut early = None;
        if beginning == Beginning::New {
            // Bots are checked before anything is written: if a command has to be corrected, nothing is left behind.
            let mut prepared = self.prepare(Some(directory))?;
            let progress = Progress::new(self.schedule.clone());
            let checked = self.check_bots(&mut prepared, &progress, observers)?;
            early = Some((prepared, checked));
        }
        // Also before anything is written.
        self.read_digests()?;
        let (inputs, received) = Inputs::channel();
        let (mut writer, read) = self.open(directory, &beginning, inputs.clone(), observers)?;
        let discards = read.progress.drawn_otherwise;
        let ResumeScan { progress, mut results, repeated, .. } = read;
        let (length, done, left) = self.counts(&progress);
        if let Some(outcome) = over(left, &results) {
            observers.prepare(Preparation::AlreadyOver { directory, outcome, length });
            self.schedule = progress.schedule;
            self.report_recorded(directory, &results, observers);
            return Ok((outcome, results));
        }
        let (mut prepared, checked) = match early {
            Some((prepared, checked)) => (prepared, Some(checked)),
            None => (self.prepare(Some(directory))?, None),
        };
        self.report_start(directory, length, done, observers);
        self.report_conditions(&prepared, observers);
        self.report_imbalance(observers);
        let (warm, withdrawn) = match checked {
            Some(checked) => checked,
            None => self.check_bots(&mut prepared, &progress, observers)?,
        };
        // Bots that were prepared before the directory was read lack the names of their versions.
        for (spec, bot) in prepared.lineup.specs.iter_mut().zip(&self.tournament.bots) {
            spec.identity.clone_from(&bot.name);
        }
        let ready = self.ready(&prepared, warm, self.dispatcher(progress, &withdrawn), observers);
        let unrepeated = repeated.without_repeat(directory);
        let ready =
            Ready { writer: Some(&mut writer), repeats: Some(directory.clone()), unrepeated, ..ready };
        match play(ready, (inputs, received), &mut results, listen, observers) {
            Ok(outcome) => Ok((outcome, self.recorded(directory, results, discards, observers)?)),
            Err(error) => {
                self.report_after_failure(directory, observers);
                Err(error)
            }
        }
    }

    /// Locks and reads a run directory, and reports its content. The writer holds the lock.
    pub(super) fn open(
        &mut self,
        directory: &RunDirectory,
        beginning: &Beginning,
        inputs: Inputs,
        observers: &mut Observers<'_>,
    ) -> Result<(RecordWriter, ResumeScan), SessionError> {
        let locked = directory.lock(&self.plan)?;
        let registry = locked.former.without(locked.gone());
        let (roster, read) = self.read_versions(directory, &registry)?;
        let opened = locked.begin(&self.plan, roster)?;
        let versions = opened.roster.notes(&opened.former);
        self.play_as(opened.roster)?;
        let (writer, recovery) = opened
            .records
            .into_writer(move |event| inputs.send(Input::Written(event)))
            .map_err(DirectoryError::Records)?;
        if let Recovery::CutTornLine { bytes } = recovery {
            observers.prepare(Preparation::TornLine { bytes, directory });
        }
        observers.prepare(Preparation::Resumed { read: &read, directory });
        if let Beginning::Resumed(comparison) = beginning {
            observers.prepare(Preparation::Changed(comparison));
        }
        versions.iter().for_each(|note| observers.prepare(Preparation::Version(note)));
        Ok((writer, read))
    }

    /// Reports the recorded results. If the schedule depends on them, counts them again, in the order
    /// of the next command.
    fn recorded(
        &mut self,
        directory: &RunDirectory,
        mut results: Results,
        discards: u64,
        observers: &mut Observers<'_>,
    ) -> Result<Results, SessionError> {
        if !self.schedule.is_known_from_the_start() {
            let registry = directory.registry()?;
            let names = directory.league_names(&self.plan, &registry)?;
            let read =
                ResumeScan::with_registry(directory, (&self.tournament, &self.schedule), &registry, &names)?;
            if read.progress.drawn_otherwise > discards {
                observers.prepare(Preparation::Resumed { read: &read, directory });
            }
            results = read.results.with_own(results.own());
            self.schedule = read.progress.schedule;
        }
        self.report_recorded(directory, &results, observers);
        Ok(results)
    }

    /// Reports the results that were recorded before a failure. Not all played games may have been recorded.
    fn report_after_failure(&mut self, directory: &RunDirectory, observers: &mut Observers<'_>) {
        // Only the first failure is reported.
        let Ok(read) = ResumeScan::of(directory, &self.tournament, &self.schedule) else { return };
        observers.prepare(Preparation::Resumed { read: &read, directory });
        self.schedule = read.progress.schedule;
        self.report_recorded(directory, &read.results, observers);
    }

    fn report_recorded(&self, directory: &RunDirectory, results: &Results, observers: &mut Observers<'_>) {
        let (tournament, schedule) = (&self.tournament, &self.schedule);
        observers.emit(&RunEvent::Recorded { directory, tournament, results, schedule });
    }

    fn report_start(
        &self,
        directory: &RunDirectory,
        length: Length,
        done: u64,
        observers: &mut Observers<'_>,
    ) {
        observers.prepare(Preparation::Continues {
            directory,
            length,
            done,
            at_once: self.slots,
            is_test: self.tournament.test.is_some(),
            is_elsewhere: self.is_elsewhere(),
        });
    }
}

/// Returns the outcome of a run that lacks `left` games, if the run is over.
pub(super) fn over(left: u64, results: &Results) -> Option<RunOutcome> {
    match results.test_end() {
        Some(end) => Some(RunOutcome::of_test(end)),
        None => (left == 0).then_some(RunOutcome::Complete),
    }
}
