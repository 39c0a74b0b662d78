//! Tests of `linesman games`: the list of games, one game with its options, wrong names.

use crate::support::{Run, linesman};

#[test]
fn one_game_is_shown_with_options_ranges_and_start() {
    let run = linesman(["games", "quixo"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(run.stdout, @r"
    Quixo: push rows of cubes until a full line shows your symbol

    seats  2
    start  ...../...../...../...../.....:1:0
    rules  linesman games quixo --rules

    option      default  takes                       about
    size        5        3 to 8                      the number of rows and columns
    max_plies   200      1 to 1000000, or 0 for off  the game ends after this many plies
    repetition  3        2 to 100, or 0 for off      the game ends when the same position comes up this many times

    5  .  .  .  .  .
    4  .  .  .  .  .
    3  .  .  .  .  .
    2  .  .  .  .  .
    1  .  .  .  .  .
       a  b  c  d  e
    ");
}

#[test]
fn every_game_is_in_the_list() {
    let run = linesman(["games"]);
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    for game in linesman::games::GAMES {
        assert!(run.stdout.lines().any(|line| line.starts_with(game.id)), "{}", run.stdout);
    }
    let json = linesman(["games", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&json.stdout).expect("stdout is JSON");
    let ids: Vec<&str> =
        list.as_array().expect("a list").iter().filter_map(|game| game["id"].as_str()).collect();
    let known: Vec<&str> = linesman::games::GAMES.iter().map(|game| game.id).collect();
    assert_eq!(ids, known);
    let csv = linesman(["games", "--format", "csv"]);
    assert_eq!(csv.stdout.lines().count(), 1 + known.len());
}

#[test]
fn the_json_of_a_game_names_options_with_their_ranges() {
    let run = linesman(["games", "quixo", "--json"]);
    let game: serde_json::Value = serde_json::from_str(&run.stdout).expect("stdout is JSON");
    assert_eq!(game["seats"], 2);
    assert_eq!(game["start"], "...../...../...../...../.....:1:0");
    assert_eq!(game["options"][0]["name"], "size");
    assert_eq!((&game["game"], &game["options"][0]["option"]), (&"quixo".into(), &"size".into()));
    assert_eq!(game["options"][0]["takes"], "3 to 8");
    assert_eq!(game["options"][0]["default"], 5);
    assert_eq!((&game["options"][0]["min"], &game["options"][0]["max"]), (&3.into(), &8.into()));
    assert_eq!(game["options"][2]["zero_is_off"], true);
}

#[test]
fn an_unknown_game_is_rejected_with_a_suggestion() {
    for arguments in [&["games", "quixxo"][..], &["inspect", "quixxo"], &["perft", "quixxo", "1"]] {
        let Run { status, stdout, stderr } = linesman(arguments);
        assert_eq!((status, stdout.as_str()), (Some(2), ""));
        assert!(
            stderr.starts_with("error: there is no game `quixxo`\nhint: did you mean `quixo`?\n"),
            "{stderr}"
        );
    }
}
