//! Tests of `linesman bot`: the built-in bots as programs.

use std::io::Write;
use std::process::Stdio;

use crate::support::{command, linesman, project};

#[track_caller]
fn check_refused(arguments: &[&str], stderr: &str) {
    let run = linesman([&["bot"], arguments].concat());
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(2), "", stderr));
}

#[test]
fn wrong_usage_is_explained() {
    check_refused(
        &["gredy"],
        "error: there is no built-in bot `gredy`\n\
         hint: did you mean `greedy`?\n\
         hint: choose one of `random`, `greedy`, `alphabeta`, `mcts`, `perfect`, `level`\n",
    );
    check_refused(
        &["random", "--depth", "3"],
        "error: random has no option `--depth`\nhint: random takes `--seed`\n",
    );
    check_refused(&["alphabeta", "--depth", "65"], "error: `--depth` must be from 1 to 64, not 65\n");
}

/// Returns status, stdout and stderr of a bot with the given input.
fn talk(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = command(&project())
        .arg("bot")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with the tests");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(input.as_bytes()).expect("so little fits into the pipe");
    drop(stdin);
    let output = child.wait_with_output().expect("the bot ends with its input");
    let text = |bytes| String::from_utf8(bytes).expect("bots write text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_bot_talks_on_stdin_and_stdout() {
    let input = "ugi\ngame quixo seat 1 seats 2 id a~b~1 options size=3\nisready\nposition startpos\n\
                 go movetime 60000\nquit\n";
    let (status, stdout, stderr) = talk(&["alphabeta", "--depth", "2"], input);
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines.contains(&"option name Depth type spin default 2 min 1 max 64"), "{stdout}");
    assert!(lines.contains(&"readyok") && lines[lines.len() - 1].starts_with("bestmove "), "{stdout}");
}

#[test]
fn a_bot_that_cannot_follow_says_why_and_fails() {
    let input = "game quixo seat 1 seats 2 id a~b~1 options size=5\nposition startpos moves a1a5 c3c1\n";
    let expected = "error: can't follow the game\n\
                    caused by: move 2: `c3c1` is illegal\n\
                    caused by: `c3` is not on the border; only cubes on the border may be taken\n";
    assert_eq!(talk(&["random"], input), (Some(2), String::new(), expected.to_owned()));
}
