//! One game, driven from its start to its verdict.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::Sleep;

use crate::process::{Bot, Chunked, Command, Leftovers, MOST_STDERR, StartError, State};
use crate::referee::core::{Action, Core, Event, Finished, GameTime, Input, SendKind, Stop};
use crate::referee::driver::clock::{BEAT, GameClock};
use crate::referee::driver::seat::{Occupant, SeatState};
use crate::referee::driver::slot::GameNote;
use crate::referee::driver::stop::StopSwitch;
use crate::seat::{BySeat, Seat};
use crate::verdict::{ExitStatus, Limit};

/// How much is read at once.
pub(super) const CHUNK: usize = 16 * 1024;

/// How long a bot that closed its output may take to end, to count as ended.
const END_AFTER_CLOSING: Duration = Duration::from_millis(100);

/// How much is read at most of what a bot that ended has left in its pipe.
const LAST_WORDS: usize = 1024 * 1024;

/// How many lines of a game are kept for people, and how much of each.
const TRANSCRIPT_LINES: usize = 40;
const TRANSCRIPT_BYTES: usize = 400;

/// Which way a line went.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Direction {
    /// From the referee to a bot.
    ToBot,
    /// From a bot to the referee.
    FromBot,
}

/// One of the last lines of a game, perhaps cut.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct TranscriptLine {
    /// When it was sent, or read.
    pub at: GameTime,
    /// Which bot's.
    pub seat: Seat,
    /// Which way it went.
    pub direction: Direction,
    /// Its bytes; several lines that were sent at once stand together.
    pub bytes: Vec<u8>,
}

/// What a game waits for.
enum Happening {
    /// The bot was started, or could not be.
    Started(Seat, Result<Bot, StartError>),
    /// So many bytes of output are in the buffer; none at its end. They were read at the last stamp.
    Output(Seat, usize),
    /// The bot ended, or wrote to stderr.
    News(Seat),
    /// A deadline may have passed, or a beat.
    Time,
}

/// A game that is being driven.
pub(super) struct Driving<'a> {
    pub core: Core,
    pub seats: BySeat<SeatState>,
    commands: BySeat<Command>,
    clock: GameClock,
    actions: Vec<Action>,
    buffer: &'a mut [u8],
    timer: Pin<Box<Sleep>>,
    /// When the timer goes off.
    armed: Instant,
    waker: Option<Waker>,
    /// The seat that is looked at first, so that a talkative one does not silence the others.
    first: usize,
    finished: Option<Box<Finished>>,
    pub notes: Vec<GameNote>,
    pub transcript: VecDeque<TranscriptLine>,
    /// The bots that are being killed.
    pub ending: JoinSet<Leftovers>,
    stop: &'a StopSwitch,
}

