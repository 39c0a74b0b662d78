//! Texts for the user, broken into lines of the terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use anstream::adapter::strip_str;

use super::screen::Screen;
use crate::report::truncate;

/// A text for stderr, its long lines broken between words where a terminal would break them anywhere.
pub(crate) fn in_lines_of_terminal(text: &str) -> Cow<'_, str> {
    if !io::stderr().is_terminal() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(in_lines(text, usize::from(Screen::size().0).saturating_sub(1)))
}

/// Breaks the long lines of a text between words; text in backticks, such as a command, is one word. Lines
/// that begin with a space are drawings, and stay as they are.
pub(super) fn in_lines(text: &str, most: usize) -> String {
    let columns = |word: &str| truncate::columns(&strip_str(word).to_string());
    let mut lines = String::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            lines.push('\n');
        }
        if line.starts_with(' ') || columns(line) <= most {
            lines.push_str(line);
            continue;
        }
        let mut used = 0;
        for word in words(line) {
            let own = columns(word);
            if used > 0 && used + 1 + own > most {
                lines.push_str("\n  ");
                used = 2;
            } else if used > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += own;
        }
    }
    lines
}

/// The words of a line, those between two backticks as one.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    line.split(move |symbol: char| {
        is_quoted ^= symbol == '`';
        symbol == ' ' && !is_quoted
    })
}
