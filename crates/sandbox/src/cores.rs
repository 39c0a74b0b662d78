//! The cores that this process may use, by its CPU mask and quota. Two CPUs of one core count once.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use rustix::thread::CpuSet;

/// Returns the CPUs that this thread may use: the first of each physical core, then the second ones. Call it
/// before pinning.
pub fn cpus_by_core() -> Vec<usize> {
    by_core(&allowed_cpus(), siblings)
}

/// Returns the number of physical cores that this thread may keep busy, by its CPU mask and the quota of its
/// cgroups. Call it before pinning.
pub fn own_cores() -> NonZeroUsize {
    let cpus = allowed_cpus();
    let cores = NonZeroUsize::new(number_of_cores(&cpus, siblings)).unwrap_or(NonZeroUsize::MIN);
    // This call also respects the quotas of both versions of cgroups.
    std::thread::available_parallelism().map_or(cores, |quota| cores.min(quota))
}

/// Returns the kernel's list of the CPUs that share a core with this one.
fn siblings(cpu: usize) -> Option<String> {
    std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")).ok()
}

/// Returns the kernel's list of a CPU's siblings, or the CPU alone.
fn core_of(cpu: usize, siblings: &impl Fn(usize) -> Option<String>) -> String {
    siblings(cpu)
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| cpu.to_string())
}

fn number_of_cores(cpus: &[usize], siblings: impl Fn(usize) -> Option<String>) -> usize {
    cpus.iter().map(|cpu| core_of(*cpu, &siblings)).collect::<BTreeSet<_>>().len()
}

fn by_core(cpus: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let cores: Vec<String> = cpus.iter().map(|cpu| core_of(*cpu, &siblings)).collect();
    let rank = |index: usize| cores[..index].iter().filter(|core| **core == cores[index]).count();
    let mut order: Vec<usize> = (0..cpus.len()).collect();
    order.sort_by_key(|index| rank(*index));
    order.into_iter().map(|index| cpus[index]).collect()
}

/// Returns the CPUs that this thread may use, in order. Call it before pinning.
pub fn allowed_cpus() -> Vec<usize> {
    rustix::thread::sched_getaffinity(None)
        .map(|set| (0..CpuSet::MAX_CPU).filter(|cpu| set.is_set(*cpu)).collect())
        .unwrap_or_default()
}

/// Restricts this thread, and what it starts from now on, to these CPUs.
///
/// # Errors
/// A CPU does not exist, or this process may use none of them.
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
        // A thread that stays pinned still does its work.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cpus_of_one_core_count_once() {
        let pairs = |cpu: usize| Some(format!("{},{}\n", cpu % 4, cpu % 4 + 4));
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(number_of_cores(&all, pairs), 4);
        assert_eq!(by_core(&all, pairs), all);
        let neighbours = |cpu: usize| Some(format!("{}-{}\n", cpu & !1, cpu | 1));
        assert_eq!(by_core(&all, neighbours), [0, 2, 4, 6, 1, 3, 5, 7]);
        // Not all CPUs are ours.
        assert_eq!(number_of_cores(&[1, 2, 3], neighbours), 2);
        assert_eq!(by_core(&[1, 2, 3], neighbours), [1, 2, 3]);
        assert_eq!(by_core(&[2, 3, 4], neighbours), [2, 4, 3]);
    }

    #[test]
    fn without_lists_of_siblings_every_cpu_is_a_core() {
        assert_eq!(number_of_cores(&[0, 1, 5], |_| None), 3);
        assert_eq!(by_core(&[0, 1, 5], |_| None), [0, 1, 5]);
    }

    #[test]
    fn there_are_no_more_cores_than_cpus() {
        assert!(own_cores().get() <= allowed_cpus().len().max(1));
        assert_eq!(cpus_by_core().len(), allowed_cpus().len());
    }
}
