//! Schedules: which games a tournament comes to, in which order.
//!
//! A [`Schedule`] is arithmetic and holds no list of games: the pairing of any
//! index and the index of any id are computed when asked for, so a league of
//! ten million games takes no memory, and what has been played is
//! [one bit a game](Played).
//!
//! # What a round is
//!
//! The smallest number of games in which everyone meets everyone from every
//! seat, and every combination equally often:
//!
//! - two sides: each pair meets twice, each of the two beginning once;
//! - three or four seats: each combination of bots meets once for each of its
//!   members at each seat: `a b c`, `b c a`, `c a b`. In which order the others
//!   sit changes from round to round: two rounds balance who sits before whom,
//!   and two (six with four seats) hold every order of seats once;
//! - teams: as two sides; of a team of two bots the other one sits first in
//!   the return game and in the next round.
//!
//! # What never changes
//!
//! - A game's id says what the game is: the bots in seat order and the
//!   how-manieth game of just these seats, joined by `~`: `greedy~random~1`.
//!   Adding bots or rounds renames no game, and neither does their order.
//! - A game's seed follows from the master seed and the id ([`game_seed`]).
//! - Only the index, the place in the order of play, depends on the field.

mod arrangement;
mod balance;
mod circle;
mod played;
mod rotations;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use arrayvec::ArrayVec;
use sha2::{Digest, Sha256};

pub use balance::Imbalance;
pub use played::{Marked, Played};

use crate::league::file::{Entrant, Tournament};
use crate::seat::{BySeat, MAX_SEATS, Side, Teams};
use arrangement::{IsReturn, RoundTheTable};
use circle::Circle;
use rotations::Rotations;

/// The most games that a schedule may have.
pub const MOST_GAMES: u64 = 1_000_000_000;

/// Why there is no such schedule.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// Somebody would sit at two seats.
    #[error("a game with {seats} seats needs at least {seats} bots, and there is {bots}")]
    TooFewBots {
        /// How many bots there are.
        bots: usize,
        /// How many seats there are.
        seats: usize,
    },
    /// A team would play itself.
    #[error("a game of two teams needs at least two, and there is {teams}")]
    TooFewTeams {
        /// How many teams there are.
        teams: usize,
    },
    /// More games than can be kept count of.
    #[error("the schedule has more than {MOST_GAMES} games")]
    TooManyGames,
}

/// How many games it takes for everyone to meet everyone from every seat so
/// many times: `n (n-1) rounds` with two sides, and as many combinations of
/// bots, times seats, times rounds with more.
///
/// # Errors
/// Fewer bots (or teams) than sides, or more than [`MOST_GAMES`].
pub fn number_of_games(entrants: usize, teams: &Teams, rounds: u32) -> Result<u64, ScheduleError> {
    let sides = teams.sides();
    if entrants < sides {
        return Err(if sides < teams.seats() {
            ScheduleError::TooFewTeams { teams: entrants }
        } else {
            ScheduleError::TooFewBots { bots: entrants, seats: sides }
        });
    }
    let too_many = ScheduleError::TooManyGames;
    let mut games = u64::from(rounds);
    for taken in 0..sides {
        games = games.checked_mul((entrants - taken) as u64).ok_or(too_many)?;
    }
    // The others of a combination sit in one of their orders.
    let games = games / (1..sides as u64).product::<u64>();
    if games > MOST_GAMES { Err(too_many) } else { Ok(games) }
}

/// A game that is to be played.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Pairing {
    /// Its place in the order of play, from 0.
    pub index: u64,
    /// What it is called: `greedy~random~1`.
    pub id: String,
    /// The bots in seat order, as indices into the tournament's bots.
    pub bots: BySeat<usize>,
    /// For whom each seat plays, as indices into the tournament's entrants.
    pub entrants: BySeat<usize>,
    /// The how-manieth time that just these seats meet, from 1.
    pub times: u64,
    /// The how-manieth time that these entrants meet, from every seat each time, from 1.
    pub encounter: u64,
    /// The game's seed.
    pub seed: u64,
}

