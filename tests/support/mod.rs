//! Runs the real binary and captures its output.

pub mod bots;
pub mod processes;
pub mod running;
pub mod scratch;
pub mod terminal;
pub mod waiting;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use running::Running;
use waiting::PATIENCE;

/// The output and exit status of a run of the binary.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
}

impl Run {
    /// Asserts this status, exactly this stderr, and an empty stdout.
    #[track_caller]
    pub fn refused(&self, status: i32, stderr: &str) {
        assert_eq!((self.status, self.stdout.as_str(), self.stderr.as_str()), (Some(status), "", stderr));
    }

    /// Asserts success and returns stdout.
    #[track_caller]
    pub fn done(&self) -> &str {
        assert_eq!(self.status, Some(0), "{self:#?}");
        &self.stdout
    }

    /// Asserts this status and that stderr contains `part`.
    #[track_caller]
    pub fn said(&self, status: i32, part: &str) {
        assert_eq!(self.status, Some(status), "{self:#?}");
        assert!(self.stderr.contains(part), "{part:?} is missing in\n{}", self.stderr);
    }
}

/// The binary under test.
pub const LINESMAN: &str = env!("CARGO_BIN_EXE_linesman");

/// The project's folder.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns a command for the binary in a folder, without colours and with empty input.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(LINESMAN);
    command.current_dir(folder).stdin(Stdio::null()).env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
    command
}

/// Runs the binary in the project's folder.
pub fn linesman<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    linesman_in(&project(), arguments)
}

/// Runs the binary in a folder. If it hangs, it is killed and the test fails.
pub fn linesman_in<A: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Run {
    Running::start(command(folder).args(arguments)).end_within(PATIENCE)
}
