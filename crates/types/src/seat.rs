//! Seats, the sides that they play for, and the places that they take.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

pub mod balance;

/// The largest number of seats that any game has.
pub const MAX_SEATS: usize = 4;

/// A seat at the table, numbered from 1 in turn order.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Seat(u8);

impl Seat {
    /// Seat 1, which starts every game.
    pub const FIRST: Seat = Seat(1);
    /// Seat 2.
    pub const SECOND: Seat = Seat(2);

    /// Returns the seat with this number, counted from 1, if it is valid.
    pub fn new(number: usize) -> Option<Seat> {
        (1..=MAX_SEATS).contains(&number).then_some(Seat(number as u8))
    }

    /// Returns the seat with this index, counted from 0.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_SEATS`].
    pub fn from_index(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "there is no seat with index {index}");
        Seat(index as u8 + 1)
    }

    /// The seat's number, from 1.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }

    /// The seat's index, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    /// Returns the next seat in turn order at a table of `seats` seats.
    pub fn next(self, seats: usize) -> Seat {
        Seat::from_index((self.index() + 1) % seats)
    }

    /// Returns all seats of a table of `seats` seats, in turn order.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..seats).map(Seat::from_index)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// One `T` for each seat of a table, indexed by [`Seat`].
#[derive(Clone, Eq, PartialEq, Hash)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    /// Makes the value of each of `seats` seats in turn order.
    pub fn from_fn(seats: usize, make: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat(Seat::all(seats).map(make).collect())
    }

    /// Returns the values in turn order; `None` if there are more than [`MAX_SEATS`].
    pub fn from_values(values: impl IntoIterator<Item = T>) -> Option<BySeat<T>> {
        let mut by_seat = ArrayVec::new();
        for value in values {
            by_seat.try_push(value).ok()?;
        }
        Some(BySeat(by_seat))
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.0.len()
    }

    /// Returns the value of a seat, if the table has that seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// The mutable value of a seat, if the table has that seat.
    pub fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0.get_mut(seat.index())
    }

    /// The values in turn order.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Seats and values in turn order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.0.iter().enumerate().map(|(index, value)| (Seat::from_index(index), value))
    }

    /// Seats and mutable values in turn order.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (Seat, &mut T)> + ExactSizeIterator {
        self.0.iter_mut().enumerate().map(|(index, value)| (Seat::from_index(index), value))
    }

    /// Maps the value of each seat.
    pub fn map<U>(&self, mut change: impl FnMut(Seat, &T) -> U) -> BySeat<U> {
        BySeat(self.iter().map(|(seat, value)| change(seat, value)).collect())
    }

    /// The values as a slice, in turn order.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = arrayvec::IntoIter<T, MAX_SEATS>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A side of a game: a team, or a seat that plays for itself. Numbered from 0
/// in the order in which the sides first move.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Side(u8);

impl Side {
    /// Returns the side with this index, counted from 0.
    pub fn from_index(index: usize) -> Side {
        Side(index as u8)
    }

    /// The side's index, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The side of each seat.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Teams(BySeat<Side>);

impl Teams {
    /// Puts every seat on its own side.
    pub fn singles(seats: usize) -> Teams {
        Teams(BySeat::from_fn(seats, |seat| Side::from_index(seat.index())))
    }

    /// Puts opposite seats on one side: 1 with 3, 2 with 4.
    pub fn opposite_pairs() -> Teams {
        Teams(BySeat::from_fn(4, |seat| Side::from_index(seat.index() % 2)))
    }

    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.0.seats()
    }

    /// Number of sides.
    pub fn sides(&self) -> usize {
        self.0.values().map(|side| side.index() + 1).max().unwrap_or(0)
    }

    /// The side that a seat plays for.
    pub fn side(&self, seat: Seat) -> Side {
        self.0[seat]
    }

    /// Returns true if two seats play for the same side.
    pub fn together(&self, one: Seat, other: Seat) -> bool {
        self.0[one] == self.0[other]
    }

    /// Returns the seats of a side, in turn order.
    pub fn members(&self, side: Side) -> impl Iterator<Item = Seat> + '_ {
        self.0.iter().filter(move |(_, seat_side)| **seat_side == side).map(|(seat, _)| seat)
    }
}

/// The place of a seat: 1 + the number of sides that did better.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Place(u8);

impl Place {
    /// The first place.
    pub const FIRST: Place = Place(1);

    /// Returns the place with this number, counted from 1, if it is valid.
    pub fn new(number: usize) -> Option<Place> {
        (1..=MAX_SEATS).contains(&number).then_some(Place(number as u8))
    }

