//! Leaders and workers at a broker that loses, delays and repeats messages, among clocks that go wrong and programs
//! that are killed, all of it as a seed says. Every game must come to one record in the end.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use std::time::Duration;

use crate::leader::{Leader, LeaderAction, LeaderEvent, LeaderGames, NextPacked, StreamsSeen};
use crate::wire::{
    Announcement, GameKey, GameReport, Pack, PackedGame, Report, ResultPart, SeatReport, VERSION,
    WireMessage, owner,
};
use crate::worker::{Worker, WorkerAction, WorkerEvent};
use linesman_league::elsewhere::Agreement;
use linesman_league::leader_notice::LeaderNotice;
use linesman_record::{GameRecord, VoidKind, VoidRecord};
use linesman_types::random::SplitMix64;

const ACK_WAIT: Duration = Duration::from_secs(3);
const POISON: &str = "poison";

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// The file of records: what was appended, and how much of it would outlive a power cut.
#[derive(Default)]
struct Records {
    lines: Vec<(GameKey, bool)>,
    durable: usize,
}

/// The games of one leader's run.
struct SimGames {
    missing: Vec<PackedGame>,
    out: BTreeMap<u64, PackedGame>,
    numbers: u64,
    records: Rc<RefCell<Records>>,
    given_up: Rc<RefCell<BTreeSet<String>>>,
    /// SimGames of the second round are known when those of the first have been played.
    waiting: Vec<PackedGame>,
    /// Each of so many games is repeated; 0 = none is.
    repeated: u64,
    repeats: Rc<RefCell<Vec<(GameKey, String)>>>,
}

impl LeaderGames for SimGames {
    fn next(&mut self, _at: Duration) -> NextPacked {
        if self.missing.is_empty() && self.out.is_empty() {
            self.missing.append(&mut self.waiting);
        }
        match self.missing.pop() {
            Some(game) => {
                self.numbers += 1;
                self.out.insert(self.numbers, game.clone());
                NextPacked::Game(self.numbers, game)
            }
            None if self.out.is_empty() => NextPacked::Done,
            None => NextPacked::Wait,
        }
    }

    fn began(&mut self, number: u64, _place: usize) {
        assert!(self.out.contains_key(&number), "only games that are out begin");
    }

    fn take(&mut self, number: u64, record: GameRecord, _report: GameReport) -> Result<Duration, String> {
        let game = self.out.get(&number).cloned().expect("it is out");
        if record.seed != Some(game.seed) {
            return Err("the seed is not as planned".to_owned());
        }
        self.out.remove(&number);
        let is_void = record.void.is_some();
        self.records.borrow_mut().lines.push((game.key(), is_void));
        if is_void {
            self.missing.push(PackedGame { attempt: game.attempt + 1, ..game });
        }
        Ok(ms(record.duration_ms.unwrap_or_default()))
    }

    fn give_up(&mut self, number: u64) {
        let game = self.out.remove(&number).expect("it is out");
        self.given_up.borrow_mut().insert(game.id);
    }

    fn repeat(&self, game: &PackedGame) -> Option<Agreement> {
        (self.repeated > 0 && game.seed.is_multiple_of(self.repeated)).then_some(Agreement::MoveByMove)
    }

    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String> {
        assert_eq!(record.worker.as_ref().and_then(|worker| worker.repeat), Some(game.repeat));
        let name = record.worker.map(|worker| worker.name).unwrap_or_default();
        self.repeats.borrow_mut().push((game.key(), name));
        Ok(())
    }
}

/// A message that a stream keeps.
struct Stored<T> {
    content: T,
    /// Time of its next delivery at the earliest.
    from: Duration,
    deliveries: u64,
}

#[derive(Default)]
struct Broker {
    is_down: bool,
    jobs: Option<(u64, BTreeMap<u64, Stored<Pack>>)>,
    results: Option<BTreeMap<u64, Stored<(String, ResultPart)>>>,
    known: HashSet<String>,
    sequence: u64,
}

