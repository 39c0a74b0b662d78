//! Tests of the events for programs: their content, and that no reader disturbs the games.

use std::io::Read;
use std::process::Stdio;

use serde_json::Value;

use crate::schema::Schema;
use crate::support::bots::{records, shell_bot, tournament};
use crate::support::project;
use crate::support::scratch::Scratch;
use crate::support::waiting::wait_until;

const EVENTS: [&str; 5] = ["league", "run", "cup.toml", "--events", "jsonl"];

/// Parses all lines and checks each against the schema.
#[track_caller]
fn events(text: &str) -> Vec<Value> {
    let schema = std::fs::read_to_string(project().join("protocol/events.schema.json")).expect("it is there");
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    let schema = Schema::new(schema);
    let event = |line: &str| {
        let event: Value = serde_json::from_str(line).expect("every line is JSON");
        assert_eq!(schema.check(&event), Ok(()), "{line}");
        event
    };
    text.lines().map(event).collect()
}

fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn a_league_has_events_from_its_plan_to_its_end() {
    let scratch = Scratch::new();
    scratch.write("wild.sh", shell_bot("go) echo bestmove a9a9;;"));
    let bots = [("ada", "linesman bot random"), ("bob", "linesman bot random"), ("wild", "sh wild.sh")];
    scratch.write("cup.toml", tournament("", &bots));
    let run = scratch.run(EVENTS);
    let lines = events(run.done());
    let plan = &lines[0];
    assert_eq!((&plan["event"], &plan["v"]), (&"run_started".into(), &1.into()));
    assert_eq!((&plan["games"], &plan["length"], &plan["done"]), (&6.into(), &"exact".into(), &0.into()));
    assert_eq!(plan["entrants"], serde_json::json!(["ada", "bob", "wild"]));
    let started = of_kind(&lines, "game_started");
    let finished = of_kind(&lines, "game_finished");
    assert_eq!((started.len(), finished.len()), (6, 6));
    let recorded = records(&scratch.path("runs/cup/games.jsonl"));
    for (event, record) in finished.iter().zip(&recorded) {
        assert_eq!((&event["id"], &event["places"]), (&record["id"], &record["places"]));
        let begin =
            lines.iter().position(|other| other["event"] == "game_started" && other["id"] == event["id"]);
        let end = lines.iter().position(|other| other == *event);
        assert!(begin < end, "{event}");
    }
    let lost = finished.iter().find(|event| event["seats"][0] == "wild").expect("wild begins twice");
    assert_eq!(
        (&lost["faults"][0]["name"], &lost["faults"][0]["fault"]),
        (&"wild".into(), &"not_a_move".into())
    );
    assert_eq!(lost["faults"][0]["bot"], "wild");
    assert!(lost["sentence"].as_str().is_some_and(|text| text.contains("wild lost: `a9a9`")), "{lost}");
    assert_eq!(finished[5]["done"], 6);
    let standings = of_kind(&lines, "standings");
    let standings = standings.last().expect("it is said at the end");
    let last = standings["standings"].as_array().expect("it is an array").last().expect("somebody is last");
    assert_eq!((&last["name"], &last["points"], &last["games"]), (&"wild".into(), &0.0.into(), &4.into()));
    assert!(last["elo"].is_number(), "{last}");
    assert_eq!((&last["bot"], &last["team"]), (&"wild".into(), &Value::Null));
    assert_eq!((&last["elo_low"], &last["elo_high"]), (&last["interval"][0], &last["interval"][1]));
    // As in the files, at most six digits.
    let csv = std::fs::read_to_string(scratch.path("runs/cup/standings.csv")).expect("it was written");
    let elo = format!("{:.6}", last["elo"].as_f64().expect("it is a number"));
    assert!(csv.lines().any(|row| row.contains(",wild,") && row.contains(&elo)), "{elo}: {csv}");
    let end = lines.last().expect("there are lines");
    assert_eq!(
        (&end["event"], &end["status"], &end["exit"]),
        (&"run_finished".into(), &"complete".into(), &0.into())
    );
    // The table for people goes to stderr.
    assert!(run.stderr.contains("#  bot"), "{}", run.stderr);
    let again = scratch.run(EVENTS.iter().chain(&["-qq"]));
    assert_eq!((again.status, again.stderr.as_str()), (Some(0), ""));
    assert_eq!(events(&again.stdout).last().map(|end| end["status"].clone()), Some("complete".into()));
}

