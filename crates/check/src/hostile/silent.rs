//! Bots that don't answer in time.

use std::io;
use std::time::Duration;

use super::kernel;
use super::stage::{Cue, Stage, hang, pause, spin};
use super::{HostileBot, Outcome};

const TIME: &[Outcome] = &[Outcome::Fails("time")];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("sleeps", "Sleeps instead of moving.", TIME, |stage| in_turn(stage, |_| hang())),
    HostileBot::program("spins", "Thinks forever instead of moving.", TIME, |stage| {
        in_turn(stage, |_| {
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
    HostileBot::program("stops-itself", "Stops itself with SIGSTOP on move.", TIME, |stage| {
        in_turn(stage, |_| {
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
        &[Outcome::Plays],
        answer_in_the_margin,
    ),
    HostileBot::program("drips", "Writes its answer byte by byte.", &[Outcome::Plays], drip).within(1_500),
];

fn in_turn(stage: &mut Stage, deed: impl FnOnce(&mut Stage) -> io::Result<u8>) -> io::Result<u8> {
    if stage.until(Cue::Go)? { deed(stage) } else { Ok(0) }
}

fn ignore_everything(stage: &mut Stage) -> io::Result<u8> {
    kernel::ignore_all_signals();
    if stage.until(Cue::Go)? {
        return hang();
    }
    // Told to quit it stays too.
    hang()
}

fn answer_late(stage: &mut Stage) -> io::Result<u8> {
    if !stage.until(Cue::Go)? {
        return Ok(0);
    }
    pause(stage.limit() + Duration::from_millis(1_500));
    for _ in 0..100 {
        stage.play()?;
        pause(Duration::from_millis(20));
    }
    Ok(0)
}

fn answer_in_the_margin(stage: &mut Stage) -> io::Result<u8> {
    if stage.until(Cue::Go)? {
        pause(stage.limit() + Duration::from_millis(1));
    }
    stage.play_from_here()
}

fn drip(stage: &mut Stage) -> io::Result<u8> {
    while stage.until(Cue::Go)? {
        let line = format!("{}\n", stage.good_move());
        for byte in line.bytes() {
            stage.write(&[byte])?;
            pause(Duration::from_millis(20));
        }
    }
    Ok(0)
}
