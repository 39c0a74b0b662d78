//! Tests of `linesman verify`: true records, false records, and files without records.

use std::io::Write;
use std::process::Stdio;

use linesman::record::{RecordFile, RecordFileError};

use crate::support::bots::{records, tournament};
use crate::support::scratch::Scratch;
use crate::support::{Run, command, linesman_in};

const SMALLEST: &str =
    r#"{"v":1,"id":"g1","game":"quixo","seats":[{"name":"A"},{"name":"B"}],"places":[1,2]}"#;
const WON: &str = r#"{"v":1,"id":"A~B~1","game":"quixo","options":{"size":3},"seats":[{"name":"A"},{"name":"B"}],"moves":["c1c3","a2a3","c1c3","a1a3","c1c3"],"places":[1,2],"reason":"line"}"#;
const RESIGNED: &str = r#"{"v":1,"id":"B~A~1","game":"quixo","seats":[{"name":"B"},{"name":"A"}],"moves":["c1c5"],"places":[1,2],"reason":"resignation"}"#;
/// The note on records outside of a run.
const ALONE: &str = "games.jsonl: a file of records can't show whether games are missing; to check that, give the run directory\n";
const VOID: &str = r#"{"v":1,"id":"A~B~2","game":"quixo","seats":[{"name":"A"},{"name":"B"}],"moves":[],"void":{"kind":"host","why":"the disk is full"}}"#;

/// Asserts the output for a file with these lines.
#[track_caller]
fn check(lines: &[&str], status: i32, stdout: &str, stderr: &str) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    std::fs::write(folder.path().join("games.jsonl"), lines.join("\n")).expect("the file can be written");
    let run = linesman_in(folder.path(), ["verify", "games.jsonl"]);
    // Missing games are not checked if lines are unreadable or there are none.
    let alone = if status == 2 || stdout.starts_with("0 records") { "" } else { ALONE };
    let expected =
        Run { status: Some(status), stdout: stdout.to_owned(), stderr: format!("{stderr}{alone}") };
    assert_eq!(run, expected);
}

#[test]
fn true_records_are_counted() {
    check(
        &[SMALLEST, WON, RESIGNED, VOID, ""],
        0,
        "4 records: 2 consistent (6 moves), 1 not verifiable (no moves), 1 void\n",
        "",
    );
    check(&[""], 0, "0 records: 0 consistent (0 moves)\n", "");
}

#[test]
fn false_records_are_named_with_move_and_reason() {
    check(
        &[
            SMALLEST,
            &WON.replace("a2a3", "c3c1"),
            &WON.replace("A~B~1", "A~B~2").replace("\"places\":[1,2]", "\"places\":[2,1]"),
            "",
        ],
        1,
        "3 records: 1 not verifiable (no moves), 2 inconsistent\n",
        "error: record `A~B~1` is inconsistent: move 2 (`c3c1`): not legal here: \
         the cube at `c3` shows the opponent's `x`; only blank cubes and the mover's own (`o`) may be taken\n  \
         --> games.jsonl:2\n\
         error: record `A~B~2` is inconsistent: the places are 2,1, but should be 1,2\n  \
         --> games.jsonl:3\n",
    );
}

#[test]
fn a_foreign_line_is_worse_than_a_false_record() {
    check(
        &[
            "hello",
            &WON.replace("[1,2],\"reason\"", "[1,1],\"reason\""),
            &SMALLEST.replace("\"v\":1", "\"v\":9"),
            "",
        ],
        2,
        "1 record: 1 inconsistent, 2 unreadable\n",
        "error: the line is not JSON: expected value\n  \
         --> games.jsonl:1:1\n\
         hint: give a file of records, which has one JSON object per line; see docs/reference/records.md\n\
         error: record `A~B~1` is inconsistent: the places are 1,1, but should be 1,2\n  \
         --> games.jsonl:2\n\
         error: the record has format version 9, but this program reads versions up to 1\n  \
         --> games.jsonl:3\n\
         hint: use the newer linesman that wrote it\n",
    );
}

