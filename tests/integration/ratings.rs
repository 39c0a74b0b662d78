//! `linesman ratings`: tables, CSV and JSON from records, and what can't be rated.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::support::{Run, command, linesman_in};

const MEANING: &str = "These ratings make all the results most likely: 100 points above an opponent is an \
                       expected score of 64 %, and the intervals (95 %) are about the difference to ";
const MEAN: &str = "the mean of the bots, which is set to 1500.\n";

/// A record of the smallest kind.
fn record(id: usize, game: &str, first: &str, second: &str, places: [u8; 2]) -> String {
    let seats = [first, second].map(|name| serde_json::json!({"name": name}));
    let record =
        serde_json::json!({"v": 1, "id": format!("g{id}"), "game": game, "seats": seats, "places": places});
    format!("{record}\n")
}

/// Records of games of Quixo: who met whom, and the places.
fn records(games: &[(&str, &str, [u8; 2])]) -> String {
    let numbered = games.iter().enumerate();
    numbered.map(|(id, (first, second, places))| record(id, "quixo", first, second, *places)).collect()
}

/// Ada wins three of four games against Bob, from both seats.
fn three_of_four() -> String {
    records(&[("Ada", "Bob", [1, 2]), ("Bob", "Ada", [2, 1]), ("Ada", "Bob", [1, 2]), ("Bob", "Ada", [1, 2])])
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file can be written");
    }
    folder
}

#[track_caller]
fn check(folder: &Path, arguments: &[&str], status: i32, stdout: &str, stderr: &str) {
    let run = linesman_in(folder, [&["ratings"], arguments].concat());
    let expected = Run { status: Some(status), stdout: stdout.to_owned(), stderr: stderr.to_owned() };
    assert_eq!(run, expected, "{arguments:?}");
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let run = linesman_in(folder, [&["ratings"], arguments, &["--json"]].concat());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("stdout is JSON")
}

#[test]
fn a_table_with_intervals_and_what_it_means() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    check(
        folder.path(),
        &["games.jsonl"],
        0,
        "\
#  bot   elo  95 % interval  games   score  won  drawn  lost
1  Ada  1595   1399 to 1792      4  75.0 %    3      0     1
2  Bob  1405   1208 to 1601      4  25.0 %    1      0     3
",
        &format!("{MEANING}{MEAN}"),
    );
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Bob=1000", "--quiet"],
        0,
        "\
#  bot   elo  95 % interval  games   score  won  drawn  lost  note
1  Ada  1191    798 to 1584      4  75.0 %    3      0     1
2  Bob  1000          given      4  25.0 %    1      0     3  the anchor: its rating was given
",
        "",
    );
}

#[test]
fn csv_and_json_hold_the_same_numbers() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    check(
        folder.path(),
        &["games.jsonl", "--format", "csv"],
        0,
        "\
name,elo,low,high,games,score,wins,draws,losses,group,note
Ada,1595.424251,1398.847675,1792.000827,4,0.75,3,0,1,1,
Bob,1404.575749,1207.999173,1601.152325,4,0.25,1,0,3,1,
",
        "",
    );
    let expected = serde_json::json!({
        "method": "likelihood",
        "game": "quixo",
        "games": 4,
        "mean": 1500.0,
        "anchor": null,
        "prior": "auto",
        "scale": {"expected_score_at_100": 0.640065, "elo_per_natural_unit": 173.717793},
        "seat_advantages": [],
        "groups": [{"group": 1, "bots": ["Ada", "Bob"], "prior_used": false}],
        "notes": [],
        "ratings": [
            {"name": "Ada", "elo": 1595.424251, "interval": [1398.847675, 1792.000827], "games": 4, "score": 0.75,
             "wins": 3, "draws": 0, "losses": 1, "group": 1, "note": null},
            {"name": "Bob", "elo": 1404.575749, "interval": [1207.999173, 1601.152325], "games": 4, "score": 0.25,
             "wins": 1, "draws": 0, "losses": 3, "group": 1, "note": null},
        ],
    });
    assert_eq!(json(folder.path(), &["games.jsonl"]), expected);
}

