//! Tests of mistakes by users and bots: each is reported clearly with the right exit
//! status, without panics or hangs, and no finished game is lost.

use std::fs::File;
use std::process::Stdio;

use serde_json::Value;

use crate::damaged_records::finished;
use crate::support::bots::{records, rows, shell_bot, tournament};
use crate::support::scratch::Scratch;
use crate::support::{LINESMAN, Run, linesman};

const RANDOM: &str = "linesman bot random";

/// Plays a match of two games between a good bot and another one on the smallest board.
fn play(scratch: &Scratch, bad: &str, more: &[&str]) -> Run {
    play_games(scratch, bad, "2", more)
}

fn play_games(scratch: &Scratch, bad: &str, games: &str, more: &[&str]) -> Run {
    let game = ["match", "--game", "quixo", "--options", "size=3", "--concurrency", "1", "--games", games];
    // Generous limits unless a test sets them, since the good bot can have no CPU for a while.
    let usual = ["--limit", "start=60s", "--limit", "ready=60s"];
    let time = ["--movetime", "60s"];
    let time = if more.contains(&"--movetime") { &[][..] } else { &time };
    scratch.run(game.iter().chain(&usual).chain(time).chain(&["--bot", RANDOM, "--bot", bad]).chain(more))
}

/// Asserts that no message is a panic or has escape sequences.
#[track_caller]
fn check_tone(run: &Run) {
    for bad in ["panicked", "bug in linesman", "RUST_BACKTRACE", "Err(", "\u{1b}"] {
        assert!(!run.stderr.contains(bad), "{bad:?} in\n{}", run.stderr);
    }
}

#[test]
fn unknown_games_and_options_are_named() {
    let known = linesman::games::GAMES.iter().map(|game| format!("`{}`", game.id)).collect::<Vec<_>>();
    let known = known.join(", ");
    let no_game = format!(
        "error: there is no game `quixi`\nhint: did you mean `quixo`?\nhint: choose one of {known}\n"
    );
    for arguments in [
        ["games", "quixi"].as_slice(),
        &["perft", "quixi", "1"],
        &["inspect", "quixi"],
        &["match", "--game", "quixi", "--bot", RANDOM, "--bot", RANDOM],
    ] {
        linesman(arguments).refused(2, &no_game);
    }
    let no_option = "error: there is no option `syze`\nhint: did you mean `size`?\n\
                     hint: run `linesman games quixo` to list the options\n";
    for arguments in [
        ["perft", "quixo", "1", "--options", "syze=4"].as_slice(),
        &["inspect", "quixo", "--options", "syze=4"],
        &["match", "--game", "quixo", "--options", "syze=4", "--bot", RANDOM, "--bot", RANDOM],
    ] {
        linesman(arguments).refused(2, no_option);
    }
    let scratch = Scratch::new();
    let text = tournament("", &[("a", RANDOM), ("b", RANDOM)]);
    scratch.write("cup.toml", text.replace("size", "syze").replace("quixo", "quixi"));
    scratch
        .run(["league", "run", "cup.toml"])
        .said(2, "error: there is no game `quixi`\n --> cup.toml:2:8\n");
    scratch.write("cup.toml", text.replace("size", "syze"));
    scratch.run(["league", "run", "cup.toml"]).said(2, "`syze`");
}

