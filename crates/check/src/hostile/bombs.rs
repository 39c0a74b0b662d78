//! Bots that start too many processes or threads: never more than a hundred at
//! once, and none for longer than eight seconds.

use super::harness::{FOR_EVER, SinceStart, pause};
use super::kernel;
use super::{ExpectedEnding, HostileBot, Sandbox};

/// The maximum number of processes or threads of a bomb.
const MOST: u32 = 100;

const TIME: &[ExpectedEnding] = &[ExpectedEnding::Fails("time"), ExpectedEnding::Exceeds("processes")];
const HELD: &[ExpectedEnding] =
    &[ExpectedEnding::Fails("time"), ExpectedEnding::Exceeds("processes"), ExpectedEnding::Exits(11)];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("fork-bomb", "Forks, as do its children.", TIME, |harness| {
        harness.in_turn(|_| {
            // Twice as many each time, 64 in the end.
            for _ in 0..6 {
                if kernel::fork().is_err() {
                    break;
                }
            }
            pause(FOR_EVER);
            kernel::exit(0);
        })
    })
    .from(Sandbox::Portable, HELD)
    .heavy(),
    HostileBot::program("vfork-bomb", "Forks with vfork, as does each child.", TIME, |harness| {
        harness.in_turn(|_| {
            for _ in 0..MOST {
                match kernel::vfork() {
                    Ok(None) => {}
                    _ => break,
                }
            }
            pause(FOR_EVER);
            kernel::exit(0);
        })
    })
    .from(Sandbox::Portable, HELD)
    .heavy(),
    HostileBot::program("thread-bomb", "Starts 100 threads that all spin.", TIME, |harness| {
        harness.in_turn(|_| {
            let threads: Vec<_> = (0..MOST)
                .filter_map(|_| std::thread::Builder::new().spawn(super::harness::spin).ok())
                .collect();
            threads.into_iter().for_each(|thread| drop(thread.join()));
            kernel::exit(0);
        })
    })
    .from(Sandbox::Portable, HELD)
    .heavy(),
    HostileBot::program(
        "short-lived-children",
        "Starts children that exit at once, as fast as it can.",
        TIME,
        |harness| {
            harness.in_turn(|_| {
                let stopwatch = SinceStart::start();
                while stopwatch.goes_on() {
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
    .from(Sandbox::Portable, HELD)
    .heavy(),
];
