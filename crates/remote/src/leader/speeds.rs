//! The speeds that workers announce, compared with those in the records of their games.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use linesman_league::leader_notice::LeaderNotice;

/// Maximum difference between the speed in a record and the nearest announced speed, in percent of the latter.
const MAX_DIFFERENCE_PERCENT: u128 = 25;

/// Time within which a worker announces a new speed. A speed in a record that is not announced by then was not measured
/// by the worker. Until then, a status message sent before the game ended may still arrive after the record.
const ANNOUNCED_WITHIN: Duration = Duration::from_secs(1);

/// The speeds that workers announced, by name.
#[derive(Default)]
pub(super) struct AnnouncedSpeeds(BTreeMap<String, WorkerSpeeds>);

struct WorkerSpeeds {
    /// The lowest and highest announced speed: machines may change theirs, and several may share a name.
    lowest: NonZeroU64,
    highest: NonZeroU64,
    /// The speed in a record that differs from the announced speeds, with the time of its arrival. A status message of
    /// the worker decides about it.
    odd: Option<(NonZeroU64, Duration)>,
    is_reported: bool,
}

impl WorkerSpeeds {
    /// Returns the announced speed nearest to `speed` if they differ by too much.
    fn far_from(&self, speed: NonZeroU64) -> Option<NonZeroU64> {
        let nearest = speed.clamp(self.lowest, self.highest);
        let difference = u128::from(nearest.get().abs_diff(speed.get())) * 100;
        (difference > u128::from(nearest.get()) * MAX_DIFFERENCE_PERCENT).then_some(nearest)
    }
}

impl AnnouncedSpeeds {
    /// Notes the speed in the record of a worker's game.
    pub(super) fn played(&mut self, at: Duration, worker: &str, speed: NonZeroU64) {
        if let Some(speeds) = self.0.get_mut(worker)
            && !speeds.is_reported
            && speeds.odd.is_none()
            && speeds.far_from(speed).is_some()
        {
            speeds.odd = Some((speed, at));
        }
    }

    /// Notes the speed that a worker announces. Returns a notice if one of its records had a different one.
    pub(super) fn heard(&mut self, at: Duration, worker: &str, speed: NonZeroU64) -> Option<LeaderNotice> {
        let fresh = || WorkerSpeeds { lowest: speed, highest: speed, odd: None, is_reported: false };
        let speeds = self.0.entry(worker.to_owned()).or_insert_with(fresh);
        (speeds.lowest, speeds.highest) = (speeds.lowest.min(speed), speeds.highest.max(speed));
        let (recorded, _) = speeds.odd.take_if(|(_, since)| at.saturating_sub(*since) >= ANNOUNCED_WITHIN)?;
        let announced = speeds.far_from(recorded)?;
        speeds.is_reported = true;
        Some(LeaderNotice::OtherSpeed { worker: worker.to_owned(), announced, recorded })
    }
}
