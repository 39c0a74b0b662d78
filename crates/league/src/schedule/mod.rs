//! Schedules: which games a tournament comes to, in which order.
//!
//! A schedule is asked for the next pairings and told the results so far. Of
//! five kinds:
//!
//! - **round robin**: everyone meets everyone; **gauntlet**: some challengers
//!   meet all others. Both are arithmetic and hold no list of games: the pairing
//!   of any index and the index of any id are computed when asked for, so a
//!   league of ten million games takes no memory, and what has been played is
//!   [one bit a game](Played).
//! - **Swiss** ([`swiss`]; pairs, or tables of three or four) and **knockout**: rounds that follow from the results
//!   of the rounds before, and from nothing else. A run that goes on after a
//!   crash reads the results and comes to the same pairings.
//! - **ladder**: without end; the next to meet are those whose games tell most.
//!
//! # What a round is
//!
//! In a round robin and a gauntlet the smallest number of games in which all
//! who meet do so from every seat, and every combination equally often:
//!
//! - two sides: each pair meets twice, each of the two beginning once;
//! - three or four seats: each combination of bots meets once for each of its
//!   members at each seat: `a b c`, `b c a`, `c a b`. In which order the others
//!   sit changes from round to round: two rounds balance who sits before whom,
//!   and two (six with four seats) hold every order of seats once;
//! - teams: as two sides; of a team of two bots the other one sits first in
//!   the return game and in the next round.
//!
//! What those who meet play in a round is an *encounter*: a game for each of
//! them at seat 1. Knockouts and ladders consist of encounters, and so does a
//! Swiss unless single games are asked for.
//!
//! # What never changes
//!
//! - A game's id says what the game is: the bots in seat order and the
//!   how-manieth game of just these seats, joined by `~`: `greedy~random~1`;
//!   in rounds of a Swiss or a knockout behind the round: `r3/greedy~random~1`.
//!   Adding bots or rounds renames no game, and neither does their order.
//! - A game's seed follows from the master seed and the id ([`game_seed`]).
//! - Only the index, the place in the order of play, depends on the field.

mod arrangement;
mod balance;
mod circle;
mod field;
mod fixed;
mod gauntlet;
mod knockout;
mod ladder;
mod ladder_games;
mod ladder_ratings;
mod limits;
pub mod matching;
mod pairing;
mod played;
mod rotations;
mod rounds;
pub mod swiss;
pub mod tie_breaks;

#[cfg(test)]
mod dynamic_tests;
#[cfg(test)]
mod seat_tests;
#[cfg(test)]
mod tests;

pub use balance::Imbalance;
pub use knockout::Decided;
pub use ladder::{MOST_IN_LADDER, Reason};
pub use limits::{MaxGames, ScheduleError, number_of_games};
pub use pairing::{Extended, Length, Pairing, ToCome, game_id, game_seed};
pub use played::{Marked, Played};
pub use rounds::{MatchView, SwissView};
pub use swiss::MOST_IN_SWISS;

use crate::file::{Entrant, ScheduleKind, Tournament};
use field::Field;
use fixed::Fixed;
use knockout::Deciding;
use ladder_games::LadderGames;
use linesman_types::seat::{BySeat, Place, Teams};
use rounds::Rounds;

/// The most games that a schedule may have.
pub const MOST_GAMES: u64 = 1_000_000_000;

