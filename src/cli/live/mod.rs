//! The view of games in progress or of other long work, and the messages printed meanwhile.
//!
//! A thread of its own prints everything as long as something is watched: it draws the view on a terminal or
//! otherwise prints a line now and then, and prints the messages of other threads in between. It alone writes
//! to the terminal and changes its settings. So nothing tears the view, nothing is drawn after the end, and a
//! terminal that accepts no output (Ctrl-S) stops neither games nor records.

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
mod text;
mod workers;

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

/// Something that is being watched. Dropping it leaves the terminal as it was.
pub(crate) struct Live {
    thread: Option<JoinHandle<()>>,
}

impl Live {
    fn in_form(form: TalkForm, colour: ColorChoice, subject: Subject) -> io::Result<Live> {
        let (sender, heard) = mpsc::channel();
        let talker = Talker::new(subject, form, colour, sender.clone());
        let thread = std::thread::Builder::new().name(NAME.to_owned()).spawn(move || talker.run(&heard))?;
        *messages::talker() = Some(sender);
        Ok(Live { thread: Some(thread) })
    }

    fn tell(&self, told: ViewMessage) {
        // After the end no thread receives messages.
        let _ = tell(told);
    }
}

/// The form in which progress is shown.
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
        // The message of a panic has been printed already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
