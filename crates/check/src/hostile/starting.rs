//! Bots that can't be started, or that end before they can play.

use std::io;

use super::stage::{Cue, Stage, hang};
use super::{Deed, HostileBot, Outcome};

const NOT_STARTED: &[Outcome] = &[Outcome::Fails("not_started")];
const REFUSED: &[Outcome] = &[Outcome::Refused];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::new("no-such-program", "Names a program that does not exist.", Deed::Missing, REFUSED),
    HostileBot::new(
        "not-executable",
        "Names a file without permission to execute it.",
        Deed::File { content: Some(b"#!/bin/sh\nexec cat\n"), mode: 0o644 },
        REFUSED,
    ),
    HostileBot::new(
        "wrong-interpreter",
        "Is a script whose first line names an interpreter that does not exist.",
        Deed::File { content: Some(b"#!/nowhere/python9\nprint(1)\n"), mode: 0o755 },
        REFUSED,
    ),
    HostileBot::new(
        "crlf-interpreter",
        "Is a script whose first line has a Windows line ending.",
        Deed::File { content: Some(b"#!/bin/sh\r\necho ugiok\r\n"), mode: 0o755 },
        REFUSED,
    ),
    HostileBot::new(
        "no-format",
        "Is a file that no kernel can execute.",
        Deed::File { content: Some(b"\x7fELF\0\0\0\0 hostile"), mode: 0o755 },
        NOT_STARTED,
    ),
    HostileBot::new(
        "folder",
        "Names a directory instead of a program.",
        Deed::File { content: None, mode: 0o755 },
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
    HostileBot::program("never-ugiok", "Never answers `ugiok`.", &[Outcome::Fails("not_ready")], |_| hang()),
    HostileBot::program(
        "never-readyok",
        "Answers `ugiok`, but never `readyok`.",
        &[Outcome::Fails("not_ready")],
        never_ready,
    ),
];

fn exit_after_ugiok(stage: &mut Stage) -> io::Result<u8> {
    if stage.until(Cue::Greet)? {
        stage.answer(Some(Cue::Greet))?;
    }
    Ok(4)
}

fn never_ready(stage: &mut Stage) -> io::Result<u8> {
    if stage.until(Cue::Ready)? { hang() } else { Ok(0) }
}
