//! The workers that have sent a status message.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::event::LeaderAction;
use crate::wire::{WorkerNews, WorkerStatus, owner};
use linesman_league::leader_notice::{LeaderNotice, Presence, WorkerSeen};

/// Minimum time between two status messages of a worker, and maximum number of workers for which it is that short.
const BETWEEN_STATUSES: Duration = Duration::from_secs(4);
const FEW_WORKERS: u32 = 2_000;

/// Number of missed status messages after which a worker counts as gone.
const MISSED_STATUSES: u32 = 5;

/// Maximum number of reported reasons that are remembered.
const MAX_REPORTED: usize = 20_000;

/// Minimum time between two notices about a worker.
const BETWEEN_NOTICES: Duration = Duration::from_secs(2);

/// Time without a status message after which notices show for how long a worker has been silent.
const SILENT_AFTER: Duration = Duration::from_secs(7);

/// Offset from the leader's clock above which a clock is wrong, and maximum difference of two offsets that count as
/// equal, in milliseconds.
const WRONG_CLOCK_MS: u64 = 60_000;
const SAME_OFFSET_MS: u64 = 1_500;

/// Number of slots assumed while no worker is heard.
const UNKNOWN_SLOTS: usize = 4;

/// The owners of workers, each with the number of slots of its workers.
pub(super) type Owners = BTreeMap<String, usize>;

struct HeardWorker {
    seen: WorkerSeen,
    /// Time of its last status message.
    at: Duration,
    last_notice: Duration,
    /// The reason why it can't play; cleared when it plays.
    why: Option<String>,
}

/// The workers that were heard, by name and instance.
#[derive(Default)]
pub(super) struct HeardWorkers {
    all: BTreeMap<(String, u64), HeardWorker>,
    /// Number of games that all of them play at once.
    slots: usize,
    /// True if any worker has ever sent a status message.
    have_reported: bool,
    /// The reported reasons, each with its worker, so that each is reported once.
    reported: BTreeSet<(String, String)>,
    /// The last offset of each worker's clock from the leader's, in milliseconds.
    clocks: BTreeMap<String, i64>,
    /// The workers whose clocks are known to be wrong.
    wrong_clocks: BTreeSet<String>,
}

impl HeardWorkers {
    /// Returns the number of games that all workers play at once; a guess if there is no worker.
    pub(super) fn slots(&self) -> usize {
        if self.all.is_empty() { UNKNOWN_SLOTS } else { self.slots }
    }

    /// Returns the number of games that all workers play at once; 0 if there is no worker.
    pub(super) fn known_slots(&self) -> usize {
        self.slots
    }

    /// True if any worker has ever sent a status message.
    pub(super) fn have_reported(&self) -> bool {
        self.have_reported
    }

    pub(super) fn number(&self) -> usize {
        self.all.len()
    }

    /// Returns the time between two status messages of a worker. It grows with the number of workers.
    pub(super) fn between_statuses(&self) -> Duration {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        BETWEEN_STATUSES * number.div_ceil(FEW_WORKERS).max(1)
    }

    pub(super) fn instances(&self, name: &str) -> impl Iterator<Item = u64> {
        let all = self.all.keys().filter(move |(worker, _)| worker == name);
        all.map(|(_, instance)| *instance)
    }

    /// Returns at most `limit` workers that can't play, each with the reason.
    pub(super) fn reasons(&self, limit: usize) -> Vec<(String, String)> {
        let reasons =
            self.all.iter().filter_map(|((name, _), worker)| Some((name.clone(), worker.why.clone()?)));
        reasons.take(limit).collect()
    }

    /// Returns the owners of the workers whose results are not refused.
    pub(super) fn owners(&self, refused: &BTreeSet<String>) -> Owners {
        let mut owners = Owners::new();
        for ((name, _), worker) in self.all.iter().filter(|((name, _), _)| !refused.contains(name)) {
            let slots = worker.seen.slots as usize;
            match owners.get_mut(owner(name)) {
                Some(all) => *all += slots,
                None => drop(owners.insert(owner(name).to_owned(), slots)),
            }
        }
        owners
    }

    pub(super) fn are_idle(&self) -> bool {
        self.all.values().all(|worker| worker.seen.running == 0)
    }

    /// Returns the packs that a worker gives back.
    pub(super) fn returned(status: &WorkerStatus) -> impl Iterator<Item = &str> {
        status.news.iter().filter_map(|news| match news {
            WorkerNews::Refused { pack, .. } | WorkerNews::Returned { pack } => Some(pack.as_str()),
            WorkerNews::CantPlay { .. } | WorkerNews::Overloaded { .. } | WorkerNews::Leaves => None,
        })
    }

