//! The end of a bot in its game: news of its process, its last output, and its exit status.

use std::os::unix::process::ExitStatusExt;

use super::{CHUNK, Driving};
use crate::runtime::Runtime;
use crate::seat::SeatState;
use linesman_referee::{Event, Input};
use linesman_sandbox::{Breach, Fate, Process, STDERR_LIMIT, State};
use linesman_types::seat::Seat;
use linesman_types::verdict::{ExitStatus, Limit};

/// Maximum number of bytes that are read from the pipe of a bot that has ended.
const LAST_WORDS: usize = 1024 * 1024;

impl<W: Runtime> Driving<'_, W> {
    /// True if the deadline is that of a bot whose output has ended: the wait for its exit status is charged to nobody.
    pub(super) fn is_deadline_held(&self) -> bool {
        self.core.due_first().is_some_and(|seat| self.seats[seat].is_ending())
    }

    /// Reports the end of a bot. A bot that closed its output in time has not missed the deadline.
    fn handle_end(&mut self, seat: Seat, event: Event) {
        let at = self.clock.stamp();
        let is_closed = self.seats[seat].closing.is_some() && self.core.due_first() == Some(seat);
        let at = if is_closed { self.just_in_time(at) } else { at };
        self.report_stderr(seat, true);
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.happened(at, &event);
        }
        self.core.handle(Input { at, event }, &mut self.actions);
    }

    /// Handles news of a bot: it ended, could not be executed, or wrote too much to stderr.
    pub(super) fn take_news(&mut self, seat: Seat) {
        let state = &mut self.seats[seat];
        let Some(bot) = state.bot.as_ref().filter(|bot| bot.take_news()) else { return };
        let used = bot.stderr_bytes();
        if used > STDERR_LIMIT && !state.is_stderr_limit_reported {
            state.is_stderr_limit_reported = true;
            let (which, limit) = (Limit::Stderr, STDERR_LIMIT);
            return self.handle(Event::LimitExceeded { seat, which, limit, used });
        }
        if let Some(Breach { resource, limit, used }) = bot.breach().filter(|_| !state.is_end_reported) {
            // The bot is being killed for this, so its end is not reported.
            state.is_end_reported = true;
            self.take_last_words(seat);
            return self.handle_end(seat, Event::LimitExceeded { seat, which: resource, limit, used });
        }
        match bot.state() {
            State::Running => {}
            _ if state.is_end_reported => {}
            State::Failed(error) => self.start_failed(seat, error),
            State::Ended(ending) => {
                let status = ending.map_or(ExitStatus::Unknown, |ending| exit_status(ending.status));
                self.bot_ended(seat, status);
            }
        }
    }

    fn bot_ended(&mut self, seat: Seat, status: ExitStatus) {
        self.seats[seat].is_end_reported = true;
        self.take_last_words(seat);
        let stderr_tail = self.stderr_of(seat);
        self.handle_end(seat, Event::Exited { seat, status, stderr_tail });
    }

    /// Reads the rest of the output of a bot that ended, even if another process holds the pipe open.
    fn take_last_words(&mut self, seat: Seat) {
        let mut left = LAST_WORDS;
        while left > 0 && self.read_now(seat) {
            left = left.saturating_sub(CHUNK);
        }
        self.take_unfinished(seat);
    }

    fn take_unfinished(&mut self, seat: Seat) {
        let text = self.seats[seat].lines.take_partial();
        if !text.is_empty() {
            self.handle(Event::Unfinished { seat, text });
        }
    }

    fn stderr_of(&self, seat: Seat) -> String {
        self.seats[seat].bot.as_ref().map(Process::stderr_text).unwrap_or_default()
    }

    /// Checks whether the bots that closed their output have ended or live on. Returns true if there were any.
    pub(super) fn observe_closing(&mut self) -> bool {
        let mut has_any = false;
        for seat in Seat::all(self.seats.seats()) {
            let state = &mut self.seats[seat];
            let SeatState { bot: Some(bot), closing: Some(closing), is_end_reported: false, .. } =
                &mut **state
            else {
                continue;
            };
            has_any = true;
            match closing.observe(bot.liveness()) {
                None => {}
                Some(Fate::Ended) => self.bot_ended(seat, ExitStatus::Unknown),
                Some(Fate::LivesOn) => {
                    state.is_end_reported = true;
                    self.take_unfinished(seat);
                    let stderr_tail = self.stderr_of(seat);
                    self.handle_end(seat, Event::OutputClosed { seat, stderr_tail });
                }
            }
        }
        has_any
    }
}

/// The end of a process, in the terms of verdicts.
pub fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitStatus::Code(code),
        (None, Some(signal)) => ExitStatus::Signal(signal),
        (None, None) => ExitStatus::Unknown,
    }
}
