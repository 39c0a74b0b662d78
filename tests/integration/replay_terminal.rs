//! Tests of `linesman replay` on a pseudo-terminal: keys step, and the terminal is
//! restored however it ends.

use rustix::process::Signal;
use std::process::Command;

use crate::support::terminal::{CTRL_C, CTRL_Z, Terminal};
use crate::support::{LINESMAN, project};

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";

const VERDICT: &str = "alphabeta won by a line in 26 plies";

fn replay(arguments: &[&str]) -> Terminal {
    replay_on("xterm-256color", arguments)
}

fn replay_on(term: &str, arguments: &[&str]) -> Terminal {
    let mut command = Command::new(LINESMAN);
    command.args(["replay", "tests/records/games.jsonl"]);
    command.args(arguments);
    command.current_dir(project());
    command.env("TERM", term);
    command.env_remove("NO_COLOR");
    Terminal::start(command)
}

#[test]
fn arrow_keys_step_and_q_leaves() {
    let mut session = replay(&[]);
    let screen = session.wait_for("start: greedy moves first");
    assert!(screen.contains("game 1 of 5") && screen.contains("0 of 26"), "{screen}");
    assert!(screen.contains("5 │   │   │   │   │   │"), "{screen}");
    session.press(RIGHT);
    let screen = session.wait_for("move 1: greedy plays e4e1, 86 ms");
    assert!(screen.contains("1 │   │   │   │   │[x]│"), "{screen}");
    session.press(RIGHT);
    session.wait_for("move 2: alphabeta plays a4a5, 267 ms");
    // The line below it can be drawn later.
    session.wait_for("said: score +0.02, depth 3");
    session.press(LEFT);
    let screen = session.wait_for("move 1: greedy plays e4e1, 86 ms");
    assert!(!screen.contains(VERDICT), "{screen}");
    session.press(END);
    session.wait_for(VERDICT);
    session.press(HOME);
    session.wait_for("start: greedy moves first");
    session.press("14\r");
    session.wait_for("move 14: alphabeta plays d1d5");
    session.press("f");
    session.wait_for("e   d   c   b   a");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn ctrl_c_leaves_with_the_terminal_restored() {
    let mut session = replay(&["--game", "2"]);
    session.wait_for("game 2 of 5");
    session.press(CTRL_C);
    assert_eq!(session.end(), 130);
}

#[test]
fn signals_leave_with_the_terminal_restored() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let session = replay(&[]);
        session.wait_for("start: greedy moves first");
        session.signal(signal);
        assert_eq!(session.end(), status);
    }
}

#[test]
fn space_plays_by_itself() {
    let mut session = replay(&[]);
    session.wait_for("start: greedy moves first");
    // At the usual speed, playing is slow enough to be observed.
    session.press(" ");
    session.wait_for("Space stop");
    session.press("sss");
    session.wait_for(VERDICT);
    session.wait_for("Space play 10x");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn n_and_p_change_the_game() {
    let mut session = replay(&["--game", "4"]);
    session.wait_for("game 4 of 5");
    session.press("n");
    session.wait_for("This game can't be shown: the record has no moves");
    session.press("p");
    session.wait_for("ada (x)");
    session.press("p");
    let screen = session.wait_for("game 3 of 5");
    assert!(screen.contains("<img src=x"), "{screen}");
    session.press("\x1b");
    assert_eq!(session.end(), 0);
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_the_shell_continues_it() {
    let mut command = Command::new("sh");
    // Like an interactive shell: a separate job, which `fg` continues.
    command.args([
        "-c",
        "set -m; \"$0\" replay tests/records/games.jsonl; echo stopped; read line; fg",
        LINESMAN,
    ]);
    command.current_dir(project());
    command.env("TERM", "xterm-256color");
    let mut session = Terminal::start(command);
    session.wait_for("0 of 26");
    session.press(CTRL_Z);
    let screen = session.wait_for("stopped");
    assert!(!screen.contains("0 of 26") && session.is_as_before(), "{screen}");
    session.press("\r");
    session.wait_for("0 of 26");
    session.press("l");
    session.wait_for("1 of 26");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_resized_terminal_is_redrawn() {
    let mut session = replay(&[]);
    session.wait_for("0 of 26");
    session.resize(40, 120);
    session.wait("the keys in the last line", |screen| {
        screen.rows(0, 120).nth(39).is_some_and(|row| row.contains("q quit"))
    });
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_dumb_terminal_gets_the_positions_printed() {
    let session = replay_on("dumb", &["--game", "2"]);
    session.wait_for("sleepy lost on time: 1,062 ms (limit 1,000 ms + 50 ms)");
    assert_eq!(session.end(), 0);
}
