//! The last lines between the referee and the bots of a game.

use std::collections::VecDeque;

use linesman_referee::GameTime;
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;

/// Maximum number of lines that are kept, and of bytes that are kept of each.
const LINES: usize = 40;
const BYTES: usize = 400;

/// Initial capacity in bytes, twice the size of typical lines.
const ROOM: usize = 2 * LINES * 24;

/// One of the last lines of a game, cut off if it is long.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct TranscriptLine<'t> {
    /// Time at which the line was sent or read.
    pub at: GameTime,
    /// The bot's seat.
    pub seat: Seat,
    /// The direction.
    pub direction: Direction,
    /// The bytes. Lines that were sent at once are one entry.
    pub bytes: &'t [u8],
}

/// The last lines of a game.
///
/// All games keep them and few need them, so keeping is cheap: one buffer has all bytes, and seldom allocates.
#[derive(Clone, Debug)]
pub struct Transcript {
    lines: VecDeque<KeptLines>,
    /// The bytes of dropped lines, followed by those of the kept lines in their order.
    bytes: Vec<u8>,
    /// Number of bytes of dropped lines.
    stale: usize,
}

#[derive(Copy, Clone, Debug)]
struct KeptLines {
    at: GameTime,
    seat: Seat,
    direction: Direction,
    length: u16,
}

impl Transcript {
    pub(super) fn new() -> Transcript {
        Transcript { lines: VecDeque::with_capacity(LINES), bytes: Vec::with_capacity(ROOM), stale: 0 }
    }

    /// Keeps a line, and drops the oldest one if there is no room.
    pub(super) fn keep(&mut self, at: GameTime, seat: Seat, direction: Direction, text: &[u8]) {
        if self.lines.len() == LINES {
            self.stale += self.lines.pop_front().map_or(0, |line| usize::from(line.length));
        }
        let text = &text[..text.len().min(BYTES)];
        if self.bytes.len() + text.len() > self.bytes.capacity() && self.stale > 0 {
            self.bytes.drain(..self.stale);
            self.stale = 0;
        }
        self.bytes.extend_from_slice(text);
        let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
        self.lines.push_back(KeptLines { at, seat, direction, length });
    }

    /// The lines in their order.
    pub fn lines(&self) -> impl Iterator<Item = TranscriptLine<'_>> {
        let mut rest = &self.bytes[self.stale..];
        self.lines.iter().map(move |&KeptLines { at, seat, direction, length }| {
            let (bytes, others) = rest.split_at(usize::from(length));
            rest = others;
            TranscriptLine { at, seat, direction, bytes }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let mut transcript = Transcript::new();
        let text = |number: usize| format!("{number} ").repeat(number * 37 % 300 + 1);
        for number in 0..1000 {
            let at = GameTime(Duration::from_millis(number as u64));
            let direction = if number % 3 == 0 { Direction::ToBot } else { Direction::FromBot };
            transcript.keep(at, Seat::SECOND, direction, text(number).as_bytes());
            let first = (number + 1).saturating_sub(LINES);
            for (line, number) in transcript.lines().zip(first..) {
                let text = text(number);
                assert_eq!(line.bytes, &text.as_bytes()[..text.len().min(BYTES)]);
                assert_eq!(line.at.0.as_millis(), number as u128);
                assert_eq!(line.direction == Direction::ToBot, number % 3 == 0);
            }
            assert_eq!(transcript.lines().count(), (number + 1).min(LINES));
        }
        assert!(transcript.bytes.capacity() <= 2 * LINES * BYTES);
    }
}
