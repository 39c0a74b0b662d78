//! Messages to the thread that talks while something is watched, from anybody in the program.

use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::model::{LiveStanding, LiveStep, Model};

/// A message to the talking thread.
pub(super) enum ViewMessage {
    /// Something to be printed: a line or several, without the last line's end.
    Text(String),
    /// Something has happened in a run of games.
    Change(Change),
    /// The standing has changed.
    Standing(LiveStanding),
    /// Something else that takes long has come so far.
    Step(LiveStep),
    /// Somebody wants to know what every running game does.
    WhatNow,
    /// The terminal is given back until [`ViewMessage::GoOn`]; the answer says that it was.
    Pause(Sender<()>),
    /// The terminal is ours again.
    GoOn,
    /// All is over.
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

/// Has a text printed between other things; hands it back if nobody else talks now.
pub(crate) fn say(text: String) -> Option<String> {
    match tell(ViewMessage::Text(text)) {
        Err(ViewMessage::Text(text)) => Some(text),
        _ => None,
    }
}

/// Has it printed what every running game does.
pub(crate) fn what_now() {
    let _ = tell(ViewMessage::WhatNow);
}

/// Gives the terminal back until [`go_on`], so that the program can be stopped or may panic.
pub(crate) fn pause() {
    if std::thread::current().name() == Some(NAME) {
        // It gives back all it has when it unwinds.
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
