//! Tests of `linesman play`: a person takes a seat. The games are those of a match, with records.

use std::fs::File;

use serde_json::Value;
use std::process::Command;

use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::terminal::{CTRL_C, Terminal};
use crate::support::waiting::PATIENCE;
use crate::support::{LINESMAN, Run, command};

/// Plays with all lines typed in advance.
fn play(scratch: &Scratch, arguments: &[&str], typed: &str) -> Run {
    scratch.write("typed", typed);
    let mut command = command(scratch.path("").as_path());
    command.arg("play").args(arguments).args(["--movetime", "30s"]);
    command.stdin(File::open(scratch.path("typed")).expect("it was written"));
    Running::start(&mut command).end_within(PATIENCE)
}

fn records(scratch: &Scratch, run: &str) -> Vec<Value> {
    let text = scratch.read(&format!("{run}/games.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect()
}

/// A bot that plays the last legal move, so that games are the same each time.
const LAST: &str = "import sys
for line in sys.stdin:
    verb, *rest = line.split() or ['']
    if verb == 'ugi': print('feature legal\\nugiok', flush=True)
    elif verb == 'isready': print('readyok', flush=True)
    elif verb == 'legal': legal = rest
    elif verb == 'go': print('bestmove', legal[-1], flush=True)
    elif verb == 'quit': break
";

fn with_bot() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("last.py", LAST);
    scratch
}

const QUIXO: [&str; 9] =
    ["quixo", "--options", "size=3", "--against", "python3 last.py", "--out", "run", "--seat", "1"];

/// Verifies a run in which the first game, with the bot at seat 1, was not played.
#[track_caller]
fn verified(scratch: &Scratch, counted: &str) {
    let verified = scratch.run(["verify", "run"]);
    verified.said(3, "1 of 2 games is missing: last~person~1");
    assert!(verified.stdout.contains(counted), "{verified:#?}");
}

/// The moves by which seat 1 beats the bot on the small board.
const WINNING: &str = "a1a3\na1a3\na1a3\n";

#[test]
fn a_game_by_lines_is_recorded_like_a_match() {
    let scratch = with_bot();
    let run = play(&scratch, &QUIXO, WINNING);
    let output = run.done();
    for part in [
        "person~last~1   seat 1: person, seat 2: last",
        "your turn, seat 1: 20 legal moves",
        "> a1a3",
        "move 2: c3c1 by last",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    let record = &records(&scratch, "run")[0];
    assert_eq!(
        (&record["seats"][0]["name"], &record["seats"][0]["command"]),
        (&"person".into(), &"linesman play".into())
    );
    assert!(record["places"].is_array() && record["void"].is_null(), "{record}");
    verified(&scratch, "1 consistent (5 moves)");
    let replayed = scratch.run(["replay", "run", "--format", "csv"]);
    assert!(replayed.done().contains("1,1,person,a1a3,move,"), "{replayed:#?}");
    let rated = scratch.run(["ratings", "run"]);
    assert!(rated.done().contains("person"), "{rated:#?}");
    // The same command plays one more game.
    play(&scratch, &QUIXO, WINNING).done();
    let ids: Vec<Value> = records(&scratch, "run").iter().map(|record| record["id"].clone()).collect();
    assert_eq!(ids, ["person~last~1", "person~last~2"]);
}

#[test]
fn the_dialogue_is_logged_and_events_are_written() {
    let scratch = with_bot();
    let run = play(&scratch, &[&QUIXO[..], &["--log", "logs", "--events", "jsonl"]].concat(), WINNING);
    let events: Vec<Value> =
        run.done().lines().map(|line| serde_json::from_str(line).expect("an event is JSON")).collect();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["event"].as_str()).collect();
    for kind in ["run_started", "game_started", "move", "game_finished", "run_finished"] {
        assert!(kinds.contains(&kind), "no {kind} in {kinds:?}");
    }
    assert!(run.stderr.contains("your turn, seat 1: 20 legal moves"), "{run:#?}");
    let log = scratch.read("logs/person~last~1-seat2.txt");
    assert!(log.contains(" 2 > position startpos moves a1a3\n"), "{log}");
    assert!(scratch.read("logs/person~last~1-seat1.txt").contains(" 1 < bestmove a1a3\n"));
    // The dialogue continues when moves are taken back.
    play(&scratch, &[&QUIXO[..], &["--log", "logs"]].concat(), "a1a3\n:undo\na1c1\n:resign\n").done();
    let log = scratch.read("logs/person~last~2-seat1.txt");
    for line in ["bestmove a1a3\n", "bestmove a1c1\n", "bestmove resign\n"] {
        assert!(log.contains(&format!(" 1 < {line}")), "no {line:?} in {log}");
    }
    // A folder that can't be created is reported before the first game.
    scratch.write("file", "");
    play(&scratch, &[&QUIXO[..], &["--log", "file/logs"]].concat(), "")
        .said(74, "can't write to `file/logs`");
}

#[test]
fn a_rejected_move_is_explained_and_costs_nothing() {
    let scratch = with_bot();
    let typed = format!("b2b3\na1\nnonsense\n:legal a1\n:what\n{WINNING}");
    let run = play(&scratch, &QUIXO, &typed);
    let output = run.done();
    for part in [
        "b2b3 is not legal: ",
        "legal moves that begin so: a1a3 a1c1",
        "nonsense is not a move: ",
        "> :legal a1\na1a3 a1c1\n",
        "there is no command `:what`",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    assert_eq!(records(&scratch, "run")[0]["faults"], Value::Null);
}

#[test]
fn a_game_with_help_is_marked_and_not_rated() {
    let scratch = with_bot();
    let typed = format!(":undo\nc3c1\n:undo\n:hint\n{WINNING}");
    let run = play(&scratch, &QUIXO, &typed);
    let output = run.done();
    for part in [
        "you have not moved yet",
        "back at your last turn",
        "hint: alphabeta would play ",
        "You won: no result, a person had help",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    let record = &records(&scratch, "run")[0];
    let void = &record["void"];
    assert_eq!((&void["kind"], &void["undos"], &void["hints"]), (&"assisted".into(), &1.into(), &1.into()));
    let moves: Vec<&str> = record["moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!((moves[0], moves.len()), ("a1a3", 5));
    assert_eq!(record["times_us"].as_array().unwrap().len(), moves.len());
    verified(&scratch, "1 void");
    let replayed = scratch.run(["replay", "run"]);
    assert!(replayed.done().contains("moves were taken back once, and one hint was given"), "{replayed:#?}");
    scratch.run(["ratings", "run"]).said(0, "there is no game with a result");
}

#[test]
fn moves_taken_back_in_the_middle_keep_those_before() {
    let scratch = with_bot();
    let run = play(&scratch, &QUIXO, "a1a3\nc3c1\n:undo\na1a3\na1a3\n");
    let output = run.done().to_owned();
    let record = &records(&scratch, "run")[0];
    let moves: Vec<&str> = record["moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!((moves[0], moves[2]), ("a1a3", "a1a3"), "{output}");
    assert_eq!(record["void"]["undos"], 1);
    assert_eq!(record["seats"][0]["usage"]["moves"].as_u64().unwrap_or(3), 3, "{record}");
    verified(&scratch, "1 void");
}

#[test]
fn an_abandoned_game_leaves_no_record_and_the_same_command_plays_it() {
    let scratch = with_bot();
    for (typed, status) in [("a1a3\n", 3), ("a1a3\n:quit\n", 3)] {
        let run = play(&scratch, &QUIXO, typed);
        run.said(status, "you left before the end: the game that was played is not kept");
        assert_eq!(std::fs::read_to_string(scratch.path("run/games.jsonl")).unwrap_or_default(), "");
    }
    play(&scratch, &QUIXO, WINNING).done();
    assert_eq!(records(&scratch, "run").len(), 1);
}

#[test]
fn resigning_is_a_result() {
    let scratch = with_bot();
    let run = play(&scratch, &QUIXO, ":resign\n");
    assert!(run.done().contains("You lost: person resigned"), "{run:#?}");
    let record = &records(&scratch, "run")[0];
    assert_eq!((&record["reason"], &record["places"]), (&"resignation".into(), &serde_json::json!([2, 1])));
}

#[test]
fn nobody_else_plays_for_the_person() {
    let scratch = with_bot();
    play(&scratch, &QUIXO, ":resign\n").done();
    scratch
        .run(["replay", "run", "--rerun"])
        .said(2, "`person` is a person, who can't be asked to play the game again");
    scratch
        .run([
            "match",
            "--game",
            "quixo",
            "--bot",
            "linesman play",
            "--bot",
            "python3 last.py",
            "--name",
            "ada",
        ])
        .refused(
            2,
            "error: `ada` is a person, not a bot\nhint: only `linesman play` plays the games of a person\n",
        );
}

#[test]
fn several_games_rotate_the_seats() {
    let scratch = with_bot();
    let arguments = [&QUIXO[..7], &["--games", "2"]].concat();
    play(&scratch, &arguments, ":resign\n:resign\n").done();
    let ids = |run: &str| -> Vec<String> {
        let records = records(&scratch, run);
        let mut ids: Vec<String> =
            records.iter().map(|record| record["id"].as_str().unwrap().to_owned()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids("run"), ["last~person~1", "person~last~1"]);
    scratch.run(["verify", "run"]).done();
    // The person's seat is the same in later rounds.
    play(&scratch, &[&QUIXO[..7], &["--seat", "2", "--games", "2"]].concat(), ":resign\n:resign\n").done();
    assert_eq!(ids("run"), ["last~person~1", "last~person~2", "last~person~3", "person~last~1"]);
}

#[test]
fn every_game_and_number_of_seats_can_be_played() {
    let scratch = Scratch::new();
    for (arguments, players) in [
        (&["trexo", "--against", "random", "--seat", "2"][..], "seat 1: random, seat 2: person"),
        (&["kengu", "--against", "greedy", "--seat", "1"], "seat 1: person, seat 2: greedy"),
        (
            &["quixo-teams", "--against", "random", "--seat", "3"],
            "seat 1: random, seat 2: random-2, seat 3: person, seat 4: random-3",
        ),
        (
            &[
                "tandem",
                "--options",
                "players=3",
                "--against",
                "random",
                "--against",
                "greedy",
                "--seat",
                "2",
            ],
            "seat 1: random, seat 2: person, seat 3: greedy",
        ),
    ] {
        let run = play(&scratch, arguments, ":board\n:quit\n");
        assert_eq!(run.status, Some(3), "{run:#?}");
        assert!(run.stdout.contains(players) && run.stdout.contains("your turn, seat "), "{run:#?}");
    }
}

#[test]
fn games_start_from_positions_and_a_person_can_have_a_limit() {
    let scratch = with_bot();
    let token = ["--token", "xx./.../oo.:1:4"];
    let run = play(&scratch, &[&QUIXO[..], &token, &["--own-movetime", "60s"]].concat(), ":undo\n:quit\n");
    assert!(run.stdout.contains("moves can't be taken back where your time is limited"), "{run:#?}");
    assert!(run.stdout.contains("3  x  x  ."), "{run:#?}");
    let scratch = with_bot();
    let session = on_terminal(&scratch, &[&QUIXO[..], &["--own-movetime", "60s"]].concat());
    let screen = session.wait_for("your turn   cursor a1");
    assert!(!screen.contains("u undo") && screen.contains("(x) – ") && screen.contains(" (o)"), "{screen}");
}

#[test]
fn built_in_bots_are_named_by_one_word_and_equal_ones_are_numbered() {
    let scratch = Scratch::new();
    let level = "linesman bot level --level 3";
    for (against, names) in [
        (&["random", "greedy", "level"][..], "seat 1: person, seat 2: random, seat 3: greedy, seat 4: level"),
        (&["level", level, level], "seat 1: person, seat 2: level, seat 3: level-3, seat 4: level-3-2"),
    ] {
        let against = against.iter().flat_map(|bot| ["--against", bot]);
        let arguments: Vec<&str> =
            ["tandem", "--options", "players=4", "--seat", "1"].into_iter().chain(against).collect();
        let run = play(&scratch, &arguments, ":quit\n");
        assert!(run.stdout.contains(names), "{names:?} is missing in\n{run:#?}");
    }
}

#[test]
fn unplayable_settings_are_rejected_with_the_cure() {
    let scratch = Scratch::new();
    for (arguments, error) in [
        (
            &["quixo", "--against", "gredy"][..],
            "error: there is no built-in bot `gredy`\nhint: did you mean `greedy`?",
        ),
        (&["quixo", "--against", "greedy", "--seat", "3"], "error: there is no seat 3: quixo has 2 seats"),
        (
            &["quixo", "--against", "greedy", "--against", "random"],
            "error: quixo has 1 other seat, but there are 2 bots",
        ),
        (&["quixo", "--against", "greedy", "--token", "x"], "error: can't read the position `x`"),
        (&["quixo", "--against", "./none"], "error: bot `none` can't be started: there is no file"),
        (&["quix", "--against", "greedy"], "error: there is no game `quix`"),
    ] {
        let run = play(&scratch, arguments, "");
        assert_eq!((run.status, run.stdout.as_str()), (Some(2), ""), "{run:#?}");
        assert!(run.stderr.contains(error), "{error:?} is missing in\n{}", run.stderr);
    }
}

fn on_terminal(scratch: &Scratch, arguments: &[&str]) -> Terminal {
    let mut command = Command::new(LINESMAN);
    command.arg("play");
    command.args(arguments);
    command.args(["--movetime", "30s"]);
    command.current_dir(scratch.path(""));
    command.env("TERM", "xterm-256color");
    command.env("NO_COLOR", "1");
    Terminal::start(command)
}

const UP: &str = "\x1b[A";
const ENTER: &str = "\r";

#[test]
fn on_a_terminal_squares_are_chosen_with_the_cursor() {
    let scratch = with_bot();
    let mut session = on_terminal(&scratch, &QUIXO);
    let screen = session.wait_for("your turn   cursor a1");
    assert!(screen.contains("1 │‹ ›│‹ ›│‹ ›│") && screen.contains("2 │‹ ›│   │‹ ›│"), "{screen}");
    // A square that can't be chosen is explained.
    session.press("\x1b[C");
    session.wait_for("cursor b1");
    session.press(UP);
    session.wait_for("cursor b2");
    session.press(ENTER);
    session.wait_for("`b2` is not on the border");
    session.press("jh");
    session.wait_for("cursor a1");
    session.press(ENTER);
    let screen = session.wait_for("your turn: a1...");
    assert!(screen.contains("1 │« »│   │‹ ›│") && screen.contains("3 │‹ ›│   │   │"), "{screen}");
    session.press("\x1b");
    session.wait_for("your turn   cursor a1");
    session.press(ENTER);
    session.wait_for("your turn: a1...");
    session.press("kk");
    session.wait_for("cursor a3");
    session.press(ENTER);
    session.wait("the bot's answer", |screen| {
        screen.contents().contains("2 of 2") && screen.contents().contains("your turn   cursor a3")
    });
    // Typed with completion: `a1` can become a1a3 or a1c1.
    session.press(":a1\t");
    session.wait_for("move: a1_");
    // The text next to or below it can be drawn later.
    session.wait_for("a1a3 a1c1");
    session.press("a\t");
    session.wait_for("move: a1a3_");
    session.press(ENTER);
    session.wait("the next turn", |screen| {
        screen.contents().contains("4 of 4") && screen.contents().contains("your turn")
    });
    // Looking back changes nothing and returns to the game.
    session.press(",");
    session.wait_for("ply 3 of 4; it is your turn");
    session.press("\x1b[H");
    session.wait_for("ply 0 of 4");
    session.press(".");
    let screen = session.wait_for("ply 1 of 4");
    assert!(!screen.contains("‹ ›"), "nothing is chosen there: {screen}");
    session.press(ENTER);
    session.wait_for("your turn   cursor a3");
    session.press("u");
    session.wait("the turn before", |screen| {
        screen.contents().contains("2 of 2") && screen.contents().contains("your turn")
    });
    session.press("?");
    let keys = session.wait_for("to the next square that can be chosen");
    assert!(keys.contains("h j k l  the same as the arrows"), "{keys}");
    session.press("x");
    session.press("q");
    session.wait_for("Leave this game? It is not kept.");
    session.press("y");
    assert_eq!(session.end(), 3);
}

#[test]
fn letters_of_columns_type_moves() {
    let scratch = Scratch::new();
    let mut session = on_terminal(&scratch, &["trexo", "--against", "random", "--seat", "1"]);
    session.wait_for("your turn   cursor a10");
    for letter in ["h", "j"] {
        session.press(letter);
        session.wait_for(&format!("move: {letter}_"));
        session.press("\x1b");
        session.wait_for("Enter choose");
    }
    session.press("?");
    let screen = session.wait_for("move the cursor");
    assert!(!screen.contains("h j k l"), "{screen}");
    session.press(CTRL_C);
    assert_eq!(session.end(), 130);
}

#[test]
fn on_a_terminal_a_game_is_played_to_its_end() {
    let scratch = with_bot();
    let mut session = on_terminal(&scratch, &QUIXO);
    for ply in ["0 of 0", "2 of 2", "4 of 4"] {
        session
            .wait(ply, |screen| screen.contents().contains(ply) && screen.contents().contains("your turn"));
        session.press(":a1a3\r");
    }
    let screen = session.wait_for("Enter or q leave");
    assert!(screen.contains("You won: person won by a line"), "{screen}");
    session.press(ENTER);
    assert_eq!(session.end(), 0);
    assert_eq!(records(&scratch, "run").len(), 1);
}

#[test]
fn colors_are_chosen_from_a_list() {
    let scratch = Scratch::new();
    let mut session = on_terminal(&scratch, &["kengu", "--against", "random", "--seat", "1"]);
    session.wait_for("your turn   cursor a1");
    session.press(ENTER);
    session.wait_for("choose: 1 a1r  2 a1y");
    session.press("2");
    session.wait_for("2 of 2");
    session.press(CTRL_C);
    assert_eq!(session.end(), 130);
}