    /// The place's number, from 1.
    pub fn number(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "place {}", self.0)
    }
}

/// The result of a game for a seat.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum GameResult {
    /// Its place is better than those of all its opponents.
    Won,
    /// It shares the first place with an opponent.
    Drawn,
    /// An opponent has a better place.
    Lost,
}

impl BySeat<Place> {
    /// Ranks the sides by a measure; higher is better. A side's measure is its best member's.
    /// Equal measures share a place.
    pub fn by_measure<M: Ord>(teams: &Teams, measure: impl Fn(Seat) -> M) -> BySeat<Place> {
        let best: Vec<Option<M>> = (0..teams.sides())
            .map(|side| teams.members(Side::from_index(side)).map(&measure).max())
            .collect();
        BySeat::from_fn(teams.seats(), |seat| {
            let side_best = &best[teams.side(seat).index()];
            Place(1 + best.iter().filter(|other| *other > side_best).count() as u8)
        })
    }

    /// Returns the result of a seat against the best of its opponents.
    pub fn result(&self, teams: &Teams, seat: Seat) -> GameResult {
        let opponents = self.iter().filter(|(other, _)| !teams.together(seat, *other));
        match opponents.map(|(_, place)| self[seat].cmp(place)).max() {
            None | Some(std::cmp::Ordering::Less) => GameResult::Won,
            Some(std::cmp::Ordering::Equal) => GameResult::Drawn,
            Some(std::cmp::Ordering::Greater) => GameResult::Lost,
        }
    }

    /// Puts all seats in first place: a draw.
    pub fn all_tied(teams: &Teams) -> BySeat<Place> {
        BySeat::by_measure(teams, |_| 0)
    }

    /// Returns the share of its opponents that a seat beat, with shared places counted half: 1, 0.5
    /// or 0 with two sides. Teammates are not opponents.
    pub fn score(&self, teams: &Teams, seat: Seat) -> f64 {
        let opponents = self.iter().filter(|(other, _)| !teams.together(seat, *other));
        let mut number = 0.0;
        let mut beaten = 0.0;
        for (_, place) in opponents {
            number += 1.0;
            beaten += match self[seat].cmp(place) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
        if number == 0.0 { 0.0 } else { beaten / number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(teams: &Teams, measure: [i32; 4]) -> Vec<usize> {
        BySeat::by_measure(teams, |seat| measure[seat.index()]).values().map(|place| place.number()).collect()
    }

    #[test]
    fn equal_measures_share_a_place_and_the_next_place_is_skipped() {
        assert_eq!(places(&Teams::singles(4), [5, 2, 2, 0]), [1, 2, 2, 4]);
        assert_eq!(places(&Teams::singles(2), [0, 0, 9, 9]), [1, 1]);
    }

    #[test]
    fn a_shared_first_place_is_a_draw() {
        let results = |teams: &Teams, measure: [i32; 4]| -> Vec<GameResult> {
            let places = BySeat::by_measure(teams, |seat| measure[seat.index()]);
            Seat::all(teams.seats()).map(|seat| places.result(teams, seat)).collect()
        };
        use GameResult::{Drawn, Lost, Won};
        assert_eq!(results(&Teams::singles(4), [5, 5, 2, 0]), [Drawn, Drawn, Lost, Lost]);
        assert_eq!(results(&Teams::singles(3), [1, 5, 1, 0]), [Lost, Won, Lost]);
        assert_eq!(results(&Teams::opposite_pairs(), [0, 1, 0, 1]), [Lost, Won, Lost, Won]);
    }

    #[test]
    fn a_place_counts_sides_not_seats() {
        assert_eq!(places(&Teams::opposite_pairs(), [0, 1, 0, 1]), [2, 1, 2, 1]);
    }

    #[test]
    fn a_score_is_the_share_of_opponents_beaten() {
        let teams = Teams::singles(4);
        let places = BySeat::by_measure(&teams, |seat| [5, 2, 2, 0][seat.index()]);
        let scores: Vec<f64> = Seat::all(4).map(|seat| places.score(&teams, seat)).collect();
        assert_eq!(scores, [1.0, 0.5, 0.5, 0.0]);
        let teams = Teams::opposite_pairs();
        let places = BySeat::by_measure(&teams, |seat| seat.index() % 2);
        assert_eq!(places.score(&teams, Seat::FIRST), 0.0);
        assert_eq!(places.score(&teams, Seat::SECOND), 1.0);
    }
}
