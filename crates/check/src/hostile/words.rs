//! Bots whose lines are no lines of the protocol.

use std::io;

use super::stage::{Cue, Stage};
use super::{HostileBot, Outcome};

const PROTOCOL: &[Outcome] = &[Outcome::Fails("protocol")];
const PLAYS: &[Outcome] = &[Outcome::Plays];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("invalid-utf8", "Writes bytes that are not UTF-8.", PROTOCOL, |stage| {
        say_and_play(stage, b"info string \xff\xfe\xc0\n")
    }),
    HostileBot::program("nul-bytes", "Writes NUL bytes.", PROTOCOL, |stage| {
        say_and_play(stage, b"info string a\0b\n")
    }),
    HostileBot::program("lone-returns", "Writes carriage returns within lines.", PROTOCOL, |stage| {
        say_and_play(stage, b"info string one\rtwo\n")
    }),
    HostileBot::program(
        "terminal-escapes",
        "Writes escape sequences that clear the screen.",
        PROTOCOL,
        |stage| say_and_play(stage, b"info string \x1b[2J\x1b]0;owned\x07\n"),
    ),
    HostileBot::program("byte-order-marks", "Begins its lines with byte order marks.", PLAYS, |stage| {
        say_and_play(stage, b"\xef\xbb\xbfinfo string marked\n")
    }),
    HostileBot::program("windows-lines", "Ends its lines with Windows line endings.", PLAYS, |stage| {
        while stage.until(Cue::Go)? {
            let line = format!("{}\r\n", stage.good_move());
            stage.write(line.as_bytes())?;
        }
        Ok(0)
    }),
    HostileBot::program("turned-writing", "Reverses the direction of text.", PLAYS, |stage| {
        say_and_play(stage, "info string \u{202e}gnirts\u{2066}\n".as_bytes())
    }),
    HostileBot::program(
        "stray-blanks",
        "Writes tabs and spaces wherever they are allowed.",
        PLAYS,
        |stage| {
            while stage.until(Cue::Go)? {
                let line = format!(" \t{}\t  \n\n \n", stage.good_move().replace(' ', "\t  "));
                stage.write(line.as_bytes())?;
            }
            Ok(0)
        },
    ),
];

/// Says this in each turn before a good move.
fn say_and_play(stage: &mut Stage, line: &[u8]) -> io::Result<u8> {
    while stage.until(Cue::Go)? {
        stage.write(line)?;
        stage.play()?;
    }
    Ok(0)
}
