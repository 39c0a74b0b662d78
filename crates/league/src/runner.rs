//! Plays the missing games of a run: hands games to the workers, and passes records of the results to a listener.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bots::is_person;
use crate::dialogue_folder::DialogueFolder;
use crate::dispatcher::{Assignment, AttemptOutcome, Dispatcher};
use crate::fair_play::{FairPlay, HostSample};
use crate::file::{Affinity, Bot, Tournament};
use crate::host::Host;
use crate::league_games::{EndedGame, LeagueGames};
use crate::lineup::Lineup;
use crate::open_games::{NextOpen, OpenGames, began};
use crate::preflight::{Afterwards, Candidate, WarmBots};
use crate::recorder::Recorder;
use crate::session::event::RunEvent;
use crate::withdrawal::{Part, Withdrawals};
use linesman_driver::workers::{self, Jobs, Next, WorkerSettings, Workers};
use linesman_driver::{BotSpec, Game, MoveListener, Played, StopSwitch};
use linesman_games::solvable::Oracle;
use linesman_record::GameRecord;
use linesman_types::seat::BySeat;
use linesman_types::time_control::TimeControl;

/// Maximum number of bots that a slot keeps alive for their next game.
const IDLE_BOTS: usize = 8;

/// Output of the workers.
#[derive(Debug)]
pub enum RunOutput {
    /// An event that needs no record.
    Event(RunEvent<'static>),
    /// A game has ended and left a record.
    Ended(EndedGame),
    /// A game that already counts was repeated on another machine.
    Repeated(Box<GameRecord>),
}

/// Locks a state, which is consistent even if another thread panicked while it held the lock.
pub(super) fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn parts_of(played: &Played) -> BySeat<Part> {
    let were_ready = &played.finished.were_ready;
    played.usage.map(|seat, usage| Part { moves: usage.moves, was_ready: were_ready[seat] })
}

/// Returns the binding of games and bots to CPUs, and the number of CPUs per game.
pub(super) fn placement(tournament: &Tournament) -> (workers::Affinity, usize) {
    let affinity = match tournament.affinity {
        Affinity::Auto => workers::Affinity::Auto,
        Affinity::Off => workers::Affinity::Off,
    };
    (affinity, usize::try_from(tournament.cores_per_game()).unwrap_or(usize::MAX))
}

/// Returns the bots for the preflight check. If all of them play in the first game, they are started for it, and kept.
pub fn candidates(tournament: &Tournament, lineup: &Lineup, at_once: usize) -> (Vec<Candidate>, Afterwards) {
    let all_play = lineup.specs.len() <= tournament.game.teams().seats();
    let is_kept = all_play && workers::have_threads_of_their_own(at_once);
    let (affinity, cpus_per_slot) = placement(tournament);
    let candidate = |(spec, bot): (&BotSpec, &Bot)| {
        let mut spec = spec.clone();
        if is_kept {
            spec.command.cpus = workers::cpus_of_first_slot(affinity, cpus_per_slot, spec.cpus);
        }
        let work = match bot.time_control.unwrap_or(tournament.time_control) {
            TimeControl::Work(work) => Some(work),
            TimeControl::MoveTime(_) | TimeControl::Clock { .. } => None,
        };
        Candidate { spec, limits: bot.limits.for_core(), work, is_person: is_person(&bot.command) }
    };
    let candidates = lineup.specs.iter().zip(&tournament.bots).map(candidate).collect();
    (candidates, if is_kept { Afterwards::Kept } else { Afterwards::Dismissed })
}

/// A run that is about to be played.
pub struct Run {
    /// The tournament that is played.
    pub tournament: Tournament,
    /// The specifications from which the bots are started, in the tournament's order.
    pub specs: Vec<BotSpec>,
    pub recorder: Recorder,
    /// The source of the games.
    pub dispatcher: Dispatcher,
    /// Number of games that are played at once; at least 1.
    pub slots: usize,
    /// The counts that decide which bots are withdrawn.
    pub withdrawals: Withdrawals,
    /// The table of the solved game that decides games, if the tournament names one.
    pub oracle: Option<Arc<dyn Oracle>>,
    /// True if each move is reported.
    pub tells_moves: bool,
    /// The folder for the dialogues of the games, if they are kept.
    pub dialogues: Option<Arc<DialogueFolder>>,
}

impl Run {
    /// Starts playing. The bots kept from the preflight check play the first game. The listener is called on the
    /// workers' threads and must return quickly. When the workers have ended, it has received all output.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(
        self,
        host: &Host,
        stop: &StopSwitch,
        kept: WarmBots,
        listener: impl Fn(RunOutput) + Send + Sync + 'static,
    ) -> io::Result<Workers> {
        // More slots would be idle.
        let games = usize::try_from(self.dispatcher.left()).unwrap_or(usize::MAX).max(1);
        let settings = self.settings(self.slots.min(games));
        let jobs = self.into_jobs(host.now, HostSample::read, listener);
        workers::run(&settings, Arc::new(jobs), stop, kept.take())
    }

    pub(super) fn settings(&self, slots: usize) -> WorkerSettings {
        let (affinity, cpus_per_slot) = placement(&self.tournament);
        WorkerSettings { slots, affinity, cpus_per_slot, idle_bots: self.idle_bots() }
    }

