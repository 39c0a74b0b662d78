//! The messages from the referee to a bot.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::position_line::PositionLine;
use crate::text::{Words, printable, push_clean, push_display};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat};
use linesman_types::time_control::{ClockKind, Work};

/// A message from the referee to a bot.
///
/// A turn consists of several messages, written together: [`ToBot::Position`], the
/// lines that the bot asked for, and [`ToBot::Go`].
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ToBot {
    /// `ugi`: the first line a bot reads.
    Ugi,
    /// `setoption name NAME value VALUE`
    SetOption {
        /// The option's name, which can contain blanks.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// `uginewgame`: the messages that follow are about another game.
    NewGame,
    /// `game NAME seat N seats N id ID [clock cpu wall_bound N] [ponder] options NAME=VALUE,...`
    Game(GameHeader),
    /// `isready`
    IsReady,
    /// `position startpos moves ...` or `position fen TOKEN moves ...`
    Position(Position),
    /// `state TOKEN`: the position itself, for bots that asked for it.
    State(String),
    /// `legal MOVE ...`: every legal move, for bots that asked for them.
    Legal(Vec<String>),
    /// `go movetime MS`, `go p1time MS ... p1inc MS ... [movestogo N] [movetime MS]`, `go nodes N`, `go depth N`
    /// or `go infinite`
    Go(GoLimit),
    /// `go ponder ...`: the bot thinks about the position that it expects, and does not answer yet.
    GoPonder(GoLimit),
    /// `ponderhit`: the expected moves were played, and the bot is on move. Its time runs from now on.
    PonderHit,
    /// `stop`: the bot must answer with its move at once.
    Stop,
    /// `told SEAT TEXT`: a message from a teammate.
    Told {
        /// The teammate's seat.
        seat: Seat,
        /// The text.
        text: String,
    },
    /// `gameover places P,P reason WORD`
    GameOver {
        /// The places by seat; none if the game is void.
        places: Option<BySeat<Place>>,
        /// The word for the reason.
        reason: String,
    },
    /// `quit`
    Quit,
}

/// The `game` line: the game, the bot's seat and the options.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameHeader {
    /// The game's name.
    pub game: String,
    /// The bot's seat.
    pub seat: Seat,
    /// Number of seats.
    pub seats: usize,
    /// The game's id in the records.
    pub id: String,
    /// The time that its limits count: wall time or CPU time.
    pub clock: ClockKind,
    /// True if the bot may name moves to ponder on.
    pub ponders: bool,
    /// Every option with its value: `size=5,max_plies=200`; can be empty.
    pub options: String,
}

/// A position of a game, by its moves.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Position {
    /// The position token that the game started from, if it was not the usual start.
    pub token: Option<String>,
    /// The moves since, in order; `!3` where a seat was eliminated.
    pub moves: Vec<String>,
}

/// The time for a move, in whole milliseconds.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum GoLimit {
    /// The time of this move, without a clock.
    MoveTime(Duration),
    /// The clocks of all seats.
    Clocks(Clocks),
    /// The work for this move, instead of a time.
    Work(Work),
    /// The bot thinks until `stop`. No referee sends this.
    Infinite,
}

/// The clocks of all seats.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Clocks {
    /// The time that each seat has left.
    pub times: BySeat<Duration>,
    /// The time that each move adds, by seat.
    pub increments: BySeat<Duration>,
    /// Number of moves until the seat on move gets more time, including this one; none if its clock is for
    /// the whole game.
    pub moves_to_go: Option<NonZeroU32>,
    /// The limit of a single move, if it is less than the time left on the clock.
    pub max_move_time: Option<Duration>,
}

/// A line from the referee that a bot can't read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("`{line}`: {why}")]
pub struct Unreadable {
    /// The line, made printable.
    pub line: String,
    /// The reason why it can't be read.
    pub why: String,
}

impl GoLimit {
    /// Appends the line, without its `\n`.
    pub fn print(&self, line: &mut String) {
        line.push_str("go");
        self.print_terms(line);
    }

    /// Appends what follows `go`, with a blank before each word.
    fn print_terms(&self, line: &mut String) {
        match self {
            GoLimit::MoveTime(limit) => push_display(line, " movetime ", limit.as_millis()),
            GoLimit::Clocks(clocks) => {
                for (name, times) in [("time ", &clocks.times), ("inc ", &clocks.increments)] {
                    for (seat, time) in times.iter() {
                        push_display(line, " p", seat.number());
                        push_display(line, name, time.as_millis());
                    }
                }
                if let Some(moves) = clocks.moves_to_go {
                    push_display(line, " movestogo ", moves.get());
                }
                if let Some(most) = clocks.max_move_time {
                    push_display(line, " movetime ", most.as_millis());
                }
            }
            GoLimit::Work(work) => {
                line.push(' ');
                line.push_str(work.word());
                push_display(line, " ", work.amount());
            }
            GoLimit::Infinite => line.push_str(" infinite"),
        }
    }
}