#[test]
fn the_command_that_deletes_lines_leaves_no_broken_line() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let verify = |lines: &[&str]| {
        let text = lines.join("\n");
        std::fs::write(folder.path().join("games.jsonl"), text).expect("the file can be written");
        linesman_in(folder.path(), ["verify", "games.jsonl"])
    };
    // A file of another kind has no line to keep.
    let garbage = verify(&["hello", "8 of them", "world", ""]);
    assert_eq!(garbage.stdout, "0 records: 0 consistent (0 moves), 3 unreadable\n");
    assert!(garbage.stderr.contains("hint: give a file of records"), "{}", garbage.stderr);
    for word in ["sed", "struct"] {
        assert!(!garbage.stderr.contains(word), "{}", garbage.stderr);
    }
    let damaged = verify(&["hello", "8 of them", SMALLEST, ""]);
    damaged.said(
        2,
        "restore these 2 lines of games.jsonl, or delete them with `sed -i.bak '1d;2d' games.jsonl`",
    );
}

#[test]
fn duplicates_swapped_bots_and_a_torn_line_give_warnings() {
    check(
        &[WON, WON, &RESIGNED.replace("\"id\":\"B~A", "\"id\":\"A~B"), "{\"v\":1,\"id\""],
        0,
        "3 records: 3 consistent (11 moves), 2 duplicates, 1 incomplete last line\n",
        "warning: games.jsonl:2: game `A~B~1` already has a record; the first one counts\n\
         warning: games.jsonl:3: the id `A~B~1` does not match the bots in `seats`\n\
         warning: games.jsonl:3: game `A~B~1` already has a record; the first one counts\n\
         warning: games.jsonl:4: the last line is incomplete (11 bytes) and was ignored\n",
    );
}

#[test]
fn a_missing_file_is_named() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let run = linesman_in(folder.path(), ["verify", "none.jsonl"]);
    assert_eq!(
        run,
        Run {
            status: Some(2),
            stdout: "0 records: 0 consistent (0 moves), 1 unreadable\n".to_owned(),
            stderr: "error: can't read `none.jsonl`\n\
                 caused by: No such file or directory (os error 2)\n"
                .to_owned(),
        }
    );
}

#[test]
fn json_lists_the_findings() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut child = command(folder.path())
        .args(["verify", "-", "--json", "-q", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with the tests");
    let text = format!("{WON}\n{}\n", WON.replace("c1c3\"]", "b2b1\"]").replace("A~B~1", "A~B~\\u001b"));
    child.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
    assert_eq!(
        json,
        serde_json::json!({
            "records": 2, "replayed": 1, "moves": 5, "without_moves": 0, "void": 0, "untrue": 1,
            "unreadable": 0, "duplicates": 0, "torn": 0, "games_void": 0, "tries_void_by_host": 0,
            "other_bots": 0,
            "findings": [{
                "kind": "untrue", "file": "<stdin>", "line": 2, "id": "A~B~\u{1b}", "move": 5,
                "why": json["findings"][0]["why"],
            }],
        })
    );
    let stderr = String::from_utf8(output.stderr).expect("stderr is UTF-8");
    assert!(stderr.contains("`A~B~\\u{1b}`") && stderr.contains("--> <stdin>:2"), "{stderr}");
}

#[test]
fn csv_is_a_row_of_counts() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    std::fs::write(folder.path().join("games.jsonl"), WON).expect("the file can be written");
    let run = linesman_in(folder.path(), ["verify", "games.jsonl", "--format", "csv"]);
    let expected = "records,replayed,moves,without_moves,void,untrue,unreadable,duplicates,torn,games_void,\
                    tries_void_by_host,other_bots\n1,1,5,0,0,0,0,0,0,0,0,0\n";
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (Some(0), expected, ""));
}

#[test]
fn many_findings_are_shown_in_part() {
    let untrue = WON.replace("\"places\":[1,2]", "\"places\":[2,1]");
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let lines: String =
        (1..=25).map(|number| untrue.replace("A~B~1", &format!("A~B~{number}")) + "\n").collect();
    std::fs::write(folder.path().join("games.jsonl"), lines).expect("the file can be written");
    let run = linesman_in(folder.path(), ["verify", "games.jsonl"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), "25 records: 25 inconsistent\n"));
    assert_eq!(run.stderr.lines().filter(|line| line.starts_with("error:")).count(), 20);
    assert!(run.stderr.ends_with(&format!("and 5 more\n{ALONE}")), "{}", run.stderr);
}

