//! Tests of `linesman solve` and of the bot that plays by its tables.

use std::path::Path;

use crate::support::{Run, linesman};

#[track_caller]
fn check(arguments: &[&str], status: i32, stdout: &str, stderr: &str) {
    let run = linesman(arguments);
    let expected = Run { status: Some(status), stdout: stdout.to_owned(), stderr: stderr.to_owned() };
    assert_eq!(run, expected, "{arguments:?}");
}

const SMALL: [&str; 6] = ["solve", "quixo", "--options", "size=3", "--progress", "none"];

#[test]
fn a_small_game_is_solved_in_every_form() {
    let numbers = "\
boards             19683
finished            8558
win                 8313
loss                2812
draw                   0
start                win
start_plies            7
longest                8
";
    check(&SMALL, 0, numbers, "");
    check(
        &[&SMALL[..], &["--format", "csv"]].concat(),
        0,
        "boards,finished,win,loss,draw,start,start_plies,longest,positions,wins,losses,draws\n\
         19683,8558,8313,2812,0,win,7,8,19683,8313,2812,0\n",
        "",
    );
    let run = linesman([&SMALL[..], &["--json", "--threads", "1"]].concat());
    let expected = serde_json::json!({
        "game": "quixo",
        "options": {"size": 3, "max_plies": 200, "repetition": 3},
        "boards": 19683, "finished": 8558, "win": 8313, "loss": 2812, "draw": 0,
        "positions": 19683, "wins": 8313, "losses": 2812, "draws": 0,
        "start": "win", "start_plies": 7, "longest": 8,
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&run.stdout).expect("stdout is JSON"), expected);
}

#[test]
fn progress_is_printed_on_stderr() {
    let run = linesman(["solve", "quixo", "--options", "size=3", "--progress", "lines"]);
    assert!(run.stderr.starts_with("0 plies from the end: "), "{}", run.stderr);
}

#[test]
fn a_game_that_is_too_large_is_rejected_with_the_reason() {
    check(
        &["solve", "quixo"],
        2,
        "",
        "error: `quixo` can't be solved\n\
         caused by: a board of 5 by 5 cubes has 3^25 positions (about 8e11), too many to examine; use `size` 3 or 4\n",
    );
    check(
        &["solve", "trexo"],
        2,
        "",
        "error: `trexo` can't be solved\ncaused by: tiles can be stacked to any height, so its positions can't be numbered\n",
    );
}

/// Solves the smallest board into a file of this folder and returns its path.
fn table(folder: &Path) -> String {
    let path = folder.join("small.table");
    let path = path.to_str().expect("the folder's name is text").to_owned();
    let run = linesman([&SMALL[..], &["--save", &path, "-q"]].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    path
}

#[test]
fn nothing_is_overwritten_and_no_work_is_wasted() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = table(folder.path());
    let again = [&SMALL[..], &["--save", &path]].concat();
    check(&again, 2, "", &format!("error: `{path}` already exists\nhint: use `--force` to overwrite it\n"));
    let forced = linesman([&again[..], &["--force"]].concat());
    assert_eq!(forced.status, Some(0));
    assert_eq!(forced.stderr, format!("play by the table with `linesman bot perfect --table {path}`\n"));
    let nowhere = folder.path().join("none/small.table");
    let nowhere = nowhere.to_str().expect("the folder's name is text");
    check(
        &[&SMALL[..], &["--save", nowhere]].concat(),
        2,
        "",
        &format!("error: can't write `{nowhere}`\nhint: give `--save` a file in an existing directory\n"),
    );
}

#[test]
fn a_bot_plays_by_the_table() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let perfect = format!("linesman bot perfect --table {}", table(folder.path()));
    let out = folder.path().join("run");
    let run = linesman([
        "match",
        "--game",
        "quixo",
        "--options",
        "size=3",
        "--bot",
        &perfect,
        "--bot",
        "linesman bot random",
        "--games",
        "2",
        "--movetime",
        "30s",
        "--out",
        out.to_str().expect("the folder's name is text"),
    ]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let records = std::fs::read_to_string(out.join("games.jsonl")).expect("the games are kept");
    let games: Vec<serde_json::Value> =
        records.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect();
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game["reason"], "line", "{game}");
        // Seat 1 wins three-by-three games with perfect play.
        let first_is_perfect = game["seats"][0]["command"].as_str().is_some_and(|it| it.contains("perfect"));
        assert!(!first_is_perfect || game["places"] == serde_json::json!([1, 2]), "{game}");
    }
}

#[test]
fn a_bot_without_a_matching_table_reports_it() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    check(
        &["bot", "perfect"],
        2,
        "",
        "error: perfect needs a table: `--table FILE`\nhint: make one with `linesman solve quixo --options \
         size=4 --save FILE`\n",
    );
    check(
        &["bot", "greedy", "--table", "x"],
        2,
        "",
        "error: greedy has no option `--table`\nhint: leave out `--table`: only perfect uses a table\n",
    );
    let other = folder.path().join("other");
    std::fs::write(&other, "no table\n").expect("the folder can be written");
    let other = other.to_str().expect("the folder's name is text");
    check(
        &["bot", "perfect", "--table", other],
        2,
        "",
        &format!(
            "error: can't use the table `{other}`: it is not the table of a solved game (its first line \
             must be `linesman table 1`)\nhint: make a table with `linesman solve GAME --save FILE`\n"
        ),
    );
    let path = table(folder.path());
    let run = linesman([
        "match",
        "--game",
        "quixo",
        "--options",
        "size=4",
        "--bot",
        &format!("linesman bot perfect --table {path}"),
        "--bot",
        "linesman bot random",
        "--games",
        "1",
        "--movetime",
        "30s",
    ]);
    let words = "the table is for quixo size=3, not for quixo size=4";
    assert!(run.stderr.contains(words) || run.stdout.contains(words), "{}\n{}", run.stdout, run.stderr);
}
