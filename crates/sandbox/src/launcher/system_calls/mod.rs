//! The filter of system calls: bots may make the listed ones, and those with several functions only with
//! listed arguments. A refused call whose failure a bot may notice is reported to the supervisor
//! ([`super::seccomp_listener`]), where the kernel can.

mod allowed;

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use libc::c_long;
use rustix::process::Pid;
use seccompiler::SeccompCmpArgLen::{Dword, Qword};
use seccompiler::SeccompCmpOp::{MaskedEq, Ne};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter, sock_filter,
};

use super::kernel;
use crate::isolation::{Calls, Launcher, Signals, View};
pub(super) use allowed::name;
use allowed::{CHANGING, Call, EXISTING, NEW_CHANGING, PRETENDED, REFUSED, UNREPORTED, here};

/// The first version of Landlock that covers `truncate`.
const LANDLOCK_TRUNCATE: u32 = 3;

type SeccompRules = BTreeMap<i64, Vec<SeccompRule>>;

/// Applies the filter to this process (the bot's main one, with the id `own`) and to what it starts. Returns
/// the descriptor that receives refused calls, if this kernel has one and no enclosing process already listens.
pub(super) fn refuse(launcher: &Launcher, own: Pid, view: View) -> Result<Option<OwnedFd>, String> {
    if launcher.calls == Calls::Allowed {
        return Ok(None);
    }
    let filter =
        |answer| filter(launcher, own, view, answer).map_err(|error| format!("system calls: {error}"));
    if let Ok(listener) = kernel::apply_filter_and_listen(&filter(Answer::BySupervisor)?) {
        return Ok(Some(listener));
    }
    let filter = filter(Answer::ByFilter)?;
    apply_filter(&filter).map_err(|error| format!("system calls: {error}"))?;
    Ok(None)
}

/// Returns the errno of a refused call.
pub(super) fn error_of(call: c_long) -> i32 {
    if EXISTING.iter().copied().flatten().any(|(known, _)| *known == call) {
        libc::EPERM
    } else {
        libc::ENOSYS
    }
}

/// The part that answers a refused call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Answer {
    ByFilter,
    BySupervisor,
}

/// Makes one program of several parts: the first part that refuses a call decides the error.
fn filter(
    launcher: &Launcher,
    own: Pid,
    view: View,
    answer: Answer,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut unreported = all_of(&[UNREPORTED]);
    if launcher.landlock < LANDLOCK_TRUNCATE {
        // Its flags are in memory, where no filter sees them.
        unreported.insert(libc::SYS_openat2, Vec::new());
    }
    let refused = refused(launcher, own, view)?;
    let known = all_of(EXISTING);
    let [not_permitted, absent] =
        [libc::EPERM, libc::ENOSYS].map(|error| SeccompAction::Errno(error.unsigned_abs()));
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let program = |rules, otherwise, then| -> Result<BpfProgram, seccompiler::BackendError> {
        SeccompFilter::new(rules, otherwise, then, arch)?.try_into()
    };
    let mut parts = vec![
        program(refused, SeccompAction::Allow, not_permitted)?,
        program(known, absent.clone(), SeccompAction::Allow)?,
    ];
    if answer == Answer::BySupervisor {
        let refusals = parts.iter_mut().flatten().filter(|line| is_refusal(line));
        refusals.for_each(|line| line.k = libc::SECCOMP_RET_USER_NOTIF);
    }
    parts.insert(0, program(unreported, SeccompAction::Allow, absent)?);
    parts.insert(0, program(pretended()?, SeccompAction::Allow, SeccompAction::Errno(0))?);
    if cfg!(target_arch = "x86_64") {
        parts.insert(0, no_x32_calls());
    }
    Ok(joined(parts))
}

/// Returns the calls that do nothing and report success: some always, one with certain arguments.
fn pretended() -> Result<SeccompRules, seccompiler::BackendError> {
    let mut pretended = all_of(&[PRETENDED]);
    // Mono sets the policy that each new thread already has, and prints to stdout if that is refused.
    for policy in [libc::SCHED_OTHER, libc::SCHED_BATCH] {
        let is_own = (1, Dword, SeccompCmpOp::Eq, policy as u64);
        add(&mut pretended, libc::SYS_sched_setscheduler, &[is_own])?;
    }
    Ok(pretended)
}

