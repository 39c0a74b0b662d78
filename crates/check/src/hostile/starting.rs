//! Bots that can't be started, or that end before they play.

use std::io;

use super::harness::{Harness, Request, hang};
use super::{Behaviour, ExpectedEnding, FaultKind, HostileBot};

const NOT_STARTED: &[ExpectedEnding] = &[ExpectedEnding::Fails(FaultKind::NotStarted)];
const REFUSED: &[ExpectedEnding] = &[ExpectedEnding::Refused];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::new("no-such-program", "Names a program that does not exist.", Behaviour::Missing, REFUSED),
    HostileBot::new(
        "not-executable",
        "Names a file without permission to execute it.",
        Behaviour::File { content: Some(b"#!/bin/sh\nexec cat\n"), mode: 0o644 },
        REFUSED,
    ),
    HostileBot::new(
        "wrong-interpreter",
        "Is a script whose first line names an interpreter that does not exist.",
        Behaviour::File { content: Some(b"#!/nowhere/python9\nprint(1)\n"), mode: 0o755 },
        REFUSED,
    ),
    HostileBot::new(
        "crlf-interpreter",
        "Is a script whose first line has a Windows line ending.",
        Behaviour::File { content: Some(b"#!/bin/sh\r\necho ugiok\r\n"), mode: 0o755 },
        REFUSED,
    ),
    HostileBot::new(
        "no-format",
        "Is a file that no kernel can execute.",
        Behaviour::File { content: Some(b"\x7fELF\0\0\0\0 hostile"), mode: 0o755 },
        NOT_STARTED,
    ),
    HostileBot::new(
        "folder",
        "Names a directory instead of a program.",
        Behaviour::File { content: None, mode: 0o755 },
        REFUSED,
    ),
    HostileBot::program(
        "exits-3-at-once",
        "Exits with status 3 before it writes anything.",
        NOT_STARTED,
        |_| Ok(3),
    ),
    HostileBot::program(
        "exits-0-at-once",
        "Exits with status 0 before it writes anything.",
        NOT_STARTED,
        |_| Ok(0),
    ),
    HostileBot::program("exits-after-ugiok", "Answers `ugiok` and exits.", NOT_STARTED, exit_after_ugiok),
    HostileBot::program(
        "never-ugiok",
        "Never answers `ugiok`.",
        &[ExpectedEnding::Fails(FaultKind::NotReady)],
        |_| hang(),
    ),
    HostileBot::program(
        "never-readyok",
        "Answers `ugiok`, but never `readyok`.",
        &[ExpectedEnding::Fails(FaultKind::NotReady)],
        never_ready,
    ),
];

fn exit_after_ugiok(harness: &mut Harness) -> io::Result<u8> {
    if harness.until(Request::Greet)? {
        harness.answer(Some(Request::Greet))?;
    }
    Ok(4)
}

fn never_ready(harness: &mut Harness) -> io::Result<u8> {
    if harness.until(Request::Ready)? { hang() } else { Ok(0) }
}
