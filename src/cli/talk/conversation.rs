//! The state of the talk: the board, the lines for the bot, and the referee's verdicts on its answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::games::{self, GAMES, NotAPosition, Refusal, Setup, Table, legal_moves};
use crate::protocol::{FromBot, GameHeader, GoLimit, PositionLine, ToBot, Variation, printable};
use crate::referee::core::MAX_STOPPING;
use crate::report::picture::terminal::{self, USUAL_WIDTH};
use crate::seat::Seat;
use crate::time_control::{ClockKind, SAFETY_NET, Span, Work, parse_duration};

/// The referee's time limit for `ugiok` and for `readyok`.
const READY_LIMIT: Duration = Duration::from_secs(10);

/// The default margin of a move.
const MARGIN: Duration = Duration::from_millis(50);

/// Maximum number of shown characters of a line.
const SHOWN: usize = 500;

/// The commands with their arguments and meanings.
const COMMANDS: [(&str, &str, &str); 10] = [
    (":new", "[GAME]", "begin a game: introduces the bot if need be, then `uginewgame`, `game`, `isready`"),
    (":go", "[TIME]", "ask for a move in the position on the board [default: 1s]"),
    (":go", "nodes N", "the same, with fixed work in place of a time; also `:go depth N`"),
    (":go", "infinite", "let the bot think until you type `stop`"),
    (":play", "[MOVE]", "play a move on the board [default: the bot's last answer]"),
    (":undo", "[N]", "take back the last N moves [default: 1]"),
    (":board", "", "show the board"),
    (":legal", "", "list the legal moves"),
    (":quit", "", "tell the bot to quit"),
    (":help", "", "list the commands"),
];

/// The beginnings of lines that Tab completes.
const VERBS: [&str; 18] = [
    "ugi",
    "setoption name ",
    "uginewgame",
    "game ",
    "isready",
    "position startpos",
    "position fen ",
    "state ",
    "legal ",
    "go movetime ",
    "go nodes ",
    "go depth ",
    "go infinite",
    "go ponder movetime ",
    "ponderhit",
    "stop",
    "gameover places ",
    "quit",
];

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum OwedAnswer {
    Nothing,
    UgiOk,
    /// A move, within this limit.
    BestMove(Duration),
    /// A move, after `stop`.
    BestMoveOnStop,
    /// A move, after `stop` or within this limit after `ponderhit`.
    BestMoveOnHit(Duration),
}

/// The result of a line that the person typed.
pub(super) enum Reply {
    Show(String),
    Send(Vec<String>),
    Quit,
}

pub(super) struct Conversation {
    setup: Arc<dyn Setup>,
    seat: Seat,
    token: Option<String>,
    table: Box<dyn Table>,
    moves: Vec<String>,
    owed: OwedAnswer,
    /// The time at which the owed answer was requested.
    asked: Option<Instant>,
    /// The time of `isready` while `readyok` is awaited. The bot may also be asked during a search.
    asked_if_ready: Option<Instant>,
    is_introduced: bool,
    wants_state: bool,
    wants_legal: bool,
    /// Lines to send after `ugiok`.
    queued: Vec<String>,
    /// The bot's last move, for `:play`.
    answer: Option<String>,
    games: u32,
    pub(super) is_closed: bool,
}

impl Conversation {
    /// Starts a conversation about a game from this position.
    pub(super) fn new(
        setup: Arc<dyn Setup>,
        seat: Seat,
        token: Option<String>,
    ) -> Result<Conversation, NotAPosition> {
        let table = token.as_deref().map_or_else(|| Ok(setup.start()), |token| setup.from_token(token))?;
        Ok(Conversation {
            setup,
            seat,
            token,
            table,
            moves: Vec::new(),
            owed: OwedAnswer::Nothing,
            asked: None,
            asked_if_ready: None,
            is_introduced: false,
            wants_state: false,
            wants_legal: false,
            queued: Vec::new(),
            answer: None,
            games: 0,
            is_closed: false,
        })
    }

    /// The words that Tab completes.
    pub(super) fn words(&self) -> Vec<String> {
        let mut commands = COMMANDS.map(|(command, ..)| command).to_vec();
        commands.dedup();
        let fixed = commands.into_iter().chain(VERBS).map(str::to_owned);
        let games = GAMES.iter().map(|game| game.id.to_owned());
        fixed.chain(games).chain(legal_moves(&*self.table)).collect()
    }

