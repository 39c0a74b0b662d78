//! Plays the missing games of a run: hands games to the workers and makes records of the results. The
//! listener decides where the records go.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::bots::is_person;
use crate::dialogue_folder::DialogueFolder;
use crate::dispatcher::{Assignment, AttemptOutcome, Consequences, Dispatcher};
use crate::fair_play::{FairPlay, HostSample, Retry};
use crate::file::{Affinity, Bot, Tournament};
use crate::host::Host;
pub use crate::league_games::EndedGame;
use crate::league_games::LeagueGames;
use crate::lineup::Lineup;
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

/// Number of bots that a slot keeps alive for their next game.
const IDLE_BOTS: usize = 8;

/// Output of the workers.
#[derive(Debug)]
pub enum RunOutput {
    /// An event that needs no record.
    Event(RunEvent<'static>),
    /// A game has ended and left a record.
    Ended(EndedGame),
    /// A game that counts already was played once more, on another machine.
    Repeated(Box<GameRecord>),
}

/// The parts of the seats in a game.
pub(super) fn parts_of(played: &Played) -> BySeat<Part> {
    let were_ready = &played.finished.were_ready;
    played.usage.map(|seat, usage| Part { moves: usage.moves, was_ready: were_ready[seat] })
}

/// The binding of games and bots to CPUs, and the number of CPUs of each game.
pub(super) fn placement(tournament: &Tournament) -> (workers::Affinity, usize) {
    let affinity = match tournament.affinity {
        Affinity::Auto => workers::Affinity::Auto,
        Affinity::Off => workers::Affinity::Off,
    };
    (affinity, usize::try_from(tournament.cores_a_game()).unwrap_or(usize::MAX))
}

/// The bots of a tournament for the preflight check. If all of them must play in the first game, they are
/// started for it, and kept.
pub fn candidates(tournament: &Tournament, lineup: &Lineup, at_once: usize) -> (Vec<Candidate>, Afterwards) {
    let all_play = lineup.specs.len() <= tournament.game.teams().seats();
    let is_kept = all_play && workers::have_threads_of_their_own(at_once);
    let (affinity, cpus_a_slot) = placement(tournament);
    let candidate = |(spec, bot): (&BotSpec, &Bot)| {
        let mut spec = spec.clone();
        if is_kept {
            spec.command.cpus = workers::cpus_of_first_slot(affinity, cpus_a_slot, spec.cpus);
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
    /// The specifications by which the bots are started, in the tournament's order.
    pub specs: Vec<BotSpec>,
    /// Makes the records.
    pub recorder: Recorder,
    /// Chooses the games.
    pub dispatcher: Dispatcher,
    /// Number of games that are played at once; at least 1.
    pub slots: usize,
    /// Decides which bots are withdrawn.
    pub withdrawals: Withdrawals,
    /// The table of the solved game, if the tournament names one.
    pub oracle: Option<Arc<dyn Oracle>>,
    /// True if each move is reported.
    pub tells_moves: bool,
    /// The folder for the dialogues of the games, if they are kept.
    pub dialogues: Option<Arc<DialogueFolder>>,
}

impl Run {
    /// Starts playing, with the kept bots in the first game. The listener is called from the workers' threads
    /// and must return quickly. It has received everything when the workers have ended.
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
        // More slots would have nothing to do.
        let games = usize::try_from(self.dispatcher.left()).unwrap_or(usize::MAX).max(1);
        let settings = self.settings(self.slots.min(games));
        let jobs = self.into_jobs(host.now, HostSample::read, listener);
        workers::run_with(&settings, Arc::new(jobs), stop, kept.take())
    }

    /// The settings of this number of slots.
    pub(super) fn settings(&self, slots: usize) -> WorkerSettings {
        let (affinity, cpus_a_slot) = placement(&self.tournament);
        WorkerSettings { slots, affinity, cpus_a_slot, idle_bots: self.idle_bots() }
    }

    /// Number of bots that a slot may keep waiting. If each bot has a user of its own, there must be enough users for
    /// those that play and for as many that are ending.
    fn idle_bots(&self) -> usize {
        let users = self.specs.iter().find_map(|spec| spec.command.isolation.as_ref()?.layers.slot_users);
        users.map_or(IDLE_BOTS, |users| {
            let of_a_slot = usize::try_from(users.lendable()).unwrap_or(usize::MAX) / self.slots.max(1);
            of_a_slot.saturating_sub(2 * self.tournament.game.teams().seats()).min(IDLE_BOTS)
        })
    }

    /// The games as a source for workers, for callers with workers of their own. `now` returns the time (UTC,
    /// RFC 3339); `sample` the pressure on the host.
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
            state: Mutex::new(RunState {
                dispatcher,
                fair,
                withdrawals: self.withdrawals,
                playing: HashMap::new(),
                numbers: 0,
                is_over: false,
            }),
            listener,
            on_move,
            dialogues: self.dialogues,
        }
    }
}

