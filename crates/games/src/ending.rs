//! The end of a game by its rules.

use crate::scene::Mark;
use linesman_types::seat::{BySeat, Place};
use linesman_types::verdict::Reason;

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

/// A finished line.
pub const LINE: Reason = Reason::new("line", "by a line");
