//! Seats that leave a game of three sides or more, written in a list of moves as `!3`.

use arrayvec::ArrayVec;

use crate::notation::{Illegal, Refusal};
use crate::table::Table;
use linesman_types::seat::{MAX_SEATS, Seat, Side};

/// The seats that were put out of a game, in that order.
#[derive(Clone, Debug, Default)]
pub struct Departures(ArrayVec<Seat, MAX_SEATS>);

impl Departures {
    /// The seats that are out, in the order in which they left.
    pub fn seats(&self) -> &[Seat] {
        &self.0
    }

    /// Plays a word of a list of moves: a move, or `!3`, which puts seat 3 out.
    /// Returns the seat that moved or went out.
    ///
    /// # Errors
    /// The move or the departure is not possible here; nothing has changed then.
    pub fn play(&mut self, table: &mut dyn Table, text: &str) -> Result<Seat, Refusal> {
        if text.starts_with('!') {
            return self
                .put_out(table, text)
                .map_err(|error| Illegal::new("departure", error.to_string()).into());
        }
        let mover = table.to_move();
        table.play(text)?;
        Ok(mover)
    }

    /// Puts a seat out: `!3` is seat 3.
    ///
    /// # Errors
    /// The departure is not possible here; nothing has changed then.
    pub fn put_out(&mut self, table: &mut dyn Table, text: &str) -> Result<Seat, NoDeparture> {
        let teams = table.teams().clone();
        let number = text.strip_prefix('!').filter(|number| !number.starts_with(['0', '+']));
        let number = number.and_then(|number| number.parse().ok()).filter(|number| *number <= teams.seats());
        let seat = number.and_then(Seat::new).ok_or(NoDeparture::NoSeat { seats: teams.seats() })?;
        if teams.sides() < 3 {
            return Err(NoDeparture::TwoSides);
        }
        if table.is_over() {
            return Err(NoDeparture::Over);
        }
        if self.0.contains(&seat) {
            return Err(NoDeparture::Again(seat));
        }
        let is_in = |side: &usize| !self.0.iter().any(|out| teams.side(*out) == Side::from_index(*side));
        if (0..teams.sides()).filter(is_in).count() < 3 {
            return Err(NoDeparture::LastTwo);
        }
        table.withdraw(seat);
        self.0.push(seat);
        Ok(seat)
    }
}

/// The reason why a seat can't be put out.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum NoDeparture {
    /// There is no such seat.
    #[error("a seat that is put out is written as `!` and its number, 1 to {seats}")]
    NoSeat {
        /// Number of seats.
        seats: usize,
    },
    /// The other side has won when one of two goes out.
    #[error("in a game of two sides no seat is put out: the other side wins")]
    TwoSides,
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// It is out already.
    #[error("seat {0} is already out")]
    Again(Seat),
    /// The other side has won when one of the last two goes out.
    #[error("only two sides are left: if one of them goes out, the other has won")]
    LastTwo,
}
