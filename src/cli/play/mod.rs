//! Playing a run for people and programs: the common part of `match`, `test` and `league run`.

pub(crate) mod diagnosis;
mod elsewhere;
pub(crate) mod failure;
pub(crate) mod faults;
pub(crate) mod notes;
mod other_run;
pub(crate) mod results;
pub(crate) mod signals;
pub(crate) mod standings;
pub(crate) mod tables;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::env;
use super::error::{Exit, Failure};
use super::events::EventStream;
use super::live::LiveView;
use super::paths;
use super::ui::Ui;
use crate::engines::solve::{SolvedTable, oracle};
use crate::games::Setup;
use crate::league::dialogue_folder::{DialogueFolder, WriteFailure};
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::{Diagnostic, Diagnostics, TablePlan, Tournament};
use crate::league::host::LeaguePaths;
use crate::league::progress::Progress;
use crate::league::schedule::Schedule;
use crate::league::session::{
    Observer, Observers, Platform, Preflight, Results, ResumeScan, RunOutcome, Session, SessionError, Stage,
    Stop, Stopper, TableJudge,
};
use crate::process::isolation::Sandbox;
use crate::record::{GameRecord, Outcome};
use failure::{PlanOrigin, caused, directory_failure, session_failure, session_failure_of};
use notes::{Notes, report_oddities};
pub(crate) use signals::Signal;
use tables::Tables;

/// The function that makes the session of a run.
type MakeSession<'p> =
    fn(&'p Plan, Platform, Preflight, &mut Observers<'_>) -> Result<Session<'p>, SessionError>;

/// A run that is about to be played, or that has been played.
pub(crate) struct Run<'p> {
    pub(crate) session: Session<'p>,
    origin: PlanOrigin,
    dialogues: Option<Arc<DialogueFolder>>,
    /// True if the length was given as a number of games, and a round is two games.
    counts_games: bool,
    pub(crate) reports_faults: bool,
}

pub(crate) struct PlayedRun {
    pub(crate) outcome: RunOutcome,
    pub(crate) results: Results,
    /// The last signal, if one stopped the run.
    pub(crate) signal: Option<Signal>,
}

