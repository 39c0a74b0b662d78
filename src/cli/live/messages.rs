//! Messages from any thread to the reporter.

use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::model::{LiveStanding, LiveStep, Model};

pub(super) enum ViewMessage {
    /// A text to print: one or more lines, without the final newline.
    Text(String),
    Change(Change),
    Standing(LiveStanding),
    /// The progress of other long work.
    Step(LiveStep),
    StatusRequest,
    /// A request to release the terminal until [`ViewMessage::Resume`]. The reporter confirms through the sender.
    Pause(Sender<()>),
    Resume,
    End,
}

/// A change of the model of a run, applied by the reporter.
pub(super) type Change = Box<dyn FnOnce(&mut Model) + Send>;

/// The reporter, while one runs.
static REPORTER: Mutex<Option<Sender<ViewMessage>>> = Mutex::new(None);

/// The name of the reporter's thread.
pub(super) const NAME: &str = "talking";

/// Maximum wait for the reporter to release the terminal.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) fn reporter() -> MutexGuard<'static, Option<Sender<ViewMessage>>> {
    // The value is consistent even after a panic.
    REPORTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends a message to the reporter. Returns it if no reporter runs.
pub(super) fn send(message: ViewMessage) -> Result<(), ViewMessage> {
    match &*reporter() {
        Some(reporter) => reporter.send(message).map_err(|refused| refused.0),
        None => Err(message),
    }
}

/// Has the reporter print a text above the view. Returns the text if no reporter runs.
pub(crate) fn print(text: String) -> Option<String> {
    match send(ViewMessage::Text(text)) {
        Err(ViewMessage::Text(text)) => Some(text),
        _ => None,
    }
}

pub(crate) fn print_status() {
    let _ = send(ViewMessage::StatusRequest);
}

/// Releases the terminal until [`resume`], so that the program can be suspended or can report a panic.
pub(crate) fn pause() {
    if std::thread::current().name() == Some(NAME) {
        // The reporter releases the terminal when it unwinds.
        return;
    }
    let (released, confirmation) = mpsc::channel();
    if send(ViewMessage::Pause(released)).is_ok() {
        let _ = confirmation.recv_timeout(RELEASE_TIMEOUT);
    }
}

pub(crate) fn resume() {
    let _ = send(ViewMessage::Resume);
}
