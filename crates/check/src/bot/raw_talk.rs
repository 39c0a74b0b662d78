//! A dialogue with a process of the bot, without a game: for its leave.

use std::time::{Duration, Instant};

use linesman_driver::{Direction, now};
use linesman_protocol::{FromBot, ToBot};
use linesman_record::TranscriptRecord;
use linesman_sandbox::{Bot, Chunked, Command, Interest, LineReader, Process, QuitOverruns, State, wait_for};
use linesman_types::seat::Seat;

use super::item::{ItemFailure, ItemProblem};

/// Time for which output is waited for at once.
const A_LOOK: Duration = Duration::from_millis(5);

/// Number of lines of the dialogue that are kept.
const MOST_LINES: usize = 40;

/// Length of a line.
const LONGEST_LINE: usize = 64 * 1024;

/// A process that is talked to.
pub(super) struct RawTalk {
    bot: Bot,
    lines: LineReader,
    begun: Instant,
    has_closed: bool,
    dialogue: Vec<TranscriptRecord>,
}

impl RawTalk {
    /// Starts a process; nothing if that can't be done now.
    pub(super) fn start(command: Command) -> Option<RawTalk> {
        let bot = Bot::start_here(command).ok()?;
        let lines = LineReader::new(LONGEST_LINE);
        Some(RawTalk { bot, lines, begun: now(), has_closed: false, dialogue: Vec::new() })
    }

    /// Says these lines.
    pub(super) fn say(&mut self, messages: &[ToBot]) {
        for message in messages {
            let text = format!("{message}\n");
            self.keep(Direction::ToBot, text.as_bytes());
            // What it does not read it does not answer.
            let _ = self.bot.write_now(text.as_bytes());
        }
    }

    /// Waits for this answer. False if it does not come in time.
    pub(super) fn answers(&mut self, awaited: &FromBot, limit: Duration) -> bool {
        self.hear_until(|message| message == awaited, limit).is_some()
    }

    /// Waits for such an answer. Returns what was said until then, the answer last; nothing if it does not come in
    /// time.
    pub(super) fn hear_until(
        &mut self,
        is_it: impl Fn(&FromBot) -> bool,
        limit: Duration,
    ) -> Option<Vec<FromBot>> {
        let until = now() + limit;
        let mut said = Vec::new();
        while now() < until && !self.has_closed {
            for message in self.read(A_LOOK) {
                let is_last = is_it(&message);
                said.push(message);
                if is_last {
                    return Some(said);
                }
            }
        }
        None
    }

    /// Waits for the end of the process while its input stays open; the time that it took, or
    /// nothing if it runs on.
    pub(super) fn ends_within(&mut self, limit: Duration) -> Option<Duration> {
        let begun = now();
        while self.bot.state() == State::Running {
            if now() >= begun + limit {
                return None;
            }
            self.read(A_LOOK);
        }
        Some(now() - begun)
    }

    /// Closes its input and waits for its end, which ends the talk. Returns the time that it took.
    ///
    /// # Errors
    /// The evidence, if the process runs on.
    pub(super) fn ends_without_input(self, limit: Duration) -> Result<Duration, ItemFailure> {
        let (begun, overruns) = (now(), QuitOverruns::default());
        let RawTalk { bot, dialogue, .. } = self;
        let stderr = bot.stderr_text();
        // What can't be ended here falls to the end of the program.
        let _ = bot.quit_later(Vec::new(), limit, overruns.clone()).wait();
        match overruns.number() {
            0 => Ok(now() - begun),
            _ => {
                let problem = ItemProblem::StillRunning { limit };
                Err(ItemFailure { problem, game: None, dialogue, stderr })
            }
        }
    }

    /// Ends the process and returns the evidence of a failure.
    pub(super) fn failure(self, problem: ItemProblem) -> ItemFailure {
        let stderr = self.bot.stderr_text();
        let _ = self.bot.kill_later().wait();
        ItemFailure { problem, game: None, dialogue: self.dialogue, stderr }
    }

    /// Reads what the process says within this time.
    fn read(&mut self, at_most: Duration) -> Vec<FromBot> {
        let output = [Interest::Output(&self.bot)].into_iter().filter(|_| !self.has_closed);
        // If that fails, so does reading.
        let _ = wait_for(output, at_most);
        let mut buffer = [0; 4096];
        let mut heard = Vec::new();
        match if self.has_closed { Ok(None) } else { self.bot.read_now(&mut buffer) } {
            Ok(None) => {}
            Ok(Some(count @ 1..)) => self.lines.feed(&buffer[..count], |piece| match piece {
                Chunked::Line(line) => heard.push(line.to_owned()),
                Chunked::TooLong { .. } => {}
            }),
            Ok(Some(0)) | Err(_) => self.has_closed = true,
        }
        heard.iter().for_each(|line| self.keep(Direction::FromBot, line));
        heard.iter().filter_map(|line| FromBot::parse(line).ok()).collect()
    }

    fn keep(&mut self, direction: Direction, bytes: &[u8]) {
        let at = now().saturating_duration_since(self.begun);
        self.dialogue.extend(TranscriptRecord::of_bytes(at, Seat::FIRST, direction.word(), bytes));
        let excess = self.dialogue.len().saturating_sub(MOST_LINES);
        self.dialogue.drain(..excess);
    }
}
