//! The host of a run, and the paths of the league on it.

use std::path::PathBuf;

use linesman_sandbox::Environment;
use linesman_sandbox::isolation::Layers;

/// The resources of the host that a run uses.
#[derive(Clone, Debug)]
pub struct Host {
    /// The binary of this program: the launcher of all bots, and the program of commands that begin with `linesman`.
    pub binary: PathBuf,
    /// The environment variables of the bots.
    pub environment: Environment,
    /// The layers of the sandbox that hold; `None` if bots are only supervised.
    pub layers: Option<Layers>,
    /// The paths of the league on this host.
    pub paths: LeaguePaths,
    /// Returns the current time, UTC, RFC 3339.
    pub now: fn() -> String,
}

/// The paths of a league on its host.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct LeaguePaths {
    /// The paths that belong to the league and to no bot: its file and its run directory. They need not exist yet.
    pub private: Vec<PathBuf>,
    /// The owner of the folders that the tournament names (`dir`).
    pub folders: Folders,
}

/// The owner of the folders that bots run in.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Folders {
    /// Each folder belongs to the bot for which it is named.
    #[default]
    OfBots,
    /// The folders belong to the person who plays, since no tournament file names them.
    OfThePlayer,
}
