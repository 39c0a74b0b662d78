//! Progress of something that takes long and is no run of games.

use std::fmt;
use std::time::Duration;

use super::{Live, Told};
use crate::cli::env::Stopwatch;
use crate::cli::ui::{Progress, Ui};

/// Minimum time between two updates; the caller may have many more.
const BETWEEN_UPDATES: Duration = Duration::from_millis(50);

/// The number of steps that are done, and a few words about them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LiveStep {
    pub(super) done: u64,
    /// Nought where nobody knows.
    pub(super) total: u64,
    pub(super) words: String,
}

impl LiveStep {
    /// The share of the steps that are done, 0 to 1; none where there is no end.
    pub(super) fn share(&self) -> Option<f64> {
        (self.total > 0).then(|| self.done as f64 / self.total as f64)
    }

    /// The time left if the steps go on at the rate so far.
    pub(super) fn left(&self, elapsed: Duration) -> Option<Duration> {
        let share = self.share().filter(|share| *share > 0.0 && *share < 1.0)?;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 / share - 1.0)).ok()
    }
}

/// Steps that are being watched. Dropped it leaves the terminal as it was.
pub(crate) struct Steps {
    live: Option<Live>,
    since: Option<Stopwatch>,
}

impl Steps {
    /// Begins to watch.
    pub(crate) fn start(ui: &Ui) -> Steps {
        // Without a thread for it nothing is shown.
        let live = if ui.progress() == Progress::None { None } else { Live::of_steps(ui).ok() };
        Steps { live, since: None }
    }

    /// Shows the number of steps that are done of a total.
    pub(crate) fn at(&mut self, (done, total): (u64, u64), words: impl fmt::Display) {
        let is_due = self.since.as_ref().is_none_or(|since| since.elapsed() >= BETWEEN_UPDATES);
        if let Some(live) = self.live.as_ref().filter(|_| is_due) {
            self.since = Some(Stopwatch::start());
            live.tell(Told::Step(LiveStep { done, total, words: words.to_string() }));
        }
    }
}
