//! The machine itself: its public interface, and the handlers of the events.

use std::time::Duration;

use crate::handshake::ended_before;
use crate::ponder_state::PonderState;
use crate::seat_state::{SeatProgress, SeatState};
use crate::turn_state::{Answer, Turn};
use crate::{Action, Event, GameSetup, GameTime, Input, PlayedMove};
use linesman_games::Table;
use linesman_protocol::{FromBot, PositionLine, printable};
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::time_control::Clock;
use linesman_types::verdict::adjudication::Scores;
use linesman_types::verdict::{Cause, Fault, Limit, SeatFault, Void};

/// One game from the start of its bots to its verdict.
///
/// It ends with exactly one [`Action::Finish`], no matter what the bots do, as long as an [`Event::Tick`] is
/// handed over at each [deadline](Core::deadline). No action follows it.
pub struct Core {
    pub(super) setup: GameSetup,
    pub(super) table: Box<dyn Table>,
    pub(super) teams: Teams,
    pub(super) clock: Clock,
    pub(super) phase: Phase,
    /// The turn of the seat that is asked. There is always one while [`Phase::Playing`].
    pub(super) turn: Option<Turn>,
    pub(super) seats: BySeat<SeatState>,
    pub(super) position: PositionLine,
    pub(super) moves: Vec<PlayedMove>,
    pub(super) faults: Vec<SeatFault>,
    /// The bots' scores, which may decide the game.
    pub(super) scores: Scores,
    /// Number of sides that have been eliminated since the first move was asked for.
    pub(super) eliminated_sides: u32,
    /// The moment of the event that is being handled.
    pub(super) now: GameTime,
    /// The actions that result from it.
    pub(super) actions: Vec<Action>,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Phase {
    New,
    Preparing,
    Playing,
    Finished,
}

impl Core {
    /// Creates a game at a table on which the opening has been played: the position of `setup.opening_token`
    /// with `setup.opening_moves`.
    ///
    /// # Panics
    /// If the table has another number of seats than the setup.
    pub fn new(setup: GameSetup, table: Box<dyn Table>) -> Core {
        let teams = table.teams().clone();
        assert_eq!(setup.seats.seats(), teams.seats(), "the table and the setup have the same seats");
        let mut position = PositionLine::new(setup.opening_token.as_deref());
        setup.opening_moves.iter().for_each(|mv| position.push(mv));
        Core {
            clock: Clock::by_seat(setup.time_controls()),
            phase: Phase::New,
            turn: None,
            seats: setup.seats.map(|_, seat| SeatState::new(seat)),
            position,
            moves: Vec::new(),
            faults: Vec::new(),
            scores: Scores::new(setup.adjudication.scores, &teams),
            eliminated_sides: 0,
            now: GameTime::default(),
            actions: Vec::new(),
            setup,
            table,
            teams,
        }
    }

    /// Starts the game. All times are counted from this moment.
    pub fn start(&mut self, actions: &mut Vec<Action>) {
        if self.phase == Phase::New {
            self.at(GameTime::default(), actions, Core::begin);
        }
    }

    /// Takes an event and appends the resulting actions. The events of one seat must come in the order of
    /// their stamps; those of several seats may come in any order. Events after [`Action::Finish`] are ignored.
    pub fn handle(&mut self, input: Input, actions: &mut Vec<Action>) {
        self.start(actions);
        self.at(input.at, actions, |core| core.take_event(input.event));
    }

    /// Does the same as [`Core::handle`] with an [`Event::Line`], without copying the line; it has no `\n`.
    pub fn line(&mut self, at: GameTime, seat: Seat, line: &[u8], actions: &mut Vec<Action>) {
        self.start(actions);
        self.at(at, actions, |core| core.take_line(seat, line));
    }

    /// Does a step at this moment, and appends the resulting actions.
    fn at(&mut self, now: GameTime, actions: &mut Vec<Action>, step: impl FnOnce(&mut Core)) {
        self.now = now;
        std::mem::swap(&mut self.actions, actions);
        step(self);
        std::mem::swap(&mut self.actions, actions);
    }

