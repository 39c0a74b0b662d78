//! The few system calls of the launcher that have no safe wrapper.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{SigEvent, SigSet, SigevNotify, Signal as Awaited};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use rustix::process::{Pid, Signal};

use crate::cpu_clock::cpu_clock;

/// Takes over a descriptor that was left open for this program; `None` if it is not open.
#[expect(unsafe_code, reason = "the descriptor's number comes from the command line")]
pub(super) fn inherited(fd: RawFd) -> Option<OwnedFd> {
    // SAFETY: querying the flags of any number is harmless. A descriptor above 2 was left open for us,
    // nothing in this program has opened anything yet, and we are its only owner.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFD);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFD, flags | libc::FD_CLOEXEC) < 0 {
            return None;
        }
        Some(OwnedFd::from_raw_fd(fd))
    }
}

/// Blocks all signals until they are waited for (except the two that can't be blocked), and resets their
/// dispositions. The parent process may have set some to be ignored: then a child's end would leave no
/// status, and the bot would inherit the setting.
#[expect(unsafe_code, reason = "signal masks have no safe wrapper")]
pub(super) fn block_all_signals() {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is filled before it is used. The default is valid for every signal, and the kernel
    // refuses the numbers for which it can't be set.
    unsafe {
        libc::sigfillset(set.as_mut_ptr());
        libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut());
        for signal in 1..=31 {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

pub(super) fn unblock_all_signals() {
    // The call fails for no set.
    let _ = SigSet::empty().thread_set_mask();
}

/// The signal by which the kernel announces the referee's death.
pub(super) const PARENT_DEATH_SIGNAL: Signal = Signal::USR2;

/// Waits for a child's end, a request to end, the referee's death, or a [`CpuAlarm`].
#[expect(unsafe_code, reason = "waiting for signals has no safe wrapper")]
pub(super) fn wait_for_signal(at_most: Option<Duration>) -> Woken {
    let set = awaited();
    // SAFETY: the set and the timeout outlive the call.
    let signal = unsafe {
        match at_most {
            None => libc::sigwaitinfo(set.as_ref(), std::ptr::null_mut()),
            Some(time) => libc::sigtimedwait(set.as_ref(), std::ptr::null_mut(), &timespec(time)),
        }
    };
    match signal {
        libc::SIGTERM => Woken::Terminate,
        signal if signal == PARENT_DEATH_SIGNAL.as_raw() => Woken::Orphaned,
        _ => Woken::Due,
    }
}

/// Returns a descriptor that can be polled for the signals of [`wait_for_signal`].
pub(super) fn signals_to_poll() -> io::Result<SignalFd> {
    Ok(SignalFd::with_flags(&awaited(), SfdFlags::SFD_CLOEXEC)?)
}

fn awaited() -> SigSet {
    [Awaited::SIGTERM, Awaited::SIGUSR2, Awaited::SIGCHLD, CpuAlarm::SIGNAL].into_iter().collect()
}

/// Applies a filter of system calls to this process. Returns the descriptor that receives the calls that the
/// filter leaves to the supervisor. Fails if this kernel has none, or if an enclosing process already listens.
#[expect(unsafe_code, reason = "filters with a listener have no safe wrapper")]
pub(super) fn apply_filter_and_listen(filter: &[seccompiler::sock_filter]) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?,
        filter: filter.as_ptr().cast::<libc::sock_filter>().cast_mut(),
    };
    // SAFETY: the program outlives the call, which only reads it. Both types are the kernel's `sock_filter`.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &program,
        )
    };
    match RawFd::try_from(fd) {
        // SAFETY: the new descriptor is ours alone.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Takes the next refused call of a process below us, and makes it fail as `error_of` says. Returns the call
/// with its first argument; `None` if the calling process is gone.
#[expect(unsafe_code, reason = "answers to refused calls have no safe wrapper")]
pub(super) fn answer_refused(
    listener: BorrowedFd<'_>,
    error_of: impl FnOnce(libc::c_long) -> i32,
) -> io::Result<Option<(libc::c_long, u64)>> {
    let unless_gone = |error: Errno| match error {
        Errno::ENOENT | Errno::EINTR => Ok(None),
        _ => Err(error.into()),
    };
    // SAFETY: zeros are valid, and the kernel demands them. Both structures outlive the calls.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        let received = libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &mut call);
        if let Err(error) = Errno::result(received) {
            return unless_gone(error);
        }
        let number = libc::c_long::from(call.data.nr);
        let mut answer: libc::seccomp_notif_resp = std::mem::zeroed();
        answer.id = call.id;
        answer.error = -error_of(number);
        let sent = libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &mut answer);
        Errno::result(sent).map_or_else(unless_gone, |_| Ok(Some((number, call.data.args[0]))))
    }
}

