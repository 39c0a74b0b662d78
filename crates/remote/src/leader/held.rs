//! Results of games that `GameSource::next` has not returned yet, but may still return.

use std::collections::BTreeMap;
use std::time::Duration;

use super::inbox::CompleteReport;
use crate::wire::GameKey;

/// Maximum number of results that are held.
const MAX_HELD: usize = 1_000;

/// Time for which a result is held.
const HELD_FOR: Duration = Duration::from_secs(60);

/// The results, each with the time of its arrival.
#[derive(Default)]
pub(super) struct HeldResults(BTreeMap<GameKey, (CompleteReport, Duration)>);

impl HeldResults {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.0.len() >= MAX_HELD
    }

    /// Holds a result. Returns a different result of the same game that was held before, if there was one.
    pub(super) fn add(
        &mut self,
        at: Duration,
        key: GameKey,
        result: CompleteReport,
    ) -> Option<CompleteReport> {
        if let Some((held, _)) = self.0.get_mut(&key)
            && (&held.worker, &held.report) == (&result.worker, &result.report)
        {
            // The same result was delivered again: its last delivery is the one to acknowledge.
            held.deliveries = result.deliveries;
            return None;
        }
        self.0.insert(key, (result, at)).map(|(before, _)| before)
    }

    pub(super) fn take(&mut self, key: &GameKey) -> Option<CompleteReport> {
        self.0.remove(key).map(|(result, _)| result)
    }

    /// Takes the results that have been held for longer than [`HELD_FOR`].
    pub(super) fn take_expired(&mut self, at: Duration) -> Vec<(GameKey, CompleteReport)> {
        let old = self.0.extract_if(.., |_, (_, since)| at.saturating_sub(*since) > HELD_FOR);
        old.map(|(key, (result, _))| (key, result)).collect()
    }
}