#[test]
fn records_are_verified_while_they_are_being_written() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().join("games.jsonl");
    let (mut writer, _) =
        RecordFile::open(&path).expect("it is new").into_writer(|_| {}).expect("threads can be started");
    writer.append(&serde_json::from_str(WON).expect("it is a record")).expect("there is room");
    writer.finish().expect("there is room");
    assert!(matches!(RecordFile::open(&path), Err(RecordFileError::InUse { .. })));
    let run = linesman_in(folder.path(), ["verify", "games.jsonl"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(0), "1 record: 1 consistent (5 moves)\n"));
}

const GAMES: &str = "runs/cup/games.jsonl";

/// Plays a league of three bots and twelve games.
fn cup() -> Scratch {
    let scratch = Scratch::new();
    let bots = ["a", "b", "c"].map(|name| (name, "linesman bot random"));
    scratch.write("cup.toml", tournament("rounds = 2\n", &bots));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    scratch
}

/// Removes the record of a game from a file of records.
fn without(text: &str, id: &str) -> String {
    let is_other = |line: &&str| !line.contains(&format!("\"id\":\"{id}\""));
    text.lines().filter(is_other).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_game_whose_record_was_deleted_is_named() {
    let scratch = cup();
    let whole = scratch.read(GAMES);
    assert!(scratch.run(["verify", "runs/cup"]).done().ends_with("moves)\n"));
    scratch.write(GAMES, without(&whole, "b~a~1"));
    for path in ["runs/cup", GAMES] {
        let run = scratch.run(["verify", path]);
        run.said(1, "error: 1 of 12 games is missing: b~a~1\n");
        assert!(run.stdout.starts_with("11 records: 11 consistent ("), "{}", run.stdout);
        assert!(run.stdout.ends_with(", 1 missing\n"), "{}", run.stdout);
    }
    let json = scratch.run(["verify", "runs/cup", "--json", "-q"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!((&json["missing"], &json["missing_games"]), (&1.into(), &serde_json::json!(["b~a~1"])));
    // The tables are not needed for this.
    std::fs::remove_file(scratch.path("runs/cup/results.csv")).expect("it was written");
    scratch.run(["verify", "runs/cup"]).said(1, "error: 1 of 12 games is missing: b~a~1\n");
    // Nothing is missing once it is played again.
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    scratch.run(["verify", "runs/cup"]).done();
}

#[test]
fn the_first_of_many_missing_games_are_named() {
    let scratch = cup();
    let whole = scratch.read(GAMES);
    let first: String = whole.lines().take(1).map(|line| format!("{line}\n")).collect();
    scratch.write(GAMES, first);
    let run = scratch.run(["verify", "runs/cup"]);
    run.said(1, "error: 11 of 12 games are missing: ");
    assert!(run.stderr.contains(" and 6 more\n"), "{}", run.stderr);
}

#[test]
fn a_stopped_league_is_unfinished_but_not_damaged() {
    let scratch = cup();
    let whole = scratch.read(GAMES);
    let first: String = whole.lines().take(7).map(|line| format!("{line}\n")).collect();
    scratch.write(GAMES, first);
    std::fs::remove_file(scratch.path("runs/cup/results.csv")).expect("it was written");
    let run = scratch.run(["verify", "runs/cup"]);
    run.said(3, "runs/cup: not finished, 5 of 12 games are missing: ");
    assert!(!run.stderr.contains("error"), "{}", run.stderr);
    assert!(run.stdout.ends_with(", 5 missing\n"), "{}", run.stdout);
}

#[test]
fn a_missing_game_of_a_swiss_is_named_and_later_rounds_are_accepted() {
    let scratch = Scratch::new();
    let bots = ["a", "b", "c", "d"].map(|name| (name, "linesman bot random"));
    scratch.write("cup.toml", tournament("schedule = \"swiss\"\nrounds = 2\n", &bots));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    scratch.run(["verify", "runs/cup"]).done();
    let whole = scratch.read(GAMES);
    let records = records(&scratch.path(GAMES));
    let first = records[0]["id"].as_str().expect("a record has an id");
    scratch.write(GAMES, without(&whole, first));
    let message = format!("error: 1 of 8 games is missing: {first}\n");
    scratch.run(["verify", "runs/cup"]).said(1, &message);
}
