//! The table where a person plays: games run as in a match, but moves can be taken back.
//!
//! For the referee, the person is a bot that speaks the protocol over a connection within this program. To take moves
//! back, the game is aborted and restarted from the remaining moves, so bots need not support it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::events::{Beginning, PersonEvent, TableEvent};
use crate::league::session::{PlayGames, Stop, Stopper};
use crate::process::{Bot, Command, Leaked};
use crate::protocol::ToBot;
use crate::referee::core::{Action, Event, GameSetup, GameTime, PlayedMove};
use crate::referee::driver::event_count::EventCount;
use crate::referee::driver::guest::{self, Connection, GuestRuntime, Occupant};
use crate::referee::driver::workers::{Job, Jobs, Next, Workers};
use crate::referee::driver::{
    DialogueListener, Game, MoveMade, Played, Slot, SlotSettings, StopSwitch, WarmBot, now,
};
use crate::seat::Seat;
use crate::verdict::{Assistance, Verdict, Void};

/// The person's control over the game in progress.
#[derive(Default)]
pub(super) struct Controls {
    state: Mutex<ControlsState>,
    /// Notified when the person continues or leaves.
    continued: Condvar,
}

#[derive(Default)]
struct ControlsState {
    /// The person's end of the connection.
    connection: Option<UnixStream>,
    switch: Option<StopSwitch>,
    /// Number of moves that are kept when the game restarts.
    take_back_to: Option<usize>,
    assistance: Assistance,
    stopper: Option<Stopper>,
    is_leaving: bool,
    may_start_next: bool,
}

