//! Tests of `linesman league`: playing, continuing, and showing the results.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::Run;
use crate::support::bots::{
    LETS_BOTS_WRITE, ids, records, rows, seats, shell_bot, sorted, tournament, waiting_bot,
};
use crate::support::scratch::Scratch;

const ADA: (&str, &str) = ("ada", "linesman bot random");
const BOB: (&str, &str) = ("bob", "linesman bot random");
const CLEO: (&str, &str) = ("cleo", "linesman bot greedy");
const DAN: (&str, &str) = ("dan", "linesman bot random");

const FILES: [&str; 5] = ["crosstable.csv", "games.jsonl", "results.csv", "standings.csv", "tournament.toml"];

/// Returns a folder with a tournament file `cup.toml`.
fn cup(head: &str, bots: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, bots));
    scratch
}

fn run(scratch: &Scratch, more: &[&str]) -> Run {
    scratch.run(["league", "run", "cup.toml"].iter().chain(more))
}

fn played(scratch: &Scratch) -> Vec<Value> {
    records(&scratch.path("runs/cup/games.jsonl"))
}

/// Returns the ids of all games between these bots, `rounds` from each seat.
fn all_games(bots: &[&str], rounds: u32) -> Vec<String> {
    let mut games = Vec::new();
    for one in bots {
        for other in bots.iter().filter(|other| *other != one) {
            games.extend((1..=rounds).map(|round| format!("{one}~{other}~{round}")));
        }
    }
    sorted(games)
}

/// Parses CSV without quotes into rows by column name.
fn csv(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("CSV has a line of names").split(',').collect();
    lines.map(|line| names.iter().copied().zip(line.split(',')).collect()).collect()
}

#[test]
fn everyone_meets_everyone_from_every_seat() {
    let scratch = cup("rounds = 2\n", &[ADA, BOB, CLEO]);
    let finished = run(&scratch, &[]);
    let printed = rows(finished.done());
    assert_eq!(sorted(printed.iter().map(|row| row[1])), ["ada", "bob", "cleo"]);
    assert!(printed.iter().all(|row| row[2] == "8"), "{printed:?}");
    let message = &finished.stderr;
    assert!(message.starts_with("runs/cup: 12 games, "), "{message}");
    let end = "\nthe results are in runs/cup: games.jsonl, results.csv, standings.csv, crosstable.csv\n";
    assert!(message.ends_with(end), "{message}");

    assert_eq!(scratch.list("runs/cup"), FILES);
    assert_eq!(scratch.read("runs/cup/tournament.toml"), scratch.read("cup.toml"));
    let records = played(&scratch);
    assert_eq!(sorted(ids(&records)), all_games(&["ada", "bob", "cleo"], 2));
    for record in &records {
        let id = record["id"].as_str().expect("it is text");
        assert!(id.starts_with(&seats(record).join("~")), "{id}");
    }

    let results = scratch.read("runs/cup/results.csv");
    let listed: Vec<&str> = csv(&results).iter().map(|row| row["id"]).collect();
    assert_eq!(listed, ids(&records), "a row a record, in their order");
    let standings = scratch.read("runs/cup/standings.csv");
    for row in csv(&standings) {
        assert_eq!((row["games"], row["games_seat_1"], row["games_seat_2"]), ("8", "4", "4"));
        let wins = records.iter().filter(|record| winner(record) == Some(row["bot"])).count();
        assert_eq!(row["wins"], wins.to_string(), "{standings}");
    }
    let crosstable = scratch.read("runs/cup/crosstable.csv");
    let order: Vec<&str> = csv(&standings).iter().map(|row| row["bot"]).collect();
    assert_eq!(crosstable.lines().next(), Some(format!("bot,{}", order.join(",")).as_str()));
    for row in csv(&crosstable) {
        assert_eq!(row[row["bot"]], "", "nobody meets himself");
        assert_eq!(row.values().filter(|cell| cell.contains("W")).count(), 2, "{crosstable}");
    }
    let verified = scratch.run(["verify", "runs/cup/games.jsonl"]);
    assert!(verified.done().starts_with("12 records: 12 consistent ("), "{}", verified.stdout);
}

