//! The leader's state machine with ten thousand workers, in simulated time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use linesman::random::SplitMix64;
use linesman::remote::leader::{Leader, LeaderAction, LeaderEvent};
use linesman::remote::wire::{
    Announcement, LeaderOrder, Pack, PackedGame, ResultPart, WireMessage, WorkerStatus,
};

use crate::link::{EmptyGames, result, status};
use crate::status_mib;

/// The interval of the leader's ticks, in milliseconds.
const TICK: u64 = 100;

/// The latency of the network and the broker, in milliseconds.
const LATENCY: u64 = 30;

/// A future event.
#[derive(Eq, PartialEq, Ord, PartialOrd)]
enum Next {
    Tick,
    Joins(usize),
    Fetches(usize),
    GameEnds(usize),
    Speaks(usize),
    ToLeader(Vec<u8>, usize),
    Published(String),
    Kept(u64),
}

/// A worker with one slot.
#[derive(Default)]
struct SimpleWorker {
    pack: String,
    games: VecDeque<PackedGame>,
    played: u64,
}

/// A leader and its workers; times are in milliseconds.
struct Crowd {
    random: SplitMix64,
    now: u64,
    to_come: BinaryHeap<Reverse<(u64, u64, Next)>>,
    numbers: u64,
    leader: Leader<EmptyGames>,
    workers: Vec<SimpleWorker>,
    packs: VecDeque<Pack>,
    /// The workers waiting for a pack.
    waiting: VecDeque<usize>,
    kept: u64,
    mean: u64,
    busy: Duration,
    events: u64,
    bytes: u64,
    /// The maximum number of waiting workers.
    max_waiting: usize,
    /// The maximum number of waiting packs.
    max_packs: usize,
}

impl Crowd {
    fn schedule(&mut self, after: u64, next: Next) {
        self.numbers += 1;
        self.to_come.push(Reverse((self.now + after, self.numbers, next)));
    }

    /// Passes an event to the leader and measures the time it takes.
    fn handle(&mut self, event: impl FnOnce() -> LeaderEvent) {
        let began = Instant::now();
        let actions = self.leader.handle(Duration::from_millis(self.now), event());
        self.busy += began.elapsed();
        self.events += 1;
        for action in actions {
            self.act(action);
        }
    }

    fn act(&mut self, action: LeaderAction) {
        match action {
            LeaderAction::Publish { pack, .. } => {
                let began = Instant::now();
                let bytes = pack.encode();
                self.busy += began.elapsed();
                self.bytes += bytes.len() as u64;
                self.schedule(2 * LATENCY, Next::Published(pack.id.clone()));
                self.packs.push_back(pack);
                self.max_packs = self.max_packs.max(self.packs.len());
                if let Some(worker) = self.waiting.pop_front() {
                    self.schedule(LATENCY, Next::Fetches(worker));
                }
            }
            LeaderAction::Announce(order) => {
                let began = Instant::now();
                let length = self.announcement(order).encode().len();
                self.busy += began.elapsed();
                self.bytes += (length * self.workers.len()) as u64;
            }
            _ => {}
        }
    }

