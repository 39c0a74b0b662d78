//! The sandbox's reports on a bot, in the terms of verdicts.

use linesman_types::verdict::ExitStatus;

/// The end of a process, in the terms of verdicts.
pub fn exit_status(status: std::process::ExitStatus) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitStatus::Code(code),
        (None, Some(signal)) => ExitStatus::Signal(signal),
        (None, None) => ExitStatus::Unknown,
    }
}