impl ToBot {
    /// Appends the line, without its `\n`.
    pub fn print(&self, line: &mut String) {
        match self {
            ToBot::Ugi => line.push_str("ugi"),
            ToBot::SetOption { name, value } => {
                line.push_str("setoption name ");
                push_clean(line, name);
                if !value.is_empty() {
                    line.push_str(" value ");
                    push_clean(line, value);
                }
            }
            ToBot::NewGame => line.push_str("uginewgame"),
            ToBot::Game(header) => header.print(line),
            ToBot::IsReady => line.push_str("isready"),
            ToBot::Position(position) => {
                let mut text = PositionLine::new(position.token.as_deref());
                position.moves.iter().for_each(|mv| text.push(mv));
                line.push_str(text.as_str());
            }
            ToBot::State(token) => {
                line.push_str("state ");
                line.push_str(token);
            }
            ToBot::Legal(moves) => {
                line.push_str("legal");
                for mv in moves {
                    line.push(' ');
                    line.push_str(mv);
                }
            }
            ToBot::Go(going) => going.print(line),
            ToBot::GoPonder(going) => {
                line.push_str("go ponder");
                going.print_terms(line);
            }
            ToBot::PonderHit => line.push_str("ponderhit"),
            ToBot::Stop => line.push_str("stop"),
            ToBot::Told { seat, text } => {
                push_display(line, "told ", seat.number());
                if !text.is_empty() {
                    line.push(' ');
                    push_clean(line, text);
                }
            }
            ToBot::GameOver { places, reason } => {
                line.push_str("gameover");
                for (index, place) in places.iter().flat_map(BySeat::values).enumerate() {
                    push_display(line, if index == 0 { " places " } else { "," }, place.number());
                }
                line.push_str(" reason ");
                line.push_str(reason);
            }
            ToBot::Quit => line.push_str("quit"),
        }
    }

    /// Reads a line without its `\n`; a `\r` at its end is tolerated. An empty line and
    /// a line with an unknown verb give `None`.
    ///
    /// # Errors
    /// If the verb is known and the rest can't be read.
    pub fn parse(line: &str) -> Result<Option<ToBot>, Unreadable> {
        let text = line.strip_suffix('\r').unwrap_or(line);
        let mut words = Words::new(text);
        let read = match words.next() {
            Some("ugi") => Ok(ToBot::Ugi),
            Some("setoption") => parse_set_option(words),
            Some("uginewgame") => Ok(ToBot::NewGame),
            Some("game") => GameHeader::parse(words).map(ToBot::Game),
            Some("isready") => Ok(ToBot::IsReady),
            Some("position") => parse_position(words).map(ToBot::Position),
            Some("state") => words.next().map(|token| ToBot::State(token.to_owned())).ok_or("no token"),
            Some("legal") => Ok(ToBot::Legal(words.map(str::to_owned).collect())),
            Some("go") => match words.clone().any(|word| word == "ponder") {
                true => parse_go(words).map(ToBot::GoPonder),
                false => parse_go(words).map(ToBot::Go),
            },
            Some("ponderhit") => Ok(ToBot::PonderHit),
            Some("stop") => Ok(ToBot::Stop),
            Some("told") => parse_told(words),
            Some("gameover") => parse_game_over(words),
            Some("quit") => Ok(ToBot::Quit),
            _ => return Ok(None),
        };
        let unreadable =
            |why: &str| Unreadable { line: printable(line.as_bytes(), 200), why: why.to_owned() };
        read.map(Some).map_err(unreadable)
    }
}

impl fmt::Display for ToBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        self.print(&mut line);
        f.write_str(&line)
    }
}

impl GameHeader {
    fn print(&self, line: &mut String) {
        line.push_str("game ");
        line.push_str(&self.game);
        push_display(line, " seat ", self.seat.number());
        push_display(line, " seats ", self.seats);
        line.push_str(" id ");
        line.push_str(&self.id);
        if let ClockKind::Cpu { wall_bound } = self.clock {
            line.push_str(" clock ");
            line.push_str(self.clock.word());
            push_display(line, " wall_bound ", wall_bound.get());
        }
        if self.ponders {
            line.push_str(" ponder");
        }
        if !self.options.is_empty() {
            line.push_str(" options ");
            line.push_str(&self.options);
        }
    }

