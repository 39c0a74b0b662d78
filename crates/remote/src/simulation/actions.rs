//! The actions of leaders and workers, and what a broker does with them.

use std::time::Duration;

use super::happening::{ACK_WAIT, Coming, Handling, ms};
use super::{SimWorker, Simulation};
use crate::leader::{Leader, LeaderAction, LeaderEvent};
use crate::wire::testing::game_report;
use crate::wire::{Announcement, GameReport, Pack, PackedGame, VERSION, WireMessage, WorkerStatus};
use crate::worker::{ReadyCrew, WorkerAction, WorkerEvent};
use linesman_record::{GameRecord, VoidKind, VoidRecord};

impl Simulation {
    pub(super) fn act_of_leader(&mut self, action: LeaderAction) {
        let generation = self.leader_generation;
        match action {
            LeaderAction::Publish { epoch, pack } => {
                let id = pack.id.clone();
                let lost = LeaderEvent::Published { pack: id, is_kept: false };
                self.come(ms(5_000), generation, Coming::ToLeader(lost));
                self.send(generation, || Coming::Publish(epoch, pack.clone()));
            }
            LeaderAction::Ack(delivery) => self.send(0, || Coming::Handled(delivery.clone(), Handling::Ack)),
            LeaderAction::Redeliver(delivery) => {
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
                    set_aside: leader.set_aside().collect(),
                    status_ms: leader.between_statuses().as_millis() as u64,
                };
                let announcement = Announcement::decode(&announcement.encode()).expect("it is one");
                for worker in 0..self.workers.len() {
                    let event = WorkerEvent::Announced(announcement.clone());
                    let to = self.workers[worker].generation;
                    self.send_to_worker(worker, to, || Coming::ToWorker(worker, event.clone()));
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

    pub(super) fn act_of_worker(&mut self, number: usize, action: WorkerAction) {
        let generation = self.workers[number].generation;
        match action {
            WorkerAction::Load(announced) => {
                let refusals = vec![None, None];
                let crew =
                    ReadyCrew { plan: announced.plan, refusals, entrants: 2, seats: 2, least_speed: None };
                let event = WorkerEvent::Loaded(crew);
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
                self.send_from_worker(number, generation, || Coming::Pull(number, fetch, epoch));
            }
            WorkerAction::Begin => {}
            WorkerAction::Measure => {
                let measured = WorkerEvent::Measured(None);
                self.come(ms(200), generation, Coming::ToWorker(number, measured));
            }
            WorkerAction::Progress(delivery) => {
                self.send_from_worker(number, 0, || Coming::Handled(delivery.clone(), Handling::Progress));
            }
            WorkerAction::Ack(delivery) => {
                self.send_from_worker(number, 0, || Coming::Handled(delivery.clone(), Handling::Ack))
            }
            WorkerAction::Nak(delivery, delay) => {
                self.send_from_worker(number, 0, || Coming::Handled(delivery.clone(), Handling::Nak(delay)));
            }
            WorkerAction::Report { number: report_number, report, .. } => {
                let lost = WorkerEvent::Reported { number: report_number, is_kept: false };
                self.come(ms(5_000), generation, Coming::ToWorker(number, lost));
                self.send_from_worker(number, generation, || Coming::Result {
                    worker: number,
                    number: report_number,
                    report: report.clone(),
                });
            }
            WorkerAction::SendStatus { status, .. } => self.speak(number, &status),
            WorkerAction::Tell(_) => {}
            WorkerAction::Quit => {
                let worker = &mut self.workers[number];
                worker.worker = None;
                // Somebody sees to its machine, and starts it again.
                if !worker.is_liar && !worker.annuls {
                    self.come(ms(5_000), 0, Coming::WorkerStarts(number));
                }
            }
        }
    }

    /// Sends a status message of a worker to the leader.
    fn speak(&mut self, number: usize, status: &WorkerStatus) {
        let to = self.leader_generation;
        let worker = self.workers[number].name.clone();
        self.send_from_worker(number, to, || {
            Coming::ToLeader(LeaderEvent::WorkerStatus {
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

    /// The broker's treatment of a message.
    pub(super) fn at_broker(&mut self, generation: u64, coming: Coming) {
        let now = self.now;
        if self.broker.is_down {
            if let Coming::Make(epoch) = coming {
                self.come(ms(500), generation, Coming::Make(epoch));
            }
            return;
        }
        match coming {
            Coming::Publish(epoch, pack) => {
                let pack = Pack::decode(&pack.encode()).expect("it is one");
                let id = pack.id.clone();
                if self.broker.publish(epoch, pack, now) {
                    let event = LeaderEvent::Published { pack: id, is_kept: true };
                    self.send(generation, || Coming::ToLeader(event.clone()));
                }
            }
            Coming::Make(wanted) => {
                let fresh = self.leader.as_ref().map_or(0, Leader::epoch);
                let (epoch, packs, results) = self.broker.make(wanted, fresh, now);
                let event = LeaderEvent::Ready { epoch, packs, results };
                self.come(ms(5), generation, Coming::ToLeader(event));
            }
            Coming::Look(epoch) => {
                let seen = self.broker.look(epoch);
                self.send(generation, || Coming::ToLeader(LeaderEvent::Looked { epoch, seen }));
            }
            Coming::Pull(worker, fetch, epoch) => {
                let Some((delivery, deliveries, mut pack)) = self.broker.pull(epoch, now) else { return };
                if self.workers[worker].takes_all {
                    pack.games.iter_mut().for_each(|game| game.not_for.clear());
                }
                let event = WorkerEvent::Fetched { fetch, delivery, deliveries, pack: Some(pack) };
                self.send_to_worker(worker, generation, || Coming::ToWorker(worker, event.clone()));
            }
            Coming::Result { worker, number, report } => {
                if self.broker.keep_result(&self.workers[worker].name, &report, now) {
                    let event = WorkerEvent::Reported { number, is_kept: true };
                    self.send_to_worker(worker, generation, || Coming::ToWorker(worker, event.clone()));
                }
            }
            Coming::Handled(delivery, handling) => self.broker.handle(&delivery, handling, now),
            _ => unreachable!("it is not for the broker"),
        }
    }

    /// The broker delivers results to a leader that asks for them.
    pub(super) fn deliver_results(&mut self) {
        if self.broker.is_down || !self.leader.as_ref().is_some_and(Leader::is_ready) {
            return;
        }
        for event in self.broker.take_due(self.now) {
            self.send(self.leader_generation, || Coming::ToLeader(event.clone()));
        }
    }
}
