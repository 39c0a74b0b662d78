//! The restrictions that the launcher's child applies to itself before it becomes the bot, apart from files
//! and system calls: resources and privileges.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set, remove_capability_from_bounding_set,
    set_capabilities,
};

use crate::isolation::Policy;

/// Ratio of memory that a process may reserve to its limit. Runtimes reserve more than they use, and the
/// supervisor counts only what is used. This bound holds even between two samples.
const RESERVED: u64 = 2;

/// Stack size of a main thread that asks for nothing.
const STACK: u64 = 8 << 20;

/// Sets the limits that the kernel itself enforces. They are hard: no process below can raise them. The kernel counts
/// all processes of the user, so their number is limited only for a bot that `is_alone` in its user or namespace.
pub(super) fn limit(policy: &Policy, is_alone: bool) -> io::Result<()> {
    let all = [
        (Resource::Data, policy.memory.saturating_mul(RESERVED)),
        (Resource::Nofile, policy.open_files),
        (Resource::Fsize, policy.file_size),
        // With 0, a handler in `core_pattern` still runs; with 1, it does not.
        (Resource::Core, 1),
        (Resource::Memlock, 64 << 10),
        (Resource::Msgqueue, 0),
        (Resource::Sigpending, 1024),
        (Resource::Nice, 0),
        (Resource::Rtprio, 0),
    ];
    for (resource, value) in all {
        set(resource, value, value)?;
    }
    // Deep recursion may ask for more stack, which counts as memory.
    set(Resource::Stack, STACK.min(policy.memory), policy.memory)?;
    if let Some(seconds) = policy.cpu_seconds {
        // First a signal that names the cause, then one that can't be ignored.
        set(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    }
    if is_alone {
        set(Resource::Nproc, policy.processes, policy.processes)?;
    }
    Ok(())
}

fn set(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    // A hard limit that is already lower can't be raised.
    let max = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let hard = hard.min(max);
    Ok(setrlimit(resource, Rlimit { current: Some(soft.min(hard)), maximum: Some(hard) })?)
}

/// Makes this process, and what it starts, the first victim when the system runs short of memory.
pub(super) fn prefer_as_oom_victim() {
    // Any process may do this. Without the file nothing is lost.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
}

/// Gives up root's capabilities, except for reading others' files: a bot may be in any user's folder.
pub(super) fn drop_privileges() -> io::Result<()> {
    let kept = CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    for capability in CapabilitySet::all() - kept {
        // This kernel may not know all of them. A process that may not drop one has none to drop.
        let _ = remove_capability_from_bounding_set(capability);
    }
    let _ = clear_ambient_capability_set();
    let now = rustix::thread::capabilities(None)?;
    let left = CapabilitySets {
        effective: now.effective & kept,
        permitted: now.permitted & kept,
        inheritable: CapabilitySet::empty(),
    };
    Ok(set_capabilities(None, left)?)
}
