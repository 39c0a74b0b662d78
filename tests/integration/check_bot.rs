//! Tests of `linesman check -- COMMAND`: a good bot passes, and a bot with one flaw fails the item for it.

use std::collections::BTreeSet;
use std::process::Command;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::support::Run;
use crate::support::scratch::Scratch;

/// A bot that plays its first legal move. Tests replace parts of it.
const GOOD: &str = r#"
import fcntl, os, sys, threading, time

games, kept, legal, words, flags = 0, [], [], [], threading.Event()

def spin():
    while not flags.is_set():
        pass

def start(): pass
def begin(): pass
def answer(): return legal[0]
def moved(): pass
def unknown(): pass
def split(line): return line.split()
def farewell(): sys.exit()
def end(): sys.exit()

start()
while True:
    line = sys.stdin.readline()
    flags.set()
    if not line:
        end()
        continue
    words = split(line)
    verb = words[0] if words else ""
    if verb == "ugi":
        print("id name Tester 1\nid author Ada\nfeature legal\nugiok", flush=True)
    elif verb == "uginewgame":
        games += 1
        begin()
    elif verb == "isready": print("readyok", flush=True)
    elif verb == "legal": legal = words[1:]
    elif verb == "position": position = words[1:]
    elif verb == "go":
        print("bestmove", answer(), flush=True)
        moved()
    elif verb == "quit": farewell()
    elif verb not in ("game", "gameover"): unknown()
"#;

/// Returns the good bot with some functions replaced.
fn bot(changes: &[&str]) -> String {
    let functions = changes.join("\n");
    assert!(GOOD.contains("\nstart()\n"));
    GOOD.replacen("\nstart()\n", &format!("\n{functions}\nstart()\n"), 1)
}

fn check(scratch: &Scratch, text: &str, options: &[&str]) -> Run {
    scratch.write("bot.py", text);
    // Python can take long to start on a busy machine; no test waits for these limits to pass.
    let usual = ["check", "--quick", "--limit", "start=60s", "--limit", "ready=60s"];
    scratch.run(usual.iter().chain(options).chain(&["--", "python3", "bot.py"]))
}

/// Returns the report of a check as JSON.
fn report(scratch: &Scratch, text: &str, options: &[&str]) -> Value {
    let run = check(scratch, text, &[options, &["--json"]].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:#?}"));
    let status = match (report["failed"] == 0, report["incomplete"] == true) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) => 0,
    };
    assert_eq!(run.status, Some(status), "{run:#?}");
    report
}

fn items(report: &Value) -> &Vec<Value> {
    report["items"].as_array().expect("there is a list of items")
}

/// Returns the items with a result.
fn with_result<'r>(report: &'r Value, result: &str) -> BTreeSet<&'r str> {
    let found = items(report).iter().filter(|item| item["result"] == result);
    found.filter_map(|item| item["item"].as_str()).collect()
}

fn item<'r>(report: &'r Value, name: &str) -> &'r Value {
    items(report).iter().find(|item| item["item"] == name).unwrap_or_else(|| panic!("no {name}: {report:#}"))
}

/// Asserts that a bot with one flaw fails exactly these items, and that the advice for the first contains these words.
#[track_caller]
fn fails(changes: &[&str], options: &[&str], failing: &[&str], advice: &str) {
    let scratch = Scratch::new();
    let report = report(&scratch, &bot(changes), options);
    assert_eq!(with_result(&report, "failed"), failing.iter().copied().collect(), "{report:#}");
    let first = item(&report, failing[0]);
    let given = first["advice"].as_str().unwrap_or_default();
    assert!(given.contains(advice), "{advice:?} is missing in {given:?}: {first:#}");
}

