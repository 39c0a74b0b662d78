//! The events of a simulation, and the clocks of its leaders and workers.

use std::time::Duration;

use crate::leader::LeaderEvent;
use crate::wire::{Pack, Report};
use crate::worker::WorkerEvent;

/// Time after which an unanswered delivery is repeated.
pub(super) const ACK_WAIT: Duration = Duration::from_secs(3);

pub(super) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// A scheduled event of a simulation, such as the arrival of a message.
pub(super) enum SimEvent {
    LeaderTick,
    WorkerTick(usize),
    BrokerTick,
    ToLeader(LeaderEvent),
    ToWorker(usize, WorkerEvent),
    Publish(u64, Pack),
    Make(Option<u64>),
    ReadStreams(u64),
    Pull(usize, u64, u64),
    Result { worker: usize, number: u64, report: Report },
    Reply(String, Reply),
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
pub(super) enum Reply {
    Ack,
    Progress,
    Nak(Duration),
}

/// A clock with any offset that runs slow or fast.
#[derive(Clone, Copy)]
pub(super) struct SkewedClock {
    pub(super) start: Duration,
    pub(super) ahead: Duration,
    /// The rate in thousandths of the true rate.
    pub(super) rate: u32,
}

impl SkewedClock {
    pub(super) fn at(self, now: Duration) -> Duration {
        self.ahead + now.saturating_sub(self.start) * self.rate / 1_000
    }
}
