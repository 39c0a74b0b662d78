//! The messages that announce a league and its plan.

use serde::{Deserialize, Serialize};

use super::message::{MAX_NAME, MAX_PARTS, Unreadable, WireMessage, bounded};
use super::subjects::is_token;

/// Announces that a league is being led, and identifies the stream of its packs.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Announcement {
    /// The version of the messages.
    pub v: u32,
    /// The part of the subjects that names the league.
    pub league: String,
    /// The league's name, for people.
    pub name: String,
    /// The number of the stream of packs.
    pub epoch: u64,
    /// The digest of the plan.
    pub plan: String,
    /// The number of pieces of the plan.
    pub pieces: u32,
    /// Time after which an unacknowledged pack is delivered again, in milliseconds.
    pub ack_wait_ms: u64,
    /// The order to the workers.
    pub order: LeaderOrder,
    /// The workers whose results are refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// The instances of workers that are set aside, because they annulled too many games.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<u64>,
    /// Maximum time between two status messages of a worker, in milliseconds.
    #[serde(rename = "word_ms")]
    pub status_ms: u64,
}

/// An order of a leader to its workers.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderOrder {
    Play,
    /// Finish the running games, and give back the games that have not started.
    Finish,
    /// Break off the running games.
    Abort,
    /// Nothing: the league is over.
    Over,
}

impl WireMessage for Announcement {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("league", is_token(&self.league))?;
        bounded("name", self.name.len() <= MAX_NAME)?;
        bounded("word_ms", (100..=3_600_000).contains(&self.status_ms))?;
        bounded("ack_wait_ms", (100..=3_600_000).contains(&self.ack_wait_ms))?;
        bounded("pieces", (1..=MAX_PARTS).contains(&self.pieces))
    }
}

/// A worker's request for a piece of the plan.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ask {
    /// The version of the messages.
    pub v: u32,
    /// The digest of the plan.
    pub plan: String,
    /// The piece, from 0.
    pub piece: u32,
}

impl WireMessage for Ask {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("piece", self.piece < MAX_PARTS)
    }
}
