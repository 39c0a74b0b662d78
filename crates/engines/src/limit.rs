//! The limits of a search: the number of positions visited and the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::settings::EngineOption;
use super::time::MoveTimer;

/// The option that limits a search by the positions visited.
pub(super) const NODES: EngineOption = EngineOption {
    name: "Nodes",
    about: "maximum number of positions per move; 0 for as many as there is time for",
    default: 0,
    min: 0,
    max: 1_000_000_000_000,
};

/// The number of nodes between two readings of the clock.
const NODES_PER_READING: u64 = 64;

/// The minimum number of positions to visit, however low the limits are, so that there is a choice of moves.
const MIN_NODES: u64 = 64;

/// The limits of the search for one move, and its progress.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    max_nodes: Option<u64>,
    time: Duration,
    stopwatch: MoveTimer,
    nodes: u64,
    min_nodes: u64,
    stopped: bool,
    /// Set by another thread to end the search.
    stop: Option<Arc<AtomicBool>>,
}

/// The error that a limit ended the search before it was complete.
#[derive(Debug)]
pub(super) struct Stopped;

impl Limit {
    /// Limits a search to `max_nodes` positions, and to the time until `stopwatch` shows `time`.
    pub(super) fn new(max_nodes: Option<u64>, time: Duration, stopwatch: MoveTimer) -> Limit {
        Limit { max_nodes, time, stopwatch, nodes: 0, min_nodes: MIN_NODES, stopped: false, stop: None }
    }

    /// The same limit with another minimum number of positions.
    pub(super) fn at_least(self, min_nodes: u64) -> Limit {
        Limit { min_nodes, ..self }
    }

    /// The same limit, which also ends the search once this flag is set.
    pub(super) fn until(self, stop: Option<Arc<AtomicBool>>) -> Limit {
        Limit { stop, ..self }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position that is about to be visited.
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        if self.stopped {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes < self.min_nodes {
            return Ok(());
        }
        let is_enough = self.max_nodes.is_some_and(|max| self.nodes >= max);
        let is_late = || {
            self.nodes.is_multiple_of(NODES_PER_READING)
                && (self.stopwatch.elapsed() >= self.time
                    || self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed)))
        };
        self.stopped = is_enough || is_late();
        Ok(())
    }
}
