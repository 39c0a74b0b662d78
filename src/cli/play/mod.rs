//! Playing a run while somebody watches: what `match` and `league run` share.

mod audience;
mod closing;
mod diagnosis;
pub(crate) mod faults;
mod preparing;
pub(crate) mod read_back;
pub(crate) mod results;
pub(crate) mod session;
pub(crate) mod signals;
pub(crate) mod standings;
mod tables;

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use super::env;
use super::error::{Exit, Failure};
use super::events;
use super::live;
use super::ui::Ui;
use crate::league::bots::Identity;
use crate::league::course::{Course, End, Step};
use crate::league::dispatcher::{Dispatcher, MOST_TRIES};
use crate::league::fair_play::{AtOnce, TRIES_A_RUN};
use crate::league::file::Tournament;
use crate::league::recorder::{Recorder, Scene};
use crate::league::runner::{Run, RunEvent};
use crate::league::schedule::Length;
use crate::league::trial::Kept;
use crate::league::withdrawal::{Row, Withdrawals};
use crate::process::Leaked;
use crate::rating::Rater;
use crate::record::{GameRecord, HeldLine, RecordWriter, WriteError, WriteEvent};
use crate::referee::driver::{BotSpec, StopSwitch};
use crate::report::describe::several;
pub(crate) use audience::length as planned_length;
use audience::{Audience, Play};
use faults::FaultNotes;
pub(crate) use preparing::{Prepared, Stage, Tried, prepare, stage, try_bots};
use results::Foresight;
pub(crate) use signals::Signal;

/// How often it is looked whether there is something to say although nothing happens.
const BEAT: Duration = Duration::from_secs(1);

/// What is said when somebody stops a run, once and again.
const FINISHING: &str = "stopping after the running games; press Ctrl-C again to abort them";
const BREAKING_OFF: &str = "stopping: the running games are aborted";

/// Something that the watching thread hears.
pub(crate) enum Heard {
    Run(RunEvent),
    Signal(Signal),
    Written(WriteEvent),
    /// The bots have been rated, which took so long.
    Rated(HashMap<String, live::Elo>, Duration),
    Over(std::thread::Result<Leaked>),
}

/// Where the watching thread is told what happens; copies reach the same thread.
#[derive(Clone)]
pub(crate) struct Ear(mpsc::Sender<Heard>);

impl Ear {
    /// The writer's reports, for [`RecordFile::into_writer`](crate::record::RecordFile::into_writer).
    pub(crate) fn for_writer(&self) -> impl Fn(WriteEvent) + Send + Sync + use<> {
        let ear = self.clone();
        move |event| ear.tell(Heard::Written(event))
    }

    fn tell(&self, heard: Heard) {
        // Whoever does not listen any more has ended.
        let _ = self.0.send(heard);
    }
}

/// The two ends of what the watching thread hears.
pub(crate) fn hearing() -> (Ear, mpsc::Receiver<Heard>) {
    let (ear, heard) = mpsc::channel();
    (Ear(ear), heard)
}

/// A tournament that is ready to be played.
pub(crate) struct Ready<'t> {
    pub(crate) tournament: &'t Tournament,
    pub(crate) identities: &'t [Identity],
    /// What the bots are started with.
    pub(crate) stage: &'t Stage,
    /// How, in the tournament's order.
    pub(crate) specs: Vec<BotSpec>,
    /// Those that have been started for the first game.
    pub(crate) kept: Kept,
    /// What is to be played of it.
    pub(crate) dispatcher: Dispatcher,
    /// How many games at once.
    pub(crate) slots: usize,
    /// Bots that play on, and those that do not.
    pub(crate) withdrawals: Withdrawals,
    /// By which table games are decided, if by any.
    pub(crate) judge: Option<session::TableJudge>,
    /// Where records go; none = nowhere.
    pub(crate) writer: Option<&'t mut RecordWriter>,
}

/// Takes note of each record as it comes, and says how it stands.
pub(crate) trait Watcher {
    fn ended(&mut self, record: &GameRecord);
    /// Takes note of records of an earlier run that count again.
    fn taken_up(&mut self, records: &[HeldLine]);
    fn standing(&self) -> live::Standing;
    /// Faults in the games so far.
    fn faults(&self) -> &live::Faults;
    /// How the test stands, if it is one.
    fn test(&self) -> Option<events::Test>;
    fn rater(&self) -> &Rater;
    /// How playing ends if no more games are needed.
    fn test_end(&self) -> Option<Outcome>;
    /// Who says it before that is asked here, if it is a test.
    fn foresight(&self) -> Option<Foresight>;
    /// What has to be said now of the games so far; each thing once.
    fn remark(&mut self) -> Option<String>;
}

