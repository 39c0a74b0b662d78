//! A dialogue with a process of the bot, outside of games.

use std::time::{Duration, Instant};

use linesman_driver::{Direction, now};
use linesman_games::{Setup, legal_moves};
use linesman_protocol::{FromBot, Going, Position, ToBot};
use linesman_record::TranscriptRecord;
use linesman_record::text::printable;
use linesman_sandbox::{Bot, Chunked, Command, Interest, LineReader, Process, QuitOverruns, State, wait_for};
use linesman_types::seat::Seat;

use super::item::{ItemFailure, ItemProblem};

/// Maximum time of one wait for output.
const A_LOOK: Duration = Duration::from_millis(5);

/// Number of lines of the dialogue that are kept.
const MOST_LINES: usize = 40;

/// Maximum length of a line, in bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// A process that is talked to.
pub(super) struct RawTalk {
    bot: Bot,
    lines: LineReader,
    begun: Instant,
    has_closed: bool,
    dialogue: Vec<TranscriptRecord>,
    /// The words after `feature`.
    features: Vec<String>,
}

/// The time for a move, of which the bot is told a part: a busy host may need the rest.
pub(super) const FOR_A_MOVE: Duration = Duration::from_secs(5);

/// The limit of a move that the bot is told.
const TOLD: Duration = Duration::from_millis(200);

impl RawTalk {
    /// Starts a process; `None` if that can't be done now.
    pub(super) fn start(command: Command) -> Option<RawTalk> {
        let bot = Bot::start_here(command).ok()?;
        let lines = LineReader::new(LONGEST_LINE);
        Some(RawTalk {
            bot,
            lines,
            begun: now(),
            has_closed: false,
            dialogue: Vec::new(),
            features: Vec::new(),
        })
    }

    /// Says these lines.
    pub(super) fn say(&mut self, messages: &[ToBot]) {
        for message in messages {
            self.say_line(&message.to_string());
        }
    }

    /// Says this line. A bot that does not read it in time does not answer it.
    fn say_line(&mut self, line: &str) {
        let text = format!("{line}\n");
        self.keep(Direction::ToBot, text.as_bytes());
        let (mut rest, until) = (text.as_bytes(), now() + FOR_A_MOVE);
        while !rest.is_empty() && now() < until {
            match self.bot.write_now(rest) {
                Ok(Some(count)) => rest = &rest[count.min(rest.len())..],
                // If that fails, so does writing.
                Ok(None) => drop(wait_for([Interest::Room(&self.bot)], A_LOOK)),
                Err(_) => return,
            }
        }
    }

    /// True if the bot has asked for these lines.
    pub(super) fn has_asked_for(&self, feature: &str) -> bool {
        self.features.iter().any(|known| known == feature)
    }

    /// Says these lines and asks for the first move of the game. Returns the number of `readyok` that came before
    /// the move, or `None` if no move came.
    pub(super) fn plays_after(&mut self, lines: &[String], setup: &dyn Setup) -> Option<usize> {
        lines.iter().for_each(|line| self.say_line(line));
        let table = setup.start();
        let mut turn = vec![ToBot::Position(Position { token: None, moves: Vec::new() })];
        if self.has_asked_for("state") {
            turn.push(ToBot::State(table.token()));
        }
        if self.has_asked_for("legal") {
            turn.push(ToBot::Legal(legal_moves(&*table)));
        }
        turn.push(ToBot::Go(Going::MoveTime(TOLD)));
        self.say(&turn);
        let until = now() + FOR_A_MOVE;
        let mut answers = 0;
        while now() < until && !self.has_closed {
            for message in self.read(A_LOOK) {
                match message {
                    FromBot::BestMove { .. } | FromBot::Resign => return Some(answers),
                    FromBot::ReadyOk => answers += 1,
                    FromBot::IdName(_)
                    | FromBot::IdAuthor(_)
                    | FromBot::Protocol(_)
                    | FromBot::Option(_)
                    | FromBot::Feature(_)
                    | FromBot::UgiOk
                    | FromBot::Info(_)
                    | FromBot::Tell(_)
                    | FromBot::Unknown => {}
                }
            }
        }
        None
    }

    /// Ends the process.
    pub(super) fn end(self) {
        let _ = self.bot.kill_later().wait();
    }

    /// Waits for this answer. False if it does not come in time.
    pub(super) fn answers(&mut self, awaited: &FromBot, limit: Duration) -> bool {
        self.hear_until(|message| message == awaited, limit).is_some()
    }

    /// Waits for such an answer. Returns all messages until then, the answer last; `None` if it does not come in
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

    /// Waits for the end of the process while its input stays open. Returns the time that it took, or
    /// `None` if it runs on.
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
    pub(super) fn ends_without_input(
        self,
        limit: Duration,
        has_moved: bool,
    ) -> Result<Duration, Box<ItemFailure>> {
        let (begun, overruns) = (now(), QuitOverruns::default());
        let RawTalk { bot, dialogue, .. } = self;
        let stderr = bot.stderr_text();
        // Processes that can't be ended here end with the program.
        let _ = bot.quit_later(Vec::new(), limit, overruns.clone()).wait();
        match overruns.number() {
            0 => Ok(now() - begun),
            _ => {
                let problem = ItemProblem::StillRunning { limit, has_moved };
                Err(Box::new(ItemFailure { dialogue, stderr, ..ItemFailure::outside_games(problem) }))
            }
        }
    }

    /// Ends the process and returns the evidence of a failure.
    pub(super) fn failure(self, problem: ItemProblem) -> ItemFailure {
        let stderr = self.bot.stderr_text();
        let _ = self.bot.kill_later().wait();
        ItemFailure { dialogue: self.dialogue, stderr, ..ItemFailure::outside_games(problem) }
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
        let heard: Vec<FromBot> = heard.iter().filter_map(|line| FromBot::parse(line).ok()).collect();
        for message in &heard {
            if let FromBot::Feature(words) = message {
                self.features.extend(words.iter().cloned());
            }
        }
        heard
    }

    fn keep(&mut self, direction: Direction, bytes: &[u8]) {
        let at = now().saturating_duration_since(self.begun);
        let text = printable(&String::from_utf8_lossy(bytes.trim_ascii_end()), usize::MAX);
        let direction = direction.word().to_owned();
        let at_us = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
        let seat = u8::try_from(Seat::FIRST.number()).unwrap_or(u8::MAX);
        self.dialogue.push(TranscriptRecord { at_us, seat, direction, text });
        let excess = self.dialogue.len().saturating_sub(MOST_LINES);
        self.dialogue.drain(..excess);
    }
}
