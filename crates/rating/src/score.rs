//! Scores of games of two seats, and numbers of games by score.

use std::cmp::Ordering;

use linesman_types::seat::Place;

/// The score of a game of two seats, as seen from the first seat.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Score {
    /// The first seat won.
    Win,
    /// The game was drawn.
    Draw,
    /// The second seat won.
    Loss,
}

impl Score {
    /// The first seat's points: 1, 0.5 or 0.
    pub fn points(self) -> f64 {
        match self {
            Score::Win => 1.0,
            Score::Draw => 0.5,
            Score::Loss => 0.0,
        }
    }

    /// The second seat's score.
    pub(super) fn reversed(self) -> Score {
        match self {
            Score::Win => Score::Loss,
            Score::Draw => Score::Draw,
            Score::Loss => Score::Win,
        }
    }
}

/// Numbers of games by score.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points per game; `None` without games.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games as seen by the opponent.
    pub fn reversed(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games of both.
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// This number of games that all had the same result.
    pub(super) fn of(score: Score, games: u64) -> Tally {
        let mut tally = Tally::default();
        match score {
            Score::Win => tally.wins = games,
            Score::Draw => tally.draws = games,
            Score::Loss => tally.losses = games,
        }
        tally
    }
}

/// The score of one seat against another from their places.
pub(super) fn score_of(own: Place, others: Place) -> Score {
    match own.cmp(&others) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    }
}
