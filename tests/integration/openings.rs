//! Tests of `linesman openings`, and of leagues played from openings.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::Run;
use crate::support::bots::{ids, records, shell_bot, sorted, tournament};
use crate::support::scratch::Scratch;

/// Returns a bot that plays the last legal move; the usual one plays the first.
fn last_bot() -> String {
    shell_bot("legal) move=${rest##* };;")
}

/// Returns a folder with two deterministic bots.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.program("first.sh", &shell_bot(""));
    scratch.program("last.sh", &last_bot());
    scratch
}

const BOTS: [(&str, &str); 2] = [("first", "./first.sh"), ("last", "./last.sh")];

/// Returns the opening of each game by id.
fn openings(records: &[Value]) -> BTreeMap<String, String> {
    let opening = |record: &Value| {
        let moves = record["opening"]["moves"].as_array().expect("it has an opening");
        let moves: Vec<&str> = moves.iter().filter_map(Value::as_str).collect();
        format!("{} {}", record["pair"].as_str().expect("it is of a pair"), moves.join(" "))
    };
    ids(records).into_iter().map(str::to_owned).zip(records.iter().map(opening)).collect()
}

fn made(scratch: &Scratch, more: &[&str]) -> Run {
    let usual = ["openings", "make", "quixo", "--options", "size=3", "--plies", "2", "--nodes", "200"];
    scratch.run(usual.iter().chain(&["--max-score", "1000000"]).chain(more))
}

#[test]
fn generated_openings_are_deterministic_and_playable() {
    let scratch = Scratch::new();
    let first = made(&scratch, &["--count", "3"]);
    let text = first.done();
    assert_eq!(made(&scratch, &["--count", "3"]).done(), text);
    assert_ne!(made(&scratch, &["--count", "3", "--seed", "2"]).done(), text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines[..3], ["game quixo", "options size=3", ""]);
    assert_eq!(lines.len(), 6, "{text}");

    let written = made(&scratch, &["--count", "3", "--out", "q.openings"]);
    assert_eq!(written.done(), "");
    let message = "wrote q.openings: 3 openings; to play from them, set `[openings] file = ...` in a \
                tournament file\n";
    assert!(written.stderr.ends_with(message), "{}", written.stderr);
    assert_eq!(scratch.read("q.openings"), text);
    let there = "error: `q.openings` already exists\nhint: use `--force` to overwrite it\n";
    made(&scratch, &["--count", "3", "--out", "q.openings"]).refused(2, there);
    made(&scratch, &["--count", "3", "--out", "q.openings", "--force"]).done();
    let checked = scratch.run(["openings", "check", "q.openings"]);
    let sentence = "3 openings of quixo size=3,max_plies=200,repetition=3: all valid\n";
    assert_eq!((checked.done(), checked.stderr.as_str()), (sentence, ""));
}

#[test]
fn fewer_openings_than_requested_are_reported_as_all() {
    let scratch = Scratch::new();
    let few = made(&scratch, &["--count", "100"]);
    let found = few.done().lines().filter(|line| line.contains("  # ")).count();
    let warning = format!(
        "warning: found {found} openings instead of 100: there are 8 different positions after 2 plies, not \
         counting reflections and rotations, and the score is within 1000000 in {found} of these positions; \
         try `--plies 3` for more positions to choose from, or `--count {found}` for as many as there are\n"
    );
    assert!(few.stderr.ends_with(&warning), "{}", few.stderr);
    let strict = made(&scratch, &["--count", "100", "--strict"]);
    assert_eq!(strict.status, Some(2));
    let none = ["openings", "make", "kengu", "--plies", "2", "--count", "1", "--max-score", "0", "-q"];
    scratch.run(none).refused(
        1,
        "error: no opening was found: there are 33 different positions after 2 plies, not counting \
         reflections and rotations, and the score is within 0 in 0 of these positions\nhint: try \
         `--max-score 10` for 1 opening\n",
    );
    let long = scratch.run(["openings", "make", "kengu", "--plies", "16", "--count", "1", "-q"]);
    long.refused(1, "error: every game of kengu is over after 16 plies\nhint: use fewer `--plies`\n");
}

