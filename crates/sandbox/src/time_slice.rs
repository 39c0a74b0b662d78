//! The length of this thread's time slices.
//!
//! Since version 6.12 Linux lets a thread of the default scheduling policy choose the length of its time
//! slices. All threads get the same share of the CPU, but of two that want it the one with the shorter slices
//! runs first. So a bot that receives a line from a thread with long slices runs at once, and its answer is
//! there when that thread reads. Nothing changes on an older system, nor for a thread that was given another
//! policy from outside.

use std::io;
use std::mem::MaybeUninit;

/// The length of a thread's time slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSlice {
    /// The system's default, which is at most 3 ms.
    Usual,
    /// 10 ms, longer than the bots'.
    Long,
}

/// Sets the length of this thread's time slices.
///
/// # Errors
/// The system refuses it, or does not support slices of different lengths.
#[expect(unsafe_code, reason = "time slices have no safe wrapper")]
pub fn set_time_slice(slice: TimeSlice) -> io::Result<()> {
    let now = attributes()?;
    if i64::from(now.sched_policy) != i64::from(libc::SCHED_OTHER) {
        return Ok(());
    }
    let nanoseconds = match slice {
        // For the kernel, zero means the default length.
        TimeSlice::Usual => 0,
        TimeSlice::Long => 10_000_000,
    };
    let wanted = libc::sched_attr { sched_runtime: nanoseconds, ..now };
    // SAFETY: the kernel only reads the value, which contains its own size.
    match unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const wanted, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// This thread's scheduling attributes.
#[expect(unsafe_code, reason = "time slices have no safe wrapper")]
fn attributes() -> io::Result<libc::sched_attr> {
    let mut found = MaybeUninit::<libc::sched_attr>::zeroed();
    let size = u32::try_from(size_of::<libc::sched_attr>()).map_err(io::Error::other)?;
    // SAFETY: all zeros are a valid value, and the kernel writes no more than the given size.
    unsafe {
        match libc::syscall(libc::SYS_sched_getattr, 0, found.as_mut_ptr(), size, 0) {
            0 => Ok(found.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_slices_are_taken_back_and_the_policy_is_kept() {
        std::thread::spawn(|| {
            let state =
                || attributes().map(|now| (now.sched_policy, now.sched_runtime)).expect("everybody may ask");
            let usual = state();
            // Systems older than 6.12 ignore the length.
            set_time_slice(TimeSlice::Long).expect("everybody may");
            assert!([usual.1, 10_000_000].contains(&state().1));
            set_time_slice(TimeSlice::Usual).expect("everybody may");
            assert_eq!(state(), usual);
        })
        .join()
        .expect("all is as it should be");
    }
}