/// Returns the calls that exist for bots and are refused: some always, some with certain arguments.
fn refused(launcher: &Launcher, own: Pid, view: View) -> Result<SeccompRules, seccompiler::BackendError> {
    let mut refused = all_of(&[REFUSED, here::REFUSED]);
    if view == View::Host {
        refused.extend(all_of(&[CHANGING, here::CHANGING, NEW_CHANGING]));
    }
    clones(&mut refused)?;
    let mut commands = FCNTL.to_vec();
    if launcher.calls != Calls::RefusedWithLocks {
        commands.extend(FCNTL_LOCKS);
    } else {
        refused.insert(libc::SYS_flock, Vec::new());
    }
    other_than(&mut refused, libc::SYS_fcntl, 1, commands.into_iter().map(|command| command as u64))?;
    // Larger pipes are memory that no process holds.
    let resize = (1, Dword, SeccompCmpOp::Eq, libc::F_SETPIPE_SZ as u64);
    add(&mut refused, libc::SYS_fcntl, &[resize, (2, Dword, SeccompCmpOp::Gt, LARGEST_PIPE)])?;
    // C libraries disagree on the width of a request; the kernel takes 32 bits.
    other_than(&mut refused, libc::SYS_ioctl, 1, IOCTL.map(|request| u64::from(request as u32)))?;
    other_than(&mut refused, libc::SYS_prctl, 0, PRCTL.map(|option| option as u64))?;
    other_than(&mut refused, libc::SYS_personality, 0, PERSONALITY)?;
    // Processes of one bot communicate through socket pairs. A datagram socket could send elsewhere.
    add(&mut refused, libc::SYS_socketpair, &[(0, Dword, Ne, libc::AF_UNIX as u64)])?;
    let flags = [0, libc::SOCK_CLOEXEC, libc::SOCK_NONBLOCK, libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK];
    let kinds = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
    let kinds = kinds.into_iter().flat_map(|kind| flags.map(|flags| (kind | flags) as u64));
    other_than(&mut refused, libc::SYS_socketpair, 1, kinds)?;
    add(&mut refused, libc::SYS_setsockopt, &[(1, Dword, Ne, libc::SOL_SOCKET as u64)])?;
    other_than(&mut refused, libc::SYS_setsockopt, 2, SETSOCKOPT.map(|option| option as u64))?;
    // Descriptors are counted by process.
    let unshare = u64::from(libc::CLOSE_RANGE_UNSHARE);
    add(&mut refused, libc::SYS_close_range, &[(2, Dword, MaskedEq(unshare), unshare)])?;
    // Other modes bypass the limit on the size of a file.
    add(&mut refused, libc::SYS_fallocate, &[(1, Dword, Ne, 0)])?;
    // A process may read and lower its own limits, but not those of others.
    let own = own.as_raw_nonzero().get().unsigned_abs();
    let not_self = |index| [(index, Dword, Ne, 0), (index, Dword, Ne, u64::from(own))];
    add(&mut refused, libc::SYS_prlimit64, &not_self(0))?;
    if launcher.landlock < LANDLOCK_TRUNCATE {
        refused.insert(libc::SYS_truncate, Vec::new());
        let truncating = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
        let opens = [(libc::SYS_openat, 2)].into_iter().chain(here::OPENS.iter().copied());
        for (call, flags) in opens {
            let condition = (flags, Dword, MaskedEq(truncating), libc::O_TRUNC as u64);
            add(&mut refused, call, &[condition])?;
        }
    }
    if launcher.signals == Signals::OwnOnly {
        own_signals_only(&mut refused, own)?;
    }
    Ok(refused)
}