/// Who meets whom, in which order.
#[derive(Clone, Debug)]
pub struct Schedule {
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    entrants: Vec<Entrant>,
    /// Where each bot belongs, if everyone plays for himself.
    of_bot: Vec<usize>,
    /// Where the bots of a team belong, in the order of their numbers.
    of_team: HashMap<Vec<usize>, usize>,
    meetings: Meetings,
    teams: Teams,
    games_a_round: u64,
    games: u64,
    master_seed: u64,
}

/// Who meets at which place of a round.
#[derive(Clone, Debug)]
enum Meetings {
    /// Two sides.
    Circle(Circle),
    /// Three seats or four, everyone for himself.
    Rotations(Rotations),
}

/// All that the seats of a meeting follow from, but for the round.
enum Seating {
    /// Two sides: from their names.
    Sides,
    /// More: the bots in the order of their names, and how these sit.
    Table { bots: Slot, table: RoundTheTable },
}

/// Entrants or bots in an order.
type Slot = ArrayVec<usize, MAX_SEATS>;

impl Schedule {
    /// A round robin of bots that play for themselves: everyone meets everyone
    /// from every seat, `rounds` times.
    ///
    /// The names must differ from each other.
    ///
    /// # Errors
    /// Fewer bots than seats, or too many games.
    pub fn round_robin(
        names: impl IntoIterator<Item = impl Into<String>>,
        seats: usize,
        rounds: u32,
        master_seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let entrants = (0..).zip(&names).map(|(bot, name)| Entrant { name: name.clone(), bots: vec![bot] });
        let entrants = entrants.collect();
        Schedule::of_entrants(names, entrants, &Teams::singles(seats), rounds, master_seed)
    }

    /// A round robin of entrants: in a game of two teams, teams of one or two
    /// of the bots named; else bots.
    ///
    /// Names must differ from each other, and so must the bots of teams.
    ///
    /// # Errors
    /// Fewer entrants than sides, or too many games.
    ///
    /// # Panics
    /// If a table can't have so many seats, or an entrant names a bot that there is not.
    pub fn of_entrants(
        names: Vec<String>,
        mut entrants: Vec<Entrant>,
        teams: &Teams,
        rounds: u32,
        master_seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        assert!((2..=MAX_SEATS).contains(&teams.seats()), "no table has {} seats", teams.seats());
        let games = number_of_games(entrants.len(), teams, rounds)?;
        let games_a_round = number_of_games(entrants.len(), teams, 1)?;
        let meetings = match teams.sides() {
            2 => Meetings::Circle(Circle::new(entrants.len())),
            sides => Meetings::Rotations(Rotations::new(entrants.len(), sides)),
        };
        // What order the file has them in means nothing.
        for entrant in &mut entrants {
            entrant.bots.sort_unstable_by_key(|bot| &names[*bot]);
        }
        let mut of_bot = vec![0; names.len()];
        for (index, entrant) in entrants.iter().enumerate() {
            entrant.bots.iter().for_each(|bot| of_bot[*bot] = index);
        }
        Ok(Schedule {
            by_name: names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect(),
            of_bot,
            of_team: entrants.iter().enumerate().map(|(index, own)| (sorted(&own.bots), index)).collect(),
            names,
            entrants,
            meetings,
            teams: teams.clone(),
            games_a_round,
            games,
            master_seed,
        })
    }

