//! Tests of `linesman match`, from the command line to the files it writes.

use rustix::process::Signal;

use crate::support::bots::{ids, records, rows, seats, shell_bot, sorted, tournament, waiting_bot};
use crate::support::scratch::{Scratch, names_in};
use crate::support::{LINESMAN, Run};

const SMALL: [&str; 7] = ["match", "--game", "quixo", "--options", "size=3", "--movetime", "30s"];
const RANDOM: &str = "linesman bot random";
const GREEDY: &str = "linesman bot greedy";

/// Returns the arguments of a match of two bots on the smallest board.
fn arguments<'a>(bots: [&'a str; 2], more: &[&'a str]) -> Vec<&'a str> {
    let bots = bots.into_iter().flat_map(|bot| ["--bot", bot]);
    SMALL.into_iter().chain(bots).chain(more.iter().copied()).collect()
}

fn play(scratch: &Scratch, bots: [&str; 2], more: &[&str]) -> Run {
    scratch.run(arguments(bots, more))
}

#[test]
fn seats_alternate_and_a_table_ends_the_output() {
    let scratch = Scratch::new();
    let run = play(&scratch, [RANDOM, GREEDY], &["--games", "6", "--concurrency", "1", "--out", "ab"]);
    let rows = rows(run.done());
    let names = sorted(rows.iter().map(|row| row[1]));
    assert_eq!(names, ["greedy", "random"]);
    assert!(rows.iter().all(|row| row[2] == "6"), "{rows:?}");
    let points: f64 = rows.iter().map(|row| row[3].parse::<f64>().expect("points are a number")).sum();
    assert_eq!(points, 6.0);

    // On a busy machine bots take more than a second to start, which is reported.
    let is_of_start = |line: &&str| line.starts_with("waiting for bots to answer `ugi`");
    let lines: Vec<&str> = run.stderr.lines().filter(|line| !is_of_start(line)).collect();
    assert_eq!(lines[0], "ab: 6 games, 1 at once");
    assert!(lines[1].starts_with("sandbox: "), "{}", run.stderr);
    assert!(lines[2].starts_with("1 of 6 games: random "), "{}", run.stderr);
    assert!(lines.iter().any(|line| line.starts_with("6 of 6 games: random ")), "{}", run.stderr);
    assert_eq!(lines[lines.len() - 1], "the games are in ab");

    let records = records(&scratch.path("ab/games.jsonl"));
    assert_eq!(
        sorted(ids(&records)),
        [
            "greedy~random~1",
            "greedy~random~2",
            "greedy~random~3",
            "random~greedy~1",
            "random~greedy~2",
            "random~greedy~3"
        ]
    );
    for (record, next) in records.iter().zip(&records[1..]) {
        let (mut now, then) = (seats(record), seats(next));
        now.reverse();
        assert_eq!(now, then, "seats alternate from game to game");
    }
    for record in &records {
        assert!(record["id"].as_str().is_some_and(|id| id.starts_with(&seats(record).join("~"))));
    }
    let files = ["crosstable.csv", "games.jsonl", "results.csv", "standings.csv", "tournament.toml"];
    assert_eq!(scratch.list("ab"), files);
    let verified = scratch.run(["verify", "ab/games.jsonl"]);
    assert!(verified.done().starts_with("6 records: 6 consistent ("), "{}", verified.stdout);
}

#[test]
fn without_out_nothing_is_kept_and_the_last_line_says_so() {
    let scratch = Scratch::new();
    let run = play(&scratch, [RANDOM, GREEDY], &["--games", "2"]);
    assert_eq!(rows(run.done()).len(), 2);
    assert!(
        run.stderr.ends_with("\nthe games were not saved (use `--out DIR` to save them)\n"),
        "{}",
        run.stderr
    );
    assert_eq!(scratch.list(""), [] as [&str; 0]);
    assert_eq!(names_in(&scratch.temporary()), [] as [&str; 0]);
}

#[test]
fn bots_are_started_and_greeted_once_for_the_preflight_check_and_all_games_of_a_slot() {
    let scratch = Scratch::new();
    let greeted = "ugi) echo ugi >> heard; printf 'id name Ada 1\\nfeature legal\\nugiok\\n';;";
    scratch.write("ada.sh", shell_bot(&format!("{greeted}\n        uginewgame) echo game >> heard;;")));
    let more = ["--games", "3", "--concurrency", "1", "--sandbox", "off", "--out", "ada"];
    play(&scratch, ["sh ada.sh", "sh ada.sh"], &more).done();
    let heard = scratch.read("heard");
    let times = |word: &str| heard.lines().filter(|line| *line == word).count();
    assert_eq!((times("ugi"), times("game")), (2, 6), "{heard}");
    let records = records(&scratch.path("ada/games.jsonl"));
    assert_eq!(records.len(), 3);
    for seat in records.iter().flat_map(|record| record["seats"].as_array().expect("there are seats")) {
        assert_eq!(seat["version"], "Ada 1", "what it said of itself before the first game counts in it");
    }
}

#[test]
fn a_bot_that_ends_after_its_greeting_loses_its_first_game() {
    let scratch = Scratch::new();
    scratch.write("short.sh", shell_bot("ugi) echo ugiok; exit 3;;"));
    let more = ["--games", "1", "--sandbox", "off", "--out", "short"];
    play(&scratch, ["sh short.sh", RANDOM], &more).done();
    let records = records(&scratch.path("short/games.jsonl"));
    assert_eq!(records[0]["faults"][0]["fault"], "not_started");
}

#[test]
fn any_number_of_games_is_played() {
    for (games, as_first) in [("1", [1, 0]), ("5", [3, 2])] {
        let scratch = Scratch::new();
        let more = ["--games", games, "--out", "odd", "-q"];
        let run = play(&scratch, [RANDOM, RANDOM], &more);
        // The warning about a busy host is printed even by a quiet match.
        let is_of_host = |line: &&str| line.starts_with("warning: The machine is overloaded: bots spent ");
        let lines: Vec<&str> = run.stderr.lines().filter(|line| !is_of_host(line)).collect();
        assert_eq!((rows(run.done())[0][2], lines), (games, Vec::new()));
        let records = records(&scratch.path("odd/games.jsonl"));
        assert_eq!(records.len().to_string(), games);
        // Equal commands are numbered.
        let firsts = |name| records.iter().filter(|record| seats(record)[0] == name).count();
        assert_eq!(sorted([firsts("random"), firsts("random-2")]), sorted(as_first));
    }
}

#[test]
fn levels_are_part_of_the_names() {
    let scratch = Scratch::new();
    let [three, one] = ["linesman bot level --level 3", "linesman bot level --level=1"];
    for (bots, names, out) in
        [([three, one], ["level-1", "level-3"], "two"), ([three; 2], ["level-3", "level-3-2"], "same")]
    {
        play(&scratch, bots, &["--games", "1", "--out", out]).done();
        let records = records(&scratch.path(out).join("games.jsonl"));
        assert_eq!(sorted(seats(&records[0])), names);
    }
}

#[test]
fn a_kept_match_continues_to_more_games() {
    let scratch = Scratch::new();
    let played = |games| play(&scratch, [RANDOM, RANDOM], &["--games", games, "--out", "more", "-q"]);
    assert_eq!(rows(played("3").done())[0][2], "3");
    let before = scratch.read("more/games.jsonl");
    assert_eq!(rows(played("8").done())[0][2], "8");
    let after = scratch.read("more/games.jsonl");
    assert!(after.starts_with(&before), "what was recorded stays as it is");
    assert_eq!(after.lines().count(), 8);
    let again = play(&scratch, [RANDOM, RANDOM], &["--games", "8", "--out", "more"]);
    assert_eq!(rows(again.done())[0][2], "8");
    assert!(again.stderr.starts_with("more: finished, all 8 games have been played\n"), "{}", again.stderr);
    assert_eq!(scratch.read("more/games.jsonl"), after);
}

#[test]
fn options_time_and_names_are_those_given() {
    #[track_caller]
    fn check(more: &[&str], time_control: &str, options: serde_json::Value) {
        let scratch = Scratch::new();
        let bots = ["--bot", RANDOM, "--bot", GREEDY, "--games", "1", "--out", "d", "-q"];
        let names = ["--name", "ada", "--name", "b.o_b"];
        let run = scratch.run(["match", "--game", "quixo"].iter().chain(&bots).chain(&names).chain(more));
        assert_eq!(sorted(rows(run.done()).iter().map(|row| row[1])), ["ada", "b.o_b"]);
        let record = &records(&scratch.path("d/games.jsonl"))[0];
        assert_eq!(sorted(seats(record)), ["ada", "b.o_b"]);
        assert_eq!(record["time_control"], time_control);
        assert_eq!(record["options"], options);
    }
    let plies = |size: u32| serde_json::json!({"max_plies": 200, "repetition": 3, "size": size});
    check(&["--movetime", "5s"], "movetime=5s", plies(5));
    check(&["--tc", "20s+250ms", "--options", "size=4"], "tc=20s+250ms", plies(4));
    check(&["--tc", "3/20s", "--options", "size=4"], "tc=3/20s+0ms", plies(4));
    let limited = serde_json::json!({"max_plies": 3, "repetition": 0, "size": 3});
    check(&["--options", "repetition=0,size=3,max_plies=3"], "movetime=1s", limited);
}

#[test]
fn a_bot_has_its_own_time_control() {
    let scratch = Scratch::new();
    let own = ["--bot-time", "greedy:movetime=3s"];
    play(&scratch, [RANDOM, GREEDY], &[&own[..], &["--games", "2", "--out", "d", "-q"]].concat()).done();
    for record in records(&scratch.path("d/games.jsonl")) {
        for seat in record["seats"].as_array().expect("there are two") {
            let time = if seat["name"] == "greedy" { "movetime=3s".into() } else { serde_json::Value::Null };
            assert_eq!(seat["time_control"], time);
        }
    }
    play(&scratch, [RANDOM, GREEDY], &["--bot-time", "gredy:movetime=3s"]).refused(
        2,
        "error: `--bot-time`: there is no bot `gredy` (did you mean `greedy`?)\n\
         hint: the bots are random, greedy\n",
    );
    let twice = [own, ["--bot-time", "greedy:tc=1s"]].concat();
    play(&scratch, [RANDOM, GREEDY], &twice).said(2, "`--bot-time greedy` is given twice");
}

#[test]
fn a_match_of_fixed_work_is_the_same_every_time() {
    let scratch = Scratch::new();
    let bots = ["--bot", "linesman bot alphabeta", "--bot", "linesman bot mcts"];
    let moves = |out: &str| {
        let more = ["--nodes", "150", "--bot-time", "mcts:depth=2", "--games", "2", "-q", "--out", out];
        scratch
            .run(["match", "--game", "quixo", "--options", "size=4"].iter().chain(&bots).chain(&more))
            .done();
        let played = records(&scratch.path(out).join("games.jsonl"));
        sorted(played.iter().map(|record| format!("{} {}", record["id"], record["moves"])))
    };
    let first = moves("one");
    assert_eq!(moves("two"), first);
    for record in records(&scratch.path("one/games.jsonl")) {
        assert_eq!(record["time_control"], "nodes=150");
        for said in record["said"].as_array().expect("the bots say something") {
            let is_at_most = |key: &str, max| said[key].as_u64().is_some_and(|number| number <= max);
            assert!(is_at_most("depth", 2) || is_at_most("nodes", 150), "{said}");
        }
    }
    assert!(scratch.run(["verify", "one/games.jsonl"]).done().starts_with("2 records: 2 consistent ("));
}

#[test]
fn a_bot_that_does_not_count_is_named_before_the_first_game() {
    let scratch = Scratch::new();
    scratch.program("plain", &shell_bot(""));
    let bots = ["--bot", "./plain", "--bot", GREEDY];
    let run = scratch.run(["match", "--game", "quixo", "--nodes", "100", "--out", "d"].iter().chain(&bots));
    run.said(2, "it did not announce `feature nodes`, so it can't be sent `go nodes N`");
    assert!(run.stderr.contains("`plain`"), "{}", run.stderr);
    // The other bot can be limited by work all the same.
    let own = ["--bot-time", "greedy:nodes=100", "--games", "1", "-q"];
    play(&scratch, ["./plain", GREEDY], &own).done();
}

#[test]
fn a_games_seed_follows_from_the_master_seed_and_its_id() {
    let scratch = Scratch::new();
    let seeds = |seed: &str, out: &str| -> Vec<String> {
        play(&scratch, [RANDOM, RANDOM], &["--games", "4", "--seed", seed, "--out", out, "-q"]).done();
        let records = records(&scratch.path(out).join("games.jsonl"));
        sorted(records.iter().map(|record| format!("{} {}", record["seed"], record["id"])))
    };
    let first = seeds("7", "one");
    assert_eq!(seeds("7", "two"), first);
    assert!(seeds("8", "three").iter().all(|other| !first.contains(other)));
}

#[test]
fn linesman_as_first_word_is_the_running_binary() {
    let scratch = Scratch::new();
    scratch.program("bin/linesman", "#!/bin/sh\necho 'another linesman was started' >&2\nexit 1\n");
    std::os::unix::fs::symlink(LINESMAN, scratch.path("referee")).expect("the folder is ours");
    // It is neither installed nor under its own name, and another one is on the PATH.
    let mut command = std::process::Command::new(scratch.path("referee"));
    let run = command
        .args(arguments([RANDOM, GREEDY], &["--games", "2", "--progress", "none"]))
        .current_dir(scratch.path(""))
        .env("TMPDIR", scratch.temporary())
        .env("PATH", format!("{}:/usr/bin:/bin", scratch.path("bin").display()))
        .output()
        .expect("the link leads to the binary");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !stderr.contains("another linesman"), "{stderr}");
}

