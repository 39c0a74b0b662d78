//! Hands out the games of a run that are played on other machines, checks their results, and passes the results on to
//! the run.
//!
//! Records are handled like those of games that are played here. Results are not trusted: the players, the seed and the
//! opening must be as planned, and the moves and the outcome must follow the rules.

use std::io;
use std::sync::Mutex;

use crate::assigned::{AssignedPlan, NextGame, PlayedElsewhere};
use crate::dispatcher::{Assignment, AttemptOutcome, MAX_TRIES};
use crate::fair_play::{FairPlay, HostSample};
use crate::file::{ScheduleKind, Tournament};
use crate::open_games::{NextOpen, OpenGames, began};
use crate::recorder::Recorder;
use crate::repeated_games::is_repeated;
use crate::runner::{Run, RunOutput, locked};
use crate::session::event::RunEvent;
use linesman_driver::StopSwitch;
use linesman_driver::workers::Workers;
use linesman_record::verify::Replayer;
use linesman_record::{GameRecord, OwnedLine, WorkerRecord};

/// The reason for refusing the result of a game that is not in flight.
const NOT_IN_FLIGHT: &str = "this game was not requested";

/// Plays the games of a run on other machines.
pub trait PlayElsewhere: Send + Sync {
    /// Starts handing out the games.
    ///
    /// # Errors
    /// The system refuses a thread.
    fn begin(&self, games: GamesElsewhere, plan: AssignedPlan, stop: &StopSwitch) -> io::Result<Workers>;

    /// Takes the number of durable records: the first ones that [`GamesElsewhere::take`] took.
    fn kept(&self, records: u64);
}

/// The games of a run that are played on other machines.
pub struct GamesElsewhere {
    tournament: Tournament,
    recorder: Recorder,
    listener: Box<dyn Fn(RunOutput) + Send + Sync>,
    replayer: Mutex<Replayer>,
    unrepeated: Vec<OwnedLine>,
    state: Mutex<ElsewhereState>,
}

struct ElsewhereState {
    games: OpenGames<Assignment>,
    /// True for each bot that has been reported as paused.
    paused: Vec<bool>,
}

/// The expected agreement between the results of a game that several workers play.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Agreement {
    /// The bots are deterministic: the moves and the result are the same.
    MoveByMove,
    /// Over many games, the results are similar.
    OnAverage,
}

impl Run {
    /// Converts the run into games for other machines. `unrepeated` has the records of games of earlier runs that
    /// should have been repeated and were not. The listener must return quickly.
    pub(crate) fn into_elsewhere(
        self,
        unrepeated: Vec<OwnedLine>,
        listener: impl Fn(RunOutput) + Send + Sync + 'static,
    ) -> GamesElsewhere {
        let dispatcher = match self.tournament.test {
            Some(_) => self.dispatcher.in_order(0),
            None => self.dispatcher,
        };
        let bots = self.tournament.bots.len();
        let Tournament { pause, overload, .. } = self.tournament;
        GamesElsewhere {
            tournament: self.tournament,
            recorder: self.recorder,
            listener: Box::new(listener),
            replayer: Mutex::new(Replayer::default()),
            unrepeated,
            state: Mutex::new(ElsewhereState {
                games: OpenGames::new(dispatcher, FairPlay::new(pause, overload, bots, 1), self.withdrawals),
                paused: vec![false; bots],
            }),
        }
    }
}

impl GamesElsewhere {
    /// Takes the games of earlier runs that should have been repeated and were not, with their records, in the order of
    /// the records. Leaves out games of former versions of bots, which can't be played. Later calls return none.
    pub fn take_unrepeated(&mut self) -> Vec<(Assignment, GameRecord)> {
        let held = std::mem::take(&mut self.unrepeated);
        let state = locked(&self.state);
        let schedule = state.games.dispatcher.schedule();
        let game = |held: &OwnedLine| {
            let record = held.line().record().ok()?;
            let pairing = schedule.pairing(schedule.index_of(&record.id)?)?;
            Some((Assignment { pairing, attempt: record.attempt, try_of_run: 1 }, record))
        };
        held.iter().filter_map(game).collect()
    }

