//! The promises of the isolation, and the parts of it that a host lacks.

/// Something that a bot can't do, or can do only so much.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Guarantee {
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

impl Guarantee {
    /// All of them, in the order in which they are told.
    pub const ALL: [Guarantee; 6] = [
        Guarantee::Files,
        Guarantee::Network,
        Guarantee::Processes,
        Guarantee::Signals,
        Guarantee::Memory,
        Guarantee::ProcessNumber,
    ];

    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Guarantee::Files => "files",
            Guarantee::Network => "network",
            Guarantee::Processes => "processes",
            Guarantee::Signals => "signals",
            Guarantee::Memory => "memory",
            Guarantee::ProcessNumber => "process_number",
        }
    }
}

/// A part of the isolation that can't be had here.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{part}: {why}")]
pub struct Unavailable {
    /// Which part.
    pub part: &'static str,
    /// Why not.
    pub why: String,
    /// The cure.
    pub cure: String,
}
