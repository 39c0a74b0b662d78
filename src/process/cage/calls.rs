//! System calls that are refused to bots: those by which one could reach
//! others, or get what it may not have. All others are let through: bots come
//! in any language.

use std::collections::BTreeMap;

use libc::c_long;
use rustix::process::Pid;
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use crate::process::isolation::{Calls, Launcher, Signals};

/// The first version of Landlock that knows of `truncate`.
const LANDLOCK_TRUNCATE: u32 = 3;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Where a bot's own processes are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Around {
    /// Mounts of its own, which keep it from changing what is not its.
    Mounts,
    /// The host's.
    Host,
}

/// From now on these calls fail, in this process (the bot's main one, whose
/// number `own` is) and in what it starts.
pub(super) fn refuse(launcher: &Launcher, own: Pid, around: Around) -> Result<(), String> {
    let programs = programs(launcher, own, around).map_err(|error| format!("system calls: {error}"))?;
    for program in programs {
        apply_filter(&program).map_err(|error| format!("system calls: {error}"))?;
    }
    Ok(())
}

fn programs(
    launcher: &Launcher,
    own: Pid,
    around: Around,
) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    if launcher.calls == Calls::Allowed {
        return Ok(Vec::new());
    }
    let mut refused = Rules::new();
    for call in REFUSED.iter().chain(REFUSED_HERE) {
        refused.insert(*call, Vec::new());
    }
    if around == Around::Host {
        // Landlock covers none of these, and there is nothing that a bot could need them for.
        for call in CHANGING.iter().chain(CHANGING_HERE) {
            refused.insert(*call, Vec::new());
        }
    }
    const NAMESPACES: [i32; 7] = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ];
    for flag in NAMESPACES {
        let flag = u64::from(flag.unsigned_abs());
        add(&mut refused, libc::SYS_clone, &[(0, Qword, MaskedEq(flag), flag)])?;
    }
    for request in [libc::TIOCSTI, TIOCLINUX] {
        add(&mut refused, libc::SYS_ioctl, &[(1, Dword, Eq, request)])?;
    }
    // Pairs are how processes of one bot talk; anything else leads outside.
    add(&mut refused, libc::SYS_socketpair, &[(0, Dword, Ne, libc::AF_UNIX as u64)])?;
    // One's own limits may be read and lowered, those of others not.
    let own = own.as_raw_nonzero().get().unsigned_abs();
    let not_self = |index| [(index, Dword, Ne, 0), (index, Dword, Ne, u64::from(own))];
    add(&mut refused, libc::SYS_prlimit64, &not_self(0))?;
    if launcher.landlock < LANDLOCK_TRUNCATE {
        refused.insert(libc::SYS_truncate, Vec::new());
        let truncating = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
        let opens = [(libc::SYS_openat, 2)].into_iter().chain(OPENS_HERE.iter().copied());
        for (call, flags) in opens {
            let condition = (flags, Dword, MaskedEq(truncating), libc::O_TRUNC as u64);
            add(&mut refused, call, &[condition])?;
        }
    }
    if launcher.signals == Signals::OwnOnly {
        own_signals_only(&mut refused, own)?;
    }
    if launcher.calls == Calls::RefusedWithLocks {
        refused.insert(libc::SYS_flock, Vec::new());
        for command in [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW] {
            add(&mut refused, libc::SYS_fcntl, &[(1, Dword, Eq, command as u64)])?;
        }
    }
    let mut absent = Rules::new();
    for call in ABSENT {
        absent.insert(*call, Vec::new());
    }
    if launcher.landlock < LANDLOCK_TRUNCATE {
        // Its flags lie in memory, where no filter sees them.
        absent.insert(libc::SYS_openat2, Vec::new());
    }
    let mut programs = vec![
        filter(refused, SeccompAction::Errno(libc::EPERM.unsigned_abs()))?,
        filter(absent, SeccompAction::Errno(libc::ENOSYS.unsigned_abs()))?,
    ];
    if cfg!(target_arch = "x86_64") {
        programs.push(other_numbers());
    }
    Ok(programs)
}

