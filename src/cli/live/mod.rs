//! The view of games that are played or of other long work, and the messages printed meanwhile.
//!
//! One thread of its own does all the talking as long as something is watched: it
//! draws the view on a terminal, prints a line now and then elsewhere, and prints
//! between them what others say. It alone writes to the terminal and changes its
//! settings. So nothing tears the view, nothing is drawn after the end, and a
//! terminal that takes nothing (Ctrl-S) stops neither games nor records.

mod draw;
mod keys;
pub(crate) mod lines;
pub(crate) mod messages;
mod model;
mod observer;
mod running;
mod screen;
mod steps;
mod talker;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread::JoinHandle;

use anstream::ColorChoice;

use super::env;
use super::ui::{Progress, Ui};
use messages::{NAME, ViewMessage, talker, tell};
pub(crate) use observer::LiveView;
use screen::Screen;
pub(crate) use steps::Steps;
use talker::{Subject, TalkForm, Talker};

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
        *messages::talker() = Some(sender);
        Ok(Live { thread: Some(thread) })
    }

    fn tell(&self, told: ViewMessage) {
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
            let _ = talker.send(ViewMessage::End);
        }
        // What it panicked with has been said.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
