//! Tests of `linesman test`: it stops when it is decided, with a matching exit
//! status, and keeps the decision when it is continued.

use serde_json::Value;

use crate::support::Run;
use crate::support::bots::{records, shell_bot, tournament};
use crate::support::scratch::Scratch;

const RANDOM: &str = "linesman bot random";
const GREEDY: &str = "linesman bot greedy";

/// Runs a test on the smallest board.
fn test(scratch: &Scratch, new: &str, base: &str, more: &str) -> Run {
    let game = ["test", "--game", "quixo", "--options", "size=3", "--movetime", "30s"];
    scratch.run(game.into_iter().chain(["--new", new, "--base", base]).chain(more.split(' ')))
}

#[track_caller]
fn json(run: &Run, status: i32) -> Value {
    assert_eq!(run.status, Some(status), "{run:?}");
    serde_json::from_str(&run.stdout).expect("stdout is JSON")
}

#[test]
fn a_stronger_bot_is_accepted_and_stays_so() {
    let scratch = Scratch::new();
    let run = test(&scratch, GREEDY, RANDOM, "--elo0 0 --elo1 200 --out t");
    assert_eq!(run.status, Some(0), "{run:?}");
    let block: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(block[0], "test     new against base");
    assert_eq!(block[1], "status   accepted: Elo 200 rather than 0");
    assert!(
        block[2].starts_with("LLR      ")
            && block[2].ends_with("(-2.94, 2.94)  [0, 200] logistic, alpha 0.05, beta 0.05"),
        "{block:?}"
    );
    assert!(run.stderr.contains("bots that always play alike"), "{}", run.stderr);
    assert!(run.stderr.contains("games: LLR "), "{}", run.stderr);
    let played = records(&scratch.path("t/games.jsonl")).len();
    assert!((4..200).contains(&played), "{played} games");
    // The same command again plays nothing and reports the same.
    let before = scratch.read("t/games.jsonl");
    let again = test(&scratch, GREEDY, RANDOM, "--elo0 0 --elo1 200 --out t");
    assert_eq!((again.status, again.stdout), (Some(0), run.stdout));
    assert!(again.stderr.contains("t: finished, the test is decided\n"), "{}", again.stderr);
    assert_eq!(scratch.read("t/games.jsonl"), before);
    // A decision does not depend on the maximum number of games.
    let more = test(&scratch, GREEDY, RANDOM, "--elo0 0 --elo1 200 --out t --max-games 200000 --json");
    let more = json(&more, 0);
    assert_eq!((&more["new"], &more["base"]), (&"new".into(), &"base".into()));
    assert!(more["llr"].as_f64().is_some_and(|llr| llr > 2.9444), "{more}");
}

#[test]
fn a_weaker_bot_is_rejected() {
    let scratch = Scratch::new();
    let run = test(&scratch, RANDOM, GREEDY, "--elo0 0 --elo1 200 --new-name mine --base-name theirs -q");
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(
        run.stdout.starts_with("test     mine against theirs\nstatus   rejected: Elo 0 rather than 200\n"),
        "{}",
        run.stdout
    );
    assert_eq!(scratch.list(""), [] as [&str; 0]);
}

