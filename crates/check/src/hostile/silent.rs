//! Bots that don't answer in time.

use std::io;
use std::time::Duration;

use super::harness::{Harness, Request, hang, pause, spin};
use super::kernel;
use super::{HostileBot, PLAYS, TIME};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("sleeps", "Sleeps instead of moving.", TIME, |harness| {
        harness.on_first_turn(|_| hang())
    }),
    HostileBot::program("spins", "Thinks forever instead of moving.", TIME, |harness| {
        harness.on_first_turn(|_| {
            spin();
            Ok(0)
        })
    })
    .heavy(),
    HostileBot::program(
        "ignores-signals",
        "Ignores every signal that can be ignored, and `quit`.",
        TIME,
        ignore_everything,
    ),
    HostileBot::program("stops-itself", "Stops itself with SIGSTOP on move.", TIME, |harness| {
        harness.on_first_turn(|_| {
            kernel::kill(0, libc::SIGSTOP)?;
            hang()
        })
    }),
    HostileBot::program(
        "answers-late",
        "Answers far too late and keeps writing into the next game.",
        TIME,
        answer_late,
    ),
    HostileBot::program(
        "answers-in-the-margin",
        "Answers just after its limit, within the margin.",
        PLAYS,
        answer_in_the_margin,
    ),
    HostileBot::program("drips", "Writes its answer byte by byte.", PLAYS, drip).within(1_500),
];

fn ignore_everything(harness: &mut Harness) -> io::Result<u8> {
    kernel::ignore_all_signals();
    // It also ignores `quit`.
    harness.until(Request::Go)?;
    hang()
}

fn answer_late(harness: &mut Harness) -> io::Result<u8> {
    harness.on_first_turn(|harness| {
        pause(harness.limit + Duration::from_millis(1_500));
        for _ in 0..100 {
            harness.play()?;
            pause(Duration::from_millis(20));
        }
        Ok(0)
    })
}

fn answer_in_the_margin(harness: &mut Harness) -> io::Result<u8> {
    if harness.until(Request::Go)? {
        pause(harness.limit + Duration::from_millis(1));
    }
    harness.play_from_here()
}

fn drip(harness: &mut Harness) -> io::Result<u8> {
    while harness.until(Request::Go)? {
        let line = format!("{}\n", harness.good_move());
        for byte in line.bytes() {
            harness.write(&[byte])?;
            pause(Duration::from_millis(20));
        }
    }
    Ok(0)
}
