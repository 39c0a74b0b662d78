//! Schedules: the games of a tournament, and their order.
//!
//! A schedule receives the results so far and returns the next pairings. There are five kinds:
//!
//! - **round robin**: everyone meets everyone; **gauntlet**: some challengers meet all others. Neither holds a
//!   list of games: the pairing of any index and the index of any id are computed on demand, so a league of
//!   ten million games takes no memory, and the set of played games takes [one bit per game](Played).
//! - **Swiss** ([`swiss`]; pairs, or tables of three or four) and **knockout**: rounds that depend only on the
//!   results of earlier rounds. A run that resumes after a crash reads the results and gets the same pairings.
//! - **ladder**: endless; the next game is the one that is most informative about the ratings.
//!
//! # Rounds
//!
//! A round of a round robin or a gauntlet is the smallest number of games in which all pairings are played
//! from every seat, and every combination equally often:
//!
//! - two sides: each pair meets twice, and each of the two begins once;
//! - three or four seats: each combination of bots meets once with each of its members at seat 1: `a b c`, `b
//!   c a`, `c a b`. The order of the others changes from round to round: over two rounds, any two bots sit
//!   directly before each other equally often, and two rounds (six with four seats) contain every order once;
//! - teams: like two sides; the members of a team of two bots exchange seats in the return game and in the next
//!   round.
//!
//! The games of one meeting in a round form an *encounter*: one game with each entrant at seat 1. Knockouts and
//! ladders consist of encounters, and so does a Swiss unless it is configured for single games.
//!
//! # Invariants
//!
//! - A game's id consists of the bots in seat order and the number of the game among those with the same seats,
//!   joined by `~`: `greedy~random~1`. In a Swiss or a knockout, the round precedes it: `r3/greedy~random~1`.
//!   Additional bots or rounds rename no game, and neither does the order of the bots.
//! - A game's seed depends only on the master seed and the id ([`game_seed`]).
//! - Only the index, a game's place in the order of play, depends on the other entrants.

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
mod length;
mod matching;
mod pairing;
mod played;
mod rotations;
mod rounds;
pub mod swiss;
mod tie_breaks;

#[cfg(test)]
mod dynamic_tests;
#[cfg(test)]
mod seat_tests;
#[cfg(test)]
mod tests;

pub use balance::Imbalance;
pub use knockout::Decided;
pub use ladder::{MAX_LADDER_ENTRANTS, Reason};
pub use length::ScheduleError;
pub(crate) use length::max_games;
pub use pairing::{Extended, Length, Pairing, ToCome, game_id, game_seed};
pub use played::{Marked, Played};
pub use rounds::{MatchView, SwissView};
pub use swiss::MAX_SWISS_ENTRANTS;
pub use tie_breaks::TieBreaks;

use crate::file::{Entrant, ScheduleKind, Tournament};
use field::Field;
use fixed::Fixed;
use knockout::Deciding;
use ladder_games::LadderGames;
use length::number_of_games;
use linesman_types::seat::{BySeat, Place, Teams};
use rounds::Rounds;

/// Maximum number of games in a schedule.
pub const MAX_GAMES: u64 = 1_000_000_000;

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
    /// Rounds depend on earlier rounds.
    Rounds(Box<Rounds>),
    /// The next games depend on all earlier ones.
    Ladder(Box<LadderGames>),
}

impl Schedule {
    /// Creates a round robin of bots that play for themselves: everyone meets everyone from every seat, `rounds`
    /// times.
    ///
    /// The names must be distinct.
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

    /// Creates a round robin of entrants: in a game of two teams, teams of one or two of the named bots;
    /// otherwise bots. The names must be distinct, and so must the sets of bots of the teams.
    fn of_entrants(
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

    /// Creates the schedule of a tournament, before its first game.
    ///
    /// # Errors
    /// Too many or too few entrants, rounds or games. Tournaments read from a file have been checked for this.
    pub fn of(tournament: &Tournament) -> Result<Schedule, ScheduleError> {
        let names = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
        let teams = tournament.game.teams();
        let entrants = tournament.entrants.len();
        let (options, rounds) = (&tournament.pairing, tournament.rounds);
        let max_games = max_games(tournament.schedule, entrants, &teams, rounds, options)?;
        let field = Field::new(names, tournament.entrants.clone(), &teams, tournament.seed);
        let limit = tournament.max_games.unwrap_or(u64::MAX);
        let kind = match tournament.schedule {
            ScheduleKind::RoundRobin => {
                Kind::Fixed(Fixed::round_robin(entrants, teams.sides(), max_games).cut(limit))
            }
            ScheduleKind::Gauntlet => {
                let gauntlet = Fixed::gauntlet(entrants, &options.challengers, teams.sides(), max_games);
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
                Kind::Ladder(Box::new(LadderGames::new(entrants, teams.sides(), tournament.max_games)))
            }
        };
        Ok(Schedule { field, kind })
    }

    /// Total number of games.
    pub fn length(&self) -> Length {
        match &self.kind {
            Kind::Fixed(fixed) => Length::Exactly(fixed.games),
            Kind::Rounds(rounds) => rounds.length(),
            Kind::Ladder(games) => games.length(),
        }
    }

    /// Total number of games, or the maximum given the results so far; [`u64::MAX`] for an endless schedule.
    pub fn games(&self) -> u64 {
        self.length().most()
    }

    /// Number of games known so far: those that have an index.
    pub fn known(&self) -> u64 {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.games,
            Kind::Rounds(rounds) => rounds.known(),
            Kind::Ladder(games) => games.known(),
        }
    }

