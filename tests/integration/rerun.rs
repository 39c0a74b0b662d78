//! Tests of `linesman replay --rerun`: exactly the same game again, and a comparison of its course.

use serde_json::Value;

use crate::support::Run;
use crate::support::bots::{ids, records, shell_bot, tournament};
use crate::support::scratch::Scratch;

const RANDOM: &str = "linesman bot random";
const GREEDY: &str = "linesman bot greedy";
const RUN: [&str; 3] = ["league", "run", "cup.toml"];
const GAMES: &str = "runs/cup/games.jsonl";

fn cup(head: &str, bots: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, bots));
    scratch
}

fn rerun(scratch: &Scratch, games: &str, id: &str, more: &[&str]) -> Run {
    scratch.run(["replay", games, "--game", id, "--rerun"].iter().chain(more))
}

/// Asserts that every game of these records takes the same course again, and that the records are unchanged.
#[track_caller]
fn check_all_the_same(scratch: &Scratch, folder: &str) {
    let games = format!("{folder}/games.jsonl");
    let (before, files) = (scratch.read(&games), scratch.list(folder));
    let records = records(&scratch.path(&games));
    for id in ids(&records) {
        let run = rerun(scratch, folder, id, &[]);
        let printed = run.done();
        assert!(printed.starts_with(&format!("game      {id}, try 1\n")), "{printed}");
        assert!(printed.contains("\nsame      all "), "{printed}");
        assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    }
    assert_eq!((scratch.read(&games), scratch.list(folder)), (before, files));
}

/// Returns a bot that plays the last legal move.
fn last_move_bot() -> String {
    shell_bot("legal) move=${rest##* };;")
}

#[test]
fn every_game_of_a_league_takes_the_same_course_again() {
    let openings = "[openings]\nlist = [\"a1a3 b1b3\", \"c1c3\"]\n";
    let scratch = cup(&format!("rounds = 2\n{openings}"), &[("ada", RANDOM), ("bob", GREEDY)]);
    scratch.run(RUN).done();
    let played = records(&scratch.path(GAMES));
    assert!(played.len() == 4 && played.iter().all(|record| record["opening"].is_object()), "{played:?}");
    check_all_the_same(&scratch, "runs/cup");
}

#[test]
fn a_league_with_its_own_clock_for_a_bot_replays_verifies_continues_and_reruns() {
    let scratch = cup("rounds = 1\n", &[("ada", RANDOM), ("bob", GREEDY)]);
    let own = scratch.read("cup.toml").replace("name = \"bob\"", "name = \"bob\"\ntc = \"50s+20ms\"");
    scratch.write("cup.toml", &own);
    scratch.run(RUN).done();
    let common = tournament("rounds = 1\n", &[("ada", RANDOM), ("bob", GREEDY)]);
    for record in records(&scratch.path(GAMES)) {
        let seats = record["seats"].as_array().expect("there are two");
        let times: Vec<_> = seats.iter().map(|seat| (&seat["name"], &seat["time_control"])).collect();
        assert!(times.contains(&(&"bob".into(), &"tc=50s+20ms".into())), "{times:?}");
        assert!(times.contains(&(&"ada".into(), &Value::Null)), "{times:?}");
    }
    check_all_the_same(&scratch, "runs/cup");
    assert!(scratch.run(["verify", GAMES]).done().starts_with("2 records: 2 consistent ("));
    let shown = scratch.run(["replay", GAMES, "--game", "ada~bob~1", "--dialogue"]);
    let dialogue = shown.done();
    assert!(dialogue.contains("\nown-time 2 tc=50s+20ms\n"), "{dialogue}");
    assert!(dialogue.contains(" 2 > go p1time ") && dialogue.contains(" 1 > go movetime "), "{dialogue}");
    // The same file continues the league; without the clock it is another tournament.
    let games = scratch.read(GAMES);
    let more = own.replace("rounds = 1", "rounds = 2");
    scratch.write("cup.toml", &more);
    scratch.run(RUN).done();
    assert!(scratch.read(GAMES).starts_with(&games) && records(&scratch.path(GAMES)).len() == 4);
    scratch.write("cup.toml", common.replace("rounds = 1", "rounds = 2"));
    scratch.run(RUN).said(2, "`bots.bob.tc` is `none`, but was `tc=50s+20ms` when the run started");
}

