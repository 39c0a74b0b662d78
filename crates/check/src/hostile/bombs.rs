//! Bots that start too many processes or threads, but at most a hundred at once and for at most [`HANG_TIME`] each.

use super::harness::{HANG_TIME, Stopwatch, pause};
use super::kernel;
use super::{ExpectedEnding, FaultKind, HostileBot, Limit, Sandbox};

/// Maximum number of processes or threads of a bomb.
const MAX_COUNT: u32 = 100;

const TIME: &[ExpectedEnding] =
    &[ExpectedEnding::Fails(FaultKind::Time), ExpectedEnding::Exceeds(Limit::Processes)];
const BLOCKED: &[ExpectedEnding] = &[
    ExpectedEnding::Fails(FaultKind::Time),
    ExpectedEnding::Exceeds(Limit::Processes),
    ExpectedEnding::Exits(11),
];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("fork-bomb", "Forks, as do its children.", TIME, |harness| {
        harness.on_first_turn(|_| {
            // The number of processes doubles each time, up to 64.
            for _ in 0..6 {
                if kernel::fork().is_err() {
                    break;
                }
            }
            pause(HANG_TIME);
            kernel::exit(0);
        })
    })
    .sandboxed(Sandbox::Portable, BLOCKED)
    .heavy(),
    HostileBot::program("vfork-bomb", "Forks with vfork, as does each child.", TIME, |harness| {
        harness.on_first_turn(|_| {
            for _ in 0..MAX_COUNT {
                match kernel::vfork() {
                    Ok(None) => {}
                    _ => break,
                }
            }
            pause(HANG_TIME);
            kernel::exit(0);
        })
    })
    .sandboxed(Sandbox::Portable, BLOCKED)
    .heavy(),
    HostileBot::program("thread-bomb", "Starts 100 threads that all spin.", TIME, |harness| {
        harness.on_first_turn(|_| {
            let threads: Vec<_> = (0..MAX_COUNT)
                .filter_map(|_| std::thread::Builder::new().spawn(super::harness::spin).ok())
                .collect();
            threads.into_iter().for_each(|thread| drop(thread.join()));
            kernel::exit(0);
        })
    })
    .sandboxed(Sandbox::Portable, BLOCKED)
    .heavy(),
    HostileBot::program(
        "short-lived-children",
        "Starts children that exit at once, as fast as it can.",
        TIME,
        |harness| {
            harness.on_first_turn(|_| {
                let stopwatch = Stopwatch::start();
                while stopwatch.is_within_hang_time() {
                    if let Ok(Some(child)) = kernel::fork() {
                        let _ = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty());
                    } else {
                        kernel::exit(0);
                    }
                }
                kernel::exit(0);
            })
        },
    )
    .sandboxed(Sandbox::Portable, BLOCKED)
    .heavy(),
];
