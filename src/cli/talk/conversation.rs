//! The lines for a bot, and the referee's view of its answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::games::{self, GAMES, NotAPosition, Refusal, Setup, Table, legal_moves};
use crate::protocol::{FromBot, GameHeader, Going, PositionLine, ToBot, Variation, printable};
use crate::referee::core::MOST_STOPPING;
use crate::report::picture::terminal::{self, USUAL_WIDTH};
use crate::seat::Seat;
use crate::time_control::{ClockKind, SAFETY_NET, Span, Work, parse_duration};

/// The limits of the referee for `ugiok` and `readyok`.
const GETS_READY_WITHIN: Duration = Duration::from_secs(10);

/// The default margin of a move.
const MARGIN: Duration = Duration::from_millis(50);

/// Characters of a line that are shown.
const SHOWN: usize = 500;

/// The commands, each with its argument and its meaning.
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

/// The expected answer of the bot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Owed {
    Nothing,
    UgiOk,
    /// A move, within this limit.
    BestMove(Duration),
    /// A move, after `stop`.
    BestMoveOnStop,
    /// A move, after `stop` or within this limit after `ponderhit`.
    BestMoveOnHit(Duration),
}

/// The consequence of a line of the person.
pub(super) enum Reply {
    /// A text for the person.
    Show(String),
    /// Lines for the bot.
    Send(Vec<String>),
    /// The bot is told to quit.
    Quit,
}

/// The state of the conversation, and the board.
pub(super) struct Conversation {
    setup: Arc<dyn Setup>,
    seat: Seat,
    token: Option<String>,
    table: Box<dyn Table>,
    moves: Vec<String>,
    owed: Owed,
    asked: Option<Instant>,
    /// When the bot was asked whether it is ready, which it may be during a search, too.
    asked_if_ready: Option<Instant>,
    is_introduced: bool,
    wants_state: bool,
    wants_legal: bool,
    /// Lines that wait for `ugiok`.
    held: Vec<String>,
    answer: Option<String>,
    games: u32,
    is_closed: bool,
}

impl Conversation {
    /// A conversation about a game from this position.
    ///
    /// # Errors
    /// A token that can't be read.
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
            owed: Owed::Nothing,
            asked: None,
            asked_if_ready: None,
            is_introduced: false,
            wants_state: false,
            wants_legal: false,
            held: Vec::new(),
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

    /// The bot's output has ended.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        self.owed = Owed::Nothing;
        self.asked_if_ready = None;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// True if the bot still has time for an answer.
    pub(super) fn is_owed_an_answer(&self, now: Instant) -> bool {
        let is_awaited = |asked| now.saturating_duration_since(asked) < GETS_READY_WITHIN;
        self.asked_if_ready.is_some_and(is_awaited) || self.has_time(now)
    }

    /// True if the bot still has time for its answer to `ugi` or `go`.
    fn has_time(&self, now: Instant) -> bool {
        let limit = match self.owed {
            Owed::Nothing | Owed::BestMoveOnStop | Owed::BestMoveOnHit(_) => return false,
            Owed::UgiOk => GETS_READY_WITHIN,
            Owed::BestMove(limit) => limit + MARGIN,
        };
        self.asked.is_some_and(|asked| now.saturating_duration_since(asked) < limit)
    }

    /// Takes a line of the person.
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

    /// Lines that waited for `ugiok`, once it has come.
    pub(super) fn take_held(&mut self, now: Instant) -> Vec<String> {
        if !self.is_introduced {
            return Vec::new();
        }
        let held = std::mem::take(&mut self.held);
        held.iter().for_each(|line| self.note_sent(now, line));
        held
    }

