//! Progress of something that takes long and is no run of games: a bar on a
//! terminal, lines elsewhere.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};

use super::env::Stopwatch;
use super::ui::{Progress, Ui};

/// How often a line is printed where there is no bar, at most.
const BETWEEN_LINES: Duration = Duration::from_secs(1);

/// How often the bar's remaining time is drawn anew without any event.
const REDRAW: Duration = Duration::from_millis(500);

/// How often the bar is drawn in a second, at most.
const DRAWN_A_SECOND: u8 = 20;

/// How many columns behind the bar stay free for what is typed: the `^C` of a
/// Ctrl-C that the terminal prints there must not go on in the next line, from
/// where the bar would not be found again.
const ROOM_FOR_TYPING: u16 = 6;

enum How {
    Bar(ProgressBar),
    Lines { since_last: Option<Stopwatch> },
    Nothing,
}

/// How far something is, in words of its own.
pub(crate) struct StepsProgress(How);

impl StepsProgress {
    /// Shows that nothing is done yet.
    pub(crate) fn start(ui: &Ui) -> StepsProgress {
        StepsProgress(match ui.progress() {
            Progress::Bar if io::stderr().is_terminal() => How::Bar(bar(ui, 1, 0)),
            Progress::Bar | Progress::None => How::Nothing,
            Progress::Lines | Progress::Auto => How::Lines { since_last: None },
        })
    }

    /// Shows that so much of so much is done.
    pub(crate) fn at(&mut self, ui: &Ui, (done, total): (u64, u64), words: impl fmt::Display) {
        match &mut self.0 {
            How::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(words.to_string());
            }
            How::Lines { since_last } => {
                if since_last.as_ref().is_none_or(|watch| watch.elapsed() >= BETWEEN_LINES) {
                    *since_last = Some(Stopwatch::start());
                    ui.note(words);
                }
            }
            How::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if let How::Bar(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

fn bar(ui: &Ui, total: u64, done: u64) -> ProgressBar {
    let template = match ui.talk_in_colour() {
        true => "{bar:24.cyan/dim} {wide_msg}  {elapsed} gone, {left} to go",
        false => "{bar:24} {wide_msg}  {elapsed} gone, {left} to go",
    };
    let style = ProgressStyle::with_template(template)
        .expect("the templates are constants and right")
        .with_key("left", move |state: &ProgressState, text: &mut dyn fmt::Write| {
            // Before the first game has ended nobody knows.
            let _ = match state.pos() > done {
                true => write!(text, "{:#}", indicatif::HumanDuration(state.eta())),
                false => write!(text, "?"),
            };
        })
        .progress_chars("━╸─");
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(Stderr::default()), DRAWN_A_SECOND);
    let bar = ProgressBar::with_draw_target(Some(total), target);
    bar.set_style(style);
    bar.set_position(done);
    bar.reset_eta();
    bar.enable_steady_tick(REDRAW);
    bar
}

/// The terminal that stderr is, but for its last columns.
#[derive(Debug, Default)]
struct Stderr {
    /// What is printed at the next flush: a drawing in one write does not flicker.
    waiting: Mutex<Vec<u8>>,
}

impl Stderr {
    fn add(&self, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.waiting().write_fmt(text)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TermLike for Stderr {
    fn width(&self) -> u16 {
        let columns = rustix::termios::tcgetwinsize(io::stderr()).map_or(0, |size| size.ws_col);
        // A terminal that does not know its size says 0.
        let columns = if columns == 0 { 80 } else { columns };
        columns.saturating_sub(ROOM_FOR_TYPING).max(1)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.moved(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.moved(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.moved(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.moved(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.add(format_args!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(format_args!("{text}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        let drawing = std::mem::take(&mut *self.waiting());
        io::stderr().write_all(&drawing)
    }
}

impl Stderr {
    /// Moves the cursor; a distance of 0 would be taken for 1.
    fn moved(&self, distance: usize, direction: char) -> io::Result<()> {
        match distance {
            0 => Ok(()),
            _ => self.add(format_args!("\x1b[{distance}{direction}")),
        }
    }
}
