//! Leaders and workers at a broker that loses, delays and repeats messages, among clocks that go wrong and programs
//! that are killed, frozen and cut off, all of it as a seed says. Every game must come to one record in the end.
//!
//! `LINESMAN_SIMULATION_SEED=17 cargo test -p linesman-remote with_every_seed` plays one again. A hundred thousand of them,
//! in a build that is fast:
//!
//! ```sh
//! cargo test --release -p linesman-remote -- --ignored --nocapture simulation
//! ```
//!
//! `LINESMAN_SIMULATION_SEED` is then the first one, and `LINESMAN_SIMULATION_SEEDS` says how many.

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
use happening::{Coming, SkewedClock, ms};
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
    /// True if it plays repeats of its own games, too.
    takes_all: bool,
    /// Number of games in a row that it annulled by chance.
    voids: u32,
    name: String,
    /// Nothing happens in it until then, as if it had been stopped and continued by signals.
    frozen_until: Duration,
    /// No message reaches it until then.
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
            takes_all: false,
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
    /// An event under way, with the generation of its receiver.
    coming: BTreeMap<(Duration, u64), (u64, Coming)>,
    broker: SimBroker,
    leader: Option<Leader<SimGames>>,
    leader_generation: u64,
    leader_clock: SkewedClock,
    leader_frozen_until: Duration,
    taken_before: usize,
    /// Number of records that there were before this leader.
    lines_before: usize,
    workers: Vec<SimWorker>,
    records: Rc<RefCell<Records>>,
    given_up: Rc<RefCell<BTreeSet<String>>>,
    /// The games that workers have played to their end, each with the worker.
    plays: Vec<(GameKey, usize)>,
    repeated: u64,
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
    /// True if no more games are out than are played.
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
            coming: BTreeMap::new(),
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
            repeated: 0,
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
            simulation.come(ms(0), 0, Coming::WorkerStarts(number));
        }
        simulation.come(ms(0), 0, Coming::LeaderStarts);
        simulation.come(ms(0), 0, Coming::BrokerTick);
        simulation
    }

    /// One with games, workers and faults of all kinds as the seed says.
    fn drawn(seed: u64) -> Simulation {
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
        // Somebody has to be honest.
        if workers > 1 && random.below(10) == 0 {
            simulation.workers[0].is_liar = true;
        }
        simulation.come(ms(500), 0, Coming::Fault);
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

    /// Sends something to a worker, which it does not reach if it is cut off.
    fn send_to_worker(&mut self, number: usize, generation: u64, make: impl Fn() -> Coming) {
        if self.now >= self.workers[number].cut_until {
            self.send(generation, make);
        }
    }

    /// Sends something from a worker. While it is cut off it is lost, or waits.
    fn send_from_worker(&mut self, number: usize, generation: u64, make: impl Fn() -> Coming) {
        let cut_until = self.workers[number].cut_until;
        if self.now >= cut_until {
            self.send(generation, make);
        } else if self.hits(500) {
            self.come(cut_until.saturating_sub(self.now), generation, make());
        }
    }

    /// The time until which the receiver is frozen.
    fn frozen_until(&self, coming: &Coming) -> Duration {
        match coming {
            Coming::LeaderTick | Coming::ToLeader(_) | Coming::Synced(_) => self.leader_frozen_until,
            Coming::WorkerTick(worker) | Coming::ToWorker(worker, _) | Coming::GameEnds(worker, _) => {
                self.workers[*worker].frozen_until
            }
            Coming::BrokerTick
            | Coming::Publish(..)
            | Coming::Make(_)
            | Coming::Look(_)
            | Coming::Pull(..)
            | Coming::Result { .. }
            | Coming::Handled(..)
            | Coming::LeaderStarts
            | Coming::WorkerStarts(_)
            | Coming::WorkerIsStopped(_)
            | Coming::ServerStarts
            | Coming::Fault => Duration::ZERO,
        }
    }

    fn skewed(&mut self) -> SkewedClock {
        let rate = 700 + self.random.below(700) as u32;
        SkewedClock { start: self.now, ahead: ms(self.random.below(10_000_000)), rate }
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
        while self.workers[number].playing.len() < self.slots
            && let Some((game_number, game)) = self.workers[number].worker.as_mut().and_then(Worker::begin)
        {
            let longest = if self.hits(20) { 8_000 } else { 400 };
            let length = self.up_to(ms(longest));
            let generation = self.workers[number].generation;
            self.workers[number].playing.insert(game_number, game);
            self.come(length, generation, Coming::GameEnds(number, game_number));
        }
    }

    fn step(&mut self) {
        let ((now, _), (generation, coming)) = self.coming.pop_first().expect("clocks tick");
        self.now = now;
        let frozen_until = self.frozen_until(&coming);
        if frozen_until > now {
            self.come(frozen_until.saturating_sub(now), generation, coming);
            return;
        }
        match coming {
            Coming::LeaderTick if generation == self.leader_generation => {
                self.come(ms(100), generation, Coming::LeaderTick);
                self.tell_leader(LeaderEvent::Tick);
            }
            Coming::ToLeader(event) if generation == self.leader_generation => self.tell_leader(event),
            Coming::Synced(lines) if generation == self.leader_generation => self.synced(lines),
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
            Coming::WorkerIsStopped(number) => {
                self.tell_worker(number, WorkerEvent::Stop(LeaderOrder::Finish));
            }
            Coming::ServerStarts => self.broker.is_down = false,
            Coming::Fault => self.fault(),
        }
    }

    /// So many lines of the records would outlive a power cut.
    fn synced(&mut self, lines: usize) {
        let before = self.records.borrow().durable;
        self.records.borrow_mut().durable = before.max(lines);
        let kept = (lines - self.lines_before) as u64;
        self.tell_leader(LeaderEvent::Kept(kept));
    }

    fn game_ends(&mut self, number: usize, game_number: u64) {
        let Some(game) = self.workers[number].playing.remove(&game_number) else { return };
        if game.id == POISON {
            // Its player dies.
            self.workers[number].worker = None;
            self.workers[number].generation += 1;
            self.come(ms(500), 0, Coming::WorkerStarts(number));
            return;
        }
        self.plays.push((game.key(), number));
        // Chance alone sets no worker aside.
        let by_chance = game.attempt == 1 && self.workers[number].voids < 2 && self.hits(50);
        self.workers[number].voids = if by_chance { self.workers[number].voids + 1 } else { 0 };
        let is_void = by_chance || self.workers[number].annuls;
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
