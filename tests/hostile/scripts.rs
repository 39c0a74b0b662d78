//! Tests with hostile bots in Python and shell, whose interpreters add their own behaviour.

use serde_json::{Value, json};

use super::fault_of;
use crate::support::bots::{records, seats, tournament};
use crate::support::project;
use crate::support::scratch::Scratch;

/// Plays a bot with two good ones, and asserts that it alone has faults, and these.
#[track_caller]
fn check(command: &str, expected: &[(&str, Value)]) {
    let script = project().join("tests/hostile/bots").join(command.rsplit(' ').next().expect("it has words"));
    let command = match command.rsplit_once(' ') {
        Some((interpreter, _)) => format!("{interpreter} {}", script.display()),
        None => panic!("name the interpreter"),
    };
    let scratch = Scratch::new();
    let good = "linesman bot random";
    let bots = [("hostile", command.as_str()), ("good-1", good), ("good-2", good)];
    let text = tournament("concurrency = 1\n", &bots)
        .replace(&format!("{command}\"\n"), &format!("{command}\"\nlimits = {{ move = \"1500ms\" }}\n"));
    scratch.write("cup.toml", text);
    scratch.run(["league", "run", "cup.toml", "--progress", "none"]).done();
    let mut games = records(&scratch.path("runs/cup/games.jsonl"));
    // On a busy host a move can be late through no fault of a bot: the game is played again.
    games.retain(|game| game["void"]["kind"] != "host");
    assert_eq!(games.len(), 6);
    for game in &games {
        assert!(game["void"].is_null(), "{game}");
        match fault_of(game, "hostile") {
            Some(fault) => {
                for (field, value) in expected {
                    assert_eq!(fault[field], *value, "{game}");
                }
            }
            None => assert!(!seats(game).contains(&"hostile") && game["faults"].is_null(), "{game}"),
        }
    }
    // The scratch folder checks that no process is left.
}

#[test]
fn a_python_bot_that_leaves_a_daemon_crashes_and_leaves_nothing() {
    check("python3 daemon.py", &[("fault", json!("crash")), ("exit_code", json!(21))]);
}

#[test]
fn a_python_bot_with_a_mistake_crashes_with_its_traceback() {
    check("python3 mistake.py", &[("fault", json!("crash")), ("exit_code", json!(1))]);
}

#[test]
fn a_python_bot_that_does_not_flush_loses_on_time() {
    check("python3 unflushed.py", &[("fault", json!("time"))]);
}

#[test]
fn a_shell_bot_that_ignores_signals_loses_on_time_and_is_gone() {
    check("sh signals.sh", &[("fault", json!("time"))]);
}

#[test]
fn a_shell_bot_that_floods_loses_by_the_length_of_its_line() {
    check("sh flood.sh", &[("fault", json!("limit")), ("which", json!("line"))]);
}
