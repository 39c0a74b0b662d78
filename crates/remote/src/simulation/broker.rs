//! A broker that keeps messages until they are acknowledged, and may lose some of them.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use super::happening::{ACK_WAIT, Handling};
use crate::leader::{LeaderEvent, StreamsSeen};
use crate::wire::{Pack, Report, ResultPart, WireMessage};

/// A message that a stream keeps.
struct Stored<T> {
    content: T,
    /// The id by which the broker knows it again.
    id: String,
    since: Duration,
    /// Time of its next delivery at the earliest.
    from: Duration,
    deliveries: u64,
}

/// Messages in the order of their numbers.
struct SimStream<T> {
    stored: BTreeMap<u64, Stored<T>>,
    /// Those that were acknowledged, with the time.
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

    fn settle(&mut self, sequence: u64, handling: Handling, now: Duration) {
        match handling {
            Handling::Ack => {
                let acknowledged = self.stored.remove(&sequence);
                self.settled.extend(acknowledged.map(|stored| (now, sequence, stored)));
            }
            Handling::Progress => {
                if let Some(own) = self.stored.get_mut(&sequence) {
                    own.from = now + ACK_WAIT;
                }
            }
            Handling::Nak(delay) => {
                if let Some(own) = self.stored.get_mut(&sequence) {
                    own.from = now + delay;
                }
            }
        }
    }

    /// A power cut: acknowledgements since the first time are undone, and messages since the second one are gone.
    /// Their numbers are given to others. Returns the ids of those that are gone.
    fn cut(&mut self, acknowledged: Duration, kept: Duration, now: Duration) -> Vec<String> {
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
    /// Number of packs of which workers gave a part back.
    pub(super) given_back: u64,
}

impl SimBroker {
    /// The store is deleted.
    pub(super) fn wipe(&mut self) {
        *self = SimBroker { is_down: self.is_down, ..SimBroker::default() };
    }

    /// The machine loses its power, and what was not on its disk yet.
    pub(super) fn lose_tail(&mut self, acknowledged: Duration, kept: Duration, now: Duration) {
        let mut gone = Vec::new();
        if let Some((_, jobs)) = &mut self.jobs {
            gone.extend(jobs.cut(acknowledged, kept, now));
        }
        if let Some(results) = &mut self.results {
            gone.extend(results.cut(acknowledged, kept, now));
        }
        for id in gone {
            self.known.remove(&id);
        }
    }

    pub(super) fn handle(&mut self, delivery: &str, handling: Handling, now: Duration) {
        let words: Vec<&str> = delivery.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().expect("it is one of ours");
        match words[0] {
            "job" => {
                if let Some((epoch, jobs)) = &mut self.jobs
                    && *epoch == number(1)
                {
                    jobs.settle(number(2), handling, now);
                }
            }
            _ => {
                if let Some(results) = &mut self.results {
                    results.settle(number(2), handling, now);
                }
            }
        }
    }

    /// Keeps a pack, unless it is known; false if there is no such stream.
    pub(super) fn publish(&mut self, epoch: u64, pack: Pack, now: Duration) -> bool {
        let Some((own, jobs)) = &mut self.jobs else { return false };
        if *own != epoch {
            return false;
        }
        let id = format!("{epoch} {}", pack.id);
        if self.known.insert(id.clone()) {
            jobs.keep(pack, id, now);
        }
        true
    }

    /// The same for a report.
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

    /// Makes the streams. Returns the number of that of packs, with the packs that are in it, and the number of
    /// results, which are delivered anew.
    pub(super) fn make(&mut self, wanted: Option<u64>, fresh: u64, now: Duration) -> (u64, Vec<Pack>, u64) {
        let mut packs = Vec::new();
        match (&self.jobs, wanted) {
            (Some((_, jobs)), None) => {
                packs = jobs.stored.values().map(|stored| stored.content.clone()).collect();
            }
            (Some((epoch, _)), Some(wanted)) if *epoch == wanted => {}
            (_, wanted) => self.jobs = Some((wanted.unwrap_or(fresh), SimStream::new())),
        }
        let results = &mut self.results.get_or_insert_with(SimStream::new).stored;
        let mut waiting = 0;
        if wanted.is_none() {
            results.values_mut().for_each(|stored| stored.from = now);
            waiting = results.len() as u64;
        }
        (self.jobs.as_ref().expect("it was made").0, packs, waiting)
    }

    pub(super) fn look(&self, epoch: u64) -> StreamsSeen {
        match (&self.jobs, &self.results) {
            (Some((own, jobs)), Some(results)) if *own == epoch => {
                StreamsSeen::There { packs: jobs.stored.len() as u64, results: results.stored.len() as u64 }
            }
            _ => StreamsSeen::Gone,
        }
    }

    /// Delivers a pack: its handle, the number of its deliveries, and itself.
    pub(super) fn pull(&mut self, epoch: u64, now: Duration) -> Option<(String, u64, Pack)> {
        let (own, jobs) = self.jobs.as_mut().filter(|(own, _)| *own == epoch)?;
        let (sequence, stored) = jobs.stored.iter_mut().find(|(_, stored)| stored.from <= now)?;
        stored.deliveries += 1;
        stored.from = now + ACK_WAIT;
        Some((format!("job {own} {sequence}"), stored.deliveries, stored.content.clone()))
    }

    /// The results that are due.
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
