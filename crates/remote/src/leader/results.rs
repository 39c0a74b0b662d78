//! The leader's handling of workers' reports.

use std::time::Duration;

use super::event::{Delivery, LeaderAction};
use super::game_source::GameSource;
use super::health::MAX_VOIDS;
use super::inbox::CompleteReport;
use super::repeats::RepeatTracker;
use super::{Leader, MAX_DELIVERIES};
use crate::wire::{GameKey, GameReport, LeaderOrder, Report};
use linesman_league::leader_notice::LeaderNotice;
use linesman_record::{GameRecord, VoidKind};

impl<G: GameSource> Leader<G> {
    pub(super) fn take_report(&mut self, at: Duration, report: CompleteReport) {
        let CompleteReport { worker, deliveries, report } = report;
        match report {
            Ok(Report::Game(report)) => match report.record() {
                Ok(record) => self.take_game(at, worker, deliveries, (record, report)),
                Err(error) => {
                    self.acks.add(deliveries);
                    self.refuse(worker, "?".to_owned(), error.to_string());
                }
            },
            Ok(Report::Quarantined { pack, deliveries: times }) => {
                self.acks.add(deliveries);
                self.quarantine(&pack, times);
            }
            // The packs of an earlier leader are not known yet.
            Ok(Report::Returned { .. }) if !self.is_ready => {
                self.actions.extend(deliveries.into_iter().map(LeaderAction::Redeliver));
            }
            Ok(Report::Returned { pack }) => {
                self.acks.add(deliveries);
                self.packs.given_back(&pack);
            }
            Err(error) => {
                self.acks.add(deliveries);
                self.refuse(worker, "?".to_owned(), error.to_string());
            }
        }
    }

    fn take_game(
        &mut self,
        at: Duration,
        worker: String,
        deliveries: Vec<Delivery>,
        (mut record, report): (GameRecord, Box<GameReport>),
    ) {
        let key = GameKey { id: record.id.clone(), attempt: record.attempt, repeat: report.repeat };
        let known = self.out.number(&key).or_else(|| self.reported_repeat(at, &key, &worker));
        let Some(number) = known else {
            let report = Ok(Report::Game(report));
            return self.take_unasked(at, key, CompleteReport { worker, deliveries, report });
        };
        if self.refused.contains(&worker) {
            self.acks.add(deliveries);
            self.packs.queue([number]);
            return;
        }
        self.show(number);
        if let Some(speed) = record.worker.as_ref().and_then(|worker| worker.speed) {
            self.speeds.played(at, &worker, speed);
        }
        // The subject of the message names the worker. A broker whose users have permissions enforces that.
        record.worker.get_or_insert_default().name.clone_from(&worker);
        if RepeatTracker::is_repeat(number) {
            self.acks.add(deliveries);
            self.take_repeat(at, number, (worker, record));
            return;
        }
        let repeat = self.planned_repeat(number, &record);
        let is_void =
            record.void.as_ref().is_some_and(|void| void.kind == VoidKind::Host && void.seat.is_none());
        match self.games.take(number, record, *report) {
            Ok(duration) => {
                self.count_taken(at, number, &key, duration);
                self.acks.add(deliveries);
                if self.health.count_void(&worker, is_void) {
                    self.set_worker_aside(worker.clone());
                }
                self.begin_repeat(at, &worker, repeat);
            }
            Err(why) => {
                self.acks.add(deliveries);
                self.packs.queue([number]);
                self.refuse(worker, key.id, why);
            }
        }
    }

    fn count_taken(&mut self, at: Duration, number: u64, key: &GameKey, duration: Duration) {
        self.health.note_playing(at);
        self.packs.add_duration(duration);
        self.last_busy = at;
        self.acks.count_taken();
        self.counts.taken += 1;
        self.forget(number);
        self.done.insert(key);
    }

    /// Takes a result of a game that is not out.
    fn take_unasked(&mut self, at: Duration, key: GameKey, result: CompleteReport) {
        if key.repeat > 0 {
            // An earlier leader published it, and this one does not need it.
            self.acks.add(result.deliveries);
        } else if self.done.contains(&key) || !self.games.may_come(&key.id) {
            self.drop_duplicate(key, result);
        } else {
            self.hold(at, key, result);
        }
    }

    /// Holds a result of a game that may be taken from the source later.
    fn hold(&mut self, at: Duration, key: GameKey, result: CompleteReport) {
        if self.no_more_games {
            // All games have been taken from the source.
            self.drop_duplicate(key, result);
        } else if self.order != LeaderOrder::Play {
            // It stays unacknowledged, for the next leader.
        } else if self.held.is_full() {
            self.actions.extend(result.deliveries.into_iter().map(LeaderAction::Redeliver));
        } else if let Some(before) = self.held.add(at, key.clone(), result) {
            self.drop_duplicate(key, before);
        }
    }

    /// Drops a result of a game that already has one, or that will not be taken from the source.
    pub(super) fn drop_duplicate(&mut self, key: GameKey, result: CompleteReport) {
        self.counts.duplicates += 1;
        self.acks.add(result.deliveries);
        self.actions.push(LeaderAction::Tell(LeaderNotice::Duplicate { worker: result.worker, id: key.id }));
    }

    /// Sets aside a worker that annulled too many games in a row. It plays no more until it is started again.
    fn set_worker_aside(&mut self, worker: String) {
        self.health.set_aside.extend(self.workers.instances(&worker));
        self.actions.push(LeaderAction::Tell(LeaderNotice::SetAside { worker, voids: MAX_VOIDS }));
        self.actions.push(LeaderAction::Announce(self.order));
    }

    pub(super) fn refuse(&mut self, worker: String, id: String, why: String) {
        if self.refused.insert(worker.clone()) {
            self.actions.push(LeaderAction::Tell(LeaderNotice::Refused { worker, id, why }));
            self.actions.push(LeaderAction::Announce(self.order));
        }
    }

    /// Handles a pack that several workers did not finish: gives up a single game, publishes several one by one.
    fn quarantine(&mut self, pack: &str, deliveries: u64) {
        let Some((numbers, returned)) = self.packs.remove(pack) else { return };
        match numbers.as_slice() {
            _ if deliveries.saturating_sub(returned) <= MAX_DELIVERIES => self.packs.queue(numbers),
            [number] if RepeatTracker::is_repeat(*number) => self.drop_repeats(numbers),
            [number] => {
                if let Some(game) = self.out.game(*number) {
                    let id = game.id.clone();
                    self.actions.push(LeaderAction::Tell(LeaderNotice::GivenUp { id, deliveries }));
                }
                self.games.give_up(*number);
                self.forget(*number);
            }
            // One of the games may make workers fail.
            _ => self.packs.queue_alone(numbers),
        }
    }
}
