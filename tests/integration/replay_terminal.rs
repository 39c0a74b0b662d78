//! `linesman replay` on a real terminal: keys step, and however it ends the
//! terminal is as it was.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::support::{LINESMAN, project};

/// How long the screen may take to become what is waited for: far more than it
/// needs, so that only what never comes is missed.
const PATIENCE: Duration = Duration::from_secs(60);

const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const CTRL_C: &str = "\x03";

const VERDICT: &str = "alphabeta won by a line in 26 plies";

/// The program on a terminal of 80 columns and 24 lines.
struct Session {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<(Mutex<Watched>, Condvar)>,
    /// The terminal's settings before the program ran.
    before: String,
}

/// What the terminal shows, and whether more can come.
struct Watched {
    terminal: vt100::Parser,
    is_over: bool,
}

impl Session {
    fn start(arguments: &[&str]) -> Session {
        Session::start_on("xterm-256color", arguments)
    }

    fn start_on(term: &str, arguments: &[&str]) -> Session {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("there are pseudo-terminals");
        let before = settings(&*pair.master);
        let mut command = CommandBuilder::new(LINESMAN);
        command.args(["replay", "tests/records/games.jsonl"]);
        command.args(arguments);
        command.cwd(project());
        command.env("TERM", term);
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the binary runs");
        drop(pair.slave);
        let screen = Arc::new((
            Mutex::new(Watched { terminal: vt100::Parser::new(number(24), number(80), 0), is_over: false }),
            Condvar::new(),
        ));
        let mut output = pair.master.try_clone_reader().expect("the terminal can be read");
        let watched = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let read = output.read(&mut bytes).unwrap_or(0);
                let mut state = watched.0.lock().expect("nobody panics with it");
                state.terminal.process(&bytes[..read]);
                state.is_over = read == 0;
                watched.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().expect("the terminal can be written to");
        Session { master: pair.master, keys, child, screen, before }
    }

    fn press(&mut self, keys: &str) {
        self.keys
            .write_all(keys.as_bytes())
            .and_then(|()| self.keys.flush())
            .expect("the program reads keys");
    }

    /// Waits until the screen is as wanted, and returns its text.
    #[track_caller]
    fn wait(&self, what: &str, wanted: impl Fn(&Watched) -> bool) -> String {
        let (state, changed) = &*self.screen;
        let state = state.lock().expect("nobody panics with it");
        let (state, timeout) = changed
            .wait_timeout_while(state, PATIENCE, |state| !wanted(state))
            .expect("nobody panics with it");
        let contents = state.terminal.screen().contents();
        assert!(!timeout.timed_out(), "waited in vain for {what}; the screen is\n{contents}");
        contents
    }

    #[track_caller]
    fn wait_for(&self, text: &str) -> String {
        self.wait(text, |state| state.terminal.screen().contents().contains(text))
    }

    /// Waits for the end, sees that the terminal is as it was, and returns the status.
    #[track_caller]
    fn end(mut self) -> u32 {
        let status = self.child.wait().expect("the program can be waited for");
        let after = settings(&*self.master);
        self.wait("the last output", |state| state.is_over || !state.terminal.screen().alternate_screen());
        let state = self.screen.0.lock().expect("nobody panics with it");
        let screen = state.terminal.screen();
        assert!(!screen.alternate_screen(), "the usual screen is back");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert_eq!(after, self.before, "the terminal's settings are as they were");
        status.exit_code()
    }
}

fn number(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("it is not zero")
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().expect("a terminal has settings"))
}

#[test]
fn arrow_keys_step_and_q_leaves() {
    let mut session = Session::start(&[]);
    let screen = session.wait_for("start: greedy moves first");
    assert!(screen.contains("game 1 of 5") && screen.contains("0 of 26"), "{screen}");
    assert!(screen.contains("5 │   │   │   │   │   │"), "{screen}");
    session.press(RIGHT);
    let screen = session.wait_for("move 1: greedy plays e4e1, 86 ms");
    assert!(screen.contains("1 │   │   │   │   │[x]│"), "{screen}");
    session.press(RIGHT);
    let screen = session.wait_for("move 2: alphabeta plays a4a5, 267 ms");
    assert!(screen.contains("said: score +0.02, depth 3"), "{screen}");
    session.press(LEFT);
    let screen = session.wait_for("move 1: greedy plays e4e1, 86 ms");
    assert!(!screen.contains(VERDICT), "{screen}");
    session.press(END);
    session.wait_for(VERDICT);
    session.press(HOME);
    session.wait_for("start: greedy moves first");
    session.press("14\r");
    session.wait_for("move 14: alphabeta plays d1d5");
    session.press("f");
    session.wait_for("e   d   c   b   a");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn ctrl_c_leaves_with_the_terminal_restored() {
    let mut session = Session::start(&["--game", "2"]);
    session.wait_for("game 2 of 5");
    session.press(CTRL_C);
    assert_eq!(session.end(), 130);
}

#[test]
fn signals_leave_with_the_terminal_restored() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, status) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let session = Session::start(&[]);
        session.wait_for("start: greedy moves first");
        let pid = session.child.process_id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        kill_process(pid.expect("it runs"), signal).expect("it can be sent a signal");
        assert_eq!(session.end(), status);
    }
}

#[test]
fn space_plays_by_itself() {
    let mut session = Session::start(&[]);
    session.wait_for("start: greedy moves first");
    session.press("sss ");
    session.wait_for("Space stop 10x");
    session.wait_for(VERDICT);
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn n_and_p_go_from_game_to_game() {
    let mut session = Session::start(&["--game", "4"]);
    session.wait_for("game 4 of 5");
    session.press("n");
    session.wait_for("This game can't be shown: the record holds no moves");
    session.press("p");
    session.wait_for("ada (x)");
    session.press("p");
    let screen = session.wait_for("game 3 of 5");
    assert!(screen.contains("<img src=x"), "{screen}");
    session.press("\x1b");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_resized_terminal_is_drawn_anew() {
    let mut session = Session::start(&[]);
    session.wait_for("0 of 26");
    session
        .screen
        .0
        .lock()
        .expect("nobody panics with it")
        .terminal
        .screen_mut()
        .set_size(number(40), number(120));
    let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
    session.master.resize(size).expect("the terminal can be resized");
    session.wait("the keys in the last line", |state| {
        state.terminal.screen().rows(0, 120).nth(39).is_some_and(|row| row.contains("q leave"))
    });
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_dumb_terminal_gets_the_positions_printed() {
    let session = Session::start_on("dumb", &["--game", "2"]);
    session.wait_for("sleepy lost on time: 1,062 ms of 1,000 ms + 50 ms");
    assert_eq!(session.end(), 0);
}