#[test]
fn a_bot_runs_in_the_current_folder() {
    let scratch = Scratch::new();
    scratch.write("my bots/first one.sh", shell_bot(""));
    scratch.program("second", &shell_bot(""));
    let run = play(&scratch, ["sh 'my bots/first one.sh'", "./second"], &["--games", "2", "-q"]);
    assert_eq!(sorted(rows(run.done()).iter().map(|row| row[1])), ["first_one", "second"]);
}

#[test]
fn wrong_usage_is_explained_exactly() {
    #[track_caller]
    fn check(arguments: &[&str], stderr: &str) {
        let scratch = Scratch::new();
        scratch.run(["match"].iter().chain(arguments)).refused(2, stderr);
        assert_eq!(scratch.list(""), [] as [&str; 0]);
    }
    let known = linesman::games::GAMES.iter().map(|game| game.id).collect::<Vec<_>>().join("`, `");
    let two = ["--game", "quixo", "--bot", RANDOM, "--bot", RANDOM];
    let two_and = |more: &[&'static str]| [&two, more].concat();
    check(
        &two_and(&["--movetime", "200"]),
        "error: invalid value '200' for '--movetime <TIME>': `200` has no unit (write `200ms` or `200s`)\n\n\
         For more information, try '--help'.\n",
    );
    check(
        &two_and(&["--tc", "10s+1"]),
        "error: invalid value '10s+1' for '--tc <TIME+TIME>': `1` has no unit (write `1ms` or `1s`)\n\n\
         For more information, try '--help'.\n",
    );
    check(
        &two_and(&["--tc", "0/10s"]),
        "error: invalid value '0/10s' for '--tc <TIME+TIME>': `0` is not a number of moves (write 1 to 9999 \
         before the `/`, as in `40/60s`)\n\nFor more information, try '--help'.\n",
    );
    check(
        &two_and(&["--options", "size=9"]),
        "error: option `size` can't be `9`: it must be 3 to 8\n\
         hint: run `linesman games quixo` to list the options\n",
    );
    check(
        &two_and(&["--options", "siez=4"]),
        "error: there is no option `siez`\n\
         hint: did you mean `size`?\n\
         hint: run `linesman games quixo` to list the options\n",
    );
    check(
        &["--game", "quxo", "--bot", RANDOM, "--bot", RANDOM],
        &format!(
            "error: there is no game `quxo`\nhint: did you mean `quixo`?\nhint: choose one of `{known}`\n"
        ),
    );
    check(
        &two[..4],
        "error: a match of quixo needs 2 bots, but there is 1\nhint: give each bot with its own `--bot`; \
         for more bots, write a tournament file and use `linesman league run`\n",
    );
    check(
        &two_and(&["--bot", GREEDY]),
        "error: a match of quixo needs 2 bots, but there are 3\nhint: give each bot with its own `--bot`; \
         for more bots, write a tournament file and use `linesman league run`\n",
    );
    check(
        &two_and(&["--name", "a", "--name", "b", "--name", "c"]),
        "error: there are more `--name` than `--bot`\n",
    );
    check(
        &two_and(&["--games", "0"]),
        "error: invalid value '0' for '--games <N>': 0 is not in 1..=1000000\n\n\
         For more information, try '--help'.\n",
    );
    check(
        &["--game", "quixo", "--bot", RANDOM, "--bot", "sh 'bot.sh"],
        "error: can't parse `--bot \"sh 'bot.sh\"`\ncaused by: a quote in the command is not closed\n",
    );
}

#[test]
fn a_match_has_options_for_a_tournament_files_settings() {
    let scratch = Scratch::new();
    let fair = ["--pause", "always", "--affinity", "off", "--threads", "1", "--games", "1", "--out", "d"];
    play(&scratch, [RANDOM, GREEDY], &fair).done();
    for record in records(&scratch.path("d/games.jsonl")) {
        let seats = record["seats"].as_array().expect("a record has seats");
        assert!(seats.iter().all(|seat| seat["usage"]["paused"] == true), "{record}");
    }
    let refused = |more: &[&str], expected: &str| play(&scratch, [RANDOM, GREEDY], more).said(2, expected);
    refused(
        &["--pause", "now"],
        "error: invalid value 'now' for '--pause <WHEN>': expected one of auto, always, never\n",
    );
    refused(&["--affinity", "on"], "'--affinity <MODE>': expected one of auto, off\n");
    refused(&["--ponder", "--pause", "always"], "error: bots can't ponder and be paused\n");
    refused(&["--threads", "4096"], "error: a bot with 4096 threads needs more cores than there are\n");
    // Settings that change the games can't change on the way; others can.
    let again = |more: &[&str]| play(&scratch, [RANDOM, GREEDY], more);
    again(&["--games", "1", "--out", "d", "--pause", "never"]).done();
    let run = again(&["--games", "1", "--out", "d", "--ponder"]);
    run.said(2, "\ncaused by: `--ponder` is `true`, was `false`\n");
}

#[test]
fn a_match_with_other_settings_is_not_mixed_into_a_kept_one() {
    let scratch = Scratch::new();
    play(&scratch, [RANDOM, GREEDY], &["--games", "2", "--out", "d", "-q"]).done();
    let before = scratch.read("d/games.jsonl");
    let run = play(&scratch, [RANDOM, GREEDY], &["--games", "4", "--out", "d", "-q", "--margin", "10ms"]);
    let refused = "\
error: `d` holds a match of these bots with other options
caused by: `--margin` is `10ms`, was `50ms`
hint: choose another `--out`, or give the options with which the match was started
";
    run.refused(2, refused);
    assert_eq!(scratch.read("d/games.jsonl"), before);
    let all = ["--games", "1", "--out", "d", "-q", "--limit", "memory=512MiB", "--movetime", "20s"];
    let all = scratch.run(
        ["match", "--game", "quixo", "--bot", RANDOM, "--bot", GREEDY, "--options", "size=3"]
            .iter()
            .chain(&all),
    );
    let refused = "\
error: `d` holds a match of these bots with other options
caused by: `--games` is `1`, was `2`
caused by: the time control is `movetime=20s`, was `movetime=30s`
caused by: `--limit memory` is `512MiB`, was `1GiB`
hint: choose another `--out`, or give the options with which the match was started
";
    all.refused(2, refused);
}

#[test]
fn an_out_of_other_games_is_described_by_what_it_holds() {
    let scratch = Scratch::new();
    play(&scratch, [RANDOM, GREEDY], &["--games", "2", "--out", "d", "-q"]).done();
    let refused = |what: &str| format!("error: `d` holds a {what}\nhint: choose another `--out`\n");
    let others = play(&scratch, [RANDOM, "linesman bot mcts"], &["--games", "1", "--out", "d", "-q"]);
    others.refused(2, &refused("match of other bots, random and greedy"));
    let bots = ["--bot", RANDOM, "--bot", GREEDY, "--out", "d", "-q"];
    let game = scratch.run(["match", "--game", "trexo"].iter().chain(&bots));
    game.refused(2, &refused("match of another game, quixo"));
    let test = ["test", "--game", "quixo", "--options", "size=3", "--new", RANDOM, "--base", GREEDY];
    let test = scratch.run(test.iter().chain(&["--elo0", "0", "--elo1", "20", "--out", "d", "-q"]));
    test.refused(2, &refused("match of other bots, random and greedy"));
    scratch.write("cup.toml", tournament("", &[("a", RANDOM), ("b", RANDOM)]));
    scratch.run(["league", "run", "cup.toml", "--out", "d2", "-q"]).done();
    let league = play(&scratch, [RANDOM, GREEDY], &["--games", "1", "--out", "d2", "-q"]);
    league.refused(2, "error: `d2` holds a league\nhint: choose another `--out`\n");
}

#[test]
fn a_stopped_match_continues_with_the_command_that_it_prints() {
    let scratch = Scratch::new();
    scratch.write("waits.sh", waiting_bot());
    let more = ["--games", "4", "--concurrency", "1", "--sandbox", "off", "--out", "a match"];
    let bots = ["sh waits.sh", RANDOM];
    let running = scratch.start(arguments(bots, &more));
    scratch.wait_for_file("waiting");
    running.signal(Signal::INT);
    running.wait_for("stopping after ");
    scratch.write("open", "");
    let run = running.end();
    assert_eq!(run.status, Some(3), "{run:#?}");
    assert_eq!(records(&scratch.path("a match/games.jsonl")).len(), 1);

    let (_, printed) = run.stderr.rsplit_once("stopped; to continue, run: ").expect("the command is told");
    let again = std::process::Command::new("sh")
        .args(["-c", printed])
        .current_dir(scratch.path(""))
        .env("TMPDIR", scratch.temporary())
        .output()
        .expect("there is a shell");
    assert!(again.status.success(), "{printed}{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(records(&scratch.path("a match/games.jsonl")).len(), 4);
}

#[test]
fn a_stopped_match_that_is_not_kept_ends_by_its_signal() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let scratch = Scratch::new();
        scratch.write("waits.sh", waiting_bot());
        let more = ["--games", "4", "--concurrency", "1", "--sandbox", "off"];
        let running = scratch.start(arguments(["sh waits.sh", RANDOM], &more));
        scratch.wait_for_file("waiting");
        running.signal(signal);
        if signal == Signal::INT {
            running.wait_for("stopping after ");
            running.signal(signal);
        }
        let run = running.end();
        assert_eq!(run.status, Some(status), "{run:#?}");
        let end = "1 game was aborted\n";
        assert!(run.stderr.contains(end), "{}", run.stderr);
        assert!(
            run.stderr.ends_with("the games were not saved (use `--out DIR` to save them)\n"),
            "{}",
            run.stderr
        );
        assert_eq!(scratch.list(""), ["waiting", "waits.sh"]);
    }
}

