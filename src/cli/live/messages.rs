//! Messages from any thread to the one that prints while something is watched.

use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::model::{LiveStanding, LiveStep, Model};

/// A message to the talking thread.
pub(super) enum ViewMessage {
    /// A text to be printed: one or more lines, without the last line's end.
    Text(String),
    /// An event of a run of games.
    Change(Change),
    /// The standing has changed.
    Standing(LiveStanding),
    /// The progress of other long work.
    Step(LiveStep),
    /// A request for the status of every running game.
    WhatNow,
    /// A request to give the terminal back until [`ViewMessage::GoOn`]. The sender is answered once that is
    /// done.
    Pause(Sender<()>),
    /// The terminal is ours again.
    GoOn,
    /// Everything is over.
    End,
}

/// A change of the model of a run, made by the thread that draws it.
pub(super) type Change = Box<dyn FnOnce(&mut Model) + Send>;

/// The talking thread, while there is one.
static TALKER: Mutex<Option<Sender<ViewMessage>>> = Mutex::new(None);

/// The name of the talking thread.
pub(super) const NAME: &str = "talking";

/// Maximum wait for the terminal to be given back.
const PATIENCE: Duration = Duration::from_secs(1);

pub(super) fn talker() -> MutexGuard<'static, Option<Sender<ViewMessage>>> {
    // Consistent at every moment, even after a panic.
    TALKER.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn tell(told: ViewMessage) -> Result<(), ViewMessage> {
    match &*talker() {
        Some(talker) => talker.send(told).map_err(|refused| refused.0),
        None => Err(told),
    }
}

/// Prints a text between other output. Returns it if no talking thread exists.
pub(crate) fn say(text: String) -> Option<String> {
    match tell(ViewMessage::Text(text)) {
        Err(ViewMessage::Text(text)) => Some(text),
        _ => None,
    }
}

/// Prints the status of every running game.
pub(crate) fn what_now() {
    let _ = tell(ViewMessage::WhatNow);
}

/// Gives the terminal back until [`go_on`], so that the program can be stopped or may panic.
pub(crate) fn pause() {
    if std::thread::current().name() == Some(NAME) {
        // The thread gives everything back when it unwinds.
        return;
    }
    let (given_back, answer) = mpsc::channel();
    if tell(ViewMessage::Pause(given_back)).is_ok() {
        let _ = answer.recv_timeout(PATIENCE);
    }
}

/// Takes the terminal again.
pub(crate) fn go_on() {
    let _ = tell(ViewMessage::GoOn);
}
