//! Errors of a session.

use std::io;
use std::path::PathBuf;

use super::failing::Failing;
use crate::bots::BotError;
use crate::content::archive::PackError;
use crate::content::setup::SetupError;
use crate::directory::DirectoryError;
use crate::file::Diagnostics;
use crate::schedule::ScheduleError;
use crate::shard::ShardError;
use linesman_rating::RatingError;
use linesman_record::{ReadError, WriteError};
use linesman_sandbox::isolation::{SlotUsers, Unavailable};

/// The reason why a session can't be created or continued.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The plan has mistakes.
    #[error(transparent)]
    Diagnostics(#[from] Box<Diagnostics>),
    /// No schedule exists for the plan.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The run directory can't be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The run can't be divided into shards.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A record can't be read.
    #[error(transparent)]
    Record(#[from] ReadError),
    /// A record can't be written. Earlier records are kept.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The bots can't be rated.
    #[error("the bots can't be rated")]
    Rating(#[from] RatingError),
    /// The host does not provide everything that the sandbox `strict` requires.
    #[error("this machine can't provide all that the sandbox `strict` requires")]
    Sandbox(Vec<Unavailable>),
    /// The CPU time of bots can't be counted on this host.
    #[error("`clock = \"cpu\"` is not possible on this machine: {}", .0.why())]
    CpuClock(NoCpuClock),
    /// There are too few users for the bots of the games at once.
    #[error("{games} games at once need {needed} users for bots, but only {} are available", users.lendable())]
    Users {
        /// The number of games at once.
        games: usize,
        /// The number of users that they need.
        needed: u64,
        /// The maximum number of games at once with the available users.
        at_most: usize,
        /// The available users.
        users: SlotUsers,
    },
    /// The sandbox is `strict`, but bots can't have users of their own, because other users can't read these files.
    #[error("bots can't run as users of their own")]
    OwnUsers(Vec<(String, PathBuf)>),
    /// The files of a bot with a `setup` can't be copied.
    #[error("the files of bot `{bot}` can't be copied: {error}")]
    Pack { bot: String, error: PackError },
    /// A bot with a `setup` needs a program that this machine lacks.
    #[error("bot `{bot}` can't be set up: {error}")]
    Needs { bot: String, error: BotError },
    /// The `setup` of a bot can't be run, or failed.
    #[error("bot `{bot}` can't be set up: {error}")]
    Setup { bot: String, error: SetupError },
    /// A bot is a person, and no person can play in this kind of run.
    #[error("`{0}` is a person, not a bot")]
    Person(String),
    /// Bots failed in the preflight check.
    #[error("{} of the bots can't play", .0.len())]
    Preflight(Vec<Failing>),
    /// This host can't start any bot.
    #[error("can't start bots on this machine")]
    StartBots(#[source] io::Error),
    /// The threads that play can't be started.
    #[error("can't start the games on this machine")]
    Start(#[source] io::Error),
    /// A game was annulled in every attempt.
    #[error("a game could not be completed")]
    Incomplete {
        /// The number of missing games.
        left: u64,
        /// The last annulled game with the reason.
        void: Option<String>,
    },
}

/// The reason why the CPU time of bots can't be counted.
#[derive(Debug)]
pub enum NoCpuClock {
    /// No cgroup is available. Has the reason, if it is known.
    Cgroup(Option<Unavailable>),
    /// The kernel does not count the CPU time of threads.
    Schedstat,
}

impl NoCpuClock {
    pub fn why(&self) -> &'static str {
        match self {
            NoCpuClock::Cgroup(_) => {
                "without a cgroup, the CPU time of a process that ends unnoticed is lost"
            }
            NoCpuClock::Schedstat => "this kernel does not count the CPU time of threads (no `schedstat`)",
        }
    }
}
