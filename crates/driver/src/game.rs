//! One game, driven from its start to its verdict.

mod bot_end;
mod evidence;

pub use bot_end::exit_status;

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::clock::{BEAT, GameClock};
use crate::game_request::{BotSpec, DialogueListener, GameNote, MoveListener, MoveMade, SlotSettings};
use crate::runtime::Runtime;
use crate::seat::{SeatState, WarmBot};
use crate::status_probe::StatusProbe;
use crate::stop::StopSwitch;
use crate::transcript::Transcript;
use linesman_referee::{About, Action, Core, Event, Finished, GameTime, Input, PlayedMove, SendKind};
use linesman_sandbox::{Closing, HostLoad, Interest, LIVENESS_INTERVAL, LineEvent, Process, StartError};
use linesman_types::direction::Direction;
use linesman_types::seat::{BySeat, Seat};

/// Maximum number of bytes of one read. Each of hundreds of games has a buffer of this size.
pub(super) const CHUNK: usize = 4 * 1024;

/// Number of reads that empty a full pipe: an answer may come after much other output.
const CHUNKS_IN_A_PIPE: usize = 64 * 1024 / CHUNK + 1;

/// A bot whose last output is more recent has had no time to print more: it gets its turn without another read.
const RECENT: Duration = Duration::from_micros(20);

/// Maximum time of one wait for news of a bot that closed its output.
const CLOSED_OUTPUT_WAIT: Duration = Duration::from_millis(2);

/// The listener to a game's moves, and the number of moves that have been reported to it.
pub(super) struct MoveReports {
    pub listener: MoveListener,
    pub id: String,
    pub reported: usize,
}

impl MoveReports {
    fn report(&mut self, moves: &[PlayedMove], clock: impl Fn(Seat) -> Duration) {
        for (index, played) in moves.iter().enumerate().skip(self.reported) {
            let (id, number, clock) = (self.id.clone(), index + 1, clock(played.seat));
            (self.listener)(MoveMade { id, number, played: played.clone(), clock });
        }
        self.reported = moves.len();
    }
}

/// The parts of a slot that a game uses.
pub(super) struct SlotParts<'a, W> {
    pub runtime: &'a W,
    pub settings: &'a SlotSettings,
    pub stop: &'a StopSwitch,
    pub status_probe: &'a StatusProbe,
    pub buffer: &'a mut [u8],
}

/// A game in progress.
pub(super) struct Driving<'a, W: Runtime> {
    /// With an alarm, a wait is for one bot; without one, for several events.
    runtime: &'a W,
    pub core: Core,
    pub seats: BySeat<Box<SeatState<W::Bot>>>,
    /// Used for starting bots.
    settings: &'a SlotSettings,
    bots: BySeat<Arc<BotSpec>>,
    clock: GameClock<'a, W>,
    actions: Vec<Action>,
    buffer: &'a mut [u8],
    /// Moment at which the alarm goes off, which is never later than the core's deadline.
    armed: Instant,
    /// The wait of this thread for its CPU until the turn began, if the turn is measured and the host reports it.
    wait_at_turn: Option<Duration>,
    is_measured: bool,
    /// The host's counts at the first sample of a bot, and the time of that sample.
    pub load_at_first: Option<(GameTime, HostLoad)>,
    finished: Option<Box<Finished>>,
    /// `None` if the moves have no listener.
    pub moves: Option<MoveReports>,
    /// `None` if the dialogue has no listener.
    pub dialogue: Option<Box<dyn DialogueListener>>,
    pub notes: Vec<GameNote>,
    pub transcript: Transcript,
    /// The bots that are being killed.
    pub terminations: Vec<<W::Bot as Process>::Terminating>,
    status_probe: &'a StatusProbe,
    stop: &'a StopSwitch,
}

