//! Bots whose words are meant for the programs that show them.

use std::io::{self, Write};

use super::stage::Cue;
use super::{HostileBot, Outcome};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "injects-names",
        "Has a formula as its name, a script as its author, and markup in its output.",
        &[Outcome::Plays],
        |stage| {
            if stage.until(Cue::Greet)? {
                stage.say("id name =cmd|' /C calc'!A0\nid author <script>alert(1)</script>")?;
                stage.say("feature legal\nugiok")?;
            }
            while stage.until(Cue::Go)? {
                stage.say("info depth 1 pv =1+1 </script><b> string <img src=x onerror=alert(1)>")?;
                stage.play()?;
            }
            Ok(0)
        },
    ),
    HostileBot::program(
        "injects-a-move",
        "Answers with a formula.",
        &[Outcome::Fails("not_a_move")],
        |stage| {
            if stage.until(Cue::Go)? {
                stage.say("@SUM(1)\n+1\n-1")?;
                stage.say("bestmove =HYPERLINK(\"http://hostile.invalid\",\"<b>\u{202e}\")")?;
            }
            stage.play_on()
        },
    ),
    HostileBot::program(
        "injects-stderr",
        "Crashes with escape sequences, markup and reversed text on stderr.",
        &[Outcome::Exits(13)],
        |stage| {
            if !stage.until(Cue::Go)? {
                return Ok(0);
            }
            io::stderr().write_all(
                "\x1b[2J\x1b]0;owned\x07<script>alert(2)</script>\n=1+1\n\u{202e}gnirts\u{0}\n".as_bytes(),
            )?;
            Ok(13)
        },
    ),
];