fn timespec(time: Duration) -> libc::timespec {
    libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: libc::c_long::from(time.subsec_nanos() as i32) }
}

/// The reason why [`wait_for_signal`] returned.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Woken {
    /// A process asks us to end.
    Terminate,
    /// The referee died, or is about to: its threads end one after the other, and it remains visible until
    /// the last one has ended.
    Orphaned,
    /// A child may have ended or have used some CPU time, or the time is over.
    Due,
}

/// Wakes us each time another process has used a given amount of CPU time. A sleeping process causes no wake-ups.
#[derive(Debug)]
pub(super) struct CpuAlarm(#[expect(dead_code, reason = "it rings until it is dropped")] Timer);

impl CpuAlarm {
    /// The signal with which it wakes [`wait_for_signal`].
    ///
    /// It has a greater number than the others, so it is delivered last: a request to end comes first.
    const SIGNAL: Awaited = Awaited::SIGVTALRM;

    /// Creates an alarm that goes off after each `every` of CPU time of a process: all its threads together,
    /// without its children. The kernel checks the time only occasionally, and not during a system call, so
    /// the alarm may be late. It outlives the process, and is then silent. The system may have no more timers for us.
    pub(super) fn of(pid: Pid, every: Duration) -> io::Result<CpuAlarm> {
        let notify = SigevNotify::SigevSignal { signal: CpuAlarm::SIGNAL, si_value: 0 };
        let mut timer = Timer::new(cpu_clock(pid), SigEvent::new(notify))?;
        timer.set(Expiration::Interval(every.into()), TimerSetTimeFlags::empty())?;
        Ok(CpuAlarm(timer))
    }
}

/// Keeps other processes of this user from inspecting this one: its descriptors, its environment, its memory.
/// It can still inspect itself.
pub(super) fn hide_from_others() {
    // If the call is refused, others see no more than before.
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// Forks. Returns `None` in the child.
#[expect(unsafe_code, reason = "the launcher forks the bot")]
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: this program is single-threaded, so the child may do what the parent may.
    let pid = Errno::result(unsafe { libc::fork() })?;
    Ok(Pid::from_raw(pid))
}

/// Forks into a cgroup, in which the child starts. Returns `None` in the child. Moving it there later would
/// make it wait until the kernel has seen that no fork is in progress. Some kernels and some cgroups refuse this.
#[expect(unsafe_code, reason = "the launcher forks the bot")]
pub(super) fn fork_into(cgroup: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    // SAFETY: zeros are valid arguments, which ask for nothing.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    // From `linux/sched.h`; the constant in `libc` has a type too narrow for its value.
    arguments.flags = 0x2_0000_0000;
    arguments.exit_signal = libc::SIGCHLD as u64;
    arguments.cgroup = cgroup.as_raw_fd() as u64;
    // SAFETY: the arguments outlive the call and ask for a fork with a memory of its own. This program is
    // single-threaded, so the child may do what the parent may, and nothing that the C library does in a fork
    // matters to this program.
    let pid = unsafe { libc::syscall(libc::SYS_clone3, &arguments, size_of::<libc::clone_args>()) };
    Ok(Pid::from_raw(Errno::result(pid)? as libc::pid_t))
}

/// Marks every descriptor except 0, 1 and 2 to be closed when the bot is executed.
#[expect(unsafe_code, reason = "closing a range has no safe wrapper")]
pub(super) fn close_on_exec_from_3() -> io::Result<()> {
    // SAFETY: only flags change.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    Ok(Errno::result(result).map(drop)?)
}

/// The result of looking for ended children.
#[derive(Debug)]
pub(super) enum Reaped {
    Child {
        pid: Pid,
        status: i32,
        cpu: Duration,
        peak_kib: u64,
    },
    /// There are children, but none has ended.
    NoneYet,
    NoneLeft,
}

/// Looks for an ended child and removes it from the process table.
#[expect(unsafe_code, reason = "waiting with resource usage has no safe wrapper")]
pub(super) fn reap() -> Reaped {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both out pointers outlive the call, and zeros are a valid rusage.
    let (pid, usage) = unsafe {
        let pid = libc::wait4(-1, &mut status, libc::WNOHANG, usage.as_mut_ptr());
        (pid, usage.assume_init())
    };
    // A negative number means that there are no children.
    if pid < 0 {
        return Reaped::NoneLeft;
    }
    match Pid::from_raw(pid) {
        Some(found) => Reaped::Child {
            pid: found,
            status,
            cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
            peak_kib: usage.ru_maxrss.max(0) as u64,
        },
        None => Reaped::NoneYet,
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec.max(0) as u64, time.tv_usec.clamp(0, 999_999) as u32 * 1_000)
}

/// Returns the time since the system was started, without suspended time; the same for all processes of one host.
pub(super) fn now() -> Duration {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::Monotonic)).unwrap_or_default()
}