    /// Checks a worker's clock. Messages that waited for a connection arrive late, but by different times. Two in a row
    /// with the same large offset show that the clock is wrong.
    pub(super) fn compare_clocks(
        &mut self,
        worker: &str,
        status: &WorkerStatus,
        clock_ms: Option<u64>,
        actions: &mut Vec<LeaderAction>,
    ) {
        let Some((leader_ms, worker_ms)) = clock_ms.zip(status.clock_ms) else { return };
        let ahead = i64::try_from(i128::from(worker_ms) - i128::from(leader_ms)).unwrap_or(i64::MAX);
        let before = self.clocks.insert(worker.to_owned(), ahead);
        let is_same = before.is_some_and(|before| before.abs_diff(ahead) <= SAME_OFFSET_MS);
        if ahead.unsigned_abs() > WRONG_CLOCK_MS && is_same && self.wrong_clocks.insert(worker.to_owned()) {
            actions.push(LeaderAction::Tell(LeaderNotice::WrongClock {
                worker: worker.to_owned(),
                off_by: Duration::from_millis(ahead.unsigned_abs()),
                is_ahead: ahead > 0,
            }));
        }
    }

    pub(super) fn hear(
        &mut self,
        at: Duration,
        worker: String,
        status: WorkerStatus,
        actions: &mut Vec<LeaderAction>,
    ) {
        self.have_reported = true;
        let (leaves, reason) = self.hear_news(&worker, status.news, actions);
        let key = (worker.clone(), status.instance);
        let before = self.all.remove(&key);
        self.slots -= before.as_ref().map_or(0, |worker| worker.seen.slots as usize);
        let mut seen = WorkerSeen {
            name: worker,
            instance: status.instance,
            presence: if before.is_some() { Presence::There } else { Presence::New },
            slots: status.slots,
            running: u32::try_from(status.running.len()).unwrap_or(u32::MAX),
            played: status.played,
            faults: status.faults,
            speed: status.speed,
            silent: Duration::ZERO,
        };
        if leaves {
            if before.is_some() {
                seen.presence = Presence::Gone;
                actions.push(LeaderAction::Tell(LeaderNotice::Worker(seen)));
            }
            return;
        }
        let is_news = before.as_ref().is_none_or(|before| {
            before.seen != seen && at.saturating_sub(before.last_notice) >= BETWEEN_NOTICES
        });
        if is_news {
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(seen.clone())));
        }
        let last_notice = before.as_ref().filter(|_| !is_news).map_or(at, |before| before.last_notice);
        let why = reason.or_else(|| before?.why).filter(|_| seen.running == 0);
        self.slots += seen.slots as usize;
        self.all.insert(key, HeardWorker { seen, at, last_notice, why });
    }

    /// Turns the news of a worker into notices. Returns true if it leaves, and the reason if it can't play.
    fn hear_news(
        &mut self,
        worker: &str,
        news: Vec<WorkerNews>,
        actions: &mut Vec<LeaderAction>,
    ) -> (bool, Option<String>) {
        let (mut leaves, mut reason) = (false, None);
        for news in news {
            match news {
                WorkerNews::Refused { why, .. } | WorkerNews::CantPlay { why } => {
                    reason = Some(why.clone());
                    if self.reported.len() >= MAX_REPORTED {
                        self.reported.clear();
                    }
                    if self.reported.insert((worker.to_owned(), why.clone())) {
                        let worker = worker.to_owned();
                        actions.push(LeaderAction::Tell(LeaderNotice::CantPlay { worker, why }));
                    }
                }
                WorkerNews::Overloaded { why } => {
                    let worker = worker.to_owned();
                    actions.push(LeaderAction::Tell(LeaderNotice::Overloaded { worker, why }));
                }
                WorkerNews::Returned { .. } => {}
                WorkerNews::Leaves => leaves = true,
            }
        }
        (leaves, reason)
    }

    /// Reports silent workers, and removes those that have been silent for too long.
    pub(super) fn forget_silent(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let timeout = MISSED_STATUSES * self.between_statuses();
        let silent = self.all.extract_if(.., |_, worker| at.saturating_sub(worker.at) > timeout);
        for (_, HeardWorker { seen, at: heard, .. }) in silent {
            self.slots -= seen.slots as usize;
            let seen = WorkerSeen { silent: at.saturating_sub(heard), ..seen };
            let gone = WorkerSeen { presence: Presence::Gone, ..seen };
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(gone)));
        }
        for worker in self.all.values_mut() {
            let silent = at.saturating_sub(worker.at);
            if silent >= SILENT_AFTER && at.saturating_sub(worker.last_notice) >= BETWEEN_NOTICES {
                worker.last_notice = at;
                worker.seen.silent = silent;
                actions.push(LeaderAction::Tell(LeaderNotice::Worker(worker.seen.clone())));
            }
        }
    }
}
