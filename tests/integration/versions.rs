//! Tests of bots added to a league, removed, replaced and brought back: every
//! version plays its own games, and no game is lost.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::Run;
use crate::support::bots::{ids, records, shell_bot, sorted, tournament};
use crate::support::scratch::Scratch;

const GAMES: &str = "runs/cup/games.jsonl";
const GREEDY: &str = "linesman bot greedy";
const RANDOM: &str = "linesman bot random";
const ADA: (&str, &str) = ("ada", "./ada");
const BOB: (&str, &str) = ("bob", GREEDY);
const CLEO: (&str, &str) = ("cleo", RANDOM);
/// The cases of two programs that play differently and replace each other.
const FIRST: &str = "";
const LAST: &str = "legal) move=${rest##* };;";

/// Returns a league in which `ada` plays the first legal move.
fn cup(head: &str, bots: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, bots));
    scratch.program("ada", &shell_bot(FIRST));
    scratch
}

fn run(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(["league", "run", "cup.toml"].iter().chain(more))
}

fn played(scratch: &Scratch) -> Vec<String> {
    let records = records(&scratch.path(GAMES));
    sorted(ids(&records).into_iter().map(str::to_owned))
}

/// Returns the number of games of each entrant in the standings.
fn games(scratch: &Scratch) -> BTreeMap<String, u64> {
    let run = scratch.run(["league", "standings", "runs/cup", "--json"]);
    let rows: Value = serde_json::from_str(run.done()).expect("it is JSON");
    let row = |row: &Value| {
        let name = row["bot"].as_str().expect("a row has a name").to_owned();
        (name, row["games"].as_u64().expect("a row has a number of games"))
    };
    rows.as_array().expect("there are rows").iter().map(row).collect()
}

fn counted(expected: &[(&str, u64)]) -> BTreeMap<String, u64> {
    expected.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
}

#[test]
fn a_replaced_bot_plays_its_own_games_and_can_be_replaced_back() {
    let scratch = cup("", &[ADA, BOB, CLEO]);
    run(&scratch, &[]).done();
    assert!(!scratch.path("runs/cup/bots.json").exists(), "the plan says it all");
    let first = scratch.read(GAMES);

    scratch.program("ada", &shell_bot(LAST));
    let note = "`ada` is a new version: its command or its files have changed. It plays its own games as \
                `ada@2`; earlier versions keep their 4 games.";
    let dry = run(&scratch, &["--dry-run"]);
    dry.said(0, note);
    assert!(dry.stdout.contains("games       6, 4 left to play"), "{}", dry.stdout);
    assert!(dry.stdout.contains("  ada@2~bob~1\n"), "{}", dry.stdout);
    assert_eq!(scratch.read(GAMES), first);
    let again = run(&scratch, &[]);
    again.said(0, note);
    again.said(0, "4 games of bots that no longer play count: `ada`\n");
    let of_two = ["ada@2~bob~1", "ada@2~cleo~1", "ada~bob~1", "ada~cleo~1", "bob~ada@2~1", "bob~ada~1"];
    let of_two = of_two.iter().chain(&["bob~cleo~1", "cleo~ada@2~1", "cleo~ada~1", "cleo~bob~1"]);
    let of_two = sorted(of_two.map(ToString::to_string));
    assert_eq!(played(&scratch), of_two);
    let second = scratch.read(GAMES);
    assert!(second.starts_with(&first));
    assert_eq!(games(&scratch), counted(&[("ada", 4), ("ada@2", 4), ("bob", 6), ("cleo", 6)]));
    // The ratings of the file alone also separate the two.
    let ratings = scratch.run(["ratings", GAMES, "--json"]);
    let ratings: Value = serde_json::from_str(ratings.done()).expect("it is JSON");
    let names = ratings["ratings"].as_array().expect("there are ratings").iter();
    let names = sorted(names.map(|row| row["name"].as_str().expect("a rating has a name")));
    assert_eq!(names, ["ada", "ada@2", "bob", "cleo"]);
    assert!(scratch.run(["verify", GAMES]).done().starts_with("10 records: 10 consistent ("));
    // When continued, nothing is missing and nothing is new.
    let finished = run(&scratch, &[]);
    assert!(
        finished.stderr.starts_with("runs/cup: finished, all 6 games have been played\n"),
        "{}",
        finished.stderr
    );

    // Back to the first version: its games are kept.
    scratch.program("ada", &shell_bot(FIRST));
    let back = run(&scratch, &[]);
    back.said(0, "`ada` is again the version that played 4 games: it continues as `ada`\n");
    back.said(0, "runs/cup: finished, all 6 games have been played\n");
    back.said(0, "4 games of bots that no longer play count: `ada@2`\n");
    assert_eq!(scratch.read(GAMES), second);
    let shown = scratch.run(["league", "show", "runs/cup", "ada"]);
    let versions = "bot       ada\nversions  ada: 4 games, current\n          ada@2: 4 games\n";
    assert!(shown.done().starts_with(versions), "{}", shown.stdout);
    let shown = scratch.run(["league", "show", "runs/cup", "ada@2", "--json"]);
    let shown: Value = serde_json::from_str(shown.done()).expect("it is JSON");
    assert_eq!((&shown["games"], &shown["sisters"][1]["plays"]), (&4.into(), &false.into()));
    // Reports are possible as well.
    scratch.run(["league", "report", "runs/cup"]).done();
    // Further rounds are played by the current version.
    scratch.write("cup.toml", tournament("rounds = 2\n", &[ADA, BOB, CLEO]));
    run(&scratch, &["-q"]).done();
    assert_eq!(games(&scratch)["ada"], 8);
    assert_eq!(games(&scratch)["ada@2"], 4);
}