    /// Enters that the bot's output has ended.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        self.owed = OwedAnswer::Nothing;
        self.asked_if_ready = None;
    }

    /// True if an answer is awaited and its time limit has not passed.
    pub(super) fn awaits_answer(&self, now: Instant) -> bool {
        let is_awaited = |asked| now.saturating_duration_since(asked) < READY_LIMIT;
        self.asked_if_ready.is_some_and(is_awaited) || self.has_time(now)
    }

    /// True if an answer to `ugi` or `go` is awaited and its time limit has not passed.
    fn has_time(&self, now: Instant) -> bool {
        let limit = match self.owed {
            OwedAnswer::Nothing | OwedAnswer::BestMoveOnStop | OwedAnswer::BestMoveOnHit(_) => return false,
            OwedAnswer::UgiOk => READY_LIMIT,
            OwedAnswer::BestMove(limit) => limit + MARGIN,
        };
        self.asked.is_some_and(|asked| now.saturating_duration_since(asked) < limit)
    }

    /// Handles a line of the person.
    pub(super) fn take(&mut self, now: Instant, line: &str) -> Reply {
        let line = line.trim_end();
        let mut words = line.split_whitespace();
        let (first, argument) = (words.next(), words.next());
        let reply = match first {
            None => Reply::Show(String::new()),
            Some(":help") => Reply::Show(help()),
            Some(":board") => Reply::Show(self.board()),
            Some(":legal") => Reply::Show(format!("{}\n", legal_moves(&*self.table).join(" "))),
            Some(":quit" | "quit") => Reply::Quit,
            Some(":play") => self.play(now, argument),
            Some(":undo") => Reply::Show(self.take_back(now, argument)),
            Some(":go") => self.ask(argument, words.next()),
            Some(":new") => self.begin(argument),
            Some(command) if command.starts_with(':') => {
                Reply::Show(format!("there is no command `{command}`; `:help` lists them\n"))
            }
            Some(_) => Reply::Send(vec![line.to_owned()]),
        };
        if let Reply::Send(lines) = &reply {
            lines.iter().for_each(|line| self.note_sent(now, line));
        }
        reply
    }

    /// Returns the lines to send after `ugiok`, once it has arrived.
    pub(super) fn take_queued(&mut self, now: Instant) -> Vec<String> {
        if !self.is_introduced {
            return Vec::new();
        }
        let queued = std::mem::take(&mut self.queued);
        queued.iter().for_each(|line| self.note_sent(now, line));
        queued
    }

    /// Enters the effect of a line to the bot.
    fn note_sent(&mut self, now: Instant, line: &str) {
        let Ok(Some(message)) = ToBot::parse(line) else { return };
        let owed = match message {
            ToBot::Ugi => OwedAnswer::UgiOk,
            ToBot::IsReady => {
                self.asked_if_ready = Some(now);
                return;
            }
            ToBot::Go(GoLimit::Infinite) | ToBot::GoPonder(GoLimit::Infinite) => OwedAnswer::BestMoveOnStop,
            ToBot::Go(going) => OwedAnswer::BestMove(self.limit_of(&going)),
            ToBot::GoPonder(going) => OwedAnswer::BestMoveOnHit(self.limit_of(&going)),
            ToBot::PonderHit => match self.owed {
                OwedAnswer::BestMoveOnHit(limit) => OwedAnswer::BestMove(limit),
                OwedAnswer::Nothing
                | OwedAnswer::UgiOk
                | OwedAnswer::BestMove(_)
                | OwedAnswer::BestMoveOnStop => return,
            },
            ToBot::Stop => match self.owed {
                OwedAnswer::BestMoveOnStop => OwedAnswer::BestMove(READY_LIMIT),
                OwedAnswer::BestMoveOnHit(_) => OwedAnswer::BestMove(MAX_STOPPING),
                OwedAnswer::Nothing | OwedAnswer::UgiOk | OwedAnswer::BestMove(_) => return,
            },
            ToBot::Position(position) => {
                // An invalid position does not change the board.
                if let Some(table) = self.table_of(position.token.as_deref(), &position.moves) {
                    (self.token, self.moves) = (position.token, position.moves);
                    self.set_table(table);
                }
                return;
            }
            ToBot::Game(header) => {
                let options = games::options::split_options(&header.options).unwrap_or_default();
                if let Some(setup) = games::find(&header.game).and_then(|game| game.configure(&options).ok())
                {
                    self.seat = header.seat;
                    self.set_up(setup);
                }
                return;
            }
            ToBot::SetOption { .. }
            | ToBot::NewGame
            | ToBot::State(_)
            | ToBot::Legal(_)
            | ToBot::Told { .. }
            | ToBot::GameOver { .. }
            | ToBot::Quit => return,
        };
        (self.owed, self.asked) = (owed, Some(now));
    }

    fn limit_of(&self, going: &GoLimit) -> Duration {
        match going {
            GoLimit::MoveTime(limit) => *limit,
            GoLimit::Clocks(clocks) => {
                let left = clocks.times.get(self.seat).copied();
                clocks.max_move_time.or(left).unwrap_or(READY_LIMIT)
            }
            GoLimit::Work(_) | GoLimit::Infinite => SAFETY_NET,
        }
    }

    fn set_up(&mut self, setup: Arc<dyn Setup>) {
        let is_other =
            setup.id() != self.setup.id() || setup.options().to_string() != self.setup.options().to_string();
        if is_other {
            self.token = None;
        }
        self.setup = setup;
        self.moves.clear();
        if let Some(table) = self.table_of(self.token.as_deref(), &[]) {
            self.set_table(table);
        }
    }

    /// Sets the position on the board, and forgets the bot's answer for the earlier one.
    fn set_table(&mut self, table: Box<dyn Table>) {
        self.table = table;
        self.answer = None;
    }

    fn table_of(&self, token: Option<&str>, moves: &[String]) -> Option<Box<dyn Table>> {
        games::replay(&*self.setup, token, moves).ok()
    }

    fn board(&self) -> String {
        format!(
            "{}{}   {}\n",
            terminal::coloured(&self.table.scene(), USUAL_WIDTH),
            self.table.token(),
            self.turn()
        )
    }

    /// The seat on move, or the end of the game, in words.
    fn turn(&self) -> String {
        match self.table.ending() {
            None => format!("seat {} to move", self.table.to_move()),
            Some(ending) => format!("the game is over: {}", ending.why),
        }
    }

    /// The message to the person while the bot thinks about the position; `None` if it does not.
    fn thinking_message(&self, now: Instant) -> Option<&'static str> {
        match self.owed {
            OwedAnswer::BestMoveOnStop | OwedAnswer::BestMoveOnHit(_) => {
                Some("the bot is thinking: end its search with `stop`\n")
            }
            OwedAnswer::BestMove(_) if self.has_time(now) => {
                Some("the bot is thinking: wait for its answer\n")
            }
            OwedAnswer::Nothing | OwedAnswer::UgiOk | OwedAnswer::BestMove(_) => None,
        }
    }

    /// Forgets an overdue answer before the position changes.
    fn forget_overdue(&mut self) {
        if matches!(self.owed, OwedAnswer::BestMove(_)) {
            self.owed = OwedAnswer::Nothing;
        }
    }

    fn play(&mut self, now: Instant, mv: Option<&str>) -> Reply {
        if let Some(text) = self.thinking_message(now) {
            return Reply::Show(text.to_owned());
        }
        let Some(mv) = mv.map(str::to_owned).or_else(|| self.answer.take()) else {
            return Reply::Show("the bot has not answered yet: give a move, as in `:play a1a5`\n".to_owned());
        };
        match self.table.play(&mv) {
            Ok(()) => {
                self.moves.push(mv.clone());
                self.answer = None;
                self.forget_overdue();
                Reply::Show(match self.table.ending() {
                    None => format!("played {mv}\n"),
                    Some(ending) => format!("played {mv}: the game is over, {}\n", ending.why),
                })
            }
            Err(refusal) => {
                Reply::Show(format!("`{}`: {}\n", printable(mv.as_bytes(), SHOWN), refused(&refusal)))
            }
        }
    }

    fn take_back(&mut self, now: Instant, number: Option<&str>) -> String {
        let Some(number) = number.map_or(Some(1), |text| text.parse().ok().filter(|number| *number > 0))
        else {
            return "expected a number of moves, as in `:undo 2`\n".to_owned();
        };
        if let Some(text) = self.thinking_message(now) {
            return text.to_owned();
        }
        let there = self.moves.len();
        let Some(left) = there.checked_sub(number) else {
            return match there {
                0 => "there is no move to take back\n".to_owned(),
                1 => "there is only 1 move to take back\n".to_owned(),
                _ => format!("there are only {there} moves to take back\n"),
            };
        };
        // Always possible, since these moves have been played.
        if let Some(table) = self.table_of(self.token.as_deref(), &self.moves[..left]) {
            self.set_table(table);
        }
        self.forget_overdue();
        let taken = self.moves.split_off(left);
        format!("took back {}: {}\n", taken.join(" "), self.turn())
    }

    fn ask(&mut self, terms: Option<&str>, amount: Option<&str>) -> Reply {
        let amount = amount.unwrap_or_default();
        let going = match terms {
            None => Ok(GoLimit::MoveTime(Duration::from_secs(1))),
            Some("nodes") => Work::nodes(amount).map(GoLimit::Work),
            Some("depth") => Work::depth(amount).map(GoLimit::Work),
            Some("infinite") => Ok(GoLimit::Infinite),
            Some(time) => parse_duration(time).map(GoLimit::MoveTime),
        };
        let going = match going {
            Ok(going) => going,
            Err(error) => return Reply::Show(format!("{error}\n")),
        };
        if self.table.is_over() {
            return Reply::Show("the game is over: `:new` begins another one\n".to_owned());
        }
        let mut position = PositionLine::new(self.token.as_deref());
        self.moves.iter().for_each(|mv| position.push(mv));
        let mut lines = vec![position.as_str().to_owned()];
        if self.wants_state {
            lines.push(ToBot::State(self.table.token()).to_string());
        }
        if self.wants_legal {
            lines.push(ToBot::Legal(legal_moves(&*self.table)).to_string());
        }
        lines.push(ToBot::Go(going).to_string());
        Reply::Send(lines)
    }

    fn begin(&mut self, game: Option<&str>) -> Reply {
        let setup = match game.filter(|game| *game != self.setup.id()) {
            None => Arc::clone(&self.setup),
            Some(id) => match games::find(id).map(|game| game.configure(&[])) {
                Some(Ok(setup)) => setup,
                Some(Err(error)) => return Reply::Show(format!("{error}\n")),
                None => {
                    let known: Vec<&str> = GAMES.iter().map(|game| game.id).collect();
                    return Reply::Show(format!(
                        "there is no game `{id}`; choose one of {}\n",
                        known.join(", ")
                    ));
                }
            },
        };
        self.set_up(setup);
        self.games += 1;
        let header = GameHeader {
            game: self.setup.id().to_owned(),
            seat: self.seat,
            seats: self.setup.teams().seats(),
            id: format!("talk~{}", self.games),
            clock: ClockKind::Wall,
            ponders: false,
            options: self.setup.options().to_string(),
        };
        let lines = [ToBot::NewGame, ToBot::Game(header), ToBot::IsReady].map(|message| message.to_string());
        if self.is_introduced {
            return Reply::Send(lines.into());
        }
        self.queued = lines.into();
        Reply::Send(vec![ToBot::Ugi.to_string()])
    }

    /// Handles a line of the bot. Returns it with the referee's verdict.
    pub(super) fn hear(&mut self, now: Instant, line: &[u8]) -> String {
        let text = printable(line, SHOWN);
        match self.judge(now, line) {
            Some(judgement) => format!("{text}   ({judgement})"),
            None => text,
        }
    }

    /// A line that is too long, with the verdict.
    pub(super) fn hear_too_long(&mut self, bytes: u64) -> String {
        format!("{bytes} bytes without a newline   (over the limit: a line may have 64 KiB)")
    }

    /// The last line of the bot if it has no newline, with the verdict.
    pub(super) fn hear_unfinished(&mut self, text: &[u8]) -> String {
        format!("{}   (ignored: there is no newline at the end)", printable(text, SHOWN))
    }

    /// The verdict on a line; `None` if there is nothing to say.
    fn judge(&mut self, now: Instant, line: &[u8]) -> Option<String> {
        let message = match FromBot::parse(line) {
            Ok(message) => message,
            Err(error) => return Some(format!("breaks the protocol: expected {}", error.expected)),
        };
        match (message, self.owed) {
            (FromBot::Unknown, _) if line.trim_ascii().is_empty() => None,
            (FromBot::Unknown, _) => Some("ignored: unknown verb".to_owned()),
            (FromBot::BestMove { mv, ponder }, OwedAnswer::BestMove(limit)) => {
                Some(self.judge_move(now, mv.as_str(), &ponder, limit))
            }
            (FromBot::Resign, OwedAnswer::BestMove(limit)) => {
                let used = self.answered(now);
                Some(format!("resigns, after {:.3} s{}", used.as_secs_f64(), late_note(used, limit)))
            }
            (FromBot::BestMove { .. } | FromBot::Resign, OwedAnswer::BestMoveOnStop) => {
                Some("breaks the protocol: there was no `stop` before it".to_owned())
            }
            (FromBot::BestMove { .. } | FromBot::Resign, OwedAnswer::BestMoveOnHit(_)) => {
                Some("breaks the protocol: there was no `ponderhit` or `stop` before it".to_owned())
            }
            (FromBot::BestMove { .. } | FromBot::Resign, OwedAnswer::Nothing | OwedAnswer::UgiOk) => {
                Some("breaks the protocol: there was no `go` before it".to_owned())
            }
            (FromBot::UgiOk, OwedAnswer::UgiOk) => {
                self.is_introduced = true;
                let used = self.answered(now);
                Some(format!("introduced, after {:.3} s", used.as_secs_f64()))
            }
            (FromBot::ReadyOk, _) => {
                Some(self.asked_if_ready.take().map_or("ignored: not now".to_owned(), |asked| {
                    format!("ready, after {:.3} s", now.saturating_duration_since(asked).as_secs_f64())
                }))
            }
            (FromBot::Feature(features), OwedAnswer::UgiOk) => {
                let is_wanted = |word: &str| features.iter().any(|feature| feature == word);
                self.wants_state |= is_wanted("state");
                self.wants_legal |= is_wanted("legal");
                None
            }
            (
                FromBot::IdName(_) | FromBot::IdAuthor(_) | FromBot::Protocol(_) | FromBot::Option(_),
                OwedAnswer::UgiOk,
            )
            | (FromBot::Info(_) | FromBot::Tell(_), OwedAnswer::BestMove(_) | OwedAnswer::BestMoveOnStop)
            | (FromBot::Info(_), OwedAnswer::BestMoveOnHit(_)) => None,
            (
                FromBot::IdName(_)
                | FromBot::IdAuthor(_)
                | FromBot::Protocol(_)
                | FromBot::Option(_)
                | FromBot::Feature(_)
                | FromBot::UgiOk
                | FromBot::Info(_)
                | FromBot::Tell(_),
                _,
            ) => Some("ignored: not now".to_owned()),
        }
    }

    fn judge_move(&mut self, now: Instant, mv: &str, ponder: &Variation, limit: Duration) -> String {
        let used = self.answered(now);
        let late = late_note(used, limit);
        self.answer = Some(mv.to_owned());
        let mut table = self.table.fork();
        match table.play(mv) {
            Ok(()) => {
                let pondering = pondering_note(&mut *table, ponder);
                format!("legal, after {:.3} s{late}{pondering}", used.as_secs_f64())
            }
            Err(refusal) => refused(&refusal),
        }
    }

    /// Enters that the bot has answered. Returns the time that it took.
    fn answered(&mut self, now: Instant) -> Duration {
        self.owed = OwedAnswer::Nothing;
        self.asked.take().map_or(Duration::ZERO, |asked| now.saturating_duration_since(asked))
    }
}

fn help() -> String {
    let line = |(command, argument, meaning)| format!("{:<14} {meaning}\n", format!("{command} {argument}"));
    let commands: String = COMMANDS.map(line).concat();
    commands + "Any other line is sent to the bot as it is. A `position` line sets the board.\n"
}

fn late_note(used: Duration, limit: Duration) -> String {
    if used > limit + MARGIN { format!("; too late: the limit is {}", Span(limit)) } else { String::new() }
}

/// The first illegal move of those that the bot wants to ponder on, in words.
fn pondering_note(table: &mut dyn Table, moves: &Variation) -> String {
    let refusal = moves.moves().find_map(|mv| table.play(mv).err().map(|refusal| (mv, refusal)));
    refusal.map_or_else(String::new, |(mv, refusal)| {
        format!("; can't ponder on `{}`: {}", printable(mv.as_bytes(), SHOWN), refused(&refusal))
    })
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Illegal(illegal) => format!("illegal: {}", illegal.why),
        Refusal::NotAMove(error) => format!("not a move: {}", error.why),
    }
}