    /// Returns the number of bots that a slot may keep waiting. If each bot has a user of its own, two users per seat
    /// are reserved: for the bot that plays, and for a previous one that is still ending.
    fn idle_bots(&self) -> usize {
        let users = self.specs.iter().find_map(|spec| spec.command.isolation.as_ref()?.layers.slot_users);
        users.map_or(IDLE_BOTS, |users| {
            let per_slot = usize::try_from(users.lendable()).unwrap_or(usize::MAX) / self.slots.max(1);
            per_slot.saturating_sub(2 * self.tournament.game.teams().seats()).min(IDLE_BOTS)
        })
    }

    /// Converts the run into a source of games, for callers with workers of their own. `now` returns the time (UTC, RFC
    /// 3339), `sample` the pressure on the host.
    pub fn into_jobs(
        self,
        now: fn() -> String,
        sample: impl Fn() -> HostSample + Send + Sync + 'static,
        listener: impl Fn(RunOutput) + Send + Sync + 'static,
    ) -> impl Jobs {
        let dispatcher = match self.tournament.test {
            Some(_) => self.dispatcher.in_order(self.slots),
            None => self.dispatcher,
        };
        let Tournament { pause, overload, ref bots, .. } = self.tournament;
        let listener: Listener = Arc::new(listener);
        let on_move: Option<MoveListener> = self.tells_moves.then(|| {
            let listener = Arc::clone(&listener);
            Arc::new(move |made| listener(RunOutput::Event(RunEvent::Moved(made)))) as MoveListener
        });
        let fair = FairPlay::new(pause, overload, bots.len(), self.slots);
        RunSource {
            games: LeagueGames::new(self.tournament, self.specs, self.recorder, self.oracle),
            now,
            sample: Box::new(sample),
            state: Mutex::new(OpenGames::new(dispatcher, fair, self.withdrawals)),
            listener,
            on_move,
            dialogues: self.dialogues,
        }
    }
}

struct RunSource {
    games: LeagueGames,
    now: fn() -> String,
    sample: Box<dyn Fn() -> HostSample + Send + Sync>,
    state: Mutex<OpenGames<Playing>>,
    listener: Listener,
    on_move: Option<MoveListener>,
    dialogues: Option<Arc<DialogueFolder>>,
}

type Listener = Arc<dyn Fn(RunOutput) + Send + Sync>;

#[derive(Clone)]
struct Playing {
    assignment: Assignment,
    /// The time at which it started, UTC, RFC 3339.
    started: String,
    /// The [period](FairPlay::period) in which it started.
    period: u64,
}

impl RunSource {
    fn emit(&self, event: RunEvent<'static>) {
        (self.listener)(RunOutput::Event(event));
    }

    fn game(&self, assignment: &Assignment, fair: &FairPlay) -> Game {
        let game = self.games.game(assignment, fair);
        let dialogue = self.dialogues.as_ref().map(|folder| folder.listener(assignment.attempt));
        Game { on_move: self.on_move.clone(), dialogue, ..game }
    }

    /// Records the end of a game in the state. Returns the events for bots that are paused or withdrawn, and for a
    /// change of the number of games at once.
    fn enter(&self, playing: &Playing, played: &Played) -> Vec<RunEvent<'static>> {
        let assignment = &playing.assignment;
        let verdict = &played.finished.verdict;
        let bots = &assignment.pairing.bots;
        let mut state = locked(&self.state);
        let (paused, change) = state.fair.played(bots, played, playing.period);
        let tournament = &self.games.tournament;
        let name = |bot: usize| tournament.bots[bot].name.clone();
        let mut events: Vec<_> = paused.into_iter().map(|bot| RunEvent::Paused(name(bot))).collect();
        let (parts, duration) = (parts_of(played), played.duration);
        events.extend(state.withdraw_broken(tournament, bots, verdict, &parts, duration));
        events.extend(change.map(|change| RunEvent::AtOnce { change, id: assignment.pairing.id.clone() }));
        events
    }
}

impl Jobs for RunSource {
    fn next(&self, slot: usize) -> Next {
        let mut state = locked(&self.state);
        if !state.is_over() && !state.fair.may_play(slot) {
            return Next::Wait;
        }
        let assignment = match state.next(&self.sample) {
            NextOpen::Game(assignment) => assignment,
            NextOpen::Done => return Next::Done,
            NextOpen::Wait(event) => {
                drop(state);
                event.into_iter().for_each(|event| self.emit(event));
                return Next::Wait;
            }
        };
        let game = self.game(&assignment, &state.fair);
        let began = began(slot, &assignment, &self.games.tournament);
        let period = state.fair.period();
        let number = state.add(Playing { assignment, started: (self.now)(), period });
        drop(state);
        self.emit(began);
        Next::Play(Box::new(workers::Job { number, game }))
    }

    fn done(&self, _slot: usize, number: u64, played: Option<Played>) {
        let Some(playing) = locked(&self.state).get(number).cloned() else { return };
        let assignment = &playing.assignment;
        let mut events = Vec::new();
        let (outcome, output) = match played {
            None => (
                AttemptOutcome::BrokenOff,
                RunOutput::Event(RunEvent::BrokenOff(assignment.pairing.id.clone())),
            ),
            Some(played) => {
                let outcome = AttemptOutcome::of(&played.finished.verdict);
                events = self.enter(&playing, &played);
                let ended = self.games.ended(assignment, played, playing.started.clone());
                (outcome, RunOutput::Ended(ended))
            }
        };
        // The record is reported first: when the last game has ended, all records have been reported.
        (self.listener)(output);
        events.into_iter().for_each(|event| self.emit(event));
        let consequences = locked(&self.state).finished(number, assignment, &outcome);
        consequences.for_each(|event| self.emit(event));
    }
}
