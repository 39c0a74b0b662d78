//! An alarm clock for a thread that is blocked in a system call.

use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::time::Duration;

use nix::errno::Errno;

/// Interval at which a set alarm repeats: a signal that arrives before the thread blocks interrupts nothing.
const REPEAT_INTERVAL: Duration = Duration::from_millis(10);

/// The signal that the alarm raises. Nothing else in this program uses it, and by default it is ignored.
const SIGNAL: libc::c_int = libc::SIGURG;

/// Interrupts the blocking calls of the thread that created it. Setting it costs a system call; a set alarm
/// costs nothing.
#[derive(Debug)]
pub struct Alarm {
    timer: libc::timer_t,
    /// A timer signals one thread only, so the alarm must stay on that thread.
    stays: PhantomData<*const ()>,
}

extern "C" fn wake_up(_signal: libc::c_int) {}

impl Alarm {
    /// Creates a silent alarm for this thread.
    ///
    /// # Errors
    /// The system has no more timers for this process.
    #[expect(unsafe_code, reason = "timers that signal a thread have no safe wrapper")]
    pub fn for_this_thread() -> io::Result<Alarm> {
        let handler: extern "C" fn(libc::c_int) = wake_up;
        // SAFETY: the handler does nothing, so it may run at any moment. All structures are zeroed, which is
        // valid, and outlive the calls.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = handler as libc::sighandler_t;
            // No SA_RESTART: blocking calls must end.
            Errno::result(libc::sigaction(SIGNAL, &action, std::ptr::null_mut()))?;
            let mut set = MaybeUninit::zeroed().assume_init();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, SIGNAL);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
            let mut event = MaybeUninit::<libc::sigevent>::zeroed().assume_init();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = SIGNAL;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer = std::ptr::null_mut();
            Errno::result(libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer))?;
            Ok(Alarm { timer, stays: PhantomData })
        }
    }

    /// Makes the alarm go off after this time, and then repeatedly until it is set again.
    pub fn set(&self, after: Duration) {
        // A time of zero would disarm it.
        self.arm(after.max(Duration::from_nanos(1)), REPEAT_INTERVAL);
    }

    /// Disarms the alarm.
    pub fn silence(&self) {
        self.arm(Duration::ZERO, Duration::ZERO);
    }

    #[expect(unsafe_code, reason = "timers that signal a thread have no safe wrapper")]
    fn arm(&self, after: Duration, interval: Duration) {
        let time = |duration: Duration| libc::timespec {
            tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: duration.subsec_nanos().into(),
        };
        let times = libc::itimerspec { it_interval: time(interval), it_value: time(after) };
        // SAFETY: the timer is ours until it is dropped. The call can't fail with such times.
        unsafe {
            libc::timer_settime(self.timer, 0, &times, std::ptr::null_mut());
        }
    }
}

impl Drop for Alarm {
    #[expect(unsafe_code, reason = "timers that signal a thread have no safe wrapper")]
    fn drop(&mut self) {
        // SAFETY: the timer is ours, and nothing uses it afterwards.
        unsafe {
            libc::timer_delete(self.timer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn an_alarm_ends_a_read_that_would_block_forever() {
        let (reader, _writer) = rustix::pipe::pipe().expect("there are pipes");
        let alarm = Alarm::for_this_thread().expect("there are timers");
        alarm.set(Duration::from_millis(1));
        let mut reader = std::fs::File::from(reader);
        let error = reader.read(&mut [0]).expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        // The alarm repeats, since the first signal may be missed.
        let error = reader.read(&mut [0]).expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
