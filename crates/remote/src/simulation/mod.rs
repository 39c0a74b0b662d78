//! Leaders and workers at a broker that loses, delays and repeats messages, with wrong clocks and programs that are
//! killed, frozen and cut off, all determined by a seed. In the end, every game must have exactly one record.
//!
//! `LINESMAN_SIMULATION_SEED=17 cargo test -p linesman-remote with_every_seed` runs one seed. This runs a hundred
//! thousand seeds in an optimized build:
//!
//! ```sh
//! cargo test --release -p linesman-remote -- --ignored --nocapture simulation
//! ```
//!
//! `LINESMAN_SIMULATION_SEED` is then the first seed, and `LINESMAN_SIMULATION_SEEDS` the number of seeds.

mod actions;
mod broker;
mod faults;
mod happening;
mod records;
mod tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use crate::leader::{Leader, LeaderEvent};
use crate::wire::testing::packed_game;
use crate::wire::{GameKey, LeaderOrder, PackedGame};
use crate::worker::{Worker, WorkerEvent};
use broker::SimBroker;
use happening::{SimEvent, SkewedClock, ms};
use linesman_league::leader_notice::LeaderNotice;
use linesman_types::random::SplitMix64;
use records::{Records, SimGames};

const POISON: &str = "poison";

struct SimWorker {
    generation: u64,
    worker: Option<Worker>,
    clock: SkewedClock,
    playing: BTreeMap<u64, PackedGame>,
    is_liar: bool,
    /// True if its bots play other moves.
    deviates: bool,
    /// True if it annuls every game.
    annuls: bool,
    /// True if it also plays repeats of its own games.
    plays_own_repeats: bool,
    /// Number of games in a row that it annulled by chance.
    voids: u32,
    name: String,
    /// It handles nothing until this time, as if it were stopped by a signal.
    frozen_until: Duration,
    /// No message reaches it until this time.
    cut_until: Duration,
}

impl SimWorker {
    fn new(name: String, clock: SkewedClock) -> SimWorker {
        SimWorker {
            generation: 0,
            worker: None,
            clock,
            playing: BTreeMap::new(),
            is_liar: false,
            deviates: false,
            annuls: false,
            plays_own_repeats: false,
            voids: 0,
            name,
            frozen_until: Duration::ZERO,
            cut_until: Duration::ZERO,
        }
    }
}

struct Simulation {
    random: SplitMix64,
    now: Duration,
    numbers: u64,
    /// The scheduled events by time and number, each with the generation of its receiver.
    scheduled: BTreeMap<(Duration, u64), (u64, SimEvent)>,
    broker: SimBroker,
    leader: Option<Leader<SimGames>>,
    leader_generation: u64,
    leader_clock: SkewedClock,
    leader_frozen_until: Duration,
    taken_before: usize,
    /// Number of records when this leader started.
    lines_before: usize,
    workers: Vec<SimWorker>,
    records: Rc<RefCell<Records>>,
    given_up: Rc<RefCell<BTreeSet<String>>>,
    /// The games that workers have played to the end, each with the number of the worker.
    plays: Vec<(GameKey, usize)>,
    repeat_interval: u64,
    repeats: Rc<RefCell<Vec<(GameKey, String)>>>,
    games: Vec<PackedGame>,
    loss: u64,
    faults_until: Duration,
    has_ended: bool,
    notices: Vec<LeaderNotice>,
    faults: u64,
    wipes: u64,
    power_cuts: u64,
    cuts: u64,
    /// Number of games that a worker plays at once.
    slots: usize,
    /// True if each game depends on the results so far.
    is_ladder: bool,
}

impl Simulation {
    fn new(seed: u64, games: usize, workers: usize) -> Simulation {
        let game = |index: usize| packed_game(index as u64);
        let clock = SkewedClock { start: Duration::ZERO, ahead: Duration::ZERO, rate: 1_000 };
        let mut simulation = Simulation {
            random: SplitMix64(seed),
            now: Duration::ZERO,
            numbers: 0,
            scheduled: BTreeMap::new(),
            broker: SimBroker::default(),
            leader: None,
            leader_generation: 0,
            leader_clock: clock,
            leader_frozen_until: Duration::ZERO,
            taken_before: 0,
            lines_before: 0,
            workers: Vec::new(),
            records: Rc::default(),
            given_up: Rc::default(),
            plays: Vec::new(),
            repeat_interval: 0,
            repeats: Rc::default(),
            games: (0..games).map(game).collect(),
            loss: 0,
            faults_until: Duration::ZERO,
            has_ended: false,
            notices: Vec::new(),
            faults: 0,
            wipes: 0,
            power_cuts: 0,
            cuts: 0,
            slots: 2,
            is_ladder: false,
        };
        for number in 0..workers {
            let name = format!("w{number}");
            simulation.workers.push(SimWorker::new(name, clock));
            simulation.schedule(ms(0), 0, SimEvent::WorkerStarts(number));
        }
        simulation.schedule(ms(0), 0, SimEvent::LeaderStarts);
        simulation.schedule(ms(0), 0, SimEvent::BrokerTick);
        simulation
    }