    fn take_event(&mut self, event: Event) {
        match event {
            _ if self.phase == Phase::Finished => {}
            Event::Line { seat, line } => self.take_line(seat, &line),
            Event::LineTooLong { seat, bytes } => {
                let fault = self.line_too_long(seat, bytes);
                self.failed(seat, fault);
            }
            Event::Unfinished { seat, text } => {
                if self.is_heard(seat) {
                    self.seats[seat].unfinished = text;
                }
            }
            Event::OutputClosed { seat, stderr_tail } => {
                self.failed(seat, Fault::ClosedOutput { stderr_tail });
            }
            Event::Exited { seat, status, stderr_tail } => {
                // The end of a process says more than the closed output before it.
                if let Some(state) = self.seats.get_mut(seat) {
                    state.ended = None;
                }
                self.failed(seat, Fault::Crash { status, stderr_tail });
            }
            Event::StartFailed { seat, error } => {
                if self.is_heard(seat) {
                    let fault = Fault::NotStarted { error, status: None, stderr_tail: String::new() };
                    self.fail(seat, fault);
                }
            }
            Event::Sent { seat } => {
                if let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) {
                    turn.sent.get_or_insert(self.now);
                    let ponder = &mut self.seats[seat].ponder;
                    if let PonderState::Searching(search) = ponder {
                        turn.said = std::mem::take(&mut search.said);
                        *ponder = PonderState::None;
                    }
                }
            }
            Event::LimitExceeded { seat, which, limit, used } => {
                self.failed(seat, Fault::Limit { which, limit, used });
            }
            Event::Evidence { seat, about, reading, lag } => {
                self.evidence(seat, about, reading, lag);
            }
            Event::Tick => self.tick(),
            Event::Stop(why) => self.finish_void(Void::Host(why)),
        }
    }

    fn take_line(&mut self, seat: Seat, line: &[u8]) {
        if self.is_late(seat) {
            let answer = self.late_answer(seat, line);
            return self.late(seat, answer);
        }
        if !self.is_timely(seat) {
            return;
        }
        // The unfinished part is included in this line.
        self.seats[seat].unfinished.clear();
        let length = line.len() as u64;
        let limits = &self.setup.seats[seat].limits;
        if length > limits.line {
            let fault = self.line_too_long(seat, length);
            return self.fail(seat, fault);
        }
        let on_move = self.turn.as_mut().filter(|turn| turn.is_asked(seat, self.now));
        let is_on_move = on_move.is_some();
        let (which, limit, used) = match on_move {
            Some(turn) => (Limit::OutputOnMove, limits.output_on_move, &mut turn.bytes),
            None if self.seats[seat].ponder.is_active() => {
                (Limit::OutputOnMove, limits.output_on_move, &mut self.seats[seat].bytes_pondering)
            }
            None => (Limit::OutputOffMove, limits.output_off_move, &mut self.seats[seat].bytes_off_move),
        };
        *used += length + 1;
        if *used > limit {
            let fault = Fault::Limit { which, limit, used: *used };
            return self.fail(seat, fault);
        }
        let message = match FromBot::parse(line) {
            Ok(message) => message,
            Err(error) => {
                let fault = Fault::Protocol { line: error.line, expected: error.expected };
                return self.fail(seat, fault);
            }
        };
        match self.seats[seat].progress {
            SeatProgress::Handshake { .. } => self.handshake(seat, message, line),
            SeatProgress::GettingReady { .. } => self.getting_ready(seat, message, line),
            SeatProgress::Playing | SeatProgress::Out if self.seats[seat].ponder.is_active() => {
                self.pondering(seat, message, line);
            }
            SeatProgress::Playing if is_on_move => self.answer(seat, message, line),
            SeatProgress::Playing | SeatProgress::Out => self.off_move(seat, message, line),
            SeatProgress::Failed => {}
        }
    }

    /// Returns the moment when a tick is due, the first one that is too late for the awaited event; `None` only once the
    /// game is finished.
    pub fn deadline(&self) -> Option<GameTime> {
        self.next_due().map(|(_, at)| at)
    }