    /// True if all pairings are known before the first game.
    pub fn is_known_from_the_start(&self) -> bool {
        matches!(self.kind, Kind::Fixed(_))
    }

    /// The names of the bots, indexed by [`Pairing::bots`].
    pub fn names(&self) -> &[String] {
        &self.field.names
    }

    /// The entrants, indexed by [`Pairing::entrants`].
    pub fn entrants(&self) -> &[Entrant] {
        &self.field.entrants
    }

    /// Returns the game at a place in the order of play, counted from 0, if it is known.
    pub fn pairing(&self, index: u64) -> Option<Pairing> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.pairing(&self.field, index),
            Kind::Rounds(rounds) => rounds.pairing(&self.field, index),
            Kind::Ladder(games) => games.pairing(&self.field, index),
        }
    }

    /// Returns the place of a game in the order of play; `None` if it does not belong to this schedule or is
    /// not known yet.
    pub fn index_of(&self, id: &str) -> Option<u64> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.index_of(&self.field, id),
            Kind::Rounds(rounds) => rounds.index_of(id),
            Kind::Ladder(games) => games.index_of(&self.field, id),
        }
    }

    /// Returns the pairing that a game of a Swiss or a knockout with this unknown id would have, and whether the game
    /// can still occur; `None` if this schedule can't have such an id. The index of the pairing has no meaning.
    pub fn possible_pairing(&self, id: &str) -> Option<(Pairing, ToCome)> {
        match &self.kind {
            Kind::Rounds(rounds) => rounds.possible_pairing(&self.field, id),
            Kind::Fixed(_) | Kind::Ladder(_) => None,
        }
    }

    /// Returns the place of a game that has been played. A ladder adds the game if it does not know it yet.
    pub fn take_up(&mut self, id: &str) -> Option<u64> {
        match &mut self.kind {
            Kind::Ladder(games) => games.take_up(&self.field, id),
            _ => self.index_of(id),
        }
    }

    /// Enters the result of a game; `None` if it has no result and is not replayed. Must be called once per
    /// game. Afterwards, the games that follow from the result are known.
    pub fn enter(&mut self, index: u64, places: Option<&BySeat<Place>>) {
        match &mut self.kind {
            Kind::Fixed(_) => {}
            Kind::Rounds(rounds) => rounds.enter(&self.field, index, places),
            Kind::Ladder(games) => games.enter(&self.field, index, places),
        }
    }

    /// Plans more games, without these bots, if that requires no further results.
    pub fn extend(&mut self, withdrawn: &[usize]) -> Extended {
        match &mut self.kind {
            Kind::Fixed(_) | Kind::Rounds(_) => Extended::No,
            Kind::Ladder(games) => games.extend(&self.field, withdrawn),
        }
    }

    /// Returns all known games, in the order of play.
    pub fn iter(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.known()).filter_map(|index| self.pairing(index))
    }

    /// Returns the known games that have not been played, in the order of play.
    pub fn missing<'s>(&'s self, played: &'s Played) -> impl Iterator<Item = Pairing> + 's {
        played.missing().chain(played.size()..self.known()).filter_map(|index| self.pairing(index))
    }

    /// Creates an empty set of played games.
    pub fn nothing_played(&self) -> Played {
        let mut played = Played::default();
        played.grow(self.known());
        played
    }

    /// Returns the imbalance at the end of the schedule; `None` after whole rounds, and for an imbalance that one
    /// game more or less would remove.
    pub fn imbalance(&self) -> Option<Imbalance> {
        match &self.kind {
            Kind::Fixed(fixed) => fixed.imbalance(&self.field),
            // These consist of encounters, or their pairings balance the seats.
            Kind::Rounds(_) | Kind::Ladder(_) => None,
        }
    }

    /// The current state of a Swiss; `None` for other schedules.
    pub fn swiss(&self) -> Option<SwissView<'_>> {
        let Kind::Rounds(rounds) = &self.kind else { return None };
        rounds.swiss_view()
    }

    /// The matches of a knockout, round by round; `None` for other schedules.
    pub fn bracket(&self) -> Option<Vec<Vec<MatchView>>> {
        let Kind::Rounds(rounds) = &self.kind else { return None };
        rounds.bracket()
    }

    /// Returns the first games of the next encounters of a ladder if no more results arrive, with the reasons;
    /// `None` for other schedules.
    pub fn preview(&self, encounters: usize) -> Option<Vec<(Pairing, Reason)>> {
        let Kind::Ladder(games) = &self.kind else { return None };
        Some(games.preview(&self.field, encounters))
    }
}
