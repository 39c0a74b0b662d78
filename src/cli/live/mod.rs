//! The view of games in progress or of other long work, and the messages printed meanwhile.
//!
//! While progress is shown, a separate thread does all printing, the reporter: it draws the view on a terminal, or
//! prints a line now and then elsewhere, and prints the messages of other threads in between. No other thread writes
//! to the terminal or changes its settings. So nothing tears the view, nothing is drawn after the end, and a terminal
//! that accepts no output (Ctrl-S) stops neither games nor records.

mod draw;
mod keys;
pub(crate) mod lines;
pub(crate) mod messages;
mod model;
mod observer;
mod reporter;
mod running;
mod screen;
mod steps;
#[cfg(test)]
mod tests;
mod words;
mod workers;

use std::io::{self, IsTerminal};
use std::sync::mpsc;
use std::thread::JoinHandle;

use anstream::ColorChoice;

use super::ui::{Progress, Ui};
use messages::{NAME, ViewMessage, reporter};
pub(crate) use observer::LiveView;
use reporter::{ProgressForm, Reporter, Subject};
use screen::Screen;
pub(crate) use steps::Steps;

/// This program, even if its file has been replaced since it started.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The reporter while it runs. Dropping it restores the terminal.
pub(crate) struct Live {
    thread: Option<JoinHandle<()>>,
}

impl Live {
    fn in_form(form: ProgressForm, colour: ColorChoice, subject: Subject) -> io::Result<Live> {
        let (sender, receiver) = mpsc::channel();
        let printing = Reporter::new(subject, form, colour, sender.clone());
        let thread = std::thread::Builder::new().name(NAME.to_owned());
        let thread = thread.spawn(move || printing.run(&receiver))?;
        *reporter() = Some(sender);
        Ok(Live { thread: Some(thread) })
    }
}

fn form(ui: &Ui) -> ProgressForm {
    match ui.progress() {
        Progress::Bar if io::stderr().is_terminal() => {
            ProgressForm::View(Screen::new(ui.stderr_in_colour()), Some(THIS_PROGRAM.into()))
        }
        Progress::Bar | Progress::None => ProgressForm::Nothing,
        Progress::Lines | Progress::Auto => ProgressForm::Lines,
    }
}

/// True if progress is a view, which shows by itself that a run stops.
pub(crate) fn is_view(ui: &Ui) -> bool {
    matches!(form(ui), ProgressForm::View(..))
}

impl Drop for Live {
    fn drop(&mut self) {
        let reporter = reporter().take();
        if let Some(reporter) = reporter {
            let _ = reporter.send(ViewMessage::End);
        }
        // If the thread panicked, the panic has been reported already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
