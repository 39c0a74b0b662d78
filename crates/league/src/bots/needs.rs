//! Checks of the programs that a bot needs on this machine.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::program::{BotError, on_path};
use crate::file::{Need, ProgramVersion};

/// Maximum time for a program to print its version.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of bytes to read from each of its output streams.
const MAX_OUTPUT: usize = 4096;

/// Checks that all programs are on the `PATH`, each with at least its minimum version.
pub(super) fn check(needs: &[Need], folder: &Path, path: &OsStr) -> Result<(), BotError> {
    for need in needs {
        let program = on_path(&need.program, folder, path)
            .ok_or_else(|| BotError::NeedMissing(need.program.clone()))?;
        let Some(least) = &need.min_version else { continue };
        let version = version_text(&program).and_then(|text| ProgramVersion::first_in(&text));
        match version {
            Some(found) if found.is_at_least(least) => {}
            found => return Err(BotError::NeedTooOld { need: need.clone(), program, found }),
        }
    }
    Ok(())
}

/// Asks a program for its version and returns the text that it prints; `None` if it fails or does not end in time.
fn version_text(program: &Path) -> Option<String> {
    // The program starts in another folder.
    let program = std::path::absolute(program).ok()?;
    // `go` and a few other programs have a subcommand instead of an option.
    ["--version", "version"].into_iter().find_map(|argument| {
        let mut command = Command::new(&program);
        command.arg(argument).current_dir("/").stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
        let has_ended = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).is_ok_and(|pidfd| {
            let limit = Timespec { tv_sec: TIMEOUT.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: 0 };
            matches!(poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&limit)), Ok(ready) if ready > 0)
        });
        if !has_ended {
            let _ = child.kill();
        }
        let is_success = child.wait().is_ok_and(|status| status.success());
        let mut text = String::new();
        // Older programs print their version to stderr.
        child.stdout.take().into_iter().for_each(|stream| text.push_str(&available_text(stream)));
        child.stderr.take().into_iter().for_each(|stream| text.push_str(&available_text(stream)));
        (has_ended && is_success).then_some(text)
    })
}

/// Reads the available text without waiting for the end, since a child of the program may keep the stream open.
fn available_text(mut stream: impl Read + std::os::fd::AsFd) -> String {
    let mut buffer = vec![0; MAX_OUTPUT];
    let flags = fcntl_getfl(&stream).unwrap_or(OFlags::empty());
    if fcntl_setfl(&stream, flags | OFlags::NONBLOCK).is_err() {
        return String::new();
    }
    let count = stream.read(&mut buffer).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..count]).into_owned()
}
