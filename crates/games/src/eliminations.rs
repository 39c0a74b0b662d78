//! Seats that are eliminated from a game of three or more sides, written in a list of moves as `!3`.

use arrayvec::ArrayVec;

use crate::notation::{Illegal, Refusal};
use crate::table::Table;
use linesman_types::seat::{MAX_SEATS, Seat, Side};

/// Returns the text that eliminates a seat in a list of moves: `!3` for seat 3.
pub fn elimination(seat: Seat) -> String {
    format!("!{seat}")
}

/// Returns true if a text of a list of moves is an elimination, perhaps of no seat, and false if it is a move.
pub fn is_elimination(text: &str) -> bool {
    text.starts_with('!')
}

/// Returns the seat that a text of a list of moves eliminates: seat 3 for `!3`, and also for `!03` and `!+3`, which
/// [`Eliminations::play`] refuses.
pub fn eliminated(text: &str) -> Option<Seat> {
    Seat::new(text.strip_prefix('!')?.parse().ok()?)
}

/// The seats that were eliminated from a game, in this order.
#[derive(Clone, Debug, Default)]
pub struct Eliminations(ArrayVec<Seat, MAX_SEATS>);

impl Eliminations {
    /// The eliminated seats, in the order of their eliminations.
    pub fn seats(&self) -> &[Seat] {
        &self.0
    }

    /// Plays a word of a list of moves: a move, or `!3`, which eliminates seat 3.
    /// Returns the seat that moved or was eliminated.
    ///
    /// # Errors
    /// The move or the elimination is not possible here. Nothing has changed then.
    pub fn play(&mut self, table: &mut dyn Table, text: &str) -> Result<Seat, Refusal> {
        if is_elimination(text) {
            return self
                .eliminate(table, text)
                .map_err(|error| Illegal::new("departure", error.to_string()).into());
        }
        let mover = table.to_move();
        table.play(text)?;
        Ok(mover)
    }

    /// Eliminates a seat: `!3` is seat 3.
    ///
    /// # Errors
    /// The elimination is not possible here. Nothing has changed then.
    pub fn eliminate(&mut self, table: &mut dyn Table, text: &str) -> Result<Seat, NoElimination> {
        let teams = table.teams().clone();
        let seat = eliminated(text)
            .filter(|seat| seat.number() <= teams.seats() && text == elimination(*seat))
            .ok_or(NoElimination::NoSeat { seats: teams.seats() })?;
        if teams.sides() < 3 {
            return Err(NoElimination::TwoSides);
        }
        if table.is_over() {
            return Err(NoElimination::Over);
        }
        if self.0.contains(&seat) {
            return Err(NoElimination::Again(seat));
        }
        let is_in = |side: &usize| !self.0.iter().any(|out| teams.side(*out) == Side::from_index(*side));
        if (0..teams.sides()).filter(is_in).count() < 3 {
            return Err(NoElimination::LastTwo);
        }
        table.eliminate(seat);
        self.0.push(seat);
        Ok(seat)
    }
}

/// The reason why a seat can't be eliminated.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum NoElimination {
    /// There is no such seat.
    #[error("an eliminated seat is written as `!` and its number, 1 to {seats}")]
    NoSeat {
        /// Number of seats.
        seats: usize,
    },
    /// If one of two sides is eliminated, the other has won.
    #[error("in a game of two sides no seat is eliminated: the other side wins")]
    TwoSides,
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// It was eliminated before.
    #[error("seat {0} is already out")]
    Again(Seat),
    /// If one of the last two sides is eliminated, the other has won.
    #[error("only two sides are left: if one of them is eliminated, the other has won")]
    LastTwo,
}
