//! The events for the person's thread, which come from the terminal and from the table where games are played.

use std::time::Instant;

use crate::cli::replay::terminal::Message;
use crate::protocol::{GoLimit, Position};
use crate::record::GameRecord;
use crate::referee::driver::MoveMade;
use crate::seat::{BySeat, Place, Seat};

pub(super) enum PersonEvent {
    Terminal(Message),
    Table(TableEvent),
    Typed(String),
    InputOver,
    /// A move was suggested in the position with this number of moves.
    Suggested {
        moves: usize,
        suggestion: Suggestion,
    },
    /// All games have been played, or no more can be.
    Closed,
}

impl From<Message> for PersonEvent {
    fn from(message: Message) -> PersonEvent {
        PersonEvent::Terminal(message)
    }
}

/// The move that a built-in bot would play.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(super) struct Suggestion {
    pub(super) bot: &'static str,
    /// The move; `None` if the bot found none.
    pub(super) mv: Option<String>,
    /// The score in hundredths, from the person's point of view.
    pub(super) score_cp: Option<i64>,
}

pub(super) enum TableEvent {
    Begins(Box<Beginning>),
    Asked {
        position: Position,
        going: GoLimit,
        at: Instant,
    },
    Moved(MoveMade),
    /// Moves were taken back; `left` is the number of those that are left.
    TakenBack {
        left: usize,
    },
    Over {
        places: Option<BySeat<Place>>,
    },
    Recorded(Box<GameRecord>),
    Note(String),
}

#[derive(Clone, Debug)]
pub(super) struct Beginning {
    pub(super) id: String,
    pub(super) person: Seat,
    pub(super) names: BySeat<String>,
    pub(super) token: Option<String>,
    pub(super) opening: Vec<String>,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Leaving {
    /// All games have been played, or no more can be.
    Played,
    Left,
    Signal(u8),
}
