//! Packs of games.

use serde::{Deserialize, Serialize};

use super::message::{MAX_GAMES, MAX_NAME, Unreadable, WireMessage, bounded, is_default};
use linesman_league::dispatcher::Assignment;
use linesman_league::schedule::Pairing;
use linesman_types::seat::BySeat;

/// A game to be played.
#[derive(Clone, Eq, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PackedGame {
    /// The index in the schedule.
    pub index: u64,
    pub id: String,
    /// The number of this attempt at the game, from 1.
    #[serde(rename = "try")]
    pub attempt: u32,
    /// The number of this attempt in this run, from 1.
    pub try_of_run: u32,
    /// The bots in seat order, as indices into the tournament's bots.
    pub bots: Vec<usize>,
    /// The entrants in seat order, as indices into the tournament's entrants.
    pub entrants: Vec<usize>,
    /// The number of games with exactly this seating so far, this one included.
    pub times: u64,
    pub encounter: u64,
    pub seed: u64,
    /// The number of times that the game was played before; 0 unless it is a repeat.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: u32,
    /// The owners whose workers have played the game and must not play the repeat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<String>,
}

impl PackedGame {
    pub fn of(assignment: &Assignment) -> PackedGame {
        let pairing = &assignment.pairing;
        PackedGame {
            index: pairing.index,
            id: pairing.id.clone(),
            attempt: assignment.attempt,
            try_of_run: assignment.try_of_run,
            bots: pairing.bots.values().copied().collect(),
            entrants: pairing.entrants.values().copied().collect(),
            times: pairing.times,
            encounter: pairing.encounter,
            seed: pairing.seed,
            repeat: 0,
            not_for: Vec::new(),
        }
    }

    /// Returns the assignment, in a tournament with these numbers of bots, of entrants, and of seats of a game.
    ///
    /// # Errors
    /// A game that can't be one of that tournament.
    pub fn assignment(&self, bots: usize, entrants: usize, seats: usize) -> Result<Assignment, Unreadable> {
        let all_below =
            |all: &[usize], number: usize| all.len() == seats && all.iter().all(|index| *index < number);
        bounded("bots", all_below(&self.bots, bots))?;
        bounded("entrants", all_below(&self.entrants, entrants))?;
        let by_seat =
            |all: &[usize]| BySeat::from_values(all.iter().copied()).ok_or(Unreadable::OutOfBounds("bots"));
        Ok(Assignment {
            pairing: Pairing {
                index: self.index,
                id: self.id.clone(),
                bots: by_seat(&self.bots)?,
                entrants: by_seat(&self.entrants)?,
                times: self.times,
                encounter: self.encounter,
                seed: self.seed,
            },
            attempt: self.attempt,
            try_of_run: self.try_of_run,
        })
    }

    /// Returns the key that identifies this attempt at the game.
    pub fn key(&self) -> GameKey {
        GameKey { id: self.id.clone(), attempt: self.attempt, repeat: self.repeat }
    }
}

/// The key of an attempt at a game of a league.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey {
    pub id: String,
    /// The number of the attempt, from 1.
    #[serde(rename = "try")]
    pub attempt: u32,
    /// The number of times that the game was played before; 0 unless it is a repeat.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repeat: u32,
}

/// Games for one worker.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pack {
    /// The version of the messages.
    pub v: u32,
    pub id: String,
    /// The digest of the plan of the games.
    pub plan: String,
    pub games: Vec<PackedGame>,
}

impl WireMessage for Pack {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("id", self.id.len() <= MAX_NAME)?;
        bounded("games", (1..=MAX_GAMES).contains(&self.games.len()))?;
        self.games.iter().try_for_each(|game| bounded("games.id", game.id.len() <= MAX_NAME))
    }
}