/// Something on its way, or to come.
enum Coming {
    LeaderTick,
    WorkerTick(usize),
    BrokerTick,
    ToLeader(LeaderEvent),
    ToWorker(usize, WorkerEvent),
    Publish(u64, Pack),
    Make(Option<u64>),
    Look(u64),
    Pull(usize, u64, u64),
    Result { worker: usize, number: u64, report: Report },
    Handled(String, Handling),
    GameEnds(usize, u64),
    Synced(usize),
    LeaderStarts,
    WorkerStarts(usize),
    ServerStarts,
    Fault,
}

#[derive(Copy, Clone)]
enum Handling {
    Ack,
    Progress,
    Nak(Duration),
}

/// A clock that goes wrong.
#[derive(Clone, Copy)]
struct Clock {
    start: Duration,
    ahead: Duration,
    /// In thousandths.
    rate: u32,
}

impl Clock {
    fn at(self, now: Duration) -> Duration {
        self.ahead + now.saturating_sub(self.start) * self.rate / 1_000
    }
}

struct SimWorker {
    generation: u64,
    worker: Option<Worker>,
    clock: Clock,
    playing: BTreeMap<u64, PackedGame>,
    is_liar: bool,
    /// True if its bots play other moves.
    deviates: bool,
    name: String,
}

struct Simulation {
    random: SplitMix64,
    now: Duration,
    numbers: u64,
    /// An event under way, with the generation of its receiver.
    coming: BTreeMap<(Duration, u64), (u64, Coming)>,
    broker: Broker,
    leader: Option<Leader<SimGames>>,
    leader_generation: u64,
    leader_clock: Clock,
    taken_before: usize,
    /// Number of records that there were before this leader.
    lines_before: usize,
    workers: Vec<SimWorker>,
    records: Rc<RefCell<Records>>,
    given_up: Rc<RefCell<BTreeSet<String>>>,
    repeated: u64,
    repeats: Rc<RefCell<Vec<(GameKey, String)>>>,
    games: Vec<PackedGame>,
    loss: u64,
    faults_until: Duration,
    has_ended: bool,
    notices: Vec<LeaderNotice>,
    kills: u64,
    wipes: u64,
}

const SLOTS: usize = 2;

impl Simulation {
    fn new(seed: u64, games: usize, workers: usize) -> Simulation {
        let game = |index: usize| PackedGame {
            index: index as u64,
            id: format!("a~b~{index}"),
            attempt: 1,
            try_of_run: 1,
            bots: vec![0, 1],
            entrants: vec![0, 1],
            times: 1,
            encounter: 1,
            seed: index as u64,
            repeat: 0,
            not_for: Vec::new(),
        };
        let clock = Clock { start: Duration::ZERO, ahead: Duration::ZERO, rate: 1_000 };
        let mut simulation = Simulation {
            random: SplitMix64(seed),
            now: Duration::ZERO,
            numbers: 0,
            coming: BTreeMap::new(),
            broker: Broker::default(),
            leader: None,
            leader_generation: 0,
            leader_clock: clock,
            taken_before: 0,
            lines_before: 0,
            workers: Vec::new(),
            records: Rc::default(),
            given_up: Rc::default(),
            repeated: 0,
            repeats: Rc::default(),
            games: (0..games).map(game).collect(),
            loss: 0,
            faults_until: Duration::ZERO,
            has_ended: false,
            notices: Vec::new(),
            kills: 0,
            wipes: 0,
        };
        for number in 0..workers {
            let name = format!("w{number}");
            simulation.workers.push(SimWorker {
                generation: 0,
                worker: None,
                clock,
                playing: BTreeMap::new(),
                is_liar: false,
                deviates: false,
                name,
            });
            simulation.come(ms(0), 0, Coming::WorkerStarts(number));
        }
        simulation.come(ms(0), 0, Coming::LeaderStarts);
        simulation.come(ms(0), 0, Coming::BrokerTick);
        simulation
    }

