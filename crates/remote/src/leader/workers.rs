//! The workers that were heard.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::event::LeaderAction;
use crate::wire::{Saying, WorkerStatus};
use linesman_league::leader_notice::{LeaderNotice, Presence, WorkerSeen};

/// Time after which a worker that says nothing is gone.
const SILENT: Duration = Duration::from_secs(20);

/// Minimum time between two notices of a worker.
const BETWEEN_NOTICES: Duration = Duration::from_secs(2);

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
}

impl SeenWorkers {
    /// The number of games that they play at once.
    pub(super) fn slots(&self) -> usize {
        let slots: usize = self.all.values().map(|own| own.seen.slots as usize).sum();
        slots.max(UNKNOWN_SLOTS)
    }

    /// True if none of them plays.
    pub(super) fn are_idle(&self) -> bool {
        self.all.values().all(|own| own.seen.running == 0)
    }

    /// The packs that a worker gives back.
    pub(super) fn returned(word: &WorkerStatus) -> impl Iterator<Item = &str> {
        word.said.iter().filter_map(|said| match said {
            Saying::Refused { pack, .. } | Saying::Returned { pack } => Some(pack.as_str()),
            Saying::CantPlay { .. } | Saying::Leaves => None,
        })
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

    /// Forgets workers that have said nothing for long.
    pub(super) fn forget_silent(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let silent = self.all.extract_if(.., |_, own| at.saturating_sub(own.at) > SILENT);
        for (_, WorkerNews { seen, .. }) in silent {
            let gone = WorkerSeen { presence: Presence::Gone, ..seen };
            actions.push(LeaderAction::Tell(LeaderNotice::Worker(gone)));
        }
    }
}