/// Returns the winner, if any.
fn winner(record: &Value) -> Option<&str> {
    let first = seats(record);
    match record["places"].as_array().expect("it has a result").as_slice() {
        [one, other] if one == other => None,
        [one, _] => Some(first[usize::from(*one != 1)]),
        other => panic!("{other:?} are places of two"),
    }
}

#[test]
fn the_same_file_and_seed_give_the_same_games_in_the_same_order() {
    let scratch = cup("rounds = 2\nconcurrency = 1\n", &[ADA, BOB, CLEO]);
    let listed = run(&scratch, &["--dry-run"]).done().to_owned();
    assert_eq!(run(&scratch, &["--dry-run"]).done(), listed);
    let games = |out: &str| -> Vec<String> {
        run(&scratch, &["--out", out, "-q"]).done();
        let records = records(&scratch.path(out).join("games.jsonl"));
        records.iter().map(|game| format!("{} {} {}", game["id"], game["seed"], game["moves"])).collect()
    };
    let first = games("one");
    assert_eq!(games("two"), first);
    let (_, pairings) = listed.split_once("pairings").expect("the games are listed");
    let pairings: Vec<String> = pairings.split_whitespace().map(|id| format!("\"{id}\"")).collect();
    let order: Vec<&str> = first.iter().filter_map(|game| game.split(' ').next()).collect();
    assert_eq!(order, pairings, "one after the other, as a dry run lists them");
}

#[test]
fn a_finished_league_says_so_and_plays_nothing() {
    let scratch = cup("", &[ADA, BOB, CLEO]);
    let first = run(&scratch, &[]);
    let before = scratch.read("runs/cup/games.jsonl");
    std::fs::remove_file(scratch.path("runs/cup/standings.csv")).expect("the file is ours");
    let again = run(&scratch, &[]);
    assert_eq!(again.done(), first.done());
    let message = &again.stderr;
    assert!(message.starts_with("runs/cup: finished, all 6 games have been played\n"), "{message}");
    assert!(!message.contains("of 6 games"), "{message}");
    assert_eq!(scratch.read("runs/cup/games.jsonl"), before);
    assert_eq!(scratch.list("runs/cup"), FILES, "the tables are there again");
}

#[test]
fn added_bots_and_rounds_only_play_the_missing_games() {
    let scratch = cup("rounds = 1\n", &[ADA, BOB]);
    run(&scratch, &["-q"]).done();
    let first = scratch.read("runs/cup/games.jsonl");

    scratch.write("cup.toml", tournament("rounds = 2\n", &[ADA, BOB]));
    let more = run(&scratch, &[]);
    assert_eq!(rows(more.done())[0][2], "4");
    let message = "rounds: 2 (before: 1)\nruns/cup: continuing, 2 of 4 games have been played\n";
    assert!(more.stderr.starts_with(message), "{}", more.stderr);
    let second = scratch.read("runs/cup/games.jsonl");
    assert!(second.starts_with(&first));

    scratch.write("cup.toml", tournament("rounds = 2\n", &[DAN, ADA, CLEO, BOB]));
    let more = run(&scratch, &[]);
    assert_eq!(rows(more.done())[0][2], "12");
    let message =
        "added to the league: `dan`, `cleo`\nruns/cup: continuing, 4 of 24 games have been played\n";
    assert!(more.stderr.starts_with(message), "{}", more.stderr);
    assert!(scratch.read("runs/cup/games.jsonl").starts_with(&second));
    assert_eq!(sorted(ids(&played(&scratch))), all_games(&["ada", "bob", "cleo", "dan"], 2));
    assert_eq!(scratch.read("runs/cup/tournament.toml"), scratch.read("cup.toml"));
}