    /// Returns the seat whose [deadline](Core::deadline) it is.
    pub fn due_first(&self) -> Option<Seat> {
        self.next_due().map(|(seat, _)| seat)
    }

    /// Returns the seat that is being asked for a move.
    pub fn on_move(&self) -> Option<Seat> {
        self.turn.as_ref().map(|turn| turn.seat)
    }

    /// Returns the table in its present state.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// Returns the moves since the opening, as they will be in the record; none after [`Action::Finish`].
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Returns the limit of a seat's next move: the time that is left on its clock, or the time for each move.
    pub fn clock(&self, seat: Seat) -> Duration {
        self.clock.limit(seat)
    }

    /// Returns true if the events of a seat still matter.
    fn is_heard(&self, seat: Seat) -> bool {
        self.phase != Phase::Finished && self.seats.get(seat).is_some_and(SeatState::is_heard)
    }

    /// Returns true if the events of a seat still matter and this one is not stamped past the seat's own
    /// deadline. If it is, the seat has failed, no matter which event shows it first: the verdict does not
    /// depend on the time of a tick.
    fn is_timely(&mut self, seat: Seat) -> bool {
        if !self.is_heard(seat) {
            return false;
        }
        match self.due(seat) {
            Some(due) if self.now >= due => {
                self.expire(seat);
                false
            }
            _ => true,
        }
    }

    /// Returns true if a seat is being asked for its move and is past its time.
    fn is_late(&self, seat: Seat) -> bool {
        let turn = self.turn.as_ref().filter(|turn| turn.seat == seat && self.phase == Phase::Playing);
        let turn = turn.filter(|turn| turn.cpu.is_none() || turn.sent.is_none());
        turn.is_some_and(|turn| {
            turn.late.is_some() || (turn.sent.is_some() && self.now >= turn.due(self.setup.margin))
        })
    }

    /// Returns the first moment that is too late for a seat's awaited event.
    fn due(&self, seat: Seat) -> Option<GameTime> {
        // The deadline of a CPU clock is that of the next sample, for which no answer is too late.
        let turn = self.turn.as_ref().filter(|turn| turn.seat == seat && turn.stopping.is_none());
        let turn = turn.filter(|turn| turn.cpu.is_none() || turn.sent.is_none());
        turn.map(|turn| turn.due(self.setup.margin)).or_else(|| self.seats[seat].until())
    }

    /// Returns the seat with the earliest deadline, and that deadline; `None` once the game is finished.
    fn next_due(&self) -> Option<(Seat, GameTime)> {
        if self.phase == Phase::Finished {
            return None;
        }
        if let Some(turn) = &self.turn {
            return Some((turn.seat, turn.due(self.setup.margin)));
        }
        let waiting = self.seats.iter().filter_map(|(seat, state)| Some((seat, state.until()?)));
        waiting.min_by_key(|(_, until)| *until)
    }

    fn tick(&mut self) {
        while let Some((seat, due)) = self.next_due()
            && self.now >= due
        {
            self.expire(seat);
        }
    }

    /// Handles the passing of a seat's deadline.
    fn expire(&mut self, seat: Seat) {
        match self.seats[seat].progress {
            SeatProgress::Handshake { .. } | SeatProgress::GettingReady { .. } => self.unready(seat),
            SeatProgress::Playing | SeatProgress::Out | SeatProgress::Failed => match &self.turn {
                None => {}
                Some(turn) if turn.stopping.is_some() => self.never_stopped(seat),
                Some(turn) if turn.cpu.is_some() && turn.sent.is_some() => self.sample_cpu(seat),
                Some(turn) if turn.late.is_some() => self.judge(seat, None),
                Some(_) => self.late(seat, None),
            },
        }
    }

    fn line_too_long(&self, seat: Seat, bytes: u64) -> Fault {
        let limit = self.setup.seats.get(seat).map_or(0, |setup| setup.limits.line);
        Fault::Limit { which: Limit::Line, limit, used: bytes }
    }

