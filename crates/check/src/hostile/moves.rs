//! Bots whose answers are not what was asked for.

use std::io;

use super::stage::{Cue, Stage};
use super::{HostileBot, Outcome};

const PROTOCOL: &[Outcome] = &[Outcome::Fails("protocol")];

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "illegal-move",
        "Plays a move that the rules forbid.",
        &[Outcome::Fails("illegal_move")],
        // The middle of the board is never taken.
        |stage| answer(stage, "bestmove b2b1"),
    ),
    HostileBot::program(
        "foreign-notation",
        "Plays a chess move.",
        &[Outcome::Fails("not_a_move")],
        |stage| answer(stage, "bestmove Nf3xe5+"),
    ),
    HostileBot::program("empty-answer", "Answers with no move.", PROTOCOL, |stage| answer(stage, "bestmove")),
    HostileBot::program("two-answers", "Sends two answers at once.", PROTOCOL, |stage| {
        if stage.until(Cue::Go)? {
            let twice = format!("{0}\n{0}\n", stage.good_move());
            stage.write(twice.as_bytes())?;
        }
        stage.play_on()
    }),
    HostileBot::program("answers-unasked", "Answers before it is asked.", PROTOCOL, |stage| {
        if stage.until(Cue::Ready)? {
            stage.write(b"bestmove a1a3\nreadyok\n")?;
        }
        stage.play_on()
    }),
    HostileBot::program("ten-answers", "Sends ten moves before it answers `readyok`.", PROTOCOL, |stage| {
        if stage.until(Cue::Greet)? {
            stage.answer(Some(Cue::Greet))?;
        }
        if stage.until(Cue::Ready)? {
            stage.write(&b"bestmove a1a3\n".repeat(10))?;
            stage.say("readyok")?;
        }
        stage.play_on()
    }),
];

fn answer(stage: &mut Stage, line: &str) -> io::Result<u8> {
    if stage.until(Cue::Go)? {
        stage.say(line)?;
    }
    stage.play_on()
}