#[test]
fn a_renamed_bot_is_found() {
    let scratch = cup("", &[("ada", "linesman bot greedy"), ("bob", "linesman bot random")]);
    scratch.run(["league", "run", "cup.toml"]).done();
    let renamed = scratch.read("cup.toml").replace("name = \"ada\"", "name = \"eve\"\nwas = \"ada\"");
    scratch.write("cup.toml", renamed);
    scratch.run(["league", "run", "cup.toml"]).done();
    check_all_the_same(&scratch, "runs/cup");
}

#[test]
fn games_of_three_four_and_teams_in_matches_take_the_same_course_again() {
    let scratch = Scratch::new();
    for (out, game, options, bots) in [
        ("three", "tandem", "players=3,max_plies=40", &[RANDOM, GREEDY, RANDOM][..]),
        ("four", "tandem", "players=4,max_plies=40", &[RANDOM, GREEDY, RANDOM, GREEDY]),
        ("teams", "quixo-teams", "max_plies=30", &[RANDOM, GREEDY, GREEDY, RANDOM]),
    ] {
        let head = ["match", "--game", game, "--options", options, "--movetime", "30s", "--games", "2"];
        let bots = bots.iter().flat_map(|bot| ["--bot", bot]);
        scratch.run(head.into_iter().chain(["--out", out]).chain(bots)).done();
        check_all_the_same(&scratch, out);
    }
}

#[test]
fn a_fault_recurs_with_the_last_lines() {
    let scratch = cup("rounds = 1\n", &[("ada", "./crash"), ("bob", RANDOM)]);
    let crash = "uginewgame) turns=0;; \
                 go) turns=$((turns + 1)); [ $turns -le 2 ] || exit 3; echo \"bestmove $move\";;";
    scratch.program("crash", &shell_bot(crash));
    scratch.run(RUN).done();
    let run = rerun(&scratch, "runs/cup", "ada~bob~1", &[]);
    let printed = run.done();
    assert!(printed.contains("\nagain     ada lost: it exited with status 3"), "{printed}");
    assert!(printed.contains("\nsame      all 4 moves, and the result\n"), "{printed}");
    let (_, transcript) =
        printed.split_once("\nthe last lines of the dialogue with the referee:\n").expect("it is shown");
    assert!(transcript.lines().all(|line| line.contains(" seat 1: ") || line.contains(" seat 2: ")));
    assert!(transcript.contains("to seat 1: go movetime "), "{transcript}");
    // The same moves, but not the same end.
    scratch.program("crash", &shell_bot(&crash.replace("exit 3", "{ echo bestmove z9; continue; }")));
    let run = rerun(&scratch, "runs/cup", "ada~bob~1", &[]);
    assert!(run.stdout.contains("\ndiffers   in the result, after the same 4 moves\n"), "{}", run.stdout);
    let another = "warning: the files of bot `ada` have changed since the game: it is another version";
    run.said(1, another);
}

