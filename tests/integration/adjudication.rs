//! Tests of adjudication: games that the referee decides before the rules do.

use serde_json::Value;

use crate::support::bots::{records, shell_bot, tournament, without_checks};
use crate::support::scratch::Scratch;

/// Returns a bot that reports the same score with each move.
fn sure_bot(score: i64) -> String {
    shell_bot(&format!("go) echo \"info score cp {score}\"; echo \"bestmove $move\";;"))
}

fn league(scratch: &Scratch, head: &str, bots: &[(&str, &str)]) -> Vec<Value> {
    scratch.write("cup.toml", tournament(head, bots).replace("size = 3", "size = 5"));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    records(&scratch.path("runs/cup/games.jsonl"))
}

const BOTS: [(&str, &str); 2] = [("glad", "./glad.sh"), ("sad", "./sad.sh")];

#[test]
fn a_game_ends_when_both_sides_report_the_same_winner() {
    let scratch = Scratch::new();
    scratch.program("glad.sh", &sure_bot(700));
    scratch.program("sad.sh", &sure_bot(-650));
    let rule = "[adjudication]\nwin_score = 600\nwin_moves = 2\n";
    let games = league(&scratch, rule, &BOTS);
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game["reason"], "adjudication");
        let scores = if game["id"] == "glad~sad~1" { "700, -650" } else { "-650, 700" };
        let why =
            format!("both sides reported a win by 600 or more for 2 moves in a row; last scores {scores}");
        assert_eq!(game["why"], why);
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(4));
        assert_eq!(game["adjudication"], serde_json::json!({ "win_score": 600, "win_moves": 2 }));
        let winner = game["places"].as_array().expect("it has a result").iter().position(|place| *place == 1);
        assert_eq!(game["seats"][winner.expect("somebody won")]["name"], "glad");
    }
    let shown = scratch.run(["replay", "runs/cup", "--game", "glad~sad~1"]);
    let sentence = "glad won by adjudication (both sides reported a win by 600 or more for 2 moves in a \
                    row; last scores 700, -650) in 4 plies";
    assert!(shown.done().contains(sentence), "{}", shown.stdout);
    assert!(scratch.read("runs/cup/results.csv").contains(",adjudication,"));
    let file = scratch.read("runs/cup/games.jsonl");
    let verified = scratch.run(["verify", "runs/cup/games.jsonl"]);
    assert_eq!(verified.done(), "2 records: 2 consistent (8 moves)\n");

    for (before, after, why) in [
        ("\"places\":[1,2]", "\"places\":[2,1]", "the places are 2,1, but should be 1,2"),
        (
            "\"win_moves\":2",
            "\"win_moves\":1",
            "the game should have ended before this move, because the bots agreed",
        ),
        ("\"win_moves\":2", "\"win_moves\":3", "the bots did not agree on the result for enough moves"),
        (
            "\"reason\":\"adjudication\"",
            "\"reason\":\"resignation\"",
            "the game should have been adjudicated after the last",
        ),
    ] {
        let line = file.lines().find(|line| line.contains("\"id\":\"glad~sad~1\"")).expect("it was played");
        assert!(line.contains(before), "{line}");
        let forged = without_checks(line).replace(before, after);
        scratch.write("forged.jsonl", format!("{forged}\n"));
        scratch.run(["verify", "forged.jsonl"]).said(1, why);
    }
}

#[test]
fn a_game_is_drawn_only_when_both_sides_report_a_draw() {
    let scratch = Scratch::new();
    scratch.program("glad.sh", &sure_bot(3));
    scratch.program("sad.sh", &sure_bot(-3));
    let rule = "[adjudication]\nwin_score = 600\ndraw_score = 3\ndraw_moves = 1\ndraw_from = 3\n";
    for game in league(&scratch, rule, &BOTS) {
        assert_eq!((&game["reason"], &game["places"]), (&"adjudication".into(), &serde_json::json!([1, 1])));
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(3));
    }
    let off = Scratch::new();
    off.program("glad.sh", &sure_bot(700));
    off.program("sad.sh", &sure_bot(-700));
    for game in league(&off, "", &BOTS) {
        assert!(["line", "repetition"].contains(&game["reason"].as_str().unwrap_or_default()), "{game}");
        assert_eq!(game["adjudication"], Value::Null);
    }
}

