//! Counts of games by the worker that played them.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU64;

use crate::worker::WorkerRecord;
use crate::{Ended, Outcome};
use linesman_types::seat::Teams;

/// Counts games by worker; games that one machine played by itself are not counted.
#[derive(Clone, Debug, Default)]
pub struct WorkerTally(BTreeMap<String, WorkerGames>);

/// The games of one worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkerGames {
    /// The number of games with a result.
    pub games: u64,
    /// The number of attempts that the worker's machine spoiled.
    pub void: u64,
    /// The number of games in which a bot failed.
    pub failed: u64,
    /// The minimum and maximum speed in these games, in positions per second.
    pub speeds: Option<(NonZeroU64, NonZeroU64)>,
    /// The number of games by their bots (or teams) in seat order and their places.
    pub meetings: HashMap<(Vec<String>, Vec<u8>), u64>,
}

impl WorkerTally {
    /// Counts a game of a worker.
    pub fn add(&mut self, worker: &WorkerRecord, outcome: &Outcome<'_>, teams: &Teams) {
        let games = self.0.entry(worker.name.clone()).or_default();
        if let Some(speed) = worker.speed {
            let (slowest, fastest) = games.speeds.unwrap_or((speed, speed));
            games.speeds = Some((slowest.min(speed), fastest.max(speed)));
        }
        match &outcome.result {
            Ended::VoidHost => games.void += 1,
            Ended::Void => games.failed += u64::from(!outcome.faults.is_empty()),
            Ended::Places(_) => {
                games.games += 1;
                games.failed += u64::from(!outcome.faults.is_empty());
                if outcome.bots.seats() == teams.seats() {
                    let sides = outcome.by_sides(teams);
                    let Some(places) = sides.places() else { return };
                    let names = sides.bots.values().map(ToString::to_string).collect();
                    let places = places.values().map(|place| u8::try_from(place.number()).unwrap_or(u8::MAX));
                    *games.meetings.entry((names, places.collect())).or_default() += 1;
                }
            }
        }
    }

    /// Registers a worker, which may have no games.
    pub fn know(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_default();
    }

    /// The workers, sorted by name.
    pub fn workers(&self) -> impl ExactSizeIterator<Item = (&str, &WorkerGames)> {
        self.0.iter().map(|(name, games)| (name.as_str(), games))
    }

    /// The number of workers.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if no game was played by a worker.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
