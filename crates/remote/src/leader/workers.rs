//! The workers that were heard.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::{LeaderAction, LeaderNotice};
use crate::wire::{Saying, Word};

/// Time after which a worker that says nothing is gone.
const SILENT: Duration = Duration::from_secs(20);

/// Number of games at once for which packs are made before any worker was heard.
const UNKNOWN_SLOTS: usize = 4;

struct SeenWorker {
    slots: u32,
    running: usize,
    played: u64,
    faults: u64,
    heard: Duration,
}

/// A worker, for those who look on.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct WorkerView<'w> {
    /// Its name.
    pub name: &'w str,
    /// The number that tells it from others of the same name.
    pub instance: u64,
    /// The number of games that it plays at once.
    pub slots: u32,
    /// The number of games that it is playing.
    pub running: usize,
    /// The number of games that it has played.
    pub played: u64,
    /// The number of games that were broken off, refused or could not be reported.
    pub faults: u64,
    /// The time of its last word.
    pub heard: Duration,
}

/// The workers that were heard, by their names and instances.
#[derive(Default)]
pub(super) struct SeenWorkers {
    all: BTreeMap<(String, u64), SeenWorker>,
    /// What was said of whom, so that it is told once.
    told: BTreeSet<(String, String)>,
}

impl SeenWorkers {
    /// The number of games that they play at once.
    pub(super) fn slots(&self) -> usize {
        let slots: usize = self.all.values().map(|own| own.slots as usize).sum();
        slots.max(UNKNOWN_SLOTS)
    }

    /// True if none of them plays.
    pub(super) fn are_idle(&self) -> bool {
        self.all.values().all(|own| own.running == 0)
    }

    /// The packs that a worker gives back.
    pub(super) fn returned(word: &Word) -> impl Iterator<Item = &str> {
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
        word: Word,
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
        let key = (worker, word.instance);
        if leaves {
            if self.all.remove(&key).is_some() {
                actions.push(LeaderAction::Tell(LeaderNotice::Worker { worker: key.0, slots: None }));
            }
            return false;
        }
        let is_new = !self.all.contains_key(&key);
        if is_new {
            let (worker, slots) = (key.0.clone(), Some(word.slots));
            actions.push(LeaderAction::Tell(LeaderNotice::Worker { worker, slots }));
        }
        let seen = SeenWorker {
            slots: word.slots,
            running: word.running.len(),
            played: word.played,
            faults: word.faults,
            heard: at,
        };
        self.all.insert(key, seen);
        is_new
    }

    /// Forgets workers that have said nothing for long.
    pub(super) fn forget_silent(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let silent = self.all.extract_if(.., |_, own| at.saturating_sub(own.heard) > SILENT);
        for ((worker, _), _) in silent {
            actions.push(LeaderAction::Tell(LeaderNotice::Worker { worker, slots: None }));
        }
    }

    pub(super) fn views(&self) -> Vec<WorkerView<'_>> {
        self.all
            .iter()
            .map(|((name, instance), own)| WorkerView {
                name,
                instance: *instance,
                slots: own.slots,
                running: own.running,
                played: own.played,
                faults: own.faults,
                heard: own.heard,
            })
            .collect()
    }
}