#[test]
fn a_changed_file_is_rejected_with_the_difference_named() {
    let scratch = cup("rounds = 2\n", &[ADA, BOB]);
    run(&scratch, &["-q"]).done();
    let before = FILES.map(|name| scratch.read(&format!("runs/cup/{name}")));
    let changed = tournament("rounds = 2\nmargin = \"20ms\"\n", &[ADA, BOB]);
    scratch.write("cup.toml", changed);
    let refused = "\
error: the run in `runs/cup` was started with different settings
hint: undo the change, or start a new run in another directory with `--out DIR`; a run accepts only changes that affect no game already played, such as new bots, rounds or openings
error: `margin` is `20ms`, but was `50ms` when the run started
 --> cup.toml:6:10
  |
6 | margin = \"20ms\"
  |          ^^^^^^ now
";
    run(&scratch, &[]).refused(2, refused);
    run(&scratch, &["--dry-run"]).refused(2, refused);
    assert_eq!(FILES.map(|name| scratch.read(&format!("runs/cup/{name}"))), before);
    assert_eq!(scratch.list("runs/cup"), FILES);
}

#[test]
fn settings_that_change_no_game_can_change() {
    let scratch = cup("", &[ADA, BOB]);
    run(&scratch, &["-q"]).done();
    let changed = tournament("name = \"The Cup\"\nconcurrency = 1\nrounds = 2\n", &[BOB, ADA]);
    scratch.write("cup.toml", changed);
    let more = run(&scratch, &[]);
    let message = "\
rounds: 2 (before: 1)
changed: `name` is now `The Cup`, was `cup`
changed: `concurrency` is now `1`, was `auto`
runs/cup: continuing, 2 of 4 games have been played
";
    assert!(more.stderr.starts_with(message), "{}", more.stderr);
    assert_eq!(sorted(ids(&played(&scratch))), all_games(&["ada", "bob"], 2));
}

#[test]
fn a_bot_that_crashes_at_once_in_game_after_game_is_withdrawn_until_it_is_fixed() {
    let broken = ("broken", "sh broken.sh");
    let scratch = cup("rounds = 8\n[limits]\ncrashes = 2\n", &[broken, ADA, BOB]);
    scratch.write("broken.sh", shell_bot("go) exit 7;;"));
    let stopped = run(&scratch, &[]);
    stopped.said(3, "`broken` is withdrawn: it crashed right after its start in 2 games in a row");
    stopped.said(
        3,
        "games of `broken` were not played; to play them, fix the bot and run the same command again",
    );
    let (of_broken, others): (Vec<Value>, Vec<Value>) =
        played(&scratch).into_iter().partition(|record| seats(record).contains(&"broken"));
    assert!((2..32).contains(&of_broken.len()), "{}", of_broken.len());
    assert_eq!(sorted(ids(&others)), all_games(&["ada", "bob"], 8), "the others play on");

    scratch.write("broken.sh", shell_bot("mended) ;;"));
    // The crashed games stay; the fixed bot is another version and plays all of its own games.
    run(&scratch, &[]).said(0, "as `broken@2`");
    let (of_first, others): (Vec<Value>, Vec<Value>) =
        played(&scratch).into_iter().partition(|record| seats(record).contains(&"broken"));
    assert_eq!(of_first, of_broken);
    assert_eq!(sorted(ids(&others)), all_games(&["ada", "bob", "broken@2"], 8));
}

#[test]
fn one_of_two_bots_that_crash_at_their_first_move_is_withdrawn() {
    let scratch =
        cup("rounds = 4\n[limits]\ncrashes = 2\n", &[("one", "sh broken.sh"), ("other", "sh broken.sh")]);
    scratch.write("broken.sh", shell_bot("go) exit 7;;"));
    let stopped = run(&scratch, &[]);
    stopped.said(3, "` is withdrawn: it crashed right after its start in 2 games in a row");
    assert!(played(&scratch).len() < 8, "not all games are given away");
}

/// A bot that never prints `ugiok` but exceeds the limit on output before it.
const FLOODS: &str = "while read -r line; do yes spam; done";
const MUTE: &str = "while read -r line; do :; done";

