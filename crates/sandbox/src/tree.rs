//! Processes below another and CPUs, as the kernel tells them.

use std::collections::HashMap;

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::CpuSet;

/// Every process below this one, found by a walk of `/proc`.
pub(crate) fn descendants(of: Pid) -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in all_processes() {
        if let Some(parent) = parent_of(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![of.as_raw_nonzero().get()];
    while let Some(parent) = next.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            found.extend(Pid::from_raw(child));
            next.push(child);
        }
    }
    found
}

/// Every process below this one, found from parent to child, which is quicker
/// than [`descendants`] where others have many processes. None if this kernel
/// does not tell of children.
pub(crate) fn offspring(of: Pid) -> Option<Vec<Pid>> {
    let mut found: Vec<Pid> = Vec::new();
    let mut next = vec![of];
    while let Some(parent) = next.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero()));
        for task in tasks.into_iter().flatten().flatten() {
            let children = match std::fs::read_to_string(task.path().join("children")) {
                Ok(children) => children,
                // Of ourselves it must be there.
                Err(_) if parent == of => return None,
                Err(_) => continue,
            };
            let children =
                children.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
            for child in children {
                // Who moves while we look may be seen twice.
                if !found.contains(&child) {
                    found.push(child);
                    next.push(child);
                }
            }
        }
    }
    Some(found)
}

/// The first child of a process, the only one where there is but one.
pub(crate) fn child(of: Pid) -> Option<Pid> {
    let number = of.as_raw_nonzero().get();
    let children = std::fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
    let child = match children {
        Ok(children) => children.split_ascii_whitespace().next()?.parse().ok()?,
        // This kernel does not tell of children, or that process is gone.
        Err(_) => all_processes().find(|pid| parent_of(*pid) == Some(number))?,
    };
    Pid::from_raw(child)
}

/// Every process whose environment names this token.
pub(crate) fn with_token(token: &str) -> Vec<Pid> {
    all_processes()
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
                environment.split(|byte| *byte == 0).any(|entry| {
                    entry
                        .strip_prefix(TOKEN.as_bytes())
                        .is_some_and(|rest| rest.strip_prefix(b"=") == Some(token.as_bytes()))
                })
            })
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// The variable by which a bot's processes are known when nothing else tells.
pub(crate) const TOKEN: &str = "LINESMAN_SLOT";

/// Kills these processes; one that is gone already is none of our business.
pub(crate) fn kill_all(processes: &[Pid]) {
    for pid in processes {
        let _ = kill_process(*pid, Signal::KILL);
    }
}

fn all_processes() -> impl Iterator<Item = i32> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent_of(pid: i32) -> Option<i32> {
    // `PID (NAME) STATE PARENT ...`, and the name may hold anything.
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    std::str::from_utf8(&stat[after_name..]).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The CPUs that this thread may use, in order. Ask before pinning.
pub fn allowed_cpus() -> Vec<usize> {
    rustix::thread::sched_getaffinity(None)
        .map(|set| (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect())
        .unwrap_or_default()
}

/// Lets this thread, and what it starts from now on, run on these CPUs only.
///
/// # Errors
/// CPUs that there are not, or none that we may use.
pub fn pin_this_thread(cpus: &[usize]) -> std::io::Result<()> {
    let mut set = CpuSet::new();
    for cpu in cpus {
        if *cpu >= CpuSet::MAX_CPU {
            return Err(std::io::Error::from(std::io::ErrorKind::InvalidInput));
        }
        set.set(*cpu);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// Lets this thread run wherever the program's main thread may.
pub(crate) fn unpin_this_thread() {
    if let Ok(set) = rustix::thread::sched_getaffinity(Some(rustix::process::getpid())) {
        // A thread that stays where it is does its work all the same.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
}