impl<'a> Driving<'a> {
    pub(super) fn new(
        core: Core,
        seats: BySeat<SeatState>,
        commands: BySeat<Command>,
        buffer: &'a mut [u8],
        stop: &'a StopSwitch,
    ) -> Driving<'a> {
        let clock = GameClock::start();
        let armed = clock.last() + BEAT;
        Driving {
            core,
            seats,
            commands,
            clock,
            actions: Vec::new(),
            buffer,
            timer: Box::pin(tokio::time::sleep_until(armed.into())),
            armed,
            waker: None,
            first: 0,
            finished: None,
            notes: Vec::new(),
            transcript: VecDeque::with_capacity(TRANSCRIPT_LINES),
            ending: JoinSet::new(),
            stop,
        }
    }

    /// Plays the game; nothing if it was broken off.
    pub(super) async fn play(&mut self) -> Option<(Box<Finished>, Duration)> {
        self.core.start(&mut self.actions);
        loop {
            self.act();
            if let Some(finished) = self.finished.take() {
                return Some((finished, self.clock.stamp().0));
            }
            self.arm_earlier();
            match poll_fn(|context| self.poll(context)).await {
                Happening::Output(seat, count) => self.take_output(seat, count),
                Happening::Started(seat, result) => self.take_start(seat, result),
                Happening::News(seat) => self.take_news(seat),
                Happening::Time => {
                    self.clock.stamp();
                }
            }
            // Not only if the timer was heard: a bot that never pauses must not silence it.
            if self.clock.last() >= self.armed {
                if self.stop.must_abort() {
                    return None;
                }
                self.take_time();
            }
        }
    }

    /// Does what the core has ordered, and what it orders in reply.
    fn act(&mut self) {
        let mut next = 0;
        // New orders join at the end. A slot is emptied before its order is carried out.
        while let Some(slot) = self.actions.get_mut(next) {
            next += 1;
            match std::mem::replace(slot, Action::Note { seat: None, text: String::new() }) {
                Action::Send { seat, text, kind: SendKind::Other } => {
                    let at = self.clock.stamp();
                    self.seats[seat].send(text.as_bytes());
                    keep_line(&mut self.transcript, at, seat, Direction::ToBot, text.as_bytes());
                }
                Action::Send { seat, text, kind: SendKind::Turn } => self.ask(seat, &text, next),
                Action::Start { seat } => {
                    let command = self.commands[seat].clone();
                    self.seats[seat].start(command);
                }
                Action::Kill { seat } => self.kill(seat),
                Action::Note { seat, text } if !text.is_empty() => self.notes.push(GameNote { seat, text }),
                Action::Note { .. } => {}
                Action::Finish(finished) => self.finished = Some(finished),
            }
        }
        self.actions.clear();
    }

    /// Begins a seat's turn. What it had printed before goes to the core first.
    fn ask(&mut self, seat: Seat, text: &str, next: usize) {
        while self.seats[seat].closed.is_none()
            && let Some(bot) = self.seats[seat].bot()
            && let Ok(Some(count)) = bot.read_if_ready(self.buffer)
        {
            self.clock.stamp();
            self.take_output(seat, count);
            let is_over = |action: &Action| match action {
                Action::Finish(_) => true,
                Action::Kill { seat: killed } => *killed == seat,
                _ => false,
            };
            if self.actions[next..].iter().any(is_over) {
                return;
            }
        }
        // Before the write: the bot usually preempts the writer.
        let at = self.clock.stamp();
        self.seats[seat].send(text.as_bytes());
        self.core.handle(Input { at, event: Event::Sent { seat } }, &mut self.actions);
        keep_line(&mut self.transcript, at, seat, Direction::ToBot, text.as_bytes());
    }

    fn kill(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        state.told = true;
        if let Occupant::Here(mut bot) = std::mem::replace(&mut state.occupant, Occupant::Nobody) {
            self.ending.spawn(async move { bot.kill().await });
        }
    }

    /// Looks for what happens next.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Happening> {
        let is_new_waker = !self.waker.as_ref().is_some_and(|waker| waker.will_wake(context.waker()));
        if is_new_waker {
            self.waker = Some(context.waker().clone());
        }
        let seats = self.seats.seats();
        for turn in 0..seats {
            let seat = Seat::from_index((self.first + turn) % seats);
            let state = &mut self.seats[seat];
            match &mut state.occupant {
                Occupant::Nobody => continue,
                Occupant::Coming(start) => {
                    if let Poll::Ready(result) = start.as_mut().poll(context) {
                        return Poll::Ready(Happening::Started(seat, result));
                    }
                    continue;
                }
                Occupant::Here(bot) => {
                    if is_new_waker {
                        bot.wake_on_news(context.waker());
                    }
                    if bot.take_news() {
                        return Poll::Ready(Happening::News(seat));
                    }
                    if state.closed.is_none()
                        && let Poll::Ready(result) = bot.poll_read(context, self.buffer)
                    {
                        self.clock.stamp();
                        self.first = seat.index() + 1;
                        // A pipe that can't be read has ended.
                        return Poll::Ready(Happening::Output(seat, result.unwrap_or(0)));
                    }
                }
            }
            if state.owes_reading() {
                let _ = state.poll_send(context);
            }
        }
        self.timer.as_mut().poll(context).map(|()| Happening::Time)
    }

    /// Sets the timer to the core's deadline if that is earlier. It is not set
    /// later: it goes off in vain at most once a beat, which is cheaper.
    fn arm_earlier(&mut self) {
        if let Some(deadline) = self.core.deadline() {
            let deadline = self.clock.moment(deadline);
            if deadline < self.armed {
                self.arm(deadline);
            }
        }
    }

    fn arm(&mut self, moment: Instant) {
        self.armed = moment;
        self.timer.as_mut().reset(moment.into());
    }

    fn take_start(&mut self, seat: Seat, result: Result<Bot, StartError>) {
        match result {
            Ok(bot) => {
                if let Some(waker) = &self.waker {
                    bot.wake_on_news(waker);
                }
                self.seats[seat].occupant = Occupant::Here(bot);
            }
            Err(error) => {
                self.seats[seat].occupant = Occupant::Nobody;
                self.start_failed(seat, error);
            }
        }
    }

    fn start_failed(&mut self, seat: Seat, error: StartError) {
        self.seats[seat].told = true;
        let text = error.to_string();
        self.tell(match error {
            StartError::Host { .. } => Event::Stop(Stop::Host(format!("seat {seat}: {text}"))),
            _ => Event::StartFailed { seat, error: text },
        });
    }

    fn tell(&mut self, event: Event) {
        let at = self.clock.stamp();
        self.core.handle(Input { at, event }, &mut self.actions);
    }

    /// Hands the lines that were just read into the buffer to the core.
    fn take_output(&mut self, seat: Seat, count: usize) {
        if count == 0 {
            self.seats[seat].closed = Some(self.clock.last());
            return;
        }
        let at = self.stamp_of_reading();
        let Driving { core, seats, actions, buffer, transcript, .. } = self;
        seats[seat].lines.feed(&buffer[..count], |piece| match piece {
            Chunked::Line(line) => {
                keep_line(transcript, at, seat, Direction::FromBot, line);
                core.line(at, seat, line, actions);
            }
            Chunked::TooLong { bytes } => {
                core.handle(Input { at, event: Event::LineTooLong { seat, bytes } }, actions);
            }
        });
    }

    /// The last stamp; but if the deadline has passed and we have not looked
    /// since, the last moment before it. What is in the pipe then may have been
    /// there in time, and a referee that was late itself must not lose it.
    fn stamp_of_reading(&self) -> GameTime {
        let at = self.clock.last_stamp();
        if self.clock.last() < self.armed {
            // The timer is never set later than the deadline.
            return at;
        }
        let just_in_time = |deadline: GameTime| GameTime(deadline.0.saturating_sub(Duration::from_nanos(1)));
        self.core.deadline().map_or(at, |deadline| at.min(just_in_time(deadline)))
    }

    /// A bot ended, could not be executed, or wrote to stderr what is too much.
    fn take_news(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        let Occupant::Here(bot) = &state.occupant else { return };
        let used = bot.stderr_bytes();
        if used > MOST_STDERR && !state.told_of_stderr {
            state.told_of_stderr = true;
            return self.tell(Event::LimitExceeded { seat, which: Limit::Stderr, limit: MOST_STDERR, used });
        }
        match bot.state() {
            State::Running => {}
            _ if state.told => {}
            State::Failed(error) => self.start_failed(seat, error),
            State::Ended(ending) => {
                state.told = true;
                self.take_last_words(seat);
                let status = ending.map_or(ExitStatus::Unknown, |ending| exit_status(ending.status));
                let stderr_tail = self.stderr_of(seat);
                self.tell(Event::Exited { seat, status, stderr_tail });
            }
        }
    }

    /// Reads what is left in the pipe of a bot that ended, without waiting for
    /// somebody who may hold it open.
    fn take_last_words(&mut self, seat: Seat) {
        let mut left = LAST_WORDS;
        while left > 0 && self.read_now(seat) {
            left = left.saturating_sub(CHUNK);
        }
        self.take_unfinished(seat);
    }

    /// Reads once if there is something to read, and says whether there was.
    fn read_now(&mut self, seat: Seat) -> bool {
        let state = &self.seats[seat];
        let Some(bot) = state.bot().filter(|_| state.closed.is_none()) else { return false };
        let count = match bot.read_now(self.buffer) {
            Ok(Some(count)) => count,
            Ok(None) => return false,
            Err(_) => 0,
        };
        self.clock.stamp();
        self.take_output(seat, count);
        count > 0
    }

    fn take_unfinished(&mut self, seat: Seat) {
        let text = self.seats[seat].lines.take_partial();
        if !text.is_empty() {
            self.tell(Event::Unfinished { seat, text });
        }
    }

    fn stderr_of(&self, seat: Seat) -> String {
        self.seats[seat].bot().map(Bot::stderr_text).unwrap_or_default()
    }

    /// A beat, or a deadline.
    fn take_time(&mut self) {
        let (at, now) = (self.clock.last_stamp(), self.clock.last());
        if self.core.deadline().is_some_and(|deadline| at >= deadline) {
            for seat in Seat::all(self.seats.seats()) {
                self.read_now(seat);
            }
            // What was answered in time has moved the deadline.
            if let Some(seat) = self.core.on_move()
                && self.core.deadline().is_some_and(|deadline| at >= deadline)
            {
                self.take_unfinished(seat);
            }
            self.core.handle(Input { at, event: Event::Tick }, &mut self.actions);
        }
        let mut next = now + BEAT;
        for seat in Seat::all(self.seats.seats()) {
            let state = &mut self.seats[seat];
            let Some(closed) = state.closed.filter(|_| !state.told && state.bot().is_some()) else {
                continue;
            };
            let until = closed + END_AFTER_CLOSING;
            if now < until {
                next = next.min(until);
            } else {
                state.told = true;
                self.take_unfinished(seat);
                let stderr_tail = self.stderr_of(seat);
                self.tell(Event::OutputClosed { seat, stderr_tail });
            }
        }
        self.arm(next);
    }
}

/// Keeps a line among the last ones, in the room of the one that leaves.
fn keep_line(
    transcript: &mut VecDeque<TranscriptLine>,
    at: GameTime,
    seat: Seat,
    direction: Direction,
    text: &[u8],
) {
    let oldest = if transcript.len() < TRANSCRIPT_LINES { None } else { transcript.pop_front() };
    let mut bytes = oldest.map_or_else(Vec::new, |line| line.bytes);
    bytes.clear();
    bytes.extend_from_slice(&text[..text.len().min(TRANSCRIPT_BYTES)]);
    transcript.push_back(TranscriptLine { at, seat, direction, bytes });
}

fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitStatus::Code(code),
        (None, Some(signal)) => ExitStatus::Signal(signal),
        (None, None) => ExitStatus::Unknown,
    }
}
