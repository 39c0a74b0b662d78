//! A dialogue with a process of the bot, outside of games.

use std::time::{Duration, Instant};

use linesman_driver::{Direction, now};
use linesman_games::{Setup, Table, legal_moves};
use linesman_protocol::{FromBot, GameHeader, Going, Position, ToBot};
use linesman_record::TranscriptRecord;
use linesman_record::text::printable;
use linesman_sandbox::{Bot, Chunked, Interest, LineReader, Process, QuitOverruns, State, wait_for};
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::Stage;

use super::item::{ItemFailure, ItemProblem};
use super::plan::BotCheck;

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
    /// The words after `feature` in its introduction.
    features: Vec<String>,
}

/// Number of tries: on a busy host one may take long through no fault of the bot.
pub(super) const TRIES: usize = 3;

/// The time for a move, of which the bot is told a part: a busy host may need the rest.
pub(super) const FOR_A_MOVE: Duration = Duration::from_secs(5);

/// The limit of a move that the bot is told.
const TOLD: Duration = Duration::from_millis(200);

impl RawTalk {
    /// Starts a process, which introduces itself.
    ///
    /// # Errors
    /// The evidence if it does not; `None` if it could not be started.
    pub(super) fn introduced(check: &BotCheck) -> Result<RawTalk, Option<Box<ItemFailure>>> {
        let mut talk = RawTalk {
            bot: Bot::start_here(check.spec.command.clone()).map_err(|_| None)?,
            lines: LineReader::new(LONGEST_LINE),
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

    /// Tells the process of a game, and waits until it is ready.
    ///
    /// # Errors
    /// The evidence if it never is.
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

    /// True if the bot has announced this feature.
    pub(super) fn has_announced(&self, feature: &str) -> bool {
        self.features.iter().any(|known| known == feature)
    }

    /// The lines that tell the position, and the order.
    pub(super) fn turn(&self, table: &dyn Table, moves: &[String], order: ToBot) -> Vec<ToBot> {
        let mut lines = vec![ToBot::Position(Position { token: None, moves: moves.to_vec() })];
        lines.extend(self.has_announced("state").then(|| ToBot::State(table.token())));
        lines.extend(self.has_announced("legal").then(|| ToBot::Legal(legal_moves(table))));
        lines.push(order);
        lines
    }

    /// Says these lines and asks for the first move of the game. Returns the number of `readyok` that came before
    /// the move, or `None` if no move came.
    pub(super) fn plays_after(&mut self, lines: &[String], setup: &dyn Setup) -> Option<usize> {
        lines.iter().for_each(|line| self.say_line(line));
        let table = setup.start();
        self.say(&self.turn(&*table, &[], ToBot::Go(Going::MoveTime(TOLD))));
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
        heard.iter().filter_map(|line| FromBot::parse(line).ok()).collect()
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
