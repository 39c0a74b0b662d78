//! Who met whom on which seat, and how often it ended how.

use std::cmp::Ordering;
use std::collections::HashMap;

use arrayvec::ArrayVec;

use crate::seat::{BySeat, MAX_SEATS, Place, Seat, Teams};

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
    /// No game can have so many seats, or so few.
    #[error("a game of {seats} seats: only games of 2 to {MAX_SEATS} seats can be rated")]
    Seats {
        /// How many seats it has.
        seats: usize,
    },
}

/// Whether there is a place for each of a number of seats that a game can have.
pub(super) fn check_seats(seats: usize, places: &[Place]) -> Result<(), GameError> {
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(GameError::Seats { seats });
    }
    if places.len() != seats {
        return Err(GameError::Places { seats, places: places.len() });
    }
    Ok(())
}

/// The score of one seat against another from their places.
pub(super) fn score_of(own: Place, others: Place) -> Score {
    match own.cmp(&others) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    }
}

/// The results of any number of games, counted by bots in seat order.
///
/// With teams, a team takes the place of a bot and of a seat. Void games and
/// repeated records are for the reader to leave out. A bot that plays nobody
/// but itself says nothing about its strength: such games are counted apart.
#[derive(Clone, Debug, Default)]
pub struct Results {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    pairs: HashMap<(u32, u32), Tally>,
    /// Games of more than two seats.
    orders: HashMap<Order, u64>,
    self_games: u64,
}

/// The bots of a game in seat order, and how they came in.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
struct Order {
    bots: ArrayVec<u32, MAX_SEATS>,
    places: ArrayVec<Place, MAX_SEATS>,
}

impl Results {
    /// No games yet.
    pub fn new() -> Results {
        Results::default()
    }

    /// Counts one game: the bots in seat order and the place of each.
    ///
    /// # Errors
    /// If no game has so many seats, or places and seats differ in number.
    pub fn add(&mut self, names: &[&str], places: &[Place]) -> Result<(), GameError> {
        check_seats(names.len(), places)?;
        if let [first, second] = places {
            self.add_score(names[0], names[1], score_of(*first, *second));
            return Ok(());
        }
        let bots = names.iter().map(|name| self.number(name)).collect();
        self.add_order(Order { bots, places: places.iter().copied().collect() }, 1);
        Ok(())
    }

    fn add_order(&mut self, order: Order, games: u64) {
        if order.bots.iter().all(|bot| *bot == order.bots[0]) {
            self.self_games += games;
        } else {
            *self.orders.entry(order).or_insert(0) += games;
        }
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
        for (order, games) in &other.orders {
            let bots = order.bots.iter().map(|bot| self.number(&other.names[*bot as usize])).collect();
            self.add_order(Order { bots, places: order.places.clone() }, *games);
        }
        self.self_games += other.self_games;
    }

    /// How many games count, those of a bot against itself left out.
    pub fn games(&self) -> u64 {
        self.pairs.values().map(|tally| tally.games()).sum::<u64>() + self.orders.values().sum::<u64>()
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
        let names = order.into_iter().map(|number| self.names[number].clone()).collect();
        let pairs = self.pairs.iter();
        let pairs =
            pairs.map(|(&(first, second), &tally)| (rank[first as usize], rank[second as usize], tally));
        let mut field = Field { names, meetings: Vec::new(), tables: Vec::new() };
        if self.orders.is_empty() {
            field.meetings = meetings(pairs);
        } else {
            field.tables = self.tables(&rank);
            let of_tables = field.tables.iter().flat_map(Table::pairs);
            field.meetings = meetings(of_tables.collect::<Vec<_>>().into_iter());
        }
        field
    }

    /// All games by seat and place, in an order that depends on names only.
    fn tables(&self, rank: &[usize]) -> Vec<Table> {
        let of_orders = self.orders.iter().map(|(order, games)| {
            let bots = order.bots.iter().map(|bot| rank[*bot as usize]);
            Table::new(bots.zip(order.places.iter().copied()), *games)
        });
        let [first, second] = [1, 2].map(|number| Place::new(number).expect("every game gives these"));
        let of_pairs = self.pairs.iter().flat_map(|(&(one, other), tally)| {
            let bots = [rank[one as usize], rank[other as usize]];
            let scores = [
                (tally.wins, [first, second]),
                (tally.draws, [first, first]),
                (tally.losses, [second, first]),
            ];
            let played = scores.into_iter().filter(|(games, _)| *games > 0);
            played.map(move |(games, places)| Table::new(bots.into_iter().zip(places), games))
        });
        let mut tables: Vec<Table> = of_orders.chain(of_pairs).collect();
        tables.sort_unstable_by(|one, other| one.seated.cmp(&other.seated));
        tables
    }
}