    /// Reports an event that needs no record.
    pub fn tell(&self, event: RunEvent<'static>) {
        (self.listener)(RunOutput::Event(event));
    }

    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// True if each game is chosen by the results so far: no more should be in flight than the workers play at once.
    pub fn follow_each_result(&self) -> bool {
        self.tournament.schedule == ScheduleKind::Ladder
    }

    /// Returns an upper bound on the number of games that are neither played nor in flight.
    pub fn left(&self) -> u64 {
        let ElsewhereState { games, .. } = &*locked(&self.state);
        games.dispatcher.left().saturating_sub(games.len())
    }

    /// False if [`next`](Self::next) will no longer return this game: it has its final record, or the league lacks it.
    pub fn may_come(&self, id: &str) -> bool {
        locked(&self.state).games.dispatcher.may_come(id)
    }

    /// Returns the next game. The sample has no pressure, since other machines play.
    pub fn next(&self, sample: HostSample) -> NextGame<Box<Assignment>> {
        let mut state = locked(&self.state);
        match state.games.next(|| sample) {
            NextOpen::Game(assignment) => {
                NextGame::Game(state.games.add(assignment.clone()), Box::new(assignment))
            }
            NextOpen::Wait(event) => {
                drop(state);
                event.into_iter().for_each(|event| self.tell(event));
                NextGame::Wait
            }
            NextOpen::Done => NextGame::Done,
        }
    }

    /// Reports that a game has started. `slot`, counted from 0, is the slot of the display that shows it.
    pub fn began(&self, number: u64, slot: usize) {
        let Some(assignment) = self.in_flight(number) else { return };
        self.tell(began(slot, &assignment, &self.tournament));
    }

    fn in_flight(&self, number: u64) -> Option<Assignment> {
        locked(&self.state).games.get(number).cloned()
    }

