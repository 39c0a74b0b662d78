//! The guarantees of the isolation, and the parts of it that a host lacks.

/// Something that a bot can't do, or only within limits.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Guarantee {
    /// It reads only what it needs and writes only into a folder of its own.
    Files,
    /// It has no access to a network, and reaches no other process through a socket.
    Network,
    /// It can't inspect processes of others.
    Processes,
    /// It can't signal processes of others.
    Signals,
    /// Its memory is bounded.
    Memory,
    /// The number of its processes is bounded.
    ProcessNumber,
}

impl Guarantee {
    /// All of them, in the order of output.
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

/// A part of the isolation that this host does not provide.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{part}: {why}")]
pub struct Unavailable {
    /// Name of the part.
    pub part: &'static str,
    /// Reason.
    pub why: String,
    /// Remedy.
    pub cure: String,
}
