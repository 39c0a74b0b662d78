//! The speeds that workers announce, beside those in the records of their games.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use linesman_league::leader_notice::LeaderNotice;

/// Maximum difference of the speed in a record from one that was announced, in percent of the latter.
const MOST_OFF: u128 = 25;

/// Time after which a speed that its worker has not announced is not that of its latest measurement. A word that
/// was said before the game ended may come after its record.
const ANNOUNCED_WITHIN: Duration = Duration::from_secs(1);

/// The speeds of the workers that were heard, by name.
#[derive(Default)]
pub(super) struct AnnouncedSpeeds(BTreeMap<String, WorkerSpeeds>);

struct WorkerSpeeds {
    /// The lowest and the highest that were announced: machines become slower and faster, and several may go by
    /// one name.
    least: NonZeroU64,
    most: NonZeroU64,
    /// A speed in a record that was not announced, until a word of the worker, with the time of its coming.
    odd: Option<(NonZeroU64, Duration)>,
    is_told: bool,
}

impl WorkerSpeeds {
    /// The announced speed that is nearest to another, if that is far from it.
    fn far_from(&self, speed: NonZeroU64) -> Option<NonZeroU64> {
        let nearest = speed.clamp(self.least, self.most);
        let off = u128::from(nearest.get().abs_diff(speed.get())) * 100;
        (off > u128::from(nearest.get()) * MOST_OFF).then_some(nearest)
    }
}

impl AnnouncedSpeeds {
    /// A worker's game was played at this speed, by its record.
    pub(super) fn played(&mut self, at: Duration, worker: &str, speed: NonZeroU64) {
        if let Some(own) = self.0.get_mut(worker)
            && !own.is_told
            && own.odd.is_none()
            && own.far_from(speed).is_some()
        {
            own.odd = Some((speed, at));
        }
    }

    /// A worker announces its speed. Returns what is told if one of its records had another one.
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