    fn parse(mut words: Words<'_>) -> Result<GameHeader, &'static str> {
        let game = words.next().ok_or("no game")?.to_owned();
        let (mut seat, mut seats, mut id, mut options) = (None, None, None, None);
        let (mut clock, mut wall_bound) = (None, ClockKind::DEFAULT_WALL_BOUND);
        let mut ponders = false;
        while let Some(word) = words.next() {
            match word {
                "seat" => seat = words.next(),
                "seats" => seats = words.next(),
                "id" => id = words.next(),
                "options" => options = words.next(),
                "clock" => clock = words.next(),
                "ponder" => ponders = true,
                "wall_bound" => {
                    wall_bound = words.number().ok_or("the wall bound is not a number")?;
                }
                _ => {}
            }
        }
        Ok(GameHeader {
            game,
            seat: seat.and_then(parse_seat).ok_or("no seat from 1 to 4")?,
            seats: seats.and_then(parse_seat).ok_or("no number of seats from 1 to 4")?.number(),
            id: id.unwrap_or_default().to_owned(),
            clock: match clock {
                Some("cpu") => ClockKind::Cpu { wall_bound },
                _ => ClockKind::Wall,
            },
            ponders,
            options: options.unwrap_or_default().to_owned(),
        })
    }
}

fn parse_seat(word: &str) -> Option<Seat> {
    Seat::new(word.parse().ok()?)
}

fn parse_set_option(mut words: Words<'_>) -> Result<ToBot, &'static str> {
    if words.next() != Some("name") {
        return Err("no `name`");
    }
    let name = words.until(|word| word == "value");
    if name.is_empty() {
        return Err("the name is empty");
    }
    words.next();
    Ok(ToBot::SetOption { name, value: words.rest().to_owned() })
}

fn parse_position(mut words: Words<'_>) -> Result<Position, &'static str> {
    let token = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(words.next().ok_or("no token after `fen`")?.to_owned()),
        _ => return Err("neither `startpos` nor `fen`"),
    };
    let moves = match words.next() {
        Some("moves") => words.map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Ok(Position { token, moves })
}

fn parse_go(mut words: Words<'_>) -> Result<GoLimit, &'static str> {
    let mut times = [None; MAX_SEATS];
    let mut increments = [Duration::ZERO; MAX_SEATS];
    let (mut max_move_time, mut moves_to_go) = (None, None);
    // A time takes precedence over these.
    let (mut untimed, mut no_work) = (None, None);
    let time_of = |words: &mut Words<'_>| {
        let time = words.number().map(Duration::from_millis);
        time.ok_or("a time is not a whole number of milliseconds")
    };
    let [nodes, depth] = Work::WORDS;
    while let Some(word) = words.next() {
        match word {
            "infinite" => untimed = untimed.or(Some(GoLimit::Infinite)),
            word if word == nodes || word == depth => {
                let number = words.next().unwrap_or_default();
                let work = if word == nodes { Work::nodes(number) } else { Work::depth(number) };
                match work {
                    Ok(work) => untimed = untimed.or(Some(GoLimit::Work(work))),
                    Err(_) => no_work = Some("an amount of work is not a whole number of at least 1"),
                }
            }
            "movestogo" => {
                moves_to_go = Some(words.number().ok_or("`movestogo` without a number of moves")?);
            }
            "movetime" => max_move_time = Some(time_of(&mut words)?),
            _ => match clock_field(word) {
                Some((seat, "time")) => times[seat.index()] = Some(time_of(&mut words)?),
                Some((seat, _)) => increments[seat.index()] = time_of(&mut words)?,
                None => {}
            },
        }
    }
    let seats = times.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    if seats == 0 {
        return max_move_time.map(GoLimit::MoveTime).or(untimed).ok_or(no_work.unwrap_or("no time is given"));
    }
    let times = times.into_iter().take(seats).collect::<Option<Vec<_>>>().ok_or("a clock is missing")?;
    Ok(GoLimit::Clocks(Clocks {
        times: BySeat::from_fn(seats, |seat| times[seat.index()]),
        increments: BySeat::from_fn(seats, |seat| increments[seat.index()]),
        moves_to_go,
        max_move_time,
    }))
}

/// Reads the seat and the field of `p2time` or `p2inc`.
fn clock_field(word: &str) -> Option<(Seat, &str)> {
    let (number, field) = word.strip_prefix('p')?.split_at_checked(1)?;
    let seat = parse_seat(number)?;
    matches!(field, "time" | "inc").then_some((seat, field))
}

fn parse_told(mut words: Words<'_>) -> Result<ToBot, &'static str> {
    let seat = words.next().and_then(parse_seat).ok_or("no seat from 1 to 4")?;
    Ok(ToBot::Told { seat, text: words.rest().to_owned() })
}

fn parse_game_over(mut words: Words<'_>) -> Result<ToBot, &'static str> {
    let (mut places, mut reason) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "places" => {
                let list = words.next().ok_or("no places after `places`")?;
                let list: Option<Vec<Place>> =
                    list.split(',').map(|number| Place::new(number.parse().ok()?)).collect();
                places = Some(list.and_then(BySeat::from_values).ok_or("the places are invalid")?);
            }
            "reason" => reason = words.next(),
            _ => {}
        }
    }
    let reason = reason.ok_or("no reason")?.to_owned();
    Ok(ToBot::GameOver { places, reason })
}
