//! Tests of `linesman ratings`: tables, CSV and JSON from records, and what can't be rated.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::support::{Run, command, linesman_in};

const MEANING: &str = "Maximum-likelihood ratings: 100 points more than an opponent mean an expected score \
                       of 64 %. The 95 % intervals are those of the difference from ";
const EVEN_SEATS: &str = "The first seat is worth 0 Elo (-278 to 278).\n";
const MEAN: &str = "the mean of the bots, which is fixed at 1500.\n";

/// Returns a minimal record.
fn record(id: usize, game: &str, first: &str, second: &str, places: [u8; 2]) -> String {
    let seats = [first, second].map(|name| serde_json::json!({"name": name}));
    let record =
        serde_json::json!({"v": 1, "id": format!("g{id}"), "game": game, "seats": seats, "places": places});
    format!("{record}\n")
}

/// Returns records of games of Quixo, given as bots and places.
fn records(games: &[(&str, &str, [u8; 2])]) -> String {
    let numbered = games.iter().enumerate();
    numbered.map(|(id, (first, second, places))| record(id, "quixo", first, second, *places)).collect()
}

/// Returns records in which Ada wins three of four games against Bob from either seat.
fn three_of_four() -> String {
    let first = |places| ("Ada", "Bob", places);
    let second = |places| ("Bob", "Ada", places);
    records(&[
        first([1, 2]),
        first([1, 2]),
        first([1, 2]),
        first([2, 1]),
        second([1, 2]),
        second([2, 1]),
        second([2, 1]),
        second([2, 1]),
    ])
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
fn a_table_has_intervals_and_an_explanation() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    check(
        folder.path(),
        &["games.jsonl"],
        0,
        "\
#  bot   elo  95 % interval  games   score  wins  draws  losses
1  Ada  1595   1456 to 1734      8  75.0 %     6      0       2
2  Bob  1405   1266 to 1544      8  25.0 %     2      0       6
",
        &format!("{EVEN_SEATS}{MEANING}{MEAN}"),
    );
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Bob=1000", "--quiet"],
        0,
        "\
#  bot   elo  95 % interval  games   score  wins  draws  losses  note
1  Ada  1191    913 to 1469      8  75.0 %     6      0       2
2  Bob  1000          fixed      8  25.0 %     2      0       6  an anchor; its rating is fixed
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
name,elo,low,high,games,score,wins,draws,losses,group,note,bot,elo_low,elo_high
Ada,1595.424251,1456.423621,1734.424881,8,0.750000,6,0,2,1,,Ada,1456.423621,1734.424881
Bob,1404.575749,1265.575119,1543.576379,8,0.250000,2,0,6,1,,Bob,1265.575119,1543.576379
",
        "",
    );
    let mut found = json(folder.path(), &["games.jsonl"]);
    // This is 0 except for rounding.
    let advantage = found["first_seat_advantage"]["elo"].take();
    assert!(advantage.as_f64().is_some_and(|elo| elo.abs() < 1e-6), "{advantage}");
    let expected = serde_json::json!({
        "method": "likelihood",
        "game": "quixo",
        "games": 8,
        "mean": 1500.0,
        "anchors": [],
        "prior": "auto",
        "intervals": {"confidence": 0.95, "about": "mean", "from": "covariance"},
        "scale": {"expected_score_at_100": 0.640065, "elo_per_natural_unit": 173.717793, "of_strength": 1.0},
        "first_seat_advantage": {
            "elo": null, "interval": [-278.00126, 278.00126], "elo_low": -278.00126, "elo_high": 278.00126,
        },
        "seat_advantages": [],
        "draw_parameter": null,
        "tie_parameters": [null, null, null],
        "draw_parameters": [null, null, null],
        "groups": [{"group": 1, "bots": ["Ada", "Bob"], "prior_used": false}],
        "notes": [],
        "ratings": [
            {"name": "Ada", "bot": "Ada", "elo": 1595.424251, "interval": [1456.423621, 1734.424881],
             "elo_low": 1456.423621, "elo_high": 1734.424881, "strength": 0.549306,
             "games": 8, "score": 0.75, "wins": 6, "draws": 0, "losses": 2, "group": 1, "note": null},
            {"name": "Bob", "bot": "Bob", "elo": 1404.575749, "interval": [1265.575119, 1543.576379],
             "elo_low": 1265.575119, "elo_high": 1543.576379, "strength": -0.549306,
             "games": 8, "score": 0.25, "wins": 2, "draws": 0, "losses": 6, "group": 1, "note": null},
        ],
    });
    assert_eq!(found, expected);
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
#  bot   elo  95 % interval  games    score  wins  draws  losses  note
1  A    1631   1295 to 1967      1  100.0 %     1      0       0  won every game; its Elo depends on the prior
2  B    1369   1033 to 1705      1    0.0 %     0      0       1  lost every game; its Elo depends on the prior
"
    );
}