#[test]
fn the_score_between_two_bots_is_of_the_version_that_plays() {
    let scratch = cup("", &[ADA, BOB]);
    run(&scratch, &["-q"]).done();
    scratch.program("ada", &shell_bot(LAST));
    let again = run(&scratch, &["--progress", "lines"]);
    let score = again.stderr.lines().find_map(|line| line.strip_prefix("2 of 2 games: ada@2 "));
    let score = score.and_then(|score| score.split_once(" bob")).expect("the last line has the score").0;
    let points: f64 = score.split(" : ").map(|points| points.parse::<f64>().expect("it is a number")).sum();
    assert_eq!(points, 2.0, "{}", again.stderr);
}

#[test]
fn another_command_makes_another_version_too() {
    let scratch = cup("", &[BOB, CLEO]);
    run(&scratch, &["-q"]).done();
    scratch.write("cup.toml", tournament("", &[BOB, ("cleo", "linesman bot random --seed 5")]));
    let replaced = run(&scratch, &[]);
    replaced.said(
        0,
        "changed: `bots.cleo.command` is now `linesman bot random --seed 5`, was `linesman bot random`\n",
    );
    replaced.said(0, "as `cleo@2`");
    assert_eq!(played(&scratch), ["bob~cleo@2~1", "bob~cleo~1", "cleo@2~bob~1", "cleo~bob~1"]);
    // Its games are played again by the version that played them.
    assert_eq!(scratch.run(["replay", "runs/cup", "--game", "bob~cleo@2~1", "--rerun"]).status, Some(0));
    let older = scratch.run(["replay", "runs/cup", "--game", "bob~cleo~1", "--rerun"]);
    older.said(0, "bot `cleo` is started with `linesman bot random`, the command in the record; ");
    assert!(!older.stderr.contains("warning"), "{}", older.stderr);
}

