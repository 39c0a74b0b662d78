//! Bots that use more of the CPU than is theirs.

use std::fs::OpenOptions;
use std::io;

use super::attempt::portable;
use super::harness::{Harness, spin};
use super::kernel;
use super::{ExpectedEnding, HostileBot};

const PLAYS: &[ExpectedEnding] = &[ExpectedEnding::Plays];

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
            portable("affinity", |_| kernel::choose_cpus()),
            portable("priority", |_| kernel::be_nicer_to_itself()),
            portable("class", |_| kernel::run_first()),
            portable("cgroup", |_| {
                let own = ["/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"];
                own.iter().try_fold((), |(), path| OpenOptions::new().write(true).open(path).map(drop))
            }),
        ],
    ),
];

fn spin_in_threads(harness: &mut Harness, threads: usize) -> io::Result<u8> {
    for _ in 0..threads {
        // It ends with the program.
        std::thread::Builder::new().spawn(spin)?;
    }
    harness.play_on()
}
