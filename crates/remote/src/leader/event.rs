//! The events that a leader handles, and the actions that it returns.

use crate::wire::{LeaderOrder, Pack, ResultPart, Unreadable, WorkerStatus};
use linesman_league::leader_notice::LeaderNotice;

/// The handle by which the broker identifies a delivery.
pub type Delivery = String;

/// An event that a leader handles.
#[derive(Clone, Debug)]
pub enum LeaderEvent {
    /// The streams exist, with what an earlier leader left in them.
    Ready {
        /// The number of the stream of packs.
        epoch: u64,
        /// The packs of the earlier leader.
        packs: Vec<Pack>,
        /// Number of messages with results. All of them will be delivered soon.
        results: u64,
    },
    /// A pack was published, or its publication failed.
    Published {
        /// The id of the pack.
        pack: String,
        /// True if the broker has confirmed it.
        is_kept: bool,
    },
    /// The files of bots can't be sent to the workers, for this reason.
    NotPublished(String),
    /// A result of a worker arrived.
    Result { worker: String, delivery: Delivery, part: Result<ResultPart, Unreadable> },
    /// The number of the records taken so far that would survive a power cut.
    Kept(u64),
    /// A status message of a worker arrived.
    WorkerStatus {
        worker: String,
        status: Box<WorkerStatus>,
        /// The leader's time at its arrival, in milliseconds since 1970, UTC; `None` if unknown.
        clock_ms: Option<u64>,
    },
    /// The state of the streams was read.
    StreamsRead {
        /// The number of the stream of packs.
        epoch: u64,
        state: StreamsState,
    },
    /// The run has to stop.
    Stop(LeaderOrder),
    /// Time has passed.
    Tick,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum StreamsState {
    /// At least one of them does not exist.
    Missing,
    /// Both exist, with these numbers of messages.
    Present {
        packs: u64,
        /// Number of messages with results.
        results: u64,
    },
}

/// An action that a leader asks for.
#[derive(Clone, Debug)]
pub enum LeaderAction {
    /// Publish a pack.
    Publish {
        /// The stream.
        epoch: u64,
        pack: Pack,
    },
    /// Acknowledge a delivery of a result.
    Ack(Delivery),
    /// Have a result delivered again later.
    Redeliver(Delivery),
    /// Create the streams again, with this number for the stream of packs.
    Rebuild(u64),
    Announce(LeaderOrder),
    /// Read the state of the streams.
    ReadStreams,
    /// Show people a notice.
    Tell(LeaderNotice),
    /// End: the league is over, or it was stopped.
    End {
        /// True if no game is left.
        is_over: bool,
    },
}
