//! The leader of a league as a state machine: it takes events with their time, and returns actions.
//!
//! It keeps a window of packs on the broker, takes each result once, and has a result acknowledged when its record
//! would outlive a power cut. The broker may lose, repeat and delay messages, or lose its store: what is missing is
//! published again, and what comes twice is dropped by the id of the game.

mod event;
mod health;
mod inbox;
mod packs;
mod repeats;
mod taken;
mod workers;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use crate::wire::{GameKey, GameReport, LeaderOrder, Pack, PackedGame, Report, WorkerStatus};
use health::{Health, MOST_VOIDS};
use inbox::{Inbox, Whole};
use linesman_league::elsewhere::Agreement;
use linesman_league::leader_notice::{LeaderNotice, Stall};
use linesman_record::{GameRecord, VoidKind};
use packs::Packs;
use repeats::{Compared, SecondPlays};
use taken::TakenLately;
use workers::SeenWorkers;

pub use event::{Delivery, LeaderAction, LeaderEvent, StreamsSeen};

/// Time between two looks at the streams.
const BETWEEN_LOOKS: Duration = Duration::from_secs(3);

/// Time between two announcements.
const BETWEEN_ANNOUNCEMENTS: Duration = Duration::from_secs(2);

/// Time after which a pack may be missed if the streams are empty: acknowledgements are on their way.
const MISSED_AFTER: Duration = Duration::from_secs(5);

/// Maximum number of results that are held because their game has not been asked for yet.
const MOST_HELD: usize = 1_000;

/// Time for which they are.
const HELD_FOR: Duration = Duration::from_secs(60);

/// Maximum number of deliveries of a pack to workers that did not give it back by themselves.
pub const MOST_DELIVERIES: u64 = 3;

/// Maximum number of workers whose reasons not to play are told when nothing is played.
const MOST_REASONS: usize = 3;

/// Time for which workers have to be seen idle before a league that stops has stopped.
const IDLE_FOR: Duration = Duration::from_secs(2);

/// The games of a league.
pub trait LeaderGames {
    /// The next game.
    fn next(&mut self, at: Duration) -> NextPacked;
    /// A game begins in a place that is shown, counted from 0.
    fn began(&mut self, number: u64, place: usize);
    /// Takes what came of a game, and says how long it took.
    ///
    /// # Errors
    /// The reason why it can't be true.
    fn take(&mut self, number: u64, record: GameRecord, report: GameReport) -> Result<Duration, String>;
    /// Gives a game up that nobody could play.
    fn give_up(&mut self, number: u64);
    /// Maximum number of games that are neither played nor out.
    fn left(&self) -> u64;
    /// True if the choice of each game follows from the results so far: then as many are out as are played, each in a
    /// pack of its own.
    fn follow_each_result(&self) -> bool;
    /// The agreement that is expected of a game's repeat; `None` if it is not repeated.
    fn repeat(&self, game: &PackedGame) -> Option<Agreement>;
    /// Checks and keeps the record of a repeat.
    ///
    /// # Errors
    /// The reason why it can't be true.
    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String>;
}

/// The answer to the question for the next game.
#[derive(Clone, Debug)]
pub enum NextPacked {
    /// This game, by its number.
    Game(u64, PackedGame),
    /// There is none now.
    Wait,
    /// There will be none.
    Done,
}

/// A game that is out.
struct OutGame {
    game: PackedGame,
    /// The place in which it is shown.
    place: Option<usize>,
}

/// Counts for tests and for people.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct LeaderCounts {
    /// Number of games that were taken.
    pub taken: u64,
    /// Number of results of games that had one.
    pub doubles: u64,
    /// Number of times that the streams were made anew.
    pub rebuilt: u64,
}