#[test]
fn another_version_is_reported_with_its_first_different_move() {
    let scratch = cup("rounds = 1\n", &[("ada", "./own"), ("bob", GREEDY)]);
    scratch.program("own", &shell_bot(""));
    scratch.run(RUN).done();
    let games = scratch.read(GAMES);
    assert_eq!(rerun(&scratch, GAMES, "ada~bob~1", &[]).status, Some(0));
    scratch.program("own", &last_move_bot());
    let run = rerun(&scratch, GAMES, "ada~bob~1", &["--out", "again.jsonl"]);
    assert!(run.stdout.contains("\ndiffers   at move 1: `"), "{}", run.stdout);
    run.said(1, "the files of bot `ada` have changed");
    // The new record is an ordinary one of the same game.
    let again = records(&scratch.path("again.jsonl"));
    assert_eq!(ids(&again), ["ada~bob~1"]);
    let before = records(&scratch.path(GAMES));
    let before = before.iter().find(|record| record["id"] == "ada~bob~1").expect("it is recorded");
    for field in ["league", "seed", "options", "time_control"] {
        assert_eq!(again[0][field], before[field], "{field}");
    }
    assert!(scratch.run(["verify", "again.jsonl"]).done().starts_with("1 record: 1 consistent ("));
    assert_eq!(scratch.read(GAMES), games);
    // Neither that file nor the records themselves are overwritten.
    let there = "error: `again.jsonl` already exists\nhint: use `--force` to overwrite it\n";
    rerun(&scratch, GAMES, "ada~bob~1", &["--out", "again.jsonl"]).refused(2, there);
    rerun(&scratch, GAMES, "ada~bob~1", &["--out", GAMES, "--force"])
        .said(2, "`runs/cup/games.jsonl` can't be the output, since it is the input");
    assert_eq!(scratch.read(GAMES), games);

    let json = rerun(&scratch, GAMES, "ada~bob~1", &["--json"]);
    let json: Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!((&json["same"], &json["differs_at"], &json["try"]), (&false.into(), &1.into(), &1.into()));
    assert_eq!(json["recorded"]["move"], before["moves"][0]);
    assert_eq!(json["again"]["move"], again[0]["moves"][0]);
    assert_ne!(json["recorded"]["move"], json["again"]["move"]);
    assert_eq!(json["differences"].as_array().map(Vec::len), Some(1));
}

#[test]
fn of_a_game_with_a_void_attempt_the_valid_one_is_played_again() {
    let scratch = cup("rounds = 1\n", &[("ada", RANDOM), ("bob", GREEDY)]);
    scratch.run(RUN).done();
    let mut lines = Vec::new();
    for mut record in records(&scratch.path(GAMES)) {
        let mut void = record.clone();
        let fields = void.as_object_mut().expect("a record is an object");
        ["places", "reason", "marks"].iter().for_each(|field| drop(fields.remove(*field)));
        fields.insert("void".to_owned(), serde_json::json!({"kind": "host", "why": "no memory"}));
        for list in ["moves", "times_us", "said"] {
            if let Some(list) = fields.get_mut(list).and_then(Value::as_array_mut) {
                list.truncate(3);
            }
        }
        record["try"] = 2.into();
        lines.extend([void.to_string(), record.to_string()]);
    }
    scratch.write(GAMES, lines.join("\n") + "\n");
    let printed = rerun(&scratch, GAMES, "ada~bob~1", &[]);
    assert!(printed.done().starts_with("game      ada~bob~1, try 2\n"), "{}", printed.stdout);
    assert!(printed.stdout.contains("\nsame      all "), "{}", printed.stdout);
    // The void attempt itself can be chosen by its number, and is played as far as it got.
    let printed = rerun(&scratch, GAMES, "1", &[]);
    assert!(printed.done().contains(", try 1\n"), "{}", printed.stdout);
    let same = "\nsame      all 3 recorded moves\n";
    assert!(printed.stdout.contains(same), "{}", printed.stdout);
}

