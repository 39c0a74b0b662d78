//! Progress of something that takes long: a bar on a terminal, lines elsewhere.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::env::Stopwatch;
use super::ui::{Progress, Ui};

/// How often a line is printed where there is no bar, at most.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// How often the bar's remaining time is drawn anew without any event.
const REDRAW: Duration = Duration::from_millis(500);

/// The progress of a run of games.
pub(crate) struct GamesProgress {
    how: How,
    total: u64,
    done: u64,
}

enum How {
    Bar(ProgressBar),
    Lines { since_last: Option<Stopwatch> },
    Nothing,
}

impl GamesProgress {
    /// Shows that `done` of `total` games are played.
    pub(crate) fn start(ui: &Ui, total: u64, done: u64) -> GamesProgress {
        let how = match ui.progress() {
            Progress::Bar => {
                let style = ProgressStyle::with_template(
                    "{bar:24.cyan/dim} {human_pos} of {human_len} games{wide_msg}  {elapsed} gone, {eta} to go",
                )
                .expect("the template is a constant and right")
                .progress_chars("━╸─");
                let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
                bar.set_style(style);
                bar.set_position(done);
                bar.reset_eta();
                bar.enable_steady_tick(REDRAW);
                How::Bar(bar)
            }
            Progress::None => How::Nothing,
            Progress::Lines | Progress::Auto => How::Lines { since_last: None },
        };
        GamesProgress { how, total, done }
    }

    /// A game has ended; `standing` is the score so far, in a few words.
    pub(crate) fn game_ended(&mut self, ui: &Ui, standing: impl fmt::Display) {
        self.done += 1;
        let last = self.done == self.total;
        match &mut self.how {
            How::Bar(bar) => {
                bar.set_message(format!("  {standing}"));
                bar.set_position(self.done);
            }
            How::Lines { since_last } => {
                let due = since_last.as_ref().is_none_or(|watch| watch.elapsed() >= BETWEEN_LINES);
                if due || last {
                    *since_last = Some(Stopwatch::start());
                    ui.note(format_args!("{} of {} games: {standing}", self.done, self.total));
                }
            }
            How::Nothing => {}
        }
    }

    /// Says something beside the bar.
    pub(crate) fn aside(&self, say: impl FnOnce()) {
        match &self.how {
            How::Bar(bar) => bar.suspend(say),
            How::Lines { .. } | How::Nothing => say(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if let How::Bar(bar) = self.how {
            bar.finish_and_clear();
        }
    }
}
