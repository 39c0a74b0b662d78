//! A session in its run directory: reads the games that have been played, and plays and records the missing ones.

use super::Session;
use super::error::SessionError;
use super::event::{Observers, Preparation, RunEvent};
use super::outcome::RunOutcome;
use super::play::{Input, Inputs, Ready, Stopper, play};
use super::results::Results;
use super::resume::ReadBack;
use crate::bots::Digests;
use crate::directory::{Beginning, DirectoryError, LeagueNames, RunDirectory};
use crate::file::Tournament;
use crate::progress::Progress;
use crate::schedule::{Length, Schedule};
use crate::versions::{Roster, VersionRegistry};
use linesman_record::{RecordWriter, Recovery};

impl Session<'_> {
    /// Reads a run directory without changing it. The observers receive the changes since the run began.
    ///
    /// # Errors
    /// A directory that can't be read, or that belongs to another run.
    pub fn inspect(
        &mut self,
        directory: &RunDirectory,
        observers: &mut Observers<'_>,
    ) -> Result<ReadBack, SessionError> {
        let mut register = directory.register()?;
        if let Beginning::Resumed(comparison) = directory.look(&self.plan)? {
            observers.prepare(Preparation::Changed(&comparison));
            // The games of removed bots stay in the league.
            register = register.without(&comparison.withdrawn_bots);
        }
        self.read_digests()?;
        let (roster, read) = self.read_versions(directory, &register)?;
        roster.notes(&register).iter().for_each(|note| observers.prepare(Preparation::Version(note)));
        self.play_as(roster)?;
        observers.prepare(Preparation::Resumed { read: &read, directory });
        Ok(read)
    }

    /// Determines the versions of the bots and the played games, in a directory that has had the bots of this register.
    ///
    /// Nearly always the bots are unchanged, so the records are read on this assumption, and a second time only if it
    /// turns out to be wrong.
    fn read_versions(
        &self,
        directory: &RunDirectory,
        register: &VersionRegistry,
    ) -> Result<(Roster, ReadBack), SessionError> {
        let plan = &self.plan.tournament;
        let names = self.league_names(directory, register)?;
        let read = |tournament: &Tournament| {
            let schedule = Schedule::of(tournament)?;
            ReadBack::knowing(directory, (tournament, &schedule), register, &names)
        };
        let bots = |tournament: &Tournament| -> Vec<String> {
            tournament.bots.iter().map(|bot| bot.name.clone()).collect()
        };
        let assumed = register.applied(plan);
        let back = read(&assumed)?;
        let roster = Roster::of(plan, &self.identities, &back.seen).map_err(DirectoryError::Replaced)?;
        let is_so = bots(&assumed) == bots(&roster.tournament);
        let back = if is_so { back } else { read(&roster.tournament)? };
        Ok((roster, back))
    }

    /// The names that the league's records may have. Refused if the records may belong to another league.
    fn league_names(
        &self,
        directory: &RunDirectory,
        register: &VersionRegistry,
    ) -> Result<LeagueNames, DirectoryError> {
        let names = directory.league_names(&self.plan, register)?;
        match names.doubtful {
            None => Ok(names),
            Some(found) => Err(DirectoryError::OtherLeague {
                path: directory.path().to_owned(),
                expected: self.plan.tournament.name.clone(),
                found,
            }),
        }
    }

    /// Plays the games that a directory lacks. Calls `listen` before the first game, with the means to stop the run.
    ///
    /// # Errors
    /// Those of [`Session::run`], and a directory that can't be used. All recorded games are kept.
    pub fn run_in(
        &mut self,
        directory: &RunDirectory,
        listen: &mut dyn FnMut(Stopper) -> std::io::Result<()>,
        observers: &mut Observers<'_>,
    ) -> Result<(RunOutcome, Results), SessionError> {
        let beginning = directory.look(&self.plan)?;
        // The bots' files are read while the first bots are started, or while the records are read.
        self.digests = self.digests.take().map(Digests::begun);
        let mut early = None;
        if beginning == Beginning::New {
            // Before anything is written, so that nothing is left behind if a bot's command has to be corrected.
            let mut prepared = self.prepare(Some(directory))?;
            let progress = Progress::new(self.schedule.clone());
            let checked = self.check_bots(&mut prepared, &progress, observers)?;
            early = Some((prepared, checked));
        }
        // Also before anything is written.
        self.read_digests()?;
        let (inputs, received) = Inputs::channel();
        let (mut writer, read) = self.open(directory, &beginning, inputs.clone(), observers)?;
        let discards = read.discards();
        let ReadBack { progress, mut results, repeated, .. } = read;
        let (length, done, left) = self.reach(&progress);
        if let Some(outcome) = over(left, &results) {
            observers.prepare(Preparation::AlreadyOver { directory, outcome, length });
            self.schedule = progress.schedule;
            self.tell_recorded(directory, &results, observers);
            return Ok((outcome, results));
        }
        let (mut prepared, checked) = match early {
            Some((prepared, checked)) => (prepared, Some(checked)),
            None => (self.prepare(Some(directory))?, None),
        };
        self.tell_begin(directory, length, done, observers);
        self.tell_conditions(&prepared, observers);
        self.tell_imbalance(observers);
        let (warm, withdrawn) = match checked {
            Some(checked) => checked,
            None => self.check_bots(&mut prepared, &progress, observers)?,
        };
        // Bots that were prepared before the directory was read still lack the names of their versions.
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
                self.tell_failed(directory, observers);
                Err(error)
            }
        }
    }

    /// Locks and reads a run directory, and reports its content. It stays locked as long as the writer lives.
    pub(super) fn open(
        &mut self,
        directory: &RunDirectory,
        beginning: &Beginning,
        inputs: Inputs,
        observers: &mut Observers<'_>,
    ) -> Result<(RecordWriter, ReadBack), SessionError> {
        let locked = directory.lock(&self.plan)?;
        let register = locked.former.without(locked.gone());
        let (roster, read) = self.read_versions(directory, &register)?;
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

    /// The results in the order in which the next command counts them, if the schedule depends on results.
    fn recorded(
        &mut self,
        directory: &RunDirectory,
        mut results: Results,
        discards: u64,
        observers: &mut Observers<'_>,
    ) -> Result<Results, SessionError> {
        if !self.schedule.is_known_from_the_start() {
            let register = directory.register()?;
            let names = directory.league_names(&self.plan, &register)?;
            let read = ReadBack::knowing(directory, (&self.tournament, &self.schedule), &register, &names)?;
            if read.discards() > discards {
                observers.prepare(Preparation::Resumed { read: &read, directory });
            }
            results = read.results.with_own(results.own());
            self.schedule = read.progress.schedule;
        }
        self.tell_recorded(directory, &results, observers);
        Ok(results)
    }

    /// Reports the results that were recorded before a failure, which may be fewer than were played.
    fn tell_failed(&mut self, directory: &RunDirectory, observers: &mut Observers<'_>) {
        // The failure that led here is the one to report.
        let Ok(read) = ReadBack::of(directory, &self.tournament, &self.schedule) else { return };
        observers.prepare(Preparation::Resumed { read: &read, directory });
        self.schedule = read.progress.schedule;
        self.tell_recorded(directory, &read.results, observers);
    }

    fn tell_recorded(&self, directory: &RunDirectory, results: &Results, observers: &mut Observers<'_>) {
        let (tournament, schedule) = (&self.tournament, &self.schedule);
        observers.tell(&RunEvent::Recorded { directory, tournament, results, schedule });
    }

    fn tell_begin(&self, directory: &RunDirectory, length: Length, done: u64, observers: &mut Observers<'_>) {
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

/// The outcome of a run with `left` games to play, if it is over.
pub(super) fn over(left: u64, results: &Results) -> Option<RunOutcome> {
    match results.test_end() {
        Some(end) => Some(RunOutcome::of_test(end)),
        None => (left == 0).then_some(RunOutcome::Complete),
    }
}