#[test]
fn games_that_cannot_be_played_again_get_a_hint() {
    let scratch = cup("rounds = 1\n", &[("ada", "./own"), ("bob", GREEDY)]);
    scratch.program("own", &shell_bot(""));
    scratch.run(RUN).done();
    rerun(&scratch, GAMES, "ada~bob~3", &[]).said(2, "there is no game `ada~bob~3`");
    scratch
        .run(["replay", GAMES, "--rerun"])
        .refused(2, "error: `--rerun` needs one game, but there are 2\nhint: choose one with `--game ID`\n");
    // Records outside of a run.
    scratch.write("alone/games.jsonl", scratch.read(GAMES));
    rerun(&scratch, "alone/games.jsonl", "ada~bob~1", &[]).refused(
        2,
        "error: there is no plan beside `alone/games.jsonl` with the commands of the bots\n\
         hint: give the tournament file with the bots: `--plan FILE`\n",
    );
    assert_eq!(rerun(&scratch, "alone/games.jsonl", "ada~bob~1", &["--plan", "cup.toml"]).status, Some(0));
    // From another folder the bots are found next to `runs`.
    scratch.write("elsewhere/empty", "");
    let mut command = scratch.command(["replay", "../runs/cup", "--game", "ada~bob~1", "--rerun"]);
    let status = command.current_dir(scratch.path("elsewhere")).output().expect("it runs").status;
    assert_eq!(status.code(), Some(0));
    // Plans that don't match the game.
    let larger = tournament("", &[("ada", "./own"), ("bob", GREEDY)]).replace("size = 3", "size = 4");
    scratch.write("larger.toml", larger);
    rerun(&scratch, GAMES, "ada~bob~1", &["--plan", "larger.toml"])
        .said(2, "larger.toml is a plan for quixo size=4,");
    std::fs::remove_file(scratch.path("own")).expect("it is ours");
    scratch.write("other.toml", tournament("", &[("eve", GREEDY), ("bob", GREEDY)]));
    rerun(&scratch, GAMES, "ada~bob~1", &["--plan", "other.toml"]).refused(
        2,
        "error: bot `ada` is not in the plan, and the command in the record, `./own`, can't be started: \
         there is no file `own`\nhint: add a bot of that name to other.toml\n",
    );
    let gone = rerun(&scratch, GAMES, "ada~bob~1", &[]);
    gone.said(2, "error: bot `ada` can't be started: there is no file `own`");
    gone.said(2, "hint: give the tournament file with the bots: `--plan FILE`");
    scratch.run(["replay", GAMES, "--game", "1", "--force"]).said(2, "`--force` works only with");
    scratch.run(["replay", GAMES, "--game", "1", "--sandbox", "off"]).said(2, "`--sandbox` works only with");
}

#[test]
fn a_replaced_or_removed_bot_plays_again_in_its_old_version() {
    let bots = |ada| [("ada", ada), ("bob", GREEDY), ("cleo", RANDOM)];
    let scratch = cup("rounds = 1\n", &bots("linesman bot random --seed 1"));
    scratch.program("own", &shell_bot(""));
    scratch.run(RUN).done();
    scratch.write("cup.toml", tournament("rounds = 1\n", &bots("./own")));
    scratch.run(RUN).done();
    // Both versions, with the plan that has the second.
    let first = rerun(&scratch, "runs/cup", "ada~bob~1", &[]);
    assert!(first.done().contains("\nsame      all "), "{}", first.stdout);
    let note = "bot `ada` is started with `linesman bot random --seed 1`, the command in the record; the \
                plan now has another command\n";
    first.said(0, note);
    assert!(!first.stderr.contains("warning"), "{}", first.stderr);
    let second = rerun(&scratch, "runs/cup", "ada@2~bob~1", &[]);
    assert!(second.done().contains("\nsame      all "), "{}", second.stdout);
    assert!(!second.stderr.contains("another command"), "{}", second.stderr);
    // With a plan that has neither.
    scratch.write("cup.toml", tournament("rounds = 1\n", &[("bob", GREEDY), ("cleo", RANDOM)]));
    scratch.run(RUN).done();
    for (id, command) in [("ada~bob~1", "linesman bot random --seed 1"), ("bob~ada@2~1", "./own")] {
        let again = rerun(&scratch, "runs/cup", id, &[]);
        assert!(again.done().contains("\nsame      all "), "{}", again.stdout);
        let started =
            format!("is no longer in the plan: it is started with `{command}`, the command in the record");
        again.said(0, &started);
    }
    // Its files have changed.
    let games = scratch.read(GAMES);
    scratch.program("own", &last_move_bot());
    let refused = rerun(&scratch, "runs/cup", "ada@2~bob~1", &[]);
    refused.refused(
        2,
        "error: bot `ada@2` is not in the plan, and the files of its command have changed since the game\n\
         hint: give the tournament file with the bots: `--plan FILE`\n",
    );
    assert_eq!(scratch.read(GAMES), games);
}
