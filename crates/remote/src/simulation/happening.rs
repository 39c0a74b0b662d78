//! The things that happen in a simulation, and the clocks by which its parties see them.

use std::time::Duration;

use crate::leader::LeaderEvent;
use crate::wire::{Pack, Report};
use crate::worker::WorkerEvent;

/// Time after which a delivery of which nothing is heard is repeated.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(3);

pub(super) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Something on its way, or to come.
pub(super) enum Coming {
    LeaderTick,
    WorkerTick(usize),
    BrokerTick,
    ToLeader(LeaderEvent),
    ToWorker(usize, WorkerEvent),
    Publish(u64, Pack),
    Make(Option<u64>),
    Look(u64),
    Pull(usize, u64, u64),
    Result { worker: usize, number: u64, report: Report },
    Handled(String, Handling),
    GameEnds(usize, u64),
    Synced(usize),
    LeaderStarts,
    WorkerStarts(usize),
    WorkerIsStopped(usize),
    ServerStarts,
    Fault,
}

/// The answer to a delivery.
#[derive(Copy, Clone)]
pub(super) enum Handling {
    Ack,
    Progress,
    Nak(Duration),
}

/// A clock that begins anywhere, and is slow or fast.
#[derive(Clone, Copy)]
pub(super) struct SkewedClock {
    pub(super) start: Duration,
    pub(super) ahead: Duration,
    /// In thousandths.
    pub(super) rate: u32,
}

impl SkewedClock {
    pub(super) fn at(self, now: Duration) -> Duration {
        self.ahead + now.saturating_sub(self.start) * self.rate / 1_000
    }
}
