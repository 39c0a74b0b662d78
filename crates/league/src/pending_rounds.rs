//! Records of games of a Swiss or a knockout whose rounds have not been paired yet, because records of earlier rounds
//! were deleted and their games are played again.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use crate::schedule::{Schedule, ToCome};
use linesman_record::{Line, OwnedLine};

/// Records of games that may occur in later rounds, by their ids.
#[derive(Clone, Debug, Default)]
pub struct PendingRounds {
    by_id: HashMap<String, Vec<OwnedLine>>,
}

impl PendingRounds {
    /// Keeps a record of the game with this id.
    pub fn hold(&mut self, id: &str, line: &Line<'_>) {
        self.by_id.entry(id.to_owned()).or_default().push(line.to_owned_line());
    }

    /// Takes the records of a game, in the order of the file.
    pub fn take(&mut self, id: &str) -> Vec<OwnedLine> {
        self.by_id.remove(id).unwrap_or_default()
    }

    /// Takes the records of games that can no longer occur, in the order of the file.
    pub fn take_impossible(&mut self, schedule: &Schedule) -> Vec<OwnedLine> {
        let may_come = |id: &str| matches!(schedule.possible_pairing(id), Some((_, ToCome::Perhaps)));
        let impossible: Vec<String> = self.by_id.keys().filter(|id| !may_come(id)).cloned().collect();
        let mut lines: Vec<OwnedLine> = impossible.iter().flat_map(|id| self.take(id)).collect();
        lines.sort_by_key(|held| held.line().place().line);
        lines
    }

    /// Returns all records, in the order of the file.
    pub fn lines(&self) -> Vec<&OwnedLine> {
        let mut lines: Vec<&OwnedLine> = self.by_id.values().flatten().collect();
        lines.sort_by_key(|held| held.line().place().line);
        lines
    }

    /// Returns the number of games that have records.
    pub fn games(&self) -> u64 {
        self.by_id.len() as u64
    }

    /// Returns the first and the last round of these games, counted from 1; `None` if there are none.
    pub fn rounds(&self) -> Option<RangeInclusive<u64>> {
        let rounds = || self.by_id.keys().filter_map(|id| round_of(id));
        Some(rounds().min()?..=rounds().max()?)
    }
}

/// Returns the round of a Swiss or a knockout that a game's id names, from 1.
pub fn round_of(id: &str) -> Option<u64> {
    id.strip_prefix('r')?.split_once('/')?.0.parse().ok()
}
