//! The workers that were heard.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::event::LeaderAction;
use crate::wire::{Saying, WorkerStatus, owner};
use linesman_league::leader_notice::{LeaderNotice, Presence, WorkerSeen};

/// Time between two status messages of a worker, and the number of workers up to which it holds.
const BETWEEN_WORDS: Duration = Duration::from_secs(4);
const FEW_WORKERS: u32 = 2_000;

/// The multiple of the time between two words after which a silent worker is gone.
const SILENT_WORDS: u32 = 5;

/// Maximum number of texts of workers that are known as told.
const MOST_TOLD: usize = 20_000;

/// Minimum time between two notices of a worker.
const BETWEEN_NOTICES: Duration = Duration::from_secs(2);

/// Time after which it is told how long a worker has said nothing.
const QUIET: Duration = Duration::from_secs(7);

/// Minimum difference of a clock that is wrong, and maximum difference of two such differences that are the same one.
const WRONG_BY: u64 = 60_000;
const SAME_BY: u64 = 1_500;

/// Number of games at once for which packs are made before any worker was heard.
const UNKNOWN_SLOTS: usize = 4;

/// The owners of workers, each with the number of games that their workers play at once.
pub(super) type Owners = BTreeMap<String, usize>;

struct WorkerNews {
    seen: WorkerSeen,
    at: Duration,
    told: Duration,
    /// The reason why it could not play, until it plays.
    why: Option<String>,
}

/// The workers that were heard, by their names and instances.
#[derive(Default)]
pub(super) struct SeenWorkers {
    all: BTreeMap<(String, u64), WorkerNews>,
    /// The number of games that they play at once.
    slots: usize,
    have_spoken: bool,
    /// Texts already told of each worker, so that each is told once.
    told: BTreeSet<(String, String)>,
    /// The last difference of each worker's clock from the leader's, in milliseconds.
    clocks: BTreeMap<String, i64>,
    /// The workers whose clocks are known to be wrong.
    wrong_clocks: BTreeSet<String>,
}

impl SeenWorkers {
    /// The number of games that they play at once; a guess if none was heard.
    pub(super) fn slots(&self) -> usize {
        if self.all.is_empty() { UNKNOWN_SLOTS } else { self.slots }
    }

    /// The same; 0 if none was heard.
    pub(super) fn known_slots(&self) -> usize {
        self.slots
    }

    /// True if any worker was ever heard.
    pub(super) fn have_spoken(&self) -> bool {
        self.have_spoken
    }

    /// The number of workers.
    pub(super) fn number(&self) -> usize {
        self.all.len()
    }

    /// Time between two words of a worker. Where there are many, they speak less often.
    pub(super) fn between_words(&self) -> Duration {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        BETWEEN_WORDS * number.div_ceil(FEW_WORKERS).max(1)
    }

    /// The processes that go by a name.
    pub(super) fn instances(&self, name: &str) -> impl Iterator<Item = u64> {
        let all = self.all.keys().filter(move |(own, _)| own == name);
        all.map(|(_, instance)| *instance)
    }

    /// The workers that can't play, and why: at most `most` of them.
    pub(super) fn reasons(&self, most: usize) -> Vec<(String, String)> {
        let reasons = self.all.iter().filter_map(|((name, _), own)| Some((name.clone(), own.why.clone()?)));
        reasons.take(most).collect()
    }

    /// The owners of those whose results are not refused.
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

    /// Takes a word of a worker.
    pub(super) fn hear(
        &mut self,
        at: Duration,
        worker: String,
        word: WorkerStatus,
        actions: &mut Vec<LeaderAction>,
    ) {
        self.have_spoken = true;
        let (leaves, reason) = self.hear_news(&worker, word.said, actions);
        let key = (worker.clone(), word.instance);
        let before = self.all.remove(&key);
        self.slots -= before.as_ref().map_or(0, |own| own.seen.slots as usize);
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
        self.all.insert(key, WorkerNews { seen, at, told, why });
    }

    /// Passes the news of a worker on. Returns true if it leaves, and the reason if it can't play.
    fn hear_news(
        &mut self,
        worker: &str,
        news: Vec<Saying>,
        actions: &mut Vec<LeaderAction>,
    ) -> (bool, Option<String>) {
        let (mut leaves, mut reason) = (false, None);
        for said in news {
            match said {
                Saying::Refused { why, .. } | Saying::CantPlay { why } => {
                    reason = Some(why.clone());
                    if self.told.len() >= MOST_TOLD {
                        self.told.clear();
                    }
                    if self.told.insert((worker.to_owned(), why.clone())) {
                        let worker = worker.to_owned();
                        actions.push(LeaderAction::Tell(LeaderNotice::CantPlay { worker, why }));
                    }
                }
                Saying::Overloaded { why } => {
                    let worker = worker.to_owned();
                    actions.push(LeaderAction::Tell(LeaderNotice::Overloaded { worker, why }));
                }
                Saying::Returned { .. } => {}
                Saying::Leaves => leaves = true,
            }
        }
        (leaves, reason)
    }

    /// Tells how long workers have said nothing, and forgets those that have said nothing for long.
    pub(super) fn forget_silent(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let most = SILENT_WORDS * self.between_words();
        let silent = self.all.extract_if(.., |_, own| at.saturating_sub(own.at) > most);
        for (_, WorkerNews { seen, at: heard, .. }) in silent {
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