/// Returns the options that skip slow items.
fn only<'o>(options: &[&'o str], items: &[&'o str]) -> Vec<&'o str> {
    options.iter().copied().chain(items.iter().flat_map(|item| ["--item", *item])).collect()
}

const QUIXO: [&str; 4] = ["--game", "quixo", "--sandbox", "off"];

#[test]
fn a_good_bot_passes_everything_in_every_game() {
    let scratch = Scratch::new();
    // It ends at `quit`, but can have to wait for a CPU.
    let report = report(&scratch, &bot(&[]), &["--limit", "quit=60s"]);
    assert_eq!(with_result(&report, "failed"), BTreeSet::new(), "{report:#}");
    let games: BTreeSet<&str> = items(&report)
        .iter()
        .filter(|item| item["item"] == "game")
        .filter_map(|item| item["game"].as_str())
        .collect();
    assert_eq!(games.len(), linesman::games::GAMES.len());
    for known in linesman::check::bot::CheckItem::ALL {
        let found = item(&report, known.word());
        assert!(found["result"] == "passed" || found["reason"].is_string(), "{found:#}");
    }
    let handshake = &item(&report, "handshake")["found"];
    assert_eq!((&handshake["name"], &handshake["author"]), (&"Tester 1".into(), &"Ada".into()));
    assert_eq!(item(&report, "determinism")["found"]["repeats"], true);
    assert!(item(&report, "first-move")["found"]["first_move_ms"]["cold"].is_number());
    let games = item(&report, "many-games")["found"]["games"].as_u64().expect("it is counted");
    assert!((30..=200).contains(&games), "a fast bot plays more than 30: {games}");
}

#[test]
fn advice_names_the_cause_of_common_mistakes() {
    let games = &QUIXO[..];
    let caught = bot(&["def answer():\n    print('error: no idea')\n    raise KeyError"]);
    let asked = "        print(\"bestmove\", answer(), flush=True)\n        moved()\n";
    let caught = caught.replace(asked, "        try: answer()\n        except KeyError: pass\n");
    // Long enough to rule out the machine: a game that the machine disturbs is played again, with more time.
    let loads = bot(&["def answer():\n    if games == 1: time.sleep(1000)\n    return legal[0]"]);
    let capital = bot(&[]).replace("\"bestmove\"", "\"BestMove\"");
    let passes = bot(&["def answer(): return next(word for word in legal if word != 'pass')"]);
    let teams = ["--game", "quixo-teams", "--sandbox", "off"];
    for (text, options, name, advice) in [
        (&caught, games, "game", "answer every `go` with `bestmove`"),
        (&loads, games, "game", "load what the first move needs before `readyok`"),
        (&capital, games, "stdout", "the verb `bestmove` in lower case: `BestMove a1a5` is no answer"),
        (&passes, &teams, "pass", "correct the error that stderr shows: answer `bestmove pass`"),
        (&passes, &teams, "pass", "`linesman games quixo-teams --rules`"),
    ] {
        let scratch = Scratch::new();
        let report = report(&scratch, text, &only(options, &["game", "pass", "stdout"]));
        let given = item(&report, name)["advice"].as_str().unwrap_or_default();
        assert!(given.contains(advice), "{advice:?} is missing in {given:?}: {report:#}");
    }
}

#[test]
fn a_bot_that_is_not_ready_is_reported_once() {
    let scratch = Scratch::new();
    // Each has little time for what it never does, and plenty for the rest.
    let tried = |text: &str, start: &str, ready: &str| {
        scratch.write("bot.py", text);
        let options = ["check", "--quick", "--limit", start, "--limit", ready, "--sandbox", "off"];
        let items = ["handshake", "game", "quit", "stdout"].iter().flat_map(|item| ["--item", item]);
        let run = scratch.run(options.into_iter().chain(items).chain(["--json", "--", "python3", "bot.py"]));
        serde_json::from_str::<Value>(&run.stdout).expect("it is JSON")
    };
    let slow = tried(&bot(&["def start(): time.sleep(1000)"]), "start=2s", "ready=60s");
    let advice = item(&slow, "handshake")["advice"].as_str().unwrap_or_default();
    assert!(advice.contains("give it more time with `--limit start=30s`"), "{slow:#}");
    let capital = tried(&bot(&[]).replace("\"readyok\"", "\"ReadyOK\""), "start=60s", "ready=4s");
    assert_eq!(with_result(&capital, "failed"), ["game", "stdout"].into(), "{capital:#}");
    assert_eq!(items(&capital).iter().filter(|item| item["result"] == "failed").count(), 2, "{capital:#}");
    let advice = item(&capital, "game")["advice"].as_str().unwrap_or_default();
    assert_eq!(advice, "did you mean `readyok`? The line `ReadyOK` was ignored");
}

#[test]
fn the_source_of_a_compiled_bot_reveals_its_language() {
    let scratch = Scratch::new();
    let talks = bot(&["def answer():\n    print('thinking')\n    return legal[0]"]);
    scratch.write("talks.py", &talks);
    scratch.write(
        "runs.c",
        "#include <unistd.h>\nint main(void) { return execlp(\"python3\", \"python3\", \"talks.py\", (char *)0); }\n",
    );
    let compiled = Command::new("cc").args(["-o", "runs", "runs.c"]).current_dir(scratch.path(".")).status();
    assert!(compiled.expect("there is a C compiler").success());
    for (program, source, advice) in [
        ("go/ada", "go/ada.go", "`fmt.Fprintln(os.Stderr, text)`"),
        ("rust/target/release/ada", "rust/src/main.rs", "`eprintln!"),
        ("c/ada", "c/ada.c", "for example with `fprintf(stderr, "),
        ("c/build/ada", "c/ada.c", "for example with `fprintf(stderr, "),
        ("cpp/bin/ada", "cpp/src/ada.cpp", "for example with `std::cerr"),
        ("none/ada", "none/ada.txt", "in C, `std::cerr"),
    ] {
        for path in [program, source] {
            let folder = scratch.path(path);
            std::fs::create_dir_all(folder.parent().expect("it is in a folder")).expect("it is made");
        }
        scratch.write(source, "");
        std::fs::copy(scratch.path("runs"), scratch.path(program)).expect("it is copied");
        let items = ["--item", "game", "--item", "stdout", "--", program];
        let run = scratch.run(["check", "--quick"].iter().chain(&QUIXO).chain(&items));
        assert!(run.stdout.contains(advice), "{advice:?} is missing in\n{}", run.stdout);
    }
    // A script is not such a source.
    scratch.program("go/bob", &format!("#!/usr/bin/env python3\n{talks}"));
    let items = ["--item", "game", "--item", "stdout", "--", "go/bob"];
    let run = scratch.run(["check", "--quick"].iter().chain(&QUIXO).chain(&items));
    assert!(run.stdout.contains("`print(text, file=sys.stderr)`"), "{}", run.stdout);
}

/// Functions of a bot that ponders and waits. Tests replace parts of them.
const PONDERS: &str = "\
def answer():
    while words[1] == 'ponder':
        if sys.stdin.readline().strip() in ('stop', 'ponderhit'):
            break
    return legal[0]
";

#[test]
fn advice_for_a_pondering_bot_says_when_to_answer() {
    let announcing = bot(&[PONDERS]).replace("feature legal", "feature legal ponder");
    let scratch = Scratch::new();
    let options = only(&QUIXO, &["handshake", "game", "ponder"]);
    let tried = report(&scratch, &announcing, &options);
    assert_eq!(item(&tried, "ponder")["result"], "passed", "{tried:#}");
    for (flawed, reason) in [
        (announcing.replace("words[1] == 'ponder'", "False"), "answered `go ponder` before"),
        (
            announcing.replace("('stop', 'ponderhit')", "('ponderhit',)"),
            "no `bestmove` within 1000.0 ms of `stop`",
        ),
        (announcing.replace("legal[0]\n", "legal[0] + ' ponder a9'\n"), "can't ponder on `a9`"),
    ] {
        let tried = report(&scratch, &flawed, &options);
        let ponder = item(&tried, "ponder");
        assert!(ponder["reason"].as_str().is_some_and(|given| given.contains(reason)), "{ponder:#}");
        assert!(
            ponder["advice"].as_str().is_some_and(|advice| advice.contains("wait after `go ponder`")),
            "{ponder:#}"
        );
    }
}

#[test]
fn the_sample_bot_passes_and_the_games_it_does_not_play_are_listed() {
    let text = std::fs::read_to_string(crate::support::project().join("bots/python/greedy_quixo_bot.py"));
    let scratch = Scratch::new();
    let options =
        only(&["--game", "quixo"], &["handshake", "game", "positions", "clock", "whitespace", "stdout"]);
    let report = report(&scratch, &text.expect("the sample is there"), &options);
    assert_eq!(with_result(&report, "failed"), BTreeSet::new(), "{report:#}");
}

#[test]
fn a_game_resigned_at_once_fails_only_if_it_was_named() {
    let gives_up = ["def answer(): return 'resign' if len(legal[0]) != 4 else legal[0]"];
    let scratch = Scratch::new();
    let report = report(&scratch, &bot(&gives_up), &["--sandbox", "off", "--item", "game"]);
    assert_eq!(with_result(&report, "failed"), BTreeSet::new(), "{report:#}");
    let skipped: Vec<_> = items(&report).iter().filter(|item| item["result"] == "skipped").collect();
    assert!(!skipped.is_empty() && skipped.iter().all(|item| item["found"]["given_up"] == "resigned"));
    fails(&gives_up, &only(&["--game", "quixo-teams", "--sandbox", "off"], &["game"]), &["game"], "");
    let never = ["def answer(): return 'resign'"];
    fails(&never, &only(&["--sandbox", "off"], &["game"]), &["game"], "");
}

#[test]
fn a_bot_with_a_flaw_in_play_fails_the_item_for_it() {
    // Long enough to rule out the machine: a game that the machine disturbs is played again, with more time.
    let late = |when: &str| format!("def answer():\n    if {when}: time.sleep(1000)\n    return legal[0]");
    for (change, game, failing, advice) in [
        ("def start(): print('option name Depth')".to_owned(), "quixo", &["handshake"][..], "linesman talk"),
        ("def answer(): return 'a1-a5'".to_owned(), "quixo", &["game"], ""),
        (
            "def answer(): return 'c3c5' if position[0] == 'fen' else legal[0]".to_owned(),
            "quixo",
            &["positions", "full-board"],
            "position fen TOKEN",
        ),
        (
            "def answer(): return 'a1e1n' if legal == ['pass'] else legal[0]".to_owned(),
            "quixo-teams",
            &["pass"],
            "bestmove pass",
        ),
        (
            late("'p1inc' in words and 'movetime' not in words and words[words.index('p1inc') + 1] != '0'"),
            "quixo",
            &["clock"],
            "30 more moves",
        ),
        (late("'movestogo' in words"), "quixo", &["sessions"], "`movestogo`"),
        (late("'p1time' in words and 'movetime' in words"), "quixo", &["move-limit"], "`movetime`"),
        (
            late("'p1time' in words and int(words[words.index('p1time') + 1]) > 100000"),
            "quixo",
            &["own-clock"],
            "`p2time`",
        ),
        (late("words[1] == 'movetime' and int(words[2]) < 50"), "quixo", &["short-time"], "50 ms"),
        (
            "def split(line): return line.strip('\\r\\n').split(' ')".to_owned(),
            "quixo",
            &["whitespace"],
            "`line.split()`",
        ),
        ("def unknown(): raise ValueError(words)".to_owned(), "quixo", &["unknown-words"], "empty lines"),
        (
            "def split(line): return line.rstrip('\\n').replace('\\t', ' ').strip(' ').split(' ')".to_owned(),
            "quixo",
            &["line-ends"],
            "`\\r`",
        ),
        (
            "def answer():\n    print('thinking ...')\n    return legal[0]".to_owned(),
            "quixo",
            &["stdout"],
            "file=sys.stderr",
        ),
    ] {
        let items = [
            "handshake",
            "game",
            "positions",
            "pass",
            "full-board",
            "clock",
            "sessions",
            "move-limit",
            "own-clock",
            "short-time",
            "whitespace",
            "unknown-words",
            "line-ends",
            "stdout",
        ];
        fails(&[&change], &only(&["--game", game, "--sandbox", "off"], &items), failing, advice);
    }
}

#[test]
fn a_bot_with_a_flaw_as_a_process_fails_the_item_for_it() {
    let lock = "def start():\n    global lock\n    lock = open('lock', 'w')\n    \
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)";
    let fourth = "def start():\n    open('starts', 'a').write('x')\n    \
                  if len(open('starts').read()) == 4: sys.exit(3)";
    for (change, items, failing, advice) in [
        (
            "def begin():\n    if games == 20: raise ValueError('full')",
            &["many-games", "idle"][..],
            "many-games",
            "",
        ),
        ("def begin(): kept.append(b'x' * (8 << 20))", &["many-games", "growth"], "growth", "`uginewgame`"),
        // It only shows in more games than the minimum of a quick check.
        ("def begin(): kept.append(b'x' * (2 << 20))", &["many-games", "growth"], "growth", "`uginewgame`"),
        (
            "def moved():\n    flags.clear()\n    threading.Thread(target=spin).start()",
            &["idle"],
            "idle",
            "threads",
        ),
        (fourth, &["restart"], "restart", "share nothing"),
        (lock, &["restart", "two-at-once"], "two-at-once", "share nothing"),
        ("def farewell(): pass", &["quit", "end-of-input"], "quit", "`quit`"),
        (
            "def end(): time.sleep(0.01)",
            &["quit", "end-of-input"],
            "end-of-input",
            "`for line in sys.stdin:`",
        ),
    ] {
        fails(&[change], &only(&QUIXO, items), &[failing], advice);
    }
}

#[test]
fn repeated_games_show_what_made_the_difference() {
    let token = "def answer(): return 'c3c5' if position[0] == 'fen' else legal[0]";
    let silent = "def answer():\n    if 'p1time' in words: os._exit(1)\n    return legal[0]";
    let kept = "def answer(): return 'c3c5' if games > 1 else legal[0]";
    let always = "def answer(): return 'c3c5'";
    for (change, item, advice) in [
        (silent, "clock", "the same game with `go movetime` went well each time"),
        (token, "positions", "by its moves (`position startpos moves ...`) went well"),
        (kept, "positions", "the first one of a new process, and failed again after another game"),
        (always, "game", "`linesman games quixo --rules`"),
    ] {
        fails(&[change], &only(&QUIXO, &[item]), &[item], advice);
    }
}

#[test]
fn a_silent_end_is_blamed_on_the_sandbox_only_if_the_bot_plays_without_it() {
    let silent = "def answer():\n    if 'p1time' in words: os._exit(1)\n    return legal[0]";
    let scratch = Scratch::new();
    let report = report(&scratch, &bot(&[silent]), &only(&["--game", "quixo"], &["clock", "sandbox"]));
    assert_eq!(with_result(&report, "failed"), ["clock"].into(), "{report:#}");
    let advice = item(&report, "clock")["advice"].as_str().unwrap_or_default();
    assert!(!advice.contains("sandbox") && !advice.contains("stderr"), "{advice}");
}

#[test]
fn a_bot_that_reads_lines_in_pieces_fails_with_that_reason() {
    let scratch = Scratch::new();
    // Its `legal` lines are short enough that nothing else shows.
    let pieces = bot(&[]).replace("sys.stdin.readline()", "sys.stdin.readline(255)");
    let quixo = report(&scratch, &pieces, &only(&QUIXO, &["game", "positions", "long-lines"]));
    assert_eq!(with_result(&quixo, "failed"), ["long-lines"].into(), "{quixo:#}");
    let advice = item(&quixo, "long-lines")["advice"].as_str().unwrap_or_default();
    assert!(advice.starts_with("read whole lines"), "{advice}");
    // The smallest usual buffer size that cuts a move.
    let cut = "def answer():\n    text = ' '.join(['legal'] + legal)\n    \
               cuts = lambda size: ' ' not in text[size - 1:size + 1]\n    \
               return text[:next(filter(cuts, [255, 256, 511, 512, 999, 1000]))].split()[-1]";
    let trexo = only(&["--game", "trexo", "--sandbox", "off"], &["game"]);
    fails(&[cut], &trexo, &["game"], "cut after byte ");
}

#[test]
fn an_eliminated_seat_and_a_first_move_are_tried_before_the_end() {
    let departs = "def answer():\n    if any(word[0] == '!' for word in position): raise ValueError\n    \
                   return legal[0]";
    let tandem = ["--game", "tandem", "--sandbox", "off"];
    fails(&[departs], &only(&tandem, &["drop-out"]), &["drop-out"], "`!3`");
    let three = only(&[&tandem[..], &["--options", "players=3"]].concat(), &["drop-out"]);
    fails(&[departs], &three, &["drop-out"], "`!3`");
    let teams = ["--game", "quixo-teams", "--sandbox", "off"];
    let over = "def begin():\n    if games == 2: raise ValueError";
    fails(&[over], &only(&teams, &["drop-out"]), &["drop-out"], "");
    let runs_on =
        ["def moved(): flags.kept = True", "def farewell():\n    if not hasattr(flags, 'kept'): sys.exit()"];
    fails(&runs_on, &only(&QUIXO, &["quit"]), &["quit"], "what the first move started");
    let at_end =
        [runs_on[0], "def end():\n    time.sleep(0.01)\n    if not hasattr(flags, 'kept'): sys.exit()"];
    fails(&at_end, &only(&QUIXO, &["end-of-input"]), &["end-of-input"], "what the first move started");
}

#[test]
fn advice_for_a_bot_idle_after_quick_answers_mentions_flushing() {
    let scratch = Scratch::new();
    let stuck = bot(&["def answer():\n    if len(position) > 3: time.sleep(1000)\n    return legal[0]"]);
    // Output of a program in an unknown language can be stuck in a buffer.
    let interpreter = scratch.path("pie");
    std::os::unix::fs::symlink("/usr/bin/python3", &interpreter).expect("it is linked");
    scratch.program("stuck", &format!("#!{}\n{stuck}", interpreter.display()));
    let run = scratch.run([
        "check",
        "--quick",
        "--game",
        "quixo",
        "--sandbox",
        "off",
        "--item",
        "game",
        "--",
        "./stuck",
    ]);
    assert_eq!(run.status, Some(1), "{run:#?}");
    for part in ["advice: flush after every `bestmove`", "its earlier answers came within "] {
        assert!(run.stdout.contains(part), "{part:?} is missing in\n{}", run.stdout);
    }
}

#[test]
fn options_and_a_seed_of_the_check_are_taken() {
    let scratch = Scratch::new();
    let options = ["--options", "players=3", "--seed", "7", "--sandbox", "off"];
    let report = report(&scratch, &bot(&[]), &only(&options, &["game"]));
    let games: Vec<_> = items(&report).iter().map(|item| &item["game"]).collect();
    assert_eq!(games, ["tandem"], "{report:#}");
    let known = ["check", "--game", "tandem", "--options", "players=9", "--", "./bot"];
    scratch.run(known).said(2, "players");
    scratch.run(["check", "--options", "no=1", "--", "./bot"]).said(2, "name the game");
    scratch.run(["check", "--hostile", "--seed", "7"]).said(2, "`--seed` is for the check of a bot");
}

#[test]
fn advice_for_a_bot_stopped_by_the_sandbox_has_the_line_that_lets_it_play() {
    let scratch = Scratch::new();
    scratch.write("../elsewhere/net.txt", "weights");
    let net = scratch.path("../elsewhere/net.txt").canonicalize().expect("it was written");
    let reads = format!("def start(): open({:?}).read()", net.display().to_string());
    let run = scratch.run(["check", "--host"]);
    if run.stdout.contains("bad") {
        return;
    }
    let report = report(&scratch, &bot(&[&reads]), &["--game", "quixo", "--item", "sandbox"]);
    assert_eq!(with_result(&report, "failed"), ["handshake", "sandbox"].into(), "{report:#}");
    let first = item(&report, "handshake")["advice"].as_str().unwrap_or_default();
    assert!(first.starts_with("see `sandbox` below"), "{first}");
    let advice = item(&report, "sandbox")["advice"].as_str().unwrap_or_default();
    assert!(advice.contains(&format!("`read = [\"{}\"]`", net.display())), "{advice}");
}

#[test]
fn a_failure_is_shown_with_its_dialogue_stderr_and_advice() {
    let scratch = Scratch::new();
    let crashes = bot(&["def answer(): return legal[1000]"]);
    let run = check(&scratch, &crashes, &only(&QUIXO, &["game"]));
    assert_eq!(run.status, Some(1), "{run:#?}");
    for part in [
        "game (quixo): the bot lost: it exited with status 1",
        "> position startpos",
        "> legal a1a5 ",
        "> go movetime",
        "stderr | IndexError",
        "advice: ",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is missing in\n{}", run.stdout);
    }
    assert!(run.stderr.contains("checking game"), "{}", run.stderr);
}

#[test]
fn junit_is_well_formed_and_counts_what_the_table_shows() {
    let scratch = Scratch::new();
    let odd = bot(&["def answer():\n    print('<&\\'\"]]> \\u00e9 \\ufffe')\n    return legal[0]"]);
    let options = only(&QUIXO, &["handshake", "game", "sandbox", "stdout"]);
    let run = check(&scratch, &odd, &[&options[..], &["--format", "junit"]].concat());
    assert_eq!(run.status, Some(1), "{run:#?}");
    let mut reader = Reader::from_str(&run.stdout);
    reader.config_mut().enable_all_checks(true);
    let (mut counts, mut text) = (std::collections::BTreeMap::<String, usize>::new(), String::new());
    loop {
        match reader.read_event().expect("it is XML") {
            Event::Start(element) | Event::Empty(element) => {
                let name = String::from_utf8(element.name().as_ref().to_vec()).expect("names are text");
                *counts.entry(name).or_default() += 1;
                for attribute in element.attributes() {
                    let value = attribute.expect("it is an attribute");
                    text.push_str(&String::from_utf8_lossy(&value.value));
                }
            }
            Event::Text(part) => text.push_str(&String::from_utf8_lossy(&part)),
            Event::Eof => break,
            _ => {}
        }
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert_eq!((count("testsuite"), count("testcase")), (1, 4), "{}", run.stdout);
    assert_eq!((count("failure"), count("skipped")), (1, 1), "{}", run.stdout);
    assert!(text.contains("tests") || run.stdout.contains("tests=\"4\" failures=\"1\""), "{}", run.stdout);
    assert!(run.stdout.contains("&lt;&amp;"), "{}", run.stdout);
}

#[test]
fn a_command_that_cant_be_started_and_wrong_usage_end_with_status_2() {
    let scratch = Scratch::new();
    scratch.run(["check", "--", "./no-such-bot"]).said(2, "can't be started");
    scratch.write("not-executable", "");
    scratch.run(["check", "--", "./not-executable"]).said(2, "not-executable");
    scratch.run(["check", "--game", "chess", "--", "python3", "bot.py"]).said(2, "there is no game `chess`");
    scratch
        .run(["check", "--item", "clocks", "--", "python3", "bot.py"])
        .said(2, "expected one of handshake");
    scratch.run(["check", "--host", "--", "python3", "bot.py"]).said(2, "cannot be used with");
    scratch.run(["check", "--format", "junit", "--host"]).said(2, "is for the check of a bot");
    scratch.run(["check", "--quick", "--host"]).said(2, "cannot be used with");
    scratch.run(["check"]).said(2, "required");
}
