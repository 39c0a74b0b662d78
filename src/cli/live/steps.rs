//! Progress of long work other than a run of games.

use std::fmt;
use std::time::Duration;

use super::messages::{ViewMessage, send};
use super::model::LiveStep;
use super::reporter::Subject;
use super::{Live, form};
use crate::cli::env::Stopwatch;
use crate::cli::ui::{Progress, Ui};

/// Minimum time between two updates; the caller may have many more.
const BETWEEN_UPDATES: Duration = Duration::from_millis(50);

/// The view of the progress of steps. Dropping it restores the terminal.
pub(crate) struct Steps {
    live: Option<Live>,
    /// Measures the time since the last update.
    since: Option<Stopwatch>,
}

impl Steps {
    pub(crate) fn start(ui: &Ui) -> Steps {
        // If the thread can't be started, nothing is shown.
        let live = || Live::in_form(form(ui), ui.stderr_colour(), Subject::Steps(None)).ok();
        Steps { live: if ui.progress() == Progress::None { None } else { live() }, since: None }
    }

    pub(crate) fn at(&mut self, (done, total): (u64, u64), words: impl fmt::Display) {
        let is_due = self.since.as_ref().is_none_or(|since| since.elapsed() >= BETWEEN_UPDATES);
        if is_due && self.live.is_some() {
            self.since = Some(Stopwatch::start());
            // A reporter that panicked receives no messages.
            let _ = send(ViewMessage::Step(LiveStep { done, total, words: words.to_string() }));
        }
    }
}