/// The events that report the consequences of a game for the remaining ones.
pub(crate) fn events_of(consequences: Consequences) -> impl Iterator<Item = RunEvent<'static>> {
    let Consequences { cancelled, taken_up, drawn_otherwise } = consequences;
    let taken_up = (!taken_up.is_empty()).then_some(RunEvent::TakenUp { records: taken_up });
    let drawn_otherwise =
        (!drawn_otherwise.is_empty()).then_some(RunEvent::DrawnOtherwise { records: drawn_otherwise });
    let cancelled = (cancelled > 0).then_some(RunEvent::Cancelled { games: cancelled });
    taken_up.into_iter().chain(drawn_otherwise).chain(cancelled)
}

struct RunSource {
    games: LeagueGames,
    now: fn() -> String,
    sample: Box<dyn Fn() -> HostSample + Send + Sync>,
    state: Mutex<RunState>,
    listener: Listener,
    on_move: Option<MoveListener>,
    dialogues: Option<Arc<DialogueFolder>>,
}

type Listener = Arc<dyn Fn(RunOutput) + Send + Sync>;

struct RunState {
    dispatcher: Dispatcher,
    fair: FairPlay,
    withdrawals: Withdrawals,
    /// The games in progress, by their number.
    playing: HashMap<u64, Playing>,
    numbers: u64,
    /// True if no more games will be handed out.
    is_over: bool,
}

/// The answer to a slot that asks for a game.
enum HandOut {
    Game(Box<Assignment>),
    /// No game for now; there may be one later unless the run is over.
    Nothing,
    /// Only games that an overloaded host spoiled are left, and the wait for a quieter host begins.
    WaitBegins {
        games: usize,
        at_most: Duration,
    },
}

#[derive(Clone)]
struct Playing {
    assignment: Assignment,
    /// The time of its beginning, UTC, RFC 3339.
    started: String,
    /// The [period](FairPlay::period) in which it began.
    period: u64,
}

impl RunSource {
    fn tell(&self, event: RunEvent<'static>) {
        (self.listener)(RunOutput::Event(event));
    }

