//! The speeds that workers announce, beside those in the records of their games.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use linesman_league::leader_notice::LeaderNotice;

/// Maximum difference between the speed in a record and the nearest announced one, in percent of the latter.
const MOST_OFF: u128 = 25;

/// Time within which a worker announces a new speed. A record's speed that is not announced by then is none that the
/// worker measured. A status message sent before the game ended may arrive after the record.
const ANNOUNCED_WITHIN: Duration = Duration::from_secs(1);

/// The speeds that workers announced, by name.
#[derive(Default)]
pub(super) struct AnnouncedSpeeds(BTreeMap<String, WorkerSpeeds>);

struct WorkerSpeeds {
    /// The lowest and the highest announced speed: a machine may become slower or faster, and several machines may
    /// share a name.
    least: NonZeroU64,
    most: NonZeroU64,
    /// The speed in a record that differs from the announced ones, with the time of its arrival, until the worker's
    /// next status message.
    odd: Option<(NonZeroU64, Duration)>,
    is_told: bool,
}

impl WorkerSpeeds {
    /// The announced speed nearest to `speed`, if they differ by too much.
    fn far_from(&self, speed: NonZeroU64) -> Option<NonZeroU64> {
        let nearest = speed.clamp(self.least, self.most);
        let off = u128::from(nearest.get().abs_diff(speed.get())) * 100;
        (off > u128::from(nearest.get()) * MOST_OFF).then_some(nearest)
    }
}

impl AnnouncedSpeeds {
    /// Notes the speed in the record of a worker's game.
    pub(super) fn played(&mut self, at: Duration, worker: &str, speed: NonZeroU64) {
        if let Some(own) = self.0.get_mut(worker)
            && !own.is_told
            && own.odd.is_none()
            && own.far_from(speed).is_some()
        {
            own.odd = Some((speed, at));
        }
    }

    /// Notes the speed that a worker announces. Returns a notice if one of its records had a different one.
    pub(super) fn heard(&mut self, at: Duration, worker: &str, speed: NonZeroU64) -> Option<LeaderNotice> {
        let fresh = || WorkerSpeeds { least: speed, most: speed, odd: None, is_told: false };
        let own = self.0.entry(worker.to_owned()).or_insert_with(fresh);
        (own.least, own.most) = (own.least.min(speed), own.most.max(speed));
        let (recorded, _) = own.odd.take_if(|(_, since)| at.saturating_sub(*since) >= ANNOUNCED_WITHIN)?;
        let announced = own.far_from(recorded)?;
        own.is_told = true;
        Some(LeaderNotice::OtherSpeed { worker: worker.to_owned(), announced, recorded })
    }
}
