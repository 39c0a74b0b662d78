//! The call to the kernel that has no safe face.

use std::mem::MaybeUninit;
use std::time::Duration;

use rustix::process::Pid;

/// The CPU time of all threads that a process has or had; nothing if it is gone.
#[expect(unsafe_code, reason = "the CPU clock of another process has no safe face")]
pub(super) fn cpu_time(pid: Pid) -> Option<Duration> {
    /// Of the three CPU clocks of a process the one that the scheduler keeps.
    const SCHEDULED: libc::clockid_t = 2;
    let clock = (!pid.as_raw_pid() << 3) | SCHEDULED;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: zeros are a valid time, which lives through the call; the kernel
    // refuses the clock of a process that is gone.
    let time = unsafe {
        if libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return None;
        }
        time.assume_init()
    };
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}
