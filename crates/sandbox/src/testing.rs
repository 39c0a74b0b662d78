//! Processes for tests.

use std::io::Read;
use std::process::{Child, Command, Stdio};

/// Starts a shell with this script and waits for its first byte of output. Its input and output are ours.
pub(crate) fn shell(script: &str) -> Child {
    let mut child = Command::new("sh")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut byte = [0];
    child.stdout.as_mut().expect("its output is ours").read_exact(&mut byte).expect("it says that it is up");
    child
}
