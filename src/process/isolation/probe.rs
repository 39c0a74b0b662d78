//! The probe: a bot of our own that tries what bots must not be able to do.

use std::process::ExitCode;

/// The first argument that makes this program a probe.
pub const ARGUMENT: &str = "__probe";

/// Tries everything and prints a line for each promise that is broken.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
