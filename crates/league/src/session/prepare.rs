//! Prepares a run: determines the sandbox that the host provides and the commands of the bots, and runs the preflight
//! check.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::error::{NoCpuClock, SessionError};
use super::event::{Observers, Preparation};
use crate::bots::{Identity, Surroundings};
use crate::file::Tournament;
use crate::host::{Host, LeaguePaths};
use crate::lineup::Lineup;
use crate::preflight::{PreflightCheck, PreflightResult};
use crate::recorder::{RecordContext, Recorder};
use crate::runner::candidates;
use linesman_games::solvable::Oracle;
use linesman_sandbox::isolation::{Guarantee, Sandbox, SandboxPlan, SandboxStatus, SlotUsers, Unavailable};
use linesman_sandbox::{Environment, ThreadWait};
use linesman_types::time_control::ClockKind;

/// Interval between two [`Preparation::PreflightWaits`].
const NOTICE_INTERVAL: Duration = Duration::from_secs(1);

/// The treatment of bots that fail in the preflight check.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Preflight {
    /// No game is played. Bots that later crash at once or are not ready are withdrawn.
    MustPass,
    /// They are withdrawn if the others can play without them. So are bots that later crash at once or are not ready.
    Withdraws,
    /// There is no preflight check. Bots that can't play lose their games.
    Skipped,
}

/// The machine and the program on which games are played.
#[derive(Clone, Debug)]
pub struct Platform {
    /// The linesman program: the launcher of all bots, and the program of bots whose command begins with `linesman`.
    pub binary: PathBuf,
    /// The program's name and version, for records.
    pub software: &'static str,
    /// The machine's name, for records.
    pub host: String,
    /// The folders in which programs are searched, separated by `:`.
    pub path: OsString,
    pub environment: Environment,
    /// The users that bots run as.
    pub users: SlotUsers,
    /// The folder for the copies of bots' files.
    pub cache: PathBuf,
    /// The number of CPU cores that games may use.
    pub cores: NonZeroU32,
    /// Returns the current time, UTC, RFC 3339.
    pub now: fn() -> String,
}

impl Platform {
    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { path: &self.path, software: self.software }
    }
}

/// The table of a solved game that decides games.
#[derive(Clone)]
pub struct TableJudge {
    /// The values of positions.
    pub oracle: Arc<dyn Oracle>,
    /// The digest of the table, for records.
    pub digest: String,
}

/// The requirements for starting bots: the linesman program, and the sandbox that the host provides.
#[derive(Clone, Debug)]
pub struct Stage {
    pub host: Host,
    pub status: SandboxStatus,
}

impl Stage {
    /// Determines which parts of the sandbox the host provides.
    ///
    /// # Errors
    /// The host lacks parts that `strict` requires.
    pub fn new(sandbox: Sandbox, paths: LeaguePaths, platform: &Platform) -> Result<Stage, SessionError> {
        stage_with(sandbox, paths, platform, |_, _| ()).map(|(stage, ())| stage)
    }
}

/// Makes a [`Stage`]. Calls `begin` as soon as it is known which parts of the sandbox the host seems to provide. The
/// second argument of `begin` is true if bots may be started before the probe ends.
fn stage_with<T>(
    sandbox: Sandbox,
    paths: LeaguePaths,
    platform: &Platform,
    begin: impl FnOnce(&Host, bool) -> T,
) -> Result<(Stage, T), SessionError> {
    let Platform { binary, environment, users, now, .. } = platform.clone();
    let temporary = PathBuf::from(&environment.temporary);
    let prospect = SandboxPlan::find(sandbox, &binary, &temporary, users);
    let layers = Some(prospect.layers().clone());
    let host = Host { binary: binary.clone(), environment, layers, paths, now };
    let (begun, status) = std::thread::scope(|scope| {
        // Probing the sandbox takes long, and so does examining the bots' files in `begin`.
        let probed = prospect.clone();
        let probing = std::thread::Builder::new().name("probing".to_owned());
        let probing = probing.spawn_scoped(scope, || probed.confirm());
        let begun = begin(&host, prospect.may_begin());
        let status = match probing {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => prospect.confirm(),
        };
        (begun, status)
    });
    let status = status.map_err(SessionError::Sandbox)?;
    let host = Host { layers: Some(status.layers.clone()), ..host };
    Ok((Stage { host, status }, begun))
}