    fn state(&self) -> MutexGuard<'_, RunState> {
        // The state is consistent even if another thread panicked while it held the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn game(&self, assignment: &Assignment, fair: &FairPlay) -> Game {
        let game = self.games.game(assignment, fair);
        let dialogue = self.dialogues.as_ref().map(|folder| folder.listener(assignment.attempt));
        Game { on_move: self.on_move.clone(), dialogue, ..game }
    }

    /// Updates the state by a game. Returns the events for bots that are paused or withdrawn, and for a change of the
    /// number of games at once.
    fn take_note(&self, playing: &Playing, played: &Played) -> Vec<RunEvent<'static>> {
        let assignment = &playing.assignment;
        let verdict = &played.finished.verdict;
        let bots = &assignment.pairing.bots;
        let mut state = self.state();
        let (paused, change) = state.fair.played(bots, played, playing.period);
        let name = |bot: usize| self.games.tournament.bots[bot].name.clone();
        let mut events: Vec<_> = paused.into_iter().map(|bot| RunEvent::Paused { bot: name(bot) }).collect();
        for (bot, row) in state.withdrawals.played(bots, verdict, &parts_of(played), played.duration) {
            state.dispatcher.withdraw(bot);
            events.push(RunEvent::Withdrawn { bot: name(bot), row: Some(row) });
        }
        events.extend(change.map(|change| RunEvent::AtOnce { change, id: assignment.pairing.id.clone() }));
        events
    }

    /// The next game to be played now, if there is one.
    fn hand_out(&self, state: &mut RunState) -> HandOut {
        let RunState { dispatcher, fair, playing, is_over, .. } = state;
        dispatcher.retry(|tries| fair.may_retry_early(tries));
        if let Some(assignment) = dispatcher.hand_out() {
            return HandOut::Game(Box::new(assignment));
        }
        if !playing.is_empty() {
            // A running game may be played again, or other games may depend on its result.
            return HandOut::Nothing;
        }
        let games = dispatcher.spoiled();
        if games == 0 {
            *is_over = true;
            return HandOut::Nothing;
        }
        match fair.may_retry((self.sample)()) {
            Retry::Waiting { at_most, began: true } => HandOut::WaitBegins { games, at_most },
            Retry::Waiting { began: false, .. } => HandOut::Nothing,
            Retry::Now => {
                dispatcher.retry(|_| true);
                dispatcher.hand_out().map_or(HandOut::Nothing, |game| HandOut::Game(Box::new(game)))
            }
        }
    }
}

impl Jobs for RunSource {
    fn next(&self, slot: usize) -> Next {
        let mut state = self.state();
        if state.is_over {
            return Next::Done;
        }
        if !state.fair.may_play(slot) {
            return Next::Wait;
        }
        let assignment = match self.hand_out(&mut state) {
            HandOut::Game(assignment) => *assignment,
            HandOut::Nothing if state.is_over => return Next::Done,
            HandOut::Nothing => return Next::Wait,
            HandOut::WaitBegins { games, at_most } => {
                drop(state);
                self.tell(RunEvent::Waiting { games, at_most });
                return Next::Wait;
            }
        };
        state.numbers += 1;
        let number = state.numbers;
        let game = self.game(&assignment, &state.fair);
        let tournament = &self.games.tournament;
        let began = RunEvent::Began {
            slot,
            id: assignment.pairing.id.clone(),
            attempt: assignment.attempt,
            bots: assignment.pairing.bots.map(|_, bot| tournament.bots[*bot].name.clone()),
            entrants: assignment.pairing.entrants.map(|_, own| tournament.entrants[*own].name.clone()),
        };
        let period = state.fair.period();
        state.playing.insert(number, Playing { assignment, started: (self.now)(), period });
        drop(state);
        self.tell(began);
        Next::Play(Box::new(workers::Job { number, game }))
    }

    fn done(&self, _slot: usize, number: u64, played: Option<Played>) {
        let Some(playing) = self.state().playing.get(&number).cloned() else { return };
        let assignment = &playing.assignment;
        let mut more = Vec::new();
        let (outcome, output) = match played {
            None => (
                AttemptOutcome::BrokenOff,
                RunOutput::Event(RunEvent::BrokenOff { id: assignment.pairing.id.clone() }),
            ),
            Some(played) => {
                let outcome = AttemptOutcome::of(&played.finished.verdict);
                more = self.take_note(&playing, &played);
                let ended = self.games.ended(assignment, played, playing.started.clone());
                (outcome, RunOutput::Ended(ended))
            }
        };
        // The record first: a thread that sees the last game returned finds all records reported.
        (self.listener)(output);
        more.into_iter().for_each(|event| self.tell(event));
        let mut state = self.state();
        state.playing.remove(&number);
        let consequences = state.dispatcher.finished(assignment, &outcome);
        drop(state);
        events_of(consequences).for_each(|event| self.tell(event));
    }
}
