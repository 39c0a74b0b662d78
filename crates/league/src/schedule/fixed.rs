//! Schedules all of whose games are known from the start, computed without a list: round robins and gauntlets.

use super::Pairing;
use super::arrangement::SeatNumbers;
use super::circle::Circle;
use super::field::{Field, Numbered};
use super::gauntlet::{self, Gauntlet};
use super::rotations::Rotations;

/// A schedule of equal rounds, the last of which may be cut short.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    pub meetings: Meetings,
    pub games_per_round: u64,
    pub games: u64,
}

/// The entrants that meet at each place of a round.
#[derive(Clone, Debug)]
pub(super) enum Meetings {
    /// Everyone meets everyone, with two sides.
    Circle(Circle),
    /// Everyone meets everyone, with three or four seats and each bot for itself.
    Rotations(Rotations),
    /// The challengers meet all others.
    Gauntlet(Gauntlet),
}

impl Fixed {
    pub(super) fn round_robin(entrants: usize, sides: usize, games: u64) -> Fixed {
        let meetings = match sides {
            2 => Meetings::Circle(Circle { bots: entrants }),
            sides => Meetings::Rotations(Rotations::new(entrants, sides)),
        };
        let combinations: u64 = (0..sides as u64).map(|taken| entrants as u64 - taken).product();
        let games_per_round = combinations / (1..sides as u64).product::<u64>();
        Fixed { meetings, games_per_round, games }
    }

    pub(super) fn gauntlet(entrants: usize, challengers: &[usize], sides: usize, games: u64) -> Fixed {
        let field = entrants - challengers.len();
        let games_per_round = gauntlet::games_per_round(challengers.len(), field, sides).unwrap_or(games);
        let meetings = Meetings::Gauntlet(Gauntlet::new(entrants, challengers, sides));
        Fixed { meetings, games_per_round, games }
    }

    /// Shortens the schedule to at most this number of games.
    pub(super) fn cut(self, games: u64) -> Fixed {
        Fixed { games: self.games.min(games), ..self }
    }

    pub(super) fn pairing(&self, field: &Field, index: u64) -> Option<Pairing> {
        if index >= self.games {
            return None;
        }
        let round = index / self.games_per_round;
        let numbered = Numbered { index, prefix: "", round, round_of_prefix: round, encounter: round + 1 };
        Some(field.pairing(&self.meeting(index), numbered))
    }

    pub(super) fn meeting(&self, index: u64) -> SeatNumbers {
        let place = index % self.games_per_round;
        match &self.meetings {
            Meetings::Circle(circle) => circle.pair_at(place).into_iter().collect(),
            Meetings::Rotations(rotations) => rotations.bots_at(place),
            Meetings::Gauntlet(gauntlet) => gauntlet.meeting_at(place),
        }
    }

    pub(super) fn index_of(&self, field: &Field, id: &str) -> Option<u64> {
        let (meeting, round) = field.meeting_of_id(id)?;
        let place = match &self.meetings {
            Meetings::Circle(circle) => circle.place(meeting[0], meeting[1]),
            Meetings::Rotations(rotations) => rotations.place(&meeting),
            Meetings::Gauntlet(gauntlet) => gauntlet.place(&meeting)?,
        };
        let index = round.checked_mul(self.games_per_round)?.checked_add(place)?;
        (index < self.games).then_some(index)
    }
}
