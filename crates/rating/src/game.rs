//! One game in the form that ratings need.

use std::borrow::Cow;
use std::hash::Hasher;

use linesman_types::random::digest;
use linesman_types::seat::{MAX_SEATS, Place, Seat, Side, Teams};

/// A game to be counted.
///
/// ```
/// use linesman_rating::{RatedGame, Results};
/// use linesman_types::seat::Place;
///
/// let places = [1, 2].map(|number| Place::new(number).expect("there is such a place"));
/// let mut results = Results::new();
/// results.count(&RatedGame::new(&["Ada", "Bob"], &places).in_pair("cup", "opening 7"))?;
/// results.count(&RatedGame::new(&["Bob", "Ada"], &places).in_pair("cup", "opening 7"))?;
/// assert_eq!(results.games(), 2);
/// # Ok::<(), linesman_rating::GameError>(())
/// ```
#[derive(Copy, Clone, Debug)]
pub struct RatedGame<'a> {
    pub(super) names: &'a [&'a str],
    pub(super) places: &'a [Place],
    pub(super) teams: Option<&'a Teams>,
    pub(super) team_names: &'a [Option<&'a str>],
    pub(super) pair: Option<u64>,
    pub(super) play: Option<u64>,
}

impl<'a> RatedGame<'a> {
    /// A game of these bots in seat order, with the place of each.
    pub fn new(names: &'a [&'a str], places: &'a [Place]) -> RatedGame<'a> {
        RatedGame { names, places, teams: None, team_names: &[], pair: None, play: None }
    }

    /// Adds the teams that the bots played in: the strength of a team is the sum of its members'. Teams may
    /// have names, given by seat.
    pub fn in_teams(self, teams: &'a Teams, names: &'a [Option<&'a str>]) -> RatedGame<'a> {
        let is_of_singles = teams.sides() == teams.seats() || teams.seats() != self.names.len();
        RatedGame { teams: (!is_of_singles).then_some(teams), team_names: names, ..self }
    }

    /// Assigns the game to the pair with this key in its league: the games that the same bots played from the
    /// same opening.
    pub fn in_pair(self, league: &str, pair: &str) -> RatedGame<'a> {
        RatedGame {
            pair: Some(digest(0, league.as_bytes()).rotate_left(1) ^ digest(0, pair.as_bytes())),
            ..self
        }
    }

    /// Adds a digest of the opening and the moves: a game that repeats an earlier one adds no information.
    pub fn with_moves(self, digest: u64) -> RatedGame<'a> {
        RatedGame { play: Some(digest), ..self }
    }

    pub(super) fn sides(&self) -> impl Iterator<Item = Side> + use<> {
        let sides = self.teams.map_or(self.names.len(), Teams::sides);
        (0..sides).map(Side::from_index)
    }

    pub(super) fn members(&self, side: Side) -> impl Iterator<Item = Seat> {
        Seat::all(self.names.len()).filter(move |seat| match self.teams {
            Some(teams) => teams.side(*seat) == side,
            None => seat.index() == side.index(),
        })
    }

    /// Returns the name and the place of each side. A side of two bots whose team has no name is named after
    /// both.
    pub(super) fn by_sides(&self) -> Result<(Vec<Cow<'a, str>>, Vec<Place>), GameError> {
        check_seats(self.names.len(), self.places)?;
        let name = |side: Side| {
            let mut names: Vec<&str> = self.members(side).map(|seat| self.names[seat.index()]).collect();
            names.sort_unstable();
            names.dedup();
            match (self.members(side).find_map(|seat| self.team_name(seat)), names.as_slice()) {
                (Some(name), _) => Cow::Borrowed(name),
                (None, [name]) => Cow::Borrowed(*name),
                (None, names) => Cow::Owned(names.join("+")),
            }
        };
        let place = |side: Side| self.members(side).map(|seat| self.places[seat.index()]).min();
        Ok((self.sides().map(name).collect(), self.sides().filter_map(place).collect()))
    }

    pub(super) fn team_name(&self, seat: Seat) -> Option<&'a str> {
        self.team_names.get(seat.index()).copied().flatten().filter(|name| !name.is_empty())
    }
}

/// The reason why a game can't be rated.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum GameError {
    /// Seats and places differ in number.
    #[error("{seats} seats but {places} places")]
    Places {
        /// The number of seats named.
        seats: usize,
        /// The number of places given.
        places: usize,
    },
    /// No game can have this number of seats.
    #[error("a game of {seats} seats can't be rated, only games of 2 to {MAX_SEATS} seats")]
    Seats {
        /// The number of seats.
        seats: usize,
    },
}

/// Checks that a game can have this number of seats, and that each has a place.
pub(super) fn check_seats(seats: usize, places: &[Place]) -> Result<(), GameError> {
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(GameError::Seats { seats });
    }
    if places.len() != seats {
        return Err(GameError::Places { seats, places: places.len() });
    }
    Ok(())
}

/// Hashes names by their [`digest`], for tables that are read once or twice per game.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(1) ^ digest(0, bytes);
    }

    fn write_u8(&mut self, byte: u8) {
        // The byte that `str` adds at the end of a text.
        self.0 = self.0.rotate_left(8) ^ u64::from(byte);
    }
}
