//! Processes for tests.

use std::io::Read;
use std::process::{Child, Command, Stdio};

/// A shell with this script, which has written its first byte. Its input and its output are ours.
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
