//! The end of a game by its rules.

use crate::scene::Mark;
use linesman_types::clause::Clause;
use linesman_types::seat::{BySeat, Place, Seat, Teams};
use linesman_types::verdict::Reason;

/// The end of a game by its rules: the places, the reason, and the squares to show.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Ending {
    /// The place of every seat.
    pub places: BySeat<Place>,
    /// The rule that ended the game.
    pub reason: Reason,
    /// The squares that decided the game, with one mark for each line; can be empty.
    pub marks: Vec<Mark>,
    /// The reason for the result in words, with seats and squares: the owner and place of a line, or the reason
    /// why the mover lost. A clause without a full stop.
    pub why: Clause,
}

impl Ending {
    /// Makes the ending of a game that the side of a seat has won. All other sides share the next place.
    pub fn won_by(
        winner: Seat,
        teams: &Teams,
        reason: Reason,
        marks: Vec<Mark>,
        why: impl Into<Clause>,
    ) -> Ending {
        let places = BySeat::by_measure(teams, |seat| teams.together(seat, winner));
        Ending { places, reason, marks, why: why.into() }
    }

    /// Makes the ending of a drawn game.
    pub fn drawn(teams: &Teams, reason: Reason, why: impl Into<Clause>) -> Ending {
        Ending { places: BySeat::all_tied(teams), reason, marks: Vec::new(), why: why.into() }
    }
}

/// A finished line.
pub const LINE: Reason = Reason::new("line", "by a line");