/// Signals only to oneself and to one's group, by whatever call.
fn own_signals_only(rules: &mut Rules, own: u32) -> Result<(), seccompiler::BackendError> {
    let own_group = u64::from(own.wrapping_neg());
    let not_self = (0, Dword, Ne, u64::from(own));
    // A bot is alone in its session, so its groups are its own.
    add(rules, libc::SYS_kill, &[not_self.clone(), (0, Dword, Ne, 0), (0, Dword, Ne, own_group)])?;
    for call in [libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        add(rules, call, std::slice::from_ref(&not_self))?;
    }
    rules.insert(libc::SYS_pidfd_send_signal, Vec::new());
    // A descriptor can be told to signal anyone.
    for command in [libc::F_SETOWN, F_SETOWN_EX] {
        add(rules, libc::SYS_fcntl, &[(1, Dword, Eq, command as u64)])?;
    }
    for request in [FIOSETOWN, SIOCSPGRP] {
        add(rules, libc::SYS_ioctl, &[(1, Dword, Eq, request)])?;
    }
    Ok(())
}

type Condition = (u8, SeccompCmpArgLen, SeccompCmpOp, u64);

/// Refuses a call where all these conditions hold.
fn add(rules: &mut Rules, call: c_long, conditions: &[Condition]) -> Result<(), seccompiler::BackendError> {
    let conditions = conditions
        .iter()
        .map(|(index, length, compare, value)| {
            SeccompCondition::new(*index, length.clone(), compare.clone(), *value)
        })
        .collect::<Result<Vec<_>, _>>()?;
    rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    Ok(())
}

fn filter(rules: Rules, action: SeccompAction) -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()
}

/// The x32 calls do the same under other numbers: there are none of them.
fn other_numbers() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const JUMP_IF_SET: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const X32: u32 = 0x4000_0000;
    let line = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        line(LOAD, 0, 0, 0),
        line(JUMP_IF_SET, 0, 1, X32),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs()),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

const TIOCLINUX: u64 = 0x541c;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;
const F_SETOWN_EX: i32 = 15;

/// Not known to this version of the C library; from 424 on numbers are the same everywhere.
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_OPEN_TREE_ATTR: c_long = 467;
const SYS_FILE_SETATTR: c_long = 469;

/// Refused for good, with "not permitted".
const REFUSED: &[c_long] = &[
    // The network, and the sockets of other programs.
    libc::SYS_socket,
    libc::SYS_connect,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_perf_event_open,
    // Whoever shares a CPU stays there, with the same right to it.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // What outlives a process, or is shared by name.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Other views of the files.
    libc::SYS_open_by_handle_at,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_fanotify_init,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_memfd_secret,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
];

/// Those that change a file's face and not its content: on the host nobody but
/// the file's owner may, and that is whom the bot runs as.
const CHANGING: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
];

/// Said not to exist, so that programs do without.
const ABSENT: &[c_long] = &[
    // Its flags lie in memory, where no filter sees them.
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory that no process holds is counted by nobody.
    libc::SYS_memfd_create,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[c_long] = &[
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS_ustat,
    libc::SYS_sysfs,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[c_long] = &[];

#[cfg(target_arch = "x86_64")]
const CHANGING_HERE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const CHANGING_HERE: &[c_long] = &[];

/// Further calls that open files, with the argument that holds their flags.
#[cfg(target_arch = "x86_64")]
const OPENS_HERE: &[(c_long, u8)] = &[(libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENS_HERE: &[(c_long, u8)] = &[];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_makes_programs_that_the_kernel_takes() {
        // The kernel's limit for one program.
        const MOST_LINES: usize = 4096;
        let own = Pid::from_raw(4_194_304).expect("it is a process id");
        for landlock in [0, 2, 7] {
            for calls in [Calls::Refused, Calls::RefusedWithLocks] {
                for signals in [Signals::Elsewhere, Signals::OwnOnly] {
                    for around in [Around::Host, Around::Mounts] {
                        let launcher = Launcher { landlock, calls, signals };
                        let programs = programs(&launcher, own, around).expect("the rules are well made");
                        assert!(programs.iter().all(|program| program.len() < MOST_LINES), "{launcher:?}");
                    }
                }
            }
        }
        let launcher = Launcher { landlock: 7, calls: Calls::Allowed, signals: Signals::Elsewhere };
        assert_eq!(programs(&launcher, own, Around::Host).map(|all| all.len()).ok(), Some(0));
    }
}
