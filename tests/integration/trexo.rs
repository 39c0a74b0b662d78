//! End-to-end tests of Trexo: played by built-in bots, verified, replayed, inspected.

use serde_json::Value;

use crate::support::bots::records;
use crate::support::linesman;
use crate::support::scratch::Scratch;

const OPTIONS: &str = "size=6,tiles=24,line=4";

fn inspected(options: &str, moves: &str) -> Value {
    let run = linesman(["inspect", "trexo", "--options", options, "--moves", moves, "--json"]);
    serde_json::from_str(run.done()).expect("stdout is JSON")
}

#[test]
fn games_of_built_in_bots_verify_and_replay() {
    let scratch = Scratch::new();
    let bots = ["--bot", "linesman bot greedy", "--bot", "linesman bot random"];
    let how = ["--options", OPTIONS, "--games", "6", "--movetime", "30s", "--out", "m"];
    let run = scratch.run(["match", "--game", "trexo"].into_iter().chain(bots).chain(how));
    run.done();
    let records = records(&scratch.path("m/games.jsonl"));
    assert_eq!(records.len(), 6);

    let mut plies = 0;
    for record in &records {
        assert_eq!((&record["faults"], &record["void"]), (&Value::Null, &Value::Null), "{record}");
        let moves: Vec<&str> =
            record["moves"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        plies += moves.len();
        let end = inspected(OPTIONS, &moves.join(" "));
        assert_eq!(end["ply"], moves.len());
        assert_eq!(end["outcome"]["places"], record["places"]);
        assert_eq!(end["outcome"]["reason"], record["reason"]);
        assert!(end["why"].as_str().is_some_and(|why| !why.is_empty()));
        let last = inspected(OPTIONS, &moves[..moves.len() - 1].join(" "));
        assert_eq!((&last["outcome"], last["ply"].as_u64()), (&Value::Null, Some(moves.len() as u64 - 1)));
        assert!(last["legal"].as_array().is_some_and(|legal| legal.contains(&moves[moves.len() - 1].into())));
    }
    assert_eq!(
        scratch.run(["verify", "m/games.jsonl"]).done(),
        format!("6 records: 6 consistent ({plies} moves)\n")
    );

    let first = records[0]["moves"].as_array().expect("a list").len();
    let replay = scratch.run(["replay", "m"]);
    assert_eq!(replay.done().matches("\n   a    b    c    d    e    f\n").count(), first);
    assert!(replay.stdout.contains("\n23 of 24 tiles left\n[ put\n"), "{}", replay.stdout);
}

#[test]
fn a_finished_game_shows_why_the_mover_has_lost() {
    let run = linesman(["inspect", "trexo", "--options", "size=6", "--moves", "a1a2 b1b2 c1c2 d1d2 e1e2"]);
    insta::assert_snapshot!(run.done(), @r"
    after move 5, e1e2
    6  .    .    .    .    .    .
    5  .    .    .    .    .    .
    4  .    .    .    .    .    .
    3  .    .    .    .    .    .
    2 {ov1}{ov1}{ov1}{ov1}[ov1} .
    1  x^1  x^1  x^1  x^1 [x^1] .
       a    b    c    d    e    f
    55 of 60 tiles left
    [ put   } line
    token    .,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,.,.,./os1,os1,os1,os1,os1,./xn1,xn1,xn1,xn1,xn1,.:2:5
    ply      5
    to move  nobody
    legal    0
    outcome  seat 2 wins: seat 1 has made a line of 5 `o` for the opponent (a2 to
             e2) and so has lost, even with a line of its own (a1 to e1); reason
             line, places 2,1
    ");
}

#[test]
fn impossible_options_and_moves_are_explained() {
    linesman(["inspect", "trexo", "--options", "size=99"]).refused(
        2,
        "error: option `size` can't be `99`: it must be 6 to 16\n\
         hint: run `linesman games trexo` to list the options\n",
    );
    linesman(["inspect", "trexo", "--moves", "d4e4 d4e4"]).refused(
        1,
        "error: move 2, `d4e4`, can't be played: `d4` and `e4` are the two halves of one tile: a tile must \
         rest on two different tiles\n",
    );
}