    fn note_sent(&mut self, now: Instant, line: &str) {
        let Ok(Some(message)) = ToBot::parse(line) else { return };
        let owed = match message {
            ToBot::Ugi => Owed::UgiOk,
            ToBot::IsReady => {
                self.asked_if_ready = Some(now);
                return;
            }
            ToBot::Go(Going::Infinite) | ToBot::GoPonder(Going::Infinite) => Owed::BestMoveOnStop,
            ToBot::Go(going) => Owed::BestMove(self.limit_of(&going)),
            ToBot::GoPonder(going) => Owed::BestMoveOnHit(self.limit_of(&going)),
            ToBot::PonderHit => match self.owed {
                Owed::BestMoveOnHit(limit) => Owed::BestMove(limit),
                Owed::Nothing | Owed::UgiOk | Owed::BestMove(_) | Owed::BestMoveOnStop => return,
            },
            ToBot::Stop => match self.owed {
                Owed::BestMoveOnStop => Owed::BestMove(GETS_READY_WITHIN),
                Owed::BestMoveOnHit(_) => Owed::BestMove(MOST_STOPPING),
                Owed::Nothing | Owed::UgiOk | Owed::BestMove(_) => return,
            },
            ToBot::Position(position) => {
                // A wrong position is the person's responsibility: the board stays as it is.
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

    /// The time for an answer to `go`.
    fn limit_of(&self, going: &Going) -> Duration {
        match going {
            Going::MoveTime(limit) => *limit,
            Going::Clocks(clocks) => {
                let left = clocks.times.get(self.seat).copied();
                clocks.most_a_move.or(left).unwrap_or(GETS_READY_WITHIN)
            }
            Going::Work(_) | Going::Infinite => SAFETY_NET,
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

    /// Shows another position. An answer for the earlier one is forgotten.
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

    /// The answer to the person while the bot thinks about this position; `None` if it does not.
    fn is_thinking(&self, now: Instant) -> Option<&'static str> {
        match self.owed {
            Owed::BestMoveOnStop | Owed::BestMoveOnHit(_) => {
                Some("the bot is thinking: end its search with `stop`\n")
            }
            Owed::BestMove(_) if self.has_time(now) => Some("the bot is thinking: wait for its answer\n"),
            Owed::Nothing | Owed::UgiOk | Owed::BestMove(_) => None,
        }
    }

    /// Forgets an overdue answer, which would be one in another position.
    fn forget_overdue(&mut self) {
        if matches!(self.owed, Owed::BestMove(_)) {
            self.owed = Owed::Nothing;
        }
    }

    fn play(&mut self, now: Instant, mv: Option<&str>) -> Reply {
        if let Some(text) = self.is_thinking(now) {
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
                let over = self
                    .table
                    .ending()
                    .map_or_else(String::new, |ending| format!(": the game is over, {}", ending.why));
                Reply::Show(format!("played {mv}{over}\n"))
            }
            Err(refusal) => {
                Reply::Show(format!("`{}`: {}\n", printable(mv.as_bytes(), SHOWN), refused(&refusal)))
            }
        }
    }

    /// Takes moves back. Returns a message for the person.
    fn take_back(&mut self, now: Instant, number: Option<&str>) -> String {
        let Some(number) = number.map_or(Some(1), |text| text.parse().ok().filter(|number| *number > 0))
        else {
            return "expected a number of moves, as in `:undo 2`\n".to_owned();
        };
        if let Some(text) = self.is_thinking(now) {
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
        // Always possible, since these moves were played before.
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
            None => Ok(Going::MoveTime(Duration::from_secs(1))),
            Some("nodes") => Work::nodes(amount).map(Going::Work),
            Some("depth") => Work::depth(amount).map(Going::Work),
            Some("infinite") => Ok(Going::Infinite),
            Some(time) => parse_duration(time).map(Going::MoveTime),
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
        self.held = lines.into();
        Reply::Send(vec![ToBot::Ugi.to_string()])
    }

    /// A line of the bot, with the referee's view of it.
    pub(super) fn hear(&mut self, now: Instant, line: &[u8]) -> String {
        let text = printable(line, SHOWN);
        match self.judge(now, line) {
            Some(judgement) => format!("{text}   ({judgement})"),
            None => text,
        }
    }

    pub(super) fn hear_too_long(&mut self, bytes: u64) -> String {
        format!("{bytes} bytes without a newline   (over the limit: a line may have 64 KiB)")
    }

    pub(super) fn hear_unfinished(&mut self, text: &[u8]) -> String {
        format!("{}   (ignored: there is no newline at the end)", printable(text, SHOWN))
    }

    fn judge(&mut self, now: Instant, line: &[u8]) -> Option<String> {
        const UNASKED: &str = "breaks the protocol: there was no `go` before it";
        let message = match FromBot::parse(line) {
            Ok(message) => message,
            Err(error) => return Some(format!("breaks the protocol: expected {}", error.expected)),
        };
        match (message, self.owed) {
            (FromBot::Unknown, _) if line.trim_ascii().is_empty() => None,
            (FromBot::Unknown, _) => Some("ignored: unknown verb".to_owned()),
            (FromBot::BestMove { mv, ponder }, Owed::BestMove(limit)) => {
                Some(self.judge_move(now, mv.as_str(), &ponder, limit))
            }
            (FromBot::Resign, Owed::BestMove(limit)) => {
                let used = self.answered(now);
                Some(format!("resigns, after {:.3} s{}", used.as_secs_f64(), is_late(used, limit)))
            }
            (FromBot::BestMove { .. } | FromBot::Resign, Owed::BestMoveOnStop) => {
                Some("breaks the protocol: there was no `stop` before it".to_owned())
            }
            (FromBot::BestMove { .. } | FromBot::Resign, Owed::BestMoveOnHit(_)) => {
                Some("breaks the protocol: there was no `ponderhit` or `stop` before it".to_owned())
            }
            (FromBot::BestMove { .. } | FromBot::Resign, Owed::Nothing | Owed::UgiOk) => {
                Some(UNASKED.to_owned())
            }
            (FromBot::UgiOk, Owed::UgiOk) => {
                self.is_introduced = true;
                let used = self.answered(now);
                Some(format!("introduced, after {:.3} s", used.as_secs_f64()))
            }
            (FromBot::ReadyOk, _) => {
                Some(self.asked_if_ready.take().map_or("ignored: not now".to_owned(), |asked| {
                    format!("ready, after {:.3} s", now.saturating_duration_since(asked).as_secs_f64())
                }))
            }
            (FromBot::Feature(features), Owed::UgiOk) => {
                let is_wanted = |word: &str| features.iter().any(|feature| feature == word);
                self.wants_state |= is_wanted("state");
                self.wants_legal |= is_wanted("legal");
                None
            }
            (
                FromBot::IdName(_) | FromBot::IdAuthor(_) | FromBot::Protocol(_) | FromBot::Option(_),
                Owed::UgiOk,
            )
            | (FromBot::Info(_) | FromBot::Tell(_), Owed::BestMove(_) | Owed::BestMoveOnStop)
            | (FromBot::Info(_), Owed::BestMoveOnHit(_)) => None,
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

    /// The verdict on a requested move.
    fn judge_move(&mut self, now: Instant, mv: &str, ponder: &Variation, limit: Duration) -> String {
        let used = self.answered(now);
        let late = is_late(used, limit);
        self.answer = Some(mv.to_owned());
        let mut table = self.table.fork();
        match table.play(mv) {
            Ok(()) => {
                format!("legal, after {:.3} s{late}{}", used.as_secs_f64(), pondered(&mut *table, ponder))
            }
            Err(refusal) => refused(&refusal),
        }
    }

    /// The bot has answered; returns the time that it took.
    fn answered(&mut self, now: Instant) -> Duration {
        self.owed = Owed::Nothing;
        self.asked.take().map_or(Duration::ZERO, |asked| now.saturating_duration_since(asked))
    }
}

fn help() -> String {
    let line = |(command, argument, meaning)| format!("{:<14} {meaning}\n", format!("{command} {argument}"));
    let commands: String = COMMANDS.map(line).concat();
    commands + "Any other line is sent to the bot as it is. A `position` line sets the board.\n"
}

fn is_late(used: Duration, limit: Duration) -> String {
    if used > limit + MARGIN { format!("; too late: the limit is {}", Span(limit)) } else { String::new() }
}

/// The first illegal move among those that the bot wants to ponder on, in words.
fn pondered(table: &mut dyn Table, moves: &Variation) -> String {
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