    /// Returns the late answer in a line; `None` if it is not an answer, and the referee still waits for the bot.
    fn late_answer(&mut self, seat: Seat, line: &[u8]) -> Option<Answer> {
        match FromBot::parse(line) {
            Ok(FromBot::BestMove { .. } | FromBot::Resign) if self.is_stopping(seat) => {
                // It answers `stop`, and still owes its move.
                self.seats[seat].ponder = PonderState::None;
                None
            }
            Ok(FromBot::BestMove { mv, .. }) => Some(Answer::Move(mv)),
            Ok(FromBot::Resign) => Some(Answer::Resignation),
            Ok(FromBot::Unknown) => {
                self.seats[seat].keep_stray_line(line);
                None
            }
            Ok(
                FromBot::IdName(_)
                | FromBot::IdAuthor(_)
                | FromBot::Protocol(_)
                | FromBot::Option(_)
                | FromBot::Feature(_)
                | FromBot::UgiOk
                | FromBot::ReadyOk
                | FromBot::Info(_)
                | FromBot::Tell(_),
            ) => None,
            Err(error) => {
                let fault = Fault::Protocol { line: error.line, expected: error.expected };
                Some(Answer::Failure(fault))
            }
        }
    }

    /// Handles a failure that is reported by an event and not by a bot's line.
    fn failed(&mut self, seat: Seat, fault: Fault) {
        if self.is_heard(seat) && self.is_late(seat) {
            return self.late(seat, Some(Answer::Failure(fault)));
        }
        if !self.is_timely(seat) {
            return;
        }
        match fault {
            Fault::Crash { .. } | Fault::ClosedOutput { .. } => self.ended(seat, fault),
            Fault::NotStarted { .. }
            | Fault::NotReady { .. }
            | Fault::Time { .. }
            | Fault::CpuClock { .. }
            | Fault::IllegalMove { .. }
            | Fault::NotAMove { .. }
            | Fault::Protocol { .. }
            | Fault::Limit { .. } => self.fail(seat, fault),
        }
    }

    /// Handles the end of a seat's process or output.
    fn ended(&mut self, seat: Seat, fault: Fault) {
        let is_asked = self.turn.as_ref().is_some_and(|turn| turn.seat == seat);
        match self.phase {
            Phase::Preparing => {
                if !self.seats[seat].was_ready
                    && let Fault::Crash { status, stderr_tail } = fault
                {
                    let answer = if self.seats[seat].introduced { "readyok" } else { "ugiok" };
                    self.fail(seat, ended_before(answer, Some(status), stderr_tail));
                } else {
                    self.fail(seat, fault);
                }
            }
            _ if is_asked => self.fail(seat, fault),
            // Its last move counts; the fault counts at its next turn.
            _ => {
                self.seats[seat].ended = Some(fault);
                self.seats[seat].ponder = PonderState::None;
            }
        }
    }

    /// Kills a bot that has failed, and eliminates its seat.
    pub(super) fn fail(&mut self, seat: Seat, fault: Fault) {
        let state = &mut self.seats[seat];
        self.actions.push(Action::Kill { seat });
        state.ponder = PonderState::None;
        let before = std::mem::replace(&mut state.progress, SeatProgress::Failed);
        if before == SeatProgress::Out {
            return self.note(seat, format!("failed after its elimination: {}", fault.word()));
        }
        let fault = state.with_evidence(seat, fault);
        self.faults.push(fault);
        if self.phase == Phase::Preparing {
            self.settle();
        } else {
            self.eliminate(seat, Cause::Failure);
        }
    }

    /// Ignores a line that is not a fault and has no meaning here.
    pub(super) fn ignore(&mut self, seat: Seat, message: &FromBot, line: &[u8], why: &str) {
        if *message == FromBot::Unknown {
            self.seats[seat].keep_stray_line(line);
        }
        if !line.trim_ascii().is_empty() {
            self.note(seat, format!("ignored `{}`: {why}", printable(line, 80)));
        }
    }

    /// Notes something about a seat, if there is room for it.
    pub(super) fn note(&mut self, seat: Seat, text: String) {
        let note = self.seats[seat].take_note(text);
        self.actions.extend(note.map(|text| Action::Note { seat: Some(seat), text }));
    }
}