#[test]
fn bots_that_never_greet_are_withdrawn_and_the_others_play_until_they_are_fixed() {
    let bots = [("floods", "sh floods.sh"), ADA, ("mute", "sh mute.sh"), BOB];
    let scratch = cup("rounds = 2\nlimits = { start = \"60s\" }\n", &bots);
    // Only the silent bot has a short limit, which is enough once it is fixed.
    let command = "command = \"sh mute.sh\"\n";
    let limited = format!("{command}limits = {{ start = \"5s\" }}\n");
    scratch.write("cup.toml", scratch.read("cup.toml").replace(command, &limited));
    scratch.write("floods.sh", FLOODS);
    scratch.write("mute.sh", MUTE);
    let message = format!(
        "warning: bot `floods` printed more than 1048576 bytes instead of `ugiok`\n\
         caused by: command `sh floods.sh` in `.`\n\
         {}\
         hint: use `--keep-going` to play anyway: the bot then loses its games\n\
         warning: bot `mute` did not answer `ugiok` within 5000 ms\n\
         caused by: command `sh mute.sh` in `.`\n\
         hint: check that the bot answers the line `ugi` with `ugiok` and flushes its output\n\
         hint: use `--keep-going` to play anyway\n\
         warning: floods and mute are withdrawn, and the others play (with `--strict`, nothing would be played)\n\
         runs/cup: 24 games, ",
        "    stdout | spam\n".repeat(8)
    );
    let stopped = run(&scratch, &["--progress", "none"]);
    stopped.said(3, &message);
    let missing = "20 games of floods and mute were not played; to play them, fix these bots and run the \
                   same command again\n";
    stopped.said(3, missing);
    let of_others = all_games(&["ada", "bob"], 2);
    assert_eq!(sorted(ids(&played(&scratch))), of_others);
    let cells = rows(&stopped.stdout).into_iter().map(|row| (row[1].to_owned(), row[2].to_owned()));
    let expected = [("ada", "4"), ("bob", "4"), ("floods", "0"), ("mute", "0")];
    assert_eq!(sorted(cells), expected.map(|(bot, games)| (bot.to_owned(), games.to_owned())));

    // Until they are fixed, the outcome is the same.
    run(&scratch, &["--progress", "none"]).said(3, missing);
    assert_eq!(sorted(ids(&played(&scratch))), of_others);

    scratch.write("floods.sh", shell_bot(""));
    let stopped = run(&scratch, &[]);
    stopped.said(3, "warning: `mute` is withdrawn, and the others play");
    stopped.said(
        3,
        "12 games of `mute` were not played; to play them, fix the bot and run the same command again\n",
    );
    assert_eq!(sorted(ids(&played(&scratch))), all_games(&["ada", "bob", "floods"], 2));

    scratch.write("mute.sh", shell_bot(""));
    run(&scratch, &[]).done();
    assert_eq!(sorted(ids(&played(&scratch))), all_games(&["ada", "bob", "floods", "mute"], 2));
}