#[test]
fn a_missing_program_is_found_before_anything_is_started() {
    let scratch = Scratch::new();
    scratch.write("notes.py", "import this\n");
    scratch.write("bots/readme", "");
    scratch.program("windows", "#!/bin/sh\r\necho ugiok\r\n");
    scratch.program("moved", "#!/opt/nowhere/python3\n");
    let here = scratch.path("").canonicalize().expect("the folder is there");
    let here = here.display().to_string();
    let here = here.trim_end_matches('/');
    let check = |command: &str, what: &str, hint: &str| {
        let name = command.rsplit('/').next().and_then(|name| name.split('.').next()).expect("it has a name");
        let hint = if hint.is_empty() { String::new() } else { format!("hint: {hint}\n") };
        play(&scratch, command, &["--out", "d"])
            .refused(2, &format!("error: bot `{name}` can't be started: {what}\n{hint}"));
        assert_eq!(scratch.list(""), ["bots", "moved", "notes.py", "windows"], "nothing is written");
    };
    check("nosuchbot", "there is no program `nosuchbot` on the PATH", "");
    check("./nosuchbot", &format!("there is no file `{here}/nosuchbot`"), "");
    check(
        "./note.py",
        &format!("there is no file `{here}/note.py`"),
        &format!("did you mean `{here}/notes.py`?"),
    );
    check(
        "./notes.py",
        &format!("`{here}/notes.py` is not executable"),
        &format!("put `python3` before it, or make it executable: `chmod +x {here}/notes.py`"),
    );
    check("./bots", &format!("`{here}/bots` is a folder"), "name the program inside the folder");
    let interpreter = "install the interpreter, or correct the line that begins with `#!`";
    check(
        "./moved",
        &format!("`{here}/moved` needs `/opt/nowhere/python3`, which does not exist"),
        interpreter,
    );
    check(
        "./windows",
        &format!("`{here}/windows` needs `/bin/sh\\r`, which does not exist"),
        &format!("run `sed -i 's/\\r$//' {here}/windows`: its first line ends as on Windows, with `\\r`"),
    );
    let text = tournament("", &[("good", RANDOM), ("lost", "nosuchbot --fast")]);
    scratch.write("cup.toml", &text);
    let line = text.lines().position(|line| line.contains("nosuchbot")).expect("it is there") + 1;
    let run = scratch.run(["league", "run", "cup.toml"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("--> cup.toml:{line}:11")), "{}", run.stderr);
    assert!(run.stderr.contains("^ the first word must be a program"), "{}", run.stderr);
}

#[test]
fn all_bots_that_cannot_greet_are_reported_at_once() {
    let scratch = Scratch::new();
    // Only bots that wait for the limit get a short one. The first of them must print before that.
    let text = "limits = { start = \"60s\" }\n";
    let little = |text: &str, command: &str, start: &str| {
        let line = format!("command = \"{command}\"\n");
        assert!(text.contains(&line), "{text}");
        text.replacen(&line, &format!("{line}limits = {{ start = \"{start}\" }}\n"), 1)
    };
    let bots = [
        ("gone", "sh gone.sh"),
        ("silent", "sh silent.sh"),
        ("closes", "sh closes.sh"),
        ("floods", "yes spam"),
        ("endless", "sh endless.sh"),
        ("complains", "sh complains.sh"),
        ("good", RANDOM),
        ("nobody", "linesman bot nobody"),
        ("misspelt", "linesman bot alphabeta --dept 3"),
    ];
    let text = little(&tournament(text, &bots), "sh silent.sh", "8s");
    scratch.write("cup.toml", little(&text, "sh complains.sh", "1s"));
    scratch.write("gone.sh", "echo 'no weights for you' >&2; exit 3");
    scratch.write("silent.sh", "printf 'Hello!\\n\\033[31mRed\\n'; while read -r line; do :; done");
    scratch.write("closes.sh", "exec >&-; while read -r line; do :; done");
    scratch.write("endless.sh", "yes | tr -d '\\n'");
    scratch.write("complains.sh", "yes 'oh no' >&2");
    let run = scratch.run(["league", "run", "cup.toml", "--progress", "none"]);
    check_tone(&run);
    let keep_going = "hint: use `--keep-going` to play anyway: the bot then loses its games\n";
    let spam = "    stdout | spam\n".repeat(8);
    let expected = [
        "error: bot `gone` can't be started: it ended before `ugiok` with exit status 3\n\
         caused by: command `sh gone.sh` in `.`\n\
         \x20   stderr | no weights for you\n",
        keep_going,
        "error: bot `silent` did not answer `ugiok` within 8000 ms\n\
         caused by: command `sh silent.sh` in `.`\n\
         \x20   stdout | Hello!\n\
         \x20   stdout | \\u{1b}[31mRed\n",
        keep_going,
        "error: bot `closes` closed its output before `ugiok`\ncaused by: command `sh closes.sh` in `.`\n",
        keep_going,
        "error: bot `floods` printed more than 1048576 bytes instead of `ugiok`\n\
         caused by: command `yes spam` in `.`\n",
        &spam,
        keep_going,
        "error: bot `endless` printed more than 65536 bytes instead of `ugiok`\n\
         caused by: command `sh endless.sh` in `.`\n",
        keep_going,
        "error: bot `complains` did not answer `ugiok` within 1000 ms\n\
         caused by: command `sh complains.sh` in `.`\n\
         hint: check that the bot answers the line `ugi` with `ugiok` and flushes its output\n\
         hint: use `--keep-going` to play anyway\n\
         error: bot `nobody` can't be started: it ended before `ugiok` with exit status 2\n\
         caused by: command `linesman bot nobody` in `.`\n\
         \x20   stderr | error: there is no built-in bot `nobody`\n\
         \x20   stderr | hint: choose one of `random`, `greedy`, `alphabeta`, `mcts`, `perfect`, `level`\n",
        keep_going,
        "error: bot `misspelt` can't be started: it ended before `ugiok` with exit status 2\n\
         caused by: command `linesman bot alphabeta --dept 3` in `.`\n\
         \x20   stderr | error: unexpected argument '--dept' found\n\
         \x20   stderr |   tip: a similar argument exists: '--depth'\n\
         \x20   stderr | Usage: linesman bot --depth <PLIES> <BOT>\n\
         \x20   stderr | For more information, try '--help'.\n",
        keep_going,
    ];
    run.refused(2, &expected.concat());
    assert!(!scratch.path("runs").exists(), "nothing is begun");
}

