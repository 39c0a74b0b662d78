//! The few calls to the kernel that have no safe face.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use nix::sys::signal::{SigEvent, SigSet, SigevNotify, Signal as Awaited};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use rustix::process::{Pid, Signal};

use crate::cpu_clock::cpu_clock;

/// Takes over a descriptor that was left open for this program; none if it is not open.
#[expect(unsafe_code, reason = "the descriptor's number comes from the command line")]
pub(super) fn inherited(fd: RawFd) -> Option<OwnedFd> {
    // SAFETY: asking for the flags of any number is harmless; what is open above 2 was
    // left open for us, nothing in this program has opened anything yet, and we are its only owner.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFD);
        if flags < 0 || libc::fcntl(fd, libc::F_SETFD, flags | libc::FD_CLOEXEC) < 0 {
            return None;
        }
        Some(OwnedFd::from_raw_fd(fd))
    }
}

/// From now on signals wait until they are asked for (the two that can't,
/// don't), and none is ignored: whoever started us may have said so, and then
/// a child's end would leave no status, and the bot would inherit it.
#[expect(unsafe_code, reason = "signal masks have no safe face")]
pub(super) fn block_all_signals() {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the set is filled before it is used; the default is valid for every
    // signal, and the kernel refuses the numbers for which it can't be set.
    unsafe {
        libc::sigfillset(set.as_mut_ptr());
        libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut());
        for signal in 1..=31 {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// Undoes the blocking, for the bot.
pub(super) fn unblock_all_signals() {
    // It fails for no set.
    let _ = SigSet::empty().thread_set_mask();
}

/// The signal by which the kernel tells the referee's death.
pub(super) const PARENT_DEATH_SIGNAL: Signal = Signal::USR2;

/// Waits for a child's end, a interest to end, the referee's death, or a [`CpuAlarm`].
#[expect(unsafe_code, reason = "waiting for signals has no safe face")]
pub(super) fn wait_for_signal(at_most: Option<Duration>) -> Woken {
    let set = awaited();
    // SAFETY: the set and the timeout live through the call.
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

/// A descriptor that can be polled for the signals of [`wait_for_signal`].
pub(super) fn signals_to_poll() -> io::Result<SignalFd> {
    Ok(SignalFd::with_flags(&awaited(), SfdFlags::SFD_CLOEXEC)?)
}

/// The signals that are waited for.
fn awaited() -> SigSet {
    [Awaited::SIGTERM, Awaited::SIGUSR2, Awaited::SIGCHLD, CpuAlarm::SIGNAL].into_iter().collect()
}

/// Applies a filter of system calls to this process; returns the descriptor at which the calls are heard that
/// it leaves to the supervisor.
///
/// # Errors
/// This kernel has no such descriptors, or somebody around us listens already.
#[expect(unsafe_code, reason = "filters with a listener have no safe face")]
pub(super) fn apply_filter_and_listen(filter: &[seccompiler::sock_filter]) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| io::ErrorKind::InvalidInput)?,
        filter: filter.as_ptr().cast::<libc::sock_filter>().cast_mut(),
    };
    // SAFETY: the program lives through the call, which only reads it; both types are the kernel's `sock_filter`.
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

/// Takes the next call that was refused to somebody below us, and has it fail as `error_of` says; none if who
/// made it is no more. The call comes with its first argument.
#[expect(unsafe_code, reason = "answers to refused calls have no safe face")]
pub(super) fn answer_refused(
    listener: BorrowedFd<'_>,
    error_of: impl FnOnce(libc::c_long) -> i32,
) -> io::Result<Option<(libc::c_long, u64)>> {
    let checked = |result: libc::c_int| match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    };
    let is_gone = |error: io::Error| match error.raw_os_error() {
        Some(libc::ENOENT | libc::EINTR) => Ok(None),
        _ => Err(error),
    };
    // SAFETY: zeros are valid, and the kernel demands them; both structures live through the calls.
    unsafe {
        let mut call: libc::seccomp_notif = std::mem::zeroed();
        if let Err(error) =
            checked(libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &mut call))
        {
            return is_gone(error);
        }
        let number = libc::c_long::from(call.data.nr);
        let mut answer: libc::seccomp_notif_resp = std::mem::zeroed();
        answer.id = call.id;
        answer.error = -error_of(number);
        match checked(libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &mut answer)) {
            Ok(()) => Ok(Some((number, call.data.args[0]))),
            Err(error) => is_gone(error),
        }
    }
}