    /// The schedule of a tournament.
    ///
    /// # Errors
    /// None for a tournament that was read from a file: it has been checked.
    pub fn of(tournament: &Tournament) -> Result<Schedule, ScheduleError> {
        let names = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let teams = tournament.game.teams();
        let entrants = tournament.entrants.clone();
        let mut schedule =
            Schedule::of_entrants(names, entrants, &teams, tournament.rounds, tournament.seed)?;
        schedule.games = schedule.games.min(tournament.most_games.unwrap_or(u64::MAX));
        Ok(schedule)
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games a round has.
    pub fn games_a_round(&self) -> u64 {
        self.games_a_round
    }

    /// The names of the bots, in the order that [`Pairing::bots`] counts by.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Who takes part, in the order that [`Pairing::entrants`] counts by.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The game at a place in the order of play, counted from 0.
    pub fn pairing(&self, index: u64) -> Option<Pairing> {
        if index >= self.games {
            return None;
        }
        let round = index / self.games_a_round;
        let meeting = self.meeting(index);
        let bots = self.seated(&meeting, &self.seating(&meeting), round);
        let times = round / self.ways(&meeting) + 1;
        let id = game_id(bots.values().map(|bot| self.names[*bot].as_str()), times);
        let seed = game_seed(self.master_seed, &id);
        let entrants = match &self.meetings {
            Meetings::Circle(_) => {
                BySeat::from_fn(self.teams.seats(), |seat| meeting[self.teams.side(seat).index()])
            }
            Meetings::Rotations(_) => bots.map(|_, bot| self.of_bot[*bot]),
        };
        Some(Pairing { index, id, bots, entrants, times, encounter: round + 1, seed })
    }

    /// The place of a game in the order of play; none if it is no game of this schedule.
    pub fn index_of(&self, id: &str) -> Option<u64> {
        let (names, times) = id.rsplit_once('~')?;
        if times.starts_with(['0', '+']) {
            return None;
        }
        let times: u64 = times.parse().ok()?;
        let mut bots = Slot::new();
        for name in names.split('~') {
            bots.try_push(*self.by_name.get(name)?).ok()?;
        }
        if bots.len() != self.teams.seats() {
            return None;
        }
        let (place, meeting) = self.meeting_of(&bots)?;
        let seating = self.seating(&meeting);
        let is_so = |round: &u64| self.seated(&meeting, &seating, *round).as_slice() == bots.as_slice();
        let first = (0..self.ways(&meeting)).find(is_so)?;
        let round = (times - 1).checked_mul(self.ways(&meeting))?.checked_add(first)?;
        let index = round.checked_mul(self.games_a_round)?.checked_add(place)?;
        (index < self.games).then_some(index)
    }

    /// All games in the order of play.
    pub fn iter(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.games).filter_map(|index| self.pairing(index))
    }

    /// The games that have not been played, in the order of play.
    pub fn missing<'s>(&'s self, played: &'s Played) -> impl Iterator<Item = Pairing> + 's {
        played.missing().filter_map(|index| self.pairing(index))
    }

    /// A fresh count of what has been played: nothing.
    pub fn nothing_played(&self) -> Played {
        Played::nothing_of(self.games)
    }

    /// Who meets in a game: with two sides in the order in which they first
    /// move, else whoever has seat 1 first and the others in any order.
    fn meeting(&self, index: u64) -> Slot {
        let place = index % self.games_a_round;
        match &self.meetings {
            Meetings::Circle(circle) => circle.pair_at(place).into_iter().collect(),
            Meetings::Rotations(rotations) => rotations.bots_at(place),
        }
    }

    /// The meeting of bots that sit so, and its place in a round.
    fn meeting_of(&self, bots: &Slot) -> Option<(u64, Slot)> {
        let meeting: Slot = if self.teams.sides() == self.teams.seats() {
            bots.iter().map(|bot| self.of_bot[*bot]).collect()
        } else {
            let of_side = |side: usize| {
                let own: Vec<usize> =
                    self.teams.members(Side::from_index(side)).map(|seat| bots[seat.index()]).collect();
                self.of_team.get(&sorted(&own)).copied()
            };
            (0..self.teams.sides()).map(of_side).collect::<Option<Slot>>()?
        };
        if (1..meeting.len()).any(|number| meeting[..number].contains(&meeting[number])) {
            return None;
        }
        let place = match &self.meetings {
            Meetings::Circle(circle) => circle.place(meeting[0], meeting[1]),
            Meetings::Rotations(rotations) => rotations.place(&meeting),
        };
        Some((place, meeting))
    }