#[test]
fn bots_that_cannot_start_play_on_request() {
    let scratch = Scratch::new();
    scratch.write("gone.sh", "exit 3");
    let run = play(&scratch, "sh gone.sh", &["--keep-going", "--out", "d"]);
    run.said(
        0,
        "random~gone~1: gone lost: it could not be started (it ended before `ugiok` with exit status 3)\n",
    );
    let records = records(&scratch.path("d/games.jsonl"));
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!((record["reason"].as_str(), fault(record)), (Some("failure"), Some("not_started")));
    }
    assert_eq!(rows(&run.stdout)[0][1..4], ["random", "2", "2.0"]);
}

/// Returns the word of a record's only fault.
fn fault(record: &Value) -> Option<&str> {
    match record["faults"].as_array()?.as_slice() {
        [only] => only["fault"].as_str(),
        _ => None,
    }
}

/// Asserts that a bot that does not answer when it is on move loses both games,
/// each with its record, and is reported in these words.
#[track_caller]
fn check_failing(does: &str, word: &str, sentence: &str, evidence: &[&str]) {
    let scratch = Scratch::new();
    scratch.write("bad.sh", shell_bot(&format!("go) {does};;")));
    // The other bot has plenty of time, so that it is never late.
    let own_time: &[&str] = if word == "time" { &["--bot-time", "bad:movetime=1s"] } else { &[] };
    let run = play(&scratch, "sh bad.sh", &[own_time, &["--out", "d"]].concat());
    check_tone(&run);
    assert_eq!(run.status, Some(0), "{run:#?}");
    assert_eq!(rows(&run.stdout)[0][1..4], ["random", "2", "2.0"], "{}", run.stderr);
    let records = records(&scratch.path("d/games.jsonl"));
    assert_eq!(records.len(), 2);
    let mut hints = 0;
    for record in &records {
        assert_eq!((record["reason"].as_str(), fault(record)), (Some("failure"), Some(word)), "{record}");
        let evidence: String = evidence.iter().map(|line| format!("    {line}\n")).collect();
        let id = record["id"].as_str().expect("it has an id");
        let message = format!("{id}: bad lost{sentence}");
        let (_, after) =
            run.stderr.split_once(&message).unwrap_or_else(|| panic!("{message:?} in {}", run.stderr));
        let (rest, after) = after.split_once('\n').expect("a sentence ends with its line");
        assert!(word == "time" || rest.is_empty(), "{}", run.stderr);
        assert!(after.starts_with(&evidence), "{}", run.stderr);
        let after = &after[evidence.len()..];
        // A program that ignores the sandbox's refusals can end by a signal.
        let hint = after.starts_with("    hint: try `--sandbox off`, because the sandbox may be the reason;");
        // Escape sequences on stdout are output for people.
        let is_escaped = sentence.contains("\\u{1b}");
        let hint = if is_escaped {
            after.starts_with("    hint: print to stderr, since stdout is for the protocol")
        } else if word == "time" {
            after.starts_with(
                "    hint: load what the first move needs before `readyok`, and answer every `go`",
            )
        } else {
            hint
        };
        assert!(hint || !after.starts_with("    "), "{}", run.stderr);
        hints += usize::from(hint);
    }
    let is_hinted = word == "time"
        || sentence.contains("\\u{1b}")
        || sentence.contains("signal") && run.stderr.contains(" isolated (");
    assert_eq!(hints, usize::from(is_hinted), "said once, where there is a sandbox: {}", run.stderr);
    let verified = scratch.run(["verify", "d/games.jsonl"]);
    assert!(verified.done().starts_with("2 records: 2 consistent ("), "{}", verified.stderr);
}