    /// Returns a simulation whose games, workers and faults are determined by the seed.
    fn with_faults(seed: u64) -> Simulation {
        let mut random = SplitMix64(!seed);
        let games = 20 + random.below(131) as usize;
        let workers = 1 + random.below(5) as usize;
        let mut simulation = Simulation::new(seed, games, workers);
        simulation.slots = 1 + random.below(3) as usize;
        simulation.loss = 40 * random.below(4);
        simulation.is_ladder = random.below(5) == 0;
        simulation.faults_until = ms(40_000);
        if random.below(10) == 0 {
            POISON.clone_into(&mut simulation.games[games / 3].id);
        }
        // At least one worker must be honest.
        if workers > 1 && random.below(10) == 0 {
            simulation.workers[0].is_liar = true;
        }
        simulation.schedule(ms(500), 0, SimEvent::Fault);
        simulation
    }

    fn schedule(&mut self, delay: Duration, generation: u64, event: SimEvent) {
        self.numbers += 1;
        self.scheduled.insert((self.now + delay, self.numbers), (generation, event));
    }

    fn chance(&mut self, per_mille: u64) -> bool {
        self.random.below(1_000) < per_mille
    }

    fn up_to(&mut self, limit: Duration) -> Duration {
        ms(self.random.below(limit.as_millis() as u64 + 1))
    }

    /// Sends a message over the network, where it may be lost or duplicated.
    fn send(&mut self, generation: u64, make: impl Fn() -> SimEvent) {
        let copies = if self.chance(self.loss) { 0 } else { 1 + u64::from(self.chance(self.loss / 4)) };
        for _ in 0..copies {
            let delay = self.up_to(ms(40));
            self.schedule(delay, generation, make());
        }
    }

    /// Sends a message to a worker. It is lost if the worker is cut off.
    fn send_to_worker(&mut self, number: usize, generation: u64, make: impl Fn() -> SimEvent) {
        if self.now >= self.workers[number].cut_until {
            self.send(generation, make);
        }
    }

    /// Sends a message from a worker. If the worker is cut off, the message is lost or waits.
    fn send_from_worker(&mut self, number: usize, generation: u64, make: impl Fn() -> SimEvent) {
        let cut_until = self.workers[number].cut_until;
        if self.now >= cut_until {
            self.send(generation, make);
        } else if self.chance(500) {
            self.schedule(cut_until.saturating_sub(self.now), generation, make());
        }
    }

    /// Returns the time until which the receiver of an event is frozen.
    fn frozen_until(&self, event: &SimEvent) -> Duration {
        match event {
            SimEvent::LeaderTick | SimEvent::ToLeader(_) | SimEvent::Synced(_) => self.leader_frozen_until,
            SimEvent::WorkerTick(worker) | SimEvent::ToWorker(worker, _) | SimEvent::GameEnds(worker, _) => {
                self.workers[*worker].frozen_until
            }
            SimEvent::BrokerTick
            | SimEvent::Publish(..)
            | SimEvent::Make(_)
            | SimEvent::ReadStreams(_)
            | SimEvent::Pull(..)
            | SimEvent::Result { .. }
            | SimEvent::Reply(..)
            | SimEvent::LeaderStarts
            | SimEvent::WorkerStarts(_)
            | SimEvent::WorkerIsStopped(_)
            | SimEvent::ServerStarts
            | SimEvent::Fault => Duration::ZERO,
        }
    }

    fn skewed_clock(&mut self) -> SkewedClock {
        let rate = 700 + self.random.below(700) as u32;
        SkewedClock { start: self.now, ahead: ms(self.random.below(10_000_000)), rate }
    }

    fn deliver_to_leader(&mut self, event: LeaderEvent) {
        let at = self.leader_clock.at(self.now);
        let Some(leader) = &mut self.leader else { return };
        let actions = leader.handle(at, event);
        let lines = self.records.borrow().lines.len();
        if lines > self.taken_before {
            self.taken_before = lines;
            let delay = self.up_to(ms(300));
            self.schedule(delay, self.leader_generation, SimEvent::Synced(lines));
        }
        for action in actions {
            self.act_for_leader(action);
        }
    }

    fn deliver_to_worker(&mut self, number: usize, event: WorkerEvent) {
        let receiver = &mut self.workers[number];
        let at = receiver.clock.at(self.now);
        let Some(worker) = &mut receiver.worker else { return };
        let actions = worker.handle(at, event);
        for action in actions {
            self.act_for_worker(number, action);
        }
        self.begin_games(number);
    }

