//! The actions of leaders and workers, and their effects at the broker.

use std::time::Duration;

use super::happening::{ACK_WAIT, Reply, SimEvent, ms};
use super::{SimWorker, Simulation};
use crate::leader::{Leader, LeaderAction, LeaderEvent};
use crate::wire::testing::game_report;
use crate::wire::{Announcement, GameReport, Pack, PackedGame, VERSION, WireMessage, WorkerStatus};
use crate::worker::{ReadyCrew, WorkerAction, WorkerEvent};
use linesman_record::{GameRecord, VoidKind, VoidRecord};

impl Simulation {
    pub(super) fn act_for_leader(&mut self, action: LeaderAction) {
        let generation = self.leader_generation;
        match action {
            LeaderAction::Publish { epoch, pack } => {
                let id = pack.id.clone();
                let lost = LeaderEvent::Published { pack: id, is_kept: false };
                self.schedule(ms(5_000), generation, SimEvent::ToLeader(lost));
                self.send(generation, || SimEvent::Publish(epoch, pack.clone()));
            }
            LeaderAction::Ack(delivery) => self.send(0, || SimEvent::Reply(delivery.clone(), Reply::Ack)),
            LeaderAction::Redeliver(delivery) => {
                self.send(0, || SimEvent::Reply(delivery.clone(), Reply::Nak(ms(10_000))));
            }
            LeaderAction::Rebuild(epoch) => self.schedule(ms(10), generation, SimEvent::Make(Some(epoch))),
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
                    set_aside: leader.set_aside().collect(),
                    status_ms: leader.between_statuses().as_millis() as u64,
                };
                let announcement = Announcement::decode(&announcement.encode()).expect("it is one");
                for worker in 0..self.workers.len() {
                    let event = WorkerEvent::Announced(announcement.clone());
                    let to = self.workers[worker].generation;
                    self.send_to_worker(worker, to, || SimEvent::ToWorker(worker, event.clone()));
                }
            }
            LeaderAction::ReadStreams => {
                let epoch = self.leader.as_ref().expect("it acts").epoch();
                self.send(generation, || SimEvent::ReadStreams(epoch));
            }
            LeaderAction::Tell(notice) => self.notices.push(notice),
            LeaderAction::End { is_over } => {
                assert!(is_over, "nobody stops it");
                self.has_ended = true;
            }
        }
    }

    pub(super) fn act_for_worker(&mut self, number: usize, action: WorkerAction) {
        let generation = self.workers[number].generation;
        match action {
            WorkerAction::Load(announced) => {
                let refusals = vec![None, None];
                let crew =
                    ReadyCrew { plan: announced.plan, refusals, entrants: 2, seats: 2, least_speed: None };
                let event = WorkerEvent::Loaded(crew);
                self.schedule(ms(100), generation, SimEvent::ToWorker(number, event));
            }
            WorkerAction::Dismiss => {
                self.schedule(ms(5), generation, SimEvent::ToWorker(number, WorkerEvent::Dismissed));
            }
            WorkerAction::BreakOff => {
                self.workers[number].playing.clear();
                self.schedule(ms(5), generation, SimEvent::ToWorker(number, WorkerEvent::Dismissed));
            }
            WorkerAction::Fetch { fetch, epoch, .. } => {
                let lost = WorkerEvent::Nothing(fetch);
                self.schedule(ms(4_000), generation, SimEvent::ToWorker(number, lost));
                self.send_from_worker(number, generation, || SimEvent::Pull(number, fetch, epoch));
            }
            WorkerAction::Begin => {}
            WorkerAction::Measure => {
                let measured = WorkerEvent::Measured(None);
                self.schedule(ms(200), generation, SimEvent::ToWorker(number, measured));
            }
            WorkerAction::Progress(delivery) => {
                self.send_from_worker(number, 0, || SimEvent::Reply(delivery.clone(), Reply::Progress));
            }
            WorkerAction::Ack(delivery) => {
                self.send_from_worker(number, 0, || SimEvent::Reply(delivery.clone(), Reply::Ack))
            }
            WorkerAction::Nak(delivery, delay) => {
                self.send_from_worker(number, 0, || SimEvent::Reply(delivery.clone(), Reply::Nak(delay)));
            }
            WorkerAction::Report { number: report_number, report, .. } => {
                let lost = WorkerEvent::Reported { number: report_number, is_kept: false };
                self.schedule(ms(5_000), generation, SimEvent::ToWorker(number, lost));
                self.send_from_worker(number, generation, || SimEvent::Result {
                    worker: number,
                    number: report_number,
                    report: report.clone(),
                });
            }
            WorkerAction::SendStatus { status, .. } => self.send_status(number, &status),
            WorkerAction::Tell(_) => {}
            WorkerAction::Quit => {
                let worker = &mut self.workers[number];
                worker.worker = None;
                // A person fixes its machine and starts it again.
                if !worker.is_liar && !worker.annuls {
                    self.schedule(ms(5_000), 0, SimEvent::WorkerStarts(number));
                }
            }
        }
    }

    /// Sends a status message of a worker to the leader.
    fn send_status(&mut self, number: usize, status: &WorkerStatus) {
        let to = self.leader_generation;
        let worker = self.workers[number].name.clone();
        self.send_from_worker(number, to, || {
            SimEvent::ToLeader(LeaderEvent::WorkerStatus {
                worker: worker.clone(),
                status: Box::new(status.clone()),
                clock_ms: None,
            })
        });
    }

    pub(super) fn report(
        &self,
        number: usize,
        game: &PackedGame,
        is_void: bool,
        length: Duration,
    ) -> GameReport {
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
        game_report(&record)
    }

    /// Handles a message at the broker.
    pub(super) fn at_broker(&mut self, generation: u64, sim_event: SimEvent) {
        let now = self.now;
        if self.broker.is_down {
            if let SimEvent::Make(epoch) = sim_event {
                self.schedule(ms(500), generation, SimEvent::Make(epoch));
            }
            return;
        }
        match sim_event {
            SimEvent::Publish(epoch, pack) => {
                let pack = Pack::decode(&pack.encode()).expect("it is one");
                let id = pack.id.clone();
                if self.broker.publish(epoch, pack, now) {
                    let event = LeaderEvent::Published { pack: id, is_kept: true };
                    self.send(generation, || SimEvent::ToLeader(event.clone()));
                }
            }
            SimEvent::Make(wanted) => {
                let new_epoch = self.leader.as_ref().map_or(0, Leader::epoch);
                let (epoch, packs, results) = self.broker.create(wanted, new_epoch, now);
                let event = LeaderEvent::Ready { epoch, packs, results };
                self.schedule(ms(5), generation, SimEvent::ToLeader(event));
            }
            SimEvent::ReadStreams(epoch) => {
                let state = self.broker.streams_state(epoch);
                self.send(generation, || SimEvent::ToLeader(LeaderEvent::StreamsRead { epoch, state }));
            }
            SimEvent::Pull(worker, fetch, epoch) => {
                let Some((delivery, deliveries, mut pack)) = self.broker.pull(epoch, now) else { return };
                if self.workers[worker].plays_own_repeats {
                    pack.games.iter_mut().for_each(|game| game.not_for.clear());
                }
                let event = WorkerEvent::Fetched { fetch, delivery, deliveries, pack: Some(pack) };
                self.send_to_worker(worker, generation, || SimEvent::ToWorker(worker, event.clone()));
            }
            SimEvent::Result { worker, number, report } => {
                if self.broker.keep_result(&self.workers[worker].name, &report, now) {
                    let event = WorkerEvent::Reported { number, is_kept: true };
                    self.send_to_worker(worker, generation, || SimEvent::ToWorker(worker, event.clone()));
                }
            }
            SimEvent::Reply(delivery, reply) => self.broker.reply(&delivery, reply, now),
            _ => unreachable!("it is not for the broker"),
        }
    }

    /// Delivers the results that are due to a leader that asks for them.
    pub(super) fn deliver_results(&mut self) {
        if self.broker.is_down || !self.leader.as_ref().is_some_and(Leader::is_ready) {
            return;
        }
        for event in self.broker.take_due(self.now) {
            self.send(self.leader_generation, || SimEvent::ToLeader(event.clone()));
        }
    }
}