/// The leader of a league.
pub struct Leader<G> {
    games: G,
    packs: Packs,
    inbox: Inbox,
    workers: SeenWorkers,
    health: Health,
    /// True if no other workers than those that were heard will ever come.
    has_own_workers: bool,
    /// The games that are out, by their number.
    out: HashMap<u64, OutGame>,
    by_key: HashMap<GameKey, u64>,
    repeats: SecondPlays,
    /// Those that were taken last.
    done: TakenLately,
    /// Results of games that have not been asked for, with their deliveries and the time of their coming.
    held: HashMap<GameKey, (Whole, Duration)>,
    /// The number of records that were taken.
    handed: u64,
    kept: u64,
    /// Deliveries to acknowledge once so many records are kept.
    acks: VecDeque<(u64, Vec<Delivery>)>,
    /// The places that are shown.
    places: Vec<Option<u64>>,
    refused: BTreeSet<String>,
    order: LeaderOrder,
    is_ready: bool,
    no_more: bool,
    has_ended: bool,
    next_look: Duration,
    next_announcement: Duration,
    /// Time of the last result, or of the stop of the league.
    last_busy: Duration,
    counts: LeaderCounts,
}

impl<G: LeaderGames> Leader<G> {
    /// A leader of these games, which are of the plan with this digest. `salt` tells its packs from those of
    /// earlier leaders; so many games are shown at once.
    pub fn new(games: G, plan: String, salt: u64, shown: usize) -> Leader<G> {
        Leader {
            games,
            packs: Packs::new(plan, salt),
            inbox: Inbox::default(),
            workers: SeenWorkers::default(),
            health: Health::default(),
            has_own_workers: false,
            out: HashMap::new(),
            by_key: HashMap::new(),
            repeats: SecondPlays::default(),
            done: TakenLately::default(),
            held: HashMap::new(),
            handed: 0,
            kept: 0,
            acks: VecDeque::new(),
            places: vec![None; shown],
            refused: BTreeSet::new(),
            order: LeaderOrder::Play,
            is_ready: false,
            no_more: false,
            has_ended: false,
            next_look: Duration::ZERO,
            next_announcement: Duration::ZERO,
            last_busy: Duration::ZERO,
            counts: LeaderCounts::default(),
        }
    }

    /// The same leader, with workers that were started for it: when the last of them is gone, the run ends.
    #[must_use]
    pub fn with_own_workers(self) -> Leader<G> {
        Leader { has_own_workers: true, ..self }
    }

    /// The same leader, with packs of games that take so long together, as far as that is known.
    #[must_use]
    pub fn with_pack_time(mut self, time: Duration) -> Leader<G> {
        self.packs.time = time;
        self
    }

    /// The number of the stream of packs.
    pub fn epoch(&self) -> u64 {
        self.packs.epoch
    }

