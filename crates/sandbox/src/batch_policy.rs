//! The scheduling policy of bots whose games share a CPU.
//!
//! Under Linux's default policy a process that wakes up may preempt the running one. Under the batch policy
//! (`SCHED_BATCH`) it runs only when the running one pauses or has used its time slice. All get the same
//! share of the CPU. A process that has been given any other policy keeps it.

use std::io;
use std::mem::MaybeUninit;

use nix::errno::Errno;

/// Keeps this thread, and what it starts from now on, from preempting others. Returns true if it changed the policy.
///
/// # Errors
/// The system refuses it.
pub(crate) fn set_batch_policy() -> io::Result<bool> {
    change(libc::SCHED_OTHER, libc::SCHED_BATCH)
}

/// Replaces one policy with the other, and keeps any third one. Returns true if it changed the policy.
#[expect(unsafe_code, reason = "scheduling policies have no safe wrapper")]
fn change(from: libc::c_int, to: libc::c_int) -> io::Result<bool> {
    let nothing = MaybeUninit::<libc::sched_param>::zeroed();
    // In musl, which released programs use, these functions only fail: POSIX defines them for processes, the
    // kernel's calls are for threads.
    // SAFETY: the query changes nothing. All zeros are valid parameters for both policies, and the kernel
    // only reads them.
    unsafe {
        if Errno::result(libc::syscall(libc::SYS_sched_getscheduler, 0))? != libc::c_long::from(from) {
            return Ok(false);
        }
        Errno::result(libc::syscall(libc::SYS_sched_setscheduler, 0, to, nothing.as_ptr()))?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads this thread's policy from the kernel.
    fn policy() -> String {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("there is a `/proc`");
        let after_name = stat.rsplit_once(')').expect("the name is in brackets").1;
        after_name.split_whitespace().nth(38).expect("the policy is the 41st field").to_owned()
    }

    #[test]
    fn the_default_policy_is_replaced() {
        std::thread::spawn(|| {
            assert_eq!(policy(), libc::SCHED_OTHER.to_string());
            assert!(set_batch_policy().expect("everybody may"));
            assert_eq!(policy(), libc::SCHED_BATCH.to_string());
            assert!(!set_batch_policy().expect("nothing was asked for"));
        })
        .join()
        .expect("all is as it should be");
    }

    #[test]
    fn another_policy_is_kept() {
        std::thread::spawn(|| {
            assert!(change(libc::SCHED_OTHER, libc::SCHED_IDLE).expect("everybody may"));
            assert!(!set_batch_policy().expect("nothing was asked for"));
            assert_eq!(policy(), libc::SCHED_IDLE.to_string());
        })
        .join()
        .expect("all is as it should be");
    }
}
