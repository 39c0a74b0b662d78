//! Tests of `linesman inspect`: positions for people and for programs.

use crate::support::{Run, linesman};

fn json(arguments: &[&str]) -> serde_json::Value {
    let run = linesman([&["inspect", "quixo", "--json"], arguments].concat());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    serde_json::from_str(&run.stdout).expect("stdout is JSON")
}

#[test]
fn the_start_is_shown() {
    let run = linesman(["inspect", "quixo"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @r"
    5  .  .  .  .  .
    4  .  .  .  .  .
    3  .  .  .  .  .
    2  .  .  .  .  .
    1  .  .  .  .  .
       a  b  c  d  e
    token    ...../...../...../...../.....:1:0
    ply      0
    to move  seat 1
    legal    44: a1a5 a1e1 a2a1 a2a5 a2e2 a3a1 a3a5 a3e3 a4a1 a4a5 a4e4 a5a1 a5e5
             b1a1 b1b5 b1e1 b5a5 b5b1 b5e5 c1a1 c1c5 c1e1 c5a5 c5c1 c5e5 d1a1 d1d5
             d1e1 d5a5 d5d1 d5e5 e1a1 e1e5 e2a2 e2e1 e2e5 e3a3 e3e1 e3e5 e4a4 e4e1
             e4e5 e5a5 e5e1
    outcome  none yet
    ");
}

#[test]
fn all_shows_every_position_from_the_first_on() {
    let run = linesman([
        "inspect",
        "quixo",
        "--options",
        "size=3",
        "--position",
        "x.o/.../x..:2:3",
        "--moves",
        "c3c1 a2c2",
        "--all",
    ]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @r"
    3  x  .  o
    2  .  .  .
    1  x  .  .
       a  b  c
    token    x.o/.../x..:2:3
    ply      3
    to move  seat 2
    legal    16: a2a1 a2a3 a2c2 b1a1 b1b3 b1c1 b3a3 b3b1 b3c3 c1a1 c1c3 c2a2 c2c1
             c2c3 c3a3 c3c1
    outcome  none yet

    after move 1, c3c1
    3  x  . (.)
    2  .  .  .
    1  x  . [o]
       a  b  c
    ( taken   [ put
    token    x../.../x.o:1:4
    ply      4
    to move  seat 1
    legal    18: a1a3 a1c1 a2a1 a2a3 a2c2 a3a1 a3c3 b1a1 b1b3 b1c1 b3a3 b3b1 b3c3
             c2a2 c2c1 c2c3 c3a3 c3c1
    outcome  none yet

    after move 2, a2c2
    3  x  .  .
    2 (.) . [x]
    1  x  .  o
       a  b  c
    ( taken   [ put
    token    x../..x/x.o:2:5
    ply      5
    to move  seat 2
    legal    13: a2a1 a2a3 a2c2 b1a1 b1b3 b1c1 b3a3 b3b1 b3c3 c1a1 c1c3 c3a3 c3c1
    outcome  none yet
    ");
}

#[test]
fn a_finished_game_shows_line_and_outcome() {
    let run = linesman([
        "inspect",
        "quixo",
        "--options",
        "size=3",
        "--position",
        "xx./.o./o..:1:4",
        "--moves",
        "c2c3",
    ]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @r"
    after move 1, c2c3
    3 {x}{x}[x}
    2  .  o (.)
    1  o  .  .
       a  b  c
    ( taken   [ put   } line
    token    xxx/.o./o..:2:5
    ply      5
    to move  nobody
    legal    0
    outcome  seat 1 wins: seat 1 has made a full line of `x`: a3 to c3; reason line,
             places 1,2
    ");
}

#[test]
fn json_of_a_position() {
    let position = json(&["--options", "size=3", "--moves", "b1b3"]);
    let legal = [
        "a1a3", "a1c1", "a2a1", "a2a3", "a2c2", "a3a1", "a3c3", "b1a1", "b1b3", "b1c1", "c1a1", "c1c3",
        "c2a2", "c2c1", "c2c3", "c3a3", "c3c1",
    ];
    let expected = serde_json::json!({
        "token": ".x./.../...:2:1", "to_move": 2, "ply": 1, "legal": legal, "outcome": null, "why": null,
    });
    assert_eq!(position, expected);
}

#[test]
fn json_of_all_positions() {
    let positions =
        json(&["--options", "size=3", "--position", "xx./.o./o..:1:4", "--moves", "c2c3", "--all"]);
    let positions = positions.as_array().expect("an array");
    assert_eq!(positions.len(), 2);
    assert_eq!((&positions[0]["ply"], &positions[0]["outcome"]), (&4.into(), &serde_json::Value::Null));
    let end = serde_json::json!({
        "token": "xxx/.o./o..:2:5", "to_move": 2, "ply": 5, "legal": [],
        "outcome": {"places": [1, 2], "reason": "line"},
        "why": "seat 1 has made a full line of `x`: a3 to c3",
    });
    assert_eq!(positions[1], end);
    assert_eq!(json(&["--all"]).as_array().map(Vec::len), Some(1));
}

#[test]
fn limits_on_endless_play_end_games() {
    let outcome =
        |options: &str, moves: &str| json(&["--options", options, "--moves", moves])["outcome"].clone();
    let tie = |reason: &str| serde_json::json!({"places": [1, 1], "reason": reason});
    assert_eq!(outcome("max_plies=2", "a1a5 e1e5"), tie("max_plies"));
    assert_eq!(outcome("max_plies=3", "a1a5 e1e5"), serde_json::Value::Null);
    // Each seat's cubes go down and up again, and the position after two plies recurs.
    let cycle = "a5a1 e5e1 a1a5 e1e5";
    let moves = |cycles| format!("a1a5 e1e5 {}", vec![cycle; cycles].join(" "));
    assert_eq!(outcome("repetition=2", "a1a5 e1e5 a5a1 e5e1 a1a5"), serde_json::Value::Null);
    assert_eq!(outcome("repetition=2", &moves(1)), tie("repetition"));
    assert_eq!(outcome("repetition=3", &moves(1)), serde_json::Value::Null);
    assert_eq!(outcome("repetition=3", &moves(2)), tie("repetition"));
    assert_eq!(outcome("repetition=0", &moves(9)), serde_json::Value::Null);
    // Repetition has priority over the length of the game.
    assert_eq!(outcome("repetition=2,max_plies=6", &moves(1)), tie("repetition"));
    // The start position counts as the first occurrence.
    let from =
        ["--position", "x...o/...../...../...../.....:1:2", "--options", "repetition=2", "--moves", cycle];
    assert_eq!(json(&from)["outcome"], tie("repetition"));
}

#[track_caller]
fn refused(arguments: &[&str], status: i32, stderr: &str) {
    let run = linesman([&["inspect", "quixo"], arguments].concat());
    let expected = Run { status: Some(status), stdout: String::new(), stderr: stderr.to_owned() };
    assert_eq!(run, expected, "{arguments:?}");
    let run = linesman([&["inspect", "quixo", "--json", "--all"], arguments].concat());
    assert_eq!(run, expected, "{arguments:?}");
}

#[test]
fn an_illegal_move_is_named_by_its_number() {
    refused(
        &["--moves", "c1c5 c3c1 a1a5"],
        1,
        "error: move 2, `c3c1`, can't be played: `c3` is not on the border; only cubes on the border may be taken\n",
    );
    refused(
        &["--moves", "c1c5 hello"],
        1,
        "error: move 2, `hello`, can't be played: a move is two squares from `a1` to `e5`, where a cube is taken and where it is put back, such as `a1a5`\n",
    );
    refused(
        &["--options", "size=3", "--position", "xxx/.o./o..:2:5", "--moves", "a1a3"],
        1,
        "error: move 1, `a1a3`, can't be played: the game is over\n",
    );
    refused(
        &["--options", "max_plies=1", "--moves", "a1a5 e1e5"],
        1,
        "error: move 2, `e1e5`, can't be played: the game is over\n",
    );
}

#[test]
fn unreadable_input_is_wrong_usage() {
    refused(
        &["--position", "xxxxx:1:0"],
        2,
        "error: can't read the position `xxxxx:1:0`\ncaused by: there are 1 rows, not 5 (field 1)\n",
    );
    refused(
        &["--options", "sice=4"],
        2,
        "error: there is no option `sice`\nhint: did you mean `size`?\nhint: run `linesman games \
         quixo` to list the options\n",
    );
    refused(
        &["--options", "size=2"],
        2,
        "error: option `size` can't be `2`: it must be 3 to 8\nhint: run `linesman games quixo` to \
         list the options\n",
    );
    refused(
        &["--position", "\u{1b}[2J"],
        2,
        "error: can't read the position `\\u{1b}[2J`\ncaused by: a position consists of the rows, the seat to move and the ply, joined by `:` (1 of 3 fields)\n",
    );
}

#[test]
fn a_position_can_be_written_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("position.svg");
    let write = |more: &[&str]| {
        let mut arguments =
            vec!["inspect", "kengu", "--moves", "a1r a1b1/c2r", "--svg", path.to_str().unwrap()];
        arguments.extend(more);
        linesman(&arguments)
    };
    let output = write(&[]);
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    let picture = std::fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(picture.contains("kengu after move 2, a1b1/c2r"), "{picture}");
    let again = write(&[]);
    assert_eq!(again.status, Some(2));
    assert!(again.stderr.contains("already exists") && again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(write(&["--force"]).status, Some(0));
}