#[test]
fn a_bot_that_ends_in_a_game_loses_and_its_last_output_is_shown() {
    check_failing("exit 0", "crash", ": it exited with status 0", &[]);
    check_failing("kill -SEGV $$; sleep 10", "crash", ": it was killed by signal 11 (SIGSEGV)", &[]);
    let traceback = "Traceback (most recent call last):
  File \"bot.py\", line 7, in <module>
    move = moves[99]
           ~~~~~^^^^
IndexError: list index out of range";
    let prefixed = |stream| traceback.lines().map(|line| format!("{stream} | {line}")).collect::<Vec<_>>();
    for (redirection, stream) in [(" >&2", "stderr"), ("", "stdout")] {
        let does = format!("printf '%s\\n' '{traceback}'{redirection}; exit 1");
        let evidence = prefixed(stream);
        let evidence: Vec<&str> = evidence.iter().map(String::as_str).collect();
        check_failing(&does, "crash", ": it exited with status 1", &evidence);
    }
    check_failing("exec >&-; sleep 10", "closed_output", ": it closed its output", &[]);
}

#[test]
fn a_bot_that_answers_wrongly_loses() {
    check_failing(
        "echo bestmove b2b3",
        "illegal_move",
        " by the illegal move `b2b3`: `b2` is not on the border; only cubes on the border may be taken",
        &[],
    );
    check_failing(
        "echo bestmove pass",
        "not_a_move",
        ": `pass` is not a move: a move is two squares from `a1` to `c3`, where a cube is taken and where \
         it is put back, such as `a1a3`",
        &[],
    );
    check_failing(
        "echo bestmove",
        "protocol",
        " by breaking the protocol: `bestmove`, expected `bestmove MOVE` or `bestmove resign`",
        &[],
    );
    check_failing(
        "printf '\\033[2Jgarbage\\n'",
        "protocol",
        " by breaking the protocol: `\\u{1b}[2Jgarbage`, expected text without control characters",
        &[],
    );
    check_failing(
        "printf '\\377\\376\\n'",
        "protocol",
        " by breaking the protocol: `\\xff\\xfe`, expected UTF-8 text",
        &[],
    );
}

#[test]
fn a_bot_that_answers_unasked_loses() {
    let out_of_turn = " by breaking the protocol: `bestmove a1a3`, expected one `bestmove` after each `go`";
    check_failing("printf 'bestmove a1a3\\nbestmove a1a3\\n'", "protocol", out_of_turn, &[]);
    let scratch = Scratch::new();
    scratch.write("eager.sh", shell_bot("isready) printf 'readyok\\nbestmove a1a3\\n';;"));
    let run = play(&scratch, "sh eager.sh", &["--out", "d"]);
    run.said(0, &format!("random~eager~1: eager lost{out_of_turn}\n"));
    assert!(records(&scratch.path("d/games.jsonl")).iter().all(|record| fault(record) == Some("protocol")));
}

