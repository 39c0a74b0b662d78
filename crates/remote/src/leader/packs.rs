//! The packs that are at the broker or on their way there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::event::LeaderAction;
use super::out::OutGames;
use super::repeats::RepeatTracker;
use crate::wire::{GameKey, MAX_GAMES, Pack, PackedGame, VERSION};

/// Default total playing time of a pack.
const PACK_TIME: Duration = Duration::from_secs(15);

/// Number of packs that may always be out.
const MIN_PACKS: usize = 16;

/// Maximum number of packs that may be out.
const MAX_PACKS: usize = 30_000;

/// Number of packs that may be out for each slot of the workers.
const PACKS_PER_SLOT: usize = 3;

/// Maximum number of games that may be out.
pub(super) const MAX_OUT: usize = 60_000;

/// Time after which a pack that the broker did not confirm is published again.
const PUBLISH_AGAIN: Duration = Duration::from_secs(2);

/// Time between two searches for packs to publish again.
const BETWEEN_SEARCHES: Duration = Duration::from_millis(500);

/// Weight of the latest game in the moving average of the duration of games.
const LATEST_WEIGHT: f64 = 0.05;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum OutState {
    /// To be published, not before this time.
    Due(Duration),
    /// Sent to the broker at this time, and not confirmed yet.
    Sent(Duration),
    /// Kept by the broker since this time.
    Kept(Duration),
}

struct OutPack {
    numbers: BTreeSet<u64>,
    state: OutState,
    /// Number of deliveries that workers gave back.
    returned: u64,
    /// Number of readings of the streams in which it was missing.
    missed: u32,
}

impl OutPack {
    fn new(numbers: BTreeSet<u64>, state: OutState) -> OutPack {
        OutPack { numbers, state, returned: 0, missed: 0 }
    }
}

pub(super) struct Packs {
    pub(super) epoch: u64,
    plan: String,
    salt: u64,
    numbers: u64,
    out: BTreeMap<Arc<str>, OutPack>,
    /// Packs that have not been published yet.
    fresh: Vec<Arc<str>>,
    /// Time of the next search for packs to publish again.
    next_search: Duration,
    pack_of: BTreeMap<u64, Arc<str>>,
    /// Games to be published for the first time or again: those that may share a pack, and those that must not.
    queued: BTreeSet<u64>,
    queued_alone: BTreeSet<u64>,
    /// The games in packs of an earlier leader that have not been taken from the source yet, each with its pack.
    found: BTreeMap<GameKey, Arc<str>>,
    /// Moving average of the duration of games, in seconds.
    mean: Option<f64>,
    pub(super) time: Duration,
}

impl Packs {
    pub(super) fn new(plan: String, salt: u64) -> Packs {
        Packs {
            epoch: salt,
            plan,
            salt,
            numbers: 0,
            out: BTreeMap::new(),
            fresh: Vec::new(),
            next_search: Duration::ZERO,
            pack_of: BTreeMap::new(),
            queued: BTreeSet::new(),
            queued_alone: BTreeSet::new(),
            found: BTreeMap::new(),
            mean: None,
            time: PACK_TIME,
        }
    }

    /// Notes that the streams exist, with packs of an earlier leader. All packs of this leader are published again.
    pub(super) fn ready(&mut self, epoch: u64, found: Vec<Pack>, at: Duration) {
        self.epoch = epoch;
        for pack in found.into_iter().filter(|pack| pack.plan == self.plan) {
            let id: Arc<str> = pack.id.into();
            self.found.extend(pack.games.iter().map(|game| (game.key(), Arc::clone(&id))));
        }
        for pack in self.out.values_mut() {
            pack.state = OutState::Due(at);
        }
        self.next_search = at;
    }

    /// Returns the number of games in packs of an earlier leader that have not been taken from the source yet.
    pub(super) fn found(&self) -> usize {
        self.found.len()
    }

    /// Assigns a game to the earlier leader's pack that has it. Returns false if no such pack has it.
    pub(super) fn adopt(&mut self, key: &GameKey, number: u64) -> bool {
        let Some(id) = self.found.remove(key) else { return false };
        let fresh = || OutPack::new(BTreeSet::new(), OutState::Kept(Duration::ZERO));
        self.out.entry(Arc::clone(&id)).or_insert_with(fresh).numbers.insert(number);
        self.pack_of.insert(number, id);
        true
    }

    /// Returns the number of games for a pack, by the mean duration of games so far.
    fn size(&self) -> usize {
        let by_time = self.mean.map_or(1.0, |mean| (self.time.as_secs_f64() / mean.max(0.001)).round());
        (by_time as usize).clamp(1, MAX_GAMES)
    }

    /// Returns the number of further games for which there is room, if workers play `slots` games at once.
    pub(super) fn room(&self, slots: usize) -> usize {
        let packs = (PACKS_PER_SLOT * slots).clamp(MIN_PACKS, MAX_PACKS);
        let free = packs.saturating_sub(self.out.len());
        let games = (free * self.size()).min(MAX_OUT.saturating_sub(self.pack_of.len()));
        games.saturating_sub(self.queued.len() + self.queued_alone.len())
    }

    /// Returns the same for games that each get a pack of their own, if no more of them may be out than workers play at
    /// once, and `out` games are out. However many slots workers claim, the number of packs stays bounded.
    pub(super) fn room_for_single(slots: usize, out: usize) -> usize {
        slots.min(MAX_PACKS).saturating_sub(out)
    }

    pub(super) fn has_queued(&self) -> bool {
        !self.queued.is_empty() || !self.queued_alone.is_empty()
    }

