//! The events that a worker takes, and the actions that it returns.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::leader::Delivery;
use crate::wire::{Announcement, GameReport, LeaderOrder, Pack, Report, WorkerStatus};
use linesman_driver::MeasuredSpeed;

/// Something that happened.
#[derive(Clone, Debug)]
pub enum WorkerEvent {
    /// A league is announced.
    Announced(Announcement),
    /// The bots of a plan are ready.
    Loaded {
        /// The digest of the plan.
        plan: String,
        /// For each bot why it can't play here.
        refusals: Vec<Option<String>>,
        /// Number of entrants, and of seats of a game.
        entrants: usize,
        /// Number of seats of a game.
        seats: usize,
        /// Minimum speed of a worker.
        least_speed: Option<NonZeroU64>,
    },
    /// A plan can't be played here.
    NotLoaded {
        /// The digest of the plan.
        plan: String,
        /// The reason; none if the leader did not answer.
        why: Option<String>,
    },
    /// The threads that played have ended.
    Dismissed,
    /// A pack was delivered.
    Fetched {
        /// The number of the fetch.
        fetch: u64,
        /// The delivery.
        delivery: Delivery,
        /// Number of deliveries of the pack, this one included.
        deliveries: u64,
        /// The pack; none if it could not be read.
        pack: Option<Pack>,
    },
    /// A fetch brought nothing.
    Nothing {
        /// The number of the fetch.
        fetch: u64,
    },
    /// A game has ended; without a report if it was broken off.
    Ended {
        /// The number of the game.
        number: u64,
        /// Its result, without the pack.
        report: Option<Box<GameReport>>,
    },
    /// The broker has kept a report, or not.
    Reported {
        /// The number of the report.
        number: u64,
        /// True if it has.
        is_kept: bool,
    },
    /// So many games are played at once from now on.
    AtOnce(usize),
    /// The speed of the machine was measured; none = it could not be.
    Measured(Option<MeasuredSpeed>),
    /// Somebody stops the worker.
    Stop(LeaderOrder),
    /// Time has passed.
    Tick,
}

/// Something to be done.
#[derive(Clone, Debug)]
pub enum WorkerAction {
    /// Get a plan from the leader, and its bots ready.
    Load(Box<Announcement>),
    /// Have the threads that play end.
    Dismiss,
    /// Break the running games off.
    BreakOff,
    /// Fetch a pack.
    Fetch {
        /// The number of the fetch.
        fetch: u64,
        /// The league.
        league: String,
        /// The number of the stream.
        epoch: u64,
    },
    /// There are games to begin: [`Worker::begin`](super::Worker::begin).
    Begin,
    /// Measure the speed of the machine.
    Measure,
    /// Tell the broker that a pack is still being played.
    Progress(Delivery),
    /// A pack is done.
    Ack(Delivery),
    /// A pack is given back, for others after so long.
    Nak(Delivery, Duration),
    /// Send a report.
    Report {
        /// The number of the report.
        number: u64,
        /// The league.
        league: String,
        /// The report.
        report: Report,
    },
    /// Say something.
    Say {
        /// The league.
        league: String,
        /// The word.
        word: WorkerStatus,
    },
    /// Tell people something.
    Tell(WorkerNotice),
    /// Nothing more is to be done.
    Quit,
}

/// Something for people.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum WorkerNotice {
    /// The broker is there.
    Connected,
    /// The broker is not there, or refuses something; it is tried again.
    Disconnected {
        /// The reason, if it is known.
        why: Option<String>,
    },
    /// It plays for a league from now on.
    Joined {
        /// The league's name.
        league: String,
    },
    /// A league is over, or led no more.
    Left {
        /// The league's name.
        league: String,
        /// Number of games that were played for it.
        played: u64,
    },
    /// It can't play games or a league.
    CantPlay {
        /// The reason.
        why: String,
    },
    /// The speed of the machine was measured, in positions a second.
    Measured {
        /// The speed.
        speed: NonZeroU64,
    },
    /// The machine is overloaded.
    Overloaded {
        /// The reason.
        why: String,
    },
    /// The leader refuses its results.
    Refused,
    /// It annulled too many games in a row: the leader wants it to stop.
    SetAside,
}
