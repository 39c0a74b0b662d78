//! Tests of `linesman perft`: counts, divided counts, and what can't be counted.

use crate::support::{Run, linesman};

#[track_caller]
fn check(arguments: &[&str], status: i32, stdout: &str, stderr: &str) {
    let run = linesman(arguments);
    let expected = Run { status: Some(status), stdout: stdout.to_owned(), stderr: stderr.to_owned() };
    assert_eq!(run, expected, "{arguments:?}");
}

#[test]
fn each_depth_has_a_line() {
    check(&["perft", "quixo", "3"], 0, "0 1\n1 44\n2 1836\n3 76596\n", "");
    check(&["perft", "quixo", "0"], 0, "0 1\n", "");
    check(&["perft", "quixo", "2", "--options", "size=4"], 0, "0 1\n1 32\n2 952\n", "");
    check(&["perft", "quixo", "1", "--format", "csv"], 0, "depth,nodes\n0,1\n1,44\n", "");
}

#[test]
fn a_finished_game_has_no_sequences() {
    let token = "xxx/.o./o..:2:5";
    check(&["perft", "quixo", "2", "--options", "size=3", "--position", token], 0, "0 1\n1 0\n2 0\n", "");
}

#[test]
fn limits_on_endless_play_do_not_count() {
    check(&["perft", "quixo", "2", "--options", "max_plies=1"], 0, "0 1\n1 44\n2 1836\n", "");
}

#[test]
fn divided_counts_add_up() {
    let run = linesman(["perft", "quixo", "3", "--options", "size=3", "--divide"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let (depths, moves) = run.stdout.split_once("\n\n").expect("an empty line between");
    assert_eq!(depths, "0 1\n1 20\n2 356\n3 6332");
    let counts = moves.lines().map(|line| line.split_once(' ').expect("a move and a number"));
    assert_eq!(counts.clone().count(), 20);
    assert!(moves.lines().is_sorted());
    assert_eq!(counts.map(|(_, nodes)| nodes.parse::<u64>().expect("a number")).sum::<u64>(), 6332);
}

#[test]
fn json_has_the_counts_up_to_the_requested_depth() {
    let run = linesman(["perft", "quixo", "2", "--json"]);
    let expected = serde_json::json!({
        "game": "quixo",
        "options": {"size": 5, "max_plies": 200, "repetition": 3},
        "position": "...../...../...../...../.....:1:0",
        "token": "...../...../...../...../.....:1:0",
        "depth": 2,
        "nodes": 1836,
        "depths": [{"depth": 0, "nodes": 1}, {"depth": 1, "nodes": 44}, {"depth": 2, "nodes": 1836}],
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&run.stdout).expect("stdout is JSON"), expected);
    let run = linesman(["perft", "quixo", "2", "--json", "--divide"]);
    let divided: serde_json::Value = serde_json::from_str(&run.stdout).expect("stdout is JSON");
    assert_eq!(divided["divide"]["c1c5"], 41);
}

#[test]
fn unreadable_input_is_wrong_usage() {
    check(
        &["perft", "quixo", "1", "--options", "size=9"],
        2,
        "",
        "error: option `size` can't be `9`: it must be 3 to 8\nhint: run `linesman games quixo` to \
         list the options\n",
    );
    check(
        &["perft", "quixo", "1", "--position", "...:1:0"],
        2,
        "",
        "error: can't read the position `...:1:0`\ncaused by: there are 1 rows, not 5 (field 1)\n",
    );
    for depth in ["-1", "x", "101", ""] {
        let run = linesman(["perft", "quixo", depth]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{depth}");
    }
}
