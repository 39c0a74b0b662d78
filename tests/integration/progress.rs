//! Tests of the progress display: a bar on a terminal, lines elsewhere.

use rustix::process::Signal;
use std::process::Command;

use crate::support::LINESMAN;
use crate::support::bots::{LETS_BOTS_WRITE, rows, shell_bot, tournament};
use crate::support::scratch::Scratch;
use crate::support::terminal::{CTRL_C, Terminal};
use crate::support::waiting::wait_until;

/// The case of a bot that waits in the first move of its second game for a file.
const WAITS: &str = "uginewgame) games=$((games + 1));;
        go) if [ $games = 2 ]; then : > waiting; while [ ! -e open ]; do sleep 0.02; done; fi
            echo \"bestmove $move\";;";

const GAMES: [&str; 17] = [
    "match",
    "--game",
    "quixo",
    "--options",
    "size=3",
    "--movetime",
    "60s",
    "--concurrency",
    "1",
    "--games",
    "3",
    // The bot says by a file how far it is.
    "--sandbox",
    "off",
    "--bot",
    "sh waits.sh",
    "--bot",
    "linesman bot random",
];

fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("waits.sh", shell_bot(WAITS));
    scratch
}

/// Starts a match of three games on a terminal; the second waits for a file `open`.
fn on_terminal(scratch: &Scratch, more: &[&str]) -> Terminal {
    let mut command = Command::new(LINESMAN);
    command.args(GAMES);
    command.args(more);
    command.current_dir(scratch.path(""));
    command.env("TMPDIR", scratch.temporary());
    command.env("TERM", "xterm-256color");
    for variable in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    Terminal::start_with(command, 40, 120)
}

/// Returns the screen's line that contains a text.
fn line<'s>(screen: &'s str, text: &str) -> Option<&'s str> {
    screen.lines().find(|line| line.contains(text))
}

/// Asserts that the screen shows the final table and nothing of a bar.
#[track_caller]
fn check_final_screen(screen: &str, last: &str) {
    assert!(!screen.contains("of 3 games") && !screen.contains('━'), "no bar is left:\n{screen}");
    let table = screen.find("#  bot").unwrap_or_else(|| panic!("a table is missing in\n{screen}"));
    assert!(line(&screen[table..], "waits").is_some() && line(&screen[table..], "random").is_some());
    assert!(screen.trim_end().ends_with(last), "{screen}");
}

#[test]
fn a_bar_with_the_running_score_is_replaced_by_the_table() {
    let scratch = scratch();
    let terminal = on_terminal(&scratch, &[]);
    // A line can arrive in parts.
    terminal.wait("a bar", |screen| {
        line(&screen.contents(), "1 of 3 games").is_some_and(|line| line.contains('━'))
    });
    let score = ["waits 1.0 : 0.0 random", "waits 0.0 : 1.0 random", "waits 0.5 : 0.5 random"];
    terminal.wait("the score in one line, where the bar stays", |screen| {
        let text = screen.contents();
        score.iter().any(|score| text.contains(score)) && text.matches("of 3 games").count() == 1
    });
    scratch.wait_for_file("waiting");
    scratch.write("open", "");
    let (status, screen, printed) = terminal.end_with_screen();
    assert_eq!(status, 0);
    check_final_screen(&screen, "the games were not saved (use `--out DIR` to save them)");
    assert!(!printed.contains("\x1b[?1049h"), "no other screen");
}

#[test]
fn ctrl_c_leaves_the_terminal_as_it_was() {
    let scratch = scratch();
    let mut terminal = on_terminal(&scratch, &["--out", "d"]);
    scratch.wait_for_file("waiting");
    terminal.press(CTRL_C);
    let message = "stopping after the running games; press Ctrl-C again to abort them";
    let screen = terminal.wait_for(message);
    assert_eq!(screen.matches(message).count(), 1, "{screen}");
    terminal.wait_for("1 of 3 games");
    scratch.write("open", "");
    let (status, screen, _) = terminal.end_with_screen();
    assert_eq!(status, 3);
    check_final_screen(&screen, "--out d");
    assert!(screen.contains("stopped; to continue, run:"), "{screen}");
    assert_eq!(scratch.read("d/games.jsonl").lines().count(), 2, "the running game was finished");
}

#[test]
fn ctrl_c_twice_and_other_signals_leave_the_terminal_as_it_was() {
    for (signal, status) in [(None, 130), (Some(Signal::TERM), 143)] {
        let scratch = scratch();
        let mut terminal = on_terminal(&scratch, &[]);
        scratch.wait_for_file("waiting");
        match signal {
            Some(signal) => terminal.signal(signal),
            None => {
                terminal.press(CTRL_C);
                terminal.wait_for("stopping after the running games");
                terminal.press(CTRL_C);
            }
        }
        let (ended, screen, _) = terminal.end_with_screen();
        assert_eq!(ended, status, "{screen}");
        check_final_screen(&screen, "the games were not saved (use `--out DIR` to save them)");
        assert!(screen.contains("1 game was aborted\n"), "{screen}");
    }
}

