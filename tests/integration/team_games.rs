//! Tests of team games on the real binary: four bots, two sides, and talking teammates.

use serde_json::Value;

use crate::support::bots::{records, seats, shell_bot};
use crate::support::scratch::Scratch;

/// Returns the arguments of a match of quixo-teams with these bots at seats 1 to 4, kept in `d`.
fn arguments<'a>(bots: [&'a str; 4], more: &[&'a str]) -> Vec<&'a str> {
    let bots = bots.into_iter().flat_map(|bot| ["--bot", bot]);
    let game = ["match", "--game", "quixo-teams", "--out", "d"];
    game.into_iter().chain(bots).chain(more.iter().copied()).collect()
}

fn list<'v>(record: &'v Value, field: &str) -> Vec<&'v Value> {
    record[field].as_array().unwrap_or_else(|| panic!("{field} is a list")).iter().collect()
}

/// Returns the moves in the form of `inspect --moves`.
fn moves(record: &Value) -> String {
    let moves: Vec<&str> =
        list(record, "moves").iter().map(|mv| mv.as_str().expect("a move is text")).collect();
    moves.join(" ")
}

#[test]
fn four_built_in_bots_play_and_their_records_verify() {
    let scratch = Scratch::new();
    let bots = [
        "linesman bot random",
        "linesman bot greedy",
        "linesman bot random --seed 2",
        "linesman bot alphabeta --depth 2",
    ];
    let more = ["--games", "4", "--movetime", "30s", "--options", "max_plies=60", "--concurrency", "1", "-q"];
    scratch.run(arguments(bots, &more)).done();
    let records = records(&scratch.path("d/games.jsonl"));
    assert_eq!(records.len(), 4);
    for record in &records {
        assert_eq!(record["game"], "quixo-teams");
        assert_eq!(seats(record).len(), 4);
        let places = list(record, "places");
        assert_eq!((places[0], places[1]), (places[2], places[3]), "mates share a place: {record}");
        assert!(
            record.get("faults").is_none_or(|faults| list(record, "faults").is_empty() || faults.is_null())
        );
    }
    let verified = scratch.run(["verify", "d/games.jsonl"]);
    assert!(verified.done().starts_with("4 records: 4 consistent ("), "{}", verified.stdout);

    let record = &records[0];
    let replayed = scratch.run(["replay", "d", "--game", "1", "--json"]);
    let replayed: Value = serde_json::from_str(replayed.done()).expect("it is JSON");
    let plies = list(&replayed, "plies");
    assert_eq!(plies.len(), list(record, "moves").len() + 1);
    assert_eq!(replayed["places"], record["places"]);
    let printed = scratch.run(["replay", "d", "--game", "1"]);
    let shown = printed.done();
    assert_eq!(shown.matches("\nseat 1 south, 2 west, 3 north, 4 east\n").count(), plies.len());

    let options = ["--options", "max_plies=60", "--moves"];
    let inspected = scratch
        .run(["inspect", "quixo-teams", "--json"].iter().chain(&options).chain(&[moves(record).as_str()]));
    let inspected: Value = serde_json::from_str(inspected.done()).expect("it is JSON");
    assert_eq!(inspected["token"], plies[plies.len() - 1]["token"]);
    assert_eq!(inspected["outcome"]["places"], record["places"]);
    assert_eq!(inspected["outcome"]["reason"], record["reason"]);
}

/// Returns a bot that on move sends its seat to its teammate, and writes received
/// messages to a file named after its seat.
fn talking_bot() -> String {
    shell_bot(
        "game) set -- $rest; seat=$3;;
        told) echo \"$rest\" >> \"told-$seat\";;
        go) echo \"tell here is  $seat\"; echo \"bestmove $move\";;",
    )
}

/// Returns the same bot, except that it waits until its teammate has written the message before it moves. Otherwise
/// the game, and with it the teammate, could end first.
fn patient_bot() -> String {
    shell_bot(
        "game) set -- $rest; seat=$3; mate=$(( (seat + 1) % 4 + 1 )); turns=0;;
        told) echo \"$rest\" >> \"told-$seat\";;
        go) echo \"tell here is  $seat\"; turns=$((turns + 1))
            while [ \"$(cat \"told-$mate\" 2>/dev/null | grep -c here)\" -lt $turns ]; do sleep 0.02; done
            echo \"bestmove $move\";;",
    )
}

#[test]
fn messages_of_a_bot_reach_only_its_teammate() {
    let scratch = Scratch::new();
    scratch.program("talk", &patient_bot());
    let options = [
        "--options",
        "consultation=true,max_plies=8",
        "--games",
        "1",
        "--movetime",
        "30s",
        "--sandbox",
        "off",
        "-q",
    ];
    scratch.run(arguments(["./talk"; 4], &options)).done();
    let record = &records(&scratch.path("d/games.jsonl"))[0];
    assert_eq!((record["reason"].as_str(), list(record, "moves").len()), (Some("max_plies"), 8));
    for (seat, mate) in [(1, 3), (2, 4), (3, 1), (4, 2)] {
        let heard = scratch.read(&format!("told-{seat}"));
        assert_eq!(heard, format!("{mate} here is  {mate}\n").repeat(2), "seat {seat}");
    }
}

#[test]
fn without_consultation_nothing_is_passed_on_and_the_log_shows_it() {
    let scratch = Scratch::new();
    scratch.program("talk", &talking_bot());
    let options = ["--options", "max_plies=4", "--games", "1", "--movetime", "30s"];
    let run = scratch.run(arguments(["./talk"; 4], &[&options[..], &["-v"]].concat()));
    run.said(0, ": ignored `tell here is  3`: no consultation in this game");
    assert_eq!(scratch.list(""), ["d", "talk"]);
}

#[test]
fn a_teammate_that_does_not_read_delays_nobody() {
    let scratch = Scratch::new();
    // The messages to it and its turn do not fit into a pipe.
    let tell = "printf 'tell %032760d\\n' 1; printf 'tell %032760d\\n' 2";
    scratch.program("talk", &shell_bot(&format!("go) {tell}; echo \"bestmove $move\";;")));
    scratch.program("deaf", &shell_bot("isready) echo readyok; exec sleep 1000;;"));
    // Only the teammate that does not read has little time.
    let options = ["--options", "consultation=true", "--games", "1", "--movetime", "30s", "-q"];
    let options = [&options[..], &["--bot-time", "deaf:movetime=2s"]].concat();
    let bots = ["./talk", "linesman bot random", "./deaf", "linesman bot random --seed 2"];
    scratch.run(arguments(bots, &options)).done();
    let record = &records(&scratch.path("d/games.jsonl"))[0];
    let deaf = seats(record).iter().position(|name| *name == "deaf").expect("it has a seat");
    let faults = list(record, "faults");
    assert_eq!(faults.len(), 1, "{record}");
    assert_eq!(
        (faults[0]["seat"].as_u64(), faults[0]["fault"].as_str()),
        (Some(deaf as u64 + 1), Some("time"))
    );
    assert_eq!(list(record, "moves").len(), deaf, "all before it have moved");
}