    fn announcement(&self, order: LeaderOrder) -> Announcement {
        Announcement {
            v: linesman::remote::wire::VERSION,
            league: "cup".to_owned(),
            name: "cup".to_owned(),
            epoch: 1,
            plan: "plan".to_owned(),
            pieces: 1,
            ack_wait_ms: 30_000,
            order,
            refused: Vec::new(),
            set_aside: Vec::new(),
            status_ms: u64::try_from(self.leader.between_statuses().as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn speak(&mut self, number: usize) {
        let worker = &self.workers[number];
        let running: Vec<&PackedGame> = worker.games.front().into_iter().collect();
        let bytes = status(number as u64, 1, &running, worker.played).encode();
        self.bytes += bytes.len() as u64;
        self.handle(|| LeaderEvent::WorkerStatus {
            worker: format!("w{number}"),
            status: Box::new(WorkerStatus::decode(&bytes).expect("it is one")),
            clock_ms: None,
        });
    }

    fn begin(&mut self, number: usize) {
        let length = self.mean / 2 + self.random.below(self.mean);
        self.schedule(length, Next::GameEnds(number));
        self.speak(number);
    }

    fn step(&mut self) {
        let Reverse((now, _, next)) = self.to_come.pop().expect("the leader ticks");
        self.now = now;
        match next {
            Next::Tick => {
                self.schedule(TICK, Next::Tick);
                self.handle(|| LeaderEvent::Tick);
            }
            Next::Joins(number) => {
                self.schedule(0, Next::Fetches(number));
                self.speak(number);
                self.schedule(4_000, Next::Speaks(number));
            }
            Next::Speaks(number) => {
                let between = self.leader.between_statuses().as_millis() as u64;
                self.schedule(between, Next::Speaks(number));
                self.speak(number);
            }
            Next::Fetches(number) => match self.packs.pop_front() {
                Some(pack) => {
                    let worker = &mut self.workers[number];
                    (worker.pack, worker.games) = (pack.id, pack.games.into());
                    self.begin(number);
                }
                None => {
                    self.waiting.push_back(number);
                    self.max_waiting = self.max_waiting.max(self.waiting.len());
                }
            },
            Next::GameEnds(number) => self.game_ends(number),
            Next::ToLeader(bytes, number) => {
                self.bytes += bytes.len() as u64;
                self.handle(|| LeaderEvent::Result {
                    worker: format!("w{number}"),
                    delivery: "delivery".to_owned(),
                    part: ResultPart::decode(&bytes),
                });
                self.kept += 1;
                self.schedule(5, Next::Kept(self.kept));
            }
            Next::Published(pack) => self.handle(|| LeaderEvent::Published { pack, is_kept: true }),
            Next::Kept(records) => self.handle(|| LeaderEvent::Kept(records)),
        }
    }

    fn game_ends(&mut self, number: usize) {
        let worker = &mut self.workers[number];
        let game = worker.games.pop_front().expect("it played one");
        worker.played += 1;
        let is_empty = worker.games.is_empty();
        for bytes in result(&worker.pack, &game, Duration::from_millis(self.mean)) {
            self.schedule(2 * LATENCY, Next::ToLeader(bytes, number));
        }
        if is_empty { self.schedule(2 * LATENCY, Next::Fetches(number)) } else { self.begin(number) }
    }
}

/// Lets workers join within five minutes and play games of a mean length for a given time; prints the rows.
pub fn crowd(workers: usize, mean: Duration, time: Duration) {
    let mut crowd = Crowd {
        random: SplitMix64(1),
        now: 0,
        to_come: BinaryHeap::new(),
        numbers: 0,
        leader: Leader::new(EmptyGames::new(u64::MAX >> 1), "plan".to_owned(), 1, 64),
        workers: (0..workers).map(|_| SimpleWorker::default()).collect(),
        packs: VecDeque::new(),
        waiting: VecDeque::new(),
        kept: 0,
        mean: mean.as_millis() as u64,
        busy: Duration::ZERO,
        events: 0,
        bytes: 0,
        max_waiting: 0,
        max_packs: 0,
    };
    crowd.handle(|| LeaderEvent::Ready { epoch: 1, packs: Vec::new(), results: 0 });
    crowd.schedule(TICK, Next::Tick);
    for number in 0..workers {
        let after = crowd.random.below(300_000);
        crowd.schedule(after, Next::Joins(number));
    }
    let joined = 300_000 + 2 * crowd.mean;
    while crowd.now < joined {
        crowd.step();
    }
    let (taken, busy, events, bytes) = (crowd.leader.games().taken, crowd.busy, crowd.events, crowd.bytes);
    (crowd.max_waiting, crowd.max_packs) = (0, 0);
    let end = joined + time.as_millis() as u64;
    while crowd.now < end {
        crowd.step();
    }
    let seconds = time.as_secs_f64();
    let rate = (crowd.leader.games().taken - taken) as f64 / seconds;
    let ideal = workers as f64 / mean.as_secs_f64();
    let what = format!("{workers} workers of one slot, games of {} s", mean.as_secs_f64());
    println!("| {what}: games a second | {rate:.1} | |");
    println!("| {what}: of what slots that never wait would play | {:.3} | >= 0.95 |", rate / ideal);
    println!("| {what}: events a second of the leader | {:.0} | |", (crowd.events - events) as f64 / seconds);
    let share = 100.0 * (crowd.busy - busy).as_secs_f64() / seconds;
    println!("| {what}: % of a CPU that the state machine and its messages take | {share:.1} | |");
    println!(
        "| {what}: kB a second of its messages | {:.0} | |",
        (crowd.bytes - bytes) as f64 / seconds / 1e3
    );
    println!("| {what}: the most packs that waited | {} | |", crowd.max_packs);
    println!("| {what}: the most workers that waited | {} | |", crowd.max_waiting);
    println!(
        "| {what}: peak of memory, workers included, MiB | {:.0} | |",
        status_mib(std::process::id(), "VmHWM")
    );
}
