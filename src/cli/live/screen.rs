//! The view on the terminal: its last lines.
//!
//! The cursor stays at the view's first character. However a terminal rearranges its lines when its size changes,
//! everything after the cursor is the view, so erasing from there removes all of it.

use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use ratatui::text::Span;

use crate::process::terminal::ERASE_BELOW;

/// The assumed size of a terminal that does not know its own.
const USUAL: (u16, u16) = (80, 24);

/// The terminal on stderr.
pub(super) struct Screen {
    is_coloured: bool,
    /// The size and the lines of the last drawing; an equal one is not drawn again.
    shown: Option<((u16, u16), Vec<String>)>,
}

impl Screen {
    pub(super) fn new(is_coloured: bool) -> Screen {
        Screen { is_coloured, shown: None }
    }

    /// Its columns and lines.
    pub(super) fn size() -> (u16, u16) {
        match rustix::termios::tcgetwinsize(io::stderr()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => USUAL,
        }
    }

    /// Forgets the last drawing, so that it is not erased.
    pub(super) fn forget(&mut self) {
        self.shown = None;
    }

    /// Replaces the view by texts and draws the view below them.
    pub(super) fn show(&mut self, texts: &[u8], view: Option<&Buffer>, size: (u16, u16)) {
        let shown = view.map(|view| (size, lines(view, self.is_coloured)));
        if texts.is_empty() && shown == self.shown {
            return;
        }
        let mut bytes = Vec::new();
        if let Some((before, _)) = &self.shown {
            bytes.push(b'\r');
            if !texts.is_empty() || shown.as_ref().is_none_or(|(now, _)| now != before) {
                bytes.extend_from_slice(ERASE_BELOW.as_bytes());
            }
        }
        bytes.extend_from_slice(texts);
        if let Some((_, lines)) = &shown {
            for (index, line) in lines.iter().enumerate() {
                if index > 0 {
                    bytes.extend_from_slice(b"\r\n");
                }
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(b"\x1b[K");
            }
            bytes.extend_from_slice(ERASE_BELOW.as_bytes());
            bytes.push(b'\r');
            bytes.extend_from_slice("\x1b[A".repeat(lines.len().saturating_sub(1)).as_bytes());
        }
        self.shown = shown;
        // In a single write, so that nothing flickers. A terminal that is gone shows nothing.
        let _ = io::stderr().write_all(&bytes);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.show(&[], None, USUAL);
    }
}

/// The lines of a drawing, with escape codes for a terminal.
fn lines(view: &Buffer, is_coloured: bool) -> Vec<String> {
    let area = view.area;
    (area.top()..area.bottom())
        .map(|y| {
            let mut line = String::new();
            let (mut style, mut x) = (String::new(), area.left());
            while x < area.right() {
                let cell = &view[(x, y)];
                let new_style = if is_coloured { codes(cell.fg, cell.modifier) } else { String::new() };
                if new_style != style {
                    line.push_str("\x1b[0m");
                    line.push_str(&new_style);
                    style = new_style;
                }
                line.push_str(cell.symbol());
                // A wide character fills the cells after it.
                x += u16::try_from(Span::raw(cell.symbol()).width()).unwrap_or(1).max(1);
            }
            let end = line.trim_end().len();
            line.truncate(end);
            if !style.is_empty() {
                line.push_str("\x1b[0m");
            }
            line
        })
        .collect()
}

fn codes(colour: Color, modifier: Modifier) -> String {
    let mut codes = String::new();
    for (effect, code) in [(Modifier::BOLD, "1"), (Modifier::DIM, "2")] {
        if modifier.contains(effect) {
            codes.push_str(&format!("\x1b[{code}m"));
        }
    }
    let colour = match colour {
        Color::Red => "31",
        Color::Green => "32",
        // Dark yellow: the default one is illegible on white.
        Color::Yellow => "38;5;136",
        Color::Cyan => "36",
        _ => return codes,
    };
    codes.push_str(&format!("\x1b[{colour}m"));
    codes
}