    fn come(&mut self, after: Duration, generation: u64, coming: Coming) {
        self.numbers += 1;
        self.coming.insert((self.now + after, self.numbers), (generation, coming));
    }

    fn hits(&mut self, per_mille: u64) -> bool {
        self.random.below(1_000) < per_mille
    }

    fn up_to(&mut self, most: Duration) -> Duration {
        ms(self.random.below(most.as_millis() as u64 + 1))
    }

    /// Sends something over the network, where it may be lost, or come twice.
    fn send(&mut self, generation: u64, make: impl Fn() -> Coming) {
        let copies = if self.hits(self.loss) { 0 } else { 1 + u64::from(self.hits(self.loss / 4)) };
        for _ in 0..copies {
            let delay = self.up_to(ms(40));
            self.come(delay, generation, make());
        }
    }

    fn skewed(&mut self) -> Clock {
        let rate = 700 + self.random.below(700) as u32;
        Clock { start: self.now, ahead: ms(self.random.below(10_000_000)), rate }
    }

    fn tell_leader(&mut self, event: LeaderEvent) {
        let at = self.leader_clock.at(self.now);
        let Some(leader) = &mut self.leader else { return };
        let actions = leader.handle(at, event);
        let lines = self.records.borrow().lines.len();
        if lines > self.taken_before {
            self.taken_before = lines;
            let delay = self.up_to(ms(300));
            self.come(delay, self.leader_generation, Coming::Synced(lines));
        }
        for action in actions {
            self.act_of_leader(action);
        }
    }

    fn act_of_leader(&mut self, action: LeaderAction) {
        let generation = self.leader_generation;
        match action {
            LeaderAction::Publish { epoch, pack } => {
                let id = pack.id.clone();
                let lost = LeaderEvent::Published { pack: id, is_kept: false };
                self.come(ms(5_000), generation, Coming::ToLeader(lost));
                self.send(generation, || Coming::Publish(epoch, pack.clone()));
            }
            LeaderAction::Ack(delivery) => self.send(0, || Coming::Handled(delivery.clone(), Handling::Ack)),
            LeaderAction::Later(delivery) => {
                self.send(0, || Coming::Handled(delivery.clone(), Handling::Nak(ms(10_000))));
            }
            LeaderAction::Rebuild { epoch } => self.come(ms(10), generation, Coming::Make(Some(epoch))),
            LeaderAction::Announce(order) => {
                let leader = self.leader.as_ref().expect("it acts");
                let announcement = Announcement {
                    v: VERSION,
                    league: "cup".to_owned(),
                    name: "cup".to_owned(),
                    epoch: leader.epoch(),
                    plan: "plan".to_owned(),
                    pieces: 1,
                    ack_wait_ms: ACK_WAIT.as_millis() as u64,
                    order,
                    refused: leader.refused().map(str::to_owned).collect(),
                };
                let announcement = Announcement::decode(&announcement.encode()).expect("it is one");
                for worker in 0..self.workers.len() {
                    let event = WorkerEvent::Announced(announcement.clone());
                    let to = self.workers[worker].generation;
                    self.send(to, || Coming::ToWorker(worker, event.clone()));
                }
            }
            LeaderAction::Look => {
                let epoch = self.leader.as_ref().expect("it acts").epoch();
                self.send(generation, || Coming::Look(epoch));
            }
            LeaderAction::Tell(notice) => self.notices.push(notice),
            LeaderAction::End { is_over } => {
                assert!(is_over, "nobody stops it");
                self.has_ended = true;
            }
        }
    }

    fn tell_worker(&mut self, number: usize, event: WorkerEvent) {
        let own = &mut self.workers[number];
        let at = own.clock.at(self.now);
        let Some(worker) = &mut own.worker else { return };
        let actions = worker.handle(at, event);
        for action in actions {
            self.act_of_worker(number, action);
        }
        self.begin_games(number);
    }

