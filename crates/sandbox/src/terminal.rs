//! The terminal's settings while the program draws on it, restored however the program ends.
//!
//! A program that is killed restores nothing. So a small guard, this same program with [`ARGUMENT`], saves
//! the settings before they are changed, waits for the end of its parent, and restores them if the parent did not.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ExitCode, Stdio};

use nix::sys::signal::{SigSet, Signal};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// The first argument that makes this program a guard.
pub const ARGUMENT: &str = "__terminal";

/// The words that the guard sends when it is ready, and receives when nothing is left to do.
const READY: [u8; 1] = *b"r";
const DONE: [u8; 1] = *b"d";

/// Erases everything from the cursor down.
pub const ERASE_BELOW: &str = "\x1b[J";

/// Returns true if the terminal's keys go to this program. Always false for a file that is not a terminal.
pub fn is_in_foreground(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}

/// Returns true if this program is a background job of the terminal.
pub fn is_in_background(terminal: impl AsFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group != getpgrp())
}

/// Keeps terminal access by this thread, and those that it starts, from stopping the program when it is in
/// the background: reading then fails instead.
pub fn never_stop_for_terminal() {
    let stopping: SigSet = [Signal::SIGTTIN, Signal::SIGTTOU].into_iter().collect();
    // The call never fails.
    let _ = stopping.thread_block();
}

/// A terminal that this program draws on. Ctrl-C and Ctrl-Z still raise signals, but no longer make the
/// system discard pending output, since later drawing relies on it. Dropping this restores the settings.
#[derive(Debug)]
pub struct DrawnOn {
    before: Termios,
    typing: Typing,
    /// The guard, which is told on its stdin when nothing is left to do.
    guard: Child,
}

/// The handling of typed characters.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Typing {
    /// Keys are read one by one, without echo.
    Keys,
    /// The terminal's default.
    Untouched,
}

impl DrawnOn {
    /// Takes over the terminal on stderr. `program` is this program.
    ///
    /// # Errors
    /// Stderr is not a terminal, or the guard could not be started.
    pub fn take(program: &Path, typing: Typing) -> io::Result<DrawnOn> {
        let before = tcgetattr(io::stderr())?;
        let taken = DrawnOn { before, typing, guard: start_guard(program)? };
        taken.again()?;
        Ok(taken)
    }

    /// Takes over the terminal again, after another program used it.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn again(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stderr(), OptionalActions::Now, &for_drawing(&self.before, self.typing))?)
    }

    /// Restores the settings until [`DrawnOn::again`].
    pub fn lend(&self) {
        // A terminal that is gone needs no settings.
        let _ = tcsetattr(io::stderr(), OptionalActions::Now, &self.before);
    }
}

impl Drop for DrawnOn {
    fn drop(&mut self) {
        if is_in_foreground(io::stderr()) {
            self.lend();
        }
        // A guard that is gone needs no message.
        let _ = self.guard.stdin.as_mut().map(|orders| orders.write_all(&DONE));
        let _ = self.guard.wait();
    }
}

fn for_drawing(before: &Termios, typing: Typing) -> Termios {
    let mut settings = before.clone();
    settings.local_modes.insert(LocalModes::NOFLSH);
    if typing == Typing::Keys {
        settings.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        settings.special_codes[SpecialCodeIndex::VMIN] = 1;
        settings.special_codes[SpecialCodeIndex::VTIME] = 0;
    }
    settings
}

/// Returns true if a terminal was left with the settings for drawing, and no other program has changed them.
fn is_left_behind(now: &Termios, before: &Termios) -> bool {
    let modes = |settings: &Termios| (settings.local_modes, settings.input_modes, settings.output_modes);
    modes(now) != modes(before)
        && [Typing::Keys, Typing::Untouched]
            .iter()
            .any(|typing| modes(now) == modes(&for_drawing(before, *typing)))
}

fn start_guard(program: &Path) -> io::Result<Child> {
    let mut guard = std::process::Command::new(program)
        .arg(ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        // In its own group from the start, it is not ended by Ctrl-C.
        .process_group(0)
        .spawn()?;
    let mut report = guard.stdout.take().expect("it was asked to be a pipe");
    let mut word = [0];
    if report.read_exact(&mut word).is_ok() && word == READY {
        return Ok(guard);
    }
    let _ = guard.wait();
    Err(io::Error::other("the terminal's guard did not start"))
}

/// Guards the terminal on stderr: the implementation of `linesman __terminal`.
pub fn main() -> ExitCode {
    let Ok(before) = tcgetattr(io::stderr()) else { return ExitCode::from(2) };
    never_stop_for_terminal();
    if io::stdout().write_all(&READY).and_then(|()| io::stdout().flush()).is_err() {
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
