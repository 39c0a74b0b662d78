//! Bots that use more CPU time than they may.

use std::fs::OpenOptions;
use std::io;

use rustix::process::setpriority_process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::attempt::portable;
use super::harness::{Harness, spin};
use super::kernel;
use super::{HostileBot, PLAYS};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "spins-off-move",
        "Spins in a thread while its opponent is on move.",
        PLAYS,
        |harness| spin_in_threads(harness, 1),
    )
    .within(2_000)
    .heavy(),
    HostileBot::program("spins-in-threads", "Spins in eight threads all the time.", PLAYS, |harness| {
        spin_in_threads(harness, 8)
    })
    .within(5_000)
    .heavy(),
    HostileBot::program("spins-in-a-child", "Has an orphaned child spin all the time.", PLAYS, |harness| {
        if let Some(child) = kernel::fork()? {
            rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty())?;
            return harness.play_on();
        }
        if let Ok(None) = kernel::fork() {
            spin();
        }
        kernel::exit(0)
    })
    .within(2_000)
    .heavy(),
    HostileBot::attempts(
        "changes-scheduling",
        "Chooses its CPUs and raises its priority.",
        &[
            portable("affinity", |_| choose_cpus()),
            portable("priority", |_| Ok(setpriority_process(None, -1)?)),
            portable("class", |_| kernel::run_first()),
            portable("cgroup", |_| {
                let files = ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"];
                files.iter().try_fold((), |(), path| OpenOptions::new().write(true).open(path).map(drop))
            }),
        ],
    ),
];

fn spin_in_threads(harness: &mut Harness, threads: usize) -> io::Result<u8> {
    for _ in 0..threads {
        // The thread ends with the program.
        std::thread::Builder::new().spawn(spin)?;
    }
    harness.play_on()
}

/// Changes the CPUs on which this process runs. The sandbox may report success and change nothing.
fn choose_cpus() -> io::Result<()> {
    let before = sched_getaffinity(None)?;
    let mut chosen = before;
    // If there are several, without the last one; otherwise all CPUs.
    match (0..CpuSet::MAX_CPU).rfind(|cpu| before.is_set(*cpu)) {
        Some(last) if before.count() > 1 => chosen.unset(last),
        _ => (0..CpuSet::MAX_CPU).for_each(|cpu| chosen.set(cpu)),
    }
    sched_setaffinity(None, &chosen)?;
    if sched_getaffinity(None)? == before { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
}