#[test]
fn nothing_is_played_without_a_bot_that_cannot_start_where_all_are_needed() {
    let scratch = cup("", &[ADA, ("broken", "sh broken.sh"), BOB]);
    scratch.write("two.toml", tournament("", &[ADA, ("broken", "sh broken.sh")]));
    let challenger = "schedule = \"gauntlet\"\nchallengers = [\"broken\"]\n";
    scratch.write("gauntlet.toml", tournament(challenger, &[ADA, ("broken", "sh broken.sh"), BOB]));
    scratch.write("broken.sh", "echo 'no weights' >&2; exit 3");
    let refused = "\
error: bot `broken` can't be started: it ended before `ugiok` with exit status 3
caused by: command `sh broken.sh` in `.`
    stderr | no weights
hint: use `--keep-going` to play anyway: the bot then loses its games
";
    let leagues: [&[&str]; 3] = [
        &["league", "run", "two.toml"],
        &["league", "run", "gauntlet.toml"],
        &["league", "run", "cup.toml", "--strict"],
    ];
    for arguments in leagues {
        scratch.run(arguments).refused(2, refused);
        assert!(!scratch.path("runs").exists(), "nothing is begun");
    }
    let one_of_two = ["match", "--game", "quixo", "--bot", "linesman bot random", "--bot", "sh broken.sh"];
    scratch.run(one_of_two).said(2, "error: bot `broken` can't be started: it ended before `ugiok`");

    // The games of the others change nothing if all bots are required.
    run(&scratch, &[]).said(3, "`broken` is withdrawn");
    let strict = run(&scratch, &["--strict"]);
    assert!(strict.stderr.ends_with(refused), "{}", strict.stderr);
    assert_eq!((strict.status, strict.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_missing_program_is_a_mistake_in_the_file_and_nothing_is_played() {
    let scratch = cup("", &[ADA, ("gone", "nosuchbot"), BOB]);
    let refused = run(&scratch, &[]);
    refused.said(2, "error: bot `gone` can't be started: there is no program `nosuchbot` on the PATH\n");
    refused.said(2, " --> cup.toml:12:11\n");
    assert_eq!(scratch.list(""), ["cup.toml"]);
}

#[test]
fn a_bot_that_is_never_ready_in_game_after_game_is_withdrawn() {
    let never_ugiok = shell_bot("ugi) [ -e greeted ] || { : > greeted; echo ugiok; };;");
    // Each bot has little time for what it never does, and plenty for the rest, like the others.
    for (command, little) in [
        ("linesman bot hostile never-readyok", "ready = \"2s\""),
        ("linesman bot hostile talks-before-the-game", "ready = \"2s\""),
        // It only greets in the preflight check.
        ("sh never-ugiok.sh", "start = \"5s\""),
    ] {
        let head = format!(
            "rounds = 8\nconcurrency = 1\n{LETS_BOTS_WRITE}[limits]\nstart = \"60s\"\nready = \"60s\"\ncrashes = 2\n"
        );
        let scratch = cup(&head, &[("late", command), ADA, BOB]);
        let line = format!("command = \"{command}\"\n");
        let limited = format!("{line}limits = {{ {little} }}\n");
        scratch.write("cup.toml", scratch.read("cup.toml").replace(&line, &limited));
        scratch.write("never-ugiok.sh", &never_ugiok);
        let stopped = run(&scratch, &[]);
        stopped.said(
            3,
            "`late` is withdrawn: it was not ready in 2 games in a row, the number that `limits.crashes` sets;",
        );
        stopped.said(
            3,
            "30 games of `late` were not played; to play them, fix the bot and run the same command again",
        );
        let (of_late, others): (Vec<Value>, Vec<Value>) =
            played(&scratch).into_iter().partition(|record| seats(record).contains(&"late"));
        assert_eq!(of_late.len(), 2, "they count as ever");
        assert_eq!(sorted(ids(&others)), all_games(&["ada", "bob"], 8), "the others play on");
    }
}

#[test]
fn a_game_that_ended_by_a_fault_keeps_its_last_lines() {
    let scratch = cup("concurrency = 1\n", &[("wrong", "sh wrong.sh"), ADA, BOB]);
    scratch.write("wrong.sh", shell_bot("go) echo 'thinking hard'; echo 'bestmove c2c4';;"));
    run(&scratch, &[]).done();
    for record in played(&scratch) {
        let seat = seats(&record).iter().position(|name| *name == "wrong");
        let Some(seat) = seat else {
            assert!(record["transcript"].is_null(), "{record}");
            continue;
        };
        let lines = record["transcript"].as_array().expect("it is kept");
        let own: Vec<&Value> = lines.iter().filter(|line| line["seat"] == seat + 1).collect();
        let last = own.iter().rev().take(3).rev();
        let expected =
            [("to_bot", "go movetime 30000"), ("from_bot", "thinking hard"), ("from_bot", "bestmove c2c4")];
        let last: Vec<_> = last.map(|line| (line["direction"].clone(), line["text"].clone())).collect();
        assert_eq!(last, expected.map(|(direction, text)| (json!(direction), json!(text))), "{record}");
    }
    let id = played(&scratch).iter().find(|record| !record["transcript"].is_null()).expect("it failed")["id"]
        .clone();
    let id = id.as_str().expect("ids are texts");
    let shown = scratch.run(["replay", "runs/cup/games.jsonl", "--game", id]);
    assert!(shown.done().contains("the last lines of the dialogue with the referee:\n"), "{}", shown.stdout);
    assert!(shown.stdout.contains(": bestmove c2c4\n"), "{}", shown.stdout);

    let about = scratch.run(["league", "show", "runs/cup", "wrong"]);
    let about = about.done();
    for text in [
        "faults    illegal_move 4",
        "games     4 with a result, 0 without",
        "from seat 2: bestmove c2c4",
        "last games:",
    ] {
        assert!(about.contains(text), "{text}:\n{about}");
    }
    // Only the bots' output is left out.
    let brief = scratch.run(["league", "show", "runs/cup", "wrong", "--brief"]);
    let brief = brief.done();
    assert!(!brief.contains("bestmove") && !brief.contains("the last lines of the dialogue"), "{brief}");
    assert!(brief.lines().all(|line| about.lines().any(|other| other == line)), "{brief}");
    for kept in ["faults    illegal_move 4", "last faults:", "last games:"] {
        assert!(brief.contains(kept), "`{kept}` in\n{brief}");
    }
    let evidence = about.lines().filter(|line| line.starts_with("      ")).count();
    assert!(evidence > 4 && brief.lines().count() + evidence <= about.lines().count(), "{brief}");
    let both = scratch.run(["league", "show", "runs/cup", "wrong", "--brief", "--json"]);
    both.said(2, "cannot be used with");
    let data = scratch.run(["league", "show", "runs/cup", "wrong", "--last", "1", "--json"]);
    let data: Value = serde_json::from_str(data.done()).expect("it is JSON");
    assert_eq!((&data["games"], &data["faults_by_kind"]["illegal_move"]), (&json!(4), &json!(4)));
    assert_eq!((&data["bot"], &data["name"], &data["faults"]), (&json!("wrong"), &json!("wrong"), &json!(4)));
    let void = ["games_void", "void_games", "tries_void_by_host", "annulled_games", "voids"];
    assert!(void.iter().all(|key| data[*key] == 0), "{data}");
    assert_eq!(data["last_faults"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["last_faults"][0]["stderr_tail"], data["last_faults"][0]["stderr"]);
    assert_eq!(data["last_faults"][0]["transcript"].as_array().map(Vec::is_empty), Some(false));
    assert_eq!(data["results"].as_array().map(Vec::len), Some(4), "two opponents, two seats: {data}");
    assert_eq!((&data["results"][0]["games"], &data["results"][0]["score"]), (&json!(1), &json!(0.0)));
    let csv = scratch.run(["league", "show", "runs/cup", "ada", "--format", "csv"]);
    assert!(
        csv.done().starts_with("opponent,seat,games,wins,draws,losses,score\nbob,1,1,"),
        "{}",
        csv.stdout
    );
    let unknown = scratch.run(["league", "show", "runs/cup", "wrung"]);
    unknown.refused(2, "error: there is no bot `wrung` in `runs/cup`\nhint: did you mean `wrong`?\n");
}

#[test]
fn keep_going_does_not_withdraw_a_crashing_bot() {
    let scratch = cup("rounds = 2\n[limits]\ncrashes = 1\n", &[("broken", "sh broken.sh"), ADA]);
    scratch.write("broken.sh", shell_bot("go) exit 7;;"));
    run(&scratch, &["--keep-going"]).done();
    assert_eq!(played(&scratch).len(), 4);
}

#[test]
fn a_dry_run_shows_what_would_be_played_and_writes_nothing() {
    let scratch = cup("concurrency = 1\nrounds = 11\n", &[ADA, BOB]);
    let dry = run(&scratch, &["--dry-run"]);
    let message = "\
league      cup
game        quixo size=3,max_plies=200,repetition=3
bots        2
time        movetime=30s, margin 50 ms
schedule    round-robin
games       22, 22 left to play, 1 at once
directory   runs/cup
duration    about 3.7 h (if a game has 40 plies and bots use half of their time)
pairings    bob~ada~1
            ada~bob~1
            bob~ada~2
";
    assert!(dry.done().starts_with(message), "{}", dry.stdout);
    assert!(dry.stdout.ends_with("\n            and 2 more\n"), "{}", dry.stdout);
    assert_eq!((dry.stdout.lines().count(), dry.stderr.as_str()), (29, ""));
    assert_eq!(scratch.list(""), ["cup.toml"]);
    let data: Value =
        serde_json::from_str(run(&scratch, &["--dry-run", "--json"]).done()).expect("it is JSON");
    assert_eq!((&data["games_left"], &data["left"]), (&json!(22), &json!(22)));
    assert_eq!((&data["done"], &data["played"], &data["length"]), (&json!(0), &json!(0), &json!("exact")));
    assert_eq!(data["entrants"], json!(["ada", "bob"]));

    run(&scratch, &["-q"]).done();
    let before = scratch.read("runs/cup/games.jsonl");
    let dry = run(&scratch, &["--dry-run"]);
    assert!(dry.done().contains("games       22, 0 left to play, 1 at once\n"), "{}", dry.stdout);
    assert_eq!(scratch.read("runs/cup/games.jsonl"), before);
}

#[test]
fn standings_and_games_come_in_every_form() {
    let scratch = cup("", &[ADA, BOB, CLEO]);
    let printed = run(&scratch, &["-q"]).done().to_owned();
    let data = |arguments: &[&str]| -> String {
        let run = scratch.run(["league"].iter().chain(arguments).chain(&["runs/cup", "-q"]));
        // The load of the host is independent of the form.
        let is_of_host = |line: &str| line.starts_with("warning: The machine is overloaded: bots spent");
        assert!(run.stderr.lines().all(is_of_host), "{}", run.stderr);
        run.done().to_owned()
    };
    assert_eq!(data(&["standings"]), printed);
    let standings = scratch.read("runs/cup/standings.csv");
    assert_eq!(data(&["standings", "--format", "csv"]), standings);
    assert_eq!(data(&["export"]), standings);
    let json: Value = serde_json::from_str(&data(&["standings", "--json"])).expect("it is JSON");
    let rows = json.as_array().expect("it is a list");
    for (row, cells) in rows.iter().zip(csv(&standings)) {
        assert_eq!(row["bot"], cells["bot"]);
        assert_eq!(row["wins"].to_string(), cells["wins"]);
    }
    assert_eq!(rows.len(), 3);
    assert_eq!(data(&["export", "--format", "json"]), data(&["standings", "--format", "json"]));
    assert_eq!(data(&["export", "--json"]), data(&["standings", "--json"]));
    assert!(rows.iter().all(|row| row["note"] != ""), "what is empty in CSV is null: {rows:?}");
    let results = scratch.read("runs/cup/results.csv");
    assert!(
        results.contains(",\"size=3,max_plies=200,repetition=3\","),
        "in the order of the game: {results}"
    );
    assert_eq!(data(&["export", "--games"]), scratch.read("runs/cup/results.csv"));
    assert_eq!(data(&["export", "--games", "--format", "json"]), scratch.read("runs/cup/games.jsonl"));
    let games: Vec<Value> = data(&["export", "--games", "--format", "json"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    assert_eq!(games, played(&scratch));
}

#[test]
fn standings_of_a_running_league_can_be_shown() {
    let scratch = cup(&format!("concurrency = 1\n{LETS_BOTS_WRITE}"), &[("waits", "sh waits.sh"), ADA]);
    scratch.write("waits.sh", waiting_bot());
    let running = scratch.start(["league", "run", "cup.toml"]);
    scratch.wait_for_file("waiting");
    let run = scratch.run(["league", "standings", "runs/cup"]);
    assert_eq!(sorted(rows(run.done()).iter().map(|row| (row[1], row[2]))), [("ada", "0"), ("waits", "0")]);
    assert!(run.stderr.ends_with("0 of 2 games have been played\n"), "{}", run.stderr);
    scratch.write("open", "");
    running.end().done();
}

#[test]
fn a_directory_in_use_is_rejected() {
    let scratch = cup(&format!("concurrency = 1\n{LETS_BOTS_WRITE}"), &[("waits", "sh waits.sh"), ADA]);
    scratch.write("waits.sh", waiting_bot());
    let first = scratch.start(["league", "run", "cup.toml"]);
    scratch.wait_for_file("waiting");
    let refused = "error: another linesman process is using `runs/cup`\n\
                   hint: wait until it ends, or choose another directory with `--out DIR`\n";
    run(&scratch, &[]).refused(2, refused);
    scratch.write("open", "");
    first.end().done();
    assert_eq!(sorted(ids(&played(&scratch))), all_games(&["ada", "waits"], 1));
    // The directory is no longer in use.
    run(&scratch, &["-q"]).done();
}

#[test]
fn quiet_is_quiet() {
    let scratch = cup("", &[ADA, BOB, CLEO]);
    // The warning about an overloaded host is still printed, since it affects the results.
    let quiet = run(&scratch, &["-q"]);
    let others: Vec<&str> = quiet.stderr.lines().filter(|line| !line.starts_with("warning: ")).collect();
    assert_eq!((quiet.status, others.as_slice()), (Some(0), [].as_slice()), "{}", quiet.stderr);
    assert_eq!(rows(&quiet.stdout).len(), 3);
    // With `-qq`, only errors are printed, even on an overloaded host.
    let quieter = run(&scratch, &["-qq", "--out", "another"]);
    assert_eq!((quieter.status, quieter.stderr.as_str()), (Some(0), ""));
    assert_eq!(rows(&quieter.stdout).len(), 3);
}

#[test]
fn relative_paths_start_from_the_files_folder_and_results_go_to_the_current_one() {
    let scratch = Scratch::new();
    let bots = [("shell", "sh bots/bot.sh"), ("own", "./bots/own bot.sh"), ADA];
    scratch
        .write("cups/spring.toml", tournament("", &bots).replace("./bots/own bot.sh", "'./bots/own bot.sh'"));
    scratch.write("cups/bots/bot.sh", shell_bot(""));
    scratch.program("cups/bots/own bot.sh", &shell_bot(""));
    let run = scratch.run(["league", "run", "cups/spring.toml", "-q"]);
    assert_eq!(rows(run.done()).len(), 3);
    assert_eq!(scratch.list(""), ["cups", "runs"]);
    assert_eq!(sorted(scratch.list("cups")), ["bots", "spring.toml"]);
    assert_eq!(scratch.list("runs/spring"), FILES);
    // The results can be read from any folder.
    let run = scratch.run(["league", "standings", "runs/spring", "-q"]);
    assert_eq!(rows(run.done()).len(), 3);
}

#[test]
fn all_mistakes_of_a_file_are_shown_at_once() {
    let scratch = Scratch::new();
    let text = "version = 1\ngame = \"quizo\"\nmovetime = 200\nround = 2\n\n[[bots]]\nname = \"a\"\ncommand = \"nosuchbot\"\n";
    scratch.write("cup.toml", text);
    let run = run(&scratch, &[]);
    assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""));
    for part in [
        "error: there is no game `quizo`\n --> cup.toml:2:8\n",
        "did you mean `quixo`?",
        "--> cup.toml:3:12\n",
        "did you mean `rounds`?",
        "--> cup.toml:4:1\n",
    ] {
        assert!(run.stderr.contains(part), "{part:?} is missing in\n{}", run.stderr);
    }
    assert_eq!(scratch.list(""), ["cup.toml"]);
}

#[test]
fn a_folder_that_is_no_run_is_rejected() {
    let scratch = cup("", &[ADA, BOB]);
    scratch.write("letters/mother.txt", "Dear mother");
    let refused =
        |arguments: &[&str], stderr: &str| scratch.run(["league"].iter().chain(arguments)).refused(2, stderr);
    refused(
        &["run", "cup.toml", "--out", "letters"],
        "error: `letters` is not a run directory: it contains `mother.txt` but no `tournament.toml`\n\
         hint: choose another directory with `--out DIR`\n",
    );
    refused(
        &["run", "cup.toml", "--out", "cup.toml"],
        "error: `cup.toml` is not a directory\nhint: choose another directory with `--out DIR`\n",
    );
    refused(
        &["run", "cpu.toml"],
        "error: can't read `cpu.toml`\ncaused by: No such file or directory (os error 2)\n\
         hint: did you mean `cup.toml`?\n",
    );
    for command in ["standings", "export"] {
        for folder in ["letters", "nowhere"] {
            refused(
                &[command, folder],
                &format!(
                    "error: there is no run in `{folder}`\n\
                     hint: name a run directory or its `games.jsonl`, or start a run with `linesman league run FILE.toml`\n"
                ),
            );
        }
    }
    assert_eq!(scratch.list(""), ["cup.toml", "letters"]);
    assert_eq!(scratch.list("letters"), ["mother.txt"]);
}
