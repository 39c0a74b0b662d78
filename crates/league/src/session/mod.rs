//! Plays a run from its plan to its results, with or without a directory. A session needs no terminal: [`Observer`]s
//! receive its events, and a [`Stopper`] stops it.

mod crew;
mod doubts;
mod error;
pub(crate) mod event;
mod failing;
mod in_directory;
mod play;
mod prepare;
mod repeats_file;
mod results;
mod resume;
mod setting_up;
mod sharding;

use std::borrow::Cow;
use std::sync::Arc;

use crate::assigned::{AssignedBot, AssignedPlan};
use crate::bots::{Digests, Identity, identify_all, is_person, presume_all, with_digests};
use crate::content::files::TravellingBot;
use crate::dialogue_folder::DialogueFolder;
use crate::directory::{Plan, RunDirectory};
use crate::dispatcher::Dispatcher;
use crate::elsewhere::PlayElsewhere;
use crate::file::Tournament;
use crate::preflight::{PreflightResult, WarmBots};
use crate::progress::Progress;
use crate::runner::Run;
use crate::schedule::{Length, Schedule};
use crate::shard::GameRanges;
use crate::versions::Roster;
use crate::withdrawal::Withdrawals;
use linesman_sandbox::isolation::SandboxPlan;
use linesman_types::time_control::ClockKind;

pub use crew::Crew;
use doubts::report_doubts;
pub use error::{NoCpuClock, SessionError};
pub use event::{
    Again, EndedGameEvent, Finished, Observer, Observers, Preparation, RunEvent, RunOutcome, Started, Stop,
    Wants,
};
pub use failing::{Confinement, Failing};
use play::{Inputs, Players, Ready, play};
pub use play::{PlayGames, Stopper, length};
use prepare::Prepared;
pub use prepare::{Platform, Preflight, Stage, TableJudge};
pub use results::{Faults, Own, PastBots, Points, Results};
pub use resume::{MAX_ODDITIES, Odd, Oddities, ResumeScan, WhyOdd, known};
use setting_up::{set_up, to_travel};

/// A plan that is ready to be played, with its bots.
pub struct Session<'p> {
    plan: Cow<'p, Plan>,
    platform: Platform,
    /// The tournament. Once a directory has been read, the bots have their version names.
    pub tournament: Tournament,
    /// The schedule; after the run, it has the games that follow from the results.
    pub schedule: Schedule,
    identities: Vec<Identity>,
    /// The digests of the bots' programs, until they are entered in `identities`.
    digests: Option<Digests>,
    preflight: Preflight,
    slots: usize,
    judge: Option<TableJudge>,
    dialogues: Option<Arc<DialogueFolder>>,
    players: Players,
    /// The bots, if their files are sent to other machines.
    travelling: Option<Arc<[TravellingBot]>>,
    /// The games of the schedule that are played; `None` for all.
    only: Option<Arc<GameRanges>>,
}

