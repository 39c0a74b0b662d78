//! Tests of `linesman analyze`, of its marks in replays, and of `linesman bots`.

use std::fs;

use serde_json::Value;

use crate::support::scratch::Scratch;
use crate::support::{Run, linesman};

const RECORDS: &str = "tests/records/games.jsonl";

/// A game in which seat 1 makes three in column a impossible with its last move, and resigns.
const MISSED: &str = r#"{"v":1,"id":"ada~bob~1","game":"quixo","options":{"size":3},"seats":[{"name":"ada"},{"name":"bob"}],"moves":["a1a3","c1c3","a1a3","c1c3","a1c1"],"places":[2,1],"reason":"resignation"}"#;

/// Returns a file with that game.
fn missed() -> (Scratch, String) {
    let scratch = Scratch::new();
    scratch.write("missed.jsonl", format!("{MISSED}\n"));
    let path = scratch.path("missed.jsonl");
    let path = path.to_str().expect("the path is text").to_owned();
    (scratch, path)
}

fn json(run: &Run) -> Value {
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("it is JSON")
}

#[test]
fn a_missed_win_is_marked_in_the_table_the_data_and_the_replays() {
    let (scratch, file) = missed();
    let run = linesman(["analyze", &file, "--nodes", "1000"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let row = run.stdout.lines().find(|line| line.contains("Missed win: a1a3 wins at once"));
    assert!(row.is_some_and(|row| row.contains("ada") && row.contains("#?")), "{}", run.stdout);
    let data = json(&linesman(["analyze", &file, "--nodes", "1000", "--json"]));
    let last = &data["moves"][4];
    assert_eq!(last["missed_win"], serde_json::json!({"move": "a1a3", "plies": 1}));
    assert!(
        last["marks"].as_array().is_some_and(|marks| marks.contains(&Value::from("missed-win"))),
        "{last}"
    );
    assert_eq!((&last["ply"], &last["bot"], &last["best"]), (&5.into(), &"ada".into(), &"a1a3".into()));

    let replay = linesman(["replay", &file, "--analyze", "--nodes", "1000"]);
    assert!(replay.stdout.contains("Missed win: a1a3 wins at once"), "{}", replay.stdout);
    let plain = linesman(["replay", &file]);
    assert!(!plain.stdout.contains("Missed win"), "{}", plain.stdout);
    let page = scratch.path("page.html");
    let page = page.to_str().expect("the path is text");
    linesman(["replay", &file, "--analyze", "--nodes", "1000", "--html", page]);
    let page = fs::read_to_string(page).expect("the page was written");
    assert!(page.contains(r##""remark":{"sign":"#?"##), "the page has the marks");
}

#[test]
fn equal_games_get_equal_marks_and_openings_get_none() {
    let analyze =
        |game: &str| json(&linesman(["analyze", RECORDS, "--game", game, "--nodes", "500", "--json"]));
    assert_eq!(analyze("1"), analyze("1"));
    let with_opening = analyze("4");
    let first = with_opening["moves"][0]["ply"].as_u64();
    assert!(first.is_some_and(|ply| ply > 1), "the first judged ply is {first:?}");
}

#[test]
fn games_that_cannot_be_analyzed_are_rejected() {
    let run = linesman(["analyze", RECORDS, "--game", "5"]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("the record has no moves"), "{}", run.stderr);
    let run = linesman(["analyze", RECORDS, "--game", "nobody~1"]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("there is no game `nobody~1`"), "{}", run.stderr);
    let run = linesman(["analyze", RECORDS, "--nodes", "1"]);
    assert_eq!(run.status, Some(2));
}

#[test]
fn all_built_in_bots_are_listed() {
    let run = linesman(["bots"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    let data = json(&linesman(["bots", "--json"]));
    let names: Vec<&str> =
        data["bots"].as_array().into_iter().flatten().filter_map(|bot| bot["name"].as_str()).collect();
    assert_eq!(names, ["random", "greedy", "alphabeta", "mcts", "perfect", "level"]);
    for name in names {
        assert!(run.stdout.contains(name), "{name} is not in {}", run.stdout);
    }
    let levels = data["levels"].as_array().expect("there are levels");
    assert!(levels.len().is_multiple_of(10) && !levels.is_empty());
    let random: Vec<_> = levels.iter().filter(|level| level["level"] == 1).collect();
    assert!(random.iter().all(|level| level["random_thousandths"] == 1_000), "{random:?}");
}