/// The requirements for starting the bots of a tournament, and the preflight check if it is already in progress.
pub(super) struct Prepared {
    pub(super) stage: Stage,
    pub(super) lineup: Lineup,
    check: Option<PreflightCheck>,
}

impl Prepared {
    /// Determines how bots are started when `games` games are played at once. If the bots are to be checked, the
    /// preflight check starts while the sandbox is probed, where that is safe.
    pub(super) fn new(
        tournament: &Tournament,
        identities: &[Identity],
        paths: LeaguePaths,
        (platform, games, preflight): (&Platform, usize, Preflight),
    ) -> Result<Prepared, SessionError> {
        let begin = |host: &Host, may_begin| {
            if let Some(users) = host.layers.as_ref().and_then(|layers| layers.slot_users) {
                enough_users(users, games, tournament.game.teams().seats())?;
            }
            let lineup = Lineup::of(tournament, identities, host);
            let begins = preflight != Preflight::Skipped && may_begin;
            let check = begins.then(|| begin_preflight(tournament, &lineup, games).ok()).flatten();
            Ok::<_, SessionError>((host.layers.clone(), lineup, check))
        };
        let (stage, begun) = stage_with(tournament.sandbox, paths, platform, begin)?;
        let (layers, lineup, check) = begun?;
        if tournament.clock != ClockKind::Wall
            && let Err(error) = can_count_cpu(&stage.status)
        {
            drop(check.map(PreflightCheck::end));
            return Err(SessionError::CpuClock(error));
        }
        if layers == stage.host.layers {
            return Ok(Prepared { stage, lineup, check });
        }
        // The check used layers that don't work here, so its result is useless.
        drop(check.map(PreflightCheck::end));
        let lineup = Lineup::of(tournament, identities, &stage.host);
        Ok(Prepared { stage, lineup, check: None })
    }

    /// Prepares a run in which other machines play and no bots are started here.
    pub(super) fn for_remote_play(
        tournament: &Tournament,
        identities: &[Identity],
        paths: LeaguePaths,
        platform: &Platform,
    ) -> Result<Prepared, SessionError> {
        let stage = Stage::new(Sandbox::Off, paths, platform)?;
        let lineup = Lineup::of(tournament, identities, &stage.host);
        Ok(Prepared { stage, lineup, check: None })
    }

    /// Returns a recorder for the games of these bots. `judge` has the table that the tournament names, if any.
    pub(super) fn recorder(
        &self,
        (tournament, identities): (&Tournament, &[Identity]),
        platform: &Platform,
        judge: Option<&TableJudge>,
    ) -> Recorder {
        let context = RecordContext {
            software: platform.software.to_owned(),
            host: platform.host.clone(),
            sandbox: Some(RecordContext::sandbox(&self.stage.status)),
        };
        let recorder = Recorder::new(tournament, identities, context).with_starts(&self.lineup.specs);
        match (judge, &tournament.adjudication.table) {
            (Some(judge), Some(table)) => recorder.with_table(judge.digest.clone(), table.from),
            (None, _) | (_, None) => recorder,
        }
    }