impl<'p> Session<'p> {
    /// Sets up the bots that have a `setup`, finds the bots' programs and makes the schedule.
    ///
    /// # Errors
    /// A `setup` fails, a program can't be started, or the plan has no schedule.
    pub fn new(
        plan: &'p Plan,
        platform: Platform,
        preflight: Preflight,
        observers: &mut Observers<'_>,
    ) -> Result<Session<'p>, SessionError> {
        SandboxPlan::look_ahead(plan.tournament.sandbox);
        let plan = set_up(plan, &platform, observers)?;
        let found = identify_all(&plan.tournament, &plan.source, platform.surroundings())?;
        Session::of(plan, found, None, (platform, preflight), observers)
    }

    /// Makes a session that sends the bots' files to other machines. The bots need not be able to play here.
    ///
    /// # Errors
    /// Files can't be copied, or the plan has no schedule.
    pub fn leading(
        plan: &Plan,
        platform: Platform,
        preflight: Preflight,
        observers: &mut Observers<'_>,
    ) -> Result<Session<'p>, SessionError> {
        let (plan, travelling) = to_travel(plan, &platform)?;
        let found = presume_all(&plan.tournament, &plan.source, platform.surroundings())?;
        Session::of(Cow::Owned(plan), found, Some(travelling.into()), (platform, preflight), observers)
    }

    fn of(
        plan: Cow<'p, Plan>,
        (identities, digests): (Vec<Identity>, Digests),
        travelling: Option<Arc<[TravellingBot]>>,
        (platform, preflight): (Platform, Preflight),
        observers: &mut Observers<'_>,
    ) -> Result<Session<'p>, SessionError> {
        let schedule = Schedule::of(&plan.tournament)?;
        let tournament = plan.tournament.clone();
        report_doubts(&tournament, &schedule, &identities, observers);
        let slots = tournament.games_at_once(platform.cores).get() as usize;
        let digests = Some(digests);
        Ok(Session {
            plan,
            platform,
            tournament,
            schedule,
            identities,
            digests,
            preflight,
            slots,
            judge: None,
            dialogues: None,
            players: Players::Usual,
            travelling,
            only: None,
        })
    }

    /// Makes a table of the solved game decide games.
    #[must_use]
    pub fn with_judge(self, judge: Option<TableJudge>) -> Session<'p> {
        Session { judge, ..self }
    }

    /// Makes the session keep the dialogues of the games in a folder.
    pub fn keep_dialogues(&mut self, folder: Arc<DialogueFolder>) {
        self.dialogues = Some(folder);
    }

    /// Replaces the usual way of playing, for games in which not all bots are processes.
    #[must_use]
    pub fn with_players(self, play_games: PlayGames) -> Session<'p> {
        Session { players: Players::Otherwise(play_games), ..self }
    }

    /// Has the games played on other machines: no bots are started here. At most `shown` games are shown at once.
    #[must_use]
    pub fn played_elsewhere(self, elsewhere: Arc<dyn PlayElsewhere>, shown: usize) -> Session<'p> {
        let plan = self.assigned_plan();
        Session { players: Players::Elsewhere(elsewhere, Box::new(plan)), slots: shown, ..self }
    }

    /// Returns the bots, if their files are sent to other machines.
    pub fn travelling(&self) -> Option<Arc<[TravellingBot]>> {
        self.travelling.clone()
    }

    fn is_elsewhere(&self) -> bool {
        matches!(self.players, Players::Elsewhere(..))
    }

    /// Returns the plan for other machines. Names and digests of bots can change when the directory is read.
    fn assigned_plan(&self) -> AssignedPlan {
        let content = |bot: usize| Some(self.travelling.as_ref()?.get(bot)?.content.clone());
        let bots = self.identities.iter().enumerate().map(|(bot, identity)| AssignedBot {
            name: identity.name.clone(),
            digest: identity.digest.clone(),
            content: content(bot),
        });
        AssignedPlan {
            software: self.platform.software.to_owned(),
            league: self.tournament.name.clone(),
            stem: self.plan.stem.clone(),
            sandbox: self.tournament.sandbox.word().to_owned(),
            bots: bots.collect(),
            tournament: self.plan.tournament.self_contained(&self.plan.source.text),
        }
    }

    /// Restricts the session to these games of the schedule.
    #[must_use]
    pub fn playing_only(self, games: GameRanges) -> Session<'p> {
        Session { only: Some(Arc::new(games)), ..self }
    }

    /// Returns the number of games that are played at once.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Adds the digests of the bots' programs to their identities.
    fn read_digests(&mut self) -> Result<(), SessionError> {
        let Some(digests) = self.digests.take() else { return Ok(()) };
        let (tournament, source) = (&self.plan.tournament, &self.plan.source);
        self.identities = with_digests(std::mem::take(&mut self.identities), digests, tournament, source)?;
        Ok(())
    }

    /// Gives the bots the names of their versions.
    fn play_as(&mut self, roster: Roster) -> Result<(), SessionError> {
        self.schedule = Schedule::of(&roster.tournament)?;
        for (identity, version) in self.identities.iter_mut().zip(&roster.versions) {
            identity.name.clone_from(&version.name);
        }
        self.tournament = roster.tournament;
        Ok(())
    }

    /// Determines how the bots are started.
    fn prepare(&self, directory: Option<&RunDirectory>) -> Result<Prepared, SessionError> {
        let person = self.tournament.bots.iter().find(|bot| is_person(&bot.command));
        if let Some(person) = person.filter(|_| !matches!(self.players, Players::Otherwise(_))) {
            return Err(SessionError::Person(person.name.clone()));
        }
        let paths = self.plan.paths(directory.map(RunDirectory::path));
        // The number of games bounds the number of games at once.
        let games = usize::try_from(self.schedule.length().most()).unwrap_or(usize::MAX).clamp(1, self.slots);
        let of_run = (&self.platform, games, self.preflight);
        if self.is_elsewhere() {
            // It does not matter what this machine supports.
            return Prepared::for_remote_play(&self.tournament, &self.identities, paths, &self.platform);
        }
        Prepared::new(&self.tournament, &self.identities, paths, of_run)
    }

    /// Runs the preflight check. Returns the bots kept for their first game, and the indices of those withdrawn.
    fn check_bots(
        &self,
        prepared: &mut Prepared,
        progress: &Progress,
        observers: &mut Observers<'_>,
    ) -> Result<(WarmBots, Vec<usize>), SessionError> {
        if self.preflight == Preflight::Skipped || self.is_elsewhere() {
            return Ok((WarmBots::default(), Vec::new()));
        }
        let PreflightResult { warm, failed } =
            prepared.check_bots(&self.tournament, self.slots, observers)?;
        if failed.is_empty() {
            return Ok((warm, Vec::new()));
        }
        let withdrawn: Vec<usize> = failed.iter().map(|failed| failed.bot).collect();
        let Prepared { stage, lineup, .. } = prepared;
        let failing = failed.into_iter().map(|failed| Failing {
            bot: self.tournament.bots[failed.bot].clone(),
            confinement: Confinement::of(&stage.host, &self.tournament, lineup, failed.bot),
            failed,
        });
        let failing: Vec<Failing> = failing.collect();
        if self.preflight == Preflight::MustPass || !self.can_play_without(&withdrawn, progress) {
            return Err(SessionError::Preflight(failing));
        }
        observers.prepare(Preparation::PreflightFailed(&failing));
        Ok((warm, withdrawn))
    }

    /// True if the schedule has a game without these bots, whether it is missing or has been played. If the other bots
    /// have played all their games, the run ends as if these bots had been withdrawn now.
    fn can_play_without(&self, bots: &[usize], progress: &Progress) -> bool {
        let all = Progress::new(self.schedule.clone());
        [progress.clone(), all]
            .into_iter()
            .any(|progress| self.dispatcher(progress, bots).hand_out().is_some())
    }

    /// Returns the total number of games, the number of played games, and the number of missing games.
    fn counts(&self, progress: &Progress) -> (Length, u64, u64) {
        let dispatcher = self.dispatcher(progress.clone(), &[]);
        (dispatcher.length(), dispatcher.done(), dispatcher.left())
    }

    /// Makes a dispatcher of the missing games, without the games of the bots in `without`.
    fn dispatcher(&self, progress: Progress, without: &[usize]) -> Dispatcher {
        let mut dispatcher = Dispatcher::new(progress);
        if let Some(only) = &self.only {
            dispatcher = dispatcher.only(Arc::clone(only));
        }
        without.iter().for_each(|bot| dispatcher.withdraw(*bot));
        dispatcher
    }

    fn withdrawals(&self) -> Withdrawals {
        Withdrawals::new(self.tournament.bots.iter().map(|bot| match self.preflight {
            Preflight::MustPass | Preflight::Withdraws => bot.limits.crashes,
            Preflight::Skipped => 0,
        }))
    }

    fn report_conditions(&self, prepared: &Prepared, observers: &mut Observers<'_>) {
        if self.is_elsewhere() {
            return;
        }
        observers.prepare(Preparation::Sandbox(&prepared.stage.status));
        if let ClockKind::Cpu { wall_bound } = self.tournament.clock {
            observers.prepare(Preparation::CpuClock(wall_bound));
        }
    }

    fn report_imbalance(&self, observers: &mut Observers<'_>) {
        if let Some(imbalance) = self.schedule.imbalance() {
            observers.prepare(Preparation::Imbalanced(&imbalance));
        }
    }

    /// Plays all games and records none. Calls `listen` before the first game with a [`Stopper`] of the run.
    ///
    /// # Errors
    /// Bots can't play, the host can't start any bot, or a game could not be completed.
    pub fn run(
        &self,
        listen: &mut dyn FnMut(Stopper) -> std::io::Result<()>,
        observers: &mut Observers<'_>,
    ) -> Result<(RunOutcome, Results), SessionError> {
        self.report_imbalance(observers);
        let mut prepared = self.prepare(None)?;
        self.report_conditions(&prepared, observers);
        let progress = Progress::new(self.schedule.clone());
        let (warm, withdrawn) = self.check_bots(&mut prepared, &progress, observers)?;
        let mut results = Results::new(&self.tournament)?;
        let ready = self.ready(&prepared, warm, self.dispatcher(progress, &withdrawn), observers);
        let outcome = play(ready, Inputs::channel(), &mut results, listen, observers)?;
        Ok((outcome, results))
    }

    /// Collects everything that is needed to play, except for a writer of records.
    fn ready<'t>(
        &'t self,
        prepared: &'t Prepared,
        warm: WarmBots,
        dispatcher: Dispatcher,
        observers: &Observers<'_>,
    ) -> Ready<'t> {
        let Prepared { stage, lineup, .. } = prepared;
        let (tournament, identities) = (&self.tournament, self.identities.as_slice());
        let recorder = prepared.recorder((tournament, identities), &self.platform, self.judge.as_ref());
        let run = Run {
            tournament: tournament.clone(),
            recorder,
            specs: lineup.specs.clone(),
            dispatcher,
            slots: self.slots,
            withdrawals: self.withdrawals(),
            oracle: self.judge.as_ref().map(|judge| Arc::clone(&judge.oracle)),
            tells_moves: observers.wants().moves,
            dialogues: self.dialogues.clone(),
        };
        let mut players = self.players.clone();
        if let Players::Elsewhere(_, plan) = &mut players {
            **plan = self.assigned_plan();
        }
        let (writer, repeats, unrepeated) = (None, None, Vec::new());
        Ready { run, tournament, identities, stage, lineup, warm, writer, repeats, unrepeated, players }
    }
}