#[test]
fn mistakes_in_a_file_are_shown_with_their_lines() {
    let scratch = Scratch::new();
    scratch.write("bad", "game quixo\noptions size=4\na1a4\na1a4 b2b3 # no\n");
    let why =
        "move 2, `b2b3`, can't be played: `b2` is not on the border; only cubes on the border may be taken";
    let shown = format!("error: {why}\n --> bad:4:6\n  |\n4 | a1a4 b2b3 # no\n  |      ^^^^\n");
    scratch.run(["openings", "check", "bad"]).refused(1, &shown);
    let checked = scratch.run(["openings", "check", "bad", "--json"]);
    assert_eq!((checked.status, checked.stderr.as_str()), (Some(1), shown.as_str()));
    let checked: Value = serde_json::from_str(&checked.stdout).expect("it is JSON");
    assert_eq!(checked["mistakes"], serde_json::json!([{ "line": 4, "column": 6, "why": why }]));

    scratch.write("alike", "game quixo\na1a5\nc1c5\ne1e5\n");
    let alike = scratch.run(["openings", "check", "alike", "--json"]);
    assert_eq!(alike.stderr, "warning: alike:4: this opening is equivalent to the one in line 2\n");
    let checked: Value = serde_json::from_str(alike.done()).expect("it is JSON");
    assert_eq!(checked["alike"], serde_json::json!([{ "line": 4, "first": 2 }]));
    assert_eq!((&checked["openings"], &checked["game"]), (&3.into(), &"quixo".into()));
    let missing = "error: can't read `none`\ncaused by: No such file or directory (os error 2)\n";
    scratch.run(["openings", "check", "none"]).refused(2, missing);
}

#[test]
fn the_shipped_openings_are_valid() {
    let checked = crate::support::linesman(["openings", "check", "tournaments/quixo.openings", "--strict"]);
    assert!(checked.done().starts_with("50 openings of quixo size=5,"), "{}", checked.stdout);
}

