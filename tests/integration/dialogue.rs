//! Tests of the dialogue between referee and bots, as logged with `--log` and as printed from records.

use crate::support::bots::{LETS_BOTS_WRITE, ids, records, shell_bot, tournament};
use crate::support::scratch::Scratch;

/// Returns a bot that writes each line it reads to a file, and plays the first legal move.
fn noting_bot(file: &str, cases: &str) -> String {
    let noting = format!(
        "printf '%s' \"$verb\" >> {file}; [ -z \"$rest\" ] || printf ' %s' \"$rest\" >> {file}; echo >> {file}"
    );
    shell_bot(cases).replace("    case $verb in\n", &format!("    {noting}\n    case $verb in\n"))
}

/// Returns the lines noted by a bot.
fn noted(scratch: &Scratch, bot: &str) -> String {
    scratch.read(&format!("{bot}.in"))
}

/// Plays one game and compares the lines sent to each bot with those reconstructed from the record.
#[track_caller]
fn check(conditions: &[&str], bots: &[(&str, &str)], feature: &str) -> Scratch {
    let scratch = Scratch::new();
    let mut arguments = vec!["match", "--games", "1", "--out", "run", "--sandbox", "off", "--keep-going"];
    // A bot without CPU for a moment is neither late nor killed before it has noted `quit`.
    for limit in ["start=60s", "ready=60s", "quit=60s"] {
        arguments.extend(["--limit", limit]);
    }
    arguments.extend(conditions);
    for (name, cases) in bots {
        scratch.program(name, &noting_bot(&format!("{name}.in"), cases));
    }
    let commands: Vec<String> = bots.iter().map(|(name, _)| format!("./{name}")).collect();
    for ((name, _), command) in bots.iter().zip(&commands) {
        arguments.extend(["--bot", command, "--name", name]);
    }
    arguments.extend(["--log", "logs"]);
    scratch.run(&arguments).done();
    let record = &records(&scratch.path("run/games.jsonl"))[0];
    let id = record["id"].as_str().expect("it has an id");
    for (index, seat) in record["seats"].as_array().expect("there are seats").iter().enumerate() {
        let name = seat["name"].as_str().expect("it has a name");
        let number = (index + 1).to_string();
        let run = scratch.run([
            "replay",
            "run",
            "--game",
            id,
            "--dialogue",
            "--seat",
            &number,
            "--feature",
            feature,
        ]);
        // A bot that has ended does not read the referee's last lines.
        let ends = bots.iter().any(|(own, cases)| *own == name && cases.contains("exit"));
        let (printed, read) = (run.done(), noted(&scratch, name));
        let is_same = if ends { printed.starts_with(&read) } else { printed == read };
        assert!(is_same, "seat {number} of {record}: {printed}\nthe bot read: {read}");
        // The log has the same lines up to the end of the game.
        let log = scratch.read(&format!("logs/{id}-seat{number}.txt"));
        let sent: String = log
            .lines()
            .filter_map(|line| line.split_once(&format!(" {number} > ")))
            .map(|(_, text)| format!("{text}\n"))
            .collect();
        assert!(run.stdout.starts_with(&sent) && sent.contains("isready\n"), "{log}");
    }
    scratch
}

const PLAIN: &str = "";

/// The case of a bot that ends after its first move.
const ENDS: &str = "go) echo \"bestmove $move\"; exit;;";

#[test]
fn records_give_the_lines_sent_to_each_seat_in_every_game() {
    let two = [("ada", PLAIN), ("bob", PLAIN)];
    for (game, options) in [("quixo", "size=3"), ("trexo", ""), ("kengu", ""), ("tandem", "max_plies=30")] {
        check(&["--game", game, "--options", options, "--movetime", "30s"], &two, "legal");
    }
    let four = [("ada", PLAIN), ("bob", PLAIN), ("eve", PLAIN), ("joe", PLAIN)];
    check(&["--game", "quixo-teams", "--options", "max_plies=30", "--movetime", "30s"], &four, "legal");
}

