//! Bots that write too much.

use std::io::{self, Write};

use super::harness::{Harness, Request};
use super::{ExpectedEnding, FaultKind, HostileBot, Limit, PLAYS};

/// The number of bytes after which a flood ends by itself: far more than any limit. It is not a time, in which too
/// little could pass through on a busy machine.
const MAX_FLOOD: u64 = 512 << 20;

const ON_MOVE: &[ExpectedEnding] = &[ExpectedEnding::Exceeds(Limit::OutputOnMove)];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "endless-line",
        "Writes a line that never ends.",
        &[ExpectedEnding::Exceeds(Limit::Line)],
        |harness| flood(harness, &[b'x'; 4096]),
    )
    .within(3_000),
    HostileBot::program("endless-lines", "Writes short lines forever.", ON_MOVE, |harness| {
        flood(harness, &b"thinking about it, and about it again\n".repeat(100))
    })
    .within(6_000)
    .heavy(),
    HostileBot::program("endless-info", "Writes `info` lines forever.", ON_MOVE, |harness| {
        flood(harness, &b"info depth 3 score cp 12 string still thinking about it all\n".repeat(64))
    })
    .within(6_000)
    .heavy(),
    HostileBot::program(
        "long-thoughts",
        "Reports a line of 30,000 moves and a text of 60 kB with every move.",
        PLAYS,
        |harness| {
            let line = "a1a5 ".repeat(6_000);
            let text = "hm ".repeat(20_000);
            let many = "a ".repeat(30_000);
            while harness.until(Request::Go)? {
                for _ in 0..20 {
                    harness.say(&format!("info depth 1 pv {many}"))?;
                    harness.say(&format!("info depth 1 pv {line}"))?;
                    harness.say(&format!("info string {text}"))?;
                }
                harness.play()?;
            }
            Ok(0)
        },
    ),
    HostileBot::program(
        "giant-answer",
        "Answers with a move of 8 MiB.",
        &[ExpectedEnding::Exceeds(Limit::Line)],
        |harness| {
            if harness.until(Request::Go)? {
                harness.write(b"bestmove ")?;
                harness.write(&vec![b'a'; 8 << 20])?;
                harness.say("")?;
            }
            harness.play_on()
        },
    )
    .within(3_000),
    HostileBot::program(
        "endless-stderr",
        "Writes to stderr forever.",
        &[ExpectedEnding::Exceeds(Limit::Stderr)],
        |harness| harness.on_first_turn(|_| write_stderr(MAX_FLOOD).map(|()| 0)),
    )
    .within(6_000)
    .heavy(),
    HostileBot::program("much-stderr", "Writes 60 MiB to stderr and plays on.", PLAYS, |harness| {
        if harness.until(Request::Go)? {
            write_stderr(60 << 20)?;
        }
        harness.play_from_here()
    })
    .within(6_000)
    .heavy(),
    HostileBot::program("chatters", "Writes a little while its opponent is on move.", PLAYS, |harness| {
        while harness.until(Request::Go)? {
            harness.play()?;
            harness.say("info string what a move\nI am so good\ntell nobody")?;
        }
        Ok(0)
    }),
    HostileBot::program(
        "talks-before-ugiok",
        "Writes 2 MiB before it answers `ugiok`.",
        // On a busy machine it may not write enough in time.
        &[ExpectedEnding::Exceeds(Limit::OutputOffMove), ExpectedEnding::Fails(FaultKind::NotReady)],
        |harness| {
            if harness.until(Request::Greet)? {
                write_two_mebibytes(harness)?;
                harness.answer(Some(Request::Greet))?;
            }
            harness.play_on()
        },
    ),
    HostileBot::program(
        "talks-before-the-game",
        "Writes 2 MiB before it answers `readyok`.",
        &[ExpectedEnding::Exceeds(Limit::OutputOffMove)],
        |harness| {
            if harness.until(Request::Ready)? {
                write_two_mebibytes(harness)?;
                harness.say("readyok")?;
            }
            harness.play_on()
        },
    ),
    HostileBot::program(
        "talks-off-move",
        "Writes 2 MiB while its opponent is on move.",
        // Output that is not read before its next turn counts as output on move, which has a higher limit.
        &[ExpectedEnding::Plays, ExpectedEnding::Exceeds(Limit::OutputOffMove)],
        |harness| {
            if harness.until(Request::Go)? {
                harness.play()?;
                write_two_mebibytes(harness)?;
            }
            harness.play_on()
        },
    )
    .within(2_000),
];

fn write_two_mebibytes(harness: &mut Harness) -> io::Result<()> {
    (0..512).try_for_each(|_| harness.write(&b"what a move that was\n".repeat(200)))
}

fn flood(harness: &mut Harness, text: &[u8]) -> io::Result<u8> {
    if harness.until(Request::Go)? {
        for _ in 0..MAX_FLOOD / text.len() as u64 {
            harness.write(text)?;
        }
    }
    Ok(0)
}

/// Writes this number of bytes, a multiple of 64 KiB.
fn write_stderr(bytes: u64) -> io::Result<()> {
    let text = [b'e'; 64 << 10];
    (0..bytes / text.len() as u64).try_for_each(|_| io::stderr().write_all(&text))
}