#[test]
fn a_removed_bot_keeps_its_games_and_can_come_back() {
    for head in ["", "schedule = \"ladder\"\ngames = 6\n"] {
        let scratch = cup(head, &[ADA, BOB, CLEO]);
        run(&scratch, &["-q"]).done();
        let first = scratch.read(GAMES);
        let of_ada = games(&scratch)["ada"];
        assert!(of_ada > 0);
        let (fewer, more) = match head {
            "" => (head.to_owned(), "rounds = 2\n".to_owned()),
            // A ladder only counts the games of current bots.
            ladder => (ladder.to_owned(), ladder.replace('6', "10")),
        };
        scratch.write("cup.toml", tournament(&fewer, &[BOB, CLEO]));
        let gone = run(&scratch, &[]);
        gone.said(0, "removed from the league, with their games kept: `ada`\n");
        gone.said(0, &format!("{of_ada} games of bots that no longer play count: `ada`\n"));
        assert!(scratch.read(GAMES).starts_with(&first));
        assert_eq!(games(&scratch)["ada"], of_ada);
        let standings = scratch.run(["league", "standings", "runs/cup"]);
        standings.said(0, "of bots that no longer play");
        assert!(!standings.stderr.contains("does not count"), "{}", standings.stderr);

        scratch.write("cup.toml", tournament(&more, &[BOB, CLEO, ADA]));
        let back = run(&scratch, &[]);
        back.said(0, "added to the league: `ada`\n");
        assert!(!back.stderr.contains("no longer play"), "{}", back.stderr);
        let records = records(&scratch.path(GAMES));
        let all = sorted(ids(&records));
        let mut once = all.clone();
        once.dedup();
        assert_eq!(all, once, "no game is played twice");
        if head.is_empty() {
            assert_eq!(all.len(), 12);
        }
    }
}

#[test]
fn bots_cannot_be_replaced_where_pairings_depend_on_results() {
    for (head, what) in
        [("schedule = \"swiss\"\nrounds = 2\n", "swiss"), ("schedule = \"knockout\"\n", "knockout")]
    {
        let scratch = cup(head, &[ADA, BOB, CLEO, ("dan", RANDOM)]);
        run(&scratch, &["-q"]).done();
        let before = scratch.read(GAMES);
        scratch.program("ada", &shell_bot(LAST));
        let number = before.lines().filter(|line| line.contains("\"name\":\"ada\"")).count();
        let games = if number == 1 { "1 game".to_owned() } else { format!("{number} games") };
        let refused = format!(
            "error: bot `ada` is not the version that played {games} of this {what}\n\
             caused by: the pairings depend on the results of everyone who takes part\n\
             hint: undo the change to its command or files, or start a new run in another directory with `--out DIR`\n"
        );
        run(&scratch, &[]).refused(2, &refused);
        run(&scratch, &["--dry-run"]).refused(2, &refused);
        assert_eq!(scratch.read(GAMES), before);
        // With the replacement undone, the league continues.
        scratch.program("ada", &shell_bot(FIRST));
        run(&scratch, &[]).said(0, "finished");
    }
}

#[test]
fn a_ladder_continues_with_the_bot_that_replaces_another() {
    let ladder = |games: u32| format!("schedule = \"ladder\"\ngames = {games}\nconcurrency = 1\n");
    let scratch = cup(&ladder(6), &[ADA, BOB, CLEO]);
    run(&scratch, &["-q"]).done();
    let first = scratch.read(GAMES);
    scratch.program("ada", &shell_bot(LAST));
    scratch.write("cup.toml", tournament(&ladder(10), &[ADA, BOB, CLEO]));
    run(&scratch, &[]).said(0, "as `ada@2`");
    let now = scratch.read(GAMES);
    assert!(now.starts_with(&first) && now.contains("ada@2~"), "{now}");
    let of_new = &now[first.len()..];
    assert!(!of_new.contains("\"name\":\"ada\""), "the old one plays no more: {of_new}");
}

#[test]
fn a_run_killed_after_a_replacement_continues_with_the_same_version() {
    let scratch = cup("rounds = 3\nconcurrency = 1\n", &[ADA, BOB, CLEO]);
    run(&scratch, &["-q"]).done();
    let first = scratch.read(GAMES);
    scratch.program("ada", &shell_bot(LAST));
    run(&scratch, &["-q"]).done();
    let whole = scratch.read(GAMES);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let of_first = first.lines().count();
    assert_eq!(lines.len(), of_first + 12);
    let all = played(&scratch);
    // The states after a kill: right after the plan was stored and within games, with and without the register.
    for (cut, has_register) in
        [(of_first, true), (of_first, false), (of_first + 1, true), (of_first + 5, false)]
    {
        let torn = lines.get(cut).map_or("", |line| &line[..line.len() / 2]);
        scratch.write(GAMES, format!("{}{torn}", lines[..cut].concat()));
        if !has_register {
            std::fs::remove_file(scratch.path("runs/cup/bots.json")).expect("it was written");
        }
        run(&scratch, &["-q"]).done();
        assert_eq!(played(&scratch), all, "cut after {cut}");
    }
}

