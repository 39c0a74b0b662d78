//! Tests of games with three and four seats without teams: a failing seat is eliminated, and the others play on.

use serde_json::Value;

use crate::support::bots::{ids, records, seats, shell_bot, sorted};
use crate::support::scratch::Scratch;
use crate::support::{linesman, project};

const RANDOM: &str = "linesman bot random";

/// Returns a bot that makes two moves and crashes at its third.
fn crashing_bot() -> String {
    shell_bot(
        "uginewgame) turns=0;; go) turns=$((turns + 1)); [ $turns -le 2 ] || exit 3; echo \"bestmove $move\";;",
    )
}

fn list<'v>(record: &'v Value, field: &str) -> Vec<&'v Value> {
    record[field].as_array().unwrap_or_else(|| panic!("{field} is a list in {record}")).iter().collect()
}

#[test]
fn a_crashing_bot_is_eliminated_and_the_others_finish_the_game() {
    for players in [3_usize, 4] {
        let scratch = Scratch::new();
        scratch.program("crash", &crashing_bot());
        let options = format!("players={players},max_plies=60");
        let games = players.to_string();
        let mut arguments = vec!["match", "--game", "tandem", "--options", &options, "--movetime", "30s"];
        arguments.extend(["--out", "out", "--games", &games, "--name", "crash", "--bot", "./crash"]);
        for bot in 1..players {
            arguments.extend(["--bot", if bot == 1 { "linesman bot greedy" } else { RANDOM }]);
        }
        let run = scratch.run(&arguments);
        run.said(0, "crash went out: it exited with status 3");
        let records = records(&scratch.path("out/games.jsonl"));
        assert_eq!(records.len(), players);
        for record in &records {
            let seat = seats(record).iter().position(|name| *name == "crash").expect("it plays") + 1;
            let out = format!("!{seat}");
            let moves = list(record, "moves");
            let at = moves.iter().position(|mv| **mv == *out.as_str()).expect("it was put out");
            assert_eq!(at, 2 * players + seat - 1, "at its third turn: {record}");
            assert!(moves.len() > at + players, "the others play on: {record}");
            assert_eq!(list(record, "places")[seat - 1], players, "{record}");
            assert_ne!(record["reason"], "failure", "{record}");
            let faults = list(record, "faults");
            assert_eq!(
                (faults.len(), &faults[0]["seat"], &faults[0]["fault"]),
                (1, &seat.into(), &"crash".into())
            );
        }
        let verified = scratch.run(["verify", "out/games.jsonl"]);
        assert!(
            verified.done().starts_with(&format!("{players} records: {players} consistent (")),
            "{verified:?}"
        );
        let shown = scratch.run(["replay", "out", "--game", "1", "--json"]);
        let shown: Value = serde_json::from_str(shown.done()).expect("it is JSON");
        assert!(list(&shown, "plies").iter().any(|ply| ply["kind"] == "out"), "{shown}");
        let moves: Vec<&str> = list(&records[0], "moves").iter().filter_map(|mv| mv.as_str()).collect();
        let inspected =
            scratch.run(["inspect", "tandem", "--options", &options, "--json", "--moves", &moves.join(" ")]);
        let inspected: Value = serde_json::from_str(inspected.done()).expect("it is JSON");
        let last = list(&shown, "plies").len() - 1;
        assert_eq!(inspected["token"], shown["plies"][last]["token"]);
    }
}

#[test]
fn when_all_others_have_failed_the_last_one_wins() {
    let scratch = Scratch::new();
    scratch.program("crash", &crashing_bot());
    scratch.program("late", &shell_bot("go) sleep 1000;;"));
    let run = scratch.run([
        "match",
        "--game",
        "tandem",
        "--options",
        "players=3",
        "--movetime",
        "30s",
        // The others never lose on time, even on a busy machine.
        "--bot-time",
        "late:movetime=300ms",
        "--out",
        "out",
        "--games",
        "3",
        "--bot",
        "./crash",
        "--bot",
        "./late",
        "--bot",
        RANDOM,
    ]);
    let first: Vec<&str> = run.done().lines().nth(1).expect("there is a winner").split_whitespace().collect();
    assert_eq!(first[..3], ["1", "random", "3"]);
    for record in records(&scratch.path("out/games.jsonl")) {
        let names = seats(&record);
        let place = |name: &str| {
            let seat = names.iter().position(|other| *other == name).expect("it plays");
            list(&record, "places")[seat].as_u64()
        };
        assert_eq!((place("random"), place("crash"), place("late")), (Some(1), Some(2), Some(3)));
        assert_eq!((&record["reason"], list(&record, "faults").len()), (&Value::from("failure"), 2));
    }
    let verified = scratch.run(["verify", "out/games.jsonl"]);
    assert!(verified.done().starts_with("3 records: 3 consistent ("), "{verified:?}");
}