#[test]
fn a_bot_that_floods_or_stays_silent_loses_and_blocks_nobody() {
    check_failing("while :; do sleep 1; done", "time", " on time: ", &[]);
    check_failing(
        "yes | tr -d '\\n'",
        "limit",
        " by writing too much: 65,537 bytes in one line, 65,536 allowed",
        &[],
    );
    let scratch = Scratch::new();
    scratch.write("floods.sh", shell_bot("go) yes help;;"));
    let run = play(&scratch, "sh floods.sh", &["--movetime", "30s", "--out", "d"]);
    run.said(0, " bytes of output for one move, 8,388,608 allowed\n");
    assert!(records(&scratch.path("d/games.jsonl")).iter().all(|record| fault(record) == Some("limit")));
}

#[test]
fn much_output_on_stderr_is_no_fault() {
    let scratch = Scratch::new();
    let chatty = shell_bot("go) head -c 300000 /dev/zero | tr '\\0' x >&2; echo \"bestmove $move\";;");
    scratch.write("chatty.sh", chatty);
    let run = play(&scratch, "sh chatty.sh", &["--movetime", "30s", "--out", "d"]);
    assert!(!run.stderr.contains("xxx"), "{}", run.stderr);
    assert_eq!(rows(run.done()).len(), 2);
    assert!(records(&scratch.path("d/games.jsonl")).iter().all(|record| record["faults"].is_null()));
}

#[test]
fn a_repeated_failure_is_reported_three_times_and_then_counted() {
    let scratch = Scratch::new();
    scratch.write("bad.sh", shell_bot("go) echo bestmove a9a9;;"));
    let run = play_games(&scratch, "sh bad.sh", "8", &[]);
    assert_eq!(run.stderr.matches("bad lost: `a9a9` is not a move").count(), 3, "{}", run.stderr);
    run.said(0, "\n`bad` failed 8 times (`not_a_move`); the first 3 are shown\n");
}

#[test]
fn a_damaged_plan_is_reported() {
    let scratch = finished();
    scratch.write("runs/cup/tournament.toml", "version 1\n");
    let expected = "error: can't read the tournament file of the run in `runs/cup`\n\
                    hint: undo the changes that were made by hand in the directory\n\
                    error: invalid TOML: ";
    for arguments in [["run", "cup.toml"], ["standings", "runs/cup"]] {
        scratch.run(["league"].iter().chain(&arguments)).said(2, expected);
    }
}

#[test]
fn output_errors_are_reported_except_a_closed_pipe() {
    let scratch = finished();
    let standings = |stdout: Stdio| {
        let mut command = scratch.command(["league", "standings", "runs/cup", "-q"]);
        command.stdout(stdout).output().expect("the binary was built with the tests")
    };
    let full = File::options().write(true).open("/dev/full").expect("Linux has it");
    let output = standings(full.into());
    assert_eq!(output.status.code(), Some(74));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: can't write the output\ncaused by: No space left on device (os error 28)\n"
    );
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let output = standings(writer.into());
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_exit_statuses_are_in_the_help() {
    let help = linesman(["--help"]);
    for status in ["0 ", "1 ", "2 ", "3 ", "70 ", "74 ", "130 "] {
        assert!(
            help.done().lines().any(|line| line.starts_with(&format!("  {status} "))),
            "{status}: {}",
            help.stdout
        );
    }
    assert!(LINESMAN.ends_with("linesman"));
}

#[test]
fn records_instead_of_a_tournament_file_are_rejected_in_one_sentence() {
    let scratch = Scratch::new();
    scratch.write("games.jsonl", "{\"v\":1,\"id\":\"a~b~1\"}\n".repeat(50));
    let refused = "error: `games.jsonl` contains records or other JSON, not a tournament file\n\
                   hint: name the tournament file: `linesman league run cup.toml`\n";
    scratch.run(["league", "run", "games.jsonl"]).refused(2, refused);
}

#[test]
fn escape_sequences_instead_of_the_protocol_are_explained() {
    let scratch = Scratch::new();
    scratch
        .write("colour.sh", shell_bot("go) printf '\\033[1mthinking\\033[0m\\n'; echo \"bestmove $move\";;"));
    let run = play(&scratch, "sh colour.sh", &["--movetime", "30s"]);
    run.said(0, "    hint: print to stderr, since stdout is for the protocol\n");
}
