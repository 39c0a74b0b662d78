//! The rules of the games as the bindings show them to other languages.
//!
//! ```
//! use linesman_bindings::{Game, Position};
//!
//! let game = Game::new("quixo", &[("size", "3")])?;
//! let mut position = Position::start(&game);
//! for mv in ["a1a3", "c1c3", "a1a3", "c1c3", "a1a3"] {
//!     position.play(mv)?;
//! }
//! let outcome = position.outcome().ok_or("the game goes on")?;
//! assert_eq!((outcome.places, outcome.reason), (vec![1, 2], "line"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod json;

use std::sync::Arc;

use linesman_games::observation::{Planes, observe};
use linesman_games::{
    Actions, Eliminations, GAMES, NotAPosition, OptionError, Refusal, Setup, Table, find, legal_moves,
};
use linesman_types::seat::Seat;

use json::{OutcomeJson, SceneJson};

/// Returns the names of all games.
pub fn names() -> impl ExactSizeIterator<Item = &'static str> {
    GAMES.iter().map(|game| game.id)
}

/// A request that can't be met.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Mistake {
    /// There is no game of this name.
    #[error("there is no game `{name}`; the games are {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NoGame {
        /// The name.
        name: String,
    },
    /// The option is unknown or can't have this value.
    #[error("{error}{}", known(error))]
    Options {
        /// The error.
        #[from]
        error: OptionError,
    },
    /// The token can't be read.
    #[error(transparent)]
    NotAPosition(#[from] NotAPosition),
    /// The text is not a move, or the move is illegal.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no seat of this number.
    #[error("there is no seat {number}: the seats are 1 to {seats}")]
    NoSeat {
        /// The number.
        number: usize,
        /// The number of seats.
        seats: usize,
    },
}

/// Lists the options of the game after an unknown one.
fn known(error: &OptionError) -> String {
    match error {
        OptionError::Unknown { known, .. } if known.is_empty() => "; the game has no options".to_owned(),
        OptionError::Unknown { known, .. } => format!("; the options are `{}`", known.join("`, `")),
        OptionError::Twice { .. }
        | OptionError::NoValue { .. }
        | OptionError::Value { .. }
        | OptionError::Text { .. } => String::new(),
    }
}

/// A game with its options fixed.
pub struct Game {
    /// The registered game, with its title and page.
    pub about: &'static linesman_games::Game,
    /// The game with its options fixed, with its teams and the options' values.
    pub setup: Arc<dyn Setup>,
    /// The actions that make up moves.
    pub actions: Actions,
    /// The planes of observations.
    pub planes: Planes,
}

impl Game {
    /// Makes a game from its name and its options, each given as name and text.
    ///
    /// # Errors
    /// An unknown name or option, or a value that an option can't have.
    pub fn new(name: &str, options: &[(&str, &str)]) -> Result<Arc<Game>, Mistake> {
        let about = find(name).ok_or_else(|| Mistake::NoGame { name: name.to_owned() })?;
        let setup = about.configure(options)?;
        let (actions, planes) = (Actions::of(&*setup), Planes::of(&*setup));
        Ok(Arc::new(Game { about, setup, actions, planes }))
    }

    /// The side that each seat plays for, from 0, in turn order.
    pub fn sides(&self) -> Vec<usize> {
        let teams = self.setup.teams();
        Seat::all(teams.seats()).map(|seat| teams.side(seat).index()).collect()
    }
}

/// A position of a game being played, with the moves that led to it.
pub struct Position {
    game: Arc<Game>,
    table: Box<dyn Table>,
    eliminations: Eliminations,
    start: Option<String>,
    moves: Vec<String>,
}

impl Position {
    /// Makes the start position of a game.
    pub fn start(game: &Arc<Game>) -> Position {
        Position::of(game, game.setup.start(), None)
    }

    /// Makes the position of a token, from which the history starts.
    ///
    /// # Errors
    /// A token that can't be read.
    pub fn from_token(game: &Arc<Game>, token: &str) -> Result<Position, Mistake> {
        Ok(Position::of(game, game.setup.from_token(token)?, Some(token.to_owned())))
    }

    fn of(game: &Arc<Game>, table: Box<dyn Table>, start: Option<String>) -> Position {
        let game = Arc::clone(game);
        Position { game, table, eliminations: Eliminations::default(), start, moves: Vec::new() }
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The table with the position on it.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// The token that the history starts from; none for the start of the game.
    pub fn start_token(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// The moves since the history started.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Makes an independent copy.
    #[must_use]
    pub fn copy(&self) -> Position {
        Position {
            game: Arc::clone(&self.game),
            table: self.table.fork(),
            eliminations: self.eliminations.clone(),
            start: self.start.clone(),
            moves: self.moves.clone(),
        }
    }

    /// Plays a move, or eliminates a seat from a game of three sides or more: `!3` is seat 3.
    ///
    /// # Errors
    /// Text that is not a move, or an illegal move; the position does not change.
    pub fn play(&mut self, text: &str) -> Result<(), Mistake> {
        self.eliminations.play(&mut *self.table, text)?;
        self.moves.push(text.to_owned());
        Ok(())
    }

    /// Explains why a move can't be played; none if it can.
    pub fn explain(&self, text: &str) -> Option<Mistake> {
        self.eliminations.clone().play(&mut *self.table.fork(), text).err().map(Mistake::from)
    }

    /// Lists the legal moves, in byte order.
    pub fn legal(&self) -> Vec<String> {
        legal_moves(&*self.table)
    }

    /// Returns 1 for each action that can follow the chosen ones in this turn, and 0 for each other action.
    pub fn mask(&self, chosen: &str) -> Vec<u8> {
        let actions = &self.game.actions;
        let mut mask = vec![0; actions.texts().len()];
        actions.next(&*self.game.setup, &*self.table, chosen, |number| mask[number] = 1);
        mask
    }

    /// Returns the position as a seat sees it: plane by plane, row by row from the highest rank.
    ///
    /// # Errors
    /// A seat that the game does not have.
    pub fn observe(&self, seat: usize) -> Result<Vec<i16>, Mistake> {
        let seats = self.table.teams().seats();
        let observer = Seat::new(seat).filter(|seat| seat.number() <= seats);
        let observer = observer.ok_or(Mistake::NoSeat { number: seat, seats })?;
        Ok(observe(&*self.game.setup, &*self.table, observer))
    }

    /// Returns the outcome, if the game has ended.
    pub fn outcome(&self) -> Option<OutcomeJson> {
        self.table.ending().map(|ending| OutcomeJson::of(&ending, self.table.teams()))
    }

    /// Describes the position as a scene.
    pub fn scene(&self) -> SceneJson {
        SceneJson::of(&self.table.scene())
    }
}

/// Restores a position from its history: its [`Position::start_token`] and its [`Position::moves`].
///
/// # Errors
/// A token that can't be read, and a move that can't be played.
pub fn restore(game: &Arc<Game>, start: Option<&str>, moves: &[String]) -> Result<Position, Mistake> {
    let mut position = match start {
        None => Position::start(game),
        Some(token) => Position::from_token(game, token)?,
    };
    moves.iter().try_for_each(|mv| position.play(mv))?;
    Ok(position)
}
