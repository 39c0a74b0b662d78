//! Who met whom on which seat, and how often it ended how.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::seat::Place;

/// How a game of two seats ended, seen from the first seat.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Score {
    /// The first seat won.
    Win,
    /// Nobody did.
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
    /// How many games there are.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points a game, or nothing without games.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The same games seen by the opponent.
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

    fn count(&mut self, score: Score) {
        match score {
            Score::Win => self.wins += 1,
            Score::Draw => self.draws += 1,
            Score::Loss => self.losses += 1,
        }
    }
}

/// Why a game can't be rated.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum GameError {
    /// Seats and places do not belong together.
    #[error("{seats} seats but {places} places")]
    Places {
        /// How many seats are named.
        seats: usize,
        /// How many places are given.
        places: usize,
    },
    /// The game has fewer or more than two seats.
    ///
    /// Taking such a game apart into pairs would count it several times over
    /// and make the intervals too narrow, so it is refused.
    #[error("a game of {seats} seats: only games of two seats can be rated")]
    Seats {
        /// How many seats it has.
        seats: usize,
    },
}

/// The score of a game of two seats from its places.
pub(super) fn score_of_places(seats: usize, places: &[Place]) -> Result<Score, GameError> {
    if seats != 2 {
        return Err(GameError::Seats { seats });
    }
    let [first, second] = places else {
        return Err(GameError::Places { seats, places: places.len() });
    };
    Ok(match first.cmp(second) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    })
}

/// The results of any number of games, counted by ordered pair of bots (first
/// seat, second seat).
///
/// Void games and repeated records are for the reader to leave out. A bot that
/// plays itself says nothing about its strength: such games are counted apart.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    pairs: HashMap<(u32, u32), Tally>,
    self_games: u64,
}

impl Results {
    /// No games yet.
    pub fn new() -> Results {
        Results::default()
    }

    /// Counts one game: the bots in seat order and the place of each.
    ///
    /// # Errors
    /// If the game has not two seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        let score = score_of_places(names.len(), places)?;
        self.add_score(names[0], names[1], score);
        Ok(())
    }

    /// Counts one game of two seats.
    pub fn add_score(&mut self, first: &str, second: &str, score: Score) {
        let (first, second) = (self.number(first), self.number(second));
        if first == second {
            self.self_games += 1;
        } else {
            self.pairs.entry((first, second)).or_default().count(score);
        }
    }

    /// Counts many games of one bot on the first seat against another on the second.
    pub fn add_tally(&mut self, first: &str, second: &str, tally: Tally) {
        let (first, second) = (self.number(first), self.number(second));
        if first == second {
            self.self_games += tally.games();
        } else if tally.games() > 0 {
            let sum = self.pairs.entry((first, second)).or_default();
            *sum = sum.plus(tally);
        }
    }

    /// Makes a bot known that may have no game at all, so that it is listed.
    pub fn add_bot(&mut self, name: &str) {
        self.number(name);
    }

    /// Counts all games of `other` too.
    pub fn merge(&mut self, other: &Results) {
        for name in &other.names {
            self.number(name);
        }
        for (&(first, second), &tally) in &other.pairs {
            self.add_tally(&other.names[first as usize], &other.names[second as usize], tally);
        }
        self.self_games += other.self_games;
    }

    /// How many games count, those of a bot against itself left out.
    pub fn games(&self) -> u64 {
        self.pairs.values().map(|tally| tally.games()).sum()
    }

    /// How many games a bot played against itself.
    pub fn self_games(&self) -> u64 {
        self.self_games
    }

    /// How many bots there are.
    pub fn bots(&self) -> usize {
        self.names.len()
    }

    /// The bots' names, in the order in which they came.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("memory ends before 2^32 bots");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The same counts in an order that depends on names only.
    pub(super) fn field(&self) -> Field {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|one, other| self.names[*one].cmp(&self.names[*other]));
        let mut rank = vec![0; order.len()];
        for (sorted, &number) in order.iter().enumerate() {
            rank[number] = sorted;
        }
        let mut seated: Vec<(usize, usize, Tally)> = self
            .pairs
            .iter()
            .map(|(&(first, second), &tally)| match (rank[first as usize], rank[second as usize]) {
                (first, second) if first < second => (first, second, tally),
                (first, second) => (second, first, tally.reversed()),
            })
            .collect();
        seated.sort_unstable_by_key(|(first, second, _)| (*first, *second));
        let mut meetings: Vec<Meeting> = Vec::with_capacity(seated.len());
        for (first, second, tally) in seated {
            match meetings.last_mut() {
                Some(last) if (last.first, last.second) == (first, second) => {
                    last.tally = last.tally.plus(tally);
                }
                _ => meetings.push(Meeting { first, second, tally }),
            }
        }
        Field { names: order.into_iter().map(|number| self.names[number].clone()).collect(), meetings }
    }
}

/// Results with bots numbered in the order of their names and seats disregarded.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Field {
    /// The bots, sorted.
    pub names: Vec<String>,
    /// Every pair that met, once, sorted.
    pub meetings: Vec<Meeting>,
}

impl Field {
    /// Each bot's games.
    pub fn totals(&self) -> Vec<Tally> {
        let mut totals = vec![Tally::default(); self.names.len()];
        for meeting in &self.meetings {
            totals[meeting.first] = totals[meeting.first].plus(meeting.tally);
            totals[meeting.second] = totals[meeting.second].plus(meeting.tally.reversed());
        }
        totals
    }
}

/// All games of two bots.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Meeting {
    /// One of them, the one with the lower number.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The games, seen by `first`.
    pub tally: Tally,
}
