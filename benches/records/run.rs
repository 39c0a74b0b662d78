//! Runs a program and returns the system's account of its cost.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The cost of a run.
#[derive(Copy, Clone, Debug)]
pub struct Cost {
    /// Seconds of user time.
    pub user: f64,
    /// Seconds of system time.
    pub system: f64,
    /// Seconds of wall-clock time.
    pub wall: f64,
    /// The peak of resident memory, in KiB.
    pub peak_kib: i64,
}

impl Cost {
    /// Seconds of CPU time.
    pub fn cpu(&self) -> f64 {
        self.user + self.system
    }

    fn text(&self) -> String {
        let Cost { user, system, wall, peak_kib } = self;
        format!("{user} {system} {wall} {peak_kib}")
    }

    fn from_text(text: &str) -> Option<Cost> {
        let [user, system, wall, peak_kib] = text.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        let seconds = |text: &str| text.parse().ok();
        Some(Cost {
            user: seconds(user)?,
            system: seconds(system)?,
            wall: seconds(wall)?,
            peak_kib: peak_kib.parse().ok()?,
        })
    }
}

/// The first argument that makes a bench the launcher of a program: [`launch`].
pub const LAUNCH: &str = "--launch";

/// Runs a program to its end and discards its output.
///
/// The system never reports a lower peak than the resident memory of the parent, which the
/// child shares until `exec`. So a fresh process of this bench starts the program and
/// measures the time.
pub fn run(program: &Path, arguments: &[impl AsRef<OsStr> + Debug]) -> io::Result<Cost> {
    let mut launcher = Command::new(std::env::current_exe()?);
    launcher.arg(LAUNCH).arg(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let launched = launcher.output()?;
    let failed = || {
        let what = format!("{} {arguments:?}: {}", program.display(), launched.status);
        io::Error::other(what)
    };
    if !launched.status.success() {
        return Err(failed());
    }
    Cost::from_text(&String::from_utf8_lossy(&launched.stdout)).ok_or_else(failed)
}

/// Runs the program named by the arguments after [`LAUNCH`] and prints its cost.
pub fn launch(program_and_arguments: &[String]) -> io::Result<()> {
    let (program, arguments) = program_and_arguments.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let started = Instant::now();
    let mut command = Command::new(program);
    let child =
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (status, usage) = wait(i32::try_from(child.id()).map_err(io::Error::other)?)?;
    let wall = started.elapsed().as_secs_f64();
    if status != 0 {
        return Err(io::Error::other(format!("status {status:#x}")));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let (user, system) = (seconds(usage.ru_utime), seconds(usage.ru_stime));
    println!("{}", Cost { user, system, wall, peak_kib: usage.ru_maxrss }.text());
    Ok(())
}

#[expect(unsafe_code, reason = "the standard library does not report a child's resource usage")]
fn wait(child: i32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: zeros are a valid value of this plain structure.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are valid for the whole call.
    let waited = unsafe { libc::wait4(child, &raw mut status, 0, &raw mut usage) };
    if waited == child { Ok((status, usage)) } else { Err(io::Error::last_os_error()) }
}