impl<'a, W: Runtime> Driving<'a, W> {
    pub(super) fn new(
        slot: SlotParts<'a, W>,
        core: Core,
        seats: BySeat<Box<SeatState<W::Bot>>>,
        bots: BySeat<Arc<BotSpec>>,
        margin: Duration,
    ) -> Driving<'a, W> {
        let SlotParts { runtime, settings, stop, status_probe, buffer } = slot;
        let clock = GameClock::start(runtime, margin);
        Driving {
            runtime,
            core,
            seats,
            settings,
            bots,
            armed: clock.last(),
            clock,
            actions: Vec::new(),
            buffer,
            wait_at_turn: None,
            is_measured: false,
            load_at_first: None,
            finished: None,
            moves: None,
            dialogue: None,
            notes: Vec::new(),
            transcript: Transcript::new(),
            terminations: Vec::new(),
            status_probe,
            stop,
        }
    }

    /// Plays the game; `None` if it was aborted.
    pub(super) async fn play(&mut self) -> Option<(Box<Finished>, Duration)> {
        self.arm(self.clock.last() + BEAT);
        self.core.start(&mut self.actions);
        let outcome = loop {
            self.act().await;
            if let Some(finished) = self.finished.take() {
                break Some((finished, self.clock.stamp().0));
            }
            self.status_probe.answer(|| self.core.status(self.clock.last_stamp()));
            self.arm_earlier();
            self.wait().await;
            for seat in Seat::all(self.seats.seats()) {
                self.take_news(seat);
            }
            if self.clock.last() >= self.armed {
                if self.stop.must_abort() {
                    break None;
                }
                self.handle_beat();
            }
        };
        self.runtime.silence_alarm();
        Seat::all(self.seats.seats()).for_each(|seat| self.report_stderr(seat, true));
        outcome
    }

    /// Carries out the core's actions, including those that it adds meanwhile.
    async fn act(&mut self) {
        let mut next = 0;
        // New actions are added at the end. A slot is emptied before its action is carried out.
        while let Some(slot) = self.actions.get_mut(next) {
            next += 1;
            let action = std::mem::replace(slot, Action::Note { seat: None, text: String::new() });
            self.report_action(&action);
            match action {
                Action::Send { seat, text, kind: SendKind::GetReady | SendKind::Stop | SendKind::Other } => {
                    let at = self.clock.stamp();
                    self.transcript.keep(at, seat, Direction::ToBot, text.as_bytes());
                    match self.seats[seat].greeting.take() {
                        // This line was sent to the bot before the game, and the bot has answered it.
                        Some(answer) => self.take_greeting(seat, &answer),
                        None => self.seats[seat].send(text.as_bytes()),
                    }
                }
                Action::Send { seat, text, kind: SendKind::Turn } => self.ask(seat, &text, next),
                Action::Send { seat, text, kind: SendKind::Ponder } => {
                    let at = self.clock.stamp();
                    self.transcript.keep(at, seat, Direction::ToBot, last_line(&text));
                    self.seats[seat].send(text.as_bytes());
                }
                Action::Start { seat } => self.start(seat).await,
                Action::AskEvidence { seat, about } => self.find_evidence(seat, about),
                // A bot that may be ending is not paused.
                Action::Pause { seat } => {
                    self.seats[seat].was_paused = true;
                    self.seats[seat].talking().into_iter().for_each(Process::pause);
                }
                Action::Resume { seat } => self.seats[seat].bot.iter().for_each(Process::resume),
                Action::Kill { seat } => self.kill(seat),
                Action::Note { text, .. } if !text.is_empty() => self.notes.push(GameNote::Remark(text)),
                Action::Note { .. } => {}
                Action::Finish(finished) => self.finished = Some(finished),
            }
        }
        self.actions.clear();
        if let Some(reports) = &mut self.moves {
            let moves = self.finished.as_ref().map_or(self.core.moves(), |finished| &finished.moves);
            reports.report(moves, |seat| self.core.clock(seat));
        }
    }

    async fn start(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        if let Some(WarmBot { bot, said, .. }) = state.warm.take() {
            (state.bot, state.greeting) = (Some(bot), Some(said));
            return;
        }
        match self.runtime.start(self.settings.command_of(&self.bots[seat])).await {
            Ok(bot) => self.seats[seat].bot = Some(bot),
            Err(error) => self.start_failed(seat, error),
        }
    }

    fn start_failed(&mut self, seat: Seat, error: StartError) {
        self.seats[seat].is_end_reported = true;
        let text = error.to_string();
        self.handle(match error.is_of_host() {
            true => Event::Stop(format!("seat {seat}: {text}")),
            false => Event::StartFailed { seat, error: text },
        });
    }

    /// Begins a seat's turn. Everything that the bot did before is reported to the core first.
    fn ask(&mut self, seat: Seat, text: &str, next: usize) {
        let is_over = |action: &Action| match action {
            Action::Finish(_) => true,
            Action::Kill { seat: killed } => *killed == seat,
            Action::Start { .. }
            | Action::Send { .. }
            | Action::AskEvidence { .. }
            | Action::Pause { .. }
            | Action::Resume { .. }
            | Action::Note { .. } => false,
        };
        let state = &self.seats[seat];
        if state.heard.is_none_or(|heard| self.clock.last() >= heard + RECENT)
            && state.bot.as_ref().is_some_and(|bot| self.runtime.may_have_output(bot))
        {
            while self.read_now(seat) {
                if self.actions[next..].iter().any(is_over) {
                    return;
                }
            }
        }
        self.take_news(seat);
        if self.actions[next..].iter().any(is_over) {
            return;
        }
        self.clock.trust();
        // Stamped before the write, because the bot usually preempts the writer.
        let at = self.clock.stamp();
        let state = &mut self.seats[seat];
        state.first_asked.get_or_insert(at);
        state.asked = Some(at);
        self.seats[seat].send(text.as_bytes());
        self.seats[seat].begin_turn();
        // Read after the write, because the bot's first work does not count as lag.
        let is_measured = std::mem::take(&mut self.is_measured);
        self.wait_at_turn = if is_measured { self.runtime.own_wait() } else { None };
        self.core.handle(Input { at, event: Event::Sent { seat } }, &mut self.actions);
        self.transcript.keep(at, seat, Direction::ToBot, last_line(text));
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.ordered(at, &Action::Send { seat, text: text.to_owned(), kind: SendKind::Turn });
        }
    }

    /// Reports an action to the listener. A turn is reported once it has been written.
    fn report_action(&mut self, action: &Action) {
        if let Action::Kill { seat } = action {
            self.report_stderr(*seat, true);
        }
        let is_turn = matches!(action, Action::Send { kind: SendKind::Turn, .. });
        if let Some(dialogue) = self.dialogue.as_mut().filter(|_| !is_turn) {
            dialogue.ordered(self.clock.last_stamp(), action);
        }
    }

    /// Reports the new bytes of a bot's stderr. An incomplete line is reported only at the end.
    fn report_stderr(&mut self, seat: Seat, is_last: bool) {
        let Some(dialogue) = &mut self.dialogue else { return };
        let SeatState { bot, stderr_reported, .. } = &mut *self.seats[seat];
        let Some(bot) = bot else { return };
        let bytes = bot.stderr_since(*stderr_reported);
        let complete = if is_last { Some(bytes.len()) } else { complete_lines(&bytes) };
        if let Some(complete) = complete.filter(|complete| *complete > 0) {
            dialogue.stderr(self.clock.last_stamp(), seat, &bytes[..complete]);
            *stderr_reported = bot.stderr_bytes() - (bytes.len() - complete) as u64;
        }
    }

    fn kill(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        state.take_last_sample();
        state.is_end_reported = true;
        self.terminations.extend(state.bot.take().map(Process::kill_later));
    }

    /// Waits for the next event and handles it.
    async fn wait(&mut self) {
        let is_busy = |state: &SeatState<W::Bot>| state.owes_reading() || state.is_ending();
        if self.runtime.has_alarm()
            && let Some(seat) = self.core.on_move()
            && !self.core.is_pondering()
            && !self.seats.values().any(|state| is_busy(state))
            && let Some(bot) = self.seats[seat].talking()
        {
            // One bot thinks: nothing else matters until it answers or the alarm goes off.
            let result = self.runtime.hear(bot, self.buffer).await;
            self.clock.stamp();
            // A pipe that can't be read has ended.
            if let Some(count) = result.unwrap_or(Some(0)) {
                self.take_output(seat, count);
            }
            return;
        }
        let mut at_most = self.armed.saturating_duration_since(self.clock.last());
        if self.seats.values().any(|state| state.is_ending()) {
            at_most = at_most.min(CLOSED_OUTPUT_WAIT);
        }
        let output = self.seats.values().filter_map(|state| state.talking().map(Interest::Output));
        let owing = self.seats.values().filter(|state| state.owes_reading());
        let room = owing.filter_map(|state| state.bot.as_ref().map(Interest::Room));
        if let Err(error) = self.runtime.wait_for(output.chain(room), at_most).await {
            return self.handle(Event::Stop(format!("can't wait for the bots: {error}")));
        }
        self.clock.stamp();
        for seat in Seat::all(self.seats.seats()) {
            self.read_now(seat);
            let state = &mut self.seats[seat];
            if state.owes_reading() {
                state.send_more();
            }
        }
    }

    /// Sets the alarm to an earlier deadline, never to a later one: letting it go off in vain, once a beat, is cheaper.
    fn arm_earlier(&mut self) {
        if let Some(deadline) = self.core.deadline().filter(|_| !self.is_deadline_held()) {
            let deadline = self.clock.moment(deadline);
            if deadline < self.armed {
                self.arm(deadline);
            }
        }
    }

    fn arm(&mut self, moment: Instant) {
        self.armed = moment;
        self.clock.expect(moment);
        self.runtime.set_alarm(moment.saturating_duration_since(self.clock.last()));
    }

    /// Reports an event to the listener and to the core.
    fn handle(&mut self, event: Event) {
        let at = self.clock.stamp();
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.happened(at, &event);
        }
        self.core.handle(Input { at, event }, &mut self.actions);
    }

    /// Hands the lines that have been read into the buffer to the core.
    fn take_output(&mut self, seat: Seat, count: usize) {
        if count == 0 {
            let state = &mut self.seats[seat];
            state.bot.iter().for_each(Process::resume);
            state.closing = Some(Closing::default());
            // The bot is expected to end soon.
            return self.arm(self.armed.min(self.clock.last() + LIVENESS_INTERVAL));
        }
        self.seats[seat].heard = Some(self.clock.last());
        self.seats[seat].hear(count);
        let at = self.stamp_of_reading();
        let lag = if self.core.counts_cpu() { self.lag(true) } else { Duration::ZERO };
        let Driving { core, seats, actions, buffer, transcript, dialogue, .. } = self;
        let SeatState { lines, bot, samples, .. } = &mut *seats[seat];
        lines.feed(&buffer[..count], |piece| match piece {
            LineEvent::Line(line) => {
                transcript.keep(at, seat, Direction::FromBot, line);
                if let Some(dialogue) = dialogue {
                    dialogue.heard(at, seat, line);
                }
                if core.is_charged_by(at, seat, line) {
                    let reading = bot.as_ref().and_then(Process::reading);
                    reading.iter().for_each(|reading| samples.note(reading));
                    let event = Event::Evidence { seat, about: About::Answer, reading, lag };
                    core.handle(Input { at, event }, actions);
                }
                core.line(at, seat, line, actions);
            }
            LineEvent::TooLong { bytes } => {
                let event = Event::LineTooLong { seat, bytes };
                if let Some(dialogue) = dialogue {
                    dialogue.happened(at, &event);
                }
                core.handle(Input { at, event }, actions);
            }
        });
        self.report_stderr(seat, false);
    }

    /// Hands the output that was read before the game to the core.
    fn take_greeting(&mut self, seat: Seat, answer: &[u8]) {
        for piece in answer.chunks(self.buffer.len()) {
            self.buffer[..piece.len()].copy_from_slice(piece);
            self.take_output(seat, piece.len());
        }
    }

    /// The last stamp, or the last moment before the deadline if that has passed since the previous reading. The bot
    /// may have written the output in time, and must not suffer if the referee reads it late.
    fn stamp_of_reading(&self) -> GameTime {
        let at = self.clock.last_stamp();
        if self.clock.last() < self.armed {
            // The alarm is never set later than the deadline.
            return at;
        }
        self.just_in_time(at)
    }

    /// This moment, or the last one before the deadline if that is earlier.
    fn just_in_time(&self, at: GameTime) -> GameTime {
        let before = |deadline: GameTime| GameTime(deadline.0.saturating_sub(Duration::from_nanos(1)));
        self.core.deadline().map_or(at, |deadline| at.min(before(deadline)))
    }

    /// Reads once if there is something to read. Returns true if there was.
    fn read_now(&mut self, seat: Seat) -> bool {
        let Some(bot) = self.seats[seat].talking() else { return false };
        // A pipe that can't be read has ended.
        let Some(count) = bot.read_now(self.buffer).unwrap_or(Some(0)) else { return false };
        self.clock.stamp();
        self.take_output(seat, count);
        count > 0
    }

    fn read_all_now(&mut self, seat: Seat) {
        for _ in 0..CHUNKS_IN_A_PIPE {
            if !self.read_now(seat) {
                break;
            }
        }
    }

    /// Handles a beat or a deadline.
    fn handle_beat(&mut self) {
        let (at, now) = (self.clock.last_stamp(), self.clock.last());
        if self.core.deadline().is_some_and(|deadline| at >= deadline) && !self.is_deadline_held() {
            for seat in Seat::all(self.seats.seats()) {
                self.read_all_now(seat);
            }
            // If an answer was in time, it has moved the deadline.
            if let Some(seat) = self.core.due_first()
                && self.core.deadline().is_some_and(|deadline| at >= deadline)
            {
                // If the game waits longer, the rest of the line still counts.
                let text = self.seats[seat].lines.partial().to_vec();
                if !text.is_empty() {
                    self.handle(Event::Unfinished { seat, text });
                }
            }
            // The read may have reached the end of the output.
            if !self.is_deadline_held() {
                self.core.handle(Input { at, event: Event::Tick }, &mut self.actions);
            }
        }
        let next = if self.observe_closing() { LIVENESS_INTERVAL.min(BEAT) } else { BEAT };
        self.arm(now + next);
    }
}

/// The last line of a text. The lines before it follow from the moves.
fn last_line(text: &str) -> &[u8] {
    let begin = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
    &text.as_bytes()[begin..]
}

/// The length of the complete lines at the start of these bytes.
fn complete_lines(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n').map(|end| end + 1)
}
