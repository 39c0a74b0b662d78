//! The sandbox's reports of a bot, in the terms of verdicts.

use linesman_sandbox::Resource;
use linesman_types::verdict::{ExitStatus, Limit};

/// The limit that a bot exceeded, in the terms of verdicts.
pub fn limit_of(resource: Resource) -> Limit {
    match resource {
        Resource::Memory => Limit::Memory,
        Resource::Processes => Limit::Processes,
        Resource::Scratch => Limit::Scratch,
        Resource::ScratchDepth => Limit::ScratchDepth,
        Resource::Hidden => Limit::Hidden,
        Resource::CpuTime => Limit::CpuTime,
    }
}

/// The end of a process, in the terms of verdicts.
pub fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitStatus::Code(code),
        (None, Some(signal)) => ExitStatus::Signal(signal),
        (None, None) => ExitStatus::Unknown,
    }
}