/// How playing ended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Outcome {
    /// All games have been played.
    Complete,
    /// Somebody stopped it, by this signal in the end.
    Stopped(Signal),
    /// All games but some of bots that were withdrawn.
    Withdrawn,
    /// All games but some that an overloaded host spoiled in every try.
    Open,
    /// As many games as it takes to decide the test.
    Decided,
    /// The games of the test only repeat earlier ones.
    Repeating,
}

impl Outcome {
    /// Its word in events.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Stopped(_) => "stopped",
            Outcome::Withdrawn => "withdrawn",
            Outcome::Open => "open",
            Outcome::Decided => "decided",
            Outcome::Repeating => "repeating",
        }
    }
}

/// Tells programs how a run ended.
pub(crate) fn tell_outcome(ui: &Ui, outcome: Outcome) {
    if let Some(events) = ui.events() {
        events.ended(outcome.word());
    }
}

/// Plays, shows progress and what goes wrong, and takes signals.
pub(crate) fn play(
    ui: &mut Ui,
    ready: Ready<'_>,
    (ear, heard): (Ear, mpsc::Receiver<Heard>),
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Failure> {
    let Ready { tournament, identities, stage, specs, kept, dispatcher, slots, withdrawals, judge, writer } =
        ready;
    let is_kept = writer.is_some();
    let host = &stage.host;
    let sandbox = Some(Scene::sandbox(&stage.status));
    let scene = Scene { software: env::SOFTWARE.to_owned(), host: env::host(), sandbox };
    let length = dispatcher.schedule().length();
    let (shown, done) = (audience::length(tournament, dispatcher.schedule()), dispatcher.done());
    let left = dispatcher.left();
    let withdrawn: Vec<&str> =
        dispatcher.withdrawn().iter().map(|bot| &*tournament.bots[*bot].name).collect();
    let is_fixed = dispatcher.schedule().is_known_from_the_start();
    let stop = StopSwitch::new();
    let mut recorder = Recorder::new(tournament, identities, scene).with_starts(&specs);
    if let (Some(judge), Some(table)) = (&judge, &tournament.adjudication.table) {
        recorder = recorder.with_table(judge.digest.clone(), table.from);
    }
    let run = Run {
        tournament: tournament.clone(),
        recorder,
        specs,
        dispatcher,
        slots,
        withdrawals,
        oracle: judge.map(|judge| judge.oracle),
    };
    let cant_start = |error| Failure::new(Exit::Wrong, "can't start the games on this machine").cause(error);
    let for_signals = ear.clone();
    signals::listen(move |signal| for_signals.tell(Heard::Signal(signal))).map_err(cant_start)?;
    let (for_run, foresight, to_stop) = (ear.clone(), watcher.foresight().map(Mutex::new), stop.clone());
    let listener = move |event| {
        if let (RunEvent::Ended { record, .. }, Some(foresight)) = (&event, &foresight)
            && foresight.lock().is_ok_and(|mut foresight| foresight.is_over(record))
        {
            to_stop.finish_running();
        }
        for_run.tell(Heard::Run(event));
    };
    let workers = run.start(host, &stop, kept, listener).map_err(cant_start)?;
    let play =
        Play { tournament, length: shown, done, faults: watcher.faults(), windows: workers.status_probes() };
    let mut audience = Audience::gather(ui, &play, ear.clone()).map_err(|error| {
        stop.abort_running();
        cant_start(error)
    })?;
    std::thread::Builder::new()
        .name("waiting".to_owned())
        .spawn(move || {
            let over = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| workers.join()));
            ear.tell(Heard::Over(over));
        })
        .map_err(cant_start)?;

    let mut course = Course::new(writer, left, stop.clone());
    let mut state = Watching::default();
    for bot in withdrawn {
        audience.withdrawn(bot, 0);
        state.withdrawn.push(bot.to_owned());
    }
    let leaked = loop {
        // The ear of the waiting thread lives until it has told that all is over.
        let event = match audience.patience() {
            None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(patience) => heard.recv_timeout(patience),
        };
        let event = match event {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                audience.show_standing_if_due(watcher);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break Leaked::default(),
        };
        match event {
            Heard::Run(RunEvent::Began { slot, id, attempt, bots }) => {
                audience.began(slot, id, attempt, &bots);
            }
            Heard::Run(RunEvent::Ended { record, notes, leaked }) => {
                if let Some(told) = leaked.told() {
                    ui.warn(format_args!("{}: {told}", record.id));
                }
                let step = course.ended(&record);
                match &step {
                    Step::Played | Step::Void(_) | Step::Spoiled(_) => {}
                    Step::Failed(_) => {
                        write_failed(ui);
                        continue;
                    }
                    Step::Lost => continue,
                }
                for note in notes {
                    ui.detail(format_args!("{}: {}", record.id, note.text));
                }
                state.faults.show(ui, &record, |fault| {
                    let name = &record.seats.get(usize::from(fault.seat).checked_sub(1)?)?.name;
                    let index = tournament.bots.iter().position(|bot| bot.name == *name)?;
                    diagnosis::of_record(fault, &stage.diagnosis(tournament, identities, index))
                });
                watcher.ended(&record);
                state.ponders.extend(ponderers(&record).map(str::to_owned));
                if let Some(remark) = watcher.remark() {
                    ui.warn_once(remark);
                }
                if watcher.test_end().is_some() {
                    stop.finish_running();
                }
                match step {
                    Step::Played => audience.played(&record, watcher),
                    Step::Void(why) => {
                        state.has_given_up |= record.attempt >= MOST_TRIES;
                        // The number of them is told at the end.
                        ui.warn_once(format_args!("{} is void and will be played again: {why}", record.id));
                        audience.void(&record, &why);
                    }
                    // There may be many: they are counted, and told one by one in detail only.
                    Step::Spoiled(why) => {
                        ui.detail(format_args!(
                            "{} is annulled and will be played again later: {why}",
                            record.id
                        ));
                        audience.void(&record, &why);
                    }
                    Step::Failed(_) | Step::Lost => {}
                }
            }
            Heard::Run(RunEvent::AtOnce { change, id }) => {
                audience.at_once(change, &id);
                match change {
                    AtOnce::Fewer(games) => ui.note(format_args!(
                        "the machine is overloaded: playing {} at once until the load drops",
                        counted(games as u64)
                    )),
                    AtOnce::More(games) => {
                        ui.note(format_args!(
                            "the load has dropped: playing {} at once",
                            counted(games as u64)
                        ));
                    }
                }
            }
            Heard::Run(RunEvent::Waiting { games, at_most }) => {
                audience.waiting(games as u64, at_most);
                ui.note(format_args!(
                    "waiting for the load to drop before playing {} again, at most {} s",
                    counted(games as u64),
                    at_most.as_secs()
                ));
            }
            Heard::Run(RunEvent::Paused { bot }) => {
                audience.paused(&bot);
                if state.ponders.contains(&bot) {
                    ui.note(format_args!(
                        "`{bot}` uses CPU time while it is not on move, so from now on it is paused then \
                         (`pause`)"
                    ));
                }
            }
            Heard::Run(RunEvent::Withdrawn { bot, row: Row { games, not_ready } }) => {
                audience.withdrawn(&bot, games);
                let did = match not_ready {
                    0 => "crashed at once",
                    _ if not_ready == games => "was not ready",
                    _ => "crashed at once or was not ready",
                };
                ui.warn_once(format_args!(
                    "`{bot}` is withdrawn: it {did} in {games} games in a row, the number that \
                     `limits.crashes` sets; use `--keep-going` to play anyway"
                ));
                state.withdrawn.push(bot);
            }
            Heard::Run(RunEvent::BrokenOff { id }) => {
                course.broken_off();
                audience.broken_off(id);
            }
            Heard::Run(RunEvent::TakenUp { records }) => {
                let games = records.len() as u64;
                course.spared(games);
                watcher.taken_up(&records);
                audience.taken_up(games, watcher);
                let (have, count) = if games == 1 { ("game has", "counts") } else { ("games have", "count") };
                ui.note(format_args!(
                    "{}: {games} {have} already been played and {count}",
                    read_back::rounds_of(&records)
                ));
            }
            Heard::Run(RunEvent::DrawnOtherwise { records }) => {
                let (is, does) =
                    if records.len() == 1 { ("record is", "does") } else { ("records are", "do") };
                ui.warn(format_args!(
                    "{}: the pairings have changed, so {} {is} discarded and {does} not count",
                    read_back::rounds_of(&records),
                    records.len(),
                ));
            }
            Heard::Run(RunEvent::Spared { games }) => {
                course.spared(games);
                audience.spared(games);
            }
            Heard::Signal(signal) => state.signalled(ui, &audience, &stop, signal),
            Heard::Written(WriteEvent::Failed(error)) => {
                if course.write_failed(error) {
                    write_failed(ui);
                }
            }
            Heard::Written(WriteEvent::Durable(_)) => {}
            Heard::Rated(elos, took) => audience.rated(elos, took),
            Heard::Over(Ok(leaked)) => break leaked,
            Heard::Over(Err(panic)) => std::panic::resume_unwind(panic),
        }
    };
    audience.end(watcher);
    if let Some(told) = leaked.told() {
        ui.warn(format_args!("{told}"));
    }
    state.faults.sum_up(ui);
    let End { left, broken_off, void, open } = course.finish().map_err(|error| write_failure(&error))?;
    if broken_off > 0 && watcher.test_end().is_none() {
        ui.note(broken_off_note(broken_off, is_kept));
    }
    if left > 0
        && let Some(end) = watcher.test_end()
    {
        return Ok(end);
    }
    if open > 0 && state.signal.is_none() {
        let again =
            if is_kept { "; to play them, run the same command again on a less busy machine" } else { "" };
        ui.note(format_args!(
            "{} stayed open, because the machine was too busy in each of {TRIES_A_RUN} tries{again}",
            counted(open),
        ));
    }
    match (left, state.signal) {
        (0, _) => Ok(Outcome::Complete),
        (_, Some(signal)) => Ok(Outcome::Stopped(signal)),
        _ if open > 0 && state.withdrawn.is_empty() && !state.has_given_up => Ok(Outcome::Open),
        _ if !state.withdrawn.is_empty() && !state.has_given_up => {
            let names: Vec<&str> = state.withdrawn.iter().map(String::as_str).collect();
            let again = match names.as_slice() {
                _ if !is_kept => "",
                [_] => "; to play them, fix the bot and run the same command again",
                _ => "; to play them, fix these bots and run the same command again",
            };
            let games = match length {
                Length::Exactly(_) if is_fixed => format!("{left} games"),
                // What follows from its games is not played either.
                _ => "games".to_owned(),
            };
            ui.warn(format_args!("{games} of {} were not played{again}", bots_in_words(&names)));
            Ok(Outcome::Withdrawn)
        }
        _ => Err(Failure::new(Exit::Stopped, "a game could not be completed on this machine")
            .cause(void.unwrap_or_else(|| format!("{left} games are missing")))
            .hint(format_args!(
                "fix the cause and run the same command again (a game is tried {MOST_TRIES} times)"
            ))),
    }
}

