//! What holds on this host, found once a run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::{Layers, Sandbox};

/// Something that a bot can't do, or can do only so much.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Promise {
    /// It reads only what it needs and writes nowhere but into a folder of its own.
    Files,
    /// It reaches nobody over a network or a socket.
    Network,
    /// It looks into no process of others.
    Processes,
    /// It signals no process of others.
    Signals,
    /// Its memory is bounded.
    Memory,
    /// The number of its processes is bounded.
    ProcessNumber,
}

impl Promise {
    /// All of them, in the order in which they are told.
    pub const ALL: [Promise; 6] = [
        Promise::Files,
        Promise::Network,
        Promise::Processes,
        Promise::Signals,
        Promise::Memory,
        Promise::ProcessNumber,
    ];

    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Promise::Files => "files",
            Promise::Network => "network",
            Promise::Processes => "processes",
            Promise::Signals => "signals",
            Promise::Memory => "memory",
            Promise::ProcessNumber => "process_number",
        }
    }
}

/// A part of the isolation that can't be had here.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{part}: {why}")]
pub struct Missing {
    /// Which part.
    pub part: &'static str,
    /// Why not.
    pub why: String,
    /// What to do about it.
    pub cure: String,
}

/// What holds on this host.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Holding {
    /// What was asked for.
    pub asked: Sandbox,
    /// What is used.
    pub layers: Layers,
    /// What holds, and by what means.
    pub held: BTreeMap<Promise, String>,
    /// What could not be had.
    pub missing: Vec<Missing>,
}

impl Holding {
    /// Finds out what holds here, with a probe that `launcher` starts.
    ///
    /// # Errors
    /// What was asked for and can't be had.
    pub fn find(asked: Sandbox, _launcher: &Path) -> Result<Holding, Vec<Missing>> {
        Ok(Holding { asked, layers: Layers::default(), held: BTreeMap::new(), missing: Vec::new() })
    }

    /// By what a promise is held, if it is.
    pub fn by(&self, promise: Promise) -> Option<&str> {
        self.held.get(&promise).map(String::as_str)
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sandbox: {}", self.asked.word())
    }
}
