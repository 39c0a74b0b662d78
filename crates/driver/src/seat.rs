//! A seat's bot as the driver sees it.

use std::time::{Duration, Instant};

use crate::usage::Account;
use linesman_referee::{GameTime, Reading};
use linesman_sandbox::{Closing, Command, LineReader, Process, QuitOverruns, State};

/// A bot that was started and greeted before its first game. In that game its start and its greeting are
/// reported as if they happened then.
#[derive(Debug)]
pub struct WarmBot<B> {
    /// The identity with which it was started ([`BotSpec::identity`](super::BotSpec::identity)).
    pub identity: String,
    /// The command that started it, including its CPUs.
    pub command: Command,
    /// Maximum time to end after `quit`.
    pub quit: Duration,
    /// Number of times that a bot of its kind took longer.
    pub overruns: QuitOverruns,
    /// The bot, which was sent `ugi` and nothing else.
    pub bot: B,
    /// Everything that was read from it, including `ugiok`.
    pub said: Vec<u8>,
}

/// Minimum capacity of a pipe, even on a system short of memory.
const LEAST_PIPE: usize = 4096;

/// A seat's bot, with everything in transit between it and the core.
pub(super) struct SeatState<B> {
    /// `None` before it was started and after it was killed.
    pub bot: Option<B>,
    /// The bot that is used instead of a new one, if it was started before the game.
    pub warm: Option<WarmBot<B>>,
    /// Its answer to the greeting before the game, until it is reported in the game.
    pub greeting: Option<Vec<u8>>,
    pub lines: LineReader,
    /// Bytes that the bot has not taken yet, beginning at `written`.
    outbox: Vec<u8>,
    written: usize,
    /// Time of the last output that was read.
    pub heard: Option<Instant>,
    /// The samples of it since its output ended.
    pub closing: Option<Closing>,
    /// True if the core knows that it ended, closed its output or could not be started.
    pub told: bool,
    /// True if the core knows that it wrote too much to stderr.
    pub told_of_stderr: bool,
    /// Number of bytes of its stderr that the dialogue's listener has been told.
    pub stderr_told: u64,
    /// The resources that it has used.
    pub account: Account,
    /// True if it was paused in this game while it was not on move.
    pub was_paused: bool,
    /// Number of bytes that it has written since its turn began.
    said: usize,
    /// True if a part of its turn could not be written at once.
    was_owing: bool,
    /// Times at which its first and its last turn began.
    pub first_asked: Option<GameTime>,
    pub asked: Option<GameTime>,
}

impl<B: Process> SeatState<B> {
    /// Creates a seat with this bot, or with none yet.
    pub(super) fn new(bot: Option<B>, lines: LineReader, earlier: Option<Reading>) -> SeatState<B> {
        SeatState {
            bot,
            warm: None,
            greeting: None,
            lines,
            outbox: Vec::new(),
            written: 0,
            heard: None,
            closing: None,
            told: false,
            told_of_stderr: false,
            stderr_told: 0,
            account: Account::new(earlier),
            was_paused: false,
            said: 0,
            was_owing: false,
            first_asked: None,
            asked: None,
        }
    }

    /// Begins its turn: its request has been written, as far as possible.
    pub(super) fn begin_turn(&mut self) {
        self.said = 0;
        self.was_owing = self.owes_reading();
    }

    /// Counts bytes that were read from it.
    pub(super) fn hear(&mut self, bytes: usize) {
        self.said = self.said.saturating_add(bytes);
    }

    /// Returns true if it may have had to wait for us in its turn: for a part that we had not written yet, or
    /// because we had not read its output.
    pub(super) fn may_have_waited_for_us(&self) -> bool {
        self.was_owing || self.said >= LEAST_PIPE
    }

    /// The resources that its bot has used up to now, if the host reports them.
    pub(super) fn reading(&self) -> Option<Reading> {
        self.bot.as_ref().and_then(Process::reading)
    }

    /// The same, or the waits of the process that starts the bot if the bot has not been executed yet.
    pub(super) fn early_reading(&self) -> Option<Reading> {
        self.reading().or_else(|| self.bot.as_ref()?.reading_of_starter())
    }

    /// Closes the account of a bot that is about to be ended, or whose game is over.
    pub(super) fn close_account(&mut self) {
        if !self.account.has_begun() {
            return;
        }
        let Some(bot) = &self.bot else { return };
        match bot.state() {
            State::Ended(Some(ending)) => self.account.close(Some(ending.cpu), Some(ending.peak_kib)),
            _ => {
                let reading = self.reading();
                self.account.close(reading.as_ref().map(|reading| reading.cpu), bot.peak_kib());
                reading.iter().for_each(|reading| self.account.note(reading));
            }
        }
    }

    /// The bot, if there may be more to read from it.
    pub(super) fn talking(&self) -> Option<&B> {
        self.bot.as_ref().filter(|_| self.closing.is_none())
    }

    /// Returns true if it closed its output and its end is not known yet.
    pub(super) fn is_ending(&self) -> bool {
        self.closing.is_some() && !self.told && self.bot.is_some()
    }

    /// Returns true if the bot has not taken everything that was sent.
    pub(super) fn owes_reading(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Writes what can be written at once and keeps the rest. A closed input is not an event: the output that
    /// follows, or the end, is.
    pub(super) fn send(&mut self, text: &[u8]) {
        let Some(bot) = &self.bot else { return };
        let written = if self.outbox.is_empty() { written(bot, text) } else { 0 };
        self.outbox.extend_from_slice(&text[written..]);
    }

    /// Continues to write what was kept.
    pub(super) fn send_more(&mut self) {
        let Some(bot) = &self.bot else { return };
        self.written += written(bot, &self.outbox[self.written..]);
        if self.written == self.outbox.len() {
            self.outbox.clear();
            self.written = 0;
        }
    }
}

/// Number of bytes that need not be written any more.
fn written(bot: &impl Process, text: &[u8]) -> usize {
    match bot.write_now(text) {
        Ok(count) => count.unwrap_or(0),
        Err(_) => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_sandbox::Bot;

    #[test]
    fn a_bot_may_have_waited_for_the_referee_behind_a_full_pipe_only() {
        let mut seat = SeatState::<Bot>::new(None, LineReader::new(100), None);
        seat.begin_turn();
        assert!(!seat.may_have_waited_for_us());
        // The output before this turn was read before it.
        seat.hear(LEAST_PIPE);
        assert!(seat.may_have_waited_for_us());
        seat.begin_turn();
        seat.hear(LEAST_PIPE - 1);
        assert!(!seat.may_have_waited_for_us());
        seat.hear(1);
        assert!(seat.may_have_waited_for_us());
        // A part of its turn was still to be written, and was written later.
        seat.outbox.extend_from_slice(b"go");
        seat.begin_turn();
        seat.outbox.clear();
        assert!(seat.may_have_waited_for_us());
    }
}