    fn begin_games(&mut self, number: usize) {
        while self.workers[number].playing.len() < SLOTS
            && let Some((game_number, game)) = self.workers[number].worker.as_mut().and_then(Worker::begin)
        {
            let longest = if self.hits(20) { 8_000 } else { 400 };
            let length = self.up_to(ms(longest));
            let generation = self.workers[number].generation;
            self.workers[number].playing.insert(game_number, game);
            self.come(length, generation, Coming::GameEnds(number, game_number));
        }
    }

    fn act_of_worker(&mut self, number: usize, action: WorkerAction) {
        let generation = self.workers[number].generation;
        match action {
            WorkerAction::Load(announced) => {
                let plan = announced.plan.clone();
                let refusals = vec![None, None];
                let event = WorkerEvent::Loaded { plan, refusals, entrants: 2, seats: 2, least_speed: None };
                self.come(ms(100), generation, Coming::ToWorker(number, event));
            }
            WorkerAction::Dismiss => {
                self.come(ms(5), generation, Coming::ToWorker(number, WorkerEvent::Dismissed));
            }
            WorkerAction::BreakOff => {
                self.workers[number].playing.clear();
                self.come(ms(5), generation, Coming::ToWorker(number, WorkerEvent::Dismissed));
            }
            WorkerAction::Fetch { fetch, epoch, .. } => {
                let lost = WorkerEvent::Nothing { fetch };
                self.come(ms(4_000), generation, Coming::ToWorker(number, lost));
                self.send(generation, || Coming::Pull(number, fetch, epoch));
            }
            WorkerAction::Begin => {}
            WorkerAction::Measure => {
                let measured = WorkerEvent::Measured(None);
                self.come(ms(200), generation, Coming::ToWorker(number, measured));
            }
            WorkerAction::Progress(delivery) => {
                self.send(0, || Coming::Handled(delivery.clone(), Handling::Progress));
            }
            WorkerAction::Ack(delivery) => self.send(0, || Coming::Handled(delivery.clone(), Handling::Ack)),
            WorkerAction::Nak(delivery, delay) => {
                self.send(0, || Coming::Handled(delivery.clone(), Handling::Nak(delay)));
            }
            WorkerAction::Report { number: report_number, report, .. } => {
                let lost = WorkerEvent::Reported { number: report_number, is_kept: false };
                self.come(ms(5_000), generation, Coming::ToWorker(number, lost));
                self.send(generation, || Coming::Result {
                    worker: number,
                    number: report_number,
                    report: report.clone(),
                });
            }
            WorkerAction::Say { word, .. } => {
                let to = self.leader_generation;
                let worker = self.workers[number].name.clone();
                self.send(to, || {
                    Coming::ToLeader(LeaderEvent::WorkerStatus {
                        worker: worker.clone(),
                        word: Box::new(word.clone()),
                        clock_ms: None,
                    })
                });
            }
            WorkerAction::Tell(_) => {}
            WorkerAction::Quit => self.workers[number].worker = None,
        }
    }

    fn report(&self, number: usize, game: &PackedGame, is_void: bool, length: Duration) -> GameReport {
        let SimWorker { is_liar, deviates, .. } = self.workers[number];
        let record = GameRecord {
            v: linesman_record::VERSION,
            id: game.id.clone(),
            attempt: game.attempt,
            game: "quixo".to_owned(),
            seed: Some(game.seed + u64::from(is_liar)),
            moves: deviates.then(|| vec!["x".to_owned()]),
            duration_ms: Some(length.as_millis() as u64),
            void: is_void.then(|| VoidRecord { kind: VoidKind::Host, ..VoidRecord::default() }),
            ..GameRecord::default()
        };
        GameReport {
            pack: String::new(),
            repeat: 0,
            record: record.to_line().expect("it is a record"),
            notes: Vec::new(),
            seats: vec![
                SeatReport { moves: 1, was_ready: true, ignored: 0, first_ignored: String::new() };
                2
            ],
            paused: Vec::new(),
            leaked: [0, 0],
        }
    }