/// One bot as it is quoted, or a list of several.
fn bots_in_words(names: &[&str]) -> String {
    match names {
        [name] => format!("`{name}`"),
        _ => several(names),
    }
}

/// `1 game`, `3 games`
fn counted(games: u64) -> String {
    if games == 1 { "1 game".to_owned() } else { format!("{games} games") }
}

fn broken_off_note(games: u64, is_kept: bool) -> String {
    let again = |text: &'static str| if is_kept { text } else { "" };
    match games {
        1 => format!("1 game was aborted{}", again("; it will be played again from the start")),
        _ => format!("{games} games were aborted{}", again("; they will be played again from the start")),
    }
}

#[derive(Default)]
struct Watching {
    /// The last signal that came.
    signal: Option<Signal>,
    faults: FaultNotes,
    /// The bots that were withdrawn.
    withdrawn: Vec<String>,
    /// The bots that used so much CPU out of turn in some game that they may have pondered.
    ponders: BTreeSet<String>,
    /// Whether a game was void for the last time.
    has_given_up: bool,
}

/// The share of the time out of turn from which CPU used then may be pondering. A runtime's own
/// housekeeping stays far below.
const PONDERING_SHARE: f64 = 0.1;

/// The CPU time out of turn for each move up to which it is housekeeping, however short the moves are.
const HOUSEKEEPING_US: u64 = 3_000;

