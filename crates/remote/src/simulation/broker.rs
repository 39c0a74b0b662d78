//! A broker that keeps messages until they are acknowledged, and can lose some of them.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use super::happening::{ACK_WAIT, Reply};
use crate::leader::{LeaderEvent, StreamsState};
use crate::wire::{Pack, Report, ResultPart, WireMessage};

/// A message that a stream keeps.
struct Stored<T> {
    content: T,
    /// The id by which the broker recognizes duplicates.
    id: String,
    since: Duration,
    /// Earliest time of its next delivery.
    from: Duration,
    deliveries: u64,
}

/// Messages in the order of their numbers.
struct SimStream<T> {
    stored: BTreeMap<u64, Stored<T>>,
    /// The acknowledged messages, each with the time of its acknowledgement and its number.
    settled: Vec<(Duration, u64, Stored<T>)>,
    last: u64,
}

impl<T> SimStream<T> {
    fn new() -> SimStream<T> {
        SimStream { stored: BTreeMap::new(), settled: Vec::new(), last: 0 }
    }

    fn keep(&mut self, content: T, id: String, now: Duration) {
        self.last += 1;
        self.stored.insert(self.last, Stored { content, id, since: now, from: now, deliveries: 0 });
    }

    fn settle(&mut self, sequence: u64, reply: Reply, now: Duration) {
        match reply {
            Reply::Ack => {
                let acknowledged = self.stored.remove(&sequence);
                self.settled.extend(acknowledged.map(|stored| (now, sequence, stored)));
            }
            Reply::Progress => {
                if let Some(stored) = self.stored.get_mut(&sequence) {
                    stored.from = now + ACK_WAIT;
                }
            }
            Reply::Nak(delay) => {
                if let Some(stored) = self.stored.get_mut(&sequence) {
                    stored.from = now + delay;
                }
            }
        }
    }

    /// Applies a power cut: acknowledgements after `acknowledged` are undone, and messages after `kept` are lost. Later
    /// messages get their numbers. Returns the ids of the lost messages.
    fn cut_power(&mut self, acknowledged: Duration, kept: Duration, now: Duration) -> Vec<String> {
        for (at, sequence, stored) in std::mem::take(&mut self.settled) {
            if at > acknowledged {
                self.stored.insert(sequence, Stored { from: now, ..stored });
            }
        }
        let gone: Vec<_> = self.stored.extract_if(.., |_, stored| stored.since > kept).collect();
        self.last = gone.first().map_or(self.last, |(first, _)| first - 1);
        gone.into_iter().map(|(_, stored)| stored.id).collect()
    }
}

#[derive(Default)]
pub(super) struct SimBroker {
    pub(super) is_down: bool,
    jobs: Option<(u64, SimStream<Pack>)>,
    results: Option<SimStream<(String, ResultPart)>>,
    known: HashSet<String>,
    /// Number of packs of which workers gave back a part.
    pub(super) given_back: u64,
}

impl SimBroker {
    /// Deletes the store.
    pub(super) fn wipe(&mut self) {
        *self = SimBroker { is_down: self.is_down, ..SimBroker::default() };
    }

    /// Cuts the power: the data that is not on the disk yet is lost.
    pub(super) fn lose_tail(&mut self, acknowledged: Duration, kept: Duration, now: Duration) {
        let mut gone = Vec::new();
        if let Some((_, jobs)) = &mut self.jobs {
            gone.extend(jobs.cut_power(acknowledged, kept, now));
        }
        if let Some(results) = &mut self.results {
            gone.extend(results.cut_power(acknowledged, kept, now));
        }
        for id in gone {
            self.known.remove(&id);
        }
    }