    /// The broker's treatment of a message.
    fn at_broker(&mut self, generation: u64, coming: Coming) {
        if self.broker.is_down {
            if let Coming::Make(epoch) = coming {
                self.come(ms(500), generation, Coming::Make(epoch));
            }
            return;
        }
        match coming {
            Coming::Publish(epoch, pack) => {
                let pack = Pack::decode(&pack.encode()).expect("it is one");
                let now = self.now;
                let sequence = self.broker.next();
                let Some((own, jobs)) = &mut self.broker.jobs else { return };
                if *own != epoch {
                    return;
                }
                let id = pack.id.clone();
                if self.broker.known.insert(format!("{epoch} {id}")) {
                    jobs.insert(sequence, Stored { content: pack, from: now, deliveries: 0 });
                }
                let event = LeaderEvent::Published { pack: id, is_kept: true };
                self.send(generation, || Coming::ToLeader(event.clone()));
            }
            Coming::Make(wanted) => {
                let fresh = self.leader.as_ref().map_or(0, Leader::epoch);
                let mut packs = Vec::new();
                match (&self.broker.jobs, wanted) {
                    (Some((_, jobs)), None) => {
                        packs = jobs.values().map(|stored| stored.content.clone()).collect();
                    }
                    (Some((epoch, _)), Some(wanted)) if *epoch == wanted => {}
                    (_, wanted) => {
                        self.broker.jobs = Some((wanted.unwrap_or(fresh), BTreeMap::new()));
                    }
                }
                self.broker.results.get_or_insert_default();
                let epoch = self.broker.jobs.as_ref().expect("it was made").0;
                self.come(ms(5), generation, Coming::ToLeader(LeaderEvent::Ready { epoch, packs }));
            }
            Coming::Look(epoch) => {
                let seen = match (&self.broker.jobs, &self.broker.results) {
                    (Some((own, jobs)), Some(results)) if *own == epoch => {
                        StreamsSeen::There { packs: jobs.len() as u64, results: results.len() as u64 }
                    }
                    _ => StreamsSeen::Gone,
                };
                self.send(generation, || Coming::ToLeader(LeaderEvent::Looked { epoch, seen }));
            }
            Coming::Pull(worker, fetch, epoch) => {
                let now = self.now;
                let Some((own, jobs)) = &mut self.broker.jobs else { return };
                if *own != epoch {
                    return;
                }
                let Some((sequence, stored)) = jobs.iter_mut().find(|(_, stored)| stored.from <= now) else {
                    return;
                };
                stored.deliveries += 1;
                stored.from = now + ACK_WAIT;
                let delivery = format!("job {epoch} {sequence}");
                let (deliveries, pack) = (stored.deliveries, Some(stored.content.clone()));
                let event = WorkerEvent::Fetched { fetch, delivery, deliveries, pack };
                self.send(generation, || Coming::ToWorker(worker, event.clone()));
            }
            Coming::Result { worker, number, report } => {
                let name = self.workers[worker].name.clone();
                let now = self.now;
                for part in report.parts().expect("it is short") {
                    let sequence = self.broker.next();
                    let Some(results) = &mut self.broker.results else { return };
                    let part = ResultPart::decode(&part).expect("it is one");
                    if self.broker.known.insert(format!("{name} {} {}", part.report, part.part)) {
                        let content = (name.clone(), part);
                        results.insert(sequence, Stored { content, from: now, deliveries: 0 });
                    }
                }
                let event = WorkerEvent::Reported { number, is_kept: true };
                self.send(generation, || Coming::ToWorker(worker, event.clone()));
            }
            Coming::Handled(delivery, handling) => self.broker.handle(&delivery, handling, self.now),
            _ => unreachable!("it is not for the broker"),
        }
    }

