//! Tests of the hints for authors of failing bots: what is wrong and how to fix it.

use std::fmt::Write;

use crate::support::scratch::Scratch;

/// A shell bot: its reactions to `ugi`, `isready`, `go` and `quit`.
struct Script {
    ugi: &'static str,
    ready: &'static str,
    go: &'static str,
    quit: &'static str,
}

const ASKS: &str = "echo feature legal; echo ugiok";

/// A bot that plays its first legal move.
const PLAYS: Script =
    Script { ugi: ASKS, ready: "echo readyok", go: "echo \"bestmove $move\"", quit: "exit 0" };

impl Script {
    fn text(&self) -> String {
        let Script { ugi, ready, go, quit } = self;
        format!(
            "while read -r verb move rest; do case $verb in\n\
             ugi) {ugi} ;;\nisready) {ready} ;;\nlegal) legal=$move ;;\n\
             go) move=$legal; {go} ;;\nquit) {quit} ;;\nesac; done\n"
        )
    }
}

/// The limit of bots that give no answer to `go`: short, since it passes in every game, but long enough
/// for their other output.
const NO_ANSWER: &str = "move = \"1s\"";

/// Returns what is reported of bots that play `random`, one game from each seat. A bot has plenty of time,
/// except for what it never does: there it has its own limits.
fn reports_on(scratch: &Scratch, bots: &[(&str, Script, &str)]) -> String {
    let mut file =
        "version = 1\nname = \"cup\"\ngame = \"quixo\"\nrounds = 1\nmovetime = \"60s\"\nseed = 1\n\
                    sandbox = \"off\"\nschedule = \"gauntlet\"\nchallengers = [\"random\"]\n\
                    limits = { start = \"60s\", ready = \"60s\", quit = \"60s\" }\n\
                    [[bots]]\nname = \"random\"\ncommand = \"linesman bot random\"\n"
            .to_owned();
    for (name, script, limits) in bots {
        scratch.write(&format!("{name}.sh"), script.text());
        writeln!(file, "[[bots]]\nname = \"{name}\"\ncommand = \"sh {name}.sh\"\nlimits = {{ {limits} }}")
            .expect("text can be written");
    }
    scratch.write("cup.toml", file);
    let run = scratch.run(["league", "run", "cup.toml"]);
    run.done();
    run.stderr
}

#[track_caller]
fn has_hint(output: &str, bot: &str, expected: &str) {
    let sentence = format!(": {bot} lost");
    let lines = output.lines().skip_while(|line| !line.contains(&sentence)).skip(1);
    let own = lines.take_while(|line| line.starts_with("    ")).find(|line| line.contains("hint: "));
    let own = own.unwrap_or_default();
    assert!(own.contains(expected), "{bot}: {own:?} in\n{output}");
}

#[test]
fn hints_for_nearly_right_answers_have_the_right_ones() {
    let scratch = Scratch::new();
    let no_answer = |go| (Script { go, ..PLAYS }, NO_ANSWER);
    let answers = |go| (Script { go, ..PLAYS }, "");
    let bots = [
        ("unended", no_answer("printf 'bestmove %s' $move")),
        ("capital", no_answer("echo \"BestMove $move\"")),
        ("apart", no_answer("echo \"best move $move\"")),
        ("short", no_answer("echo \"move $move\"")),
        ("bare", no_answer("echo $move")),
        ("upper", answers("echo \"bestmove A1A5\"")),
        ("two", answers("echo \"bestmove a1 a5\"")),
        ("dash", answers("echo \"bestmove a1-a5\"")),
        ("numbers", answers("echo \"bestmove 0 1 4 1\"")),
        ("way", answers("echo \"bestmove (0, 1) right\"")),
        ("trace", no_answer("echo 'Traceback (most recent call last):'; echo 'ValueError: none'")),
    ]
    .map(|(name, (script, limits))| (name, script, limits));
    let output = reports_on(&scratch, &bots);
    has_hint(&output, "unended", "answered `bestmove a");
    has_hint(&output, "unended", "without a newline at the end");
    has_hint(&output, "unended", "`echo \"bestmove $move\"`");
    for bot in ["capital", "apart", "short"] {
        has_hint(&output, bot, "did you mean `bestmove a");
    }
    has_hint(&output, "bare", "` is a legal move: answer `bestmove a");
    has_hint(&output, "upper", "`A1A5` probably means `a1a5`: answer `bestmove a1a5`");
    has_hint(&output, "two", "`a1 a5` probably means `a1a5`: answer `bestmove a1a5`");
    has_hint(&output, "dash", "`a1-a5` probably means `a1a5`: answer `bestmove a1a5`");
    has_hint(&output, "numbers", "`0 1 4 1` may mean `a2e2` or ");
    has_hint(&output, "way", "`(0, 1) right` may mean `a2e2` or ");
    has_hint(&output, "trace", "printed an error to stdout and gave no answer (`ValueError: none`)");
    assert!(!output.contains("were ignored"), "the lines stand with the failures:\n{output}");

    // The hint is shown wherever the failure is.
    let hint = "hint: `A1A5` probably means `a1a5`: answer `bestmove a1a5`";
    let shown = scratch.run(["league", "show", "runs/cup", "upper"]);
    assert!(shown.stdout.contains(hint), "{}", shown.stdout);
    let replayed = scratch.run(["replay", "runs/cup", "--game", "upper~random~1"]);
    assert!(replayed.stdout.contains(hint), "{}", replayed.stdout);
    scratch.run(["replay", "runs/cup", "--game", "upper~random~1", "--html", "game.html"]).done();
    assert!(scratch.read("game.html").contains("`A1A5` probably means `a1a5`"));
}

