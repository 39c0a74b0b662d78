//! A program on a pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex};

use pty_process::Size;
use pty_process::blocking::{self, Pty};
use rustix::io::ioctl_fionread;
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::tcgetattr;

use super::waiting::{PATIENCE, wait_until};

pub const CTRL_C: &str = "\x03";
pub const CTRL_Z: &str = "\x1a";

/// A program on a terminal.
pub struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    screen: Arc<(Mutex<Watched>, Condvar)>,
    /// The terminal's settings before the program ran.
    before: String,
}

/// The terminal's screen, everything printed on it, and whether output can follow.
struct Watched {
    terminal: vt100::Parser,
    printed: Vec<u8>,
    is_over: bool,
    /// True if no more output is read from the program.
    is_held: bool,
}

/// The bytes that a terminal accepts from a program before they are read.
const LINE_ROOM: u64 = 4095;

impl Terminal {
    /// Starts a program on a terminal with 24 rows and 80 columns.
    pub fn start(command: Command) -> Terminal {
        Terminal::start_with(command, 24, 80)
    }

    /// Starts a program on a terminal of a given size.
    pub fn start_with(command: Command, rows: u16, columns: u16) -> Terminal {
        let (pty, slave) = blocking::open().expect("there are pseudo-terminals");
        pty.resize(Size::new(rows, columns)).expect("the terminal can be resized");
        let before = settings(&pty);
        let child = blocking::Command::from(command).spawn(slave).expect("the binary runs");
        let watched = Watched {
            terminal: vt100::Parser::new(number(rows), number(columns), 0),
            printed: Vec::new(),
            is_over: false,
            is_held: false,
        };
        let screen = Arc::new((Mutex::new(watched), Condvar::new()));
        let pty = Arc::new(pty);
        let (output, shared) = (Arc::clone(&pty), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                drop(
                    (shared.1)
                        .wait_while(shared.0.lock().expect("nobody panics with it"), |state| state.is_held)
                        .expect("nobody panics with it"),
                );
                // Reading fails once no program has the terminal open.
                let read = output.as_ref().read(&mut bytes).unwrap_or(0);
                let mut state = shared.0.lock().expect("nobody panics with it");
                state.terminal.process(&bytes[..read]);
                state.printed.extend_from_slice(&bytes[..read]);
                state.is_over = read == 0;
                shared.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        Terminal { pty, child, screen, before }
    }

    pub fn press(&mut self, keys: &str) {
        self.pty.as_ref().write_all(keys.as_bytes()).expect("the program reads keys");
    }

    /// Stops reading from the program, like a terminal that gets no CPU, until [`Terminal::go_on`].
    pub fn hold(&self) {
        self.screen.0.lock().expect("nobody panics with it").is_held = true;
    }

    pub fn go_on(&self) {
        self.screen.0.lock().expect("nobody panics with it").is_held = false;
        self.screen.1.notify_all();
    }

    /// True if the program has printed more than the terminal accepts.
    pub fn is_full(&self) -> bool {
        ioctl_fionread(&*self.pty).expect("the terminal can be asked") >= LINE_ROOM
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it can be sent a signal");
    }

    pub fn resize(&self, rows: u16, columns: u16) {
        let mut state = self.screen.0.lock().expect("nobody panics with it");
        state.terminal.screen_mut().set_size(number(rows), number(columns));
        drop(state);
        self.pty.resize(Size::new(rows, columns)).expect("the terminal can be resized");
    }

    /// Waits for a condition on the screen and returns the screen's text.
    #[track_caller]
    pub fn wait(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> String {
        self.wait_for_state(what, |state| wanted(state.terminal.screen()))
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    #[track_caller]
    fn wait_for_state(&self, what: &str, wanted: impl Fn(&Watched) -> bool) -> String {
        let (state, changed) = &*self.screen;
        let state = state.lock().expect("nobody panics with it");
        let (state, timeout) = changed
            .wait_timeout_while(state, PATIENCE, |state| !wanted(state))
            .expect("nobody panics with it");
        let contents = state.terminal.screen().contents();
        assert!(!timeout.timed_out(), "waited in vain for {what}; the screen is\n{contents}");
        contents
    }

    /// Waits for the end, asserts that the terminal is as before, and returns the status.
    #[track_caller]
    pub fn end(self) -> i32 {
        self.end_with_screen().0
    }

    /// Waits for the end of a killed program, which could not restore the terminal itself,
    /// and asserts that the terminal is restored a moment later.
    #[track_caller]
    pub fn end_of_killed(mut self) {
        self.child.wait().expect("the program can be waited for");
        wait_until("the terminal's settings are as they were", || settings(&self.pty) == self.before);
        // The output that restores the screen can arrive later.
        self.wait("the usual screen and its cursor", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor()
        });
    }

    /// True if the terminal's settings are those before the program ran.
    pub fn is_as_before(&self) -> bool {
        settings(&self.pty) == self.before
    }

    /// True if the program has been stopped (Ctrl-Z).
    pub fn is_stopped(&self) -> bool {
        let pid = self.child.id();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("it has not been waited for");
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    /// Does the same as [`Terminal::end`], and also returns the final screen and everything printed.
    #[track_caller]
    pub fn end_with_screen(mut self) -> (i32, String, String) {
        let status = self.child.wait().expect("the program can be waited for");
        let after = settings(&self.pty);
        self.wait_for_state("the last output", |state| state.is_over);
        let state = self.screen.0.lock().expect("nobody panics with it");
        let screen = state.terminal.screen();
        assert!(!screen.alternate_screen(), "the usual screen is back");
        assert!(!screen.hide_cursor(), "the cursor is back");
        assert_eq!(after, self.before, "the terminal's settings are as they were");
        let printed = String::from_utf8_lossy(&state.printed).into_owned();
        (status.code().expect("no signal ends it"), screen.contents(), printed)
    }
}

fn number(number: u16) -> NonZero<u16> {
    NonZero::new(number).expect("it is not zero")
}

fn settings(pty: &Pty) -> String {
    format!("{:?}", tcgetattr(pty).expect("a terminal has settings"))
}
