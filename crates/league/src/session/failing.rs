//! Bots that failed before the first game, and their confinement.

use std::path::PathBuf;

use crate::file::{Bot, Limits, Tournament};
use crate::host::{Folders, Host};
use crate::lineup::Lineup;
use crate::preflight::Failed;
use linesman_sandbox::isolation::Layers;

/// A bot that failed in the preflight check.
#[derive(Clone, Debug)]
pub struct Failing {
    pub bot: Bot,
    /// The failure.
    pub failed: Failed,
    /// The confinement of the bot when it failed.
    pub confinement: Confinement,
}

/// The confinement of a bot, which may explain why it failed.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// The layers of the sandbox that hold.
    pub layers: Layers,
    /// The files and folders that it may read.
    pub read: Vec<PathBuf>,
    /// Its working directory.
    pub folder: PathBuf,
    /// The home directory of the user who plays.
    pub home: PathBuf,
    pub limits: Limits,
    /// The maximum size of its scratch folder, in bytes, if it has one.
    pub scratch: Option<u64>,
    /// The owner of the folders that the plan names.
    pub folders: Folders,
}

impl Confinement {
    /// Returns the confinement of a bot, by its index in the tournament.
    pub fn of(host: &Host, tournament: &Tournament, lineup: &Lineup, index: usize) -> Confinement {
        let bot = &tournament.bots[index];
        Confinement {
            layers: host.layers.clone().unwrap_or_default(),
            read: lineup.read_access[index].grants.read.clone(),
            folder: std::path::absolute(&bot.folder).unwrap_or_else(|_| bot.folder.clone()),
            home: host.environment.home.clone().into(),
            limits: bot.limits.clone(),
            scratch: bot.scratch,
            folders: host.paths.folders,
        }
    }
}
