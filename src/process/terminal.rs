//! The terminal's settings while single keys are read from it, and their return
//! however the program ends.
//!
//! A program that is killed gives nothing back. So a small guard, this same
//! program with [`ARGUMENT`], remembers the settings before anything is changed,
//! waits for the end of whoever started it, and sets right what was left behind.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Child, ChildStdin, ExitCode, Stdio};

use rustix::process::{getpgrp, setsid};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// The first argument that makes this program a guard.
pub const ARGUMENT: &str = "__terminal";

/// What the guard says when it is ready, and hears when nothing is left to be done.
const READY: [u8; 1] = *b"r";
const DONE: [u8; 1] = *b"d";

/// Erases what stands at the cursor and below it.
pub const ERASE_BELOW: &str = "\x1b[J";

/// Whether this program is the one that the terminal's keys are meant for. What
/// is no terminal has no such program.
pub fn is_in_foreground(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}

/// Whether the terminal is somebody else's: this program is one of its background jobs.
pub fn is_in_background(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group != getpgrp())
}

/// Lets nothing that this thread, and those that it starts, does with a terminal
/// stop the program when it is in the background: reading fails then.
#[expect(unsafe_code, reason = "the signals of a thread have no safe face")]
pub fn never_stop_for_terminal() {
    // SAFETY: the set is a local value that is made whole before it is used, and
    // the mask of this thread alone is changed.
    unsafe {
        let mut signals = std::mem::zeroed();
        libc::sigemptyset(&mut signals);
        libc::sigaddset(&mut signals, libc::SIGTTIN);
        libc::sigaddset(&mut signals, libc::SIGTTOU);
        libc::pthread_sigmask(libc::SIG_BLOCK, &signals, std::ptr::null_mut());
    }
}

/// A terminal whose keys are read one by one, without showing them. Ctrl-C and
/// Ctrl-Z stay signals. Dropped it gives the settings back.
#[derive(Debug)]
pub struct SingleKeys {
    before: Termios,
    guard: Option<Guard>,
}

#[derive(Debug)]
struct Guard {
    process: Child,
    orders: ChildStdin,
}

impl SingleKeys {
    /// Takes over the terminal that stdin is. `program` is this very program.
    ///
    /// # Errors
    /// What is no terminal, or no guard.
    pub fn take(program: &Path) -> io::Result<SingleKeys> {
        let before = tcgetattr(io::stdin())?;
        let guard = Guard::start(program)?;
        let keys = SingleKeys { before, guard: Some(guard) };
        keys.again()?;
        Ok(keys)
    }

    /// Takes it over again, after somebody else had it.
    ///
    /// # Errors
    /// A terminal that has gone.
    pub fn again(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &for_single_keys(&self.before))?)
    }

    /// Gives it back for a while.
    pub fn lend(&self) {
        // A terminal that has gone needs no settings.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

impl Drop for SingleKeys {
    fn drop(&mut self) {
        if is_in_foreground(io::stdin()) {
            self.lend();
        }
        if let Some(Guard { mut process, mut orders }) = self.guard.take() {
            // One that has gone needs no word.
            let _ = orders.write_all(&DONE);
            drop(orders);
            let _ = process.wait();
        }
    }
}

fn for_single_keys(before: &Termios) -> Termios {
    let mut settings = before.clone();
    settings.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    settings.special_codes[SpecialCodeIndex::VMIN] = 1;
    settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    settings
}

/// Whether a terminal was left as single keys need it; not if somebody else has it by now.
fn is_left_behind(now: &Termios, before: &Termios) -> bool {
    let left = for_single_keys(before);
    (now.local_modes, now.input_modes, now.output_modes)
        == (left.local_modes, left.input_modes, left.output_modes)
}

impl Guard {
    fn start(program: &Path) -> io::Result<Guard> {
        let mut process = std::process::Command::new(program)
            .arg(ARGUMENT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let (orders, mut report) =
            process.stdin.take().zip(process.stdout.take()).expect("both were asked to be pipes");
        let mut word = [0];
        match report.read_exact(&mut word) {
            Ok(()) if word == READY => Ok(Guard { process, orders }),
            _ => {
                drop(orders);
                let _ = process.wait();
                Err(io::Error::other("the terminal has no guard"))
            }
        }
    }
}

/// Guards the terminal that stderr is: what `linesman __terminal` does.
pub fn main() -> ExitCode {
    let Ok(before) = tcgetattr(io::stderr()) else { return ExitCode::from(2) };
    // In a session of its own no Ctrl-C ends it, and nothing that it does with the terminal stops it.
    if setsid().is_err() || io::stdout().write_all(&READY).and_then(|()| io::stdout().flush()).is_err() {
        return ExitCode::from(2);
    }
    let mut word = [0];
    let is_killed = io::stdin().read_exact(&mut word).is_err();
    if is_killed && tcgetattr(io::stderr()).is_ok_and(|now| is_left_behind(&now, &before)) {
        let _ = tcsetattr(io::stderr(), OptionalActions::Now, &before);
        let _ = io::stderr().write_all(ERASE_BELOW.as_bytes());
    }
    ExitCode::SUCCESS
}
