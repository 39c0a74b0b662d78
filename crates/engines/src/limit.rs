//! The limits of a search: the positions visited and the time.

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

/// The number of nodes from one reading of the clock to the next.
const NODES_A_LOOK: u64 = 64;

/// The minimum number of positions visited, however narrow the limits, so that there is something to choose
/// from.
const AT_LEAST: u64 = 64;

/// The limits of the search for one move, and its progress.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    most: Option<u64>,
    time: Duration,
    stopwatch: MoveTimer,
    nodes: u64,
    least: u64,
    stopped: bool,
    /// Set by another thread to end the search.
    stop: Option<Arc<AtomicBool>>,
}

/// A limit was reached in the middle of the search.
#[derive(Debug)]
pub(super) struct Stopped;

impl Limit {
    /// A limit of `nodes` positions and of the time until `stopwatch` shows `time`.
    pub(super) fn new(nodes: Option<u64>, time: Duration, stopwatch: MoveTimer) -> Limit {
        Limit { most: nodes, time, stopwatch, nodes: 0, least: AT_LEAST, stopped: false, stop: None }
    }

    /// The same limit with another minimum number of positions, however short the time is.
    pub(super) fn at_least(self, least: u64) -> Limit {
        Limit { least, ..self }
    }

    /// The same limit, which also ends the search once this is set.
    pub(super) fn until(self, stop: Option<Arc<AtomicBool>>) -> Limit {
        Limit { stop, ..self }
    }

    /// The positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a position that is going to be visited.
    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        if self.stopped {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes < self.least {
            return Ok(());
        }
        let enough = self.most.is_some_and(|most| self.nodes >= most);
        let late = || {
            self.nodes.is_multiple_of(NODES_A_LOOK)
                && (self.stopwatch.elapsed() >= self.time
                    || self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed)))
        };
        self.stopped = enough || late();
        Ok(())
    }
}
