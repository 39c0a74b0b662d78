//! The reports of which some parts are still missing.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::event::Delivery;
use crate::wire::{Report, ResultPart, Unreadable};

/// Time from the first part of a report until it is dropped if it is still incomplete: its sender has died.
const PARTS_TIMEOUT: Duration = Duration::from_secs(600);

pub(super) struct CompleteReport {
    pub(super) worker: String,
    pub(super) deliveries: Vec<Delivery>,
    pub(super) report: Result<Report, Unreadable>,
}

struct IncompleteReport {
    parts: BTreeMap<u32, ResultPart>,
    deliveries: Vec<Delivery>,
    since: Duration,
}

/// The incomplete reports, by worker and digest.
#[derive(Default)]
pub(super) struct Inbox(HashMap<(String, String), IncompleteReport>);

impl Inbox {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a part. Returns the report if it is complete now.
    pub(super) fn add(
        &mut self,
        at: Duration,
        worker: String,
        delivery: Delivery,
        part: ResultPart,
    ) -> Option<CompleteReport> {
        if part.parts == 1 {
            let report = Report::joined(std::iter::once(&part));
            return Some(CompleteReport { worker, deliveries: vec![delivery], report });
        }
        let key = (worker, part.report.clone());
        let fresh = || IncompleteReport { parts: BTreeMap::new(), deliveries: Vec::new(), since: at };
        let incomplete = self.0.entry(key.clone()).or_insert_with(fresh);
        let parts = part.parts;
        incomplete.deliveries.push(delivery);
        incomplete.parts.insert(part.part, part);
        if incomplete.parts.len() < parts as usize {
            return None;
        }
        let IncompleteReport { parts, deliveries, .. } = self.0.remove(&key)?;
        Some(CompleteReport { worker: key.0, deliveries, report: Report::joined(parts.values()) })
    }

    /// Drops the reports that will never be complete. Returns the deliveries of each.
    pub(super) fn expired(&mut self, at: Duration) -> Vec<Vec<Delivery>> {
        let old = self.0.extract_if(|_, incomplete| at.saturating_sub(incomplete.since) > PARTS_TIMEOUT);
        old.map(|(_, incomplete)| incomplete.deliveries).collect()
    }
}