    /// The broker delivers results.
    fn deliver_results(&mut self) {
        let now = self.now;
        let mut events = Vec::new();
        if !self.broker.is_down {
            for (sequence, stored) in self.broker.results.iter_mut().flatten() {
                if stored.from <= now {
                    stored.from = now + ACK_WAIT;
                    let (worker, part) = stored.content.clone();
                    let delivery = format!("result 0 {sequence}");
                    events.push(LeaderEvent::Result { worker, delivery, part: Ok(part) });
                }
            }
        }
        for event in events {
            self.send(self.leader_generation, || Coming::ToLeader(event.clone()));
        }
    }

    fn start_leader(&mut self) {
        self.leader_generation += 1;
        let played: BTreeSet<String> = (self.records.borrow().lines.iter())
            .filter(|(_, is_void)| !is_void)
            .map(|(key, _)| key.id.clone())
            .collect();
        let mut missing = Vec::new();
        for game in self.games.iter().filter(|game| !played.contains(&game.id)) {
            let tried = self.records.borrow().lines.iter().filter(|(key, _)| key.id == game.id).count();
            missing.push(PackedGame { attempt: tried as u32 + 1, ..game.clone() });
        }
        let waiting = missing.split_off(missing.len() / 2);
        let games = SimGames {
            missing,
            waiting,
            out: BTreeMap::new(),
            numbers: 0,
            records: Rc::clone(&self.records),
            given_up: Rc::clone(&self.given_up),
            repeated: self.repeated,
            repeats: Rc::clone(&self.repeats),
        };
        self.taken_before = self.records.borrow().lines.len();
        let salt = self.random.next_u64() >> 12;
        self.leader = Some(Leader::new(games, "plan".to_owned(), salt, 4));
        self.leader_clock = self.skewed();
        self.lines_before = self.taken_before;
        self.records.borrow_mut().durable = self.taken_before;
        self.come(ms(5), self.leader_generation, Coming::Make(None));
        self.come(ms(10), self.leader_generation, Coming::LeaderTick);
    }

    fn start_worker(&mut self, number: usize) {
        let instance = self.random.next_u64() >> 12;
        let clock = self.skewed();
        let own = &mut self.workers[number];
        own.generation += 1;
        own.playing.clear();
        own.clock = clock;
        own.worker = Some(Worker::new(own.name.clone(), instance, SLOTS, false));
        let generation = own.generation;
        self.come(ms(5), generation, Coming::WorkerTick(number));
    }

    /// Somebody dies.
    fn fault(&mut self) {
        self.kills += 1;
        match self.random.below(10) {
            0..=4 => {
                let number = self.random.below(self.workers.len() as u64) as usize;
                self.workers[number].worker = None;
                self.workers[number].generation += 1;
                let after = self.up_to(ms(5_000));
                self.come(after, 0, Coming::WorkerStarts(number));
            }
            5..=6 => {
                self.leader = None;
                self.leader_generation += 1;
                if self.hits(500) {
                    // A power cut.
                    let mut records = self.records.borrow_mut();
                    let durable = records.durable;
                    records.lines.truncate(durable);
                }
                let after = self.up_to(ms(5_000));
                self.come(after, 0, Coming::LeaderStarts);
            }
            number => {
                self.broker.is_down = true;
                if number == 9 {
                    self.wipes += 1;
                    self.broker =
                        Broker { is_down: true, sequence: self.broker.sequence, ..Broker::default() };
                }
                let after = self.up_to(ms(5_000));
                self.come(after, 0, Coming::ServerStarts);
            }
        }
        let after = self.up_to(ms(4_000));
        if self.now + after < self.faults_until {
            self.come(after, 0, Coming::Fault);
        } else {
            self.loss = 0;
        }
    }