impl<'p> Run<'p> {
    /// Prepares a run and finds its bots.
    pub(crate) fn new(
        ui: &mut Ui,
        plan: &'p Plan,
        preflight: Preflight,
        origin: PlanOrigin,
    ) -> Result<Run<'p>, Failure> {
        Run::with(ui, plan, preflight, origin, Session::new)
    }

    /// Prepares a run whose session is made by `make`: [`Session::new`] or [`Session::leading`].
    pub(crate) fn with(
        ui: &mut Ui,
        plan: &'p Plan,
        preflight: Preflight,
        origin: PlanOrigin,
        make: MakeSession<'p>,
    ) -> Result<Run<'p>, Failure> {
        let counts_games = plan.file.is_none() && plan.tournament.test.is_some();
        let platform = platform()?;
        let mut notes = Notes::new(ui, counts_games);
        let session = make(plan, platform, preflight, &mut Observers::default().with(&mut notes));
        let session = session.map_err(|error| session_failure_of(ui, error, origin))?;
        let table = plan.tournament.adjudication.table.as_ref();
        if let Some(diagnostic) = table.and_then(|table| missing_table(plan, table)) {
            let diagnostics = Diagnostics::of_several(vec![plan.source.clone()], vec![diagnostic]);
            return Err(origin.failure(ui, &diagnostics));
        }
        let judge = table.map(|table| table_judge(table, &*plan.tournament.game)).transpose()?;
        Ok(Run {
            session: session.with_judge(judge),
            origin,
            dialogues: None,
            counts_games,
            reports_faults: true,
        })
    }

    pub(crate) fn keep_dialogues(&mut self, folder: Option<&Path>) -> Result<(), Failure> {
        let Some(folder) = folder else { return Ok(()) };
        let dialogues = dialogue_folder(folder)?;
        self.session.keep_dialogues(Arc::clone(&dialogues));
        self.dialogues = Some(dialogues);
        Ok(())
    }

    /// Does work other than playing, such as [`Session::inspect`], and prints its notes.
    pub(crate) fn work<T>(
        &mut self,
        ui: &mut Ui,
        work: impl FnOnce(&mut Session<'p>, &mut Observers<'_>) -> Result<T, SessionError>,
    ) -> Result<T, Failure> {
        let mut notes = Notes::new(ui, self.counts_games);
        let done = work(&mut self.session, &mut Observers::default().with(&mut notes));
        done.map_err(|error| session_failure_of(ui, error, self.origin))
    }

    /// Plays the games that a directory lacks and writes its tables, or without a directory all games, keeping nothing.
    pub(crate) fn play(
        &mut self,
        ui: &mut Ui,
        directory: Option<&RunDirectory>,
    ) -> Result<PlayedRun, Failure> {
        self.play_before(ui, directory, None)
    }

    /// Plays as [`Run::play`] does, with another observer.
    pub(crate) fn play_before(
        &mut self,
        ui: &mut Ui,
        directory: Option<&RunDirectory>,
        observer: Option<&mut dyn Observer>,
    ) -> Result<PlayedRun, Failure> {
        let signal = Arc::new(Mutex::new(None));
        let mut listen = |stopper: Stopper| {
            let last = Arc::clone(&signal);
            signals::listen(move |signal| {
                let before = last.lock().unwrap_or_else(PoisonError::into_inner).replace(signal);
                stopper.stop(match (before, signal) {
                    (None, Signal::Interrupt) => Stop::Finish,
                    _ => Stop::Abort,
                });
            })
        };
        let mut live = LiveView::new(ui, &self.session.tournament);
        let mut stream = ui.events().cloned().map(EventStream::new);
        let mut tables = Tables::default();
        let mut notes = Notes::new(ui, self.counts_games);
        notes.reports_faults = self.reports_faults;
        let mut observers = Observers::default().with(&mut notes);
        if let Some(observer) = observer {
            observers = observers.with(observer);
        }
        if let Some(stream) = &mut stream {
            observers = observers.with(stream);
        }
        observers = observers.with(&mut live).with(&mut tables);
        let played = match directory {
            Some(directory) => self.session.run_in(directory, &mut listen, &mut observers),
            None => self.session.run(&mut listen, &mut observers),
        };
        drop(live);
        warn_of_dialogues(self.dialogues.as_deref(), ui);
        let (outcome, results) = played.map_err(|error| session_failure_of(ui, error, self.origin))?;
        if let Some(failure) = tables.failure {
            return Err(failure);
        }
        if let Some(events) = ui.events() {
            events.set_status(outcome.word());
        }
        let signal = *signal.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(PlayedRun { outcome, results, signal })
    }
}

pub(crate) fn dialogue_folder(folder: &Path) -> Result<Arc<DialogueFolder>, Failure> {
    let cant = |error| Failure::file(Exit::CantWrite, "write to", folder, &error);
    DialogueFolder::create(folder).map(Arc::new).map_err(cant)
}

/// Waits until all dialogues are written, and warns if one can't be written.
pub(crate) fn warn_of_dialogues(dialogues: Option<&DialogueFolder>, ui: &mut Ui) {
    if let Some(WriteFailure { path, error }) = dialogues.and_then(DialogueFolder::finish) {
        ui.warn(format_args!("the dialogues are not complete: can't write `{}`: {error}", path.display()));
    }
}

/// The treatment of a league's bots that can't play.
pub(crate) fn preflight_of_league(keep_going: bool, ui: &Ui) -> Preflight {
    match (keep_going, ui.is_strict()) {
        (true, _) => Preflight::Skipped,
        (false, true) => Preflight::MustPass,
        (false, false) => Preflight::Withdraws,
    }
}