#[test]
fn deterministic_bots_repeat_games_without_openings() {
    let scratch = scratch();
    let play = |more: &[&str]| {
        let usual = ["match", "--game", "quixo", "--bot", "./first.sh", "--bot", "./last.sh", "--games", "6"];
        scratch.run(usual.iter().chain(&["--movetime", "30s"]).chain(more))
    };
    let repeated = "4 of 6 games repeat earlier ones move for move, which adds no information and narrows \
                    no interval: first - last 4 of 6; to avoid this, play from openings (`linesman openings \
                    make`)";
    let without = play(&["--out", "without"]);
    without.said(0, &format!("warning: {repeated}\n"));
    // The first repetition is reported at once, and their number at the end.
    let first = " repeats an earlier game move for move, which adds no information\n";
    assert_eq!(without.stderr.matches(first).count(), 1, "{}", without.stderr);
    let at = |text: &str| without.stderr.find(text).expect("it is said");
    assert!(at(first) < at("6 of 6 games: "), "{}", without.stderr);
    let standings = scratch.run(["league", "standings", "without"]);
    standings.said(0, &format!("warning: {repeated}\n"));
    assert_eq!(standings.stderr.matches(&repeated).count(), 1, "{}", standings.stderr);
    for format in ["table", "csv", "json"] {
        let run = scratch.run(["league", "standings", "without", "--strict", "--format", format]);
        run.said(2, "warnings count as errors (--strict)\n");
    }

    scratch.write("three", "game quixo\na1a5 b1b5\nc1c5 a1a5\nd1d5\n");
    let with = play(&["--openings", "three", "--opening-order", "sequential", "--out", "with"]);
    with.done();
    assert!(!with.stderr.contains("repeat"), "{}", with.stderr);
    let games = records(&scratch.path("with/games.jsonl"));
    let played: Vec<String> =
        openings(&games).into_iter().map(|(id, opening)| format!("{id} {opening}")).collect();
    assert_eq!(
        played,
        [
            "first~last~1 first~last#1 a1a5 b1b5",
            "first~last~2 first~last#2 c1c5 a1a5",
            "first~last~3 first~last#3 d1d5",
            "last~first~1 first~last#1 a1a5 b1b5",
            "last~first~2 first~last#2 c1c5 a1a5",
            "last~first~3 first~last#3 d1d5",
        ]
    );
    let pairs: Vec<String> = scratch
        .read("with/results.csv")
        .lines()
        .map(|line| line.rsplit(',').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(sorted(pairs)[..3], ["first~last#1", "first~last#1", "first~last#2"]);
    let verified = scratch.run(["verify", "with/games.jsonl"]);
    assert!(verified.done().starts_with("6 records: 6 consistent ("), "{}", verified.stdout);

    // A record with a changed opening no longer matches the other one of its pair.
    let mut forged = games[0].clone();
    forged["opening"]["moves"] = serde_json::json!([]);
    forged["moves"] = serde_json::json!([]);
    for column in ["times_us", "said", "evidence", "reason"] {
        forged.as_object_mut().expect("a record is an object").remove(column);
    }
    forged["reason"] = "resignation".into();
    forged["places"] = serde_json::json!([2, 1]);
    forged["id"] = "forged".into();
    let text = format!("{}{forged}\n", scratch.read("with/games.jsonl"));
    scratch.write("forged.jsonl", text);
    scratch.run(["verify", "forged.jsonl"]).said(1, "have another opening, game or options");
}

#[test]
fn unplayable_openings_are_rejected_before_the_first_game() {
    let scratch = scratch();
    scratch.write("small", "game quixo\noptions size=4\na1a4\n");
    let play = |file: &str| {
        let bots = ["--bot", "./first.sh", "--bot", "./last.sh", "--openings", file];
        scratch.run(["match", "--game", "quixo"].iter().chain(&bots))
    };
    play("small").refused(
        2,
        "error: the openings are for `size=4`, but the game is played with `size=5`\n  --> small:2:9\n",
    );
    play("none").refused(2, "error: can't read `none`\ncaused by: No such file or directory (os error 2)\n");
}

#[test]
fn a_growing_league_keeps_the_openings_of_its_games() {
    let scratch = scratch();
    scratch.program("third.sh", &shell_bot(""));
    scratch.write("own.openings", "game quixo\noptions size=3\na1a3\nb1b3\nc1c3\na1a3 b1b3\nc1c3 b1b3\n");
    let with = "[openings]\nfile = \"own.openings\"\n";
    let grown = [BOTS[0], BOTS[1], ("third", "./third.sh")];
    let run = |out: &str| scratch.run(["league", "run", "cup.toml", "--out", out, "-q"]);
    scratch.write("cup.toml", tournament(&format!("rounds = 1\n{with}"), &BOTS));
    run("grown").done();
    let first = openings(&records(&scratch.path("grown/games.jsonl")));
    assert_eq!(first.len(), 2);
    // The run has its own copy of the openings.
    let plan = scratch.read("grown/tournament.toml");
    assert!(plan.contains("list = [\n  \"a1a3\",\n") && !plan.contains("own.openings"), "{plan}");

    scratch.write("cup.toml", tournament(&format!("rounds = 3\n{with}"), &grown));
    run("grown").done();
    run("fresh").done();
    let all = openings(&records(&scratch.path("grown/games.jsonl")));
    assert_eq!(all.len(), 18);
    assert!(first.iter().all(|(id, opening)| all[id] == *opening));
    assert_eq!(openings(&records(&scratch.path("fresh/games.jsonl"))), all);
    scratch.run(["verify", "grown/games.jsonl"]).done();

    // With shuffled openings, more of them would change the assignment.
    scratch
        .write("own.openings", "game quixo\noptions size=3\na1a3\nb1b3\nc1c3\na1a3 b1b3\nc1c3 b1b3\nb1a1\n");
    let before = scratch.read("grown/games.jsonl");
    run("grown").said(2, "error: openings can't be added with `order = \"random\"`\n");
    assert_eq!(scratch.read("grown/games.jsonl"), before);
}

#[test]
fn openings_are_sent_to_bots_and_shown_to_people() {
    let scratch = scratch();
    let heard = "position) echo \"info string $rest\";;";
    scratch.program("first.sh", &shell_bot(heard));
    let token = "x../.../...:2:1";
    scratch.write("own.openings", format!("game quixo\noptions size=3\ntoken {token} b1b3\n"));
    let head = "[openings]\nfile = \"own.openings\"\n";
    scratch.write("cup.toml", tournament(head, &BOTS));
    scratch.run(["league", "run", "cup.toml", "-q"]).done();
    let games = records(&scratch.path("runs/cup/games.jsonl"));
    for game in &games {
        assert_eq!(game["opening"], serde_json::json!({ "token": token, "moves": ["b1b3"] }));
        let said = game["said"].as_array().expect("one of them says something");
        let text = said.iter().find_map(|said| said["text"].as_str()).expect("a text");
        assert!(text.starts_with(&format!("fen {token} moves b1b3")), "{text}");
    }
    let shown = scratch.run(["replay", "runs/cup", "--game", "1"]);
    assert!(shown.done().contains("move 1: b1b3, from the opening"), "{}", shown.stdout);
}