#[test]
fn records_give_the_original_clocks_and_openings() {
    let state = "ugi) printf 'feature legal state\\nugiok\\n';;";
    let slow = "ugi) printf 'feature legal state\\nugiok\\n';; go) sleep 0.01; echo \"bestmove $move\";;";
    let conditions = ["--game", "quixo", "--options", "size=4,max_plies=30"];
    let wall = [&conditions[..], &["--tc", "40/30s+7ms"]].concat();
    check(&wall, &[("ada", state), ("bob", slow)], "legal,state");
    let scratch = Scratch::new();
    let make =
        ["openings", "make", "quixo", "--options", "size=4,max_plies=30", "--plies", "2", "--count", "1"];
    scratch.run(make.iter().chain(&["--out", "openings.txt"])).done();
    let openings = scratch.path("openings.txt");
    let openings = openings.to_str().expect("its path is text");
    let with_opening = [&wall[..], &["--openings", openings]].concat();
    let scratch = check(&with_opening, &[("ada", state), ("bob", state)], "legal,state");
    // Plies are numbered as in `linesman replay`, the opening included.
    let run = scratch.run(["replay", "run", "--dialogue", "--seat", "1", "--ply", "4"]);
    let last = run.done().lines().last().expect("there are lines");
    assert!(last.starts_with("go p1time 30000 "), "{last}");
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with("position ")).count(), 1);
    scratch
        .run(["replay", "run", "--dialogue", "--ply", "2"])
        .said(2, "no bot was asked for a move up to ply 2");
}

#[test]
fn records_give_the_lines_sent_to_failing_bots() {
    let crash = "uginewgame) turns=0;; go) turns=$((turns + 1)); [ $turns -le 2 ] || exit 3; echo \"bestmove $move\";;";
    let illegal = "go) echo bestmove z9;;";
    let resigns = "go) echo bestmove resign;;";
    let game = ["--game", "quixo", "--options", "size=3", "--movetime", "30s"];
    for cases in [crash, illegal, resigns] {
        check(&game, &[("ada", cases), ("bob", PLAIN)], "legal");
    }
    let three = ["--game", "tandem", "--options", "players=3,line=2,points=1,tiles=6", "--tc", "30s+20ms"];
    for cases in [crash, illegal, resigns, ENDS] {
        check(&three, &[("ada", PLAIN), ("bob", cases), ("eve", PLAIN)], "legal");
    }
}

/// The case of a bot that ponders on the move that is legal and first in most positions.
const PONDERS: &str = "ugi) printf 'feature legal\\nfeature ponder\\nugiok\\n';; \
     go) case $rest in ponder*) ;; *) echo \"bestmove $move ponder a1a3\";; esac;; \
     ponderhit) echo \"bestmove $move ponder a1a3\";; \
     stop) echo \"bestmove $move\";;";

#[test]
fn records_give_the_lines_sent_to_pondering_bots() {
    let conditions = ["--ponder", "--oversubscribe", "--game", "quixo", "--options", "size=3,max_plies=40"];
    let wall = [&conditions[..], &["--tc", "30s+20ms"]].concat();
    // One bot expects the move played, the other one the last legal move, which nobody plays.
    let wrong = PONDERS.replace("a1a3", "c3c1");
    let scratch = check(&wall, &[("ada", PONDERS), ("bob", &wrong)], "legal");
    let sent = noted(&scratch, "ada") + &noted(&scratch, "bob");
    for line in ["\ngo ponder p1time ", "\nponderhit\n", "\nstop\n"] {
        assert!(sent.contains(line), "no {line:?} in {sent}");
    }
    let record = &records(&scratch.path("run/games.jsonl"))[0];
    assert_eq!(record["seats"][0]["ponders"], true);
    scratch.run(["verify", "run"]).done();
    // One bot answers too early, one crashes meanwhile, and one is not sent `go ponder`.
    let early = "ugi) printf 'feature legal\\nfeature ponder\\nugiok\\n';; \
                 go) echo \"bestmove $move ponder a1a3\";;";
    let ends = PONDERS.replace("ponder*) ;;", "ponder*) exit 3;;");
    for cases in [early, &ends, PLAIN] {
        let scratch = check(&wall, &[("ada", cases), ("bob", PONDERS)], "legal");
        scratch.run(["verify", "run"]).done();
    }
}