pub(crate) fn platform() -> Result<Platform, Failure> {
    let binary = env::own_binary().map_err(|error| {
        Failure::new(Exit::Wrong, "can't find the linesman executable, which starts the bots").cause(error)
    })?;
    Ok(Platform {
        binary,
        software: env::SOFTWARE,
        host: env::host(),
        path: env::path(),
        environment: env::for_bots(),
        cache: env::cache(),
        users: env::bot_users().map_err(Failure::wrong)?,
        cores: env::cores(),
        now: env::now_text,
    })
}

/// Determines the identity of this program on this machine, and the parts of the sandbox that work here.
pub(crate) fn stage(ui: &Ui, sandbox: Sandbox, paths: LeaguePaths) -> Result<Stage, Failure> {
    Stage::new(sandbox, paths, &platform()?).map_err(|error| session_failure(ui, error))
}

const MAKE_A_TABLE: &str = "make a table with `linesman solve GAME --save FILE`";

/// The diagnostic for a table of a tournament file that can't be opened.
fn missing_table(plan: &Plan, table: &TablePlan) -> Option<Diagnostic> {
    let error = File::open(&table.path).err()?;
    // A table from the command line has no place in a file.
    plan.file.as_ref()?;
    let span = plan.tournament.spans.find(&["adjudication", "table"])?;
    let diagnostic = Diagnostic::new(format!("can't open the table `{}`", table.name));
    Some(diagnostic.at(span, error.to_string()).hint(MAKE_A_TABLE))
}

/// The judge that adjudicates games with a tournament's table.
pub(crate) fn table_judge(table: &TablePlan, setup: &dyn Setup) -> Result<TableJudge, Failure> {
    let path = &table.path;
    let file = File::open(path).map_err(|error| Failure::file(Exit::Wrong, "open", path, &error))?;
    let cant = |error: &dyn std::error::Error| {
        let failure =
            Failure::wrong(format_args!("can't decide games with the table `{}`: {error}", path.display()));
        caused(failure, error).hint(MAKE_A_TABLE)
    };
    let table = SolvedTable::read(&mut BufReader::new(file)).map_err(|error| cant(&error))?;
    let digest = format!("sha256:{}", table.digest());
    let oracle = oracle(table, setup.id(), setup.options()).map_err(|error| cant(&error))?;
    Ok(TableJudge { oracle, digest })
}

pub(crate) struct ReadRun {
    pub(crate) results: Results,
    pub(crate) plan: Plan,
    /// The games that have been played, and the state of the schedule.
    pub(crate) progress: Progress,
}

/// Reads a run that may still be in progress.
pub(crate) fn read_run(ui: &mut Ui, path: &Path) -> Result<ReadRun, Failure> {
    let directory = paths::run(path);
    let plan = directory.plan_in_force().map_err(|error| directory_failure(ui, &error))?;
    let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
    let read = resume_scan(ui, &directory, &plan.tournament, &schedule)?;
    Ok(ReadRun { results: read.results, progress: read.progress, plan })
}

/// Reads all records of a run and warns of those that don't belong to it.
pub(crate) fn resume_scan(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
) -> Result<ResumeScan, Failure> {
    scanned(ui, directory, ResumeScan::of(directory, tournament, schedule))
}

/// Reads all records of a run, calls `see` for each that counts, and warns of those that don't belong to it.
pub(crate) fn resume_scan_seeing(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    schedule: &Schedule,
    see: impl FnMut(&GameRecord, &Outcome<'_>, &Results),
) -> Result<ResumeScan, Failure> {
    scanned(ui, directory, ResumeScan::seeing(directory, tournament, schedule, see))
}

fn scanned(
    ui: &mut Ui,
    directory: &RunDirectory,
    read: Result<ResumeScan, SessionError>,
) -> Result<ResumeScan, Failure> {
    let read = read.map_err(|error| session_failure(ui, error))?;
    report_oddities(ui, &read, &directory.games());
    Ok(read)
}