    /// Checks that a record belongs to the game with this number, and that the game follows the rules.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self, number: u64, record: &GameRecord) -> Result<(), String> {
        self.check_of(&self.in_flight(number).ok_or(NOT_IN_FLIGHT)?, record)
    }

    /// Checks that a record belongs to an assignment, and that the game follows the rules.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check_of(&self, assignment: &Assignment, record: &GameRecord) -> Result<(), String> {
        let mut planned = self.recorder.planned(assignment);
        if let Some(worker) = &record.worker {
            let reference_speed = self.tournament.workers.reference_speed;
            let worker = WorkerRecord { reference_speed, ..worker.clone() };
            self.recorder.enter_worker(&mut planned, assignment, worker);
        }
        if let Some(field) = first_difference(&planned, record) {
            return Err(not_as_planned(field));
        }
        let mut replayer = locked(&self.replayer);
        replayer.check(record).map(drop).map_err(|violation| format!("it violates the rules: {violation}"))
    }

    /// Takes the checked result of a game.
    ///
    /// # Errors
    /// The game is not in flight, or the verdict of the record can't be read. Nothing has changed then.
    pub fn take(&self, number: u64, played: PlayedElsewhere) -> Result<(), String> {
        let PlayedElsewhere { game, parts, paused } = played;
        let verdict = game.record.verdict().map_err(|_| not_as_planned("verdict"))?;
        let duration = std::time::Duration::from_millis(game.record.duration_ms.unwrap_or_default());
        let mut events = Vec::new();
        let mut state = locked(&self.state);
        let Some(assignment) = state.games.get(number).cloned() else { return Err(NOT_IN_FLIGHT.to_owned()) };
        let name = |bot: usize| self.tournament.bots[bot].name.clone();
        for bot in paused {
            if state.paused.get(bot) == Some(&false) {
                state.paused[bot] = true;
                events.push(RunEvent::Paused(name(bot)));
            }
        }
        let bots = &assignment.pairing.bots;
        let tournament = &self.tournament;
        events.extend(state.games.withdraw_broken(tournament, bots, &verdict, &parts, duration));
        let outcome = match AttemptOutcome::of(&verdict) {
            // The game remains missing, but the run continues: the cause may be one of the machines.
            AttemptOutcome::Void if assignment.attempt >= MAX_TRIES => AttemptOutcome::BrokenOff,
            outcome => outcome,
        };
        let fair = &mut state.games.fair;
        let period = fair.period();
        fair.ended(period, outcome == AttemptOutcome::Overloaded, None);
        drop(state);
        // The record is reported first: when the last game has ended, all records have been reported.
        (self.listener)(RunOutput::Ended(game));
        events.into_iter().for_each(|event| self.tell(event));
        self.finished(number, &assignment, &outcome);
        Ok(())
    }

    /// Returns the expected agreement between a game and its repeat; `None` if the game is not repeated.
    pub fn repeat(&self, id: &str, bots: &[usize]) -> Option<Agreement> {
        let is_deterministic =
            |bot: &usize| self.tournament.bots.get(*bot).is_some_and(|bot| bot.deterministic);
        let agreement =
            if bots.iter().all(is_deterministic) { Agreement::MoveByMove } else { Agreement::OnAverage };
        is_repeated(&self.tournament, id).then_some(agreement)
    }

    /// Keeps the record of a repeat, separate from the records of the league.
    pub fn keep_repeat(&self, record: GameRecord) {
        (self.listener)(RunOutput::Repeated(Box::new(record)));
    }

    /// Gives up a game that no worker could play. It remains missing.
    pub fn give_up(&self, number: u64) {
        let Some(assignment) = self.in_flight(number) else { return };
        self.tell(RunEvent::BrokenOff(assignment.pairing.id.clone()));
        self.finished(number, &assignment, &AttemptOutcome::BrokenOff);
    }

    fn finished(&self, number: u64, assignment: &Assignment, outcome: &AttemptOutcome) {
        let consequences = locked(&self.state).games.finished(number, assignment, outcome);
        consequences.for_each(|event| self.tell(event));
    }
}

/// Returns the reason for refusing a record that differs from the plan in this field.
fn not_as_planned(field: &str) -> String {
    format!("`{field}` is not as planned")
}

fn first_difference(planned: &GameRecord, record: &GameRecord) -> Option<&'static str> {
    let of_game = [
        ("v", planned.v == record.v),
        ("id", planned.id == record.id),
        ("try", planned.attempt == record.attempt),
        ("league", planned.league == record.league),
        ("game", planned.game == record.game),
        ("options", planned.options == record.options),
        ("time_control", planned.time_control == record.time_control),
        ("clock", planned.clock == record.clock),
        ("wall_bound", planned.wall_bound == record.wall_bound),
        ("margin_ms", planned.margin_ms == record.margin_ms),
        ("opening", planned.opening == record.opening),
        ("pair", planned.pair == record.pair),
        ("adjudication", planned.adjudication == record.adjudication),
        ("seed", planned.seed == record.seed),
        ("worker", planned.worker == record.worker),
        ("seats", planned.seats.len() == record.seats.len()),
    ];
    let of_seats = planned.seats.iter().zip(&record.seats).flat_map(|(planned, seat)| {
        [
            ("seats.name", planned.name == seat.name),
            ("seats.team", planned.team == seat.team),
            ("seats.command", planned.command == seat.command),
            ("seats.digest", planned.digest == seat.digest),
            ("seats.time_control", planned.time_control == seat.time_control),
        ]
    });
    of_game.into_iter().chain(of_seats).find(|(_, is_equal)| !is_equal).map(|(field, _)| field)
}