#[test]
fn ctrl_c_leaves_nothing_behind_on_a_slow_terminal() {
    let scratch = scratch();
    let mut terminal = on_terminal(&scratch, &["--out", "d"]);
    scratch.wait_for_file("waiting");
    terminal.wait_for("1 of 3 games");
    // Signals are repeated, which print lines above the view, until the terminal is full.
    terminal.hold();
    wait_until("the terminal is full", || {
        terminal.signal(Signal::USR1);
        terminal.is_full()
    });
    terminal.press(CTRL_C);
    terminal.go_on();
    // The held output arrives in parts that end anywhere, even between this line and the bar below it.
    terminal.wait("one bar below what is said", |screen| {
        let text = screen.contents();
        text.contains("stopping after the running games") && text.matches("of 3 games").count() == 1
    });
    terminal.press(CTRL_C);
    let (ended, screen, printed) = terminal.end_with_screen();
    assert_eq!(ended, 3, "{screen}");
    check_final_screen(&screen, "--out d");
    let games = printed.matches("1 game is running:").count();
    assert_eq!(printed.matches("waits (seat ").count(), games, "nothing was lost");
}

#[test]
fn killed_it_leaves_a_usable_terminal() {
    let scratch = scratch();
    let terminal = on_terminal(&scratch, &[]);
    scratch.wait_for_file("waiting");
    terminal.wait_for("1 of 3 games");
    terminal.signal(Signal::KILL);
    // This checks settings and cursor.
    terminal.end_of_killed();
}

#[test]
fn faults_stand_above_the_bar() {
    let scratch = Scratch::new();
    // It is restarted after each failure.
    let fails =
        "go) while [ -e failed ] && [ ! -e open ]; do sleep 0.02; done; : > failed; echo bestmove a9a9;;";
    scratch.write("waits.sh", shell_bot(fails));
    let terminal = on_terminal(&scratch, &[]);
    let screen = terminal.wait("a fault and the bar", |screen| {
        let text = screen.contents();
        text.contains("`a9a9` is not a move") && text.contains("1 of 3 games")
    });
    let (fault, bar) = (screen.find("`a9a9` is not a move"), screen.find("1 of 3 games"));
    assert!(fault < bar, "{screen}");
    scratch.write("open", "");
    let (status, screen, _) = terminal.end_with_screen();
    assert_eq!(status, 0);
    assert!(screen.contains("`a9a9` is not a move"), "it is still there:\n{screen}");
}

#[test]
fn a_terminal_gets_what_it_asks_for() {
    let scratch = scratch();
    scratch.write("open", "");
    let (status, screen, printed) = on_terminal(&scratch, &["--progress", "lines"]).end_with_screen();
    assert_eq!(status, 0);
    assert!(screen.contains("3 of 3 games: waits ") && !printed.contains('━'), "{printed}");
    let (status, _, printed) = on_terminal(&scratch, &["--color", "never"]).end_with_screen();
    assert_eq!(status, 0);
    assert!(printed.contains('━') && !printed.contains("\x1b[3"), "a bar without colours: {printed:?}");
    for more in [["--progress", "none"].as_slice(), &["-q"]] {
        let (status, screen, printed) = on_terminal(&scratch, more).end_with_screen();
        assert_eq!(status, 0);
        assert!(!printed.contains("of 3 games"), "{printed}");
        assert!(screen.contains("#  bot"), "{screen}");
    }
}

#[test]
fn lines_where_there_is_no_terminal() {
    let scratch = scratch();
    scratch.write("open", "");
    let run = scratch.run(GAMES);
    assert_eq!(rows(run.done()).len(), 2);
    assert!(run.stderr.contains("\n1 of 3 games: waits "), "{}", run.stderr);
    assert!(run.stderr.contains("\n3 of 3 games: waits "), "{}", run.stderr);
    for arguments in [[].as_slice(), &["--progress", "bar"], &["--color", "never"]] {
        let run = scratch.run(GAMES.iter().chain(arguments));
        let animated = |text: &str| text.contains(['\x1b', '\r', '\x08']);
        assert!(!animated(&run.stderr) && !animated(&run.stdout), "{run:?}");
    }
    for arguments in [["--progress", "none"].as_slice(), &["-q"]] {
        let run = scratch.run(GAMES.iter().chain(arguments));
        assert!(!run.stderr.contains("of 3 games"), "{}", run.stderr);
        assert_eq!(rows(run.done()).len(), 2);
    }
}

#[test]
fn waiting_for_a_slow_start_is_reported() {
    let scratch = Scratch::new();
    let slow =
        "ugi) : > waiting; while [ ! -e open ]; do sleep 0.02; done; printf 'feature legal\\nugiok\\n';;";
    scratch.write("waits.sh", shell_bot(slow));
    let head = format!("{LETS_BOTS_WRITE}concurrency = 1\nlimits = {{ start = \"60s\" }}\n");
    let bots = [("waits", "sh waits.sh"), ("random", "linesman bot random")];
    scratch.write("cup.toml", tournament(&head, &bots));
    let running = scratch.start(["league", "run", "cup.toml"]);
    // Reported after 1, 4, 7 seconds and so on, unless the program itself is delayed.
    running.wait_for("waiting for bots to answer `ugi`, ");
    running.wait_for(" s of 60 s\n");
    scratch.write("open", "");
    running.end().done();
}