fn timespec(time: Duration) -> libc::timespec {
    libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: libc::c_long::from(time.subsec_nanos() as i32) }
}

/// The reason why [`wait_for_signal`] returned.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Woken {
    /// Somebody wants us to end.
    Terminate,
    /// The referee died, or is about to: its threads end one after the other,
    /// and until the last has it is still there to be seen.
    Orphaned,
    /// A child may have ended or have worked for a while, or the time is over.
    Due,
}

/// Wakes us whenever another process has used so much CPU time; what sleeps costs nothing.
#[derive(Debug)]
pub(super) struct CpuAlarm(#[expect(dead_code, reason = "it rings until it is dropped")] Timer);

impl CpuAlarm {
    /// What it wakes [`wait_for_signal`] with.
    ///
    /// It comes after all others that are waited for, whose numbers are less: who is to end hears of that
    /// first.
    const SIGNAL: Awaited = Awaited::SIGVTALRM;

    /// An alarm that rings after each `every` of CPU time of a process, all its threads together, but not of
    /// its children. The kernel compares the times now and then, and not while a call lasts, so it may ring
    /// late. It outlives the process, and is silent then.
    ///
    /// # Errors
    /// There is no such process, or the system has no more timers for us.
    pub(super) fn of(pid: Pid, every: Duration) -> io::Result<CpuAlarm> {
        let notify = SigevNotify::SigevSignal { signal: CpuAlarm::SIGNAL, si_value: 0 };
        let mut timer = Timer::new(cpu_clock(pid), SigEvent::new(notify))?;
        timer.set(Expiration::Interval(every.into()), TimerSetTimeFlags::empty())?;
        Ok(CpuAlarm(timer))
    }
}

/// Keeps others of this user from looking into this process: its descriptors, its
/// environment, its memory. What it looks at itself it still may.
pub(super) fn hide_from_others() {
    // Where it is refused others see no more than before.
    let _ = nix::sys::prctl::set_dumpable(false);
}

/// Forks; nothing in the child.
#[expect(unsafe_code, reason = "the launcher forks the bot")]
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: this program has one thread, so the child may do what the parent may.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Forks into a cgroup; nothing in the child. It is there from its beginning, and nobody has
/// to wait until the kernel has seen that no fork is under way, as in moving there.
///
/// # Errors
/// This kernel can't, or the cgroup can't be entered so.
#[expect(unsafe_code, reason = "the launcher forks the bot")]
pub(super) fn fork_into(cgroup: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    // SAFETY: zeros are valid arguments, which ask for nothing.
    let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
    // Of `linux/sched.h`; as `libc` has it, it is too narrow for its value.
    arguments.flags = 0x2_0000_0000;
    arguments.exit_signal = libc::SIGCHLD as u64;
    arguments.cgroup = cgroup.as_raw_fd() as u64;
    // SAFETY: the arguments live through the call and ask for a fork with a memory of its own.
    // This program has one thread, so the child may do what the parent may; the C library
    // does nothing in a fork that matters to a program of one thread.
    match unsafe { libc::syscall(libc::SYS_clone3, &arguments, size_of::<libc::clone_args>()) } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid as libc::pid_t)),
    }
}

/// Marks every descriptor but 0, 1 and 2 to be closed when the bot is executed.
#[expect(unsafe_code, reason = "closing a range has no safe face")]
pub(super) fn close_on_exec_from_3() -> io::Result<()> {
    // SAFETY: only flags are changed.
    let result = unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// What a look for ended children found.
#[derive(Debug)]
pub(super) enum Reaped {
    /// This one ended.
    Child { pid: Pid, status: i32, cpu: Duration, peak_kib: u64 },
    /// There are children, and none has ended.
    NoneYet,
    /// There are no children.
    NoneLeft,
}

/// Looks for an ended child and takes it out of the process table.
#[expect(unsafe_code, reason = "waiting with resource usage has no safe face")]
pub(super) fn reap() -> Reaped {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both out pointers live through the call, and zeros are a valid rusage.
    let (pid, usage) = unsafe {
        let pid = libc::wait4(-1, &mut status, libc::WNOHANG, usage.as_mut_ptr());
        (pid, usage.assume_init())
    };
    // A number below 0 says that there are none; it is none of a process.
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

/// The time since the system was started, without what it slept; the same for all processes of one host.
pub(super) fn now() -> Duration {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::Monotonic)).unwrap_or_default()
}
