//! The calls to the kernel that have no safe face.

use std::mem::MaybeUninit;
use std::time::Duration;

/// The CPU time of all threads that a process has or had; nothing if it is gone.
#[expect(unsafe_code, reason = "the CPU clock of another process has no safe face")]
pub(super) fn cpu_time(pid: i32) -> Option<Duration> {
    /// Of the three CPU clocks of a process the one that the scheduler keeps.
    const SCHEDULED: libc::clockid_t = 2;
    let clock = (!pid << 3) | SCHEDULED;
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

/// How long a tick is in which `/proc/PID/stat` counts.
#[expect(unsafe_code, reason = "asking for it has no safe face")]
pub(crate) fn tick() -> Duration {
    // SAFETY: it reads a constant.
    let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Duration::from_secs(1) / u32::try_from(a_second).ok().filter(|ticks| *ticks > 0).unwrap_or(100)
}