/// The bots of a game that used so much CPU out of turn that they may have pondered.
fn ponderers(record: &GameRecord) -> impl Iterator<Item = &str> {
    let game_us = record.duration_ms.map_or(0, |duration| duration.saturating_mul(1_000));
    record.seats.iter().filter_map(move |seat| {
        let usage = seat.usage.as_ref()?;
        let used = usage.off_move_cpu_us?;
        let off_move_us = game_us.saturating_sub(usage.wall_us);
        let is_much = used as f64 > PONDERING_SHARE * off_move_us as f64
            && used > HOUSEKEEPING_US.saturating_mul(u64::from(usage.moves.max(1)));
        is_much.then_some(&*seat.name)
    })
}

impl Watching {
    fn signalled(&mut self, ui: &Ui, audience: &Audience, stop: &StopSwitch, signal: Signal) {
        if self.signal.replace(signal).is_none() && signal == Signal::Interrupt {
            stop.finish_running();
            ui.note(FINISHING);
            audience.stopping(FINISHING);
        } else {
            stop.abort_running();
            ui.note(BREAKING_OFF);
            audience.stopping(BREAKING_OFF);
        }
    }
}

fn write_failed(ui: &Ui) {
    ui.note("stopping, because results can't be written any more");
}

fn write_failure(error: &WriteError) -> Failure {
    let mut failure = Failure::new(Exit::CantWrite, error);
    let mut source = std::error::Error::source(error);
    let mut seen = BTreeSet::new();
    while let Some(cause) = source {
        if seen.insert(cause.to_string()) {
            failure = failure.cause(cause);
        }
        source = cause.source();
    }
    failure.hint(format_args!("{} (earlier records are kept)", error.hint()))
}
