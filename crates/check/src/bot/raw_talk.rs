//! A dialogue with a process of the bot that the check conducts itself, without the referee.

use std::time::{Duration, Instant};

use linesman_driver::now;
use linesman_games::{Setup, Table, legal_moves};
use linesman_protocol::{FromBot, GameHeader, GoLimit, Position, ToBot};
use linesman_record::TranscriptRecord;
use linesman_record::text::printable;
use linesman_sandbox::{Bot, Interest, LineEvent, LineReader, Process, QuitOverruns, State, wait_for};
use linesman_types::direction::Direction;
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::Stage;

use super::item::{ItemFailure, ItemProblem};
use super::plan::BotCheck;

/// Maximum time of one wait for output.
const WAIT: Duration = Duration::from_millis(5);

/// Maximum number of lines of the dialogue that are kept.
const MAX_LINES: usize = 40;

/// Maximum length of a line, in bytes.
const MAX_LINE: usize = 64 * 1024;

pub(super) struct RawTalk {
    bot: Bot,
    lines: LineReader,
    begun: Instant,
    has_closed: bool,
    dialogue: Vec<TranscriptRecord>,
    /// The words after `feature` in the bot's introduction.
    features: Vec<String>,
}

/// Number of attempts: on a busy host one may fail through no fault of the bot.
pub(super) const ATTEMPTS: usize = 3;

/// The timeout for a move, and for writing a line. It is much longer than the limit that the bot is given, because
/// the host may be busy.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The limit of a move that the bot is given.
const MOVE_LIMIT: Duration = Duration::from_millis(200);

impl RawTalk {
    /// Starts a process and waits for its introduction.
    ///
    /// # Errors
    /// The evidence if it does not introduce itself; `None` if it could not be started.
    pub(super) fn start_and_greet(check: &BotCheck) -> Result<RawTalk, Option<Box<ItemFailure>>> {
        let mut talk = RawTalk {
            bot: Bot::start_here(check.spec.command.clone()).map_err(|_| None)?,
            lines: LineReader::new(MAX_LINE),
            begun: now(),
            has_closed: false,
            dialogue: Vec::new(),
            features: Vec::new(),
        };
        talk.say(&[ToBot::Ugi]);
        let Some(said) = talk.hear_until(|said| *said == FromBot::UgiOk, check.limits.start) else {
            return Err(Some(Box::new(talk.not_ready(Stage::Handshake, check.limits.start))));
        };
        for message in said {
            if let FromBot::Feature(words) = message {
                talk.features.extend(words);
            }
        }
        Ok(talk)
    }

    /// Announces a game to the process, and waits until it is ready.
    ///
    /// # Errors
    /// The evidence if it is not ready in time.
    pub(super) fn ready_for(
        mut self,
        setup: &dyn Setup,
        check: &BotCheck,
        id: &str,
        ponders: bool,
    ) -> Result<RawTalk, Option<Box<ItemFailure>>> {
        let header = GameHeader {
            game: setup.id().to_owned(),
            seat: Seat::FIRST,
            seats: setup.teams().seats(),
            id: id.to_owned(),
            clock: ClockKind::Wall,
            ponders,
            options: setup.options().to_string(),
        };
        self.say(&[ToBot::NewGame, ToBot::Game(header), ToBot::IsReady]);
        match self.hear_until(|said| *said == FromBot::ReadyOk, check.limits.ready) {
            Some(_) => Ok(self),
            None => Err(Some(Box::new(self.not_ready(Stage::Ready, check.limits.ready)))),
        }
    }

    fn not_ready(self, stage: Stage, limit: Duration) -> ItemFailure {
        self.failure(ItemProblem::NotReady { awaited: stage.answer(), limit })
    }

    pub(super) fn say(&mut self, messages: &[ToBot]) {
        for message in messages {
            self.say_line(&message.to_string());
        }
    }

    /// Sends this line. Gives up if the bot does not read it in time, since it won't answer it either.
    fn say_line(&mut self, line: &str) {
        let text = format!("{line}\n");
        self.keep(Direction::ToBot, text.as_bytes());
        let (mut rest, until) = (text.as_bytes(), now() + ANSWER_TIMEOUT);
        while !rest.is_empty() && now() < until {
            match self.bot.write_now(rest) {
                Ok(Some(count)) => rest = &rest[count.min(rest.len())..],
                // If the wait fails, so does writing.
                Ok(None) => drop(wait_for([Interest::Room(&self.bot)], WAIT)),
                Err(_) => return,
            }
        }
    }

    pub(super) fn has_announced(&self, feature: &str) -> bool {
        self.features.iter().any(|known| known == feature)
    }

