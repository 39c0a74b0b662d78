//! Tests of the live view on a pseudo-terminal: it fits, answers keys, gives the
//! terminal back when the program is stopped, and leaves nothing behind.

use rustix::process::Signal;
use std::process::Command;

use crate::support::LINESMAN;
use crate::support::bots::{LETS_BOTS_WRITE, rows, tournament, waiting_bot};
use crate::support::scratch::Scratch;
use crate::support::terminal::{CTRL_C, CTRL_Z, Terminal};
use crate::support::waiting::wait_until;

/// Returns a league of `waits`, which waits in its first move until a file `open`
/// exists, and `others` other bots, with two games at once.
fn league(others: usize) -> Scratch {
    let scratch = Scratch::new();
    let names: Vec<String> = (1..=others).map(|number| format!("other{number:02}")).collect();
    let mut bots = vec![("waits", "sh waits.sh")];
    bots.extend(names.iter().map(|name| (name.as_str(), "linesman bot random")));
    let head = format!("concurrency = 2\noversubscribe = true\n{LETS_BOTS_WRITE}");
    // Long enough that `waits` is not late before a test on a busy machine has seen everything.
    scratch.write("cup.toml", tournament(&head, &bots).replace("30s", "300s"));
    scratch.write("waits.sh", waiting_bot());
    scratch
}

fn in_folder(scratch: &Scratch, mut command: Command, (lines, columns): (u16, u16)) -> Terminal {
    command.current_dir(scratch.path(""));
    command.env("TMPDIR", scratch.temporary());
    command.env("TERM", "xterm-256color");
    for variable in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    Terminal::start_with(command, lines, columns)
}

fn on_terminal(scratch: &Scratch, size: (u16, u16)) -> Terminal {
    let mut command = Command::new(LINESMAN);
    command.args(["league", "run", "cup.toml"]);
    in_folder(scratch, command, size)
}

/// Returns the lines below the progress line.
fn view(screen: &str) -> &str {
    let start = screen.find(" games").unwrap_or_else(|| panic!("there is no view in\n{screen}"));
    &screen[start..]
}

#[test]
fn everything_important_is_shown_on_a_usual_terminal() {
    let scratch = league(3);
    let terminal = on_terminal(&scratch, (24, 80));
    scratch.wait_for_file("waiting");
    let screen = terminal.wait("all parts of the view", |screen| {
        let text = screen.contents();
        text.contains("waits on move ") && text.contains(" won by a line in ") && text.contains("score")
    });
    let view = view(&screen);
    for part in ["other01", "other02", "other03", "running games", "last results", "t: state of each game"] {
        assert!(view.contains(part), "{part} is missing in\n{screen}");
    }
    scratch.write("open", "");
    let (status, screen, _) = terminal.end_with_screen();
    assert_eq!(status, 0, "{screen}");
    for part in ["running games", "t: state of each game", "━", "─"] {
        assert!(!screen.contains(part), "{part} is left in\n{screen}");
    }
    assert!(screen.contains("#  bot"), "{screen}");
}

#[test]
fn very_many_bots_on_a_very_small_terminal() {
    let scratch = league(60);
    let mut terminal = on_terminal(&scratch, (10, 40));
    let screen = terminal.wait("the view", |screen| {
        let text = screen.contents();
        text.contains("more bots") && text.contains("Ctrl-C: stop")
    });
    assert!(screen.contains("of 3660 games"), "{screen}");
    // One game does not end by itself, so the view stays.
    scratch.wait_for_file("waiting");
    terminal.press(CTRL_C);
    terminal.wait_for("stopping after the running games");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), 3);
}

#[test]
fn another_size_leaves_nothing_of_the_old_view() {
    let scratch = league(30);
    let mut terminal = on_terminal(&scratch, (24, 80));
    terminal.wait_for("more bots");
    for (lines, columns) in [(10, 40), (50, 200), (12, 60)] {
        terminal.resize(lines, columns);
        // The last line depends on the width.
        let hint = if columns > 60 { "stop after the running games" } else { "t: state of games" };
        let screen = terminal.wait("a view of this size", |screen| {
            let text = screen.contents();
            text.contains(hint) && text.matches("Ctrl-C: stop").count() == 1
        });
        assert_eq!(screen.matches(" elapsed").count().max(1), 1, "{screen}");
        assert_eq!(screen.matches("more bots").count(), 1, "{screen}");
    }
    scratch.wait_for_file("waiting");
    terminal.press(CTRL_C);
    terminal.wait_for("stopping after the running games");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end(), 3);
}

#[test]
fn t_prints_what_every_game_does_and_other_keys_do_nothing() {
    let scratch = league(2);
    let mut terminal = on_terminal(&scratch, (40, 120));
    scratch.wait_for_file("waiting");
    terminal.wait_for("waits on move ");
    terminal.press("qx\r\n\x04 ");
    terminal.press("t");
    let screen = terminal.wait("what it prints", |screen| {
        let text = screen.contents();
        // After that the view is drawn again.
        text.contains("waits (seat ")
            && text.contains(" on move for ")
            && text.contains(" of 300 s")
            && view(&text).contains("t: state of each game")
    });
    assert!(screen.contains("waits against other0") || screen.contains(" against waits"), "{screen}");
    scratch.write("open", "");
    let (status, screen, _) = terminal.end_with_screen();
    assert_eq!(status, 0);
    assert!(screen.contains("on move for "), "what was printed stays:\n{screen}");
}

