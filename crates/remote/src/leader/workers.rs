//! The workers that have sent a status message.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::event::LeaderAction;
use crate::wire::{WorkerNews, WorkerStatus, owner};
use linesman_league::leader_notice::{LeaderNotice, Presence, WorkerSeen};

/// Time between two status messages of a worker, and the maximum number of workers for which it is that short.
const BETWEEN_STATUSES: Duration = Duration::from_secs(4);
const FEW_WORKERS: u32 = 2_000;

/// Number of missed status messages after which a worker is gone.
const MISSED_STATUSES: u32 = 5;

/// Maximum number of reasons remembered as told.
const MOST_TOLD: usize = 20_000;

/// Minimum time between two notices about a worker.
const BETWEEN_NOTICES: Duration = Duration::from_secs(2);

/// Time without a status message after which notices say how long a worker has been silent.
const QUIET: Duration = Duration::from_secs(7);

/// Difference from the leader's clock above which a clock is wrong, and maximum change between two differences that
/// count as equal, in milliseconds.
const WRONG_BY: u64 = 60_000;
const SAME_BY: u64 = 1_500;

/// Number of slots assumed before the first worker is heard.
const UNKNOWN_SLOTS: usize = 4;

/// The owners of workers, each with the number of slots of its workers.
pub(super) type Owners = BTreeMap<String, usize>;

struct HeardWorker {
    seen: WorkerSeen,
    at: Duration,
    told: Duration,
    /// The reason why it can't play; cleared when it plays.
    why: Option<String>,
}

/// The workers that were heard, by name and instance.
#[derive(Default)]
pub(super) struct SeenWorkers {
    all: BTreeMap<(String, u64), HeardWorker>,
    /// Number of games that they play at once, together.
    slots: usize,
    have_spoken: bool,
    /// Reasons already told, each with its worker, so that each is told once.
    told: BTreeSet<(String, String)>,
    /// The last difference of each worker's clock from the leader's, in milliseconds.
    clocks: BTreeMap<String, i64>,
    /// The workers whose clocks are known to be wrong.
    wrong_clocks: BTreeSet<String>,
}

impl SeenWorkers {
    /// Number of games that all workers play at once; a guess if there is no worker.
    pub(super) fn slots(&self) -> usize {
        if self.all.is_empty() { UNKNOWN_SLOTS } else { self.slots }
    }

    /// Number of games that all workers play at once; 0 if there is no worker.
    pub(super) fn known_slots(&self) -> usize {
        self.slots
    }

    /// True if any worker was ever heard.
    pub(super) fn have_spoken(&self) -> bool {
        self.have_spoken
    }

    pub(super) fn number(&self) -> usize {
        self.all.len()
    }

    /// Time between two status messages of a worker. The more workers, the longer.
    pub(super) fn between_statuses(&self) -> Duration {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        BETWEEN_STATUSES * number.div_ceil(FEW_WORKERS).max(1)
    }

    /// The instances of the workers with this name.
    pub(super) fn instances(&self, name: &str) -> impl Iterator<Item = u64> {
        let all = self.all.keys().filter(move |(own, _)| own == name);
        all.map(|(_, instance)| *instance)
    }

    /// At most `most` workers that can't play, each with the reason.
    pub(super) fn reasons(&self, most: usize) -> Vec<(String, String)> {
        let reasons = self.all.iter().filter_map(|((name, _), own)| Some((name.clone(), own.why.clone()?)));
        reasons.take(most).collect()
    }

    /// The owners of the workers whose results are not refused.
    pub(super) fn owners(&self, refused: &BTreeSet<String>) -> Owners {
        let mut owners = Owners::new();
        for ((name, _), own) in self.all.iter().filter(|((name, _), _)| !refused.contains(name)) {
            let slots = own.seen.slots as usize;
            match owners.get_mut(owner(name)) {
                Some(all) => *all += slots,
                None => drop(owners.insert(owner(name).to_owned(), slots)),
            }
        }
        owners
    }

