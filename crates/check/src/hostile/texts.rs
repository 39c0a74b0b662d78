//! Bots whose output attacks the programs that show it.

use std::io::{self, Write};

use super::harness::Request;
use super::{ExpectedEnding, FaultKind, HostileBot, PLAYS};

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::program(
        "injects-names",
        "Has a formula as its name, a script as its author, and markup in its output.",
        PLAYS,
        |harness| {
            if harness.until(Request::Greet)? {
                harness.say("id name =cmd|' /C calc'!A0\nid author <script>alert(1)</script>")?;
                harness.say("feature legal\nugiok")?;
            }
            while harness.until(Request::Go)? {
                harness.say("info depth 1 pv =1+1 </script><b> string <img src=x onerror=alert(1)>")?;
                harness.play()?;
            }
            Ok(0)
        },
    ),
    HostileBot::program(
        "injects-a-move",
        "Answers with a formula.",
        &[ExpectedEnding::Fails(FaultKind::NotAMove)],
        |harness| {
            if harness.until(Request::Go)? {
                harness.say("@SUM(1)\n+1\n-1")?;
                harness.say("bestmove =HYPERLINK(\"http://hostile.invalid\",\"<b>\u{202e}\")")?;
            }
            harness.play_on()
        },
    ),
    HostileBot::program(
        "injects-stderr",
        "Crashes with escape sequences, markup and reversed text on stderr.",
        &[ExpectedEnding::Exits(13)],
        |harness| {
            let text = "\x1b[2J\x1b]0;owned\x07<script>alert(2)</script>\n=1+1\n\u{202e}gnirts\u{0}\n";
            harness.on_first_turn(|_| io::stderr().write_all(text.as_bytes()).map(|()| 13))
        },
    ),
];
