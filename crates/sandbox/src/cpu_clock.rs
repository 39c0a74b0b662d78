//! The CPU clocks of other processes.

use std::time::Duration;

use nix::time::ClockId;
use rustix::process::Pid;

/// Returns the CPU clock of all threads that a process has or had.
pub(crate) fn cpu_clock(pid: Pid) -> ClockId {
    /// The scheduler's clock, one of a process's three CPU clocks.
    const SCHEDULED: libc::clockid_t = 2;
    ClockId::from_raw((!pid.as_raw_pid() << 3) | SCHEDULED)
}

/// Reads that clock; `None` if the process is gone.
pub(crate) fn cpu_time(pid: Pid) -> Option<Duration> {
    cpu_clock(pid).now().ok().map(Duration::from)
}
