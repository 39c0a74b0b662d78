//! A game of a schedule with its id and seed, and the length of a schedule.

use std::fmt;

use sha2::{Digest, Sha256};

use linesman_types::seat::BySeat;

/// A game of a schedule.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Pairing {
    /// Its place in the order of play, from 0.
    pub index: u64,
    /// Its id: `greedy~random~1`.
    pub id: String,
    /// The bot in each seat, as an index into the tournament's bots.
    pub bots: BySeat<usize>,
    /// The entrant in each seat, as an index into the tournament's entrants.
    pub entrants: BySeat<usize>,
    /// The number of this game, from 1, among those with the same bots in the same seats (in a Swiss or a knockout,
    /// of the same round).
    pub times: u64,
    /// The number of its encounter among those of these entrants, from 1. In a Swiss it follows from the round, in a
    /// knockout from the round and the encounter of the match.
    pub encounter: u64,
    pub seed: u64,
}

/// Number of games of a schedule.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Length {
    Exactly(u64),
    /// At most this number; fewer if matches or a test are decided early.
    AtMost(u64),
    /// No limit: the run continues until it is stopped.
    Endless,
}

impl Length {
    /// The maximum number of games; [`u64::MAX`] for an endless schedule.
    pub fn most(self) -> u64 {
        match self {
            Length::Exactly(games) | Length::AtMost(games) => games,
            Length::Endless => u64::MAX,
        }
    }

    /// The number of played games in words: `3 of 12 games`.
    pub fn after(self, done: u64) -> String {
        match self {
            Length::Endless => format!("{done} game{}", if done == 1 { "" } else { "s" }),
            length => format!("{done} of {length}"),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::Exactly(games) => write!(f, "{games} games"),
            Length::AtMost(games) => write!(f, "at most {games} games"),
            Length::Endless => f.write_str("unlimited games"),
        }
    }
}

/// The prospect of a game that is not known yet.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum ToCome {
    /// Its round is not paired yet, or its match not decided yet.
    Perhaps,
    /// Its round was paired differently, or its match was decided.
    Never,
}

/// The result of planning more games.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Extended {
    /// There are more games.
    Yes,
    /// There are no more games, or none before more results have arrived.
    No,
}

/// Returns the id of a game from its bots in seat order and its number among the games with the same bots in the same
/// seats, from 1.
pub fn game_id<'n>(bots: impl IntoIterator<Item = &'n str>, number: u64) -> String {
    let number = number.to_string();
    bots.into_iter().flat_map(|bot| [bot, "~"]).chain([number.as_str()]).collect()
}

/// Returns a game's seed: the first 53 bits of the SHA-256 of the master seed in decimal, a colon and the game's id:
/// `1:greedy~random~1`.
///
/// Every JSON parser represents integers of up to 53 bits exactly.
pub fn game_seed(master_seed: u64, id: &str) -> u64 {
    let digest = Sha256::digest(format!("{master_seed}:{id}").as_bytes());
    let first = digest.iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    first >> 11
}