    pub(super) fn reply(&mut self, delivery: &str, reply: Reply, now: Duration) {
        let words: Vec<&str> = delivery.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().expect("it is one of ours");
        match words[0] {
            "job" => {
                if let Some((epoch, jobs)) = &mut self.jobs
                    && *epoch == number(1)
                {
                    jobs.settle(number(2), reply, now);
                }
            }
            _ => {
                if let Some(results) = &mut self.results {
                    results.settle(number(2), reply, now);
                }
            }
        }
    }

    /// Keeps a pack unless it is known. Returns false if there is no such stream.
    pub(super) fn publish(&mut self, epoch: u64, pack: Pack, now: Duration) -> bool {
        let Some((current, jobs)) = &mut self.jobs else { return false };
        if *current != epoch {
            return false;
        }
        let id = format!("{epoch} {}", pack.id);
        if self.known.insert(id.clone()) {
            jobs.keep(pack, id, now);
        }
        true
    }

    /// Keeps the parts of a report that are not known. Returns false if there is no such stream.
    pub(super) fn keep_result(&mut self, worker: &str, report: &Report, now: Duration) -> bool {
        self.given_back += u64::from(matches!(report, Report::Returned { .. }));
        for part in report.parts().expect("it is short") {
            let Some(results) = &mut self.results else { return false };
            let part = ResultPart::decode(&part).expect("it is one");
            let id = format!("{worker} {} {}", part.report, part.part);
            if self.known.insert(id.clone()) {
                results.keep((worker.to_owned(), part), id, now);
            }
        }
        true
    }

    /// Creates the streams. Returns the number of the stream of packs, its packs, and the number of results, which are
    /// delivered again.
    pub(super) fn create(
        &mut self,
        wanted: Option<u64>,
        new_epoch: u64,
        now: Duration,
    ) -> (u64, Vec<Pack>, u64) {
        let mut packs = Vec::new();
        match (&self.jobs, wanted) {
            (Some((_, jobs)), None) => {
                packs = jobs.stored.values().map(|stored| stored.content.clone()).collect();
            }
            (Some((epoch, _)), Some(wanted)) if *epoch == wanted => {}
            (_, wanted) => self.jobs = Some((wanted.unwrap_or(new_epoch), SimStream::new())),
        }
        let results = &mut self.results.get_or_insert_with(SimStream::new).stored;
        let mut waiting = 0;
        if wanted.is_none() {
            results.values_mut().for_each(|stored| stored.from = now);
            waiting = results.len() as u64;
        }
        (self.jobs.as_ref().expect("it was made").0, packs, waiting)
    }

    pub(super) fn streams_state(&self, epoch: u64) -> StreamsState {
        match (&self.jobs, &self.results) {
            (Some((current, jobs)), Some(results)) if *current == epoch => StreamsState::Present {
                packs: jobs.stored.len() as u64,
                results: results.stored.len() as u64,
            },
            _ => StreamsState::Missing,
        }
    }

    /// Delivers a pack. Returns its handle, the number of its deliveries, and the pack.
    pub(super) fn pull(&mut self, epoch: u64, now: Duration) -> Option<(String, u64, Pack)> {
        let (_, jobs) = self.jobs.as_mut().filter(|(current, _)| *current == epoch)?;
        let (sequence, stored) = jobs.stored.iter_mut().find(|(_, stored)| stored.from <= now)?;
        stored.deliveries += 1;
        stored.from = now + ACK_WAIT;
        Some((format!("job {epoch} {sequence}"), stored.deliveries, stored.content.clone()))
    }

    /// Delivers the results that are due.
    pub(super) fn take_due(&mut self, now: Duration) -> Vec<LeaderEvent> {
        let mut events = Vec::new();
        for (sequence, stored) in self.results.iter_mut().flat_map(|results| &mut results.stored) {
            if stored.from <= now {
                stored.from = now + ACK_WAIT;
                let (worker, part) = stored.content.clone();
                let delivery = format!("result 0 {sequence}");
                events.push(LeaderEvent::Result { worker, delivery, part: Ok(part) });
            }
        }
        events
    }
}