    /// The workers whose results are refused.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().map(String::as_str)
    }

    /// The processes of workers that play no more, because they annulled too many games.
    pub fn set_aside(&self) -> impl Iterator<Item = u64> {
        self.health.set_aside.iter().copied()
    }

    /// Maximum time between two words of a worker about itself.
    pub fn between_words(&self) -> Duration {
        self.workers.between_words()
    }

    /// Counts of events so far.
    pub fn counts(&self) -> LeaderCounts {
        self.counts
    }

    /// The games.
    pub fn games(&self) -> &G {
        &self.games
    }

    /// Takes an event, and says what is to be done.
    pub fn handle(&mut self, at: Duration, event: LeaderEvent) -> Vec<LeaderAction> {
        let mut actions = Vec::new();
        match event {
            LeaderEvent::Ready { epoch, packs } => self.ready(at, epoch, packs, &mut actions),
            LeaderEvent::Published { pack, is_kept } => self.packs.published(&pack, is_kept, at),
            LeaderEvent::NotPublished { why } => {
                actions.push(LeaderAction::Tell(LeaderNotice::CantSendBots { why }));
            }
            LeaderEvent::Result { worker, delivery, part } => match part {
                Ok(part) => {
                    if let Some(whole) = self.inbox.add(at, worker, delivery, part) {
                        self.take_report(at, whole, &mut actions);
                    }
                }
                Err(_) => self.ack(vec![delivery]),
            },
            LeaderEvent::Kept(records) => self.kept = self.kept.max(records),
            LeaderEvent::WorkerStatus { worker, word, clock_ms } => {
                self.workers.compare_clocks(&worker, &word, clock_ms, &mut actions);
                self.hear(at, worker, *word, &mut actions);
            }
            LeaderEvent::Looked { epoch, seen } if epoch == self.packs.epoch => {
                self.look(at, seen, &mut actions);
            }
            // It was made anew since.
            LeaderEvent::Looked { .. } => {}
            LeaderEvent::Stop(order) => self.stop(at, order, &mut actions),
            LeaderEvent::Tick => self.tick(at, &mut actions),
        }
        self.fill(at, &mut actions);
        if self.is_ready && self.order == LeaderOrder::Play {
            let out = &self.out;
            let game = |number: u64| out.get(&number).map(|out| out.game.clone());
            actions.extend(self.packs.take_due(at, &game));
        }
        self.flush(&mut actions);
        self.end_if_done(at, &mut actions);
        actions
    }

    fn ready(&mut self, at: Duration, epoch: u64, found: Vec<Pack>, actions: &mut Vec<LeaderAction>) {
        self.is_ready = true;
        self.packs.ready(epoch, found, at);
        self.health.plays(at);
        self.next_look = at + BETWEEN_LOOKS;
        self.announce(at, actions);
    }

    fn announce(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        self.next_announcement = at + BETWEEN_ANNOUNCEMENTS;
        actions.push(LeaderAction::Announce(self.order));
    }

    /// Acknowledges deliveries when all that was taken so far is kept.
    fn ack(&mut self, deliveries: Vec<Delivery>) {
        self.acks.push_back((self.handed, deliveries));
    }

    fn flush(&mut self, actions: &mut Vec<LeaderAction>) {
        while let Some((_, deliveries)) = self.acks.pop_front_if(|(records, _)| *records <= self.kept) {
            actions.extend(deliveries.into_iter().map(LeaderAction::Ack));
        }
    }

    /// Asks for games as long as there is room for packs.
    fn fill(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        if !self.is_ready || self.order != LeaderOrder::Play {
            return;
        }
        let slots = self.workers.slots();
        let mut room = match self.games.follow_each_result() {
            _ if self.no_more => 0,
            true => self.workers.known_slots().saturating_sub(self.out.len()),
            false => self.packs.room(slots),
        };
        let (mut fresh, mut are_all) = (Vec::new(), self.no_more);
        while room > 0 {
            let (number, game) = match self.games.next(at) {
                NextPacked::Game(number, game) => (number, game),
                next @ (NextPacked::Wait | NextPacked::Done) => {
                    are_all = true;
                    self.no_more = matches!(next, NextPacked::Done);
                    break;
                }
            };
            let key = game.key();
            self.by_key.insert(key.clone(), number);
            self.out.insert(number, OutGame { game, place: None });
            if let Some((whole, _)) = self.held.remove(&key) {
                self.take_report(at, whole, actions);
            } else if !self.packs.adopt(&key, number) {
                fresh.push(number);
            }
            room -= 1;
        }
        if fresh.is_empty() && !self.packs.has_again() {
            return;
        }
        if self.games.follow_each_result() {
            self.packs.alone(fresh);
            return self.packs.add(Vec::new(), slots, 0);
        }
        let left = if are_all { 0 } else { self.games.left() };
        self.packs.add(fresh, slots, left);
    }

    /// Takes a report that is whole.
    fn take_report(&mut self, at: Duration, whole: Whole, actions: &mut Vec<LeaderAction>) {
        let Whole { worker, deliveries, report } = whole;
        match report {
            Ok(Report::Game(report)) => match report.record() {
                Ok(record) => self.take_game(at, worker, deliveries, (record, report), actions),
                Err(error) => {
                    self.ack(deliveries);
                    self.refuse(worker, "?".to_owned(), error.to_string(), actions);
                }
            },
            Ok(Report::Quarantined { pack, deliveries: times }) => {
                self.ack(deliveries);
                self.quarantine(&pack, times, actions);
            }
            // The packs of an earlier leader are not known yet.
            Ok(Report::Returned { .. }) if !self.is_ready => {
                actions.extend(deliveries.into_iter().map(LeaderAction::Later));
            }
            Ok(Report::Returned { pack }) => {
                self.ack(deliveries);
                self.packs.given_back(&pack);
            }
            Err(error) => {
                self.ack(deliveries);
                self.refuse(worker, "?".to_owned(), error.to_string(), actions);
            }
        }
    }

    fn take_game(
        &mut self,
        at: Duration,
        worker: String,
        deliveries: Vec<Delivery>,
        (mut record, report): (GameRecord, Box<GameReport>),
        actions: &mut Vec<LeaderAction>,
    ) {
        let key = GameKey { id: record.id.clone(), attempt: record.attempt, repeat: report.repeat };
        let Some(number) = self.by_key.get(&key).copied() else {
            let report = Ok(Report::Game(report));
            return self.take_unasked(at, key, Whole { worker, deliveries, report }, actions);
        };
        if self.refused.contains(&worker) {
            self.ack(deliveries);
            self.packs.again([number]);
            return;
        }
        self.show(number);
        // The broker knows whose result it is.
        record.worker.get_or_insert_default().name.clone_from(&worker);
        if SecondPlays::is_repeat(number) {
            self.ack(deliveries);
            self.take_repeat(at, number, (worker, record), actions);
            return;
        }
        let repeat = self.wished_repeat(number, &record);
        let is_void =
            record.void.as_ref().is_some_and(|void| void.kind == VoidKind::Host && void.seat.is_none());
        match self.games.take(number, record, *report) {
            Ok(duration) => {
                self.health.plays(at);
                if self.health.played(&worker, is_void) {
                    self.set_worker_aside(worker.clone(), actions);
                }
                self.packs.took(duration);
                self.last_busy = at;
                self.handed += 1;
                self.counts.taken += 1;
                self.ack(deliveries);
                self.forget(number);
                self.done.insert(key);
                if let Some((game, agreement, record)) = repeat {
                    let owners = self.workers.owners(&self.refused);
                    let begun = self.repeats.begin(at, (game, &worker, &record), agreement, &owners);
                    self.send_repeat(begun);
                }
            }
            Err(why) => {
                self.ack(deliveries);
                self.packs.again([number]);
                self.refuse(worker, key.id, why, actions);
            }
        }
    }

    /// Takes a result that this leader does not wait for.
    fn take_unasked(&mut self, at: Duration, key: GameKey, whole: Whole, actions: &mut Vec<LeaderAction>) {
        if key.repeat > 0 {
            // An earlier leader asked for it.
            self.ack(whole.deliveries);
        } else if self.done.contains(&key) {
            self.drop_double(key, whole.worker, whole.deliveries, actions);
        } else {
            self.hold(at, key, whole, actions);
        }
    }

    /// The repeat that a game is to have, with the record that it is compared with.
    fn wished_repeat(&self, number: u64, record: &GameRecord) -> Option<(PackedGame, Agreement, GameRecord)> {
        let game = &self.out.get(&number)?.game;
        let agreement = self.games.repeat(game).filter(|_| record.void.is_none())?;
        Some((game.clone(), agreement, record.clone()))
    }

    fn send_repeat(&mut self, begun: Option<(u64, PackedGame)>) {
        let Some((number, game)) = begun else { return };
        self.by_key.insert(game.key(), number);
        self.out.insert(number, OutGame { game, place: None });
        self.packs.alone(vec![number]);
    }

    /// Takes the record of a game that another worker has played before.
    fn take_repeat(
        &mut self,
        at: Duration,
        number: u64,
        (worker, mut record): (String, GameRecord),
        actions: &mut Vec<LeaderAction>,
    ) {
        let Some(game) = self.repeats.game(number).cloned() else { return };
        record.worker.get_or_insert_default().repeat = Some(game.repeat);
        if let Err(why) = self.games.keep_repeat(&game, record.clone()) {
            self.packs.again([number]);
            self.refuse(worker, game.id, why, actions);
            return;
        }
        self.last_busy = at;
        self.forget(number);
        let owners = self.workers.owners(&self.refused);
        match self.repeats.take(at, number, (&worker, &record), &owners) {
            Compared::Done => {}
            Compared::Tell(notice) => actions.push(LeaderAction::Tell(notice)),
            Compared::Again(number, game) => self.send_repeat(Some((number, game))),
        }
    }

    /// Drops the repeats that nobody will play.
    fn drop_repeats(&mut self, numbers: Vec<u64>) {
        for number in numbers {
            self.repeats.drop_one(number);
            self.forget(number);
        }
    }

    /// Holds a result of a game that may be asked for later.
    fn hold(&mut self, at: Duration, key: GameKey, whole: Whole, actions: &mut Vec<LeaderAction>) {
        if self.no_more {
            // The league has all of its games.
            self.drop_double(key, whole.worker, whole.deliveries, actions);
        } else if self.order != LeaderOrder::Play {
            // It is left to the next leader.
        } else if self.held.len() < MOST_HELD {
            if let Some((before, _)) = self.held.insert(key.clone(), (whole, at)) {
                self.drop_double(key, before.worker, before.deliveries, actions);
            }
        } else {
            actions.extend(whole.deliveries.into_iter().map(LeaderAction::Later));
        }
    }

    /// Drops a result of a game that has one.
    fn drop_double(
        &mut self,
        key: GameKey,
        worker: String,
        deliveries: Vec<Delivery>,
        actions: &mut Vec<LeaderAction>,
    ) {
        self.counts.doubles += 1;
        self.ack(deliveries);
        actions.push(LeaderAction::Tell(LeaderNotice::Double { worker, id: key.id }));
    }

    /// A worker annulled several games in a row. Others play them, until it is started again.
    fn set_worker_aside(&mut self, worker: String, actions: &mut Vec<LeaderAction>) {
        self.health.set_aside.extend(self.workers.instances(&worker));
        actions.push(LeaderAction::Tell(LeaderNotice::SetAside { worker, voids: MOST_VOIDS }));
        actions.push(LeaderAction::Announce(self.order));
    }

    fn refuse(&mut self, worker: String, id: String, why: String, actions: &mut Vec<LeaderAction>) {
        if self.refused.insert(worker.clone()) {
            actions.push(LeaderAction::Tell(LeaderNotice::Refused { worker, id, why }));
            actions.push(LeaderAction::Announce(self.order));
        }
    }

    /// A pack came back from several workers that did not finish it.
    fn quarantine(&mut self, pack: &str, deliveries: u64, actions: &mut Vec<LeaderAction>) {
        let Some((numbers, returned)) = self.packs.remove(pack) else { return };
        match numbers.as_slice() {
            _ if deliveries.saturating_sub(returned) <= MOST_DELIVERIES => self.packs.again(numbers),
            [number] if SecondPlays::is_repeat(*number) => self.drop_repeats(numbers),
            [number] => {
                if let Some(out) = self.out.get(number) {
                    let id = out.game.id.clone();
                    actions.push(LeaderAction::Tell(LeaderNotice::GivenUp { id, deliveries }));
                }
                self.games.give_up(*number);
                self.forget(*number);
            }
            // One of them is at fault.
            _ => self.packs.alone(numbers),
        }
    }

    fn forget(&mut self, number: u64) {
        let Some(out) = self.out.remove(&number) else { return };
        self.by_key.remove(&out.game.key());
        self.packs.forget(number);
        if let Some(place) = out.place {
            self.places[place] = None;
        }
    }

    /// Shows a game in a free place.
    fn show(&mut self, number: u64) {
        let Some(out) = self.out.get_mut(&number) else { return };
        if out.place.is_some() || self.places.is_empty() || SecondPlays::is_repeat(number) {
            return;
        }
        let free = self.places.iter().position(Option::is_none);
        // Where all are taken, the last one shows the latest game.
        let place = free.unwrap_or(self.places.len() - 1);
        if free.is_some() {
            self.places[place] = Some(number);
            out.place = Some(place);
        }
        self.games.began(number, place);
    }

    fn hear(&mut self, at: Duration, worker: String, word: WorkerStatus, actions: &mut Vec<LeaderAction>) {
        for key in &word.running {
            if let Some(number) = self.by_key.get(key).copied() {
                self.show(number);
            }
        }
        for pack in SeenWorkers::returned(&word) {
            self.packs.returned(pack);
        }
        if !word.running.is_empty() {
            self.health.plays(at);
        }
        self.workers.hear(at, worker, word, actions);
    }

    /// Tells people if games wait and nobody plays.
    fn tell_if_stalled(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        let is_waiting = self.is_ready && self.order == LeaderOrder::Play && !self.out.is_empty();
        let Some(notices) = is_waiting.then(|| self.health.stalled(at)).flatten() else { return };
        if !self.workers.are_idle() {
            return self.health.plays(at);
        }
        let workers = self.workers.number();
        let cause = match self.workers.reasons(MOST_REASONS) {
            _ if workers == 0 => Stall::NoWorker,
            reasons if reasons.is_empty() => Stall::Idle { workers },
            reasons => Stall::CantPlay { workers, reasons },
        };
        let games = self.games.left().saturating_add(self.out.len() as u64);
        actions.push(LeaderAction::Tell(LeaderNotice::Stalled { games, cause }));
        // Before the second notice they may still be starting.
        if self.has_own_workers && workers == 0 && (self.workers.have_spoken() || notices > 1) {
            self.stop(at, LeaderOrder::Abort, actions);
        }
    }

    fn look(&mut self, at: Duration, seen: StreamsSeen, actions: &mut Vec<LeaderAction>) {
        match seen {
            StreamsSeen::Gone if self.is_ready => {
                self.is_ready = false;
                self.counts.rebuilt += 1;
                let packs = self.packs.lost();
                actions.push(LeaderAction::Tell(LeaderNotice::StoreLost { packs }));
                actions.push(LeaderAction::Rebuild { epoch: self.packs.epoch + 1 });
            }
            StreamsSeen::There { packs: 0, results: 0 } if self.inbox.is_empty() && self.held.is_empty() => {
                self.packs.missed(at, MISSED_AFTER);
            }
            StreamsSeen::Gone | StreamsSeen::There { .. } => {}
        }
    }

    fn stop(&mut self, at: Duration, order: LeaderOrder, actions: &mut Vec<LeaderAction>) {
        if self.order != order && self.order != LeaderOrder::Over {
            self.order = order;
            self.last_busy = at;
            actions.push(LeaderAction::Announce(order));
        }
    }

    fn tick(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        if at >= self.next_announcement && self.is_ready {
            self.announce(at, actions);
        }
        if at >= self.next_look && self.is_ready {
            self.next_look = at + BETWEEN_LOOKS;
            actions.push(LeaderAction::Look);
        }
        self.workers.forget_silent(at, actions);
        self.tell_if_stalled(at, actions);
        self.drop_repeats(self.repeats.hopeless(at, &self.workers.owners(&self.refused)));
        let expired: Vec<GameKey> = (self.held.iter())
            .filter(|(_, (_, since))| at.saturating_sub(*since) > HELD_FOR)
            .map(|(key, _)| key.clone())
            .collect();
        for key in expired {
            if let Some((whole, _)) = self.held.remove(&key) {
                self.drop_double(key, whole.worker, whole.deliveries, actions);
            }
        }
        for deliveries in self.inbox.expired(at) {
            self.ack(deliveries);
        }
    }

    fn end_if_done(&mut self, at: Duration, actions: &mut Vec<LeaderAction>) {
        if self.has_ended {
            return;
        }
        let is_over = self.no_more && self.out.is_empty();
        let is_stopped = match self.order {
            LeaderOrder::Play | LeaderOrder::Over => false,
            LeaderOrder::Finish => self.workers.are_idle() && at.saturating_sub(self.last_busy) >= IDLE_FOR,
            LeaderOrder::Abort => true,
        };
        // Where records can't be kept, nothing is acknowledged any more.
        let is_kept = self.acks.is_empty() || self.order == LeaderOrder::Abort;
        if !is_kept || !(is_over || is_stopped) {
            return;
        }
        self.has_ended = true;
        if is_over {
            self.order = LeaderOrder::Over;
        }
        actions.push(LeaderAction::Announce(self.order));
        actions.push(LeaderAction::End { is_over });
    }
}
