use super::*;
use linesman_record::{OpeningRecord, SeatRecord, VoidRecord};

fn record(names: &[&str], places: &[u8], reason: &str) -> GameRecord {
    GameRecord {
        seats: names
            .iter()
            .map(|name| SeatRecord { name: (*name).to_owned(), ..SeatRecord::default() })
            .collect(),
        moves: Some(vec!["c1c5".to_owned(); 23]),
        places: (!places.is_empty()).then(|| places.to_vec()),
        reason: (!reason.is_empty()).then(|| reason.to_owned()),
        ..GameRecord::default()
    }
}

#[track_caller]
fn check(record: &GameRecord, expected: &str) {
    assert_eq!(verdict(record), expected);
}

#[track_caller]
fn check_outcome(names: &[&str], places: &[u8], reason: &str, expected: &str) {
    check(&record(names, places, reason), expected);
}

/// A two-seat game that seat 1, `greedy`, lost by this fault.
#[track_caller]
fn check_fault(fault: FaultFields, expected: &str) {
    let faults = vec![FaultFields { seat: 1, ..fault }.into()];
    check(&GameRecord { faults, ..record(&["greedy", "deep"], &[2, 1], "failure") }, expected);
}

fn fault(word: &str) -> FaultFields {
    FaultFields { seat: 1, fault: word.to_owned(), ..FaultFields::default() }
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_win_names_the_winner_the_reason_and_the_length() {
    let two = ["greedy", "deep"];
    check_outcome(&two, &[2, 1], "line", "deep won by a line in 23 plies");
    check_outcome(&two, &[1, 2], "flip", "greedy won by a line that the opponent's flip made in 23 plies");
    check_outcome(&two, &[1, 2], "cards", "greedy won with all cards placed in 23 plies");
    check_outcome(&two, &[1, 2], "stock", "greedy won with no tile left in 23 plies");
    check_outcome(&two, &[1, 2], "blocked", "greedy won with no room for a tile in 23 plies");
    check_outcome(&two, &[1, 2], "points", "greedy won on points in 23 plies");
    check_outcome(&two, &[1, 2], "passes", "greedy won when everyone passed in 23 plies");
    check_outcome(&two, &[1, 2], "adjudication", "greedy won by adjudication in 23 plies");
    let why = Some("both bots agree".to_owned());
    check(
        &GameRecord { why, ..record(&two, &[1, 1], "adjudication") },
        "greedy and deep drew by adjudication (both bots agree) after 23 plies",
    );
    check_outcome(&two, &[1, 2], "failure", "greedy won by failure in 23 plies");
    check_outcome(&two, &[1, 2], "moon phase", "greedy won (moon phase) in 23 plies");
    check_outcome(&two, &[1, 2], "resignation", "deep resigned after 23 plies");
}

#[test]
fn a_draw_names_all_bots() {
    check_outcome(
        &["greedy", "deep"],
        &[1, 1],
        "repetition",
        "greedy and deep drew by repetition after 23 plies",
    );
    check_outcome(&["a", "b"], &[1, 1], "max_plies", "a and b drew at the ply limit after 23 plies");
    check_outcome(
        &["a", "b", "c"],
        &[1, 1, 1],
        "passes",
        "a, b and c drew when everyone passed after 23 plies",
    );
}

#[test]
fn games_of_more_than_two_seats_have_winners() {
    check_outcome(
        &["a", "b", "c", "d"],
        &[1, 3, 1, 3],
        "line",
        "a and c won by a line in 23 plies (3rd b and d)",
    );
    check_outcome(
        &["a", "b", "c"],
        &[2, 1, 2],
        "resignation",
        "b won by resignation in 23 plies (2nd a and c)",
    );
    let out = FaultFields { seat: 3, ..fault("closed_output") };
    let base = record(&["a", "b", "c"], &[2, 1, 3], "points");
    check(
        &GameRecord { faults: vec![out.clone().into()], ..base.clone() },
        "b won on points in 23 plies (2nd a, 3rd c); c went out: it closed its output",
    );
    check(
        &GameRecord { faults: vec![out.into()], reason: some("failure"), ..base },
        "c went out: it closed its output; b won by failure in 23 plies (2nd a, 3rd c)",
    );
}

#[test]
fn the_smallest_record_has_a_sentence() {
    let smallest = GameRecord { moves: None, ..record(&["A", "B"], &[1, 2], "") };
    check(&smallest, "A won");
    check(&GameRecord { places: Some(vec![1, 1]), ..smallest.clone() }, "A and B drew");
    check(&GameRecord { places: None, ..smallest }, "no result");
}

#[test]
fn opening_moves_count_as_plies_and_eliminations_do_not() {
    let mut game = record(&["a", "b"], &[1, 2], "line");
    game.moves = Some(vec!["a1a5".to_owned(), "!2".to_owned()]);
    check(&game, "a won by a line in 1 ply");
    game.opening = Some(OpeningRecord { token: None, moves: vec!["b1b5".to_owned()] });
    check(&game, "a won by a line in 2 plies");
}

#[test]
fn namesakes_are_distinguished_by_their_seats() {
    check_outcome(&["a", "a"], &[2, 1], "line", "a (seat 2) won by a line in 23 plies");
}

#[test]
fn every_fault_has_its_sentence() {
    check_fault(
        FaultFields {
            limit_us: Some(1_000_000),
            used_us: Some(1_061_200),
            margin_us: Some(50_000),
            ..fault("time")
        },
        "greedy lost on time: 1,062 ms (limit 1,000 ms + 50 ms)",
    );
    check_fault(
        FaultFields {
            limit_us: Some(1_000_000),
            used_us: Some(1_061_200),
            margin_us: Some(50_000),
            excuse_us: Some(170_000),
            overload: true,
            ..fault("time")
        },
        "greedy lost on time: 1,062 ms (limit 1,000 ms + 50 ms), 170 ms of it waiting for a CPU on an \
         overloaded machine",
    );
    check_fault(
        FaultFields { why: some("`./greedy`: no such file"), ..fault("not_started") },
        "greedy lost: it could not be started (`./greedy`: no such file)",
    );
    check_fault(
        FaultFields { stage: some("readyok"), limit_us: Some(10_000_000), ..fault("not_ready") },
        "greedy lost: no `readyok` within 10,000 ms",
    );
    check_fault(
        FaultFields {
            stage: some("ugiok"),
            limit_us: Some(10_000_000),
            excuse_us: Some(6_000_000),
            ..fault("not_ready")
        },
        "greedy lost: no `ugiok` within 16,000 ms (extended from 10,000 ms, because the machine was busy)",
    );
    check_fault(
        FaultFields { signal: Some(11), ..fault("crash") },
        "greedy lost: it was killed by signal 11 (SIGSEGV)",
    );
    check_fault(FaultFields { exit_code: Some(3), ..fault("crash") }, "greedy lost: it exited with status 3");
    check_fault(fault("closed_output"), "greedy lost: it closed its output");
    check_fault(
        FaultFields { text: some("c3c5"), why: some("c3 is not on the border"), ..fault("illegal_move") },
        "greedy lost by the illegal move `c3c5`: c3 is not on the border",
    );
    check_fault(
        FaultFields { text: some("hello"), why: some("a move is two squares"), ..fault("not_a_move") },
        "greedy lost: `hello` is not a move: a move is two squares",
    );
    check_fault(
        FaultFields { text: some("info depth x"), why: some("a number"), ..fault("protocol") },
        "greedy lost by breaking the protocol: `info depth x`, expected a number",
    );
    check_fault(
        FaultFields {
            which: some("line"),
            limit_bytes: Some(65_536),
            used_bytes: Some(70_000),
            ..fault("limit")
        },
        "greedy lost by writing too much: 70,000 bytes in one line, 65,536 allowed",
    );
    check_fault(
        FaultFields {
            which: some("memory"),
            limit_bytes: Some(64 << 20),
            used_bytes: Some((64 << 20) + 1),
            ..fault("limit")
        },
        "greedy lost by using too much memory: 65 MiB, 64 MiB allowed",
    );
    check_fault(
        FaultFields {
            which: some("processes"),
            limit_count: Some(128),
            used_count: Some(1_200),
            ..fault("limit")
        },
        "greedy lost by using too many processes and threads: 1,200, 128 allowed",
    );
    check_fault(
        FaultFields {
            which: some("cpu"),
            limit_us: Some(2_000_000),
            used_us: Some(2_000_001),
            ..fault("limit")
        },
        "greedy lost by using too much CPU time: 2,001 ms, 2,000 ms allowed",
    );
    check_fault(fault("time"), "greedy lost on time");
    check_fault(fault("bad_luck"), "greedy lost: bad_luck");
}

#[test]
fn every_fault_word_has_a_phrase() {
    for word in linesman_types::verdict::FaultKind::WORDS {
        assert_ne!(fault_phrase(&FaultRecord::from(fault(word))), format!(": {word}"));
    }
}

#[test]
fn a_game_without_a_result_has_a_reason() {
    let void = |kind: &str, why: Option<&str>| GameRecord {
        void: Some(VoidRecord {
            kind: kind.to_owned().into(),
            why: why.map(str::to_owned),
            ..VoidRecord::default()
        }),
        ..record(&["greedy", "deep"], &[], "")
    };
    check(
        &void("host", Some("no space left on device")),
        "no result, the machine failed: no space left on device",
    );
    check(&void("host", None), "no result, the machine failed");
    let mut late =
        void("host", Some("the machine was overloaded: seat 2 took 170.0 ms of 50.0 ms + 50.0 ms"));
    late.void.as_mut().unwrap().seat = Some(2);
    check(&late, "no result: the machine was overloaded: deep took 170.0 ms of 50.0 ms + 50.0 ms");
    let faults = vec![
        FaultFields { why: some("no such file"), ..fault("not_started") }.into(),
        FaultFields { seat: 2, stage: some("ugiok"), ..fault("not_ready") }.into(),
    ];
    check(
        &GameRecord { faults, ..void("no_bot_played", None) },
        "no result, no bot played: greedy failed: it could not be started (no such file); deep failed: no `ugiok`",
    );
}

#[test]
fn text_of_bots_cannot_control_a_terminal() {
    check_fault(
        FaultFields { text: some("\u{1b}[2J\u{202e}x\ny\u{9b}"), ..fault("not_a_move") },
        "greedy lost: `\\u{1b}[2J\\u{202e}x\\u{a}y\\u{9b}` is not a move",
    );
    check_outcome(&["\u{1b}]0;x\u{7}", "b"], &[1, 2], "", "\\u{1b}]0;x\\u{7} won in 23 plies");
}

#[test]
fn times_are_short() {
    assert_eq!(time(Duration::from_micros(420)), "0.4 ms");
    assert_eq!(time(Duration::from_micros(1_999)), "1 ms");
    assert_eq!(time(Duration::from_millis(9_999)), "9,999 ms");
    assert_eq!(time(Duration::from_millis(12_340)), "12.3 s");
}

/// Returns a game of teams: seats 1 and 3 against 2 and 4.
fn of_teams(bots: [&str; 4], teams: [&str; 2], places: [u8; 4], reason: &str) -> GameRecord {
    let mut record = record(&bots, &places, reason);
    for (index, seat) in record.seats.iter_mut().enumerate() {
        seat.team = Some(teams[index % 2].to_owned());
    }
    record
}

#[test]
fn teams_win_and_lose_by_their_names() {
    let bots = ["ada", "cleo", "bob", "cleo"];
    let reds_and_cleo = |places, reason| of_teams(bots, ["reds", "cleo"], places, reason);
    check(&reds_and_cleo([1, 2, 1, 2], "line"), "reds won by a line in 23 plies");
    check(&reds_and_cleo([1, 1, 1, 1], "repetition"), "reds and cleo drew by repetition after 23 plies");
    check(&reds_and_cleo([1, 2, 1, 2], "resignation"), "cleo resigned after 23 plies");
    let closed = FaultFields { seat: 3, ..fault("closed_output") };
    check(
        &GameRecord { faults: vec![closed.clone().into()], ..reds_and_cleo([2, 1, 2, 1], "failure") },
        "bob of reds lost: it closed its output",
    );
    let alone = of_teams(["ada", "cleo", "ada", "cleo"], ["ada", "cleo"], [2, 1, 2, 1], "failure");
    check(&GameRecord { faults: vec![closed.into()], ..alone }, "ada (seat 3) lost: it closed its output");
}

#[test]
fn further_places_are_listed_if_there_are_more_than_two_sides() {
    let four = ["ada", "bob", "cleo", "dan"];
    check_outcome(
        &four,
        &[2, 1, 2, 4],
        "points",
        "bob won on points in 23 plies (2nd ada and cleo, 4th dan)",
    );
    check_outcome(
        &four,
        &[1, 1, 1, 4],
        "passes",
        "ada, bob and cleo won when everyone passed in 23 plies (4th dan)",
    );
    check_outcome(&four, &[1, 1, 1, 1], "points", "ada, bob, cleo and dan drew on points after 23 plies");
}

#[test]
fn reasons_have_names_instead_of_seats() {
    let two = record(&["greedy", "deep"], &[1, 2], "line");
    let why = with_names(&two, "seat 1 has made a line, seat 2 none, seat 12 is not there; seats 1 and 2");
    assert_eq!(why, "greedy has made a line, deep none, seat 12 is not there; seats 1 and 2");
    assert_eq!(verdict_because(&two, Some("he did it")), "greedy won by a line in 23 plies: he did it");
}

#[test]
fn an_excerpt_has_the_error_message_and_the_innermost_frame() {
    let node = "/bots/bot.mjs:3\n    throw new Error(\"no\");\n    ^\n\nError: no\n    at choose (bot.mjs:3)\n    \
                at main (bot.mjs:9)\n    at node:internal\n\nNode.js v18.19.0\n";
    assert_eq!(stderr_end(node, 2), ["Error: no", "    at choose (bot.mjs:3)"]);
    let python = "Traceback (most recent call last):\n  File \"bot.py\", line 1\nKeyError: 'a1'\n";
    assert_eq!(stderr_end(python, 1), ["KeyError: 'a1'"]);
    assert_eq!(stderr_excerpt(python, 6).len(), 3);
    assert_eq!(stderr_excerpt("", 6), [""; 0]);
}

#[test]
fn an_excerpt_keeps_the_first_line_and_the_last_ones() {
    let usage =
        "error: unexpected argument '--dept' found\n\n  tip: it is '--depth'\n\nUsage: bot\n\nMore: --help\n";
    assert_eq!(
        stderr_excerpt(usage, 3),
        ["error: unexpected argument '--dept' found", "  tip: it is '--depth'", "Usage: bot", "More: --help"],
        "a mark would take as much space as the line"
    );
    assert_eq!(
        stderr_excerpt(usage, 2),
        ["error: unexpected argument '--dept' found", "[... 2 lines left out ...]", "More: --help"]
    );
}
