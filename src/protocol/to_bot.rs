//! What the referee says to a bot.

use std::time::Duration;

use crate::seat::{BySeat, Place, Seat};

/// A message from the referee to a bot.
///
/// A turn is several of them, written at once: [`ToBot::Position`], the lines
/// the bot asked for, [`ToBot::Go`].
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum ToBot {
    /// `ugi`: the first line a bot reads.
    Ugi,
    /// `setoption name NAME value VALUE`
    SetOption {
        /// The option's name, which may hold blanks.
        name: String,
        /// Its value.
        value: String,
    },
    /// `uginewgame`: what follows is about another game.
    NewGame,
    /// `game ID seat N seats N id GAME options NAME=VALUE,...`
    Game(GameHeader),
    /// `isready`
    IsReady,
    /// `position startpos moves ...` or `position fen TOKEN moves ...`
    Position(Position),
    /// `state TOKEN`: the position itself, for bots that asked for it.
    State(String),
    /// `legal MOVE ...`: every legal move, for bots that asked for them.
    Legal(Vec<String>),
    /// `go movetime MS` or `go p1time MS ... p1inc MS ...`
    Go(Going),
    /// `told SEAT TEXT`: a team mate's words.
    Told {
        /// Who said it.
        seat: Seat,
        /// What.
        text: String,
    },
    /// `gameover places P,P reason WORD`
    GameOver {
        /// The places by seat; none when the game is void.
        places: Option<BySeat<Place>>,
        /// The reason's word.
        reason: String,
    },
    /// `quit`
    Quit,
}

/// The line by which a bot learns which game it plays.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct GameHeader {
    /// The game's name.
    pub game: String,
    /// The bot's seat.
    pub seat: Seat,
    /// How many seats there are.
    pub seats: usize,
    /// What this game is called in the records.
    pub id: String,
    /// Every option with its value: `size=5,max_plies=200`; may be empty.
    pub options: String,
}

/// Where a game stands, by its moves.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Position {
    /// The position token that the game started from, if it was not the usual start.
    pub token: Option<String>,
    /// The moves since, in order; `!3` where a seat was put out.
    pub moves: Vec<String>,
}

/// How much time there is for a move. Whole milliseconds.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Going {
    /// The limit of this move.
    MoveTime(Duration),
    /// Everyone's clocks.
    Clocks(Clocks),
}

/// The clocks of all seats.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Clocks {
    /// What each seat has left.
    pub times: BySeat<Duration>,
    /// What each move adds, by seat.
    pub increments: BySeat<Duration>,
}

/// A line of the referee that a bot can't read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("`{line}`: {why}")]
pub struct Unreadable {
    /// The line.
    pub line: String,
    /// What is wrong with it.
    pub why: String,
}
