//! The guarantees of the isolation, and the parts of it that a host lacks.

/// Something that a bot can't do, or can do only within limits.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Guarantee {
    /// It reads only what it needs and writes only into its own folder.
    Files,
    /// It has no access to a network, and reaches no other process through a socket.
    Network,
    /// It can't inspect processes other than its own.
    Processes,
    /// It can't signal processes other than its own.
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

    /// Returns the word for it in records.
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

/// A means by which a [`Guarantee`] holds.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Means {
    /// Namespaces of the kernel.
    Bubblewrap,
    /// Rules of the kernel for files, sockets and signals.
    Landlock,
    /// A filter of system calls.
    Seccomp,
    /// A user of its own.
    SlotUser,
    /// Limits of the kernel for a group of processes.
    Cgroup,
    /// The samples that its supervisor takes.
    Watchdog,
}

impl Means {
    /// Returns the word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Means::Bubblewrap => "bubblewrap",
            Means::Landlock => "landlock",
            Means::Seccomp => "seccomp",
            Means::SlotUser => "slot_user",
            Means::Cgroup => "cgroup",
            Means::Watchdog => "watchdog",
        }
    }
}

/// A part of the isolation that this host does not provide.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{part}: {why}")]
pub struct Unavailable {
    /// Name of the part.
    pub part: &'static str,
    /// The reason.
    pub why: String,
    /// The hint.
    pub cure: String,
}

impl Unavailable {
    pub(super) fn new(part: &'static str, why: impl Into<String>, cure: impl Into<String>) -> Unavailable {
        Unavailable { part, why: why.into(), cure: cure.into() }
    }
}
