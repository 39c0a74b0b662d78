//! A seat's bot as the driver sees it: on its way, there, or gone.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use crate::process::{Bot, Command, LineReader, StartError};

type Start = Pin<Box<dyn Future<Output = Result<Bot, StartError>> + Send>>;

/// Who sits at a seat.
pub(super) enum Occupant {
    Nobody,
    /// Being started.
    Coming(Start),
    Here(Bot),
}

/// A seat's bot and all that is on its way between it and the core.
pub(super) struct SeatState {
    pub occupant: Occupant,
    pub lines: LineReader,
    /// What the bot has not taken yet, from this byte on.
    outbox: Vec<u8>,
    written: usize,
    /// When its output ended.
    pub closed: Option<Instant>,
    /// Whether the core knows that it ended, closed its output or could not be started.
    pub told: bool,
    /// Whether the core knows that it wrote too much to stderr.
    pub told_of_stderr: bool,
}

impl SeatState {
    /// A seat with this bot, or with none yet.
    pub(super) fn new(occupant: Occupant, lines: LineReader) -> SeatState {
        SeatState {
            occupant,
            lines,
            outbox: Vec::new(),
            written: 0,
            closed: None,
            told: false,
            told_of_stderr: false,
        }
    }

    /// Sends for the bot.
    pub(super) fn start(&mut self, command: Command) {
        self.occupant = Occupant::Coming(Box::pin(Bot::start(command)));
    }

    /// The bot, if it is there.
    pub(super) fn bot(&self) -> Option<&Bot> {
        match &self.occupant {
            Occupant::Here(bot) => Some(bot),
            Occupant::Nobody | Occupant::Coming(_) => None,
        }
    }

    /// Writes what can be written at once and keeps the rest. That a bot has
    /// closed its input is no event: what follows on its output, or its end, is.
    pub(super) fn send(&mut self, text: &[u8]) {
        let waits = !self.outbox.is_empty();
        let written = match &self.occupant {
            Occupant::Nobody => text.len(),
            Occupant::Coming(_) => 0,
            Occupant::Here(_) if waits => 0,
            Occupant::Here(bot) => match bot.write_now(text) {
                Ok(count) => count.unwrap_or(0),
                Err(_) => text.len(),
            },
        };
        self.outbox.extend_from_slice(&text[written..]);
    }

    /// Goes on writing what was kept. Pending with nothing to write.
    pub(super) fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Occupant::Here(bot) = &self.occupant else { return Poll::Pending };
        while self.written < self.outbox.len() {
            match ready!(bot.poll_write(context, &self.outbox[self.written..])) {
                Ok(count) => self.written += count,
                Err(_) => self.written = self.outbox.len(),
            }
        }
        self.outbox.clear();
        self.written = 0;
        Poll::Pending
    }

    /// Whether the bot has not taken all that was sent.
    pub(super) fn owes_reading(&self) -> bool {
        !self.outbox.is_empty()
    }
}