#[test]
fn the_smallest_record_from_the_standard_input() {
    let folder = folder(&[]);
    let smallest = r#"{"v":1,"id":"g1","game":"quixo","seats":[{"name":"A"},{"name":"B"}],"places":[1,2]}"#;
    let mut child = command(folder.path())
        .args(["ratings", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built with the tests");
    let mut input = child.stdin.take().expect("it is a pipe");
    input.write_all(smallest.as_bytes()).expect("the binary reads");
    drop(input);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "\
#  bot   elo  95 % interval  games    score  won  drawn  lost  note
1  A    1631   1295 to 1967      1  100.0 %    1      0     0  won all its games: the number is the prior's
2  B    1369   1033 to 1705      1    0.0 %    0      0     1  lost all its games: the number is the prior's
"
    );
}

#[test]
fn perfect_bots_have_a_bound_without_a_prior() {
    let mut games = vec![("Ada", "Bob", [1, 2]), ("Bob", "Ada", [1, 2])];
    games.extend([("Top", "Ada", [1, 2]); 5]);
    let folder = folder(&[("games.jsonl", &records(&games))]);
    check(
        folder.path(),
        &["games.jsonl", "--prior", "none", "--quiet"],
        0,
        "\
#  bot   elo  95 % interval  games    score  won  drawn  lost  note
1  Ada  1500   1259 to 1741      7   14.3 %    1      0     6
2  Bob  1500   1259 to 1741      2   50.0 %    1      0     1
   Top     -     above 1703      5  100.0 %    5      0     0  won all its games against the rated bots: no upper bound
",
        "",
    );
    let found = json(folder.path(), &["games.jsonl", "--prior", "none"]);
    let top = &found["ratings"][2];
    assert_eq!((&top["elo"], &top["interval"][1]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(top["interval"][0].as_f64().is_some_and(|low| (1702.9..1703.2).contains(&low)), "{top}");
    // By default the same bot is finite and says why.
    let found = json(folder.path(), &["games.jsonl"]);
    let top = &found["ratings"][0];
    assert_eq!(
        (&top["name"], &top["note"]),
        (&"Top".into(), &"won all its games: the number is the prior's".into())
    );
    assert!(top["elo"].as_f64().is_some_and(f64::is_finite));
    assert_eq!(found["groups"][0]["prior_used"], true);
}

#[test]
fn bots_that_never_met_stand_in_tables_of_their_own_and_are_named() {
    let mut text = records(&[
        ("Ada", "Bob", [1, 1]),
        ("Bob", "Cyd", [1, 1]),
        ("Cyd", "Ada", [1, 1]),
        ("Dan", "Eve", [1, 1]),
    ]);
    text.push_str(
        r#"{"v":1,"id":"void","game":"quixo","seats":[{"name":"Ada"},{"name":"Fay"}],"void":{"kind":"no_bot_played"}}"#,
    );
    let folder = folder(&[("games.jsonl", &text)]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert_eq!(run.status, Some(0));
    let titles: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("Group")).collect();
    assert_eq!(titles, ["Group 1", "Group 2"]);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert_eq!(last, "   Fay    -              -      0      -    0      0     0  no games");
    assert_eq!(
        run.stderr,
        format!(
            "note: group 2 is not connected by games to group 1, its ratings can't be compared with those: Dan, Eve\n\
             note: without games: Fay\n{MEANING}{MEAN}"
        )
    );
}

#[test]
fn the_order_of_files_and_games_changes_nothing() {
    let one = records(&[("Ada", "Bob", [1, 2]), ("Bob", "Cyd", [1, 1]), ("Cyd", "Ada", [1, 2])]);
    let other: String =
        [record(7, "quixo", "Bob", "Ada", [1, 2]), record(8, "quixo", "Cyd", "Bob", [2, 1])].concat();
    let mixed: String = other.lines().chain(one.lines()).rev().map(|line| format!("{line}\n")).collect();
    let folder = folder(&[("one", &one), ("other", &other), ("mixed", &mixed)]);
    let of =
        |files: &[&str]| linesman_in(folder.path(), [&["ratings", "--format", "csv"], files].concat()).stdout;
    assert_eq!(of(&["one", "other"]).lines().count(), 4);
    assert_eq!(of(&["one", "other"]), of(&["other", "one"]));
    assert_eq!(of(&["one", "other"]), of(&["mixed"]));
}

#[test]
fn incremental_ratings_go_through_the_games_in_their_order() {
    let folder = folder(&[("games.jsonl", &records(&[("Ada", "Bob", [1, 2]), ("Bob", "Ada", [1, 2])]))]);
    check(
        folder.path(),
        &["games.jsonl", "--method", "incremental", "--k", "32"],
        0,
        "\
#  bot   elo  95 % interval  games   score  won  drawn  lost
1  Bob  1501              -      2  50.0 %    1      0     1
2  Ada  1499              -      2  50.0 %    1      0     1
",
        "Running ratings in the order of the records: everybody began with 1500, a game changed a rating by at most 32, \
         and no interval can be given.\n",
    );
    let found = json(folder.path(), &["games.jsonl", "--method", "incremental"]);
    // 1510 meets 1490, loses, and 20 * 0.528751 change hands.
    assert_eq!(found["ratings"][0]["elo"], 1500.575011);
    assert_eq!((&found["ratings"][0]["interval"], &found["k"]), (&serde_json::Value::Null, &20.0.into()));
}

#[test]
fn records_that_do_not_count_are_reported() {
    let mut text = three_of_four();
    text.push_str(&record(0, "quixo", "Ada", "Bob", [2, 1]));
    text.push_str(r#"{"v":1,"id":"g9","game":"quixo","seats":[{"na"#);
    let folder = folder(&[("games.jsonl", &text)]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl", "--format", "csv"]);
    assert_eq!(run.status, Some(0));
    assert!(run.stdout.contains("\nAda,1595.424251,"), "{}", run.stdout);
    assert_eq!(
        run.stderr,
        "warning: games.jsonl:6: the last line was not written to its end (45 bytes) and is no record\n\
         warning: one record does not count: an earlier one has the same id\n"
    );
}

#[test]
fn several_games_are_not_mixed() {
    let text = [three_of_four(), record(20, "trexo", "Ada", "Bob", [2, 1])].concat();
    let folder = folder(&[("games.jsonl", &text)]);
    check(
        folder.path(),
        &["games.jsonl"],
        2,
        "",
        "error: the records hold several games: `quixo` (4), `trexo` (1)\n\
         hint: strength at one game says nothing about another; choose one with `--game ID`\n",
    );
    assert_eq!(json(folder.path(), &["games.jsonl", "--game", "trexo"])["games"], 1);
    check(
        folder.path(),
        &["games.jsonl", "--game", "trexxo"],
        2,
        "",
        "error: the records hold no game of `trexxo`, but of `quixo` (4), `trexo` (1)\nhint: did you mean `trexo`?\n",
    );
}

#[test]
fn games_of_three_seats_are_rated_by_the_order_in_which_bots_came_in() {
    let bots = ["Ada", "Bob", "Cleo"];
    let mut text = String::new();
    for (id, (turn, places)) in
        [(0, [1, 2, 3]), (1, [1, 3, 2]), (2, [1, 2, 2]), (0, [3, 1, 2]), (1, [2, 1, 3])]
            .into_iter()
            .enumerate()
    {
        let seats: Vec<_> = (0..3).map(|seat| serde_json::json!({"name": bots[(seat + turn) % 3]})).collect();
        let record = serde_json::json!({"v": 1, "id": format!("g{id}"), "game": "tandem", "seats": seats, "places": places});
        text.push_str(&format!("{record}\n"));
    }
    let folder = folder(&[("games.jsonl", &text)]);
    let rated = json(folder.path(), &["games.jsonl"]);
    let score = |bot: &str| {
        let rows = rated["ratings"].as_array().expect("an array");
        let row = rows.iter().find(|row| row["name"] == bot).expect("the bot is listed");
        (row["games"].as_u64(), row["score"].as_f64(), row["elo"].is_f64())
    };
    // Ada: first, second, shared second, last, last.
    assert_eq!(score("Ada"), (Some(5), Some(0.35), true));
    assert_eq!(score("Bob"), (Some(5), Some(0.65), true));
    assert_eq!(score("Cleo"), (Some(5), Some(0.5), true));
    let seats = rated["seat_advantages"].as_array().expect("an array");
    let seats: Vec<_> = seats.iter().map(|seat| (seat["seats"].as_u64(), seat["seat"].as_u64())).collect();
    assert_eq!(seats, [(Some(3), Some(2)), (Some(3), Some(3))]);
    let table = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert_eq!(table.status, Some(0));
    assert!(table.stderr.contains("Of 3 seats, seat 2 is worth"), "{}", table.stderr);
}

#[test]
fn games_with_more_seats_than_any_game_are_refused() {
    let five = r#"{"v":1,"id":"g1","game":"tandem","seats":[{"name":"A"},{"name":"B"},{"name":"C"},{"name":"D"},{"name":"E"}],"places":[1,2,3,4,5]}"#;
    let folder = folder(&[("games.jsonl", five)]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("games.jsonl:1"), "{}", run.stderr);
}

#[test]
fn no_games_are_an_empty_table() {
    let folder = folder(&[("games.jsonl", "")]);
    check(folder.path(), &["games.jsonl"], 0, "", "no game with a result\n");
    assert_eq!(json(folder.path(), &["games.jsonl"])["ratings"], serde_json::json!([]));
}

#[test]
fn what_is_no_record_is_named_with_file_and_line() {
    let text = [three_of_four(), "white,black,1-0\n".to_owned()].concat();
    let folder = folder(&[("games.jsonl", &text)]);
    let hint = "hint: a file of records has one JSON object a line; see protocol/RECORD.md\n";
    check(
        folder.path(),
        &["games.jsonl"],
        2,
        "",
        &format!("error: the line is not JSON: expected value\n  --> games.jsonl:5:1\n{hint}"),
    );
    check(
        folder.path(),
        &["missing.jsonl"],
        2,
        "",
        "error: can't read `missing.jsonl`\ncaused by: No such file or directory (os error 2)\n",
    );
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    for (option, value, method, other) in [
        ("--k", "10", "likelihood", "incremental"),
        ("--anchor", "Ada", "incremental", "likelihood"),
        ("--prior", "none", "incremental", "likelihood"),
    ] {
        check(
            folder.path(),
            &["games.jsonl", option, value, "--method", method],
            2,
            "",
            &format!(
                "error: `{option}` is for `--method {other}` only\nhint: leave out `{option}`, or choose `--method {other}`\n"
            ),
        );
    }
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Adda=1200"],
        2,
        "",
        "error: the anchor `Adda` has no games\nhint: did you mean `Ada`?\n",
    );
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Ada=high"],
        2,
        "",
        "error: the rating `high` in `--anchor Ada=high` is not a number\n",
    );
    for (option, value) in [("--mean", "nan"), ("--mean", "inf"), ("--k", "0")] {
        let run = linesman_in(folder.path(), ["ratings", "games.jsonl", option, value]);
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{option} {value}");
        assert!(run.stderr.contains(option), "{}", run.stderr);
    }
}

#[test]
fn names_from_records_can_not_reach_the_terminal_raw() {
    let folder = folder(&[("games.jsonl", &records(&[("\u{1b}[2Jx", "Bob", [1, 1])]))]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert!(run.stdout.contains("\\u{1b}[2Jx") && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
}
