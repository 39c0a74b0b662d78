//! The reasons why an engine can't follow a game.

use linesman_games::solvable::Unsolvable;
use linesman_games::{Illegal, NotAMove, NotAPosition, OptionError};

/// The reason why an engine can't follow a game.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CantFollow {
    /// There is no such game.
    #[error("there is no game `{game}`")]
    Game {
        /// The name given.
        game: String,
    },
    /// The game refuses the options.
    #[error("{game}: {error}")]
    Options {
        /// The game's id.
        game: String,
        /// The reason.
        error: OptionError,
    },
    /// The position from which the game starts can't be read.
    #[error("can't read position `{token}`")]
    Position {
        /// The token.
        token: String,
        /// The reason.
        #[source]
        error: NotAPosition,
    },
    /// A move can't be read.
    #[error("move {number}: `{text}` is not a move")]
    NotAMove {
        /// The move's number, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        #[source]
        error: NotAMove,
    },
    /// A move is not legal where it was played.
    #[error("move {number}: `{text}` is illegal")]
    Illegal {
        /// The move's number, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The rule that it breaks.
        #[source]
        error: Illegal,
    },
    /// The engine plays from a table, but has none.
    #[error("there is no table to play from")]
    NoTable,
    /// The table is for another game, or for other options.
    #[error(transparent)]
    WrongTable(#[from] WrongTable),
    /// The table was made for rules that numbered positions in another way.
    #[error("the table is not for this version of {game}")]
    ForeignTable {
        /// The game's id.
        game: String,
    },
    /// No table can be made for the game.
    #[error("{game} can't be played from a table")]
    Unsolvable {
        /// The game's id.
        game: String,
        /// The reason.
        #[source]
        error: Unsolvable,
    },
    /// The bot was asked to move before a `game` line.
    #[error("the game is not set (send `game quixo seat 1 seats 2 id test options` first)")]
    NoGame,
}

/// A table that is for another game, or for other options.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("the table is for {of}, not for {asked}")]
pub struct WrongTable {
    /// The game and options of the table.
    pub of: String,
    /// The game and options to play.
    pub asked: String,
}
