//! Bots that write malformed or unusual lines.

use std::io;

use super::harness::{Harness, Request};
use super::{HostileBot, PLAYS, PROTOCOL};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program("invalid-utf8", "Writes bytes that are not UTF-8.", PROTOCOL, |harness| {
        say_and_play(harness, b"info string \xff\xfe\xc0\n")
    }),
    HostileBot::program("nul-bytes", "Writes NUL bytes.", PROTOCOL, |harness| {
        say_and_play(harness, b"info string a\0b\n")
    }),
    HostileBot::program("lone-returns", "Writes carriage returns within lines.", PROTOCOL, |harness| {
        say_and_play(harness, b"info string one\rtwo\n")
    }),
    HostileBot::program(
        "terminal-escapes",
        "Writes escape sequences that clear the screen.",
        PROTOCOL,
        |harness| say_and_play(harness, b"info string \x1b[2J\x1b]0;owned\x07\n"),
    ),
    HostileBot::program("byte-order-marks", "Begins its lines with byte order marks.", PLAYS, |harness| {
        say_and_play(harness, b"\xef\xbb\xbfinfo string marked\n")
    }),
    HostileBot::program("windows-lines", "Ends its lines with Windows line endings.", PLAYS, |harness| {
        while harness.until(Request::Go)? {
            let line = format!("{}\r\n", harness.good_move());
            harness.write(line.as_bytes())?;
        }
        Ok(0)
    }),
    HostileBot::program("turned-writing", "Reverses the direction of text.", PLAYS, |harness| {
        say_and_play(harness, "info string \u{202e}gnirts\u{2066}\n".as_bytes())
    }),
    HostileBot::program(
        "stray-blanks",
        "Writes tabs and spaces wherever they are allowed.",
        PLAYS,
        |harness| {
            while harness.until(Request::Go)? {
                let line = format!(" \t{}\t  \n\n \n", harness.good_move().replace(' ', "\t  "));
                harness.write(line.as_bytes())?;
            }
            Ok(0)
        },
    ),
];

/// Writes this line in each turn before a good move.
fn say_and_play(harness: &mut Harness, line: &[u8]) -> io::Result<u8> {
    while harness.until(Request::Go)? {
        harness.write(line)?;
        harness.play()?;
    }
    Ok(0)
}