#[test]
fn options_come_from_the_plan() {
    let scratch = Scratch::new();
    let own = format!("{LETS_BOTS_WRITE}rounds = 1\nconcurrency = 1\n");
    let text = tournament(&own, &[("ada", "./ada"), ("bob", "linesman bot random")]);
    let text = text.replace(
        "command = \"./ada\"\n",
        "command = \"./ada\"\noptions = { Depth = 4 }\nlimits = { move = \"20s\", quit = \"60s\" }\n",
    );
    scratch.write("cup.toml", text);
    scratch.program("ada", &noting_bot("ada.in", PLAIN));
    scratch.run(["league", "run", "cup.toml", "--log", "logs"]).done();
    let games = records(&scratch.path("runs/cup/games.jsonl"));
    let noted = noted(&scratch, "ada");
    assert!(
        noted.contains("\nsetoption name Depth value 4\n") && noted.contains("\ngo movetime 20000\n"),
        "{noted}"
    );
    // One process played both games, with the introduction in the first.
    for id in ids(&games) {
        let seat = if id.starts_with("ada~") { "1" } else { "2" };
        let run = scratch.run([
            "replay",
            "runs/cup",
            "--game",
            id,
            "--dialogue",
            "--seat",
            seat,
            "--feature",
            "legal",
        ]);
        let (greeting, game) = run.done().split_once("uginewgame\n").expect("it was told of a game");
        assert_eq!(greeting, "ugi\nsetoption name Depth value 4\n");
        assert!(noted.contains(game.strip_suffix("quit\n").expect("it ends so")), "{id}");
        let log = scratch.read(&format!("logs/{id}-seat{seat}.txt"));
        assert!(log.contains(&format!("\nset {seat} Depth=4\nmost {seat} 20s\n")), "{log}");
    }
}

#[test]
fn a_log_is_a_transcript_with_the_bots_stderr() {
    let scratch = Scratch::new();
    let head = format!("{LETS_BOTS_WRITE}rounds = 1\n");
    scratch.write("cup.toml", tournament(&head, &[("ada", "./ada"), ("bob", "linesman bot random")]));
    scratch.program("ada", &shell_bot("go) echo thinking >&2; printf 'a\\001b\\n'; exit 4;;"));
    scratch.run(["league", "run", "cup.toml", "--log", "logs", "--keep-going"]).done();
    let log = scratch.read("logs/ada~bob~1-seat1.txt");
    assert!(log.starts_with("# ada~bob~1, try 1, seat 1\ngame quixo\noptions size=3,"), "{log}");
    for part in
        [" 1 * start\n", " 1 > ugi\n", " 1 < ugiok\n", " 1 | thinking\n", " 1 < a\\x01b\n", " 1 * kill\n"]
    {
        assert!(log.contains(part), "{part:?} is missing in {log}");
    }
    assert!(log.contains("\n= places 2,1 reason failure\n"), "{log}");
    assert_eq!(scratch.list("logs").len(), 4, "{:?}", scratch.list("logs"));
    // A folder that can't be created is reported before the first game.
    scratch.write("taken", "");
    let run = scratch.run(["league", "run", "cup.toml", "--out", "other", "--log", "taken/logs"]);
    run.said(74, "can't write to `taken/logs`");
    assert!(!scratch.path("other").exists());
}