#[test]
fn faults_count_for_strict_and_end_a_command_that_asks_for_it() {
    let scratch = Scratch::new();
    // Its moves are illegal, so every game is lost by a fault.
    scratch.program("bad", &shell_bot("go) echo \"bestmove z9z9\";;"));
    scratch.write("cup.toml", tournament("", &[("bad", "./bad"), ("good", RANDOM)]));
    let commands: [&[&str]; 3] = [
        &[
            "match",
            "--game",
            "quixo",
            "--options",
            "size=3",
            "--movetime",
            "30s",
            "--games",
            "2",
            "--bot",
            "./bad",
            "--bot",
            RANDOM,
        ],
        &["league", "run", "cup.toml"],
        &[
            "test",
            "--new",
            "./bad",
            "--base",
            RANDOM,
            "--game",
            "quixo",
            "--options",
            "size=3",
            "--movetime",
            "30s",
            "--elo0",
            "0",
            "--elo1",
            "20",
            "--max-games",
            "2",
        ],
    ];
    for command in commands {
        let run = |more: &[&str]| scratch.run(command.iter().chain(more));
        let usual = run(&[]).status;
        let failed = run(&["--fail-on-fault"]);
        assert_eq!(failed.status, Some(1), "{command:?}: {failed:?}");
        assert!(failed.stderr.contains("` failed in 2 games (--fail-on-fault)\n"), "{}", failed.stderr);
        if command[0] != "test" {
            assert_eq!(usual, Some(0), "{command:?}");
            run(&["--strict"]).said(2, "count as errors (--strict)\n");
        }
    }
    let good = ["--bot", RANDOM, "--bot", GREEDY, "--games", "2", "--fail-on-fault"];
    scratch.run(SMALL.iter().chain(&good)).done();
}
