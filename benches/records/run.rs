//! A program that is run, and what the system says that it cost.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a run cost.
#[derive(Copy, Clone, Debug)]
pub struct Cost {
    /// Seconds of user time.
    pub user: f64,
    /// Seconds of system time.
    pub system: f64,
    /// Seconds until it had ended.
    pub wall: f64,
    /// The most memory that was resident, in KiB.
    pub peak_kib: i64,
}

impl Cost {
    /// Seconds of CPU time.
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }
}

/// Runs a program to its end, its output thrown away.
///
/// # Errors
/// It can't be started, or does not end with 0.
pub fn run(program: &Path, arguments: &[impl AsRef<OsStr> + Debug]) -> io::Result<Cost> {
    let started = Instant::now();
    let mut command = Command::new(program);
    let child =
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (status, usage) = wait(i32::try_from(child.id()).map_err(io::Error::other)?)?;
    let wall = started.elapsed().as_secs_f64();
    if status != 0 {
        return Err(io::Error::other(format!("{} {arguments:?}: status {status:#x}", program.display())));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let (user, system) = (seconds(usage.ru_utime), seconds(usage.ru_stime));
    Ok(Cost { user, system, wall, peak_kib: usage.ru_maxrss })
}

#[expect(unsafe_code, reason = "the standard library does not say what a child has used")]
fn wait(child: i32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: zeros are a value of this plain structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both places live as long as the call.
    let waited = unsafe { libc::wait4(child, &raw mut status, 0, &raw mut usage) };
    if waited == child { Ok((status, usage)) } else { Err(io::Error::last_os_error()) }
}
