//! The system calls that bots may make, and those that are refused in a way that programs understand. For a
//! bot, a call in neither list does not exist (`ENOSYS`), so a call that a future kernel adds is refused
//! until it is listed.
//!
//! The allowed calls are those that honest bots of many runtimes make, and their siblings. `tests/run
//! --honest` plays such bots.

use libc::c_long;

/// A system call with its name for people.
pub(super) type Call = (c_long, &'static str);

macro_rules! calls {
    ($($call:ident)*) => { &[$((libc::$call, stringify!($call))),*] };
}

/// Calls that are allowed with any arguments.
pub(super) const ALLOWED: &[Call] = calls![
    // Files that Landlock and the mounts leave to it.
    SYS_read SYS_write SYS_close SYS_fstat SYS_lseek SYS_pread64 SYS_pwrite64 SYS_readv SYS_writev SYS_preadv
    SYS_pwritev SYS_preadv2 SYS_pwritev2 SYS_openat SYS_openat2 SYS_newfstatat SYS_statx SYS_statfs SYS_fstatfs
    SYS_faccessat SYS_faccessat2 SYS_readlinkat SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_umask
    SYS_mkdirat SYS_unlinkat SYS_renameat2 SYS_linkat SYS_symlinkat SYS_mknodat SYS_truncate SYS_ftruncate
    SYS_fsync SYS_fdatasync SYS_fadvise64 SYS_readahead SYS_copy_file_range SYS_flock
    SYS_getxattr SYS_lgetxattr SYS_fgetxattr SYS_listxattr SYS_llistxattr SYS_flistxattr SYS_dup SYS_dup3 SYS_pipe2
    // Memory.
    SYS_brk SYS_mmap SYS_munmap SYS_mremap SYS_mprotect SYS_madvise SYS_msync SYS_mincore SYS_mlock SYS_mlock2
    SYS_mlockall SYS_munlock SYS_munlockall SYS_mseal SYS_pkey_alloc SYS_pkey_free SYS_pkey_mprotect
    SYS_get_mempolicy SYS_set_mempolicy SYS_mbind SYS_membarrier
    // Its own processes and threads.
    SYS_execve SYS_execveat SYS_exit SYS_exit_group SYS_wait4 SYS_waitid SYS_futex SYS_futex_waitv
    SYS_set_tid_address SYS_set_robust_list SYS_get_robust_list SYS_rseq SYS_pidfd_open SYS_setpgid
    SYS_sched_yield SYS_sched_getaffinity SYS_sched_getparam SYS_sched_getscheduler SYS_sched_getattr
    SYS_sched_get_priority_max SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_getpriority SYS_ioprio_get
    // Signals that it receives.
    SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigtimedwait SYS_rt_sigsuspend
    SYS_sigaltstack SYS_restart_syscall
    // Its identity and its place.
    SYS_getpid SYS_getppid SYS_gettid SYS_getpgid SYS_getsid SYS_getuid SYS_geteuid SYS_getgid SYS_getegid
    SYS_getresuid SYS_getresgid SYS_getgroups SYS_capget SYS_uname SYS_sysinfo SYS_getcpu SYS_getrusage SYS_times
    SYS_getrandom
    // Users: without privileges the kernel lets a bot become only its own user, which some programs do.
    SYS_setuid SYS_setgid SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid SYS_setfsuid SYS_setfsgid SYS_setgroups
    // Time, and waiting.
    SYS_clock_gettime SYS_clock_getres SYS_clock_nanosleep SYS_nanosleep SYS_gettimeofday SYS_getitimer
    SYS_setitimer SYS_timer_create SYS_timer_settime SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete
    SYS_timerfd_create SYS_timerfd_settime SYS_timerfd_gettime SYS_ppoll SYS_pselect6 SYS_epoll_create1
    SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2 SYS_eventfd2 SYS_signalfd4
    // Its sockets: pairs.
    SYS_sendto SYS_sendmsg SYS_sendmmsg SYS_recvfrom SYS_recvmsg SYS_recvmmsg SYS_shutdown SYS_getsockname
    SYS_getpeername SYS_getsockopt
];

/// Calls that a bot may make only with certain arguments.
pub(super) const CONDITIONAL: &[Call] = calls![
    SYS_fallocate
    SYS_clone SYS_prctl SYS_fcntl SYS_ioctl SYS_socketpair SYS_setsockopt SYS_close_range SYS_personality
    SYS_prlimit64 SYS_kill SYS_tkill SYS_tgkill SYS_rt_sigqueueinfo SYS_rt_tgsigqueueinfo SYS_pidfd_send_signal
];

/// Calls that change a file's attributes and not its content. On the host only the file's owner may make
/// them, and the bot may run as that user. Inside mounts of its own they do no harm.
pub(super) const CHANGING: &[Call] = calls![
    SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat SYS_setxattr SYS_lsetxattr SYS_fsetxattr
    SYS_removexattr SYS_lremovexattr SYS_fremovexattr
];

/// Calls that are refused with "not permitted", which programs that try them understand.
pub(super) const REFUSED: &[Call] = calls![
    // The network, and the sockets of other programs.
    SYS_socket SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4
    // Other processes.
    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_process_mrelease SYS_kcmp
    SYS_pidfd_getfd SYS_migrate_pages SYS_move_pages SYS_perf_event_open
    // A bot stays on its CPU, with the same share as others.
    SYS_sched_setscheduler SYS_sched_setparam SYS_sched_setattr SYS_setpriority SYS_ioprio_set
    // Objects that outlive a process, or are shared by name.
    SYS_add_key SYS_request_key SYS_keyctl SYS_shmget SYS_shmat SYS_shmdt SYS_shmctl SYS_semget SYS_semop
    SYS_semtimedop SYS_semctl SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink
    // Privileges, and other views of the files.
    SYS_capset SYS_open_by_handle_at SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_setns SYS_unshare
    SYS_bpf SYS_userfaultfd
    // File events: they reveal what other programs open and start.
    SYS_inotify_init1 SYS_fanotify_init
];

/// Calls that do nothing and report success. A bot stays on its CPU, but .NET does not start without that
/// call. It stays in its session: the kernel shares CPUs among sessions first, and with many of them its
/// supervisor would not get to run.
pub(super) const PRETENDED: &[Call] = calls![SYS_sched_setaffinity SYS_setsid];

/// Calls that runtimes try and do without. They fail as if they did not exist, and are not reported.
pub(super) const UNREPORTED: &[Call] = calls![
    // Its flags are in memory, where no filter sees them.
    SYS_clone3
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register
    // Memory that no process maps is not counted, nor are pages of files that sockets and pipes hold.
    SYS_memfd_create SYS_sendfile
];

/// The same lists for calls that only x86_64 has, which are older forms of others.
#[cfg(target_arch = "x86_64")]
pub(super) mod here {
    use super::Call;

    pub(in super::super) const ALLOWED: &[Call] = calls![
        SYS_open SYS_creat SYS_stat SYS_lstat SYS_access SYS_readlink SYS_getdents SYS_mkdir SYS_rmdir SYS_unlink
        SYS_rename SYS_renameat SYS_link SYS_symlink SYS_mknod SYS_dup2 SYS_pipe SYS_fork SYS_vfork SYS_getpgrp
        SYS_arch_prctl SYS_alarm SYS_pause SYS_time SYS_poll SYS_select SYS_epoll_create SYS_epoll_wait
        SYS_eventfd SYS_signalfd SYS_getrlimit SYS_setrlimit
    ];
    pub(in super::super) const CHANGING: &[Call] = calls![
        SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat
    ];
    pub(in super::super) const REFUSED: &[Call] = calls![SYS_inotify_init SYS_iopl SYS_ioperm];
    /// Further calls that open files, with the argument that holds their flags.
    pub(in super::super) const OPENS: &[(libc::c_long, u8)] = &[(libc::SYS_open, 1)];
}

/// The same lists for calls that other architectures have and the crate `libc` does not name.
#[cfg(not(target_arch = "x86_64"))]
pub(super) mod here {
    use super::Call;

    pub(in super::super) const ALLOWED: &[Call] =
        &[(38, "SYS_renameat"), (163, "SYS_getrlimit"), (164, "SYS_setrlimit")];
    pub(in super::super) const CHANGING: &[Call] = &[];
    pub(in super::super) const REFUSED: &[Call] = &[];
    pub(in super::super) const OPENS: &[(libc::c_long, u8)] = &[];
}

/// Calls that the crate `libc` does not name everywhere. From 424 on numbers are the same on all architectures.
pub(super) const NEW_CHANGING: &[Call] = &[(452, "SYS_fchmodat2")];

/// New forms of futexes, for C libraries that use them.
pub(super) const NEW_ALLOWED: &[Call] =
    &[(454, "SYS_futex_wake"), (455, "SYS_futex_wait"), (456, "SYS_futex_requeue")];

/// All lists of calls that exist for bots, whether they are allowed or refused.
pub(super) const EXISTING: &[&[Call]] = &[
    ALLOWED,
    CONDITIONAL,
    CHANGING,
    REFUSED,
    here::ALLOWED,
    here::CHANGING,
    here::REFUSED,
    NEW_CHANGING,
    NEW_ALLOWED,
];

/// Every call of every list.
pub(super) fn all() -> impl Iterator<Item = &'static Call> {
    EXISTING.iter().chain(&[PRETENDED, UNREPORTED, OTHERS]).copied().flatten()
}

/// Returns the name of a call for messages; `None` if it is in no list.
pub(in super::super) fn name(number: c_long) -> Option<&'static str> {
    let (_, name) = all().find(|(known, _)| *known == number)?;
    Some(name.trim_start_matches("SYS_"))
}

/// Calls that do not exist for bots, and whose absence a bot may notice.
const OTHERS: &[Call] = calls![
    SYS_io_setup SYS_inotify_add_watch SYS_splice SYS_tee SYS_vmsplice SYS_sync SYS_syncfs SYS_seccomp
    SYS_landlock_create_ruleset SYS_name_to_handle_at SYS_open_tree SYS_memfd_secret SYS_quotactl SYS_syslog
    SYS_remap_file_pages SYS_sethostname SYS_clock_settime SYS_settimeofday SYS_adjtimex SYS_reboot
];
