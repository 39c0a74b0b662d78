//! The status messages of workers.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::message::{MAX_REASON, Unreadable, WireMessage, bounded};
use super::pack::GameKey;

/// Maximum number of games that a worker plays at once: its status messages list all of them.
pub const MAX_SLOTS: u32 = 4_096;

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// The version of the messages.
    pub v: u32,
    /// A number that distinguishes this process from others of the same name.
    pub instance: u64,
    /// The number of games that it plays at once.
    pub slots: u32,
    /// The games that it is playing.
    pub running: Vec<GameKey>,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of games that were broken off or could not be reported, and of packs that could not be read.
    pub faults: u64,
    /// The speed of one core of its machine, in positions per second; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<NonZeroU64>,
    /// The time by its clock, in milliseconds since 1970, UTC; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// The news since its last message.
    #[serde(rename = "said")]
    pub news: Vec<WorkerNews>,
}

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum WorkerNews {
    /// It gives back a pack that it can't play.
    Refused {
        /// The id of the pack.
        pack: String,
        why: String,
    },
    /// It gives back a pack of which it has reported no game.
    Returned {
        /// The id of the pack.
        pack: String,
    },
    /// It can't play this league.
    CantPlay { why: String },
    /// Its machine is overloaded: it gives back the games that have not started, and plays fewer games at once.
    Overloaded { why: String },
    /// It ends.
    Leaves,
}

impl WireMessage for WorkerStatus {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("running", self.running.len() <= MAX_SLOTS as usize)?;
        bounded("said", self.news.len() <= 4_096)?;
        self.news.iter().try_for_each(|news| match news {
            WorkerNews::Refused { why, .. }
            | WorkerNews::CantPlay { why }
            | WorkerNews::Overloaded { why } => bounded("said.why", why.len() <= MAX_REASON),
            WorkerNews::Returned { .. } | WorkerNews::Leaves => Ok(()),
        })
    }
}
