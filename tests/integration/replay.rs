//! Tests of `linesman replay` without a terminal: prints, data, pages, errors.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Run, command, linesman, project};

const RECORDS: &str = "tests/records/games.jsonl";

#[track_caller]
fn replay(arguments: &[&str]) -> Run {
    linesman(["replay", RECORDS].iter().chain(arguments))
}

/// Asserts a run's status, an empty stdout, and exactly this stderr.
#[track_caller]
fn check_refused(run: &Run, status: i32, stderr: &str) {
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(status), "", stderr));
}

#[test]
fn every_position_is_printed_with_its_move() {
    let run = replay(&["--game", "greedy~alphabeta~1"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(run.stdout.matches("\n   a  b  c  d  e\n").count(), 27);
    let start = "\
greedy (x) – alphabeta (o)
greedy~alphabeta~1  quixo size=5,max_plies=200,repetition=3  movetime=1s  2026-11-21T10:15:00Z

start
5  .  .  .  .  .
4  .  .  .  .  .
3  .  .  .  .  .
2  .  .  .  .  .
1  .  .  .  .  .
   a  b  c  d  e
...../...../...../...../.....:1:0

move 1: greedy plays e4e1, 86 ms
said: score -0.01, depth 2, 316 positions, expects e4e1 a1e1
";
    assert!(run.stdout.starts_with(start), "{}", run.stdout);
    let end = "\n\nalphabeta won by a line in 26 plies: alphabeta has made a full line of `o`: b1 to b5\n";
    assert!(run.stdout.ends_with(end), "{}", run.stdout);
}

#[test]
fn the_first_game_is_shown_when_none_is_chosen() {
    let run = replay(&[]);
    assert_eq!(run.stdout, replay(&["--game", "1"]).stdout);
    assert_eq!(run.stderr, "this is game 1 of 5; choose another with `--game`\n");
}

#[test]
fn an_illegal_move_is_shown_with_the_legal_ones() {
    let run = replay(&["--game", "3"]);
    assert_eq!(run.status, Some(0));
    let end = "honest lost by the illegal move `b2b4`: b2 is not on the border\nlegal moves:\n  a1a4 a1d1 ";
    assert!(run.stdout.contains(end), "{}", run.stdout);
    assert!(run.stdout.contains("the last lines of its stderr:\n  warning: guessing\n"), "{}", run.stdout);
    assert!(run.stdout.chars().all(|c| c == '\n' || !c.is_control()), "nothing drives a terminal");
}

#[test]
fn json_has_every_ply_and_csv_a_row_for_each() {
    let run = replay(&["--game", "4", "--json"]);
    assert_eq!(run.stdout.lines().count(), 1);
    let game: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let verdict = game["verdict"].as_str().expect("it is text");
    assert!(verdict.starts_with("ada won by a line in 29 plies: ada has made a full line of "), "{verdict}");
    assert_eq!(game["sentence"], verdict);
    assert_eq!(game["option_values"], serde_json::json!({"size": 5, "max_plies": 200, "repetition": 3}));
    assert_eq!(game["places"], serde_json::json!([1, 2]));
    let plies = game["plies"].as_array().expect("there are plies");
    assert_eq!(plies.len(), 30);
    assert_eq!(plies[0]["token"], "...../...../...../...../.....:1:0");
    assert_eq!((plies[2]["kind"].as_str(), plies[2]["move"].as_str()), (Some("opening"), Some("e5a5")));
    assert_eq!((plies[3]["seat"].as_u64(), plies[3]["time_us"].as_u64()), (Some(1), Some(24646)));
    assert_eq!(plies[29]["to_move"], serde_json::Value::Null);

    let run = replay(&["--game", "4", "--format", "csv"]);
    let rows: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(rows.len(), 31);
    assert_eq!(rows[0], "ply,seat,bot,move,kind,time_us,depth,score_cp,nodes,pv,token");
    assert_eq!(rows[2], "1,1,ada,a1e1,opening,,,,,,...../...../...../...../....x:2:1");
}

#[test]
fn a_directory_stands_for_its_records_and_a_dash_for_stdin() {
    let expected = replay(&["--game", "2"]).stdout;
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::copy(project().join(RECORDS), folder.path().join("games.jsonl")).expect("the records can be copied");
    let directory = folder.path().to_str().expect("the path is UTF-8");
    assert_eq!(linesman(["replay", directory, "--game", "2"]).stdout, expected);

    let mut child = command(&project())
        .args(["replay", "-", "--game", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let records = fs::read(project().join(RECORDS)).expect("the records can be read");
    child.stdin.take().expect("it is piped").write_all(&records).expect("it reads its input");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn the_page_is_one_file_that_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("game.html");
    let file = path.to_str().expect("the path is UTF-8");
    let run = replay(&["--game", "1", "--html", file]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(run.stderr, format!("wrote {file}: open it in a browser\n"));
    let page = fs::read_to_string(&path).expect("the page is there");
    assert!(page.starts_with("<!doctype html>") && page.contains("default-src 'none'"));

    let refused = format!("error: `{file}` already exists\nhint: use `--force` to overwrite it\n");
    check_refused(&replay(&["--game", "2", "--html", file]), 2, &refused);
    assert_eq!(fs::read_to_string(&path).expect("it is still there"), page);
    assert_eq!(replay(&["--game", "2", "--html", file, "--force"]).status, Some(0));
    assert!(fs::read_to_string(&path).expect("it is there").contains("sleepy"));
    assert_eq!(replay(&["--game", "1", "--html", "-"]).stdout, page);
}

#[test]
fn an_unwritable_page_has_its_own_exit_status() {
    let run = replay(&["--game", "1", "--html", "/dev/full", "--force"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(74), ""));
    assert!(run.stderr.starts_with("error: can't write `/dev/full`\ncaused by: "), "{}", run.stderr);
    assert!(Path::new("/dev/full").exists());
}

#[test]
fn what_cannot_be_shown_is_rejected_with_the_reason() {
    check_refused(
        &replay(&["--game", "5"]),
        2,
        "error: the record has no moves, only the result: A won\n\
         hint: choose a record that has `moves`\n",
    );
    check_refused(
        &replay(&["--game", "6"]),
        2,
        "error: there is no game 6: `tests/records/games.jsonl` has 5 games, numbered from 1\n",
    );
    check_refused(
        &replay(&["--game", "greedy~alphabeta~2"]),
        2,
        "error: there is no game `greedy~alphabeta~2` in `tests/records/games.jsonl`\n\
         hint: did you mean `greedy~alphabeta~1`?\n\
         hint: give the id of a game, or its number from 1 to 5\n",
    );
    let run = linesman(["replay", "no/such/file.jsonl"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("no/such/file.jsonl"), "{}", run.stderr);
    let run = linesman(["replay", "Cargo.toml"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Cargo.toml:1"), "{}", run.stderr);
}

#[test]
fn a_false_record_is_shown_up_to_its_unplayable_move() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("untrue.jsonl");
    let record = r#"{"v":1,"id":"g","game":"quixo","seats":[{"name":"A"},{"name":"B"}],"places":[1,2],"moves":["a1a5","c3c5"]}"#;
    fs::write(&file, format!("{record}\n")).expect("the file can be written");
    let run = linesman(["replay", file.to_str().expect("the path is UTF-8")]);
    assert_eq!(run.status, Some(1));
    assert_eq!(run.stdout.matches("   a  b  c  d  e\n").count(), 2);
    assert!(!run.stdout.contains("A won"), "{}", run.stdout);
    assert!(run.stderr.starts_with("error: move 2 `c3c5` can't be played: "), "{}", run.stderr);
}