/// Refuses a new process that would not remain the bot's own, in the bot's namespaces.
fn clones(rules: &mut SeccompRules) -> Result<(), seccompiler::BackendError> {
    const FLAGS: [i32; 9] = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        // The supervisor would become its parent, or its tracer.
        libc::CLONE_PARENT,
        libc::CLONE_PTRACE,
    ];
    for flag in FLAGS {
        let flag = u64::from(flag.unsigned_abs());
        add(rules, libc::SYS_clone, &[(0, Qword, MaskedEq(flag), flag)])?;
    }
    // Descriptors are counted by process, so its threads must share them.
    let thread = libc::CLONE_THREAD as u64;
    let shared = thread | libc::CLONE_FILES as u64;
    add(rules, libc::SYS_clone, &[(0, Qword, MaskedEq(shared), thread)])
}

/// Allows signals only to the process itself and its group, by any call.
fn own_signals_only(rules: &mut SeccompRules, own: u32) -> Result<(), seccompiler::BackendError> {
    let own_group = u64::from(own.wrapping_neg());
    let not_self = (0, Dword, Ne, u64::from(own));
    // A bot is alone in its session, so its groups are its own.
    add(rules, libc::SYS_kill, &[not_self.clone(), (0, Dword, Ne, 0), (0, Dword, Ne, own_group)])?;
    for call in [libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        add(rules, call, std::slice::from_ref(&not_self))?;
    }
    rules.insert(libc::SYS_pidfd_send_signal, Vec::new());
    Ok(())
}

/// Returns all calls of these lists, with any arguments.
fn all_of(lists: &[&[Call]]) -> SeccompRules {
    lists.iter().copied().flatten().map(|(call, _)| (*call, Vec::new())).collect()
}

type Condition = (u8, SeccompCmpArgLen, SeccompCmpOp, u64);

/// Refuses a call if all these conditions hold.
fn add(
    rules: &mut SeccompRules,
    call: c_long,
    conditions: &[Condition],
) -> Result<(), seccompiler::BackendError> {
    let conditions = conditions
        .iter()
        .map(|(index, length, compare, value)| {
            SeccompCondition::new(*index, length.clone(), compare.clone(), *value)
        })
        .collect::<Result<Vec<_>, _>>()?;
    rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    Ok(())
}

/// Refuses a call unless the argument of this index is one of these. The kernel takes 32 bits of such arguments.
fn other_than(
    rules: &mut SeccompRules,
    call: c_long,
    index: u8,
    values: impl IntoIterator<Item = u64>,
) -> Result<(), seccompiler::BackendError> {
    let conditions: Vec<Condition> =
        values.into_iter().map(|value| (index, Dword, Ne, value & u64::from(u32::MAX))).collect();
    add(rules, call, &conditions)
}

// From `linux/filter.h`.
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const JUMP_IF_SET: u16 = 0x45;
const RETURN: u16 = 0x06;

