//! The leader of a league as a state machine: it takes timed events and returns actions.
//!
//! It keeps a window of packs at the broker, takes each result once, and acknowledges a result when its record would
//! survive a power cut. The broker may lose, repeat and delay messages, or lose its store: missing games are published
//! again, and results that arrive twice are recognized by the id of the game and dropped.

mod acks;
mod backlog;
mod event;
mod game_source;
mod health;
mod held;
mod inbox;
mod out;
mod packs;
mod repeats;
mod results;
mod speeds;
mod taken;
mod workers;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::wire::{LeaderOrder, Pack, WorkerStatus};
use acks::Acks;
use backlog::Backlog;
use health::Health;
use held::HeldResults;
use inbox::Inbox;
use linesman_league::assigned::NextGame;
use linesman_league::leader_notice::LeaderNotice;
use out::OutGames;
use packs::Packs;
use repeats::RepeatTracker;
use speeds::AnnouncedSpeeds;
use taken::TakenLately;
use workers::HeardWorkers;

pub use event::{Delivery, LeaderAction, LeaderEvent, StreamsState};
pub use game_source::GameSource;

/// Time between two readings of the streams' state.
const BETWEEN_READINGS: Duration = Duration::from_secs(3);

const BETWEEN_ANNOUNCEMENTS: Duration = Duration::from_secs(2);

/// Time until a published pack counts as missing if the streams are empty: acknowledgements may be on their way.
const MISSED_AFTER: Duration = Duration::from_secs(5);

/// Maximum number of deliveries of a pack, without those that workers gave back. A pack with more is quarantined: a
/// single game is given up, because it seems to kill its workers, and several games are published one by one.
pub const MAX_DELIVERIES: u64 = 3;

/// Time from the last result, or from the order to stop, until a league with idle workers has stopped.
const IDLE_FOR: Duration = Duration::from_secs(2);

/// Counts of events.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct LeaderCounts {
    /// Number of games that were taken.
    pub taken: u64,
    /// Number of duplicate results, which were dropped.
    pub duplicates: u64,
    /// Number of times that the streams were created again.
    pub rebuilt: u64,
}

pub struct Leader<G> {
    games: G,
    packs: Packs,
    inbox: Inbox,
    backlog: Backlog,
    workers: HeardWorkers,
    speeds: AnnouncedSpeeds,
    health: Health,
    /// True if the run has workers of its own; it ends when the last of them is gone.
    pub(crate) has_own_workers: bool,
    out: OutGames,
    repeats: RepeatTracker,
    /// The games that were taken last.
    done: TakenLately,
    /// Results of games that have not been taken from the source yet.
    held: HeldResults,
    acks: Acks,
    refused: BTreeSet<String>,
    order: LeaderOrder,
    is_ready: bool,
    /// The last reported reason why the files of bots can't be sent.
    cant_send: Option<String>,
    /// True if the source has no further games.
    no_more_games: bool,
    has_ended: bool,
    next_reading: Duration,
    next_announcement: Duration,
    /// Time of the last result, or of the order to stop.
    last_busy: Duration,
    counts: LeaderCounts,
    /// The actions to take, until the current event has been handled.
    actions: Vec<LeaderAction>,
}

impl<G: GameSource> Leader<G> {
    /// Creates a leader of the games of the plan with this digest. `salt` distinguishes its packs from those of earlier
    /// leaders; at most `shown` games are shown at once.
    pub fn new(games: G, plan: String, salt: u64, shown: usize) -> Leader<G> {
        Leader {
            games,
            packs: Packs::new(plan, salt),
            inbox: Inbox::default(),
            backlog: Backlog::default(),
            workers: HeardWorkers::default(),
            speeds: AnnouncedSpeeds::default(),
            health: Health::default(),
            has_own_workers: false,
            out: OutGames::new(shown),
            repeats: RepeatTracker::default(),
            done: TakenLately::default(),
            held: HeldResults::default(),
            acks: Acks::default(),
            refused: BTreeSet::new(),
            order: LeaderOrder::Play,
            is_ready: false,
            cant_send: None,
            no_more_games: false,
            has_ended: false,
            next_reading: Duration::ZERO,
            next_announcement: Duration::ZERO,
            last_busy: Duration::ZERO,
            counts: LeaderCounts::default(),
            actions: Vec::new(),
        }
    }