#[test]
fn a_dialogue_without_a_seat_is_a_transcript() {
    let scratch = Scratch::new();
    scratch.write(
        "cup.toml",
        tournament("rounds = 1\n", &[("ada", "linesman bot random"), ("bob", "linesman bot greedy")]),
    );
    scratch.run(["league", "run", "cup.toml"]).done();
    let run = scratch.run(["replay", "runs/cup", "--game", "1", "--dialogue"]);
    let printed = run.done();
    assert!(
        printed.contains("\ngame quixo\noptions size=3,") && printed.contains(" 1 < bestmove "),
        "{printed}"
    );
    assert!(run.stderr.contains("choose with `--feature`"), "{}", run.stderr);
    scratch.run(["replay", "runs/cup", "--dialogue"]).said(2, "`--dialogue` needs one game, but there are 2");
    scratch
        .run(["replay", "runs/cup", "--game", "1", "--dialogue", "--seat", "3"])
        .said(2, "there is no seat 3");
    scratch.run(["replay", "runs/cup", "--game", "1", "--seat", "1"]).said(2, "--dialogue");
}

/// Returns the dialogue of a script with a bot, without times.
#[track_caller]
fn talk(scratch: &Scratch, arguments: &[&str], script: &str, status: i32) -> String {
    let mut command = scratch.command(["talk"].iter().chain(arguments));
    scratch.write("script", script);
    command.stdin(std::fs::File::open(scratch.path("script")).expect("it was written"));
    let run =
        crate::support::running::Running::start(&mut command).end_within(crate::support::waiting::PATIENCE);
    assert_eq!(run.status, Some(status), "{run:#?}");
    let without_time = |line: &str| match line.split_once(' ') {
        Some((time, rest)) if time.parse::<f64>().is_ok() => rest.to_owned(),
        _ => line.to_owned(),
    };
    run.stdout.lines().map(|line| format!("{}\n", without_time(line))).collect()
}

