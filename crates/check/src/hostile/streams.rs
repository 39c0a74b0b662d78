//! Bots that do odd things with their streams.

use std::io;

use rustix::fs::OFlags;

use super::harness::{HANG_TIME, Harness, hang, pause};
use super::kernel;
use super::{ExpectedEnding, FaultKind, HostileBot, PLAYS, TIME};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("half-a-line", "Writes half an answer and waits.", TIME, |harness| {
        write_in_turn(harness, "best", hang)
    }),
    HostileBot::program(
        "half-a-line-and-out",
        "Writes half an answer and exits.",
        &[ExpectedEnding::Exits(6)],
        |harness| write_in_turn(harness, "best", || Ok(6)),
    ),
    HostileBot::program(
        "no-last-newline",
        "Writes its answer without a line ending and exits.",
        &[ExpectedEnding::Exits(6)],
        |harness| write_in_turn(harness, "bestmove a1a3", || Ok(6)),
    ),
    HostileBot::program(
        "closes-output",
        "Closes stdout and keeps running.",
        &[ExpectedEnding::Fails(FaultKind::ClosedOutput)],
        |harness| close_output(harness, hang),
    )
    .within(5_000),
    HostileBot::program(
        "closes-output-and-exits",
        "Closes stdout and exits with status 7.",
        &[ExpectedEnding::Exits(7)],
        |harness| close_output(harness, || Ok(7)),
    )
    .within(5_000),
    HostileBot::program("closes-input", "Closes stdin, plays its move and waits.", TIME, |harness| {
        harness.on_first_turn(|harness| {
            harness.close_input()?;
            harness.play()?;
            hang()
        })
    }),
    HostileBot::program("closes-stderr", "Closes stderr and plays on.", PLAYS, |harness| {
        kernel::close_stream(2)?;
        harness.play_on()
    }),
    HostileBot::program(
        "child-holds-output",
        "Leaves stdout to a child and exits.",
        &[ExpectedEnding::Exits(8)],
        |harness| {
            harness.on_first_turn(|_| {
                if kernel::fork()?.is_none() {
                    pause(HANG_TIME);
                    kernel::exit(0);
                }
                Ok(8)
            })
        },
    )
    .within(5_000),
    HostileBot::program(
        "never-reads",
        "Makes its pipes as small as possible and stops reading after its first move.",
        TIME,
        |harness| {
            resize_pipes(4096)?;
            harness.on_first_turn(|harness| {
                harness.play()?;
                hang()
            })
        },
    ),
    HostileBot::program("nonblocking-pipes", "Makes its pipes non-blocking.", PLAYS, |harness| {
        for stream in [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()] {
            let flags = rustix::fs::fcntl_getfl(stream)?;
            rustix::fs::fcntl_setfl(stream, flags | OFlags::NONBLOCK)?;
        }
        play_without_blocking(harness)
    }),
    HostileBot::program("one-page-pipes", "Makes its pipes as small as possible.", PLAYS, |harness| {
        resize_pipes(4096)?;
        harness.play_on()
    }),
    HostileBot::program("giant-pipes", "Enlarges its pipes to 1 MiB.", PLAYS, |harness| {
        // Refused if the user's limit for memory in pipes is reached.
        let _ = resize_pipes(1 << 20);
        harness.play_on()
    }),
    HostileBot::program(
        "many-pipes",
        "Opens 200 pipes to use up the limit for its user.",
        PLAYS,
        |harness| {
            let pipes: Vec<_> = (0..200).filter_map(|_| rustix::pipe::pipe().ok()).collect();
            let status = harness.play_on();
            drop(pipes);
            status
        },
    ),
];

fn write_in_turn(harness: &mut Harness, text: &str, end: fn() -> io::Result<u8>) -> io::Result<u8> {
    harness.on_first_turn(|harness| {
        harness.write(text.as_bytes())?;
        end()
    })
}

fn close_output(harness: &mut Harness, end: fn() -> io::Result<u8>) -> io::Result<u8> {
    harness.on_first_turn(|harness| {
        harness.close_output()?;
        end()
    })
}

fn resize_pipes(bytes: usize) -> io::Result<()> {
    rustix::pipe::fcntl_setpipe_size(rustix::stdio::stdin(), bytes)?;
    rustix::pipe::fcntl_setpipe_size(rustix::stdio::stdout(), bytes)?;
    Ok(())
}

/// Plays on, and polls the input where other bots block.
fn play_without_blocking(harness: &mut Harness) -> io::Result<u8> {
    use rustix::event::{PollFd, PollFlags, poll};
    loop {
        let input = rustix::stdio::stdin();
        poll(&mut [PollFd::new(&input, PollFlags::IN)], None)?;
        match harness.play_on() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            other => return other,
        }
    }
}
