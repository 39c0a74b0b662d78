//! Running the real binary and looking at all that it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the binary said and how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The exit status; none when a signal ended it.
    pub status: Option<i32>,
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
}

/// The binary under test.
pub const LINESMAN: &str = env!("CARGO_BIN_EXE_linesman");

/// The project's folder.
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A command for the binary in a folder, without colours, its input empty.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(LINESMAN);
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE")
        .env_remove("LINESMAN_LOG")
        .env("NO_COLOR", "1");
    command
}

/// Runs the binary in the project's folder.
pub fn linesman<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    linesman_in(&project(), arguments)
}

/// Runs the binary in a folder.
pub fn linesman_in<A: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> Run {
    let output = command(folder).args(arguments).output().expect("the binary was built with the tests");
    Run {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
    }
}