/// Adds up what pairs of bots did, each pair once and sorted, whoever had the first seat.
fn meetings(seated: impl Iterator<Item = (usize, usize, Tally)>) -> Vec<Meeting> {
    let mut seated: Vec<(usize, usize, Tally)> = seated
        .map(
            |(first, second, tally)| {
                if first < second { (first, second, tally) } else { (second, first, tally.reversed()) }
            },
        )
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
    meetings
}

/// Results with bots numbered in the order of their names.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Field {
    /// The bots, sorted.
    pub names: Vec<String>,
    /// Every pair that met, once, sorted, seats disregarded.
    pub meetings: Vec<Meeting>,
    /// All games by seat and place; empty if all are of two seats.
    pub tables: Vec<Table>,
}

impl Field {
    /// What each bot did.
    pub fn totals(&self) -> Vec<Total> {
        let mut totals = vec![Total::default(); self.names.len()];
        if self.tables.is_empty() {
            for meeting in &self.meetings {
                totals[meeting.first].count(meeting.tally);
                totals[meeting.second].count(meeting.tally.reversed());
            }
        }
        for table in &self.tables {
            table.count_into(&mut totals);
        }
        totals
    }
}

/// What one bot did in all its games.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub(super) struct Total {
    /// Games in which it was first alone, shared the first place, or did neither.
    pub tally: Tally,
    /// The sum of its scores, each the share of its opponents that it beat.
    pub points: f64,
}

impl Total {
    fn count(&mut self, tally: Tally) {
        self.tally = self.tally.plus(tally);
        self.points += tally.points();
    }

    /// Whether it beat all its opponents in all its games.
    pub fn won_all(&self) -> bool {
        self.tally.wins == self.tally.games()
    }

    /// Whether it never beat anybody and never shared a place.
    pub fn lost_all(&self) -> bool {
        self.points == 0.0
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

/// A bot at its seat, and how it came in.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct Seated {
    /// The bot.
    pub bot: usize,
    /// The index of its seat, from 0.
    pub seat: usize,
    /// Its place.
    pub place: Place,
}

/// Games of the same bots on the same seats with the same places.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table {
    /// How many seats the game has.
    pub seats: usize,
    /// Who sits there; fewer than there are seats if only some of them are looked at.
    pub seated: ArrayVec<Seated, MAX_SEATS>,
    /// How many such games there are.
    pub games: u64,
}

impl Table {
    fn new(bots: impl Iterator<Item = (usize, Place)>, games: u64) -> Table {
        let seated: ArrayVec<Seated, MAX_SEATS> =
            bots.enumerate().map(|(seat, (bot, place))| Seated { bot, seat, place }).collect();
        Table { seats: seated.len(), seated, games }
    }

    /// The places of those who are looked at; their order is what counts.
    pub fn places(&self) -> ArrayVec<u8, MAX_SEATS> {
        self.seated.iter().map(|seated| seated.place.number() as u8).collect()
    }

    /// The same games with some bots only, renumbered; none if fewer than two are left.
    pub fn among(&self, renumber: impl Fn(usize) -> Option<usize>) -> Option<Table> {
        let kept = self.seated.iter();
        let seated: ArrayVec<Seated, MAX_SEATS> =
            kept.filter_map(|seated| Some(Seated { bot: renumber(seated.bot)?, ..*seated })).collect();
        (seated.len() > 1).then_some(Table { seated, ..*self })
    }

    /// Every pair of different bots with what the one did against the other.
    fn pairs(&self) -> Vec<(usize, usize, Tally)> {
        let mut pairs = Vec::new();
        for (index, one) in self.seated.iter().enumerate() {
            for other in self.seated[index + 1..].iter().filter(|other| other.bot != one.bot) {
                let mut tally = Tally::default();
                match score_of(one.place, other.place) {
                    Score::Win => tally.wins = self.games,
                    Score::Draw => tally.draws = self.games,
                    Score::Loss => tally.losses = self.games,
                }
                pairs.push((one.bot, other.bot, tally));
            }
        }
        pairs
    }

    fn count_into(&self, totals: &mut [Total]) {
        let places = BySeat::from_values(self.seated.iter().map(|seated| seated.place))
            .expect("a table has no more seats than any game");
        let everyone = Teams::singles(self.seats);
        let firsts = places.values().filter(|place| **place == Place::FIRST).count();
        for (index, seated) in self.seated.iter().enumerate() {
            let mut tally = Tally::default();
            match (seated.place == Place::FIRST, firsts) {
                (true, 1) => tally.wins = self.games,
                (true, _) => tally.draws = self.games,
                (false, _) => tally.losses = self.games,
            }
            let total = &mut totals[seated.bot];
            total.tally = total.tally.plus(tally);
            total.points += self.games as f64 * places.score(&everyone, Seat::from_index(index));
        }
    }
}