    /// Sets the total playing time of a pack, by the mean duration of games so far.
    #[must_use]
    pub fn with_pack_time(mut self, time: Duration) -> Leader<G> {
        self.packs.time = time;
        self
    }

    /// Returns the number of the stream of packs.
    pub fn epoch(&self) -> u64 {
        self.packs.epoch
    }

    /// True if the streams exist, as far as the leader knows.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Returns the workers whose results are refused.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().map(String::as_str)
    }

    /// Returns the instances of workers that are set aside, because they annulled too many games.
    pub fn set_aside(&self) -> impl Iterator<Item = u64> {
        self.health.set_aside.iter().copied()
    }

    /// Returns the maximum time between two status messages of a worker.
    pub fn between_statuses(&self) -> Duration {
        self.workers.between_statuses()
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> LeaderCounts {
        self.counts
    }

    /// Returns the source of the games.
    pub fn games(&self) -> &G {
        &self.games
    }

    /// Handles an event at this time. Returns the actions to take.
    pub fn handle(&mut self, at: Duration, event: LeaderEvent) -> Vec<LeaderAction> {
        match event {
            LeaderEvent::Ready { epoch, packs, results } => {
                self.ready(at, epoch, packs, results);
            }
            LeaderEvent::Published { pack, is_kept } => self.packs.published(&pack, is_kept, at),
            LeaderEvent::NotPublished(why) => {
                if self.cant_send.as_ref() != Some(&why) {
                    self.cant_send = Some(why.clone());
                    self.actions.push(LeaderAction::Tell(LeaderNotice::CantSendBots(why)));
                }
            }
            LeaderEvent::Result { worker, delivery, part } => {
                self.backlog.arrived(at);
                match part {
                    Ok(part) => {
                        if let Some(report) = self.inbox.add(at, worker, delivery, part) {
                            self.take_report(at, report);
                        }
                    }
                    Err(_) => self.acks.add(vec![delivery]),
                }
            }
            LeaderEvent::Kept(records) => self.acks.kept(records),
            LeaderEvent::WorkerStatus { worker, status, clock_ms } => {
                self.workers.compare_clocks(&worker, &status, clock_ms, &mut self.actions);
                self.hear(at, worker, *status);
            }
            LeaderEvent::StreamsRead { epoch, state } if epoch == self.packs.epoch => {
                self.take_streams_state(at, state);
            }
            // The stream has since been replaced.
            LeaderEvent::StreamsRead { .. } => {}
            LeaderEvent::Stop(order) => self.stop(at, order),
            LeaderEvent::Tick => self.tick(at),
        }
        self.fill(at);
        if self.is_ready && self.order == LeaderOrder::Play {
            self.actions.extend(self.packs.take_due(at, &self.out));
        }
        self.acks.flush(&mut self.actions);
        self.end_if_done(at);
        std::mem::take(&mut self.actions)
    }

    fn ready(&mut self, at: Duration, epoch: u64, found: Vec<Pack>, results: u64) {
        self.is_ready = true;
        self.cant_send = None;
        self.packs.ready(epoch, found, at);
        self.backlog = Backlog::new(at, results, self.packs.found());
        self.owe_repeats();
        self.health.note_playing(at);
        self.next_reading = at + BETWEEN_READINGS;
        self.announce(at);
    }

    fn announce(&mut self, at: Duration) {
        self.next_announcement = at + BETWEEN_ANNOUNCEMENTS;
        self.actions.push(LeaderAction::Announce(self.order));
    }

    /// Takes games from the source while there is room for them, and makes packs of them.
    fn fill(&mut self, at: Duration) {
        if !self.is_ready || self.order != LeaderOrder::Play {
            return;
        }
        let (slots, is_awaited) = (self.workers.slots(), self.backlog.is_awaited(at));
        let follow_each_result = self.games.follow_each_result();
        let mut room = match follow_each_result {
            _ if self.no_more_games => 0,
            true => Packs::room_for_single(self.workers.known_slots(), self.out.len()),
            false if is_awaited => self.backlog.games,
            false => self.packs.room(slots),
        };
        let (mut fresh, mut are_all) = (Vec::new(), self.no_more_games);
        while room > 0 {
            let (number, game) = match self.games.next() {
                NextGame::Game(number, game) => (number, game),
                next @ (NextGame::Wait | NextGame::Done) => {
                    are_all = true;
                    self.no_more_games = matches!(next, NextGame::Done);
                    break;
                }
            };
            let key = game.key();
            self.out.add(number, game);
            if let Some(result) = self.held.take(&key) {
                self.take_report(at, result);
            } else if !self.packs.adopt(&key, number) {
                fresh.push(number);
            }
            room -= 1;
        }
        if is_awaited {
            self.backlog.games = room;
        }
        match follow_each_result {
            true => self.packs.queue_alone(fresh),
            false => self.packs.queue(fresh),
        }
        if !is_awaited && self.packs.has_queued() {
            let left = if are_all { 0 } else { self.games.left() };
            self.packs.add(slots, left);
        }
    }

    fn forget(&mut self, number: u64) {
        if self.out.remove(number) {
            self.packs.forget(number);
        }
    }

    fn show(&mut self, number: u64) {
        if !RepeatTracker::is_repeat(number)
            && let Some(place) = self.out.start(number)
        {
            self.games.began(number, place);
        }
    }

    fn hear(&mut self, at: Duration, worker: String, status: WorkerStatus) {
        for key in &status.running {
            if let Some(number) = self.out.number(key) {
                self.show(number);
            }
        }
        for pack in HeardWorkers::returned(&status) {
            self.packs.returned(pack);
        }
        if !status.running.is_empty() {
            self.health.note_playing(at);
        }
        if let Some(speed) = status.speed {
            self.actions.extend(self.speeds.heard(at, &worker, speed).map(LeaderAction::Tell));
        }
        self.workers.hear(at, worker, status, &mut self.actions);
    }

    fn take_streams_state(&mut self, at: Duration, state: StreamsState) {
        match state {
            StreamsState::Missing if self.is_ready => {
                self.is_ready = false;
                self.counts.rebuilt += 1;
                let packs = self.packs.lost();
                self.actions.push(LeaderAction::Tell(LeaderNotice::StoreLost(packs)));
                self.actions.push(LeaderAction::Rebuild(self.packs.epoch + 1));
            }
            StreamsState::Present { packs: 0, results: 0 }
                if self.inbox.is_empty() && self.held.is_empty() =>
            {
                self.packs.missed(at, MISSED_AFTER);
            }
            StreamsState::Missing | StreamsState::Present { .. } => {}
        }
    }

    fn stop(&mut self, at: Duration, order: LeaderOrder) {
        if self.order != order && self.order != LeaderOrder::Over {
            self.order = order;
            self.last_busy = at;
            self.actions.push(LeaderAction::Announce(order));
        }
    }

    fn tick(&mut self, at: Duration) {
        if at >= self.next_announcement && self.is_ready {
            self.announce(at);
        }
        if at >= self.next_reading && self.is_ready {
            self.next_reading = at + BETWEEN_READINGS;
            self.actions.push(LeaderAction::ReadStreams);
        }
        self.workers.forget_silent(at, &mut self.actions);
        self.tell_if_stalled(at);
        self.tend_repeats(at);
        for (key, result) in self.held.take_expired(at) {
            self.drop_duplicate(key, result);
        }
        for deliveries in self.inbox.expired(at) {
            self.acks.add(deliveries);
        }
    }

    fn end_if_done(&mut self, at: Duration) {
        if self.has_ended {
            return;
        }
        let is_over = self.no_more_games && self.out.is_empty();
        let is_stopped = match self.order {
            LeaderOrder::Play | LeaderOrder::Over => false,
            LeaderOrder::Finish => self.workers.are_idle() && at.saturating_sub(self.last_busy) >= IDLE_FOR,
            LeaderOrder::Abort => true,
        };
        // An aborted run does not wait: if the records can't be kept, nothing more is acknowledged.
        let is_kept = self.acks.is_empty() || self.order == LeaderOrder::Abort;
        if !is_kept || !(is_over || is_stopped) {
            return;
        }
        self.has_ended = true;
        self.drop_repeats(self.repeats.open());
        if is_over {
            self.order = LeaderOrder::Over;
        }
        self.actions.push(LeaderAction::Announce(self.order));
        self.actions.push(LeaderAction::End { is_over });
    }
}