#[test]
fn a_bot_that_never_greets_is_withdrawn_before_any_game() {
    let scratch = Scratch::new();
    let bots = [
        ("ada", "linesman bot random"),
        ("floods", "linesman bot hostile talks-before-ugiok"),
        ("bob", "linesman bot random"),
    ];
    scratch.write("cup.toml", tournament("", &bots));
    let run = scratch.run(EVENTS);
    let lines = events(&run.stdout);
    let warned = &lines[0];
    assert_eq!(warned["text"], "bot `floods` printed more than 1048576 bytes instead of `ugiok`");
    let kinds: Vec<&Value> =
        lines.iter().map(|event| &event["event"]).filter(|kind| *kind != "warning").collect();
    assert_eq!(kinds[..3], ["run_started", "bot_withdrawn", "game_started"]);
    let withdrawn = of_kind(&lines, "bot_withdrawn");
    assert_eq!(withdrawn.len(), 1);
    assert_eq!((&withdrawn[0]["name"], &withdrawn[0]["games"]), (&"floods".into(), &0.into()));
    assert_eq!(of_kind(&lines, "game_finished").len(), 2);
    let end = lines.last().expect("there are lines");
    assert_eq!((run.status, &end["status"], &end["exit"]), (Some(3), &"withdrawn".into(), &3.into()));
}

#[test]
fn a_test_has_its_ratio_and_a_failed_start_its_reason() {
    let scratch = Scratch::new();
    let test =
        ["test", "--game", "quixo", "--options", "size=3", "--base", "linesman bot random", "--elo0", "0"];
    let more = ["--elo1", "200", "--movetime", "60s", "--events", "jsonl"];
    let run = scratch.run(test.iter().chain(&more).chain(&["--new", "linesman bot greedy"]));
    let lines = events(run.done());
    assert_eq!((&lines[0]["length"], &lines[0]["games"]), (&"at_most".into(), &100_000.into()));
    let found = of_kind(&lines, "test");
    let found = found.last().expect("it is said at the end");
    assert_eq!(found["status"], "accepted");
    assert!(found["llr"].as_f64() >= found["upper"].as_f64(), "{found}");
    assert_eq!(lines.last().expect("there are lines")["status"], "decided");
    let run = scratch.run(test.iter().chain(&more).chain(&["--new", "nosuchbot"]));
    let lines = events(&run.stdout);
    assert_eq!((run.status, lines.len()), (Some(2), 1), "{run:?}");
    assert_eq!((&lines[0]["status"], &lines[0]["exit"]), (&"failed".into(), &2.into()));
    assert!(lines[0]["error"].as_str().is_some_and(|error| error.contains("nosuchbot")));
    scratch.write("typo.toml", "version = 1\ngame = \"quixo\"\nronds = 2\nbots = []\n");
    let run = scratch.run(["league", "run", "typo.toml", "--events", "jsonl"]);
    let error = events(&run.stdout)[0]["error"].as_str().map(str::to_owned);
    assert!(error.is_some_and(|error| error.contains("there is no key `ronds`")), "{run:?}");
    let both = scratch.run(test.iter().chain(&more).chain(&["--new", "linesman bot greedy", "--json"]));
    both.refused(
        2,
        "error: `--events` and `--format` can't both print on stdout\nhint: leave out `--format`: the last \
         event `test` holds the same data\n",
    );
}

/// Returns a league with more events than fit into a pipe.
fn long_league() -> Scratch {
    let scratch = Scratch::new();
    let bots = [("ada", "linesman bot random"), ("bob", "linesman bot random")];
    scratch.write("cup.toml", tournament("rounds = 200\n", &bots));
    scratch
}

#[test]
fn a_slow_reader_neither_delays_games_nor_loses_events() {
    let scratch = long_league();
    let mut command = scratch.command(EVENTS);
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary was built");
    // No line has been read by then.
    wait_until("all games are recorded", || {
        let games = std::fs::read_to_string(scratch.path("runs/cup/games.jsonl")).unwrap_or_default();
        games.lines().count() == 400
    });
    let mut text = String::new();
    running.stdout.take().expect("it is piped").read_to_string(&mut text).expect("it is UTF-8");
    assert!(running.wait().expect("it ends").success());
    assert!(text.len() > 64 << 10, "a pipe does not hold it");
    let lines = events(&text);
    assert_eq!(of_kind(&lines, "game_finished").len(), 400);
    assert_eq!(lines.last().expect("there are lines")["event"], "run_finished");
}

#[test]
fn a_reader_that_ends_changes_nothing() {
    let scratch = long_league();
    let mut command = scratch.command(EVENTS);
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary was built");
    let mut reader = running.stdout.take().expect("it is piped");
    let mut some = [0; 100];
    reader.read_exact(&mut some).expect("something is told");
    drop(reader);
    assert!(running.wait().expect("it ends").success());
    assert_eq!(records(&scratch.path("runs/cup/games.jsonl")).len(), 400);
}