    /// Runs the preflight check: starts every bot once, to find bots that can't play before they cost games.
    pub(super) fn check_bots(
        &mut self,
        tournament: &Tournament,
        games: usize,
        observers: &mut Observers<'_>,
    ) -> Result<PreflightResult, SessionError> {
        self.report_root_bots(tournament, observers)?;
        self.report_shared_folders(tournament, observers);
        let bots = self.lineup.specs.len();
        let begun = now();
        observers.prepare(Preparation::PreflightBegins(bots));
        let check = match self.check.take() {
            Some(check) => check,
            None => begin_preflight(tournament, &self.lineup, games).map_err(SessionError::StartBots)?,
        };
        let limit = tournament.bots.iter().map(|bot| bot.limits.start).max().unwrap_or_default();
        let mut seconds = 0;
        while !check.has_ended_within(NOTICE_INTERVAL) {
            seconds += 1;
            observers.prepare(Preparation::PreflightWaits { seconds, limit, tried: check.checked(), bots });
        }
        let result = check.end().map_err(SessionError::StartBots)?;
        observers.prepare(Preparation::PreflightEnds(begun.elapsed()));
        Ok(result)
    }

    /// Reports the bots that run as root because users of their own can't read their files: an error with `strict`.
    fn report_root_bots(
        &self,
        tournament: &Tournament,
        observers: &mut Observers<'_>,
    ) -> Result<(), SessionError> {
        let root_bots = &self.lineup.without_own_user;
        let name = |bot: usize| &*tournament.bots[bot].name;
        if self.stage.status.asked == Sandbox::Strict && !root_bots.is_empty() {
            let named = root_bots.iter().map(|(bot, path)| (name(*bot).to_owned(), path.clone()));
            return Err(SessionError::OwnUsers(named.collect()));
        }
        for (bot, path) in root_bots {
            // Built-in bots are trusted and not reported.
            if !self.lineup.read_access[*bot].is_of_this_binary() {
                observers.prepare(Preparation::RunsAsRoot { bot: name(*bot), path });
            }
        }
        Ok(())
    }

    /// Reports the bots that can read each other's files because they share a folder.
    fn report_shared_folders(&self, tournament: &Tournament, observers: &mut Observers<'_>) {
        if self.stage.status.by(Guarantee::Files).is_none() {
            return;
        }
        let read_access = &self.lineup.read_access;
        let mut folders: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
        for (first, one) in read_access.iter().enumerate() {
            for (second, other) in read_access.iter().enumerate().skip(first + 1) {
                if let Some(folder) = one.shared_with(other) {
                    let names = [first, second].map(|bot| &*tournament.bots[bot].name);
                    folders.entry(folder).or_default().extend(names);
                }
            }
        }
        for (folder, bots) in &folders {
            observers.prepare(Preparation::SharedFolder { folder, bots });
        }
    }
}

/// Checks that the CPU time of bots can be counted exactly here, including that of processes that are never reaped.
fn can_count_cpu(status: &SandboxStatus) -> Result<(), NoCpuClock> {
    if status.layers.cgroup.is_none() {
        let unavailable =
            status.unavailable.iter().find(|unavailable: &&Unavailable| unavailable.part == "cgroup");
        return Err(NoCpuClock::Cgroup(unavailable.cloned()));
    }
    ThreadWait::of_this_thread().map(drop).ok_or(NoCpuClock::Schedstat)
}

/// Checks that there are two users for each bot of the games at once, since previous bots may still be ending.
/// Otherwise a game in the middle of a league might find no user.
fn enough_users(users: SlotUsers, games: usize, seats: usize) -> Result<(), SessionError> {
    let needed = 2 * games as u64 * seats as u64;
    if needed <= u64::from(users.lendable()) {
        return Ok(());
    }
    let at_most = users.lendable() as usize / (2 * seats);
    Err(SessionError::Users { games, needed, at_most, users })
}

/// Starts the check of as many bots at a time as there are games at once, to find those that start only alone.
fn begin_preflight(
    tournament: &Tournament,
    lineup: &Lineup,
    games: usize,
) -> std::io::Result<PreflightCheck> {
    let (candidates, afterwards) = candidates(tournament, lineup, games);
    PreflightCheck::begin(candidates, games, afterwards)
}

#[expect(clippy::disallowed_methods, reason = "only the pace of what is shown depends on it")]
pub(super) fn now() -> Instant {
    Instant::now()
}
