//! Texts for the user, broken into lines of the terminal.

use std::borrow::Cow;
use std::io::{self, IsTerminal};

use anstream::adapter::strip_str;

use super::screen::Screen;
use crate::report::truncate;

/// Returns a text for stderr; on a terminal, its long lines are broken between words.
pub(crate) fn in_lines_of_terminal(text: &str) -> Cow<'_, str> {
    if !io::stderr().is_terminal() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(in_lines(text, usize::from(Screen::size().0).saturating_sub(1)))
}

/// Breaks the long lines of a text between words. Lines that begin with a space are drawings and stay unchanged.
pub(super) fn in_lines(text: &str, max_columns: usize) -> String {
    let columns = |word: &str| truncate::columns(&strip_str(word).to_string());
    let mut lines = String::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            lines.push('\n');
        }
        if line.starts_with(' ') || columns(line) <= max_columns {
            lines.push_str(line);
            continue;
        }
        let mut used = 0;
        for word in words(line) {
            let width = columns(word);
            if used > 0 && used + 1 + width > max_columns {
                lines.push_str("\n  ");
                used = 2;
            } else if used > 0 {
                lines.push(' ');
                used += 1;
            }
            lines.push_str(word);
            used += width;
        }
    }
    lines
}

/// The words of a line; the text between two backticks, such as a command, is one word.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    line.split(move |symbol: char| {
        is_quoted ^= symbol == '`';
        symbol == ' ' && !is_quoted
    })
}
