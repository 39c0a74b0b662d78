//! Bots that start more than anybody needs: never more than a hundred at once,
//! and none for longer than eight seconds.

use std::io;

use super::kernel;
use super::stage::{Cue, FOR_EVER, Stage, Stopwatch, pause};
use super::{HostileBot, Layer, Outcome};

/// How many processes or threads a bomb has at most.
const MOST: u32 = 100;

const TIME: &[Outcome] = &[Outcome::Fails("time"), Outcome::Exceeds("processes")];
const HELD: &[Outcome] = &[Outcome::Fails("time"), Outcome::Exceeds("processes"), Outcome::Exits(11)];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("fork-bomb", "Forks, as do its children.", TIME, |stage| {
        explode(stage, || {
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
    .from(Layer::Portable, HELD)
    .heavy(),
    HostileBot::program("vfork-bomb", "Forks with vfork, as does each child.", TIME, |stage| {
        explode(stage, || {
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
    .from(Layer::Portable, HELD)
    .heavy(),
    HostileBot::program("thread-bomb", "Starts 100 threads that all spin.", TIME, |stage| {
        explode(stage, || {
            let threads: Vec<_> = (0..MOST)
                .filter_map(|_| std::thread::Builder::new().spawn(super::stage::spin).ok())
                .collect();
            threads.into_iter().for_each(|thread| drop(thread.join()));
            kernel::exit(0);
        })
    })
    .from(Layer::Portable, HELD)
    .heavy(),
    HostileBot::program(
        "short-lived-children",
        "Starts children that exit at once, as fast as it can.",
        TIME,
        |stage| {
            explode(stage, || {
                let stopwatch = Stopwatch::start();
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
    .from(Layer::Portable, HELD)
    .heavy(),
];

fn explode(stage: &mut Stage, bomb: fn()) -> io::Result<u8> {
    if !stage.until(Cue::Go)? {
        return Ok(0);
    }
    bomb();
    Ok(0)
}