#[test]
fn bots_in_four_languages_finish_a_league_at_a_table_of_four() {
    let scratch = Scratch::new();
    let folder = project().join("bots");
    let mut text = "version = 1\ngame = \"tandem\"\noptions = { players = 4, max_plies = 48 }\nrounds = 2\nmovetime = \"30s\"\n\
                    limits = { start = \"60s\", ready = \"60s\" }\n"
        .to_owned();
    let bots = [
        ("python", "python3 kits/python/bot.py"),
        ("shell", "sh kits/shell/bot.sh"),
        ("javascript", "node kits/javascript/bot.mjs"),
        ("perl", "perl perl/random_bot.pl"),
    ];
    for (name, command) in bots {
        text.push_str(&format!("[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\ndir = {folder:?}\n"));
    }
    scratch.write("cup.toml", text);
    let run = scratch.run(["league", "run", "cup.toml"]);
    let printed = run.done();
    let heading: Vec<&str> = printed.lines().next().unwrap_or_default().split_whitespace().collect();
    assert_eq!(
        heading[..9],
        ["#", "bot", "games", "points", "score", "1st", "2nd", "3rd", "4th"],
        "{printed}"
    );
    assert!(!run.stderr.contains("not balanced"), "{}", run.stderr);
    let records = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(records.len(), 8);
    assert!(records.iter().all(|record| record.get("faults").is_none()), "nobody fails");
    for name in bots.map(|(name, _)| name) {
        let had: Vec<usize> =
            records.iter().filter_map(|record| seats(record).iter().position(|bot| *bot == name)).collect();
        assert_eq!(sorted(had), [0, 0, 1, 1, 2, 2, 3, 3], "{name} has every seat twice");
    }
    let all = sorted(ids(&records));
    let again = scratch.run(["league", "run", "cup.toml"]);
    assert!(again.stderr.contains("finished, all 8 games have been played"), "{}", again.stderr);
    assert_eq!(all.len(), 8);
    let verified = scratch.run(["verify", "runs/cup/games.jsonl"]);
    assert!(verified.done().starts_with("8 records: 8 consistent ("), "{verified:?}");
}

#[test]
fn a_league_that_ends_early_reports_what_is_unbalanced() {
    let scratch = Scratch::new();
    let mut text = "version = 1\ngame = \"tandem\"\noptions = { players = 3, max_plies = 6 }\ngames = 10\nmovetime = \"30s\"\n".to_owned();
    for name in ["a", "b", "c", "d", "e"] {
        text.push_str(&format!("[[bots]]\nname = \"{name}\"\ncommand = \"{RANDOM}\"\n"));
    }
    scratch.write("cup.toml", text);
    let dry = scratch.run(["league", "run", "cup.toml", "--dry-run"]);
    assert!(dry.done().contains("\nbalance     after 10 of 30 games, "), "{}", dry.stdout);
    let run = scratch.run(["league", "run", "cup.toml"]);
    run.said(0, "after 10 of 30 games, ");
    assert!(run.stderr.contains("after all 10 games, "), "{}", run.stderr);
}

#[test]
fn only_games_with_three_or_four_seats_allow_elimination_by_hand() {
    #[track_caller]
    fn check(game: &str, options: &str, moves: &str, expected: &str) {
        let run = linesman(["inspect", game, "--options", options, "--moves", moves]);
        run.refused(1, &format!("error: {expected}\n"));
    }
    check(
        "quixo",
        "",
        "!2",
        "move 1, `!2`, can't be played: in a game of two sides no seat is eliminated: the other side wins",
    );
    let four = "players=4";
    check(
        "tandem",
        four,
        "!5",
        "move 1, `!5`, can't be played: an eliminated seat is written as `!` and its number, 1 to 4",
    );
    check(
        "tandem",
        four,
        "!03",
        "move 1, `!03`, can't be played: an eliminated seat is written as `!` and its number, 1 to 4",
    );
    check("tandem", four, "!3 !3", "move 2, `!3`, can't be played: seat 3 is already out");
    let last = "move 3, `!2`, can't be played: only two sides are left: if one of them is eliminated, the other has won";
    check("tandem", four, "!3 !1 !2", last);
    let run = linesman(["inspect", "tandem", "--options", four, "--moves", "!3 !1", "--json"]);
    let shown: Value = serde_json::from_str(run.done()).expect("it is JSON");
    assert_eq!(shown["to_move"], 2);
}

#[test]
fn a_match_names_the_option_for_the_given_number_of_bots() {
    let run = linesman(["match", "--game", "tandem", "--bot", RANDOM, "--bot", RANDOM, "--bot", RANDOM]);
    run.refused(
        2,
        "error: a match of tandem needs 2 bots, but there are 3\nhint: use `--options players=3` to play \
         with 3\n",
    );
}