#[test]
fn perfect_bots_have_a_bound_without_a_prior() {
    let mut games =
        vec![("Ada", "Bob", [1, 2]), ("Ada", "Bob", [2, 1]), ("Bob", "Ada", [1, 2]), ("Bob", "Ada", [2, 1])];
    games.extend([("Top", "Ada", [1, 2]); 5]);
    let folder = folder(&[("games.jsonl", &records(&games))]);
    check(
        folder.path(),
        &["games.jsonl", "--prior", "none", "--quiet"],
        0,
        "\
#  bot     elo  95 % interval  games    score  wins  draws  losses  note
1  Ada    1500   1330 to 1670      9   22.2 %     2      0       7
2  Bob    1500   1330 to 1670      4   50.0 %     2      0       2
   Top  > 1703              -      5  100.0 %     5      0       0  won every game against the rated bots; no upper bound
",
        "",
    );
    let found = json(folder.path(), &["games.jsonl", "--prior", "none"]);
    let top = &found["ratings"][2];
    assert_eq!((&top["elo"], &top["interval"][1]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(top["interval"][0].as_f64().is_some_and(|low| (1702.9..1703.2).contains(&low)), "{top}");
    // By default the same bot has a finite rating and a note.
    let found = json(folder.path(), &["games.jsonl"]);
    let top = &found["ratings"][0];
    assert_eq!(
        (&top["name"], &top["note"]),
        (&"Top".into(), &"won every game; its Elo depends on the prior".into())
    );
    assert!(top["elo"].as_f64().is_some_and(f64::is_finite));
    assert_eq!(found["groups"][0]["prior_used"], true);
}

#[test]
fn bots_that_never_met_are_in_separate_tables_and_named() {
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
    assert_eq!(last, "   Fay    -              -      0      -     0      0       0  no games");
    let notes: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(
        notes[..3],
        [
            "no games connect group 2 to group 1, so their ratings can't be compared: Dan, Eve",
            "no games: Fay",
            "Games of some kind were all drawn, so their draw rate would be infinite. To keep it finite, half a draw and half a \
             decisive game are added.",
        ]
    );
    assert!(
        run.stderr.ends_with(&format!("{MEANING}{}", MEAN.replace("the bots", "the bots of its group"))),
        "{}",
        run.stderr
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
fn incremental_ratings_take_the_games_in_order() {
    let folder = folder(&[("games.jsonl", &records(&[("Ada", "Bob", [1, 2]), ("Bob", "Ada", [1, 2])]))]);
    check(
        folder.path(),
        &["games.jsonl", "--method", "incremental", "--k", "32"],
        0,
        "\
#  bot   elo  95 % interval  games   score  wins  draws  losses
1  Bob  1501              -      2  50.0 %     1      0       1
2  Ada  1499              -      2  50.0 %     1      0       1
",
        "Incremental ratings in the order of the records: every bot began with 1500, and a game changed a \
         rating by at most 32. There are no intervals.\n",
    );
    let found = json(folder.path(), &["games.jsonl", "--method", "incremental"]);
    // 1510 loses to 1490, and 20 * 0.528751 points change hands.
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
        "warning: games.jsonl:10: the last line is incomplete (45 bytes) and was ignored\n\
         warning: 1 record does not count: an earlier one has the same id\n"
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
        "error: the records are of several games: `quixo` (8), `trexo` (1)\nhint: choose one with `--game \
         ID`, since strength at one game says nothing about another\n",
    );
    assert_eq!(json(folder.path(), &["games.jsonl", "--game", "trexo"])["games"], 1);
    check(
        folder.path(),
        &["games.jsonl", "--game", "trexxo"],
        2,
        "",
        "error: the records have no games of `trexxo`, but of `quixo` (8), `trexo` (1)\nhint: did you mean \
         `trexo`?\n",
    );
}

#[test]
fn games_of_three_seats_are_rated_by_places() {
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
    assert!(table.stderr.contains("In games of 3 seats, seat 2 is worth"), "{}", table.stderr);
}

#[test]
fn games_with_too_many_seats_are_rejected() {
    let five = r#"{"v":1,"id":"g1","game":"tandem","seats":[{"name":"A"},{"name":"B"},{"name":"C"},{"name":"D"},{"name":"E"}],"places":[1,2,3,4,5]}"#;
    let folder = folder(&[("games.jsonl", five)]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("games.jsonl:1"), "{}", run.stderr);
}

#[test]
fn no_games_are_an_empty_table() {
    let folder = folder(&[("games.jsonl", "")]);
    check(folder.path(), &["games.jsonl"], 0, "", "there is no game with a result\n");
    assert_eq!(json(folder.path(), &["games.jsonl"])["ratings"], serde_json::json!([]));
}

#[test]
fn non_records_are_named_with_file_and_line() {
    let text = [three_of_four(), "white,black,1-0\n".to_owned()].concat();
    let folder = folder(&[("games.jsonl", &text)]);
    let hint = "hint: restore the line, or delete it with `sed -i.bak '9d' games.jsonl` (a league then \
                plays its game again; a Swiss or knockout tournament also plays later games again if their pairings \
                change)\n";
    check(
        folder.path(),
        &["games.jsonl"],
        2,
        "",
        &format!("error: the line is not JSON: expected value\n  --> games.jsonl:9:1\n{hint}"),
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
fn conflicting_options_are_rejected() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    for (option, value, method, other) in [
        ("--k", "10", "likelihood", "incremental"),
        ("--anchor", "Ada", "incremental", "likelihood"),
        ("--prior", "none", "incremental", "likelihood"),
        ("--bootstrap", "10", "weng-lin", "likelihood"),
    ] {
        check(
            folder.path(),
            &["games.jsonl", option, value, "--method", method],
            2,
            "",
            &format!(
                "error: `{option}` works only with `--method {other}`\nhint: leave out `{option}`, or use \
                 `--method {other}`\n"
            ),
        );
    }
    check(
        folder.path(),
        &["games.jsonl", "--los", "--format", "csv"],
        2,
        "",
        "error: `--los` can't be printed as CSV\nhint: use `--format json` or `--format table`\n",
    );
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Ada=1200", "--anchor", "Ada=1300"],
        2,
        "",
        "error: `Ada` is given as an anchor twice\nhint: leave out one `--anchor`\n",
    );
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Adda=1200"],
        2,
        "",
        "error: the anchor `Adda` has no games\nhint: did you mean `Ada`?\n",
    );
    // There is no suggestion for a single letter.
    check(
        folder.path(),
        &["games.jsonl", "--anchor", "Q=1200"],
        2,
        "",
        "error: the anchor `Q` has no games\n",
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
fn names_from_records_cannot_reach_the_terminal_raw() {
    let folder = folder(&[("games.jsonl", &records(&[("\u{1b}[2Jx", "Bob", [1, 1])]))]);
    let run = linesman_in(folder.path(), ["ratings", "games.jsonl"]);
    assert!(run.stdout.contains("\\u{1b}[2Jx") && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
}

/// Returns games of three bots with openings, each pair of games from the same one.
fn paired() -> String {
    let bots = [("Ada", "Bob"), ("Bob", "Cyd"), ("Cyd", "Ada")];
    let scores = [[[1, 2], [2, 1]], [[1, 2], [1, 2]], [[1, 1], [2, 1]], [[2, 1], [2, 1]], [[1, 2], [1, 1]]];
    let mut text = String::new();
    for number in 0..30 {
        let (one, other) = bots[number % 3];
        for (game, places) in scores[number % 5].iter().enumerate() {
            let [first, second] = if game == 0 { [one, other] } else { [other, one] };
            let record = serde_json::json!({
                "v": 1, "id": format!("g{number}/{game}"), "game": "quixo", "pair": format!("p{number}"),
                "seats": [{"name": first}, {"name": second}], "places": places,
                "moves": [format!("a{number}"), format!("b{game}")],
            });
            text.push_str(&format!("{record}\n"));
        }
    }
    text
}

#[test]
fn games_of_a_pair_count_together_and_repeated_games_do_not_count() {
    let text = paired();
    let alone = text.replace("\"pair\"", "\"other\"");
    // The same games under other names, and again without moves.
    let again = alone.replace("\"id\":\"g", "\"id\":\"again");
    let blind = again.replace("\"moves\"", "\"hidden\"");
    let folder = folder(&[("pairs", &text), ("alone", &alone), ("again", &again), ("blind", &blind)]);
    let of = |files: &[&str]| json(folder.path(), files);
    let ends = |found: &serde_json::Value| found["ratings"][0]["interval"].clone();
    let (pairs, alone) = (of(&["pairs"]), of(&["alone"]));
    assert_eq!(pairs["ratings"][0]["elo"], alone["ratings"][0]["elo"]);
    assert_ne!(ends(&pairs), ends(&alone));
    let repeated = of(&["alone", "again"]);
    assert_eq!(ends(&repeated), ends(&alone));
    assert_eq!(
        repeated["notes"],
        serde_json::json!([
            "60 of 120 games repeat earlier ones move for move, which adds no information and narrows no \
             interval"
        ])
    );
    assert_ne!(ends(&of(&["alone", "blind"])), ends(&alone));
}

#[test]
fn the_bootstrap_is_the_same_for_the_same_seed() {
    let folder = folder(&[("games.jsonl", &paired())]);
    let of = |seed: &str| json(folder.path(), &["games.jsonl", "--bootstrap", "50", "--seed", seed]);
    assert_eq!(of("1"), of("1"));
    assert_ne!(of("1")["ratings"], of("2")["ratings"]);
    assert_eq!(
        of("2")["intervals"],
        serde_json::json!({"confidence": 0.95, "about": "mean", "from": "bootstrap", "resamples": 50, "seed": 2})
    );
    let table = linesman_in(folder.path(), ["ratings", "games.jsonl", "--bootstrap", "20"]);
    assert!(
        table.stderr.contains("The 95 % intervals (from 20 resamples of the games, seed 1)"),
        "{}",
        table.stderr
    );
}

#[test]
fn the_likelihood_of_superiority_is_a_matrix() {
    let folder = folder(&[("games.jsonl", &three_of_four())]);
    check(
        folder.path(),
        &["games.jsonl", "--los", "--quiet"],
        0,
        "\
#  bot   elo  95 % interval  games   score  wins  draws  losses
1  Ada  1595   1456 to 1734      8  75.0 %     6      0       2
2  Bob  1405   1266 to 1544      8  25.0 %     2      0       6

Likelihood (in %) that the bot of the row is stronger than the bot of the column
#  bot  1   2
1  Ada     91
2  Bob  9
",
        "",
    );
    // 190.85 Elo with a standard error of 141.84.
    let found = json(folder.path(), &["games.jsonl", "--los"]);
    assert_eq!(found["los"], serde_json::json!([[null, 0.910771], [0.089229, null]]));
}

#[test]
fn several_anchors_keep_their_ratings() {
    let folder = folder(&[("games.jsonl", &paired())]);
    let found = json(folder.path(), &["games.jsonl", "--anchor", "Ada=1800", "--anchor", "Bob=1700"]);
    let of = |name: &str| {
        let rows = found["ratings"].as_array().expect("an array");
        rows.iter().find(|row| row["name"] == name).expect("listed").clone()
    };
    assert_eq!((of("Ada")["elo"].clone(), of("Bob")["elo"].clone()), (1800.0.into(), 1700.0.into()));
    assert_eq!(of("Ada")["interval"], serde_json::json!([1800.0, 1800.0]));
    assert!(of("Cyd")["elo"].is_f64());
    assert_eq!(
        (found["anchors"].as_array().map(Vec::len), &found["intervals"]["about"]),
        (Some(2), &"anchors".into())
    );
}

#[test]
fn members_of_teams_are_rated_and_permanent_teammates_as_one() {
    let mut text = String::new();
    let sides = [["a", "b"], ["a", "c"], ["b", "c"]];
    for number in 0..24 {
        let [one, mate] = sides[number % 3];
        let seats = if number % 2 == 0 { [one, "x", mate, "y"] } else { ["x", one, "y", mate] };
        let won = [[1, 2, 1, 2], [2, 1, 2, 1]][usize::from(number % 8 < 3)];
        let seats = seats.map(|name| serde_json::json!({"name": name}));
        let record = serde_json::json!({"v": 1, "id": number.to_string(), "game": "quixo-teams", "seats": seats, "places": won});
        text.push_str(&format!("{record}\n"));
    }
    let folder = folder(&[("games.jsonl", &text)]);
    let found = json(folder.path(), &["games.jsonl"]);
    let mut names: Vec<&str> = (found["ratings"].as_array().expect("an array").iter())
        .map(|row| row["name"].as_str().expect("a name"))
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "x+y"]);
    assert!(found["ratings"].as_array().expect("an array").iter().all(|row| row["elo"].is_f64()));
    assert_eq!(found["notes"][0], "x, y always played together and are rated as one");
}

#[test]
fn online_ratings_have_uncertainties() {
    let folder = folder(&[("games.jsonl", &paired())]);
    let found = json(folder.path(), &["games.jsonl", "--method", "weng-lin"]);
    assert_eq!((&found["method"], &found["intervals"]["from"]), (&"weng-lin".into(), &"uncertainty".into()));
    let rows = found["ratings"].as_array().expect("an array");
    assert!(rows.iter().all(|row| row["elo"].is_f64() && row["interval"][0].as_f64() < row["elo"].as_f64()));
    let table = linesman_in(folder.path(), ["ratings", "games.jsonl", "--method", "weng-lin"]);
    assert!(table.stderr.starts_with("Online ratings in the order of the records"), "{}", table.stderr);
}