#[test]
fn a_match_takes_the_rules_of_a_tournament_file_and_counts_the_games_they_decided() {
    let scratch = Scratch::new();
    scratch.program("glad.sh", &sure_bot(700));
    scratch.program("sad.sh", &sure_bot(-700));
    let play = |rule: &str, more: &[&str]| {
        let bots = ["--bot", "./glad.sh", "--bot", "./sad.sh", "--games", "2", "--adjudicate", rule];
        let usual = ["match", "--game", "quixo", "--options", "size=3", "--movetime", "30s"];
        scratch.run(usual.iter().chain(&bots).chain(more))
    };
    play("win_score=600,win_moves=2", &["--out", "out"])
        .said(0, "2 of 2 games were decided by adjudication before they ended\n");
    for game in records(&scratch.path("out/games.jsonl")) {
        assert_eq!(game["reason"], "adjudication");
        assert_eq!(game["adjudication"], serde_json::json!({"win_score": 600, "win_moves": 2}));
    }
    // Every view of such a game names the adjudication.
    scratch.run(["league", "standings", "out"]).said(0, "2 of 2 games were decided by adjudication");
    for shown in [
        scratch.run(["replay", "out", "--game", "glad~sad~1"]),
        scratch.run(["replay", "out", "--game", "glad~sad~1", "--rerun"]),
        scratch.run(["league", "show", "out", "glad"]),
        scratch.run(["league", "report", "out", "--part", "endings"]),
    ] {
        assert!(shown.done().contains("adjudication"), "{}", shown.stdout);
    }
    play("win_score=600,win_moves=3", &["--out", "out"])
        .said(2, "caused by: `--adjudicate win_moves` is `3`, was `2`\n");
    play("win_moves=2", &[]).said(2, "`win_moves` requires `win_score`");
    play("win_scor=2", &[]).said(2, "there is no `win_scor` (did you mean `win_score`?)");
    play("table=q3.table", &[]).said(
        2,
        "`--adjudicate table=FILE` needs `table_from`, since many tables include the starting position\n\
         hint: give the first ply at which the table decides: `--adjudicate table=FILE,table_from=20`\n",
    );
    play("win_score=many", &[]).said(2, "`win_score` must be a whole number, 0 or more");
}

#[test]
fn a_solved_game_is_decided_by_its_table() {
    let scratch = Scratch::new();
    scratch.program("glad.sh", &shell_bot(""));
    scratch.program("sad.sh", &shell_bot("legal) move=${rest##* };;"));
    scratch.run(["solve", "quixo", "--options", "size=3", "--save", "q3.table", "-q"]).done();
    let rule = "[adjudication]\ntable = \"q3.table\"\ntable_from = 2\n";
    scratch.write("cup.toml", tournament(rule, &BOTS));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    for game in records(&scratch.path("runs/cup/games.jsonl")) {
        assert_eq!(game["reason"], "adjudication");
        assert_eq!(game["moves"].as_array().map(Vec::len), Some(2));
        let why = game["why"].as_str().expect("it says why");
        assert!(why.ends_with(" according to the table of the solved game"), "{why}");
        assert_eq!(game["adjudication"]["table_from"], 2);
        let digest = game["adjudication"]["table"].as_str().expect("it names the table");
        assert_eq!((&digest[..7], digest.len()), ("sha256:", 7 + 64));
    }
    scratch.run(["verify", "runs/cup/games.jsonl"]).done();

    let refused = |text: &str, what: &str| {
        scratch.write("cup.toml", text);
        scratch.run(["league", "run", "cup.toml", "--out", "other"]).said(2, what);
        assert!(!scratch.path("other").exists(), "nothing is begun");
    };
    let larger = tournament(rule, &BOTS).replace("size = 3", "size = 4");
    refused(
        &larger,
        "error: can't decide games with the table `./q3.table`: the table is for quixo size=3, not for \
         quixo size=4",
    );
    refused(&tournament(&rule.replace("q3", "q9"), &BOTS), "error: can't open the table `q9.table`\n");
    // As with all keys, the error shows the place in the file.
    refused(&tournament(&rule.replace("q3", "q9"), &BOTS), "table = \"q9.table\"");
    let none = tournament(rule, &BOTS).replace("q3.table", "glad.sh");
    refused(
        &none,
        "error: can't decide games with the table `./glad.sh`: it is not the table of a solved game",
    );
}

#[test]
fn games_ended_by_a_limit_are_shown_as_such_everywhere() {
    let scratch = Scratch::new();
    scratch.program("glad.sh", &shell_bot(""));
    scratch.program("sad.sh", &shell_bot(""));
    scratch.write("cup.toml", tournament("", &BOTS).replace("size = 3", "size = 5, max_plies = 4"));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    for game in records(&scratch.path("runs/cup/games.jsonl")) {
        assert_eq!((&game["reason"], &game["places"]), (&"max_plies".into(), &serde_json::json!([1, 1])));
    }
    let shown = scratch.run(["replay", "runs/cup"]);
    assert!(shown.done().contains("drew at the ply limit after 4 plies"), "{}", shown.stdout);
    assert!(scratch.read("runs/cup/results.csv").contains(",max_plies,"));
    scratch.run(["verify", "runs/cup/games.jsonl"]).done();
}
