//! The worker that played a game, and the scale of its time controls.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use linesman_types::time_control::TimeScale;

/// The worker that played a game of a league whose games are played over a network.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
pub struct WorkerRecord {
    /// The worker's name, which is that of its user at the broker.
    pub name: String,
    /// The speed of one core of its machine, as it was last measured before the game: positions of a fixed
    /// calculation in a second of CPU time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<NonZeroU64>,
    /// The `reference_speed` of the tournament file. The time controls of this record are those of the tournament
    /// file times `reference_speed / speed`, in whole milliseconds, rounded up. Missing if they are the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_speed: Option<NonZeroU64>,
    /// If the record is a repeat of a game that another worker has played: the number of times that it was played
    /// before. Repeats do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
}

impl WorkerRecord {
    /// The scale of the times in this worker's games; `None` if they are those of the tournament file.
    pub fn time_scale(&self) -> Option<TimeScale> {
        Some(TimeScale { reference: self.reference_speed?, own: self.speed? })
    }
}
