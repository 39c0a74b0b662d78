//! Mistakes in a file, shown as a compiler would: the line, the text underlined, the expectation, the remedy.

#[cfg(test)]
mod tests;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::league::file::{Diagnostic, Diagnostics};

/// The use of colours in a text.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Colours {
    /// ANSI colours.
    On,
    /// Plain text.
    Off,
}

/// Shows all mistakes, an empty line between them, without a newline at the end.
pub fn render(mistakes: &Diagnostics, colours: Colours) -> String {
    let renderer = match colours {
        Colours::On => Renderer::styled(),
        Colours::Off => Renderer::plain(),
    };
    let shown: Vec<String> =
        mistakes.list.iter().map(|mistake| renderer.render(&[group(mistakes, mistake)])).collect();
    shown.join("\n\n")
}

fn group<'m>(mistakes: &'m Diagnostics, mistake: &'m Diagnostic) -> Group<'m> {
    let mut group = Group::with_title(Level::ERROR.primary_title(&mistake.message));
    if mistake.annotations.is_empty() {
        group = group.element(Origin::path(&mistakes.sources[0].name));
    }
    let primary = mistake.annotations.first().map(|place| place.source);
    let mut order: Vec<usize> = (0..mistakes.sources.len()).collect();
    order.sort_by_key(|source| Some(*source) != primary);
    for index in order {
        let source = &mistakes.sources[index];
        let places = mistake.annotations.iter().enumerate().filter(|(_, place)| place.source == index);
        let mut annotations = places
            .map(|(number, place)| {
                let kind = if number == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
                let span = printable(&source.text, place.span.clone());
                let label = Some(place.label.as_str()).filter(|label| !label.is_empty());
                kind.span(span).label(label)
            })
            .peekable();
        if annotations.peek().is_some() {
            let snippet = Snippet::source(&source.text).path(&source.name).annotations(annotations);
            group = group.element(snippet);
        }
    }
    match &mistake.hint {
        Some(hint) => group.element(Level::HELP.with_name("hint").message(hint)),
        None => group,
    }
}

/// A span that lies within the text, and on its first line only: the beginning of a long span is enough to
/// recognise it.
fn printable(text: &str, span: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let start = text.floor_char_boundary(span.start);
    let end = text.ceil_char_boundary(span.end.max(start));
    let first_line = text[start..end].find('\n').map_or(end, |newline| start + newline);
    start..first_line.max(start)
}
