//! Starts and faults of the programs and their machines.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use super::Simulation;
use super::happening::{SimEvent, ms};
use super::records::SimGames;
use crate::leader::Leader;
use crate::wire::PackedGame;
use crate::worker::Worker;

impl Simulation {
    pub(super) fn start_leader(&mut self) {
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
            is_ladder: self.is_ladder,
            handed_out: BTreeMap::new(),
            last_number: 0,
            records: Rc::clone(&self.records),
            given_up: Rc::clone(&self.given_up),
            repeat_interval: self.repeat_interval,
            repeats: Rc::clone(&self.repeats),
        };
        self.taken_before = self.records.borrow().lines.len();
        let salt = self.random.next_u64() >> 12;
        self.leader = Some(Leader::new(games, "plan".to_owned(), salt, 4));
        self.leader_clock = self.skewed_clock();
        self.lines_before = self.taken_before;
        self.records.borrow_mut().durable = self.taken_before;
        self.schedule(ms(5), self.leader_generation, SimEvent::Make(None));
        self.schedule(ms(10), self.leader_generation, SimEvent::LeaderTick);
    }

    pub(super) fn start_worker(&mut self, number: usize) {
        let instance = self.random.next_u64() >> 12;
        let clock = self.skewed_clock();
        let worker = &mut self.workers[number];
        worker.generation += 1;
        worker.playing.clear();
        worker.clock = clock;
        worker.worker = Some(Worker::new(worker.name.clone(), instance, self.slots, false));
        let generation = worker.generation;
        self.schedule(ms(5), generation, SimEvent::WorkerTick(number));
    }

    /// Causes a random fault, and schedules the next one.
    pub(super) fn fault(&mut self) {
        self.faults += 1;
        let worker = self.random.below(self.workers.len() as u64) as usize;
        match self.random.below(15) {
            0..=4 => self.kill_worker(worker),
            5..=6 => self.kill_leader(),
            number @ 7..=9 => self.kill_broker(number),
            10..=11 => self.workers[worker].frozen_until = self.now + self.up_to(ms(8_000)),
            12 => self.leader_frozen_until = self.now + self.up_to(ms(8_000)),
            13 => self.schedule(Duration::ZERO, 0, SimEvent::WorkerIsStopped(worker)),
            _ => {
                self.cuts += 1;
                self.workers[worker].cut_until = self.now + self.up_to(ms(60_000));
            }
        }
        let delay = self.up_to(ms(4_000));
        if self.now + delay < self.faults_until {
            self.schedule(delay, 0, SimEvent::Fault);
        } else {
            self.loss = 0;
        }
    }

    fn kill_worker(&mut self, number: usize) {
        self.workers[number].worker = None;
        self.workers[number].generation += 1;
        let delay = self.up_to(ms(5_000));
        self.schedule(delay, 0, SimEvent::WorkerStarts(number));
    }

    pub(super) fn kill_leader(&mut self) {
        self.leader = None;
        self.leader_generation += 1;
        if self.chance(500) {
            // A power cut.
            let mut records = self.records.borrow_mut();
            let durable = records.durable;
            records.lines.truncate(durable);
        }
        let delay = self.up_to(ms(5_000));
        self.schedule(delay, 0, SimEvent::LeaderStarts);
    }

    /// Kills the broker, loses its store, or cuts its power.
    fn kill_broker(&mut self, how: u64) {
        self.broker.is_down = true;
        match how {
            7 => {}
            8 => {
                self.power_cuts += 1;
                let (acknowledged, kept) = (self.lately(), self.lately());
                self.broker.lose_tail(acknowledged, kept, self.now);
            }
            _ => {
                self.wipes += 1;
                self.broker.wipe();
            }
        }
        let delay = self.up_to(ms(5_000));
        self.schedule(delay, 0, SimEvent::ServerStarts);
    }

    /// Returns a time up to two minutes ago, since a broker may write to its disk only every two minutes.
    fn lately(&mut self) -> Duration {
        let ago = self.up_to(ms(120_000));
        self.now.saturating_sub(ago)
    }
}
