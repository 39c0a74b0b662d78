//! The events that a leader takes, and the actions that it returns.

use crate::wire::{LeaderOrder, Pack, ResultPart, Unreadable, WorkerStatus};
use linesman_league::leader_notice::LeaderNotice;

/// The handle by which the broker knows a delivery again.
pub type Delivery = String;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum LeaderEvent {
    /// The streams are there; of an earlier leader this is still in them.
    Ready {
        /// The number of the stream of packs.
        epoch: u64,
        /// The packs.
        packs: Vec<Pack>,
        /// Number of messages with results. All of them are delivered soon.
        results: u64,
    },
    /// A pack was published, or could not be.
    Published {
        /// The id of the pack.
        pack: String,
        /// True if the broker keeps it.
        is_kept: bool,
    },
    /// The files of bots can't be sent to the workers.
    NotPublished {
        /// The reason.
        why: String,
    },
    /// A worker's result came.
    Result {
        /// The worker.
        worker: String,
        /// The delivery.
        delivery: Delivery,
        /// The message.
        part: Result<ResultPart, Unreadable>,
    },
    /// So many of the records that were taken would outlive a power cut.
    Kept(u64),
    /// A worker speaks of itself.
    WorkerStatus {
        /// The worker.
        worker: String,
        /// Its text.
        word: Box<WorkerStatus>,
        /// The leader's time when it came, in milliseconds since 1970, UTC; none = it is not known.
        clock_ms: Option<u64>,
    },
    /// The streams were looked at.
    Looked {
        /// The number of the stream of packs.
        epoch: u64,
        /// The observation.
        seen: StreamsSeen,
    },
    /// The run is to stop.
    Stop(LeaderOrder),
    /// Time has passed.
    Tick,
}

/// Observations of the streams.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum StreamsSeen {
    /// One of them is not there.
    Gone,
    /// They are there, with these numbers of messages.
    There {
        /// Number of packs.
        packs: u64,
        /// Number of messages with results.
        results: u64,
    },
}

/// Something to be done.
#[derive(Clone, Debug)]
pub enum LeaderAction {
    /// Publish a pack.
    Publish {
        /// The stream.
        epoch: u64,
        /// The pack.
        pack: Pack,
    },
    /// Acknowledge a delivery of a result.
    Ack(Delivery),
    /// Have a result delivered again later.
    Later(Delivery),
    /// Make the streams anew, with packs in one of this number.
    Rebuild {
        /// The number.
        epoch: u64,
    },
    /// Announce the league.
    Announce(LeaderOrder),
    /// Look at the streams.
    Look,
    /// Tell people something.
    Tell(LeaderNotice),
    /// Nothing more is to be done: the league is over, or it was stopped.
    End {
        /// True if no game is left.
        is_over: bool,
    },
}