impl Controls {
    fn state(&self) -> MutexGuard<'_, ControlsState> {
        // The state is consistent even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the referee: `bestmove c1c5`.
    pub(super) fn answer(&self, line: &str) {
        if let Some(connection) = &mut self.state().connection {
            // An aborted game does not wait for an answer.
            let _ = connection.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Takes moves back until `left` of them remain.
    pub(super) fn take_back(&self, left: usize) {
        let mut state = self.state();
        state.take_back_to = Some(left);
        state.switch.iter().for_each(StopSwitch::abort_running);
    }

    pub(super) fn count_hint(&self) {
        self.state().assistance.hints += 1;
    }

    pub(super) fn start_next_game(&self) {
        self.state().may_start_next = true;
        self.continued.notify_all();
    }

    /// Aborts the game in progress and ends the run.
    pub(super) fn leave(&self) {
        let mut state = self.state();
        state.is_leaving = true;
        state.stopper.iter().for_each(|stopper| stopper.stop(Stop::Abort));
        state.switch.iter().for_each(StopSwitch::abort_running);
        drop(state);
        self.continued.notify_all();
    }

    pub(super) fn set_stopper(&self, stopper: Stopper) {
        let mut state = self.state();
        if state.is_leaving {
            stopper.stop(Stop::Abort);
        }
        state.stopper = Some(stopper);
    }

    /// Starts or restarts a game. Returns its stop switch.
    fn begin(&self, main: &StopSwitch) -> StopSwitch {
        let mut state = self.state();
        let switch = main.branch();
        if state.is_leaving {
            switch.abort_running();
        }
        state.switch = Some(switch.clone());
        state.take_back_to = None;
        switch
    }

    /// Waits until the person has seen the end of a game.
    fn wait_for_person(&self) {
        let waits = |state: &mut ControlsState| !state.may_start_next && !state.is_leaving;
        let state = self.continued.wait_while(self.state(), waits);
        state.unwrap_or_else(PoisonError::into_inner).may_start_next = false;
    }
}

/// Plays the games of a run in which a person takes part.
#[derive(Clone)]
pub(super) struct TableHost {
    pub(super) controls: Arc<Controls>,
    pub(super) events: Sender<PersonEvent>,
    /// This program, which is the command of the person.
    pub(super) binary: PathBuf,
    /// The arguments of that command.
    pub(super) words: Vec<String>,
}

/// The dialogue of a game in parts: each time moves are taken back, a new part begins.
struct PartDialogue {
    listener: Arc<Mutex<Box<dyn DialogueListener>>>,
    is_first: bool,
}

impl PartDialogue {
    fn of_game(listener: Box<dyn DialogueListener>) -> PartDialogue {
        PartDialogue { listener: Arc::new(Mutex::new(listener)), is_first: true }
    }

    fn next(&mut self) -> PartDialogue {
        let is_first = std::mem::take(&mut self.is_first);
        PartDialogue { listener: Arc::clone(&self.listener), is_first }
    }

    fn listener(&self) -> MutexGuard<'_, Box<dyn DialogueListener>> {
        self.listener.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DialogueListener for PartDialogue {
    fn begins(&mut self, setup: &GameSetup) {
        if self.is_first {
            self.listener().begins(setup);
        }
    }

    fn heard(&mut self, at: GameTime, seat: Seat, line: &[u8]) {
        self.listener().heard(at, seat, line);
    }

    fn stderr(&mut self, at: GameTime, seat: Seat, bytes: &[u8]) {
        self.listener().stderr(at, seat, bytes);
    }

    fn happened(&mut self, at: GameTime, event: &Event) {
        self.listener().happened(at, event);
    }

    fn ordered(&mut self, at: GameTime, action: &Action) {
        self.listener().ordered(at, action);
    }
}

impl TableHost {
    /// The function with which a session plays its games.
    pub(super) fn play_games(self) -> PlayGames {
        Arc::new(move |jobs, stop, warm| {
            let (host, stop) = (self.clone(), stop.clone());
            Workers::on_one_thread("slot 1", 1, move || host.play_all(&*jobs, &stop, warm))
        })
    }

    fn send(&self, event: TableEvent) {
        // The channel has no receiver after the person has left.
        let _ = self.events.send(PersonEvent::Table(event));
    }

    fn play_all(&self, jobs: &dyn Jobs, stop: &StopSwitch, warm: Vec<WarmBot<Bot>>) -> Leaked {
        let mut warm: Vec<WarmBot<Occupant<Connection>>> =
            warm.into_iter().map(GuestRuntime::seated).collect();
        let mut leaked = Leaked::default();
        let events = EventCount::default();
        let mut is_first = true;
        while stop.may_begin() {
            match jobs.next(0) {
                Next::Play(job) => {
                    let Job { number, game } = *job;
                    if !std::mem::take(&mut is_first) {
                        self.controls.wait_for_person();
                    }
                    let (played, left) = self.play(game, stop, std::mem::take(&mut warm));
                    leaked = leaked.and(left);
                    jobs.done(0, number, played);
                }
                Next::Wait => events.wait(events.value()),
                Next::Done => break,
            }
        }
        leaked
    }

    /// Plays a game to its end, also if moves are taken back; `None` if it was aborted.
    fn play(
        &self,
        mut game: Game,
        stop: &StopSwitch,
        mut warm: Vec<WarmBot<Occupant<Connection>>>,
    ) -> (Option<Played>, Leaked) {
        let (begun, mut leaked) = (now(), Leaked::default());
        let mut dialogue = game.dialogue.take().map(PartDialogue::of_game);
        self.controls.state().assistance = Assistance::default();
        if let Some(beginning) = self.beginning(&game) {
            self.send(TableEvent::Begins(Box::new(beginning)));
        }
        let opening = game.setup.opening_moves.len();
        let mut kept: Vec<PlayedMove> = Vec::new();
        loop {
            let (mut part, made) = self.part_of(&game, &kept);
            part.dialogue = dialogue.as_mut().map(|dialogue| Box::new(dialogue.next()) as _);
            let switch = self.controls.begin(stop);
            // The person is connected when the referee starts the person's command.
            let host = self.clone();
            let invitation = move |command: &Command| host.is_person(command).then(|| host.connect());
            let runtime = GuestRuntime::for_this_thread(Box::new(invitation));
            let slot = Slot::in_runtime(runtime, SlotSettings::default(), switch);
            let mut slot = slot.with_warm_bots(std::mem::take(&mut warm));
            let played = slot.play(part);
            leaked = leaked.and(slot.close());
            let mut state = self.controls.state();
            let assistance = state.assistance;
            match (played, state.take_back_to.take()) {
                (Some(played), _) => {
                    drop(state);
                    let played = whole(played, kept, assistance);
                    return (Some(Played { duration: begun.elapsed(), ..played }), leaked);
                }
                (None, Some(left)) if !stop.must_abort() && !state.is_leaving => {
                    state.assistance.undos += 1;
                    drop(state);
                    kept.extend(made.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
                    kept.truncate(left.saturating_sub(opening));
                    self.send(TableEvent::TakenBack { left: opening + kept.len() });
                }
                (None, _) => return (None, leaked),
            }
        }
    }

    fn beginning(&self, game: &Game) -> Option<Beginning> {
        let (person, _) = game.bots.iter().find(|(_, spec)| self.is_person(&spec.command))?;
        Some(Beginning {
            id: game.setup.id.clone(),
            person,
            names: game.bots.map(|_, spec| spec.identity.clone()),
            token: game.setup.opening_token.clone(),
            opening: game.setup.opening_moves.clone(),
        })
    }

    /// The next part of the game, which starts after the kept moves, and the list that collects its moves.
    fn part_of(&self, game: &Game, kept: &[PlayedMove]) -> (Game, Arc<Mutex<Vec<PlayedMove>>>) {
        let mut setup = game.setup.clone();
        let mut table = game.table.fork();
        for played in kept {
            table.play(&played.text).expect("it was played here before");
            setup.opening_moves.push(played.text.to_string());
        }
        let made = Arc::new(Mutex::new(Vec::new()));
        let (collected, host, before) = (Arc::clone(&made), self.clone(), kept.len());
        let listener = game.on_move.clone();
        let on_move = move |moved: MoveMade| {
            let moved = MoveMade { number: moved.number + before, ..moved };
            collected.lock().unwrap_or_else(PoisonError::into_inner).push(moved.played.clone());
            host.send(TableEvent::Moved(moved.clone()));
            listener.iter().for_each(|listener| listener(moved.clone()));
        };
        let on_move = Some(Arc::new(on_move) as _);
        (Game { setup, table, bots: game.bots.clone(), on_move, dialogue: None }, made)
    }

    fn is_person(&self, command: &Command) -> bool {
        let words = command.arguments.iter().map(|word| word.as_os_str());
        command.program == self.binary && words.eq(self.words.iter().map(OsStr::new))
    }

    fn connect(&self) -> std::io::Result<Connection> {
        let (guest, connection) = guest::connect()?;
        let input = connection.try_clone()?;
        self.controls.state().connection = Some(connection);
        let host = self.clone();
        std::thread::Builder::new().name("person".to_owned()).spawn(move || host.listen(input))?;
        Ok(guest)
    }

    /// Reads the referee's lines for the person, and gives the fixed answers.
    fn listen(&self, mut connection: UnixStream) {
        let Ok(input) = connection.try_clone() else { return };
        let mut asked = None;
        for line in BufReader::new(input).lines().map_while(Result::ok) {
            let Ok(Some(message)) = ToBot::parse(&line) else { continue };
            let answer = match message {
                ToBot::Ugi => "id name a person\nugiok\n",
                ToBot::IsReady => "readyok\n",
                ToBot::Position(position) => {
                    asked = Some(position);
                    continue;
                }
                ToBot::Go(going) => {
                    if let Some(position) = asked.take() {
                        self.send(TableEvent::Asked { position, going, at: now() });
                    }
                    continue;
                }
                ToBot::GameOver { places, .. } => {
                    self.send(TableEvent::Over { places });
                    continue;
                }
                ToBot::Quit => return,
                ToBot::SetOption { .. }
                | ToBot::NewGame
                | ToBot::Game(_)
                | ToBot::State(_)
                | ToBot::Legal(_)
                | ToBot::GoPonder(_)
                | ToBot::PonderHit
                | ToBot::Stop
                | ToBot::Told { .. } => continue,
            };
            if connection.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// The whole game from its last part and the moves kept from earlier parts. A game with help has no result.
fn whole(mut played: Played, kept: Vec<PlayedMove>, assistance: Assistance) -> Played {
    for (seat, usage) in played.usage.iter_mut() {
        let earlier = kept.iter().filter(|made| made.seat == seat).count();
        usage.moves = usage.moves.saturating_add(u32::try_from(earlier).unwrap_or(u32::MAX));
    }
    played.finished.moves.splice(0..0, kept);
    if let (Verdict::Finished { faults, .. }, false) = (&played.finished.verdict, assistance.is_none()) {
        let faults = faults.clone();
        played.finished.verdict = Verdict::Void { void: Void::Assisted(assistance), faults };
    }
    played
}
