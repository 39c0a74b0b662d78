//! The deliveries of results to acknowledge: each as soon as all records taken before it would survive a power cut.

use std::collections::VecDeque;

use super::event::{Delivery, LeaderAction};

#[derive(Default)]
pub(super) struct Acks {
    /// Number of records that were taken, and number of those that would survive a power cut.
    taken: u64,
    kept: u64,
    /// Groups of deliveries, each with the number of records that have to be kept first.
    waiting: VecDeque<(u64, Vec<Delivery>)>,
}

impl Acks {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(super) fn count_taken(&mut self) {
        self.taken += 1;
    }

    pub(super) fn kept(&mut self, records: u64) {
        self.kept = self.kept.max(records);
    }

    /// Adds deliveries, which are acknowledged once all records taken so far are kept.
    pub(super) fn add(&mut self, deliveries: Vec<Delivery>) {
        self.waiting.push_back((self.taken, deliveries));
    }

    pub(super) fn flush(&mut self, actions: &mut Vec<LeaderAction>) {
        while let Some((_, deliveries)) = self.waiting.pop_front_if(|(records, _)| *records <= self.kept) {
            actions.extend(deliveries.into_iter().map(LeaderAction::Ack));
        }
    }
}
