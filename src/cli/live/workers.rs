//! The workers of a run in the live view.

use std::collections::BTreeMap;
use std::time::Duration;

use super::words::{NAME_BYTES, in_short};
use crate::league::leader_notice::{Presence, WorkerSeen};
use crate::record::text::printable;
use crate::report::describe::grouped;
use crate::report::truncate;

/// Minimum width in columns for the table.
const WIDE: u16 = 64;

/// Maximum time since a worker's last message that is shown as `now`: messages come every few seconds.
const USUAL_SILENCE: Duration = Duration::from_secs(7);

/// The connected workers, by name and instance.
#[derive(Default)]
pub(super) struct LiveWorkers(BTreeMap<(String, u64), WorkerSeen>);

impl LiveWorkers {
    pub(super) fn update(&mut self, worker: WorkerSeen) {
        let key = (printable(&worker.name, NAME_BYTES), worker.instance);
        match worker.presence {
            Presence::New | Presence::There => drop(self.0.insert(key, worker)),
            Presence::Gone => drop(self.0.remove(&key)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The workers in words: `2 workers play 3 of 4 games at once: w1 1 of 2, w2 2 of 2`; `None` without any.
    pub(super) fn in_words(&self) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let sum =
            |of: fn(&WorkerSeen) -> u32| self.0.values().map(|worker| u64::from(of(worker))).sum::<u64>();
        let each =
            self.0.iter().map(|((name, _), worker)| format!("{name} {} of {}", worker.running, worker.slots));
        let each = each.collect::<Vec<_>>().join(", ");
        let workers = if self.0.len() == 1 { "worker plays" } else { "workers play" };
        let (running, slots) = (sum(|worker| worker.running), sum(|worker| worker.slots));
        Some(format!("{} {workers} {running} of {slots} games at once: {each}", self.0.len()))
    }

    /// The heading of the table; `None` if the table does not fit this width.
    pub(super) fn heading(&self, width: u16) -> Option<String> {
        let name = name_width(width)?;
        Some(format!(
            "{:name$}{:>9}{:>9}{:>8}{:>14}  last word",
            "worker", "playing", "games", "faults", "speed"
        ))
    }

    pub(super) fn rows(&self, width: u16) -> Vec<String> {
        let Some(room) = name_width(width) else { return Vec::new() };
        let names: Vec<&str> = self.0.keys().map(|(name, _)| name.as_str()).collect();
        let row = |(name, worker): (String, &WorkerSeen)| {
            let space = " ".repeat(room.saturating_sub(truncate::columns(&name)));
            let playing = format!("{} of {}", worker.running, worker.slots);
            let speed = worker.speed.map_or_else(|| "?".to_owned(), |speed| grouped(speed.get()));
            let word = match worker.silent {
                silent if silent < USUAL_SILENCE => "now".to_owned(),
                silent => format!("{} ago", in_short(silent)),
            };
            let (games, faults) = (grouped(worker.played), grouped(worker.faults));
            format!("{name}{space}{playing:>9}{games:>9}{faults:>8}{speed:>14}  {word}")
        };
        truncate::names(&names, room.saturating_sub(1)).into_iter().zip(self.0.values()).map(row).collect()
    }
}

fn name_width(width: u16) -> Option<usize> {
    (width >= WIDE).then(|| usize::from(width).saturating_sub(53).clamp(10, 30))
}