/// The pairings of a tournament, in their order.
#[derive(Clone, Debug)]
pub struct Schedule {
    field: Field,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// All games are known from the start.
    Fixed(Fixed),
    /// Rounds follow from rounds.
    Rounds(Box<Rounds>),
    /// The next games follow from all before.
    Ladder(Box<LadderGames>),
}

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
        let entrant =
            |(bot, name): (usize, &String)| Entrant { name: name.clone(), bots: vec![bot], elo: None };
        let entrants = names.iter().enumerate().map(entrant).collect();
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
        entrants: Vec<Entrant>,
        teams: &Teams,
        rounds: u32,
        master_seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        let games = number_of_games(entrants.len(), teams, rounds)?;
        let fixed = Fixed::round_robin(entrants.len(), teams.sides(), games);
        let field = Field::new(names, entrants, teams, master_seed);
        Ok(Schedule { field, kind: Kind::Fixed(fixed) })
    }

    /// The schedule of a tournament, before its first game.
    ///
    /// # Errors
    /// None for a tournament that was read from a file: it has been checked.
    pub fn of(tournament: &Tournament) -> Result<Schedule, ScheduleError> {
        let names = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let teams = tournament.game.teams();
        let number = tournament.entrants.len();
        let most = MaxGames::of(tournament)?;
        let field = Field::new(names, tournament.entrants.clone(), &teams, tournament.seed);
        let (options, rounds) = (&tournament.pairing, tournament.rounds);
        let limit = tournament.most_games.unwrap_or(u64::MAX);
        let kind = match tournament.schedule {
            ScheduleKind::RoundRobin => {
                Kind::Fixed(Fixed::round_robin(number, teams.sides(), most.games()).cut(limit))
            }
            ScheduleKind::Gauntlet => {
                let gauntlet = Fixed::gauntlet(number, &options.challengers, teams.sides(), most.games());
                Kind::Fixed(gauntlet.cut(limit))
            }
            ScheduleKind::Swiss => {
                Kind::Rounds(Box::new(Rounds::swiss(&field, tournament.seeds(), rounds, options.unit)))
            }
            ScheduleKind::Knockout => {
                let deciding = Deciding { best_of: options.best_of, sudden_death: options.sudden_death };
                Kind::Rounds(Box::new(Rounds::knockout(&field, tournament.seeds(), deciding)))
            }
            ScheduleKind::Ladder => {
                Kind::Ladder(Box::new(LadderGames::new(number, teams.sides(), tournament.most_games)))
            }
        };
        Ok(Schedule { field, kind })
    }

    /// Number of games in the end.
    pub fn length(&self) -> Length {
        match &self.kind {
            Kind::Fixed(fixed) => Length::Exactly(fixed.games()),
            Kind::Rounds(rounds) => rounds.length(),
            Kind::Ladder(games) => games.length(),
        }
    }

    /// Number of games in the end, or at most as far as is known now;
    /// [`u64::MAX`] if there is no end.
    pub fn games(&self) -> u64 {
        self.length().most()
    }

    /// Number of games that are known by now: those that have an index.
    pub fn known(&self) -> u64 {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.games(),
            Kind::Rounds(rounds) => rounds.known(),
            Kind::Ladder(games) => games.known(),
        }
    }

    /// Returns true if all pairings are known before the first game.
    pub fn is_known_from_the_start(&self) -> bool {
        matches!(self.kind, Kind::Fixed(_))
    }

    /// The names of the bots, in the order that [`Pairing::bots`] counts by.
    pub fn names(&self) -> &[String] {
        self.field.names()
    }

    /// The entrants, in the order by which [`Pairing::entrants`] counts.
    pub fn entrants(&self) -> &[Entrant] {
        self.field.entrants()
    }

    /// The game at a place in the order of play, counted from 0, if it is known.
    pub fn pairing(&self, index: u64) -> Option<Pairing> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.pairing(&self.field, index),
            Kind::Rounds(rounds) => rounds.pairing(&self.field, index),
            Kind::Ladder(games) => games.pairing(&self.field, index),
        }
    }

    /// The place of a game in the order of play; none if it is no game of this
    /// schedule, or not known yet.
    pub fn index_of(&self, id: &str) -> Option<u64> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.index_of(&self.field, id),
            Kind::Rounds(rounds) => rounds.index_of(id),
            Kind::Ladder(games) => games.index_of(&self.field, id),
        }
    }

    /// The game of an id that is not known, as it would be if a round of a Swiss or a knockout
    /// brought it, and whether one still may; none if it can be no game of this schedule. Its
    /// index says nothing.
    pub fn possible_pairing(&self, id: &str) -> Option<(Pairing, ToCome)> {
        match &self.kind {
            Kind::Rounds(rounds) => rounds.possible_pairing(&self.field, id),
            Kind::Fixed(_) | Kind::Ladder(_) => None,
        }
    }

    /// The place of a game that has been played. A ladder takes up what it does
    /// not know yet: what was played has been decided.
    pub fn take_up(&mut self, id: &str) -> Option<u64> {
        match &mut self.kind {
            Kind::Ladder(games) => games.take_up(&self.field, id),
            _ => self.index_of(id),
        }
    }

    /// Takes what a game came to; none = it has no result for good. To be told
    /// once of each game. What follows from it is known afterwards.
    pub fn enter(&mut self, index: u64, places: Option<&BySeat<Place>>) {
        match &mut self.kind {
            Kind::Fixed(_) => {}
            Kind::Rounds(rounds) => rounds.enter(&self.field, index, places),
            Kind::Ladder(games) => games.enter(&self.field, index, places),
        }
    }

    /// Plans more games where that needs no more results, leaving out these
    /// bots. Says whether there are more games now.
    pub fn extend(&mut self, withdrawn: &[usize]) -> Extended {
        match &mut self.kind {
            Kind::Fixed(_) | Kind::Rounds(_) => Extended::No,
            Kind::Ladder(games) => games.extend(&self.field, withdrawn),
        }
    }

    /// All games that are known, in the order of play.
    pub fn iter(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.known()).filter_map(|index| self.pairing(index))
    }

    /// The known games that have not been played, in the order of play.
    pub fn missing<'s>(&'s self, played: &'s Played) -> impl Iterator<Item = Pairing> + 's {
        played.missing().chain(played.size()..self.known()).filter_map(|index| self.pairing(index))
    }

    /// A fresh count of what has been played: nothing.
    pub fn nothing_played(&self) -> Played {
        let mut played = Played::default();
        played.grow(self.known());
        played
    }

    /// The imbalance at the end of the schedule: none after whole rounds, and none that one game more or less
    /// would remove.
    pub fn imbalance(&self) -> Option<Imbalance> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.imbalance(&self.field),
            // They consist of encounters, or balance seats themselves.
            Kind::Rounds(_) | Kind::Ladder(_) => None,
        }
    }

    /// The Swiss as it stands, if it is one.
    pub fn swiss(&self) -> Option<SwissView<'_>> {
        match &self.kind {
            Kind::Rounds(rounds) => rounds.swiss_view(),
            _ => None,
        }
    }

    /// The matches of a knockout, round by round; none if it is none.
    pub fn bracket(&self) -> Option<Vec<Vec<MatchView>>> {
        match &self.kind {
            Kind::Rounds(rounds) => rounds.bracket(),
            _ => None,
        }
    }

    /// The reason why those of the next encounters of a ladder would meet, and their first
    /// games, if no more results came in; none if it is no ladder.
    pub fn preview(&self, encounters: usize) -> Option<Vec<(Pairing, Reason)>> {
        match &self.kind {
            Kind::Ladder(games) => Some(games.preview(&self.field, encounters)),
            _ => None,
        }
    }
}