    /// Makes packs of the queued games. `left` is the number of games that the source still has: if few are left, packs
    /// become smaller, so that all slots get one.
    pub(super) fn add(&mut self, slots: usize, left: u64) {
        // Each repeat gets a pack of its own: different repeats are for different workers.
        let (repeats, all): (Vec<u64>, Vec<u64>) = std::mem::take(&mut self.queued)
            .into_iter()
            .partition(|number| RepeatTracker::is_repeat(*number));
        for number in std::mem::take(&mut self.queued_alone).into_iter().chain(repeats) {
            self.make(BTreeSet::from([number]));
        }
        let left = usize::try_from(left).unwrap_or(usize::MAX).saturating_add(all.len());
        let size = left.div_ceil(2 * slots.max(1)).clamp(1, self.size());
        for games in all.chunks(size) {
            self.make(games.iter().copied().collect());
        }
    }

    fn make(&mut self, numbers: BTreeSet<u64>) {
        self.numbers += 1;
        let id: Arc<str> = format!("{}-{}", self.salt, self.numbers).into();
        self.pack_of.extend(numbers.iter().map(|number| (*number, Arc::clone(&id))));
        self.out.insert(Arc::clone(&id), OutPack::new(numbers, OutState::Due(Duration::ZERO)));
        self.fresh.push(id);
    }

    /// Queues games for publication, for the first time or again.
    pub(super) fn queue(&mut self, numbers: impl IntoIterator<Item = u64>) {
        for number in numbers {
            self.forget(number);
            self.queued.insert(number);
        }
    }

    /// Queues games for publication, each in a pack of its own.
    pub(super) fn queue_alone(&mut self, numbers: Vec<u64>) {
        for number in numbers {
            self.forget(number);
            self.queued_alone.insert(number);
        }
    }

    /// Removes a pack. Returns its games that are still out, and the number of times that workers gave it back.
    pub(super) fn remove(&mut self, id: &str) -> Option<(Vec<u64>, u64)> {
        let pack = self.out.remove(id)?;
        for number in &pack.numbers {
            self.pack_of.remove(number);
        }
        Some((pack.numbers.into_iter().collect(), pack.returned))
    }

    /// Removes a game from the queues and from its pack.
    pub(super) fn forget(&mut self, number: u64) {
        self.queued.remove(&number);
        self.queued_alone.remove(&number);
        let Some(id) = self.pack_of.remove(&number) else { return };
        let Some(pack) = self.out.get_mut(&id) else { return };
        pack.numbers.remove(&number);
        if pack.numbers.is_empty() {
            self.out.remove(&id);
        }
    }

    pub(super) fn add_duration(&mut self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        self.mean = Some(self.mean.map_or(seconds, |mean| mean + LATEST_WEIGHT * (seconds - mean)));
    }

    pub(super) fn published(&mut self, id: &str, is_kept: bool, at: Duration) {
        if let Some(pack) = self.out.get_mut(id)
            && let OutState::Sent(_) = pack.state
        {
            pack.state = if is_kept { OutState::Kept(at) } else { OutState::Due(at + PUBLISH_AGAIN) };
        }
    }

    /// Queues the games of a pack that are still out, because a worker will play no more of it.
    pub(super) fn given_back(&mut self, id: &str) {
        self.found.retain(|_, found| **found != *id);
        if let Some((numbers, _)) = self.remove(id) {
            self.queued.extend(numbers);
        }
    }

    /// Notes that a worker gave back a delivery of a pack.
    pub(super) fn returned(&mut self, id: &str) {
        if let Some(pack) = self.out.get_mut(id) {
            pack.returned += 1;
        }
    }

    /// Forgets the earlier leader's packs, because the streams are lost. Returns the number of packs that will be
    /// published again once there are new streams.
    pub(super) fn lost(&mut self) -> usize {
        self.found.clear();
        self.out.len()
    }

    /// Notes that the streams are empty. Packs that the broker has kept for longer than `after` are missing; the
    /// second time, their games are queued again.
    pub(super) fn missed(&mut self, at: Duration, after: Duration) {
        let mut gone = Vec::new();
        for (id, pack) in &mut self.out {
            if let OutState::Kept(since) = pack.state
                && at.saturating_sub(since) > after
            {
                pack.missed += 1;
                if pack.missed > 1 {
                    gone.push(Arc::clone(id));
                }
            }
        }
        for id in gone {
            if let Some((numbers, _)) = self.remove(&id) {
                self.queued.extend(numbers);
            }
        }
    }

    /// Returns the actions that publish the packs due now.
    pub(super) fn take_due(&mut self, at: Duration, games: &OutGames) -> Vec<LeaderAction> {
        let mut due = std::mem::take(&mut self.fresh);
        if at >= self.next_search {
            self.next_search = at + BETWEEN_SEARCHES;
            let is_due = |pack: &OutPack| match pack.state {
                OutState::Due(from) => at >= from,
                OutState::Sent(since) => at.saturating_sub(since) > 5 * PUBLISH_AGAIN,
                OutState::Kept(_) => false,
            };
            let all_due = self.out.iter().filter(|(_, pack)| is_due(pack)).map(|(id, _)| Arc::clone(id));
            due = all_due.collect();
        }
        let mut actions = Vec::new();
        for id in due {
            let Some(pack) = self.out.get_mut(&id) else { continue };
            pack.state = OutState::Sent(at);
            let games: Vec<PackedGame> =
                pack.numbers.iter().filter_map(|number| games.game(*number).cloned()).collect();
            let pack = Pack { v: VERSION, id: id.to_string(), plan: self.plan.clone(), games };
            actions.push(LeaderAction::Publish { epoch: self.epoch, pack });
        }
        actions
    }
}