#[test]
fn a_stopped_program_has_given_the_terminal_back_and_takes_it_again() {
    let scratch = league(2);
    let mut terminal = on_terminal(&scratch, (40, 120));
    scratch.wait_for_file("waiting");
    terminal.wait_for("waits on move ");
    assert!(!terminal.is_as_before(), "single keys are read");
    terminal.press(CTRL_Z);
    wait_until("it is stopped", || terminal.is_stopped());
    assert!(terminal.is_as_before());
    let screen = terminal.wait("no view", |screen| !screen.contents().contains("waits on move "));
    assert!(!screen.contains("running games"), "{screen}");
    terminal.signal(Signal::CONT);
    terminal.wait_for("waits on move ");
    terminal.press("t");
    terminal.wait_for(" on move for ");
    scratch.write("open", "");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn in_the_background_it_is_not_stopped_and_draws_nothing() {
    let scratch = league(2);
    scratch.write("open", "");
    let mut command = Command::new("sh");
    // A separate job, as started by an interactive shell's `&`.
    command.args(["-c", "set -m; \"$0\" league run cup.toml & wait $!; echo \"ended with $?\"", LINESMAN]);
    let terminal = in_folder(&scratch, command, (40, 120));
    let (status, screen, printed) = terminal.end_with_screen();
    assert_eq!(status, 0);
    assert!(screen.contains("ended with 0") && screen.contains("#  bot"), "{screen}");
    assert!(!printed.contains('━') && !printed.contains("running games"), "{printed}");
}

/// Runs the league on a terminal of a kind, and returns the final screen and everything printed.
fn on_terminal_with(scratch: &Scratch, variable: &str, value: &str) -> (String, String) {
    let mut command = Command::new(LINESMAN);
    command.args(["league", "run", "cup.toml", "--out", variable]);
    command.current_dir(scratch.path(""));
    command.env("TMPDIR", scratch.temporary());
    command.env("TERM", "xterm");
    command.env_remove("CLICOLOR_FORCE");
    command.env(variable, value);
    let (status, screen, printed) = Terminal::start_with(command, 40, 120).end_with_screen();
    assert_eq!(status, 0);
    (screen, printed)
}

#[test]
fn without_color_the_view_has_the_same_form() {
    let scratch = league(2);
    scratch.write("open", "");
    let (screen, printed) = on_terminal_with(&scratch, "NO_COLOR", "1");
    assert!(screen.contains("#  bot"), "{screen}");
    assert!(printed.contains('━'), "{printed:?}");
    for color in 30..38 {
        assert!(!printed.contains(&format!("\x1b[{color}m")), "{color} in {printed:?}");
    }
}

#[test]
fn a_terminal_that_only_prints_lines_gets_lines() {
    let scratch = league(2);
    scratch.write("open", "");
    let (screen, printed) = on_terminal_with(&scratch, "TERM", "dumb");
    assert!(screen.contains("6 of 6 games: "), "{screen}");
    assert!(!printed.contains('\x1b') && !printed.contains('━'), "{printed:?}");
}

#[test]
fn a_signal_prints_what_every_game_does_without_a_terminal() {
    for quiet in [[].as_slice(), &["--progress", "none"], &["-q"], &["-qq"]] {
        let scratch = league(1);
        let running = scratch.start(["league", "run", "cup.toml"].iter().chain(quiet));
        scratch.wait_for_file("waiting");
        // The bot knows slightly before the view that it is on move.
        running.signal_until(Signal::USR1, " on move for ");
        // The bot can have started to wait in the other game before this one started.
        running.signal_until(Signal::USR1, "  waits~other01~1: waits against other01");
        scratch.write("open", "");
        let run = running.end();
        assert_eq!(rows(run.done()).len(), 2);
    }
}

#[test]
fn waiting_for_a_bot_to_get_ready_is_shown() {
    let scratch = Scratch::new();
    // Its preflight check requires less.
    let slow = crate::support::bots::shell_bot(
        "isready) : > waiting; while [ ! -e open ]; do sleep 0.02; done; echo readyok;;",
    );
    scratch.write("slow.sh", slow);
    let bots = [("slow", "sh slow.sh"), ("other", "linesman bot random")];
    let head = format!("{LETS_BOTS_WRITE}limits = {{ ready = \"300s\" }}\n");
    scratch.write("cup.toml", tournament(&head, &bots));
    let running = scratch.start(["league", "run", "cup.toml", "-qq"]);
    scratch.wait_for_file("waiting");
    // The bot can be waiting before the view knows of the game.
    running.signal_until(Signal::USR1, "slow is getting ready, ");
    scratch.write("open", "");
    running.end().done();
}
