//! Plays games that a leader on another machine assigns, with the bots, the sandbox and the fair timing of this
//! machine. The result of a game is returned as a record.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use crate::content::BotContent;
use crate::dispatcher::Assignment;
use crate::fair_play::{AtOnce, FairPlay};
use crate::file::Tournament;
use crate::host::Host;
use crate::league_games::{EndedGame, LeagueGames};
use crate::runner::{Run, locked, parts_of};
use crate::withdrawal::Part;
use linesman_driver::event_count::EventCount;
use linesman_driver::workers::{self, Job, Jobs, Next, Workers};
use linesman_driver::{Played, StopSwitch};
use linesman_record::WorkerRecord;
use linesman_types::seat::BySeat;

/// The answer to a request for the next game.
#[derive(Clone, Debug)]
pub enum NextGame<G> {
    /// A game, with its number.
    Game(u64, G),
    /// No game is available now.
    Wait,
    /// No more games will be available.
    Done,
}

/// The plan of a league for another machine: everything that it needs to play games, except for the bots' files.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignedPlan {
    /// The name and version of the leader's program.
    pub software: String,
    pub league: String,
    /// The name of the league if the tournament file has no `name`.
    pub stem: String,
    /// The sandbox setting.
    pub sandbox: String,
    /// The bots in the tournament's order.
    pub bots: Vec<AssignedBot>,
    /// The tournament file, with the contents of the files that it names.
    pub tournament: String,
}

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignedBot {
    /// The name of its version.
    pub name: String,
    /// The digest of the files that its command names; `None` if it names none.
    pub digest: Option<String>,
    /// Its files, if they are sent; `None` if they are on the other machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<BotContent>,
}

/// A source of assigned games, which also takes results. Threads that play call it, so it must return quickly.
pub trait Assignments: Send + Sync + 'static {
    /// Returns the next game, with a number that identifies it.
    fn next(&self) -> NextGame<Box<Assignment>>;
    /// Takes the result of a game; `None` if the game was aborted.
    fn ended(&self, number: u64, played: Option<PlayedElsewhere>);
    /// Takes the new number of games at once.
    fn at_once(&self, games: usize);
    /// Returns the worker that plays, with its current speed.
    fn worker(&self) -> WorkerRecord;
    /// Returns the count of assignments, for slots that wait for one.
    fn events(&self) -> Arc<EventCount>;
}

/// A game that was played on another machine than the leader's.
#[derive(Debug)]
pub struct PlayedElsewhere {
    pub game: EndedGame,
    pub parts: BySeat<Part>,
    /// The bots that are paused from now on, as indices into the tournament's bots.
    pub paused: Vec<usize>,
}

impl Run {
    /// Starts playing the assigned games.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start_assigned(
        self,
        host: &Host,
        stop: &StopSwitch,
        assignments: Arc<dyn Assignments>,
    ) -> io::Result<Workers> {
        let settings = self.settings(self.slots);
        let Tournament { pause, overload, ref bots, .. } = self.tournament;
        let games = AssignedGames {
            state: Mutex::new(AssignedState {
                fair: FairPlay::new(pause, overload, bots.len(), self.slots),
                playing: HashMap::new(),
            }),
            games: LeagueGames::new(self.tournament, self.specs, self.recorder, self.oracle),
            now: host.now,
            assignments,
        };
        workers::run(&settings, Arc::new(games), stop, Vec::new())
    }
}

struct AssignedGames {
    games: LeagueGames,
    now: fn() -> String,
    state: Mutex<AssignedState>,
    assignments: Arc<dyn Assignments>,
}

struct AssignedState {
    fair: FairPlay,
    /// The games that are being played, by their number.
    playing: HashMap<u64, AssignedGame>,
}

struct AssignedGame {
    assignment: Box<Assignment>,
    /// The time at which it started, UTC, RFC 3339.
    started: String,
    /// The [period](FairPlay::period) in which it started.
    period: u64,
    /// The worker, with its speed at the start.
    worker: WorkerRecord,
}

impl Jobs for AssignedGames {
    fn next(&self, slot: usize) -> Next {
        let mut state = locked(&self.state);
        if !state.fair.may_play(slot) {
            return Next::Wait;
        }
        let (number, assignment) = match self.assignments.next() {
            NextGame::Game(number, assignment) => (number, assignment),
            NextGame::Wait => return Next::Wait,
            NextGame::Done => return Next::Done,
        };
        let fair = &state.fair;
        let mut game = self.games.game(&assignment, fair);
        let reference_speed = self.games.tournament.workers.reference_speed;
        let worker = WorkerRecord { reference_speed, ..self.assignments.worker() };
        if let Some(scale) = worker.time_scale() {
            game.setup.scale_times(scale);
        }
        let (started, period) = ((self.now)(), fair.period());
        state.playing.insert(number, AssignedGame { assignment, started, period, worker });
        Next::Play(Box::new(Job { number, game }))
    }

    fn done(&self, _slot: usize, number: u64, played: Option<Played>) {
        let mut state = locked(&self.state);
        let Some(game) = state.playing.remove(&number) else { return };
        let AssignedGame { assignment, started, period, worker } = game;
        let Some(played) = played else {
            drop(state);
            self.assignments.ended(number, None);
            return;
        };
        let (paused, change) = state.fair.played(&assignment.pairing.bots, &played, period);
        drop(state);
        let parts = parts_of(&played);
        let mut game = self.games.ended(&assignment, played, started);
        self.games.recorder.enter_worker(&mut game.record, &assignment, worker);
        self.assignments.ended(number, Some(PlayedElsewhere { game, parts, paused }));
        if let Some(AtOnce::Fewer(games) | AtOnce::More(games)) = change {
            self.assignments.at_once(games);
        }
    }

    fn events(&self) -> Option<Arc<EventCount>> {
        Some(self.assignments.events())
    }
}