    fn step(&mut self) {
        let ((now, _), (generation, coming)) = self.coming.pop_first().expect("clocks tick");
        self.now = now;
        match coming {
            Coming::LeaderTick if generation == self.leader_generation => {
                self.come(ms(100), generation, Coming::LeaderTick);
                self.tell_leader(LeaderEvent::Tick);
            }
            Coming::ToLeader(event) if generation == self.leader_generation => self.tell_leader(event),
            Coming::Synced(lines) if generation == self.leader_generation => {
                let before = self.records.borrow().durable;
                self.records.borrow_mut().durable = before.max(lines);
                let kept = (lines - self.lines_before) as u64;
                self.tell_leader(LeaderEvent::Kept(kept));
            }
            Coming::WorkerTick(number) if generation == self.workers[number].generation => {
                self.come(ms(100), generation, Coming::WorkerTick(number));
                self.tell_worker(number, WorkerEvent::Tick);
            }
            Coming::ToWorker(number, event) if generation == self.workers[number].generation => {
                self.tell_worker(number, event);
            }
            Coming::GameEnds(number, game) if generation == self.workers[number].generation => {
                self.game_ends(number, game);
            }
            Coming::LeaderTick
            | Coming::ToLeader(_)
            | Coming::Synced(_)
            | Coming::WorkerTick(_)
            | Coming::ToWorker(..)
            | Coming::GameEnds(..) => {}
            Coming::BrokerTick => {
                self.come(ms(50), 0, Coming::BrokerTick);
                self.deliver_results();
            }
            Coming::Make(_) if generation != self.leader_generation => {}
            Coming::Publish(..)
            | Coming::Make(_)
            | Coming::Look(_)
            | Coming::Pull(..)
            | Coming::Result { .. }
            | Coming::Handled(..) => self.at_broker(generation, coming),
            Coming::LeaderStarts => {
                if self.leader.is_none() && !self.has_ended {
                    self.start_leader();
                }
            }
            Coming::WorkerStarts(number) => {
                if self.workers[number].worker.is_none() {
                    self.start_worker(number);
                }
            }
            Coming::ServerStarts => self.broker.is_down = false,
            Coming::Fault => self.fault(),
        }
    }

    fn game_ends(&mut self, number: usize, game_number: u64) {
        let Some(game) = self.workers[number].playing.remove(&game_number) else { return };
        if game.id == POISON {
            // Whoever plays it dies.
            self.workers[number].worker = None;
            self.workers[number].generation += 1;
            self.come(ms(500), 0, Coming::WorkerStarts(number));
            return;
        }
        let is_void = game.attempt == 1 && self.hits(50);
        let report = self.report(number, &game, is_void, ms(200));
        let event = WorkerEvent::Ended { number: game_number, report: Some(Box::new(report)) };
        self.tell_worker(number, event);
    }

    fn run(&mut self) {
        while !self.has_ended {
            assert!(self.now < Duration::from_secs(3_000), "it does not come to its end: {:?}", self.notices);
            self.step();
        }
    }

    /// Every game has one record that counts.
    fn check(&self) {
        let records = self.records.borrow();
        let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
        for (key, _) in records.lines.iter().filter(|(_, is_void)| !is_void) {
            *counted.entry(&key.id).or_default() += 1;
        }
        for game in &self.games {
            let found = counted.get(game.id.as_str()).copied().unwrap_or(0);
            // Who leads next asks for it again.
            let is_given_up = self.given_up.borrow().contains(&game.id);
            assert!(found == 1 || is_given_up && found == 0, "`{}` has {found} records", game.id);
        }
        let keys: BTreeSet<&GameKey> = records.lines.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), records.lines.len(), "no try has two records");
    }
}

impl Broker {
    fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn handle(&mut self, delivery: &str, handling: Handling, now: Duration) {
        let words: Vec<&str> = delivery.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().expect("it is one of ours");
        match words[0] {
            "job" => {
                if let Some((epoch, jobs)) = &mut self.jobs
                    && *epoch == number(1)
                {
                    settle(jobs, number(2), handling, now);
                }
            }
            _ => {
                if let Some(results) = &mut self.results {
                    settle(results, number(2), handling, now);
                }
            }
        }
    }
}

