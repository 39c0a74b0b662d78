//! A seat's bot as the driver sees it.

use std::time::{Duration, Instant};

use crate::usage::{EarlierSample, UsageSamples};
use linesman_referee::{GameTime, Reading};
use linesman_sandbox::{Closing, Command, LineReader, Process, QuitOverruns, State};

/// A bot that was started and greeted before its first game, in which both are reported as if they happened then.
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
    /// The bot, which has been sent only `ugi`.
    pub bot: B,
    /// Everything that was read from it, including `ugiok`.
    pub said: Vec<u8>,
}

/// Minimum capacity of a pipe, even on a system short of memory.
const MIN_PIPE: usize = 4096;

/// A seat's bot, with everything in transit between it and the core.
pub(super) struct SeatState<B> {
    /// `None` before the bot was started and after it was killed.
    pub bot: Option<B>,
    /// The bot that was started before the game, if any, until it is used.
    pub warm: Option<WarmBot<B>>,
    /// The bot's answer to the greeting before the game, until it is reported in the game.
    pub greeting: Option<Vec<u8>>,
    pub lines: LineReader,
    /// Bytes that the bot has not taken yet, beginning at `written`.
    outbox: Vec<u8>,
    written: usize,
    /// Time of the last output that was read.
    pub heard: Option<Instant>,
    /// The samples of the bot since its output ended.
    pub closing: Option<Closing>,
    /// True if the core knows that the bot ended, closed its output or could not be started.
    pub is_end_reported: bool,
    /// True if the core knows that the bot wrote too much to stderr.
    pub is_stderr_limit_reported: bool,
    /// Number of bytes of stderr that have been reported to the dialogue's listener.
    pub stderr_reported: u64,
    pub samples: UsageSamples,
    /// True if the bot was paused in this game while it was not on move.
    pub was_paused: bool,
    /// Number of bytes that have been read from the bot since its turn began.
    said: usize,
    /// True if a part of its request could not be written at once.
    was_owing: bool,
    /// Times at which its first and its last turn began.
    pub first_asked: Option<GameTime>,
    pub asked: Option<GameTime>,
}

impl<B: Process> SeatState<B> {
    pub(super) fn new(bot: Option<B>, lines: LineReader, earlier: Option<EarlierSample>) -> SeatState<B> {
        SeatState {
            bot,
            warm: None,
            greeting: None,
            lines,
            outbox: Vec::new(),
            written: 0,
            heard: None,
            closing: None,
            is_end_reported: false,
            is_stderr_limit_reported: false,
            stderr_reported: 0,
            samples: UsageSamples::new(earlier),
            was_paused: false,
            said: 0,
            was_owing: false,
            first_asked: None,
            asked: None,
        }
    }

    /// Begins the bot's turn, after as much of the request as possible has been written.
    pub(super) fn begin_turn(&mut self) {
        self.said = 0;
        self.was_owing = self.owes_reading();
    }

    pub(super) fn hear(&mut self, bytes: usize) {
        self.said = self.said.saturating_add(bytes);
    }

    /// Returns true if the bot may have waited in its turn: for the rest of the request, or until its output was read.
    pub(super) fn may_have_waited_for_referee(&self) -> bool {
        self.was_owing || self.said >= MIN_PIPE
    }

    /// The resources that the bot has used so far, if the host reports them.
    pub(super) fn reading(&self) -> Option<Reading> {
        self.bot.as_ref().and_then(Process::reading)
    }

    /// The same, or a reading of the process that starts the bot if the bot has not been executed yet.
    pub(super) fn early_reading(&self) -> Option<Reading> {
        self.reading().or_else(|| self.bot.as_ref()?.reading_of_starter())
    }

    /// Takes the last sample of a bot that is about to be ended, or whose game is over.
    pub(super) fn take_last_sample(&mut self) {
        if !self.samples.has_begun() {
            return;
        }
        let Some(bot) = &self.bot else { return };
        match bot.state() {
            State::Ended(Some(ending)) => self.samples.add_last(Some(ending.cpu), Some(ending.peak_kib)),
            _ => {
                let reading = self.reading();
                self.samples.add_last(reading.as_ref().map(|reading| reading.cpu), bot.peak_kib());
                reading.iter().for_each(|reading| self.samples.note(reading));
            }
        }
    }

    /// The bot, if its output has not ended.
    pub(super) fn talking(&self) -> Option<&B> {
        self.bot.as_ref().filter(|_| self.closing.is_none())
    }

    /// Returns true if the bot closed its output, and the core does not know yet whether it has ended.
    pub(super) fn is_ending(&self) -> bool {
        self.closing.is_some() && !self.is_end_reported && self.bot.is_some()
    }

    /// Returns true if the bot has not taken everything that was sent.
    pub(super) fn owes_reading(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Writes as much as possible at once and keeps the rest. A closed input is ignored, because the output or the
    /// end of the bot follows.
    pub(super) fn send(&mut self, text: &[u8]) {
        let Some(bot) = &self.bot else { return };
        let written = if self.outbox.is_empty() { written(bot, text) } else { 0 };
        self.outbox.extend_from_slice(&text[written..]);
    }

    /// Writes as much as possible of what was kept.
    pub(super) fn send_more(&mut self) {
        let Some(bot) = &self.bot else { return };
        self.written += written(bot, &self.outbox[self.written..]);
        if self.written == self.outbox.len() {
            self.outbox.clear();
            self.written = 0;
        }
    }
}

/// Writes to a bot. Returns the number of bytes that need not be written again: all of them if its input is closed.
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
    fn only_a_full_pipe_makes_a_bot_wait_for_the_referee() {
        let mut seat = SeatState::<Bot>::new(None, LineReader::new(100), None);
        seat.begin_turn();
        assert!(!seat.may_have_waited_for_referee());
        // Output within the turn may have filled the pipe.
        seat.hear(MIN_PIPE);
        assert!(seat.may_have_waited_for_referee());
        seat.begin_turn();
        seat.hear(MIN_PIPE - 1);
        assert!(!seat.may_have_waited_for_referee());
        seat.hear(1);
        assert!(seat.may_have_waited_for_referee());
        // A part of its request was written later.
        seat.outbox.extend_from_slice(b"go");
        seat.begin_turn();
        seat.outbox.clear();
        assert!(seat.may_have_waited_for_referee());
    }
}
