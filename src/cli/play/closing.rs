//! Notes below the tables at the end of a command: a line for each kind of note, and few of them.

use std::fmt::Display;

use super::super::ui::Ui;

/// Maximum number of lines below the tables.
const MOST_LINES: usize = 10;

/// Notes that are said together at the end.
#[derive(Default)]
pub(super) struct Closing {
    warnings: Vec<String>,
    notes: Vec<String>,
    /// True if earlier warnings are repeated.
    repeats: bool,
}

/// A line below the tables.
enum ClosingLine {
    Warning(String),
    /// A warning that was printed before.
    Again(String),
    Note(String),
}

impl Closing {
    /// Adds a warning.
    pub(super) fn warn(&mut self, text: impl Display) {
        self.warnings.push(text.to_string());
    }

    /// Adds a note.
    pub(super) fn note(&mut self, text: impl Display) {
        self.notes.push(text.to_string());
    }

    /// Repeats earlier warnings at the end, since the games have scrolled them off the screen.
    pub(super) fn repeat_warnings(&mut self) {
        self.repeats = true;
    }

    /// Prints everything, warnings first. If there are too many lines, the last one names the command `the_rest`, which
    /// shows the others.
    pub(super) fn say(self, ui: &mut Ui, the_rest: &str) {
        let again = if self.repeats { ui.warnings().to_vec() } else { Vec::new() };
        let mut lines: Vec<ClosingLine> = (self.warnings.into_iter().map(ClosingLine::Warning))
            .chain(again.into_iter().map(ClosingLine::Again))
            .chain(self.notes.into_iter().map(ClosingLine::Note))
            .collect();
        let more = match lines.len() {
            0..=MOST_LINES => 0,
            all => all - (MOST_LINES - 1),
        };
        lines.truncate(lines.len() - more);
        for line in lines {
            match line {
                ClosingLine::Warning(text) => ui.warn_once(text),
                ClosingLine::Again(text) => ui.warn_again(&text),
                ClosingLine::Note(text) => ui.note(text),
            }
        }
        if more > 0 {
            ui.note(format_args!("and {more} more notes; {the_rest}"));
        }
    }
}
