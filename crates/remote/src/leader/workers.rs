//! The workers that were heard.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::event::LeaderAction;
use crate::wire::{Saying, WorkerStatus, owner};
use linesman_league::leader_notice::{LeaderNotice, Presence, WorkerSeen};

/// Time after which a worker that says nothing is gone.
const SILENT: Duration = Duration::from_secs(20);

/// Minimum time between two notices of a worker.
const BETWEEN_NOTICES: Duration = Duration::from_secs(2);

/// Time after which it is told how long a worker has said nothing.
const QUIET: Duration = Duration::from_secs(7);

/// Minimum difference of a clock that is wrong, and maximum difference of two such differences that are the same one.
const WRONG_BY: u64 = 60_000;
const SAME_BY: u64 = 1_500;

/// Number of games at once for which packs are made before any worker was heard.
const UNKNOWN_SLOTS: usize = 4;

struct WorkerNews {
    seen: WorkerSeen,
    at: Duration,
    told: Duration,
}

/// The workers that were heard, by their names and instances.
#[derive(Default)]
pub(super) struct SeenWorkers {
    all: BTreeMap<(String, u64), WorkerNews>,
    /// Texts already told of each worker, so that each is told once.
    told: BTreeSet<(String, String)>,
    /// The last difference of each worker's clock from the leader's, in milliseconds.
    clocks: BTreeMap<String, i64>,
    /// The workers whose clocks are known to be wrong.
    wrong_clocks: BTreeSet<String>,
}

impl SeenWorkers {
    /// The number of games that they play at once.
    pub(super) fn slots(&self) -> usize {
        let slots: usize = self.all.values().map(|own| own.seen.slots as usize).sum();
        slots.max(UNKNOWN_SLOTS)
    }

    /// The owners of those whose results are not refused.
    pub(super) fn owners(&self, refused: &BTreeSet<String>) -> BTreeSet<String> {
        let trusted = self.all.keys().map(|(name, _)| name).filter(|name| !refused.contains(*name));
        trusted.map(|name| owner(name).to_owned()).collect()
    }

    /// True if none of them plays.
    pub(super) fn are_idle(&self) -> bool {
        self.all.values().all(|own| own.seen.running == 0)
    }

    /// The packs that a worker gives back.
    pub(super) fn returned(word: &WorkerStatus) -> impl Iterator<Item = &str> {
        word.said.iter().filter_map(|said| match said {
            Saying::Refused { pack, .. } | Saying::Returned { pack } => Some(pack.as_str()),
            Saying::CantPlay { .. } | Saying::Overloaded { .. } | Saying::Leaves => None,
        })
    }

    /// Finds out whether a worker's clock is wrong. Words that wait for a connection come late, but each by another
    /// time: two in a row that differ alike show it.
    pub(super) fn compare_clocks(
        &mut self,
        worker: &str,
        word: &WorkerStatus,
        clock_ms: Option<u64>,
        actions: &mut Vec<LeaderAction>,
    ) {
        let Some((own, its)) = clock_ms.zip(word.clock_ms) else { return };
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

    /// Takes a word of a worker. Says if it is a new one.
    pub(super) fn hear(
        &mut self,
        at: Duration,
        worker: String,
        word: WorkerStatus,
        actions: &mut Vec<LeaderAction>,
    ) -> bool {
        let mut leaves = false;
        for said in word.said {
            match said {
                Saying::Refused { why, .. } | Saying::CantPlay { why } => {
                    if self.told.insert((worker.clone(), why.clone())) {
                        let worker = worker.clone();
                        actions.push(LeaderAction::Tell(LeaderNotice::CantPlay { worker, why }));
                    }
                }
                Saying::Overloaded { why } => {
                    let worker = worker.clone();
                    actions.push(LeaderAction::Tell(LeaderNotice::Overloaded { worker, why }));
                }
                Saying::Returned { .. } => {}
                Saying::Leaves => leaves = true,
            }
        }
        let key = (worker.clone(), word.instance);
        let before = self.all.remove(&key);
        let mut seen = WorkerSeen {
            name: worker,
            instance: word.instance,
            presence: if before.is_some() { Presence::There } else { Presence::New },
            slots: word.slots,
            running: u32::try_from(word.running.len()).unwrap_or(u32::MAX),
            played: word.played,
            faults: word.faults,
            speed: word.speed,
            silent: Duration::ZERO,
        };
        if leaves {
            if before.is_some() {
                seen.presence = Presence::Gone;
                actions.push(LeaderAction::Tell(LeaderNotice::Worker(seen)));
            }
            return false;
        }
        let is_news = before
            .as_ref()
            .is_none_or(|own| own.seen != seen && at.saturating_sub(own.told) >= BETWEEN_NOTICES);
        if is_news {
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(seen.clone())));
        }
        let told = before.as_ref().filter(|_| !is_news).map_or(at, |own| own.told);
        self.all.insert(key, WorkerNews { seen, at, told });
        before.is_none()
    }

    /// Tells how long workers have said nothing, and forgets those that have said nothing for long.
    pub(super) fn forget_silent(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let silent = self.all.extract_if(.., |_, own| at.saturating_sub(own.at) > SILENT);
        for (_, WorkerNews { seen, at: heard, .. }) in silent {
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