#[test]
fn a_renamed_bot_is_reported_as_such_and_keeps_its_games() {
    let scratch = cup("", &[ADA, BOB, CLEO]);
    run(&scratch, &["-q"]).done();
    let first = scratch.read(GAMES);
    let renamed = |was: &str| {
        let text = tournament("", &[("eve", "./ada"), BOB, CLEO]);
        scratch
            .write("cup.toml", text.replace("command = \"./ada\"", &format!("command = \"./ada\"\n{was}")));
    };
    renamed("");
    let dry = run(&scratch, &["--dry-run"]);
    dry.said(0, "`eve` has the same command and files as `ada`: add `was = \"ada\"` to keep its games\n");
    assert!(!dry.stderr.contains("does not count"), "{}", dry.stderr);
    assert!(dry.stdout.contains("4 left to play"), "{}", dry.stdout);

    renamed("was = \"ada\"");
    let again = run(&scratch, &[]);
    again.said(0, "renamed: `ada` is now `eve`\n");
    again.said(0, "finished, all 6 games have been played");
    assert!(!again.stderr.contains("removed from the league"), "{}", again.stderr);
    assert_eq!(scratch.read(GAMES), first);
    assert_eq!(games(&scratch), counted(&[("ada", 4), ("bob", 4), ("cleo", 4)]));
    let shown = scratch.run(["league", "show", "runs/cup", "eve"]);
    assert!(shown.done().starts_with("bot       ada\n"), "{}", shown.stdout);
    // It continues, and another version of it is another version of `ada`.
    scratch.program("ada", &shell_bot(LAST));
    run(&scratch, &["-q"]).done();
    assert_eq!(games(&scratch), counted(&[("ada", 4), ("ada@2", 4), ("bob", 6), ("cleo", 6)]));
    assert_eq!(scratch.run(["verify", "runs/cup"]).status, Some(0));
}

#[test]
fn a_renamed_bot_keeps_its_place_in_a_swiss() {
    let bots = [ADA, BOB, CLEO, ("dan", RANDOM)];
    let head = "schedule = \"swiss\"\nrounds = 2\n";
    let scratch = cup(head, &bots);
    run(&scratch, &["-q"]).done();
    let renamed = tournament(head, &bots).replace("name = \"ada\"", "name = \"eve\"");
    scratch.write("cup.toml", &renamed);
    run(&scratch, &[])
        .said(2, "hint: add `was = \"ada\"` to keep its games, if `eve` is a new name for `ada`\n");
    scratch.write("cup.toml", renamed.replace("name = \"eve\"", "name = \"eve\"\nwas = \"ada\""));
    run(&scratch, &[]).said(0, "finished, all 8 games have been played");
}

#[test]
fn two_bots_cannot_have_been_the_same_one() {
    let scratch = cup("", &[]);
    let bot = |name: &str, was: &str| {
        format!("\n[[bots]]\nname = \"{name}\"\nwas = \"{was}\"\ncommand = \"{RANDOM}\"\n")
    };
    for (bots, why) in [
        ([bot("a", "x"), bot("b", "x")], "error: bot `b` can't have `was = \"x\"`"),
        ([bot("a", "b"), bot("b", "y")], "error: bot `a` can't have `was = \"b\"`"),
        ([bot("a", "a"), bot("b", "y")], "error: bot `a` can't have `was = \"a\"`"),
    ] {
        scratch.write("cup.toml", tournament("", &[]) + &bots.concat());
        run(&scratch, &["--dry-run"]).said(2, why);
    }
}