fn settle<T>(stored: &mut BTreeMap<u64, Stored<T>>, sequence: u64, handling: Handling, now: Duration) {
    match handling {
        Handling::Ack => drop(stored.remove(&sequence)),
        Handling::Progress => {
            if let Some(own) = stored.get_mut(&sequence) {
                own.from = now + ACK_WAIT;
            }
        }
        Handling::Nak(delay) => {
            if let Some(own) = stored.get_mut(&sequence) {
                own.from = now + delay;
            }
        }
    }
}

#[test]
fn without_faults_every_game_is_played_once() {
    for seed in 0..10 {
        let mut simulation = Simulation::new(seed, 200, 3);
        simulation.run();
        simulation.check();
        let doubles = simulation.leader.as_ref().expect("it led").counts().doubles;
        assert_eq!(doubles, 0, "nobody plays a game twice");
    }
}

#[test]
fn no_game_is_lost_or_doubled_whoever_dies() {
    let (mut kills, mut wipes, mut doubles) = (0, 0, 0);
    for seed in 0..150 {
        let mut simulation = Simulation::new(1_000 + seed, 150, 4);
        simulation.loss = 40 * (seed % 4);
        simulation.faults_until = ms(40_000);
        simulation.come(ms(500), 0, Coming::Fault);
        simulation.run();
        simulation.check();
        kills += simulation.kills;
        wipes += simulation.wipes;
        doubles += simulation.leader.as_ref().map_or(0, |leader| leader.counts().doubles);
    }
    // Else it would show nothing.
    assert!(kills > 500 && wipes > 20 && doubles > 10, "{kills} {wipes} {doubles}");
}

#[test]
fn a_game_that_kills_workers_is_given_up_and_the_others_are_played() {
    let mut simulation = Simulation::new(7, 40, 2);
    simulation.games[20].id = POISON.to_owned();
    simulation.run();
    simulation.check();
    assert_eq!(*simulation.given_up.borrow(), BTreeSet::from([POISON.to_owned()]));
    let told = simulation.notices.iter().any(|notice| matches!(notice, LeaderNotice::GivenUp { .. }));
    assert!(told, "{:?}", simulation.notices);
}

#[test]
fn a_worker_that_lies_is_named_and_its_games_are_played_by_others() {
    let mut simulation = Simulation::new(8, 60, 3);
    simulation.workers[1].is_liar = true;
    simulation.run();
    simulation.check();
    let liars: BTreeSet<&str> = (simulation.notices.iter())
        .filter_map(|notice| match notice {
            LeaderNotice::Refused { worker, .. } => Some(worker.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(liars, BTreeSet::from(["w1"]));
}

#[test]
fn repeats_are_played_by_other_owners_and_name_the_worker_that_differs() {
    let mut simulation = Simulation::new(9, 200, 4);
    for (worker, name) in simulation.workers.iter_mut().zip(["anna_1", "anna_2", "ben", "carl"]) {
        worker.name = name.to_owned();
    }
    simulation.workers[3].deviates = true;
    simulation.repeated = 5;
    simulation.run();
    simulation.check();
    let repeats = simulation.repeats.borrow();
    assert!(repeats.iter().filter(|(key, _)| key.repeat == 1).count() >= 30, "{}", repeats.len());
    let disagreed: Vec<_> = (simulation.notices.iter())
        .filter_map(|notice| match notice {
            LeaderNotice::Disagreed { workers, odd, .. } => Some((workers, odd.as_deref())),
            _ => None,
        })
        .collect();
    assert!(!disagreed.is_empty());
    for (workers, odd) in disagreed {
        let owners: BTreeSet<&str> = workers.iter().map(|worker| owner(worker)).collect();
        assert_eq!((owners.len(), odd), (3, Some("carl")), "each is of another owner");
    }
}

#[test]
fn a_league_with_a_single_owner_ends_without_repeats() {
    let mut simulation = Simulation::new(10, 40, 2);
    for (worker, name) in simulation.workers.iter_mut().zip(["anna_1", "anna_2"]) {
        worker.name = name.to_owned();
    }
    simulation.repeated = 2;
    simulation.run();
    simulation.check();
    assert!(simulation.repeats.borrow().is_empty());
}