    /// The messages that describe the position, followed by the order to move.
    pub(super) fn turn(&self, table: &dyn Table, moves: &[String], order: ToBot) -> Vec<ToBot> {
        let mut lines = vec![ToBot::Position(Position { token: None, moves: moves.to_vec() })];
        lines.extend(self.has_announced("state").then(|| ToBot::State(table.token())));
        lines.extend(self.has_announced("legal").then(|| ToBot::Legal(legal_moves(table))));
        lines.push(order);
        lines
    }

    /// Sends these lines and asks for the first move of the game. Returns the number of `readyok` before the move, or
    /// `None` if the bot does not move.
    pub(super) fn ask_first_move_after(&mut self, lines: &[String], setup: &dyn Setup) -> Option<usize> {
        lines.iter().for_each(|line| self.say_line(line));
        let table = setup.start();
        self.say(&self.turn(&*table, &[], ToBot::Go(GoLimit::MoveTime(MOVE_LIMIT))));
        let until = now() + ANSWER_TIMEOUT;
        let mut answers = 0;
        while now() < until && !self.has_closed {
            for message in self.read(WAIT) {
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

    /// Kills the process.
    pub(super) fn kill(self) {
        let _ = self.bot.kill_later().wait();
    }

    /// Waits for an answer. Returns all messages up to and including it, or `None` if it does not arrive in time.
    pub(super) fn hear_until(
        &mut self,
        is_answer: impl Fn(&FromBot) -> bool,
        limit: Duration,
    ) -> Option<Vec<FromBot>> {
        let until = now() + limit;
        let mut said = Vec::new();
        while now() < until && !self.has_closed {
            for message in self.read(WAIT) {
                let is_last = is_answer(&message);
                said.push(message);
                if is_last {
                    return Some(said);
                }
            }
        }
        None
    }

    /// Waits for the process to end while its input stays open. Returns the time that it took, or `None` if the
    /// process runs on.
    pub(super) fn wait_for_exit(&mut self, limit: Duration) -> Option<Duration> {
        let begun = now();
        while self.bot.state() == State::Running {
            if now() >= begun + limit {
                return None;
            }
            self.read(WAIT);
        }
        Some(now() - begun)
    }

    /// Closes the input of the process and waits until it has ended. Returns the time that it took.
    ///
    /// # Errors
    /// The evidence, if the process runs on.
    pub(super) fn close_input_and_wait(
        self,
        limit: Duration,
        has_moved: bool,
    ) -> Result<Duration, Box<ItemFailure>> {
        let (begun, overruns) = (now(), QuitOverruns::default());
        let RawTalk { bot, dialogue, .. } = self;
        let stderr = bot.stderr_text();
        // Processes that can't be killed now end with this program.
        let _ = bot.quit_later(Vec::new(), limit, overruns.clone()).wait();
        match overruns.number() {
            0 => Ok(now() - begun),
            _ => {
                let problem = ItemProblem::StillRunning { limit, has_moved };
                Err(Box::new(ItemFailure { dialogue, stderr, ..ItemFailure::outside_games(problem) }))
            }
        }
    }

    /// Kills the process and returns the evidence of a failure.
    pub(super) fn failure(self, problem: ItemProblem) -> ItemFailure {
        let stderr = self.bot.stderr_text();
        let _ = self.bot.kill_later().wait();
        ItemFailure { dialogue: self.dialogue, stderr, ..ItemFailure::outside_games(problem) }
    }

    /// Waits for output for at most this time, and reads the messages in it.
    fn read(&mut self, at_most: Duration) -> Vec<FromBot> {
        let output = [Interest::Output(&self.bot)].into_iter().filter(|_| !self.has_closed);
        // If the wait fails, so does reading.
        let _ = wait_for(output, at_most);
        let mut buffer = [0; 4096];
        let mut heard = Vec::new();
        match if self.has_closed { Ok(None) } else { self.bot.read_now(&mut buffer) } {
            Ok(None) => {}
            Ok(Some(count @ 1..)) => self.lines.feed(&buffer[..count], |piece| match piece {
                LineEvent::Line(line) => heard.push(line.to_owned()),
                LineEvent::TooLong { .. } => {}
            }),
            Ok(Some(0)) | Err(_) => self.has_closed = true,
        }
        heard.iter().for_each(|line| self.keep(Direction::FromBot, line));
        heard.iter().filter_map(|line| FromBot::parse(line).ok()).collect()
    }

    fn keep(&mut self, direction: Direction, bytes: &[u8]) {
        let at = now().saturating_duration_since(self.begun);
        let text = printable(&String::from_utf8_lossy(bytes.trim_ascii_end()), usize::MAX);
        let at_us = u64::try_from(at.as_micros()).unwrap_or(u64::MAX);
        let seat = u8::try_from(Seat::FIRST.number()).unwrap_or(u8::MAX);
        self.dialogue.push(TranscriptRecord { at_us, seat, direction: Ok(direction), text });
        let excess = self.dialogue.len().saturating_sub(MAX_LINES);
        self.dialogue.drain(..excess);
    }
}