    /// True if none of them plays.
    pub(super) fn are_idle(&self) -> bool {
        self.all.values().all(|own| own.seen.running == 0)
    }

    /// The packs that a worker gives back.
    pub(super) fn returned(status: &WorkerStatus) -> impl Iterator<Item = &str> {
        status.news.iter().filter_map(|news| match news {
            WorkerNews::Refused { pack, .. } | WorkerNews::Returned { pack } => Some(pack.as_str()),
            WorkerNews::CantPlay { .. } | WorkerNews::Overloaded { .. } | WorkerNews::Leaves => None,
        })
    }

    /// Checks a worker's clock. A message that waited for a connection arrives late, but each by a different time. Two
    /// in a row with the same difference show that the clock is wrong.
    pub(super) fn compare_clocks(
        &mut self,
        worker: &str,
        status: &WorkerStatus,
        clock_ms: Option<u64>,
        actions: &mut Vec<LeaderAction>,
    ) {
        let Some((own, its)) = clock_ms.zip(status.clock_ms) else { return };
        let ahead = i64::try_from(i128::from(its) - i128::from(own)).unwrap_or(i64::MAX);
        let before = self.clocks.insert(worker.to_owned(), ahead);
        let is_same = before.is_some_and(|before| before.abs_diff(ahead) <= SAME_BY);
        if ahead.unsigned_abs() > WRONG_BY && is_same && self.wrong_clocks.insert(worker.to_owned()) {
            actions.push(LeaderAction::Tell(LeaderNotice::WrongClock {
                worker: worker.to_owned(),
                off_by: Duration::from_millis(ahead.unsigned_abs()),
                is_ahead: ahead > 0,
            }));
        }
    }

    /// Takes a status message of a worker.
    pub(super) fn hear(
        &mut self,
        at: Duration,
        worker: String,
        status: WorkerStatus,
        actions: &mut Vec<LeaderAction>,
    ) {
        self.have_spoken = true;
        let (leaves, reason) = self.hear_news(&worker, status.news, actions);
        let key = (worker.clone(), status.instance);
        let before = self.all.remove(&key);
        self.slots -= before.as_ref().map_or(0, |own| own.seen.slots as usize);
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
        let is_news = before
            .as_ref()
            .is_none_or(|own| own.seen != seen && at.saturating_sub(own.told) >= BETWEEN_NOTICES);
        if is_news {
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(seen.clone())));
        }
        let told = before.as_ref().filter(|_| !is_news).map_or(at, |own| own.told);
        let why = reason.or_else(|| before?.why).filter(|_| seen.running == 0);
        self.slots += seen.slots as usize;
        self.all.insert(key, HeardWorker { seen, at, told, why });
    }

    /// Passes on the news of a worker. Returns true if it leaves, and the reason if it can't play.
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
                    if self.told.len() >= MOST_TOLD {
                        self.told.clear();
                    }
                    if self.told.insert((worker.to_owned(), why.clone())) {
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
        let most = MISSED_STATUSES * self.between_statuses();
        let silent = self.all.extract_if(.., |_, own| at.saturating_sub(own.at) > most);
        for (_, HeardWorker { seen, at: heard, .. }) in silent {
            self.slots -= seen.slots as usize;
            let seen = WorkerSeen { silent: at.saturating_sub(heard), ..seen };
            let gone = WorkerSeen { presence: Presence::Gone, ..seen };
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(gone)));
        }
        for own in self.all.values_mut() {
            let silent = at.saturating_sub(own.at);
            if silent >= QUIET && at.saturating_sub(own.told) >= BETWEEN_NOTICES {
                own.told = at;
                own.seen.silent = silent;
                actions.push(LeaderAction::Tell(LeaderNotice::Worker(own.seen.clone())));
            }
        }
    }
}
