//! The styles of the viewer.

use ratatui::Frame;
use ratatui::style::{Color, Modifier, Style};

use crate::report::picture::terminal as picture;
use crate::report::replay;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(in crate::cli) enum Look {
    Coloured,
    Plain,
}

impl Look {
    /// Removes the colours of what has been drawn if it is to be plain.
    pub(in crate::cli) fn apply(self, frame: &mut Frame<'_>) {
        if self == Look::Plain {
            for cell in &mut frame.buffer_mut().content {
                cell.fg = Color::Reset;
                cell.bg = Color::Reset;
            }
        }
    }
}

pub(in crate::cli) const CURRENT: Style = Style::new().add_modifier(Modifier::REVERSED.union(Modifier::BOLD));
pub(in crate::cli) const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
pub(in crate::cli) const DIM: Style = Style::new().add_modifier(Modifier::DIM);

pub(in crate::cli) fn side_colour(player: &replay::Player) -> Color {
    color(picture::side_colour(player.side))
}

/// Converts a colour for ratatui.
pub(in crate::cli) fn color(colour: anstyle::Color) -> Color {
    match colour {
        anstyle::Color::Ansi(named) => Color::Indexed(named as u8),
        anstyle::Color::Ansi256(indexed) => Color::Indexed(indexed.0),
        anstyle::Color::Rgb(rgb) => Color::Rgb(rgb.0, rgb.1, rgb.2),
    }
}