fn line(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Makes all x32 calls absent, which do the same under other numbers.
fn no_x32_calls() -> BpfProgram {
    const X32: u32 = 0x4000_0000;
    vec![
        line(LOAD, 0, 0, 0),
        line(JUMP_IF_SET, 0, 1, X32),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs()),
        line(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

fn is_refusal(line: &sock_filter) -> bool {
    line.code == RETURN && line.k & libc::SECCOMP_RET_ACTION_FULL == libc::SECCOMP_RET_ERRNO
}

/// Joins the parts into one program: where a part allows a call, the next part decides.
fn joined(parts: Vec<BpfProgram>) -> BpfProgram {
    let last = parts.len().saturating_sub(1);
    let mut whole = BpfProgram::new();
    for (number, part) in parts.into_iter().enumerate() {
        let length = part.len();
        for (at, mut filter) in part.into_iter().enumerate() {
            if number < last && filter.code == RETURN && filter.k == libc::SECCOMP_RET_ALLOW {
                let over = u32::try_from(length - at - 1).unwrap_or(u32::MAX);
                filter = line(JUMP, 0, 0, over);
            }
            whole.push(filter);
        }
    }
    whole
}

/// Commands of `fcntl`, without those that signal other processes, interfere with files that others open, or
/// enlarge a pipe.
const FCNTL: [i32; 14] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    F_DUPFD_QUERY,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    libc::F_GETOWN,
    libc::F_GETPIPE_SZ,
    libc::F_SETPIPE_SZ,
    libc::F_GETLEASE,
    libc::F_GET_SEALS,
];
const F_DUPFD_QUERY: i32 = 1027;

/// The default size of a pipe.
const LARGEST_PIPE: u64 = 1 << 16;

/// Locks, through which two bots could communicate.
const FCNTL_LOCKS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

/// Requests of `ioctl` that query or configure a stream. All others are for devices.
const IOCTL: [libc::Ioctl; 9] = [
    libc::TCGETS,
    TCGETS2,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::TIOCOUTQ,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
];
const TCGETS2: libc::Ioctl = 0x802c_542a_u32 as libc::Ioctl;

/// Options of `prctl` that affect only the calling process. Two are left out: `PR_SET_DUMPABLE` would hide it
/// from its supervisor, and `PR_SET_CHILD_SUBREAPER` would keep its orphans from the supervisor, which counts
/// what they used.
const PRCTL: [i32; 21] = [
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_GET_DUMPABLE,
    libc::PR_GET_KEEPCAPS,
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_CHILD_SUBREAPER,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_TID_ADDRESS,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    // Vectors and tagged addresses of aarch64.
    PR_SVE_SET_VL,
    PR_SVE_GET_VL,
    PR_SET_TAGGED_ADDR_CTRL,
    PR_GET_TAGGED_ADDR_CTRL,
    // Names for memory, which C libraries set.
    libc::PR_SET_VMA,
];
const PR_SVE_SET_VL: i32 = 50;
const PR_SVE_GET_VL: i32 = 51;
const PR_SET_TAGGED_ADDR_CTRL: i32 = 55;
const PR_GET_TAGGED_ADDR_CTRL: i32 = 56;

/// Personalities: that of all programs, without random addresses, and the query of the current one.
const PERSONALITY: [u64; 3] = [0, libc::ADDR_NO_RANDOMIZE as u64, u32::MAX as u64];

/// Options of sockets that a bot may set.
const SETSOCKOPT: [i32; 8] = [
    libc::SO_REUSEADDR,
    libc::SO_KEEPALIVE,
    libc::SO_LINGER,
    libc::SO_RCVLOWAT,
    libc::SO_RCVBUF,
    libc::SO_SNDBUF,
    libc::SO_RCVTIMEO,
    libc::SO_SNDTIMEO,
];
#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Pid {
        Pid::from_raw(4_194_304).expect("it is a process id")
    }

    #[test]
    fn every_combination_makes_a_program_that_the_kernel_accepts() {
        // The kernel's limit for one program.
        const MAX_LINES: usize = 4096;
        for landlock in [0, 2, 7] {
            for calls in [Calls::Refused, Calls::RefusedWithLocks] {
                for signals in [Signals::Elsewhere, Signals::OwnOnly] {
                    for view in [View::Host, View::Mounts] {
                        for answer in [Answer::ByFilter, Answer::BySupervisor] {
                            let launcher = Launcher { landlock, calls, signals };
                            let program =
                                filter(&launcher, own(), view, answer).expect("the rules are well made");
                            assert!(program.len() < MAX_LINES, "{launcher:?}: {}", program.len());
                        }
                    }
                }
            }
        }
    }

    /// Runs a filter for a call, as the kernel does, and returns its answer.
    fn run(program: &[sock_filter], call: c_long, arguments: [u64; 6]) -> u32 {
        let data: Vec<u32> = [call as u32, ARCHITECTURE, 0, 0]
            .into_iter()
            .chain(arguments.into_iter().flat_map(|value| [value as u32, (value >> 32) as u32]))
            .collect();
        let (mut at, mut value) = (0, 0);
        loop {
            let line = &program[at];
            at += 1;
            let jump = |holds: bool| usize::from(if holds { line.jt } else { line.jf });
            match line.code {
                LOAD => value = data[line.k as usize / 4],
                RETURN => return line.k,
                JUMP => at += line.k as usize,
                JUMP_IF_SET => at += jump(value & line.k != 0),
                0x15 => at += jump(value == line.k),
                0x25 => at += jump(value > line.k),
                0x35 => at += jump(value >= line.k),
                0x54 => value &= line.k,
                code => panic!("not known here: {code:#x}"),
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    const ARCHITECTURE: u32 = 0xc000_003e;
    #[cfg(target_arch = "aarch64")]
    const ARCHITECTURE: u32 = 0xc000_00b7;

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    const ABSENT: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    const PRETENDED_DONE: u32 = libc::SECCOMP_RET_ERRNO;
    const REPORTED: u32 = libc::SECCOMP_RET_USER_NOTIF;

    fn check(view: View, signals: Signals, call: c_long, arguments: &[u64], expected: u32) {
        let launcher = Launcher { landlock: 7, calls: Calls::Refused, signals };
        let mut all = [0; 6];
        all[..arguments.len()].copy_from_slice(arguments);
        let of = |answer| {
            let program = filter(&launcher, own(), view, answer).expect("the rules are well made");
            run(&program, call, all)
        };
        let name = name(call).unwrap_or("?");
        assert_eq!(of(Answer::ByFilter), expected, "{name} {arguments:?}");
        let is_pretended = expected == PRETENDED_DONE;
        let is_reported =
            expected != ALLOW && !is_pretended && UNREPORTED.iter().all(|(known, _)| *known != call);
        assert_eq!(
            of(Answer::BySupervisor),
            if is_reported { REPORTED } else { expected },
            "{name} {arguments:?}"
        );
        if expected != ALLOW && !is_pretended {
            let error = libc::SECCOMP_RET_ERRNO | error_of(call).unsigned_abs();
            assert_eq!(error, expected, "{name}: the supervisor answers as the filter would");
        }
    }

    #[test]
    fn calls_in_no_list_do_not_exist() {
        for call in [libc::SYS_io_setup, libc::SYS_vmsplice, libc::SYS_kexec_load, 500, 100_000] {
            check(View::Mounts, Signals::Elsewhere, call, &[], ABSENT);
        }
        check(View::Host, Signals::OwnOnly, libc::SYS_clone3, &[], ABSENT);
        check(View::Host, Signals::OwnOnly, libc::SYS_sched_setaffinity, &[0, 8, 1], PRETENDED_DONE);
        check(View::Host, Signals::OwnOnly, libc::SYS_read, &[0, 1, 2], ALLOW);
    }

    #[test]
    fn a_thread_may_ask_for_the_policy_that_it_has() {
        for (policy, expected) in [
            (libc::SCHED_OTHER, PRETENDED_DONE),
            (libc::SCHED_BATCH, PRETENDED_DONE),
            (libc::SCHED_IDLE, NOT_PERMITTED),
            (libc::SCHED_FIFO, NOT_PERMITTED),
            (libc::SCHED_RR, NOT_PERMITTED),
        ] {
            let arguments = [0, policy as u64, 1];
            check(View::Mounts, Signals::Elsewhere, libc::SYS_sched_setscheduler, &arguments, expected);
        }
    }

    #[test]
    fn sockets_are_pairs_that_send_nowhere_else() {
        let check = |call, arguments: &[u64], expected| {
            check(View::Mounts, Signals::Elsewhere, call, arguments, expected);
        };
        let [unix, stream, datagram] =
            [libc::AF_UNIX, libc::SOCK_STREAM, libc::SOCK_DGRAM].map(|value| value as u64);
        check(libc::SYS_socketpair, &[unix, stream | libc::SOCK_CLOEXEC as u64], ALLOW);
        check(libc::SYS_socketpair, &[unix, libc::SOCK_SEQPACKET as u64], ALLOW);
        check(libc::SYS_socketpair, &[unix, datagram], NOT_PERMITTED);
        check(libc::SYS_socketpair, &[unix, datagram | libc::SOCK_NONBLOCK as u64], NOT_PERMITTED);
        check(libc::SYS_socketpair, &[40, stream], NOT_PERMITTED);
        for call in [
            libc::SYS_socket,
            libc::SYS_bind,
            libc::SYS_listen,
            libc::SYS_accept,
            libc::SYS_accept4,
            libc::SYS_connect,
        ] {
            check(call, &[3], NOT_PERMITTED);
        }
        let [socket, force, timeout] =
            [libc::SOL_SOCKET, libc::SO_SNDBUFFORCE, libc::SO_SNDTIMEO].map(|value| value as u64);
        check(libc::SYS_setsockopt, &[3, socket, force], NOT_PERMITTED);
        check(libc::SYS_setsockopt, &[3, socket, timeout], ALLOW);
        check(libc::SYS_setsockopt, &[3, 6, timeout], NOT_PERMITTED);
    }

    #[test]
    fn calls_of_many_functions_do_only_the_listed_ones() {
        let check = |call, arguments: &[u64], expected| {
            check(View::Mounts, Signals::Elsewhere, call, arguments, expected);
        };
        let fork = libc::SIGCHLD as u64;
        let [thread, files, user, parent] =
            [libc::CLONE_THREAD, libc::CLONE_FILES, libc::CLONE_NEWUSER, libc::CLONE_PARENT]
                .map(|flag| flag as u64);
        check(libc::SYS_clone, &[fork], ALLOW);
        check(libc::SYS_clone, &[thread | files], ALLOW);
        check(libc::SYS_clone, &[thread], NOT_PERMITTED);
        check(libc::SYS_clone, &[fork | user], NOT_PERMITTED);
        check(libc::SYS_clone, &[fork | parent], NOT_PERMITTED);
        for (command, expected) in [
            (libc::F_SETFL, ALLOW),
            (libc::F_SETLK, ALLOW),
            (libc::F_NOTIFY, NOT_PERMITTED),
            (libc::F_SETLEASE, NOT_PERMITTED),
            (libc::F_SETPIPE_SZ, ALLOW),
            (libc::F_SETOWN, NOT_PERMITTED),
        ] {
            check(libc::SYS_fcntl, &[3, command as u64], expected);
        }
        check(libc::SYS_fcntl, &[3, libc::F_SETPIPE_SZ as u64, 1 << 20], NOT_PERMITTED);
        check(libc::SYS_prctl, &[libc::PR_SET_NAME as u64], ALLOW);
        check(libc::SYS_prctl, &[libc::PR_SET_DUMPABLE as u64], NOT_PERMITTED);
        check(libc::SYS_prctl, &[libc::PR_SET_CHILD_SUBREAPER as u64], NOT_PERMITTED);
        check(libc::SYS_fallocate, &[3, 0], ALLOW);
        check(libc::SYS_fallocate, &[3, libc::FALLOC_FL_KEEP_SIZE as u64], NOT_PERMITTED);
        check(libc::SYS_sendfile, &[1, 2], ABSENT);
        check(libc::SYS_ioctl, &[0, libc::FIONREAD], ALLOW);
        check(libc::SYS_ioctl, &[0, libc::TIOCSTI], NOT_PERMITTED);
        check(libc::SYS_close_range, &[3, 9, 0], ALLOW);
        check(libc::SYS_close_range, &[3, 9, libc::CLOSE_RANGE_UNSHARE.into()], NOT_PERMITTED);
        check(libc::SYS_personality, &[u32::MAX.into()], ALLOW);
        check(libc::SYS_personality, &[8], NOT_PERMITTED);
        check(libc::SYS_prlimit64, &[0], ALLOW);
        check(libc::SYS_prlimit64, &[1], NOT_PERMITTED);
    }

    #[test]
    fn without_its_own_mounts_a_bot_changes_no_attributes_of_files() {
        check(View::Mounts, Signals::Elsewhere, libc::SYS_fchmod, &[], ALLOW);
        check(View::Host, Signals::Elsewhere, libc::SYS_fchmod, &[], NOT_PERMITTED);
    }

    #[test]
    fn a_process_may_signal_itself_where_nothing_else_blocks_signals() {
        let own = 4_194_304;
        check(View::Host, Signals::OwnOnly, libc::SYS_kill, &[own], ALLOW);
        check(View::Host, Signals::OwnOnly, libc::SYS_kill, &[1], NOT_PERMITTED);
        check(View::Host, Signals::Elsewhere, libc::SYS_kill, &[1], ALLOW);
    }

    #[test]
    fn no_call_is_in_two_lists() {
        let mut all: Vec<c_long> = allowed::all().map(|(call, _)| *call).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{all:?}");
    }
}