#[test]
fn talk_shows_how_the_referee_takes_each_answer() {
    let scratch = Scratch::new();
    scratch.program(
        "ada",
        &shell_bot(
            "go) echo think; echo why >&2; echo \"bestmove $move\"; echo \"bestmove $move\";; quit) exit 7;;",
        ),
    );
    let output =
        talk(&scratch, &["./ada", "--options", "size=3"], ":new\n:go 60s\n:play\n:legal\n:nothing\n", 7);
    for part in [
        "> ugi\n< feature legal\n< ugiok   (introduced, after ",
        "> uginewgame\n> game quixo seat 1 seats 2 id talk~1 options size=3,max_plies=200,repetition=3\n> isready\n",
        "< readyok   (ready, after ",
        "> position startpos\n> legal a1a3 ",
        "> go movetime 60000\n",
        "< think   (ignored: unknown verb)\n",
        "< bestmove a1a3   (legal, after ",
        "< bestmove a1a3   (breaks the protocol: there was no `go` before it)\n",
        "| why\n",
        "played a1a3\n",
        "there is no command `:nothing`; `:help` lists them\n",
        "> quit\n",
        "! ended with exit status 7\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    scratch.program("bob", &shell_bot("go) echo bestmove b2b1;;"));
    let typed = "ugi\nisready\nposition startpos moves a1a3\ngo movetime 60000\n:go nonsense\n";
    let output = talk(&scratch, &["./bob", "--options", "size=3"], typed, 0);
    assert!(output.contains("< bestmove b2b1   (illegal: `b2` is not on the border"), "{output}");
    // The command can follow `--` with its arguments, as for `check`.
    scratch.program("eve", "#!/bin/sh\nexec ./bob \"$@\"\n");
    let behind = ["--options", "size=3", "--sandbox", "off", "--", "./eve", "one word"];
    let output = talk(&scratch, &behind, ":new\n", 0);
    assert!(output.contains("< readyok   (ready, after "), "{output}");
    scratch.run(["talk", "./bob", "--", "./bob"]).said(2, "cannot be used with");
    scratch.run(["talk"]).said(2, "COMMAND");
    // A limit on work instead of time, and a search ended by a line.
    let answers = "go) [ \"$rest\" = infinite ] || echo \"bestmove $move\";; stop) echo \"bestmove $move\";;";
    scratch.program("amy", &shell_bot(answers));
    let typed = ":new\n:go nodes 20\n:go depth 3\n:go depth none\n:go infinite\nstop\n";
    let output = talk(&scratch, &["./amy", "--options", "size=3"], typed, 0);
    for part in ["> go nodes 20\n< bestmove", "> go depth 3\n< bestmove", "> go infinite\n> stop\n< bestmove"]
    {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    assert_eq!(output.matches("(legal, after ").count(), 3, "{output}");
    // `isready` is sent during a search, and the board stays the same.
    let typed = ":new\n:go infinite\nisready\n:play a1a3\n:undo\nstop\n:play\nisready\n";
    let output = talk(&scratch, &["./amy", "--options", "size=3"], typed, 0);
    for part in [
        "> go infinite\n> isready\n< readyok   (ready, after ",
        "the bot is thinking: end its search with `stop`\n",
        "> stop\n< bestmove a1a3   (legal, after ",
        "played a1a3\n> isready\n< readyok   (ready, after ",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    // A pondering bot answers only after `ponderhit` or `stop`.
    scratch.program("joe", &shell_bot(PONDERS));
    let turn = "position startpos moves a1a3 a1a3\nlegal a1a3\ngo ponder movetime 60000\n";
    let typed = format!(":new\n{turn}ponderhit\n{turn}stop\n");
    let output = talk(&scratch, &["./joe", "--options", "size=3"], &typed, 0);
    assert_eq!(output.matches("< bestmove a1a3").count(), 2, "{output}");
    assert_eq!(output.matches("(legal, after ").count(), 2, "{output}");
    scratch.program("kim", &shell_bot("go) echo \"bestmove $move ponder z9\";;"));
    let output = talk(&scratch, &["./kim", "--options", "size=3"], &format!(":new\n:go 60s\n{turn}"), 0);
    for part in ["; can't ponder on `z9`: ", "there was no `ponderhit` or `stop` before it"] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    scratch.run(["talk", "./ada", "--seat", "3"]).said(2, "there is no seat 3: quixo has 2 seats");
    scratch.run(["talk", "./nobody"]).said(2, "nobody");
}

#[test]
fn moves_taken_back_are_not_sent_to_the_bot() {
    let scratch = Scratch::new();
    scratch.program("ada", &shell_bot(""));
    let typed = ":new\n:undo\n:play a1a3\n:play b1b3\n:play c1c3\n:undo 2\n:go 60s\n:undo 0\n:undo 2\n";
    let output = talk(&scratch, &["./ada", "--options", "size=3"], typed, 0);
    for part in [
        "there is no move to take back\n",
        "played c1c3\ntook back b1b3 c1c3: seat 2 to move\n> position startpos moves a1a3\n",
        "expected a number of moves, as in `:undo 2`\nthere is only 1 move to take back\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    // An answer for a position that is gone is not played, and the opening stays.
    let typed = ":new\n:play b1b3\n:go 60s\n:undo\n:play\n:undo\n:go 60s\n";
    let token = ["./ada", "--options", "size=3", "--token", "x../.../...:2:1"];
    let output = talk(&scratch, &token, typed, 0);
    for part in [
        "> position fen x../.../...:2:1 moves b1b3\n",
        "the bot has not answered yet",
        "> position fen x../.../...:2:1\n",
    ] {
        assert!(output.contains(part), "{part:?} is missing in\n{output}");
    }
    // The same holds in a new game, and after a line or move that sets another position.
    for other in [":new", "position startpos", ":play b1b3"] {
        let typed = format!(":new\n:play a1a3\n:go 60s\n{other}\n:play\n");
        let output = talk(&scratch, &["./ada", "--options", "size=3"], &typed, 0);
        assert!(output.contains("the bot has not answered yet"), "{other}: {output}");
    }
    scratch.program("amy", &shell_bot("go) ;; stop) echo \"bestmove $move\";;"));
    let typed = ":new\n:play a1a3\n:go infinite\n:undo\nstop\n";
    let output = talk(&scratch, &["./amy", "--options", "size=3"], typed, 0);
    assert!(output.contains("the bot is thinking: end its search with `stop`\n"), "{output}");
}
