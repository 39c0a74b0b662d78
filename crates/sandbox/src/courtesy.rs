//! Who goes first where threads share a CPU: who wakes up, or who runs there.
//!
//! By Linux's usual policy who wakes up may take the CPU; by that for work that waits its turn
//! (`SCHED_BATCH`) it runs when who runs there pauses or has had a turn. Since version 6.12 a thread may
//! also say how long its turns are to be. All get the same share of the CPU, but of two that want it
//! the one with shorter turns goes first. Whoever was given another policy from outside keeps that.

use std::io;
use std::mem::MaybeUninit;

/// Longer than the usual turns, which are 3 ms at most; in nanoseconds.
const LONG_TURN: u64 = 10_000_000;

/// From now on this thread, and what it starts, interrupts nobody. Says whether that is our doing.
///
/// # Errors
/// The system refuses it.
pub(crate) fn interrupt_nobody() -> io::Result<bool> {
    change(libc::SCHED_OTHER, libc::SCHED_BATCH)
}

/// From now on this thread lets others go first, by long turns: whom it wakes runs at once. Where the system
/// knows no turns of various lengths it interrupts nobody at least, by the policy for work that waits its
/// turn. Says whether that is [our doing](hurry_again).
///
/// # Errors
/// The system refuses it.
pub fn let_others_go_first() -> io::Result<bool> {
    Ok(ask_for_turns(LONG_TURN).unwrap_or(false) || interrupt_nobody()?)
}

/// Undoes [`let_others_go_first`], where that was our doing.
///
/// # Errors
/// The system refuses it.
pub fn hurry_again() -> io::Result<()> {
    change(libc::SCHED_BATCH, libc::SCHED_OTHER)?;
    // Zero is the usual length. Where it is refused, so were long ones.
    let _ = ask_for_turns(0);
    Ok(())
}

/// Asks for turns of so many nanoseconds, if this thread has the usual policy. Says whether they are
/// as long now: older systems take it for none of their business.
#[expect(unsafe_code, reason = "scheduling policies have no safe face")]
fn ask_for_turns(nanoseconds: u64) -> io::Result<bool> {
    let now = attributes()?;
    if i64::from(now.sched_policy) != i64::from(libc::SCHED_OTHER) {
        return Ok(false);
    }
    let wanted = libc::sched_attr { sched_runtime: nanoseconds, ..now };
    // SAFETY: the kernel only reads the value, which says how large it is.
    match unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const wanted, 0) } {
        0 => Ok(attributes()?.sched_runtime == nanoseconds),
        _ => Err(io::Error::last_os_error()),
    }
}

/// How this thread is scheduled.
#[expect(unsafe_code, reason = "scheduling policies have no safe face")]
fn attributes() -> io::Result<libc::sched_attr> {
    let mut found = MaybeUninit::<libc::sched_attr>::zeroed();
    let size = u32::try_from(size_of::<libc::sched_attr>()).map_err(io::Error::other)?;
    // SAFETY: all zeros are a valid value, and the kernel writes no more than the size that it is told.
    unsafe {
        match libc::syscall(libc::SYS_sched_getattr, 0, found.as_mut_ptr(), size, 0) {
            0 => Ok(found.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Puts one policy in the place of the other; of no third one. Says whether it did.
#[expect(unsafe_code, reason = "scheduling policies have no safe face")]
fn change(from: libc::c_int, to: libc::c_int) -> io::Result<bool> {
    let nothing = MaybeUninit::<libc::sched_param>::zeroed();
    // SAFETY: asking changes nothing; all zeros are valid parameters, those of both policies, and
    // the kernel only reads them.
    unsafe {
        if libc::sched_getscheduler(0) != from {
            return Ok(false);
        }
        match libc::sched_setscheduler(0, to, nothing.as_ptr()) {
            0 => Ok(true),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This thread's policy as the kernel shows it.
    fn policy() -> String {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("there is a `/proc`");
        let after_name = stat.rsplit_once(')').expect("the name is in brackets").1;
        after_name.split_whitespace().nth(38).expect("the policy is the 41st field").to_owned()
    }

    /// How long this thread's turns are, in nanoseconds; zero where the kernel does not say.
    fn turns() -> u64 {
        attributes().expect("everybody may ask").sched_runtime
    }

    #[test]
    fn courtesy_is_taken_back_where_it_was_ours() {
        std::thread::spawn(|| {
            let usual = (policy(), turns());
            assert_eq!(usual.0, libc::SCHED_OTHER.to_string());
            assert!(!change(libc::SCHED_BATCH, libc::SCHED_OTHER).expect("nothing was asked for"));
            hurry_again().expect("nothing was asked for");
            assert_eq!((policy(), turns()), usual);
            assert!(let_others_go_first().expect("everybody may"));
            assert_ne!((policy(), turns()), usual);
            hurry_again().expect("everybody may");
            assert_eq!((policy(), turns()), usual);

            assert!(interrupt_nobody().expect("everybody may"));
            assert_eq!(policy(), libc::SCHED_BATCH.to_string());
            assert!(!interrupt_nobody().expect("nothing was asked for"));
            hurry_again().expect("everybody may");
            assert_eq!((policy(), turns()), usual);
        })
        .join()
        .expect("all is as it should be");
    }

    #[test]
    fn another_policy_is_kept() {
        std::thread::spawn(|| {
            assert!(change(libc::SCHED_OTHER, libc::SCHED_IDLE).expect("everybody may"));
            assert!(!interrupt_nobody().expect("nothing was asked for"));
            assert!(!let_others_go_first().expect("nothing was asked for"));
            hurry_again().expect("nothing was asked for");
            assert_eq!(policy(), libc::SCHED_IDLE.to_string());
        })
        .join()
        .expect("all is as it should be");
    }
}
