//! Schedules: which games a tournament comes to, in which order.
//!
//! A [`Schedule`] is arithmetic and holds no list of games: the pairing of any
//! index and the index of any id are computed when asked for, so a league of
//! ten million games takes no memory, and what has been played is
//! [one bit a game](Played).
//!
//! # What never changes
//!
//! - A game's id says what the game is: the bots in seat order and the
//!   how-manieth game of just these seats, joined by `~`: `greedy~random~1`.
//!   Adding bots or rounds renames no game, and neither does their order.
//! - A game's seed follows from the master seed and the id ([`game_seed`]).
//! - Only the index, the place in the order of play, depends on the field.

mod order;
mod played;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use sha2::{Digest, Sha256};

pub use played::{Marked, Played};

use crate::league::file::Tournament;
use crate::seat::{BySeat, MAX_SEATS};
use order::{Order, Slot};

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
    /// More games than can be kept count of.
    #[error("the schedule has more than {MOST_GAMES} games")]
    TooManyGames,
}

/// How many games it takes for everyone to meet everyone from every seat so
/// many times: `n (n-1) rounds` with two seats.
///
/// # Errors
/// Fewer bots than seats, or more than [`MOST_GAMES`].
pub fn number_of_games(bots: usize, seats: usize, rounds: u32) -> Result<u64, ScheduleError> {
    if bots < seats {
        return Err(ScheduleError::TooFewBots { bots, seats });
    }
    let mut games = u64::from(rounds);
    for taken in 0..seats {
        games = games.checked_mul((bots - taken) as u64).ok_or(ScheduleError::TooManyGames)?;
    }
    if games > MOST_GAMES { Err(ScheduleError::TooManyGames) } else { Ok(games) }
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
    /// The round, from 1: the how-manieth time that just these seats meet.
    pub round: u32,
    /// The game's seed.
    pub seed: u64,
}

/// Who meets whom, in which order.
#[derive(Clone, Debug)]
pub struct Schedule {
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    order: Order,
    games_a_round: u64,
    games: u64,
    master_seed: u64,
}

impl Schedule {
    /// A round robin: everyone meets everyone from every seat, `rounds` times.
    ///
    /// The names must differ from each other.
    ///
    /// # Errors
    /// Fewer bots than seats, or too many games.
    ///
    /// # Panics
    /// If a table can't have so many seats.
    pub fn round_robin(
        names: impl IntoIterator<Item = impl Into<String>>,
        seats: usize,
        rounds: u32,
        master_seed: u64,
    ) -> Result<Schedule, ScheduleError> {
        assert!((2..=MAX_SEATS).contains(&seats), "no table has {seats} seats");
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let games = number_of_games(names.len(), seats, rounds)?;
        let games_a_round = number_of_games(names.len(), seats, 1)?;
        let by_name = names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect();
        let order = Order::new(names.len(), seats);
        Ok(Schedule { names, by_name, order, games_a_round, games, master_seed })
    }

    /// The schedule of a tournament.
    ///
    /// # Errors
    /// None for a tournament that was read from a file: it has been checked.
    pub fn of(tournament: &Tournament) -> Result<Schedule, ScheduleError> {
        let names = tournament.bots.iter().map(|bot| bot.name.as_str());
        let seats = tournament.game.teams().seats();
        let mut schedule = Schedule::round_robin(names, seats, tournament.rounds, tournament.seed)?;
        schedule.games = schedule.games.min(tournament.most_games.unwrap_or(u64::MAX));
        Ok(schedule)
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The names of the bots, in the order that [`Pairing::bots`] counts by.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The game at a place in the order of play, counted from 0.
    pub fn pairing(&self, index: u64) -> Option<Pairing> {
        if index >= self.games {
            return None;
        }
        let round = u32::try_from(index / self.games_a_round).ok()? + 1;
        let bots = self.order.seating(index % self.games_a_round);
        let id = game_id(bots.values().map(|bot| self.names[*bot].as_str()), round);
        let seed = game_seed(self.master_seed, &id);
        Some(Pairing { index, id, bots, round, seed })
    }

    /// The place of a game in the order of play; none if it is no game of this schedule.
    pub fn index_of(&self, id: &str) -> Option<u64> {
        let (names, round) = id.rsplit_once('~')?;
        if round.starts_with(['0', '+']) {
            return None;
        }
        let round: u64 = round.parse().ok()?;
        let mut bots: Slot = Slot::new();
        for name in names.split('~') {
            let bot = *self.by_name.get(name)?;
            if bots.contains(&bot) {
                return None;
            }
            bots.try_push(bot).ok()?;
        }
        let place = self.order.index(&bots)?;
        let index = (round - 1).checked_mul(self.games_a_round)?.checked_add(place)?;
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
}

/// What a game is called: the bots in seat order and the how-manieth game of
/// just these seats, from 1.
pub fn game_id<'n>(bots: impl IntoIterator<Item = &'n str>, round: u32) -> String {
    let mut id = String::new();
    for bot in bots {
        id.push_str(bot);
        id.push('~');
    }
    id.push_str(&round.to_string());
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