    /// In how many ways those of a meeting can sit down; each comes up once in
    /// so many rounds.
    fn ways(&self, meeting: &Slot) -> u64 {
        match &self.meetings {
            Meetings::Rotations(_) => arrangement::ways(meeting.len()),
            Meetings::Circle(_) => arrangement::ways_of_members(self.choices([meeting[0], meeting[1]])),
        }
    }

    /// Which of two entrants have two bots to choose from.
    fn choices(&self, pair: [usize; 2]) -> [bool; 2] {
        pair.map(|entrant| self.entrants[entrant].bots.len() > 1)
    }

    /// All that the seats of a meeting follow from, but for the round.
    fn seating(&self, meeting: &Slot) -> Seating {
        match &self.meetings {
            Meetings::Circle(_) => Seating::Sides,
            Meetings::Rotations(_) => {
                let mut bots: Slot = meeting.iter().map(|entrant| self.entrants[*entrant].bots[0]).collect();
                bots.sort_unstable_by_key(|bot| &self.names[*bot]);
                let names: ArrayVec<&str, MAX_SEATS> =
                    bots.iter().map(|bot| self.names[*bot].as_str()).collect();
                let table = RoundTheTable::of(&names);
                Seating::Table { bots, table }
            }
        }
    }

    /// The bots of a meeting in seat order, in a round counted from 0.
    fn seated(&self, meeting: &Slot, seating: &Seating, round: u64) -> BySeat<usize> {
        match seating {
            Seating::Sides => self.seated_in_sides([meeting[0], meeting[1]], round),
            Seating::Table { bots, table } => {
                let way = table.way(round);
                let first = self.entrants[meeting[0]].bots[0];
                let start = way.iter().position(|own| bots[*own] == first).unwrap_or(0);
                BySeat::from_fn(way.len(), |seat| bots[way[(start + seat.index()) % way.len()]])
            }
        }
    }

    fn seated_in_sides(&self, pair: [usize; 2], round: u64) -> BySeat<usize> {
        let [begins, other] = pair.map(|entrant| &self.entrants[entrant]);
        let change = if begins.name < other.name {
            arrangement::members_change(self.choices(pair), round, IsReturn::No)
        } else {
            let [one, two] = pair;
            let [one, two] = arrangement::members_change(self.choices([two, one]), round, IsReturn::Yes);
            [two, one]
        };
        BySeat::from_fn(self.teams.seats(), |seat| {
            let side = self.teams.side(seat);
            let number = self.teams.members(side).position(|own| own == seat).unwrap_or(0);
            let bots = &[begins, other][side.index()].bots;
            let number = if change[side.index()] { bots.len() - 1 - number % bots.len() } else { number };
            bots[number % bots.len()]
        })
    }
}

/// Different numbers in order.
fn sorted(numbers: &[usize]) -> Vec<usize> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What a game is called: the bots in seat order and the how-manieth game of
/// just these seats, from 1.
pub fn game_id<'n>(bots: impl IntoIterator<Item = &'n str>, times: u64) -> String {
    let mut id = String::new();
    for bot in bots {
        id.push_str(bot);
        id.push('~');
    }
    id.push_str(&times.to_string());
    id
}

/// A game's seed: the first 53 bits of the SHA-256 of the master seed in
/// decimal, a colon and the game's id: `1:greedy~random~1`.
///
/// 53 bits, since that is what every reader of JSON takes exactly.
pub fn game_seed(master_seed: u64, id: &str) -> u64 {
    let digest = Sha256::digest(format!("{master_seed}:{id}").as_bytes());
    let first = digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    first >> 11
}
