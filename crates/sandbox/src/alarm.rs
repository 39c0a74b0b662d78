//! An alarm clock for a thread that blocks.

use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::time::Duration;

/// How often the alarm rings until it is set anew: the first time may be in
/// the moment before the thread blocks, and then it would sleep on.
const AGAIN: Duration = Duration::from_millis(10);

/// The signal that it rings with. Nobody else's, and harmless where it is not expected.
const SIGNAL: libc::c_int = libc::SIGURG;

/// Interrupts the blocking calls of the thread that made it. Setting it costs a
/// call to the kernel, having it set costs nothing.
#[derive(Debug)]
pub struct Alarm {
    timer: libc::timer_t,
    /// It rings for one thread only, so it must stay there.
    stays: PhantomData<*const ()>,
}

extern "C" fn wake_up(_signal: libc::c_int) {}

impl Alarm {
    /// An alarm for this thread, silent.
    ///
    /// # Errors
    /// The system has no more timers for us.
    #[expect(unsafe_code, reason = "timers that signal a thread have no safe face")]
    pub fn for_this_thread() -> io::Result<Alarm> {
        let handler: extern "C" fn(libc::c_int) = wake_up;
        // SAFETY: the handler does nothing, so it may run at any moment; all
        // structures are zeroed, which is valid, and live through the calls.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = handler as libc::sighandler_t;
            // Without SA_RESTART: blocking calls are to end.
            succeeded(libc::sigaction(SIGNAL, &action, std::ptr::null_mut()))?;
            let mut set = MaybeUninit::zeroed().assume_init();
            libc::sigemptyset(&mut set);
            libc::sigaddset(&mut set, SIGNAL);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
            let mut event = MaybeUninit::<libc::sigevent>::zeroed().assume_init();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = SIGNAL;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer = std::ptr::null_mut();
            succeeded(libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer))?;
            Ok(Alarm { timer, stays: PhantomData })
        }
    }

    /// Rings after this time, and then again and again until it is set anew.
    pub fn set(&self, after: Duration) {
        // A time of zero would silence it.
        self.arm(after.max(Duration::from_nanos(1)), AGAIN);
    }

    /// Rings no more.
    pub fn silence(&self) {
        self.arm(Duration::ZERO, Duration::ZERO);
    }

    #[expect(unsafe_code, reason = "timers that signal a thread have no safe face")]
    fn arm(&self, after: Duration, again: Duration) {
        let time = |duration: Duration| libc::timespec {
            tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: duration.subsec_nanos().into(),
        };
        let times = libc::itimerspec { it_interval: time(again), it_value: time(after) };
        // SAFETY: the timer is ours until it is dropped. It can't fail for such times.
        unsafe {
            libc::timer_settime(self.timer, 0, &times, std::ptr::null_mut());
        }
    }
}

impl Drop for Alarm {
    #[expect(unsafe_code, reason = "timers that signal a thread have no safe face")]
    fn drop(&mut self) {
        // SAFETY: the timer is ours, and nobody uses it after this.
        unsafe {
            libc::timer_delete(self.timer);
        }
    }
}

fn succeeded(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn an_alarm_ends_a_read_that_would_block_for_ever() {
        let (reader, _writer) = rustix::pipe::pipe().expect("there are pipes");
        let alarm = Alarm::for_this_thread().expect("there are timers");
        alarm.set(Duration::from_millis(1));
        let mut reader = std::fs::File::from(reader);
        let error = reader.read(&mut [0]).expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        // And again, since the first time may be missed.
        let error = reader.read(&mut [0]).expect_err("nobody writes");
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