    fn begin_games(&mut self, number: usize) {
        while self.workers[number].playing.len() < self.slots
            && let Some((game_number, game)) = self.workers[number].worker.as_mut().and_then(Worker::begin)
        {
            let longest = if self.chance(20) { 8_000 } else { 400 };
            let length = self.up_to(ms(longest));
            let generation = self.workers[number].generation;
            self.workers[number].playing.insert(game_number, game);
            self.schedule(length, generation, SimEvent::GameEnds(number, game_number));
        }
    }

    fn step(&mut self) {
        let ((now, _), (generation, event)) = self.scheduled.pop_first().expect("clocks tick");
        self.now = now;
        let frozen_until = self.frozen_until(&event);
        if frozen_until > now {
            self.schedule(frozen_until.saturating_sub(now), generation, event);
            return;
        }
        match event {
            SimEvent::LeaderTick if generation == self.leader_generation => {
                self.schedule(ms(100), generation, SimEvent::LeaderTick);
                self.deliver_to_leader(LeaderEvent::Tick);
            }
            SimEvent::ToLeader(event) if generation == self.leader_generation => {
                self.deliver_to_leader(event)
            }
            SimEvent::Synced(lines) if generation == self.leader_generation => self.synced(lines),
            SimEvent::WorkerTick(number) if generation == self.workers[number].generation => {
                self.schedule(ms(100), generation, SimEvent::WorkerTick(number));
                self.deliver_to_worker(number, WorkerEvent::Tick);
            }
            SimEvent::ToWorker(number, event) if generation == self.workers[number].generation => {
                self.deliver_to_worker(number, event);
            }
            SimEvent::GameEnds(number, game) if generation == self.workers[number].generation => {
                self.game_ends(number, game);
            }
            SimEvent::LeaderTick
            | SimEvent::ToLeader(_)
            | SimEvent::Synced(_)
            | SimEvent::WorkerTick(_)
            | SimEvent::ToWorker(..)
            | SimEvent::GameEnds(..) => {}
            SimEvent::BrokerTick => {
                self.schedule(ms(50), 0, SimEvent::BrokerTick);
                self.deliver_results();
            }
            SimEvent::Make(_) if generation != self.leader_generation => {}
            SimEvent::Publish(..)
            | SimEvent::Make(_)
            | SimEvent::ReadStreams(_)
            | SimEvent::Pull(..)
            | SimEvent::Result { .. }
            | SimEvent::Reply(..) => self.at_broker(generation, event),
            SimEvent::LeaderStarts => {
                if self.leader.is_none() && !self.has_ended {
                    self.start_leader();
                }
            }
            SimEvent::WorkerStarts(number) => {
                if self.workers[number].worker.is_none() {
                    self.start_worker(number);
                }
            }
            SimEvent::WorkerIsStopped(number) => {
                self.deliver_to_worker(number, WorkerEvent::Stop(LeaderOrder::Finish));
            }
            SimEvent::ServerStarts => self.broker.is_down = false,
            SimEvent::Fault => self.fault(),
        }
    }

    /// Notes the number of lines of the records that would survive a power cut.
    fn synced(&mut self, lines: usize) {
        let before = self.records.borrow().durable;
        self.records.borrow_mut().durable = before.max(lines);
        let kept = (lines - self.lines_before) as u64;
        self.deliver_to_leader(LeaderEvent::Kept(kept));
    }

    fn game_ends(&mut self, number: usize, game_number: u64) {
        let Some(game) = self.workers[number].playing.remove(&game_number) else { return };
        if game.id == POISON {
            // The game kills its worker.
            self.workers[number].worker = None;
            self.workers[number].generation += 1;
            self.schedule(ms(500), 0, SimEvent::WorkerStarts(number));
            return;
        }
        self.plays.push((game.key(), number));
        // A worker must not be set aside by chance alone.
        let by_chance = game.attempt == 1 && self.workers[number].voids < 2 && self.chance(50);
        self.workers[number].voids = if by_chance { self.workers[number].voids + 1 } else { 0 };
        let is_void = by_chance || self.workers[number].annuls;
        let report = self.report(number, &game, is_void, ms(200));
        let event = WorkerEvent::Ended { number: game_number, report: Some(Box::new(report)) };
        self.deliver_to_worker(number, event);
    }

    fn run(&mut self) {
        while !self.has_ended {
            assert!(self.now < Duration::from_secs(3_000), "it does not come to its end: {:?}", self.notices);
            self.step();
        }
    }

    /// Checks that every game has exactly one record that counts.
    fn check(&self) {
        let records = self.records.borrow();
        let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
        for (key, _) in records.lines.iter().filter(|(_, is_void)| !is_void) {
            *counted.entry(&key.id).or_default() += 1;
        }
        for game in &self.games {
            let found = counted.get(game.id.as_str()).copied().unwrap_or(0);
            // The next leader may publish it again.
            let is_given_up = self.given_up.borrow().contains(&game.id);
            assert!(found == 1 || is_given_up && found == 0, "`{}` has {found} records", game.id);
        }
        let keys: BTreeSet<&GameKey> = records.lines.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), records.lines.len(), "no try has two records");
    }
}
