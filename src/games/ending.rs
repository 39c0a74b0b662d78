//! How a game ends by its rules.

use std::fmt;
use std::str::FromStr;

use crate::games::scene::Mark;
use crate::seat::{BySeat, Place};

/// The end of a game by its rules: who came in where, why, and what to show.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Ending {
    /// The place of every seat.
    pub places: BySeat<Place>,
    /// Which rule ended the game.
    pub reason: Reason,
    /// The squares that decided it, each line as one mark; empty if none did.
    pub marks: Vec<Mark>,
    /// Why the game ended as it did, for people, by seats and squares: whose
    /// line stands where, why the mover lost. A clause without a full stop.
    pub why: String,
}

/// The rule that ended a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Reason {
    /// A finished line.
    Line,
    /// Kengu: the mover's flip gave the opponent a line.
    Flip,
    /// Kengu: all cards are placed.
    Cards,
    /// Trexo: no tile is left.
    Stock,
    /// Trexo: no tile finds room.
    Blocked,
    /// Tandem: somebody has enough points.
    Points,
    /// Tandem: everyone passed in a row.
    Passes,
    /// The same position came up once too often.
    Repetition,
    /// The game was as long as it may be.
    MaxPlies,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 9] = [
        Reason::Line,
        Reason::Flip,
        Reason::Cards,
        Reason::Stock,
        Reason::Blocked,
        Reason::Points,
        Reason::Passes,
        Reason::Repetition,
        Reason::MaxPlies,
    ];

    /// The reason's word in protocol, records and tables.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Line => "line",
            Reason::Flip => "flip",
            Reason::Cards => "cards",
            Reason::Stock => "stock",
            Reason::Blocked => "blocked",
            Reason::Points => "points",
            Reason::Passes => "passes",
            Reason::Repetition => "repetition",
            Reason::MaxPlies => "max_plies",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A word that is no reason.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("`{0}` is not a reason for the end of a game")]
pub struct UnknownReason(String);

impl FromStr for Reason {
    type Err = UnknownReason;

    fn from_str(text: &str) -> Result<Reason, UnknownReason> {
        Reason::ALL
            .into_iter()
            .find(|reason| reason.word() == text)
            .ok_or_else(|| UnknownReason(text.to_owned()))
    }
}
