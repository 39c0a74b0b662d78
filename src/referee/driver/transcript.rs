//! The last lines between the referee and the bots of a game.

use std::collections::VecDeque;

use crate::referee::core::GameTime;
use crate::seat::Seat;

/// How many lines are kept, and how many bytes of each.
const LINES: usize = 40;
const BYTES: usize = 400;

/// Which way a line went.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Direction {
    /// From the referee to a bot.
    ToBot,
    /// From a bot to the referee.
    FromBot,
}

impl Direction {
    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Direction::ToBot => "to_bot",
            Direction::FromBot => "from_bot",
        }
    }
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

/// The last lines of a game that is being played.
#[derive(Debug)]
pub(super) struct Transcript(VecDeque<TranscriptLine>);

impl Transcript {
    /// Of a game that begins.
    pub(super) fn new() -> Transcript {
        Transcript(VecDeque::with_capacity(LINES))
    }

    /// Keeps a line, in the room of the oldest one if there is no more.
    pub(super) fn keep(&mut self, at: GameTime, seat: Seat, direction: Direction, text: &[u8]) {
        let oldest = if self.0.len() < LINES { None } else { self.0.pop_front() };
        let mut bytes = oldest.map_or_else(Vec::new, |line| line.bytes);
        bytes.clear();
        bytes.extend_from_slice(&text[..text.len().min(BYTES)]);
        self.0.push_back(TranscriptLine { at, seat, direction, bytes });
    }

    /// The lines in their order.
    pub(super) fn into_lines(self) -> Vec<TranscriptLine> {
        self.0.into()
    }
}
