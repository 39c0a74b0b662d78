//! The events that a worker handles, and the actions that it returns.

use std::num::NonZeroU64;
use std::time::Duration;

use super::crew::ReadyCrew;
use crate::leader::Delivery;
use crate::wire::{Announcement, GameReport, LeaderOrder, Pack, Report, WorkerStatus};
use linesman_driver::MeasuredSpeed;

/// An event that a worker handles.
#[derive(Clone, Debug)]
pub enum WorkerEvent {
    Announced(Announcement),
    /// The bots of a plan are ready.
    Loaded(ReadyCrew),
    /// A plan can't be played here.
    NotLoaded {
        /// The digest of the plan.
        plan: String,
        /// The reason; `None` if the leader did not answer.
        why: Option<String>,
    },
    /// The threads that played have ended.
    Dismissed,
    /// A pack was delivered.
    Fetched {
        fetch: u64,
        delivery: Delivery,
        /// Number of deliveries of the pack, this one included.
        deliveries: u64,
        /// The pack; `None` if it could not be read.
        pack: Option<Pack>,
    },
    /// The fetch with this number got no pack.
    Nothing(u64),
    Ended {
        number: u64,
        /// Its report, without the id of the pack; `None` if it was broken off.
        report: Option<Box<GameReport>>,
    },
    /// A report was sent.
    Reported {
        /// The number of the report.
        number: u64,
        /// True if the broker has confirmed it.
        is_kept: bool,
    },
    /// The number of games that are played at once from now on.
    AtOnce(usize),
    /// The speed of the machine was measured; `None` if it could not be.
    Measured(Option<MeasuredSpeed>),
    Stop(LeaderOrder),
    /// Time has passed.
    Tick,
}

/// An action that a worker asks for.
#[derive(Clone, Debug)]
pub enum WorkerAction {
    /// Get a plan from the leader, and prepare its bots.
    Load(Box<Announcement>),
    /// End the threads that play.
    Dismiss,
    /// Break off the running games.
    BreakOff,
    /// Fetch a pack.
    Fetch {
        fetch: u64,
        league: String,
        /// The number of the stream of packs.
        epoch: u64,
    },
    /// Wake the threads: [`Worker::begin`](super::Worker::begin) may have games for them.
    Begin,
    /// Measure the speed of the machine.
    Measure,
    /// Inform the broker that a pack is still being played.
    Progress(Delivery),
    /// Acknowledge a pack: it is done.
    Ack(Delivery),
    /// Give a pack back, to be delivered again after this time.
    Nak(Delivery, Duration),
    /// Send a report.
    Report {
        /// The number of the report.
        number: u64,
        league: String,
        report: Report,
    },
    SendStatus {
        league: String,
        status: WorkerStatus,
    },
    /// Show people a notice.
    Tell(WorkerNotice),
    /// End: nothing is left to do.
    Quit,
}

/// A notice for people.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum WorkerNotice {
    /// The connection to the broker was established.
    Connected,
    /// The broker can't be reached, or refuses something, for this reason, if it is known. The worker tries again.
    Disconnected(Option<String>),
    /// The worker plays for the league with this name from now on.
    Joined(String),
    /// The worker left a league, because it is over or no longer led.
    Left {
        league: String,
        /// Number of games that were played for it.
        played: u64,
    },
    /// The worker can't play some games, or a league, for this reason.
    CantPlay(String),
    /// The speed of the machine was measured, in positions per second.
    Measured(NonZeroU64),
    /// The machine is overloaded, for this reason.
    Overloaded(String),
    /// The leader refuses the worker's results.
    Refused,
    /// The leader set the worker aside, because it annulled too many games in a row.
    SetAside,
}
