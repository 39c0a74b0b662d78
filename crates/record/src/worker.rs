//! The worker that played a game, and the times that bots have on a machine of its speed.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::format::GameRecord;
use linesman_types::time_control::{TimeControl, TimeScale};

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
    /// The factor of the times of this worker's games; `None` if they are those of the tournament file.
    pub fn time_scale(&self) -> Option<TimeScale> {
        Some(TimeScale { reference: self.reference_speed?, own: self.speed? })
    }
}

impl GameRecord {
    /// Enters the worker that played the game, and makes the time controls of the tournament file its own.
    pub fn set_worker(&mut self, worker: WorkerRecord) {
        if let Some(scale) = worker.time_scale() {
            let of_seats = self.seats.iter_mut().map(|seat| &mut seat.time_control);
            for text in std::iter::once(&mut self.time_control).chain(of_seats).flatten() {
                if let Ok(control) = text.parse::<TimeControl>() {
                    *text = control.scaled(scale).to_string();
                }
            }
        }
        self.worker = Some(worker);
    }
}