#[test]
fn hints_distinguish_bots_that_wait_for_lines_and_bots_that_never_end() {
    let scratch = Scratch::new();
    let bots = [
        ("lacks", Script { ugi: "echo ugiok", go: "echo \"KeyError: 'legal'\" >&2; exit 1", ..PLAYS }, ""),
        ("waits", Script { ugi: "echo ugiok", go: ":", ..PLAYS }, NO_ANSWER),
        ("hasty", Script { ready: "printf readyok", ..PLAYS }, "ready = \"2s\""),
        ("chatty", Script { go: "echo thinking; echo \"bestmove $move\"", ..PLAYS }, ""),
        ("stays", Script { quit: "sleep 1000", ..PLAYS }, "quit = \"100ms\""),
        ("silent", Script { go: "exit 7", ..PLAYS }, ""),
        // Its first answers are in time, and the missing answer is waited for once per game.
        (
            "later",
            Script { go: "n=$((n + 1)); [ $n -lt 3 ] || sleep 1000; echo \"bestmove $move\"", ..PLAYS },
            "move = \"5s\"",
        ),
    ];
    let output = reports_on(&scratch, &bots);
    has_hint(&output, "silent", "run `linesman check -- sh silent.sh`");
    has_hint(&output, "silent", "with `set -e`");
    has_hint(&output, "later", "does not answer `go`");
    has_hint(&output, "later", "and its earlier answers came within ");
    has_hint(&output, "lacks", "`legal` is sent only to bots that say `feature legal`");
    has_hint(&output, "waits", "if the bot waits for `legal`, print `feature legal` before `ugiok`");
    has_hint(&output, "hasty", "answered `readyok` without a newline at the end");
    let of = |start: &str| output.lines().find(|line| line.contains(start)).unwrap_or_default();
    assert!(of("`chatty`: ").contains(" lines on stdout were ignored, such as `thinking`"), "{output}");
    assert!(of("`chatty`: ").contains("print to stderr"), "{output}");
    let stays = of("`stays` was killed ");
    assert!(stays.contains("because it did not exit after `quit`"), "{output}");
    assert!(!output.contains("`chatty` was killed"), "{output}");
}

/// Returns what is reported of a bot that does not pass the preflight check in time.
fn preflight_report(scratch: &Scratch, command: &str, start: &str) -> String {
    let run = scratch.run([
        "match",
        "--game",
        "quixo",
        "--bot",
        command,
        "--bot",
        "linesman bot random",
        "--games",
        "2",
        "--sandbox",
        "off",
        "--limit",
        start,
    ]);
    assert_ne!(run.status, Some(0), "{run:#?}");
    run.stderr
}

#[test]
fn hints_for_bots_that_cannot_start_name_what_is_missing() {
    let scratch = Scratch::new();
    let script = PLAYS.text();
    scratch.program("windows.sh", &format!("#!/bin/sh\r\n{script}"));
    scratch.program("env.sh", &format!("#!/usr/bin/env sh\r\n{script}"));
    scratch.program("plain.py", "import sys\n");
    scratch.write("still.sh", &script);
    scratch.write("unended.sh", Script { ugi: "printf ugiok", ..PLAYS }.text());
    scratch.write("other.sh", Script { ugi: "echo uciok", ..PLAYS }.text());
    scratch.write("prompt.sh", "printf '>>> '; sleep 1000\n");
    scratch.write("trace.sh", "echo 'Traceback (most recent call last):'; echo \"KeyError: 'x'\"; exit 1\n");
    // Bots that print something and then hang are waited for all at once, so their limit can be long.
    let waiting = [
        ("sh unended.sh", "answered `ugiok` without a newline at the end"),
        ("sh other.sh", "did you mean `ugiok`?"),
        ("sh prompt.sh", "`>>>` is the prompt of an interpreter"),
        ("sh", "name the bot's file in the command"),
    ];
    std::thread::scope(|scope| {
        for (command, expected) in waiting {
            let scratch = &scratch;
            scope.spawn(move || {
                let output = preflight_report(scratch, command, "start=8s");
                assert!(output.contains(expected), "{command}: {output}");
            });
        }
    });
    for (command, expected) in [
        ("./windows.sh", "sed -i 's/\\r$//' "),
        ("./env.sh", "sed -i 's/\\r$//' "),
        ("./plain.py", "begin `./plain.py` with a line such as `#!/usr/bin/env python3`"),
        ("./still.sh", "chmod +x "),
        ("DEPTH=3 sh still.sh", "begin the command with `env`"),
        ("cd bots && sh still.sh", "put the command into a script, or into `sh -c '...'`"),
        ("sh -x | tee log", "put the command into a script, or into `sh -c '...'`"),
        ("sh trace.sh", "before `ugiok`, the bot printed an error to stdout (`KeyError: 'x'`)"),
    ] {
        let output = preflight_report(&scratch, command, "start=60s");
        assert!(output.contains(expected), "{command}: {output}");
    }
}