#[test]
fn without_enough_games_it_ends_undecided_and_continues_with_more() {
    let scratch = Scratch::new();
    let run = test(&scratch, RANDOM, RANDOM, "--elo0 0 --elo1 5 --max-games 5 --out t --json");
    let ended = json(&run, 4);
    assert_eq!((&ended["status"], &ended["games"]), (&"undecided".into(), &4.into()));
    assert_eq!(records(&scratch.path("t/games.jsonl")).len(), 4);
    let run = test(&scratch, RANDOM, RANDOM, "--elo0 0 --elo1 5 --max-games 8 --out t --json");
    assert_eq!(json(&run, 4)["games"], 8);
    assert!(run.stderr.contains("t: continuing, 4 of 8 games have been played"), "{}", run.stderr);
    // The message is about games, not rounds.
    assert!(run.stderr.contains("at most 8 games (before: 4)\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("rounds"), "{}", run.stderr);
    // Both bots start equally often.
    let firsts = records(&scratch.path("t/games.jsonl"));
    let new_first = firsts.iter().filter(|record| record["seats"][0]["name"] == "new").count();
    assert_eq!((firsts.len(), new_first), (8, 4));
}

#[test]
fn the_bounds_of_a_running_test_cannot_be_changed() {
    let scratch = Scratch::new();
    assert_eq!(test(&scratch, RANDOM, RANDOM, "--elo0 0 --elo1 5 --max-games 2 --out t -q").status, Some(4));
    for (other, what) in [
        ("--elo0 0 --elo1 10", "caused by: `--elo1` is `10`, was `5`\n"),
        ("--elo0 -5 --elo1 5", "caused by: `--elo0` is `-5`, was `0`\n"),
        ("--elo0 0 --elo1 5 --alpha 0.2", "caused by: `--alpha` is `0.2`, was `0.05`\n"),
        ("--elo0 0 --elo1 5 --model normalized", "caused by: `--model` is `normalized`, was `logistic`\n"),
    ] {
        test(&scratch, RANDOM, RANDOM, &format!("{other} --max-games 2 --out t -q")).said(2, what);
    }
}

#[test]
fn an_impossible_test_is_rejected_before_anything_is_played() {
    let scratch = Scratch::new();
    test(&scratch, RANDOM, RANDOM, "--elo0 5 --elo1 0 --out t").said(2, "`elo0` must be below `elo1`");
    test(&scratch, RANDOM, RANDOM, "--elo0 0 --elo1 5 --new-name base --out t")
        .said(2, "the two bots have the same name");
    let run = scratch.run([
        "test",
        "--game",
        "tandem",
        "--options",
        "players=3",
        "--new",
        RANDOM,
        "--base",
        RANDOM,
        "--elo0",
        "0",
        "--elo1",
        "5",
    ]);
    run.said(2, "a test needs a game of two sides");
    test(&scratch, "./not-there", RANDOM, "--elo0 0 --elo1 5 --out t").said(2, "not-there");
    assert_eq!(scratch.list(""), [] as [&str; 0]);
}

#[test]
fn games_that_only_repeat_earlier_ones_decide_nothing() {
    let scratch = Scratch::new();
    // One bot plays the first legal move, the other the last.
    scratch.program("first.sh", &shell_bot(""));
    scratch.program("last.sh", &shell_bot("legal) move=${rest##* };;"));
    let play = |more: &str| {
        let bots =
            ["test", "--game", "quixo", "--new", "./first.sh", "--base", "./last.sh", "--movetime", "30s"];
        let design = "--elo0 0 --elo1 200 --max-games 1000 --out t";
        scratch.run(bots.into_iter().chain(design.split(' ')).chain(more.split_whitespace()))
    };
    let run = play("");
    assert_eq!(run.status, Some(4), "{run:?}");
    let says = |part: &str| assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    says("\nstatus   undecided\n");
    says("\ngames    2: ");
    says("\nrepeats  40 more games repeat earlier ones and don't count\n");
    says("\nnote     stopped undecided: the last 40 games only repeat earlier ones move for move");
    says("`linesman openings make`");
    assert!(records(&scratch.path("t/games.jsonl")).len() < 100);
    // Continuing restarts nothing.
    let before = scratch.read("t/games.jsonl");
    let again = play("");
    assert_eq!((again.status, again.stdout), (Some(4), run.stdout));
    assert!(again.stderr.contains("t: finished, new games only repeat earlier ones\n"), "{}", again.stderr);
    assert_eq!(scratch.read("t/games.jsonl"), before);
    let ended = json(&play("--json"), 4);
    assert_eq!((&ended["repeated"], &ended["games"]), (&40.into(), &2.into()));
}

#[test]
fn a_tournament_file_can_be_a_test() {
    let scratch = Scratch::new();
    let text = tournament("rounds = 500", &[("strong", GREEDY), ("weak", RANDOM)]);
    scratch.write("cup.toml", text.replacen("[[bots]]", "[test]\nelo0 = 0\nelo1 = 200\n\n[[bots]]", 1));
    let run = scratch.run(["league", "run", "cup.toml", "-q"]);
    assert!(
        run.done().contains("\ntest     strong against weak\nstatus   accepted: Elo 200 rather than 0\n"),
        "{}",
        run.stdout
    );
    let played = records(&scratch.path("runs/cup/games.jsonl")).len();
    assert!(played < 200);
    // A dry run reports that no game is left.
    let dry = scratch.run(["league", "run", "cup.toml", "--dry-run"]);
    assert!(dry.done().contains("\ntest        accepted after "), "{}", dry.stdout);
    let games = format!("\ngames       {played} played, none left to play\n");
    assert!(dry.stdout.contains(&games) && !dry.stdout.contains("pairings"), "{}", dry.stdout);
}

#[test]
fn the_exit_status_of_a_league_that_is_a_test_is_that_of_the_test() {
    let scratch = Scratch::new();
    let text = tournament("rounds = 500", &[("weak", RANDOM), ("strong", GREEDY)]);
    scratch.write("cup.toml", text.replacen("[[bots]]", "[test]\nelo0 = 0\nelo1 = 200\n\n[[bots]]", 1));
    let before = scratch.run(["league", "run", "cup.toml", "--dry-run"]);
    assert!(before.done().contains("\ntest        undecided after 0 games"), "{}", before.stdout);
    assert!(before.stdout.contains("\ngames       at most 1000, at most 1000 left"), "{}", before.stdout);
    // Also when it is run again.
    for _ in 0..2 {
        scratch.run(["league", "run", "cup.toml", "-q"]).said(1, "");
    }
    let text = tournament("rounds = 2", &[("one", RANDOM), ("other", RANDOM)]);
    scratch.write("even.toml", text.replacen("[[bots]]", "[test]\nelo0 = 0\nelo1 = 5\n\n[[bots]]", 1));
    scratch.run(["league", "run", "even.toml", "-q"]).said(4, "");
}
