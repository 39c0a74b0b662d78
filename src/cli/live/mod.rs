//! The view of games that are played or of other long work, and the messages printed meanwhile.
//!
//! One thread of its own does all the talking as long as something is watched: it
//! draws the view on a terminal, prints a line now and then elsewhere, and prints
//! between them what others say. It alone writes to the terminal and changes its
//! settings. So nothing tears the view, nothing is drawn after the end, and a
//! terminal that takes nothing (Ctrl-S) stops neither games nor records.

mod draw;
mod keys;
mod model;
mod observer;
mod running;
mod screen;
mod steps;
mod talker;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use model::{LiveStanding, Model};
pub(crate) use observer::LiveView;
pub(crate) use steps::{LiveStep, Steps};

use anstream::ColorChoice;

use super::env;
use super::ui::{Progress, Ui};
use screen::Screen;
use talker::{Subject, TalkForm, Talker};

/// A message to the talking thread.
enum Told {
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
    /// The terminal is given back until [`Told::GoOn`]; the answer says that it was.
    Pause(Sender<()>),
    /// The terminal is ours again.
    GoOn,
    /// All is over.
    End,
}

/// A change of the model of a run, made by the thread that draws it.
type Change = Box<dyn FnOnce(&mut Model) + Send>;

/// The talking thread, while there is one.
static TALKER: Mutex<Option<Sender<Told>>> = Mutex::new(None);

/// The name of the talking thread.
const NAME: &str = "talking";

/// Maximum wait for the terminal to be given back.
const PATIENCE: Duration = Duration::from_secs(1);

fn talker() -> MutexGuard<'static, Option<Sender<Told>>> {
    // Whole at every moment, whoever panicked.
    TALKER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tell(told: Told) -> Result<(), Told> {
    match &*talker() {
        Some(talker) => talker.send(told).map_err(|refused| refused.0),
        None => Err(told),
    }
}

/// Has a text printed between other things; hands it back if nobody else talks now.
pub(crate) fn say(text: String) -> Option<String> {
    match tell(Told::Text(text)) {
        Err(Told::Text(text)) => Some(text),
        _ => None,
    }
}

/// A text for stderr, its long lines broken between words where a terminal would break them anywhere.
pub(crate) fn in_lines_of_terminal(text: &str) -> Cow<'_, str> {
    if !io::stderr().is_terminal() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(talker::in_lines(text, usize::from(Screen::size().0).saturating_sub(1)))
}

/// Has it printed what every running game does.
pub(crate) fn what_now() {
    let _ = tell(Told::WhatNow);
}

/// Gives the terminal back until [`go_on`], so that the program can be stopped or may panic.
pub(crate) fn pause() {
    if std::thread::current().name() == Some(NAME) {
        // It gives back all it has when it unwinds.
        return;
    }
    let (given_back, answer) = mpsc::channel();
    if tell(Told::Pause(given_back)).is_ok() {
        let _ = answer.recv_timeout(PATIENCE);
    }
}

/// Takes the terminal again.
pub(crate) fn go_on() {
    let _ = tell(Told::GoOn);
}

/// Something that is being watched. Dropped it leaves the terminal as it was.
pub(crate) struct Live {
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Begins to watch something else.
    fn of_steps(ui: &Ui) -> io::Result<Live> {
        Live::of(ui, Subject::Steps(None))
    }

    fn of(ui: &Ui, subject: Subject) -> io::Result<Live> {
        Live::in_form(form(ui), ui.talk_choice(), subject)
    }

    fn in_form(form: TalkForm, colour: ColorChoice, subject: Subject) -> io::Result<Live> {
        let (sender, heard) = mpsc::channel();
        let talker = Talker::new(subject, form, colour, sender.clone());
        let thread = std::thread::Builder::new().name(NAME.to_owned()).spawn(move || talker.run(&heard))?;
        *self::talker() = Some(sender);
        Ok(Live { thread: Some(thread) })
    }

    fn tell(&self, told: Told) {
        // Nobody listens to what comes after the end.
        let _ = tell(told);
    }
}

/// The form in which progress is wanted.
fn form(ui: &Ui) -> TalkForm {
    match ui.progress() {
        Progress::Bar if io::stderr().is_terminal() => {
            TalkForm::View(Screen::new(ui.talk_in_colour()), env::own_binary().ok())
        }
        Progress::Bar | Progress::None => TalkForm::Nothing,
        Progress::Lines | Progress::Auto => TalkForm::Lines,
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let talker = talker().take();
        if let Some(talker) = talker {
            let _ = talker.send(Told::End);
        }
        // What it panicked with has been said.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
