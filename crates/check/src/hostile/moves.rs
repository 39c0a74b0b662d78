//! Bots with wrong answers.

use std::io;

use super::harness::{Harness, Request};
use super::{ExpectedEnding, FaultKind, HostileBot, PROTOCOL};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "illegal-move",
        "Plays a move that the rules forbid.",
        &[ExpectedEnding::Fails(FaultKind::IllegalMove)],
        // A cube in the middle of the board can't be taken.
        |harness| answer(harness, "bestmove b2b1"),
    ),
    HostileBot::program(
        "foreign-notation",
        "Plays a chess move.",
        &[ExpectedEnding::Fails(FaultKind::NotAMove)],
        |harness| answer(harness, "bestmove Nf3xe5+"),
    ),
    HostileBot::program("empty-answer", "Answers with no move.", PROTOCOL, |harness| {
        answer(harness, "bestmove")
    }),
    HostileBot::program("two-answers", "Sends two answers at once.", PROTOCOL, |harness| {
        if harness.until(Request::Go)? {
            let twice = format!("{0}\n{0}\n", harness.good_move());
            harness.write(twice.as_bytes())?;
        }
        harness.play_on()
    }),
    HostileBot::program("answers-unasked", "Answers before it is asked.", PROTOCOL, |harness| {
        if harness.until(Request::Ready)? {
            harness.write(b"bestmove a1a3\nreadyok\n")?;
        }
        harness.play_on()
    }),
    HostileBot::program("ten-answers", "Sends ten moves before it answers `readyok`.", PROTOCOL, |harness| {
        if harness.until(Request::Greet)? {
            harness.answer(Some(Request::Greet))?;
        }
        if harness.until(Request::Ready)? {
            harness.write(&b"bestmove a1a3\n".repeat(10))?;
            harness.say("readyok")?;
        }
        harness.play_on()
    }),
];

fn answer(harness: &mut Harness, line: &str) -> io::Result<u8> {
    if harness.until(Request::Go)? {
        harness.say(line)?;
    }
    harness.play_on()
}
